# SPDX-License-Identifier: GPL-2.0-or-later
"""SIGINT, SIGTERM and SIGHUP at any moment; SIGKILL in the middle, and the session is finished
afterwards.

    interrupts.py WORTH
"""
import os
import random
import signal
import sys
import time

from world import FEW, Tap, World, orders, strict_json, wait_for

tap = Tap()
ATTEMPTS = 36
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def one_moment(world, number, delay_s, to_group):
    """A signal after delay_s; what is wrong with the outcome, or ''."""
    say = world.path('say')
    before = len(world.sessions()) if os.path.exists(world.history) else 0
    child = world.start('-q', '-r', '1000', '-w', '1', '--no-peek', '--setup', f'{say} setup',
                        '--prepare', f'{say} prepare', '--conclude', f'{say} conclude',
                        '--cleanup', f'{say} cleanup', world.path('stray'), 'sleep 0.003',
                        start_new_session=True)
    time.sleep(delay_s)
    (os.killpg if to_group else os.kill)(child.pid, number)
    out, err = child.communicate(timeout=30)
    lines = world.logged()
    saved = world.sessions() if os.path.exists(world.history) else []
    wrong = []
    # Before it watches for signals nothing has begun, and it dies of the signal itself.
    if child.returncode != 128 + number and not (child.returncode == -number and not lines):
        wrong.append(f'status {child.returncode}')
    if world.left_after():
        wrong.append(f'left: {world.commands()}')
    # A hook that the signal ended has not written its line; what was begun is ended.
    if 'setup' in lines and lines.count('cleanup') != 1 or \
            lines.count('prepare') > lines.count('conclude'):
        wrong.append(f'hooks {lines[-4:]}')
    if len(saved) > before and saved[0]['rounds'] > 0 and b'round' not in out:
        wrong.append('no answer')
    if len(saved) > before:
        if saved[0]['ending'] != 'interrupted':
            wrong.append(saved[0]['ending'])
        run = world.worth('report', 'last', '--json', '-')
        if run.status != 0 or strict_json(run.out)['rounds_done'] != saved[0]['rounds']:
            wrong.append('the history does not have it')
    if wrong:
        wrong.append(f'{number.name} after {delay_s:.4f} s\n{out.decode()}\n{err.decode()}')
    return '; '.join(wrong)


