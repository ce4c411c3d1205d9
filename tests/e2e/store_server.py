# SPDX-License-Identifier: GPL-2.0-or-later
"""A history on a PostgreSQL server: where passwords go, servers that go away, newer tables, two who
write at once, users who may only read, and what inserting costs. What both kinds of history have in
common is tested by the scripts that run under on_server.py.

    store_server.py WORTH FILL_HISTORY
"""
import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time

from server import Server, missing
from world import FEW, WORTH, Tap, World

FILL = os.path.abspath(sys.argv[2])
SECRET = 'Tr0ub4dor-and-3'


def listed(world, *words, **more):
    run = world.worth('history', '--json', '-', *words, **more)
    return run, run.data['tables']['sessions'] if run.status == 0 else []


def refused(tap, run, said, name):
    tap.ok(run.status == 2 and said in run.err and run.err.count('\n') == 1 and
           SECRET not in run.err + run.out, name, run)


def everything_kept(world):
    """Every byte of every file in the user's world except the password file."""
    kept = b''
    for folder, _, names in os.walk(world.directory):
        for name in names:
            if name not in ('.pgpass', 'services'):
                with open(os.path.join(folder, name), 'rb') as stream:
                    kept += stream.read()
    return kept


def test_option(tap, world, server):
    address = server.address()
    run = world.worth(*FEW, '--store', address, 'true', 'true')
    tap.ok(run.status == 0 and run.err == '', 'a session is measured', run)
    run, sessions = listed(world, '--store', address)
    tap.ok(len(sessions) == 1 and sessions[0]['rounds'] == 2, 'and is on the server', run)
    tap.ok(not os.path.exists(world.history), 'and not in the own history')
    tap.ok(world.worth('report', 'last', '--store', address).status == 0, 'its report is shown')
    run = world.worth('history', 'export', '--store', address)
    tap.ok(len(run.out.splitlines()) == 1, 'it is exported', run)
    run = world.worth('history', 'import', '-', stdin=open(world.write('all', run.out), 'rb'))
    tap.ok('added 1 sessions' in run.out and os.path.exists(world.history),
           'and taken into a file', run)
    path = world.path('elsewhere.db')
    run = world.worth(*FEW, '--store', path, 'true', 'true')
    tap.ok(run.status == 0 and os.path.exists(path), '--store names a file too', run)
    tap.ok(server.psql(address_name(address), "SELECT count(*) FROM worth.run").stdout == '4\n',
           'its runs are rows')


def address_name(address):
    return re.search(r'/([a-z0-9_]+)\?', address).group(1)


def test_bad_addresses(tap, world, server):
    good = server.address()
    at = good.replace('owner@', f'owner:{SECRET}@')
    for word in (at, good + f'&password={SECRET}', good + f'&sslpassword={SECRET}'):
        refused(tap, world.worth('history', '--store', word), 'has a password in it',
                'a password in the address is refused')
        refused(tap, world.worth(*FEW, '--store', word, 'true', 'true'), 'has a password in it',
                'by measuring too')
        refused(tap, world.worth('history', environment={'WORTH_STORE': word}),
                'has a password in it', 'and by the variable')
    refused(tap, world.worth('history', '--store', good,
                             environment={'PGPASSWORD': SECRET}), 'PGPASSWORD',
            'a password in the environment is refused')
    refused(tap, world.worth('history', '--store', f'postgresql://[{SECRET}'), 'not one that',
            'what is no address is not repeated')
    refused(tap, world.worth('history', '--store', good + '&options=\x1b[2J'), 'not one that',
            'nor what would steer the terminal')
    name = address_name(good)
    server.psql(name, 'CREATE SCHEMA worth; CREATE TABLE worth.session (number int)')
    refused(tap, world.worth('history', '--store', good), 'no other program may use',
            "another program's tables")
    tap.ok(server.psql(name, 'SELECT count(*) FROM worth.session').stdout == '0\n',
           'which stay as they are')
    refused(tap, world.worth('history', '--store', good.replace('?', '_no?')), 'does not exist',
            'a database that does not exist')
    refused(tap, world.worth(*FEW, '--store', 'mysql://x/y', 'true', 'true'), 'no other address',
            'an address of another kind is no file')
    refused(tap, world.worth('history', '--store', 'postgresql:///x?host=/nowhere'),
            'cannot reach the history', 'a server that does not exist')
    latin = 'latin'
    server.psql('postgres', f"CREATE DATABASE {latin} ENCODING 'LATIN1' TEMPLATE template0")
    refused(tap, world.worth('history', '--store', server.address_of(latin)), '--encoding UTF8',
            'a database that cannot hold every text')


