# SPDX-License-Identifier: GPL-2.0-or-later
"""A user's world for the tests that run worth itself: an empty data directory, a place for
programs and files, and worth with its exit status, stdout and stderr.

    with World() as world:
        run = world.worth('-r', '3', 'true', 'true')
        run.status, run.out, run.err

Every process that worth starts inherits a mark in its environment, by which world.left() finds
what is still alive.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from tap import Tap, shared_cases  # noqa: E402,F401  pylint: disable=unused-import

WORTH = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else None
MARK = 'WORTH_TEST_WORLD'
PATIENCE_S = 60
# Enough runs to see what happened, not enough to judge anything.
FEW = ('-q', '-r', '2', '-w', '0')


class Run:
    """What a user sees of a run that has ended."""

    def __init__(self, words, status, out, err):
        self.words, self.status, self.out, self.err = words, status, out, err

    def __str__(self):
        return f'worth {self.words}\nstatus {self.status}\n--- stdout\n{self.out}' \
               f'\n--- stderr\n{self.err}'

    @property
    def told(self):
        """Its stdout with the line breaks undone, which depend on the length of names."""
        return ' '.join(self.out.split())

    @property
    def data(self):
        """Its stdout as strict JSON: NaN and infinities are errors."""
        return strict_json(self.out)


def strict_json(text):
    def refuse(word):
        raise ValueError(f'{word} is no JSON')
    return json.loads(text, parse_constant=refuse)


class World:
    def __init__(self):
        self.directory = os.path.realpath(tempfile.mkdtemp(prefix='worth-e2e-'))
        self.home = self.path('home')
        self.history = os.path.join(self.home, 'worth', 'history.db')
        self.mark = f'{os.getpid()}.{time.monotonic_ns()}'
        self.environment = {'PATH': os.environ['PATH'], 'HOME': self.directory, 'TZ': 'UTC',
                            'XDG_DATA_HOME': self.home, MARK: self.mark}
        # Of the caller's only what the build needs; a locale or a TERM would change the output.
        for name in ('ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LSAN_OPTIONS', 'LLVM_PROFILE_FILE'):
            if name in os.environ:
                self.environment[name] = os.environ[name]
        # Under on_server.py each world has a database of its own.
        self.store = os.environ.get('WORTH_TEST_SERVER')
        if self.store is not None:
            self.environment['WORTH_STORE'] = self.make_database(self.store)
        self.log = self.path('.log')

    @staticmethod
    def make_database(directory):
        name = f'world{os.getpid()}_{time.monotonic_ns()}'
        subprocess.run(['psql', '-X', '-q', '-d', f'postgresql://owner@/postgres?host={directory}',
                        '-c', f'CREATE DATABASE {name}'], check=True, timeout=PATIENCE_S,
                       stdin=subprocess.DEVNULL)
        return f'postgresql://owner@/{name}?host={directory}'

    def size(self):
        """Of the history in bytes; None: it is on a server."""
        return os.path.getsize(self.history) if self.store is None else None

    def elsewhere(self):
        """What in the environment makes another history of it."""
        other = {'XDG_DATA_HOME': self.path('other')}
        if self.store is not None:
            other['WORTH_STORE'] = self.make_database(self.store)
        return other

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for pid in self.left():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.directory, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.directory, *parts)

    def write(self, name, content='', mode=0o644):
        path = self.path(name)
        with open(path, 'w', encoding='utf-8') as stream:
            stream.write(content)
        os.chmod(path, mode)
        return path

    def read(self, name):
        with open(self.path(name), encoding='utf-8', errors='surrogateescape') as stream:
            return stream.read()

    def script(self, name, body):
        """An executable shell script; LOG in it is the log that logged() reads."""
        return self.write(name, f"#!/bin/sh\nLOG='{self.log}'\n{body}\n", 0o755)

    def logged(self):
        """The lines of the log, which is emptied."""
        lines = self.read('.log').splitlines() if os.path.exists(self.log) else []
        if os.path.exists(self.log):
            os.unlink(self.log)
        return lines

    def worth(self, *words, **more):
        """Run it to its end. Keywords: environment (additions), cwd, stdin, stdout, patience_s."""
        environment = dict(self.environment, **more.get('environment', {}))
        done = subprocess.run([WORTH, *words], env=environment, cwd=more.get('cwd', self.directory),
                              stdin=more.get('stdin', subprocess.DEVNULL),
                              stdout=more.get('stdout', subprocess.PIPE), stderr=subprocess.PIPE,
                              timeout=more.get('patience_s', PATIENCE_S), check=False)
        for sign in (b'runtime error: ', b'Sanitizer: '):
            if sign in done.stderr:
                raise AssertionError(f'worth {words}: {done.stderr.decode(errors="replace")}')
        return Run(words, done.returncode, (done.stdout or b'').decode('utf-8', 'surrogateescape'),
                   done.stderr.decode('utf-8', 'surrogateescape'))

    def start(self, *words, **more):
        """Start it; whoever started it waits for it."""
        return subprocess.Popen([WORTH, *words],
                                env=dict(self.environment, **more.pop('environment', {})),
                                cwd=self.directory, stdin=more.pop('stdin', subprocess.DEVNULL),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

    def measure(self, *words, **more):
        """A measurement as data: --json - is added."""
        run = self.worth('--json', '-', *words, **more)
        if not run.out:
            raise AssertionError(f'no JSON came\n{run}')
        return run.data

    def sessions(self):
        """The history's list."""
        return self.worth('history', '--limit', '0', '--json', '-').data['tables']['sessions']

    def left(self):
        """Processes of this world that live."""
        found = []
        word = f'{MARK}={self.mark}'.encode()
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                with open(f'/proc/{pid}/environ', 'rb') as stream:
                    if word in stream.read().split(b'\0'):
                        found.append(int(pid))
            except OSError:
                continue
        return found

    def commands(self):
        """The names of those processes."""
        found = set()
        for pid in self.left():
            try:
                with open(f'/proc/{pid}/comm', 'rb') as stream:
                    found.add(stream.read().strip())
            except OSError:
                continue
        return found

    def left_after(self, seconds=2):
        """The same, once those that are being killed had time to go."""
        end = time.monotonic() + seconds
        while self.left() and time.monotonic() < end:
            time.sleep(0.02)
        return self.left()


def refused(tap, run, words, name):
    """Bad input: exit status 2, one sentence on stderr that contains words, nothing else."""
    lines = run.err.splitlines()
    tap.ok(run.status == 2 and run.out == '' and len(lines) == 1 and
           lines[0].startswith('worth: ') and words in run.err, name, f'expected: {words}\n{run}')


def wait_for(condition, seconds=10):
    """Poll until condition() holds; its last value."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def labels(data):
    return [subject['label'] for subject in data['recording']['plan']['subjects']]


def orders(data, warmup=False):
    """The order in which the subjects ran, a list a round."""
    rounds = {}
    for sample in data['recording']['samples']:
        if ('warmup' in (sample.get('flags') or [])) == warmup and sample['round'] < 2 ** 30:
            rounds.setdefault(sample['round'], []).append((sample['position'], sample['subject']))
    return [[subject for _, subject in sorted(rounds[index])] for index in sorted(rounds)]


def values(data, metric, subject=None):
    """The values of a metric over the judged runs, missing ones as None."""
    recording = data['recording']
    index = [row['name'] for row in recording['metrics']].index(metric)
    return [sample['values'][index] for sample in recording['samples']
            if 'warmup' not in (sample.get('flags') or []) and
            (subject is None or sample['subject'] == subject)]


def metrics(data):
    return [row['name'] for row in data['recording']['metrics']]