def any_moment(world):
    # Hooks take signals as they come: a group's signal does not reach them.
    world.script('say', 'echo "$*" >>"$LOG"')
    world.script('stray', 'sleep 60 & setsid sleep 60 & exit 0')
    draw = random.Random(4711)
    for number in SIGNALS:
        for to_group in (False, True):
            wrong = [text for text in
                     (one_moment(world, number, draw.random() ** 2 * 0.25, to_group)
                      for _ in range(ATTEMPTS // 6)) if text]
            tap.ok(not wrong, f'{number.name} to {"its group" if to_group else "worth"} at any moment',
                   '\n'.join(wrong))


def kept(world):
    """What was measured is judged, saved, and marked incomplete."""
    old = world.write('old.json', 'precious')
    child = world.start('-q', '-r', '500', '-w', '0', '--no-peek', '-o', old, 'sleep 0.005', 'sleep 0.005')
    wait_for(lambda: os.path.exists(world.history))
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    out = ' '.join(out.decode().split())
    tap.ok(child.returncode == 130 and 'stopped by hand' in out and '--resume' in out,
           'the answer says that it was stopped', (child.returncode, out, err))
    row = world.sessions()[0]
    tap.ok(row['ending'] == 'interrupted' and row['rounds'] > 3, 'what was measured is saved', row)
    tap.ok(strict_json(world.read('old.json'))['rounds_done'] == row['rounds'],
           'and written where it was asked for')
    world.write('old.json', 'precious')
    child = world.start('-q', '-w', '0', '-o', old, 'sleep 30')
    wait_for(lambda: b'sleep' in world.commands())
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=30)
    tap.same((child.returncode, world.read('old.json')), (130, 'precious'),
             'with no round complete an older file stays')
    stubborn = world.script('stubborn', "trap '' INT TERM HUP; while :; do sleep 0.05; done")
    child = world.start(*FEW, stubborn)
    wait_for(lambda: b'sleep' in world.commands())
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=30)
    tap.ok(child.returncode == 143 and world.left_after() == [],
           'a command that ignores SIGTERM does not hold it up', child.returncode)
    child = world.start(*FEW, '--cleanup', 'sleep 0.3', 'sleep 30')
    wait_for(lambda: b'sleep' in world.commands())
    for _ in range(5):
        child.send_signal(signal.SIGINT)
        time.sleep(0.05)
    child.communicate(timeout=30)
    tap.ok(child.returncode == 130 and world.left_after() == [], 'five times Ctrl-C',
           child.returncode)


def killed(world):
    """kill -9, several times; the rest is measured as if nothing had been."""
    rounds, seed = 24, '77'
    run = world.script('run', 'echo "$1" >>"$LOG"; sleep 0.004')
    words = ('-q', '-r', str(rounds), '-w', '0', '--no-peek', '--seed', seed, f'{run} 0', f'{run} 1')
    plan = world.worth('--dry-run', '--json', '-', *words).data
    expected = [[int(word) - 1 for word in row['order'].split()] for row in plan['tables']['order']]
    world.logged()
    before = len(world.sessions())
    child = world.start(*words)
    killings, done = 0, 0
    draw = random.Random(7)
    while child is not None:
        # A few more rounds, then at any moment.
        wait_for(lambda: os.path.exists(world.log) and
                 len(world.read('.log').splitlines()) >= 8, 5)
        time.sleep(draw.random() * 0.02)
        child.kill()
        child.communicate()
        killings += 1
        left = world.left_after(5)
        tap.ok(left == [], f'killed the {killings}. time: no process is left', left)
        ran = len(world.logged())
        row = world.sessions()[0]
        tap.ok(row['ending'] == 'broken off' and row['rounds'] >= done + ran // 2 - 1 and
               row['rounds'] <= done + ran // 2, 'at most the round under way is lost',
               f'{row}, {ran} runs after {done} rounds')
        done = row['rounds']
        child = world.start('-q', '--resume', 'last') if killings < 3 and done < rounds - 6 else None
    data = world.measure('-q', '--resume', 'last')
    tap.same(orders(data), expected, '--resume: the schedule of an uninterrupted session')
    tap.same((data['end'], data['rounds_done'], len(world.sessions())),
             ('complete', rounds, before + 1), 'and it ends as one session')
    world.logged()


def twice(world):
    child = world.start('-q', '-r', '50', '-w', '0', 'sleep 0.05')
    wait_for(lambda: b'sleep' in world.commands() and world.sessions()[0]['ending'] == 'running')
    name = world.sessions()[0]['id']
    run = world.worth('--resume', name)
    tap.ok(run.status == 2 and str(child.pid) in run.err,
           'a session that is being measured is not resumed', run)
    run = world.worth('report', name)
    tap.ok(run.status == 0, 'but it can be looked at', run)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=30)
    changing = world.script('changing', 'exit 0')
    child = world.start('-q', '-r', '500', '-w', '0', '--no-peek', changing, 'sleep 0.01')
    wait_for(lambda: world.sessions()[0]['rounds'] > 2)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=30)
    world.script('changing', 'exit 0 # rebuilt')
    run = world.worth('-q', '--resume', 'last')
    tap.ok(run.status == 2 and 'changing' in run.err,
           'nor one whose program has changed since', run)


def cut_short(world):
    """What SQLite shares of the history is memory; cut, it is none any more."""
    process = world.start('-q', '-r', '200', '-w', '0', '--no-peek', 'sleep 0.03', 'sleep 0.03')
    shared = world.history + '-shm'
    end = time.monotonic() + 30
    while not os.path.exists(shared) and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(1.2)
    os.truncate(shared, 0)
    _, err = process.communicate(timeout=60)
    tap.ok(process.returncode >= 0 and (process.returncode != 2 or b'cut a file short' in err),
           'a history that is cut in the middle ends worth with a sentence at the most',
           (process.returncode, err))
    listed = world.worth('history')
    tap.ok(listed.status == 0 and 'sleep 0.03' in listed.out, 'and what was saved is there', listed)
    tap.same(world.left_after(), [], 'nothing is left running')


with World() as one:
    for test in (any_moment, kept, killed, twice, cut_short):
        tap.run(test.__name__, test, one)
        one.logged()
sys.exit(tap.finish())
