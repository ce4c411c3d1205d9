# SPDX-License-Identifier: GPL-2.0-or-later
"""[blocks] of an experiment file: sessions in one call, boots and hosts a call each.

    blocks.py WORTH

Another boot or host is one whose id or name has been changed in the history.
"""
import json
import signal
import sqlite3
import subprocess
import sys
import time

from world import Tap, World, WORTH

FILE = '''
[measure]
rounds = 10
warmup = 0
primary = steps
[variant one]
command = {one}
[variant other]
command = {other}
[blocks]
'''


def experiment(world, blocks):
    """What it measures is written by its variants, so that no clock decides a verdict."""
    one = world.script('one', 'echo "steps 20.$$ 1 lower" >&$WORTH_FD')
    other = world.script('other', 'echo "steps 30.$$ 1 lower" >&$WORTH_FD')
    return world.write('blocks.ini', FILE.format(one=one, other=other) + blocks)


def sessions(world):
    listed = world.worth('history', '--json', '-').data
    return next(iter(listed['tables'].values()))


def blocked(run):
    return run.data['tables']['blocks'][0]


def check_sessions(tap, world):
    path = experiment(world, 'sessions = 3\npause = 10ms\n')
    run = world.worth('run', path, '--json', '-')
    tap.ok(run.status == 1 and run.err.count('is measured: session') == 3,
           'three sessions are measured, and each is told', run)
    row = blocked(run)
    tap.ok((row['block'], row['blocks'], row['verdict']) == ('session', 3, 'worse') and
           row['change_low'] > 0.4, 'the answer is over the sessions', row)
    tap.same([entry['verdict'] for entry in sessions(world)], ['worse'] * 3,
             'each is in the history, with a verdict of its own')
    seeds = {entry['id']: world.worth('report', entry['id'], '--json', '-').data['recording']
             ['plan']['seed'] for entry in sessions(world)}
    tap.same(len(set(seeds.values())), 3, 'each with orders of its own')
    joined = blocked(world.worth('report', *[e['id'] for e in sessions(world)], '--json', '-'))
    tap.ok(abs(joined['change'] - row['change']) < 1e-12,
           'worth report over the same sessions says the same', (joined, row))
    unsaved = world.worth('run', '-q', '--no-save', path, '--json', '-')
    tap.ok(unsaved.status == 1 and blocked(unsaved)['blocks'] == 3 and
           len(sessions(world)) == 3, 'without a history the sessions are blocks too', unsaved)


def check_interrupt(tap, world):
    path = experiment(world, 'sessions = 3\npause = 1h\n')
    process = subprocess.Popen([WORTH, 'run', path], env=world.environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    line = process.stderr.readline()
    while line and 'is measured' not in line:
        line = process.stderr.readline()
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    tap.ok(process.returncode == 130 and 'other' in out and time.monotonic() - begun < 20,
           'an interrupt ends the pause, and what was measured is told', (out, err))


def change(world, fact, column, value):
    """The newest session was measured elsewhere."""
    base = sqlite3.connect(world.history)
    number, text = base.execute('SELECT number, environment_before FROM session '
                                'ORDER BY number DESC LIMIT 1').fetchone()
    before = json.loads(text)
    facts = before['facts']
    if isinstance(facts, dict):
        facts[fact] = value
    else:
        next(entry for entry in facts if entry['key'] == fact)['value'] = value
    base.execute('UPDATE session SET environment_before = ? WHERE number = ?',
                 (json.dumps(before), number))
    if column is not None:
        base.execute(f'UPDATE session SET {column} = ? WHERE number = ?', (value, number))
    base.commit()
    base.close()


def check_places(tap, world, key, fact, column, next_step):
    path = experiment(world, f'{key} = 3\n')
    first = world.worth('run', '-q', path)
    tap.ok(first.status == 1 and next_step in first.err, f'{key}: the first, and what is next',
           first)
    again = world.worth('run', '-q', path, '--json', '-')
    tap.ok('has its session already' in again.err and 'blocks' not in again.data['tables'],
           f'{key}: the same place never counts twice', again)
    change(world, fact, column, 'elsewhere-1')
    second = world.worth('run', '-q', path, '--json', '-')
    tap.ok(blocked(second)['blocks'] == 2 and blocked(second)['verdict'] == 'undecided',
           f'{key}: two decide nothing', second)
    change(world, fact, column, 'elsewhere-2')
    third = world.worth('run', '-q', path, '--json', '-')
    tap.ok(third.status == 1 and blocked(third)['blocks'] == 3 and next_step not in third.err,
           f'{key}: three do', third)
    count = len(sessions(world))
    change(world, fact, column, 'elsewhere-3')
    done = world.worth('run', '-q', path, '--json', '-')
    tap.ok(blocked(done)['blocks'] == 3 and len(sessions(world)) == count,
           f'{key}: where all are there, nothing is measured', done)
    unsaved = world.worth('run', '-q', '--no-save', path)
    tap.ok(unsaved.status == 2 and 'leave out --no-save' in unsaved.err,
           f'{key} need the history', unsaved)


def check_words(tap, world):
    for blocks, sentence in (('sessions = 1\n', '2 to 100'), ('sessions = many\n', "not 'many'"),
                             ('sessions = 3\nreboots = 3\n', 'choose one'),
                             ('reboots = 3\npause = 1s\n', 'a pause is between sessions'),
                             ('sessions = 3\npause = soon\n', 'pause'), ('', 'needs one of'),
                             ('session = 3\n', "did you mean 'sessions'"),
                             ('rebuilds = 3\n', 'no revision and build'),
                             ('relinks = 3\n', 'no revision and build')):
        run = world.worth('run', '--check', experiment(world, blocks))
        tap.ok(run.status == 2 and sentence in run.err, f'[blocks] {blocks.strip()!r} is refused',
               run)


def main():
    tap = Tap()
    with World() as world:
        check_sessions(tap, world)
        check_interrupt(tap, world)
    with World() as world:
        check_places(tap, world, 'reboots', 'boot', None, 'reboot, and run the same again')
    with World() as world:
        check_places(tap, world, 'hosts', 'host', 'host', 'on another host')
        check_words(tap, world)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
