# SPDX-License-Identifier: GPL-2.0-or-later
"""Real time: a known difference of 5% is found, and none is found where there is none.

    real.py WORTH WORK

Policy, since the machine may be busy: a known difference must be found with the right sign in one
of three sessions, and must never be found with the wrong one; the same program on both sides may
be called different by more than 2% in one session of three, not in two (each may err once in 20,
but then by less). CPU time is the judge, because it contains little of what others do. Simulated instruction counts do not depend on
the machine, so one session must do.
"""
import os
import shutil
import sys
from statistics import median

from world import Tap, World, metrics, values

tap = Tap()
WORK = os.path.abspath(sys.argv[2])
STEPS = 6000000
SESSIONS = ('-q', '-w', '1', '-r', '40', '-b', '8s', '--primary', 'cpu')


def verdicts(world, count, candidate):
    found = []
    while len(found) < 3 and (not found or found[-1] not in ('better', 'worse')):
        data = world.measure(*SESSIONS, f'{WORK} {STEPS}', f'{WORK} {count}')
        found.append(data['verdict'])
        tap.note(f"{candidate}: {data['verdict']} after {data['rounds_done']} rounds")
    return found


def five_per_cent(world):
    more = verdicts(world, STEPS * 105 // 100, '5% more work')
    tap.ok('worse' in more and 'better' not in more, '5% more work is found', more)
    data = world.worth('report', 'last', '--json', '-').data
    row = data['tables']['comparisons'][0]
    tap.ok(row['change_low'] < 0.05 < row['change_high'] or 0.02 < row['change'] < 0.1,
           'and is about 5%', row)
    less = verdicts(world, STEPS * 95 // 100, '5% less work')
    tap.ok('better' in less and 'worse' not in less, '5% less work is found', less)


def alarm(world):
    """The change that a session claims between a program and itself; 0 if none or below 2%."""
    data = world.measure(*SESSIONS, f'{WORK} {STEPS}', f'{WORK} {STEPS}')
    row = next(row for row in data['tables']['comparisons'] if row['metric'] == 'cpu')
    claimed = row['verdict'] in ('better', 'worse') and abs(row['change']) > 0.02
    return row['change'] if claimed else 0


def nothing(world):
    alarms = [alarm(world), alarm(world)]
    if any(alarms):
        alarms.append(alarm(world))
    tap.ok(sum(map(bool, alarms)) <= 1, 'the same program is no different', alarms)


def simulated(world):
    if not shutil.which('valgrind'):
        tap.skip('simulated instructions', 'no valgrind')
        return
    words = ('-q', '-r', '2', '-w', '0', '--simulate')
    data = world.measure(*words, f'{WORK} {STEPS // 10}', f'{WORK} {STEPS * 105 // 1000}')
    recording = data['recording']
    names = [row['name'] for row in recording['metrics'] if row['source'] == 'simulated']
    name = next(name for name in names if 'instructions' in name)
    index = metrics(data).index(name)
    counts = [[sample['values'][index] for sample in recording['samples']
               if sample['subject'] == subject and sample['values'][index] is not None]
              for subject in (0, 1)]
    tap.ok(all(len(side) == 2 for side in counts) and
           abs(counts[1][0] / counts[0][0] - 1.05) < 0.01, '5% more simulated instructions', counts)
    row = next(row for row in data['tables']['comparisons'] if row['metric'] == name)
    tap.ok(row['verdict'] == 'worse' and len(names) >= 3, 'and cache misses beside them', row)


def short_runs(world):
    """A program of a fraction of a millisecond: nothing subtracted, nothing clamped."""
    data = world.measure('-q', '-w', '1', '-r', '200', '--no-peek', '-b', '20s', 'true')
    walls = values(data, 'wall')
    tap.ok(len(walls) == 200 and min(walls) > 5e-5, 'no wall time is near 0', min(walls))
    plain = sorted(walls)[100]
    shell = world.measure('-q', '-w', '1', '-r', '100', '--no-peek', '--shell', '/bin/true')
    tap.ok(sorted(values(shell, 'wall'))[50] > 0.7 * plain, "a shell's time is not subtracted",
           (plain, sorted(values(shell, 'wall'))[50]))


def parallel(world):
    both = world.script('both', f'{WORK} {STEPS * 5} & {WORK} {STEPS * 5} & wait')
    for _ in range(3):
        data = world.measure('-q', '-w', '0', '-r', '4', both)
        run = world.worth('report', 'last')
        ratio = median(values(data, 'cpu')) / median(values(data, 'wall'))
        if ratio > 1.2:
            break
    if ratio > 1.2:
        tap.ok('keeps several processors busy' in run.told, 'more CPU time than wall time', run)
    else:
        tap.skip('more CPU time than wall time', f'both at once had {ratio:.2f} of a processor')
    run = world.worth('-q', '-w', '0', '-r', '3', 'sleep 0.02')
    tap.ok('most of a run is waiting' in run.told, 'more wall time than CPU time', run)


def two_groups(world):
    make = world.script('make', 'echo >>"$LOG"; [ $(($(wc -l <"$LOG") % 4)) != 0 ] || sleep 0.1')
    run = world.worth('-q', '-w', '0', '-r', '24', '--no-peek', make)
    tap.ok('two groups' in run.told or 'far from the typical' in run.told,
           'runs of two lengths are told', run)
    world.logged()


def a_fat_caller(world):
    """Peak memory is that of the command, however much its caller and its caller's caller hold."""
    ballast = bytearray(400 << 20)
    ballast[::4096] = b'x' * len(ballast[::4096])
    fat = max(values(world.measure('-q', '-w', '0', '-r', '5', 'true'), 'max rss'))
    del ballast
    slim = max(values(world.measure('-q', '-w', '0', '-r', '5', 'true'), 'max rss'))
    tap.ok(fat < 4 << 20 and abs(fat - slim) < 1 << 20, 'peak memory of true', (fat, slim))


with World() as one:
    for test in (five_per_cent, nothing, simulated, short_runs, parallel, two_groups, a_fat_caller):
        tap.run(test.__name__, test, one)
sys.exit(tap.finish())