def test_password(tap, world, server):
    address = server.address(user='member')
    name = address_name(address)
    server.psql(name, f"CREATE ROLE member LOGIN PASSWORD '{SECRET}'; "
                f"GRANT CREATE ON DATABASE {name} TO member")
    refused(tap, world.worth('history', '--store', address), 'no password supplied',
            'a password is asked of nobody')
    world.write('.pgpass', f'*:*:{name}:member:{SECRET}\n', 0o600)
    seen = world.script('spy', "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ >> \"$LOG\" 2>&1; :")
    run = world.worth(*FEW, '--store', address, seen, seen)
    tap.ok(run.status == 0 and run.err == '', 'pgpass gives it', run)
    tap.ok(os.path.getsize(world.log) > 0 and SECRET.encode() not in everything_kept(world),
           'no command sees it, no file has it')
    run = world.worth('history', 'export', '--store', address)
    tap.ok(len(run.out) > 1000 and SECRET not in run.out, 'nor the recording')
    os.unlink(world.path('.pgpass'))
    services = world.write('services', f'[team]\nhost={server.directory}\nuser=member\n'
                           f'dbname={name}\npassword={SECRET}\n', 0o600)
    run = world.worth('history', '--store', 'postgresql://?service=team',
                      environment={'PGSERVICEFILE': services})
    tap.ok(run.status == 0 and 'spy' in run.out, 'a service file gives it', run)
    world.write('.pgpass', f'*:*:{name}:member:{SECRET[1:]}\n', 0o600)
    run = world.worth('history', '--store', address)
    tap.ok(run.status == 2 and 'authentication failed' in run.err and SECRET[1:] not in run.err,
           'a wrong one is said and not shown', run)
    os.unlink(world.path('.pgpass'))


def test_going_away(tap, world, server):
    address = server.address()
    stop = world.path('stop')
    os.mkfifo(stop)
    gone = world.path('gone')
    os.mkfifo(gone)
    body = f'[ -e "$LOG" ] || {{ echo once > "$LOG"; echo > "{stop}"; cat "{gone}"; }}'
    program = world.script('waits', body)
    measuring = world.start(*FEW, '--store', address, program, 'true')
    with open(stop, encoding='ascii') as stream:
        stream.read()
    server.stop()
    with open(gone, 'w', encoding='ascii') as stream:
        stream.write('\n')
    out, err = measuring.communicate(timeout=60)
    tap.ok(measuring.returncode == 0 and 'is kept in' in err.decode() and
           err.count(b'\n') == 1 and b'Round' in out or b'round' in out,
           'a server that goes away in the middle costs a sentence',
           out.decode() + err.decode())
    run = world.worth(*FEW, '--store', address, 'true', 'true')
    tap.ok(run.status == 0 and 'cannot reach' in run.err and 'are kept in' in run.err,
           'one that is away too', run)
    refused(tap, world.worth('history', '--store', address), 'cannot reach',
            'its list cannot be shown')
    server.start()
    run, sessions = listed(world, '--store', address)
    tap.ok(len(sessions) == 2 and all(one['rounds'] == 2 for one in sessions) and run.err == '',
           'both are sent when it is back', run)
    name = address_name(address)
    tap.ok(server.psql(name, 'SELECT count(*) FROM worth.session').stdout == '2\n' and
           server.psql(name, 'SELECT count(*) FROM worth.run').stdout == '8\n',
           'with every run, once')
    tap.ok(all(one['verdict'] for one in sessions), 'and their verdicts', run)


def test_hanging(tap, world, server):
    """Every process of the server is stopped while it has a connection, and once before."""
    address = server.address() + '&tcp_user_timeout=700&connect_timeout=2'
    world.worth(*FEW, '--store', address, 'true', 'true')
    stopper = world.script('stop', f'kill -STOP {server.process.pid} '
                           f'$(cat /proc/{server.process.pid}/task/*/children)')
    started = time.monotonic()
    run = world.worth('-q', '-r', '1', '-w', '0', '--store', address, stopper, 'true')
    waited = time.monotonic() - started
    again = world.worth(*FEW, '--store', address, 'true', 'true')
    for pid in server.pids():
        os.kill(pid, signal.SIGCONT)
    tap.ok(run.status == 0 and 'is kept in' in run.err and
           waited < 20, 'a server that does not answer is not waited for', (waited, run))
    tap.ok(again.status == 0 and 'are kept in' in again.err, 'nor when it is connected to', again)
    run, sessions = listed(world, '--store', address)
    tap.ok(len(sessions) == 3 and run.err == '', 'and gets it all later', run)


