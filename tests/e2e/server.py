# SPDX-License-Identifier: GPL-2.0-or-later
"""A PostgreSQL server of the tests' own: made by initdb in a directory that is removed at the end,
reached by a Unix socket only. PostgreSQL does not run as root; there it runs as nobody.

    with Server() as server:
        server.address('name')    # of a new database
"""
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

PATIENCE_S = 60
# Nothing here outlives the test, so nothing is synced to a disk.
SETTINGS = {'listen_addresses': '', 'fsync': 'off', 'full_page_writes': 'off',
            'synchronous_commit': 'off', 'max_connections': '40', 'shared_buffers': '32MB',
            'log_min_messages': 'fatal', 'password_encryption': 'scram-sha-256'}


def programs():
    """The directory of initdb and postgres, the newest; None: there is none."""
    found = shutil.which('initdb')
    places = sorted(glob.glob('/usr/lib/postgresql/*/bin/initdb'),
                    key=lambda path: int(path.split('/')[4]) if path.split('/')[4].isdigit() else 0)
    if found is None and places:
        found = places[-1]
    return os.path.dirname(os.path.realpath(found)) if found else None


def missing():
    """Why there can be no server here; None: there can."""
    if programs() is None:
        return 'no PostgreSQL server is installed'
    if shutil.which('psql') is None:
        return 'no psql is installed'
    return None


class Server:
    def __init__(self, secret=None):
        self.bin = programs()
        self.directory = tempfile.mkdtemp(prefix='worth-pg-', dir='/tmp')
        self.data = os.path.join(self.directory, 'data')
        self.process = None
        self.count = 0
        self.unprivileged = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam('nobody')
            os.chown(self.directory, nobody.pw_uid, nobody.pw_gid)
            self.unprivileged = {'user': nobody.pw_uid, 'group': nobody.pw_gid,
                                 'extra_groups': []}
        os.chmod(self.directory, 0o755)
        try:
            self.make(secret)
            self.start()
        except BaseException:
            self.__exit__()
            raise

    def make(self, secret):
        """A cluster whose user owner needs no password, and whose user member has secret."""
        subprocess.run([os.path.join(self.bin, 'initdb'), '-D', self.data, '-U', 'owner', '-A',
                        'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], check=True,
                       capture_output=True, timeout=PATIENCE_S, cwd='/',
                       env={'PATH': os.environ['PATH']}, **self.unprivileged)
        if secret is not None:
            with open(os.path.join(self.data, 'pg_hba.conf'), 'w', encoding='ascii') as stream:
                stream.write('local all member scram-sha-256\nlocal all all trust\n')

    def start(self):
        words = [os.path.join(self.bin, 'postgres'), '-D', self.data, '-k', self.directory]
        for name, value in SETTINGS.items():
            words += ['-c', f'{name}={value}']
        with open(os.path.join(self.directory, 'log'), 'ab') as log:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log, cwd='/', **self.unprivileged,
                                            env={'PATH': os.environ['PATH'], 'TZ': 'UTC'})
        last = time.monotonic() + PATIENCE_S
        while self.psql('postgres', 'SELECT 1', check=False).returncode != 0:
            if time.monotonic() > last or self.process.poll() is not None:
                raise RuntimeError('the server does not start')
            time.sleep(0.05)

    def stop(self, how=signal.SIGINT):
        """At once, dropping who is connected; SIGQUIT: as a crash."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE_S)

    def pids(self):
        """Of all its processes, the one that starts the others last."""
        first = self.process.pid
        with open(f'/proc/{first}/task/{first}/children', encoding='ascii') as stream:
            return [int(word) for word in stream.read().split()] + [first]

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.directory, ignore_errors=True)

    def address_of(self, name, user='owner'):
        return f'postgresql://{user}@/{name}?host={self.directory}'

    def psql(self, name, sql, check=True):
        return subprocess.run(['psql', '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d',
                               self.address_of(name), '-c', sql], check=check, text=True,
                              capture_output=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL)

    def address(self, name=None, user='owner'):
        """Of a new database."""
        self.count += 1
        name = name or f'history{os.getpid()}_{self.count}'
        self.psql('postgres', f'CREATE DATABASE {name}')
        return self.address_of(name, user)
