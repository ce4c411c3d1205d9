# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands around the runs: --setup, --prepare, --conclude, --cleanup.

    hooks.py WORTH
"""
import sys

from world import FEW, Tap, World, refused

tap = Tap()


def the_order(world):
    say = world.script('say', 'echo "$*" >>"$LOG"')
    hooks = [word for hook in ('setup', 'prepare', 'conclude', 'cleanup')
             for word in (f'--{hook}', f'{say} {hook}')]
    run = world.worth('-q', '-r', '2', '-w', '1', *hooks, f'{say} run', f'{say} run')
    around = ['prepare', 'run', 'conclude']
    tap.ok(run.status == 0, 'hooks', run)
    tap.same(world.logged(), ['setup'] + 6 * around + ['cleanup'],
             'setup once, prepare and conclude around each run, cleanup once')
    world.worth(*FEW, '-r', '3', '--prepare', f'{say} P1', '--prepare', f'{say} P2',
                '--conclude', f'{say} C', f'{say} R1', f'{say} R2')
    lines = world.logged()
    tap.same(sorted(tuple(lines[i:i + 3]) for i in range(0, len(lines), 3)),
             [('P1', 'R1', 'C')] * 3 + [('P2', 'R2', 'C')] * 3, 'a hook for each command')
    refused(tap, world.worth(*FEW, '--prepare', 'true', '--prepare', 'true', 'true'),
            '--prepare is given 2 times for 1 command', 'more hooks than commands')
    world.worth(*FEW, '-r', '1', '--prepare', f'for i in 1 2; do {say} $i; done | cat', 'true')
    tap.same(world.logged(), ['1', '2'], 'hooks are shell commands')


def failing(world):
    say = world.script('say', 'echo "$*" >>"$LOG"')
    run = world.worth(*FEW, '--setup', 'echo oh dear >&2; exit 5', '--cleanup', f'{say} cleanup',
                      f'{say} run')
    tap.ok(run.status == 2 and '--setup' in run.err and 'exit status 5' in run.err and
           'oh dear' in run.err and run.out == '', 'a failing setup is its own error', run)
    tap.same(world.logged(), ['cleanup'], 'nothing is run, and it is cleaned up')
    run = world.worth(*FEW, '--prepare', 'echo dry; exit 6', '--conclude', f'{say} conclude',
                      '--cleanup', f'{say} cleanup', f'{say} run')
    tap.ok(run.status == 2 and '--prepare' in run.err and 'exit status 6' in run.err and
           'dry' in run.err, 'a failing prepare', run)
    tap.same(world.logged(), ['conclude', 'cleanup'], 'its command is not run')
    run = world.worth('-q', '-r', '3', '-w', '0', '--conclude', 'kill -9 $$', f'{say} run')
    tap.ok(run.status == 2 and '--conclude' in run.err and 'signal 9' in run.err,
           'a conclude that is killed', run)
    tap.same(world.logged(), ['run'], 'ends the session')
    run = world.worth(*FEW, '--cleanup', 'exit 8', f'{say} run', f'{say} run')
    tap.ok(run.status == 2 and '--cleanup' in run.err and 'exit status 8' in run.err and
           '2 rounds' in run.told, 'a failing cleanup, after the answer', run)
    world.logged()
    run = world.worth(*FEW, '--cleanup', f'{say} cleanup', 'false')
    tap.ok(run.status == 2 and 'exit status 1' in run.err, 'a failing run', run)
    tap.same(world.logged(), ['cleanup'], 'is cleaned up after')
    run = world.worth(*FEW, '--setup', 'exec nosuchprogram', 'true')
    tap.ok(run.status == 2 and '--setup' in run.err and '127' in run.err, 'no such hook', run)
    run = world.worth(*FEW, '--ignore-failure', '--prepare', 'false', 'true')
    tap.ok(run.status == 2 and '--prepare' in run.err, '--ignore-failure does not mean hooks', run)
    for option in ('--setup', '--prepare', '--conclude', '--cleanup'):
        run = world.worth(*FEW, option, 'kill -STOP $$', 'true', 'true')
        tap.ok(run.status == 2 and option in run.err and 'signal 19' in run.err,
               f'{option}: one that stops itself is not waited for', run)
    for option in ('--prepare', '--conclude'):
        run = world.worth(*FEW, '-b', '1s', option, 'sleep 100', 'true', 'true')
        tap.ok(run.status == 2 and option in run.err and
               "did not end within 1 s, the session's whole time" in run.err,
               f'{option}: one that hangs is ended', run)
    run = world.worth(*FEW, '--shell', 'kill -STOP $$', 'true')
    tap.ok(run.status == 2 and 'signal 19' in run.err, 'nor is a command', run)


def servers(world):
    server = world.script('server', 'sleep 60 </dev/null >/dev/null 2>&1 &')
    # Counts the sleeping servers of this world.
    program = world.write('probe.py', f'''
import os
count = 0
for pid in filter(str.isdigit, os.listdir('/proc')):
    try:
        with open(f'/proc/{{pid}}/comm') as comm, open(f'/proc/{{pid}}/environ') as environ:
            count += comm.read() == 'sleep\\n' and '{world.mark}' in environ.read()
    except OSError:
        pass
with open('{world.log}', 'a') as log:
    print(count, file=log)
''')
    probe = f'python3 {program}'
    run = world.worth(*FEW, '--setup', server, '--cleanup', 'true', probe)
    tap.ok(run.status == 0 and world.logged() == ['1', '1'],
           'what setup started lives through the runs', run)
    tap.same(world.left_after(), [], 'and is gone after cleanup')
    run = world.worth(*FEW, '--prepare', server, probe)
    tap.ok(run.status == 0 and world.logged() == ['1', '1'],
           'what prepare started lives through its run, no longer', run)
    tap.same(world.left_after(), [], 'and is gone')
    run = world.worth(*FEW, '-t', '0.3s', '--setup', server, 'sleep 30')
    tap.ok(run.status == 2 and world.left_after() == [], 'also when the session fails', run)


with World() as one:
    for test in (the_order, failing, servers):
        tap.run(test.__name__, test, one)
        one.logged()
sys.exit(tap.finish())