def test_without_library(tap, world, server):
    """libpq is loaded when it is needed: where it is not there, only that is refused."""
    found = subprocess.run(['ldconfig', '-p'], capture_output=True, text=True, check=False,
                           env={'PATH': '/usr/sbin:/sbin:/usr/bin:/bin'}).stdout
    library = next((line.split()[-1] for line in found.splitlines() if 'libpq.so.5' in line), None)
    hide = ['unshare', '-m', 'sh', '-c', f'mount --bind /dev/null {library} && exec "$@"', 'sh', WORTH]
    if library is None or subprocess.run(hide + ['--version'], capture_output=True,
                                         check=False).returncode != 0:
        tap.skip('without libpq', 'this user may not hide a file')
        return

    def hidden(*words):
        return subprocess.run(hide + list(words), env=world.environment, capture_output=True,
                              text=True, check=False)
    run = hidden('history', '--store', server.address())
    tap.ok(run.returncode == 2 and 'apt install libpq5' in run.stderr, 'without libpq: a sentence',
           run.stderr)
    tap.ok(hidden(*FEW, 'true', 'true').returncode == 0, 'and all else works')


def test_versions(tap, world, server):
    address = server.address()
    name = address_name(address)
    world.worth(*FEW, '--store', address, 'true', 'true')
    own = server.psql(name, 'SELECT version FROM worth.version').stdout.strip()
    server.psql(name, 'UPDATE worth.version SET version = 99')
    before = server.psql(name, 'SELECT count(*) FROM worth.session').stdout
    refused(tap, world.worth('history', '--store', address), 'newer worth',
            'tables of a newer worth are not read')
    run = world.worth(*FEW, '--store', address, 'true', 'true')
    tap.ok('newer worth' in run.err and before ==
           server.psql(name, 'SELECT count(*) FROM worth.session').stdout,
           'and not written', run)
    server.psql(name, f'UPDATE worth.version SET version = {own}')
    tap.ok(len(listed(world, '--store', address)[1]) == 2, 'what was measured meanwhile is sent')
    server.psql(name, 'ALTER TABLE worth.session DROP COLUMN attribution')
    server.psql(name, 'UPDATE worth.version SET version = 1')
    run = world.worth('report', 'last', '--store', address)
    tap.ok(run.status == 0 and
           server.psql(name, 'SELECT version FROM worth.version').stdout.strip() == own,
           'tables of an older worth are brought up to date', run)


def test_readers(tap, world, server):
    address = server.address()
    name = address_name(address)
    world.worth(*FEW, '--store', address, 'true', 'true')
    server.psql(name, 'CREATE ROLE reader LOGIN; CREATE ROLE stranger LOGIN; '
                'GRANT USAGE ON SCHEMA worth TO reader; '
                'GRANT SELECT ON ALL TABLES IN SCHEMA worth TO reader')
    run, sessions = listed(world, '--store', server.address_of(name, 'reader'))
    tap.ok(len(sessions) == 1, 'who may only read sees the list', run)
    run = world.worth('history', 'delete', 'last', '--store', server.address_of(name, 'reader'))
    refused(tap, run, 'grant', 'and deletes nothing')
    refused(tap, world.worth('history', '--store', server.address_of(name, 'stranger')), 'grant',
            'who may nothing is told what to ask for')


def test_two_at_once(tap, world, server):
    address = server.address()
    words = [FILL, address, 'complete']
    environment = dict(world.environment)
    started = []
    for number in range(8):
        environment['XDG_DATA_HOME'] = world.path(f'user{number % 4}')
        started.append(subprocess.Popen(words, env=dict(environment), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True))
    failed = []
    for one in started:
        _, err = one.communicate(timeout=60)
        if one.returncode != 0 or err:
            failed.append((one.returncode, err))
    tap.ok(failed == [], 'eight write at once, two to an outbox, where there are no tables yet', failed)
    for number in range(4):
        world.worth('history', '--store', address,
                    environment={'XDG_DATA_HOME': world.path(f'user{number}')})
    run, sessions = listed(world, '--store', address)
    tap.ok(len({one['id'] for one in sessions}) == len(sessions) == 8 and
           all(one['rounds'] == 20 and one['verdict'] == 'slower' for one in sessions),
           'and each session is there with its verdict', (failed, run))


def outboxes_of(world):
    folder = os.path.join(world.home, 'worth')
    return [os.path.join(folder, path) for path in os.listdir(folder)
            if re.fullmatch(r'outbox-[0-9a-f]+\.db', path)]


def test_verdict_on_the_way(tap, world, server):
    """A verdict that is written between the sending and the deletion of its session."""
    address = server.address()
    name = address_name(address)
    world.worth('history', '--store', address)
    subprocess.run([FILL, address, 'killed'], env=world.environment, check=True,
                   capture_output=True, timeout=60)
    blocker = subprocess.Popen(['psql', '-X', '-q', '-d', server.address_of(name)], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    blocker.stdin.write('BEGIN; LOCK TABLE worth.session IN SHARE MODE;\n\\echo locked\n')
    blocker.stdin.flush()
    blocker.stdout.readline()
    sender = subprocess.Popen([WORTH, 'history', '--store', address], text=True,
                              env=world.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    waits = "SELECT count(*) FROM pg_locks WHERE relation = 'worth.session'::regclass AND NOT granted"
    while server.psql(name, waits).stdout == '0\n' and sender.poll() is None:
        time.sleep(0.02)
    for path in outboxes_of(world):
        with contextlib.closing(sqlite3.connect(path)) as outbox, outbox:
            outbox.execute("UPDATE session SET verdict = 'larger'")
    blocker.communicate('COMMIT;\n', timeout=60)
    out, err = sender.communicate(timeout=60)
    run, sessions = listed(world, '--store', address)
    tap.ok([one['verdict'] for one in sessions] == ['larger'] and
           server.psql(name, 'SELECT verdict FROM worth.session').stdout == 'larger\n',
           'goes with it', (out, err, run))


def test_identity(tap, world, server):
    """The answer to a commit was lost; an id that another has."""
    address = server.address()
    name = address_name(address)
    world.worth(*FEW, '--store', address, 'true', 'true')
    line = world.worth('history', 'export', '--store', address).out
    world.write('one', line)
    outboxes = outboxes_of(world)
    for path in outboxes:
        world.worth('history', 'import', '--store', path, world.path('one'))
    run, sessions = listed(world, '--store', address)
    tap.ok(len(sessions) == 1 and
           server.psql(name, 'SELECT count(*) FROM worth.run').stdout == '4\n',
           'a session that was sent before is there once', run)
    other = json.loads(line)
    other['recording']['before']['taken_at_s'] += 1000
    world.write('one', json.dumps(other) + '\n')
    for path in outboxes:
        world.worth('history', 'import', '--store', path, world.path('one'))
    run, sessions = listed(world, '--store', address)
    tap.ok(len({one['id'] for one in sessions}) == 2 and 'other was taken' in run.err,
           'another session of its id gets another', run)


def test_cost(tap, world, server):
    """Under 1 ms a run, on any machine that runs the tests."""
    address = server.address()
    world.worth(*FEW, '--store', address, 'true', 'true')
    model = json.loads(world.worth('history', 'export', '--store', address).out)
    sample = model['recording']['samples'][-1]
    runs = 20000
    model['recording']['samples'] = [dict(sample, round=number // 2, subject=number % 2,
                                          position=number % 2) for number in range(runs)]
    model['recording']['id'] = 'zzzzzz'
    path = world.write('many', json.dumps(model) + '\n')
    started = time.monotonic()
    run = world.worth('history', 'import', path, '--store', address)
    each_ms = (time.monotonic() - started) * 1000 / runs
    tap.ok('added 1 sessions' in run.out and each_ms < 1,
           f'{runs} runs go to the server at {each_ms:.3f} ms each', run)


def main():
    tap = Tap()
    reason = missing()
    if reason is not None:
        tap.skip('a history on a server', reason)
        return tap.finish()
    with Server(secret=SECRET) as server:
        for test in (test_option, test_bad_addresses, test_password, test_going_away, test_hanging,
                     test_without_library, test_versions, test_readers, test_two_at_once,
                     test_verdict_on_the_way, test_identity, test_cost):
            with World() as world:
                tap.run(test.__name__, test, tap, world, server)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
