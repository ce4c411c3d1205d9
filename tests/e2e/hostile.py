# SPDX-License-Identifier: GPL-2.0-or-later
"""Commands that misbehave: what they do to worth, and what it says about them.

    hostile.py WORTH
"""
import os
import pty
import select
import subprocess
import sys
import time

from world import FEW, WORTH, Tap, World, values

tap = Tap()


def nothing_left(world, name):
    left = world.left_after()
    tap.ok(left == [], f'{name}: no process is left', left)


def terminal(world):
    """A command that reads the terminal, on a terminal."""
    reader = world.script('reader', 'if read line </dev/tty; then echo got >>"$LOG"; fi; '
                          'read line || echo eof >>"$LOG"; exit 0')
    main, other = pty.openpty()
    started = time.monotonic()
    # A session of its own, with that terminal as the controlling one: as from a login.
    with subprocess.Popen(['setsid', '--ctty', '--wait', WORTH, '-r', '3', '-w', '0', reader],
                          env=dict(world.environment, TERM='xterm'), stdin=other, stdout=other,
                          stderr=other) as child:
        os.close(other)
        screen = b''
        while time.monotonic() - started < 20:
            if not select.select([main], [], [], 20)[0]:
                break
            try:
                part = os.read(main, 65536)
            except OSError:
                break
            if not part:
                break
            screen += part
        child.kill()
    os.close(main)
    tap.ok(b'3 rounds' in screen and b' of 3' in screen, 'on a terminal, with its progress',
           screen)
    tap.same(set(world.logged()), {'eof'}, 'a command cannot read the terminal, nor wait for it')
    tap.ok(b'\x1b[' in screen and b'\x1b[31' not in screen.split(b'command')[0],
           'colours are for terminals', screen)
    nothing_left(world, 'terminal')


def descriptors(world):
    closes = world.script('closes', 'exec 0<&- 1>&- 2>&- 8>&-; sleep 0.01')
    run = world.worth(*FEW, '--output', 'pipe', closes, closes)
    tap.ok(run.status == 0 and '2 rounds' in run.told, 'a command that closes its descriptors', run)
    data = world.measure(*FEW, '--output', 'pipe', closes)
    tap.ok(all(value >= 0.01 for value in values(data, 'wall')),
           'waiting does not end with the pipe', values(data, 'wall'))
    for missing in ('0<&-', '1>&-', '2>&-', '0<&- 1>&- 2>&-'):
        done = subprocess.run(['sh', '-c', f'exec "$0" "$@" {missing}', WORTH, *FEW, 'cat',
                               'echo a'], env=world.environment, capture_output=True, timeout=30,
                              check=False)
        tap.ok(done.returncode == 0, f'worth without descriptors ({missing})', done)


def daemons(world):
    daemon = world.script('daemon', '(setsid sh -c "while :; do sleep 0.05; done" >&- 2>&- <&- &) '
                          '; exit 0')
    run = world.worth(*FEW, daemon, 'true')
    tap.ok(run.status == 0 and 'leaves processes behind' in run.told, 'a daemon is named', run)
    nothing_left(world, 'a daemon')
    # It keeps the pipe open: waiting for its end would take a minute.
    holder = world.script('holder', 'sleep 60 & exit 0')
    started = time.monotonic()
    data = world.measure(*FEW, '--output', 'pipe', holder, 'true')
    tap.ok(time.monotonic() - started < 10 and max(values(data, 'wall')) < 5,
           'a child that keeps the pipe open is not waited for', values(data, 'wall'))
    nothing_left(world, 'a holder')
    burner = world.script('burner', 'sh -c "i=0; while [ \\$i -lt 60000 ]; do i=\\$((i+1)); done" & exit 0')
    data = world.measure('-q', '-r', '4', '-w', '0', '--no-peek', burner, 'true')
    tap.ok(all(value < 0.03 for value in values(data, 'cpu', 1)),
           "a stray's CPU time is not charged to the next run", values(data, 'cpu', 1))
    nothing_left(world, 'a burner')


def forks(world):
    """A fork bomb with a limit of its own: 60 processes that go on forking when one dies."""
    bomb = world.write('bomb.py', '''
import os, sys, time
end = time.monotonic() + 20
os.setsid()
for i in range(60):
    if os.fork() == 0:
        if i % 3 == 0:
            os.setsid()
        break
born = 0
while time.monotonic() < end and born < 300:
    time.sleep(0.02)
    born += 1
    if os.fork() != 0 and born % 2:
        os._exit(0)
''')
    run = world.worth(*FEW, '-r', '1', '-t', '0.5s', f'python3 {bomb}', 'true')
    tap.ok(run.status in (0, 2), 'a command that forks on and on', run)
    nothing_left(world, 'a fork bomb')


def gigabytes(world):
    noisy = 'head -c 2000000000 /dev/zero'
    started = time.monotonic()
    run = world.worth(*FEW, '-r', '1', noisy)
    tap.ok(run.status == 0, 'gigabytes to the default output', run)
    run = world.worth(*FEW, '-r', '1', '--output', 'pipe', 'head -c 500000000 /dev/zero')
    tap.ok(run.status == 0, 'half a gigabyte through the pipe', run)
    run = world.worth(*FEW, '-r', '1', "sh -c 'head -c 300000000 /dev/zero >&2; echo last >&2; exit 1'")
    tap.ok(run.status == 2 and 'last' in run.err and len(run.err) < 2000,
           'much on stderr: a bounded tail is kept', run.err[:3000])
    run = world.worth(*FEW, '-r', '1', "sh -c 'yes score 1 points | head -c 20000000 >&$WORTH_FD'")
    tap.ok(run.status == 0 and 'more than 1 MiB' in run.told, 'much on WORTH_FD', run)
    run = world.worth(*FEW, "sh -c 'head -c 70000 /dev/zero | tr \"\\\\0\" x >&2; exit 0'", 'true')
    tap.ok(run.status == 0, 'more than a pipe holds, on stderr', run)
    tap.ok(time.monotonic() - started < 40, 'in bounded time', time.monotonic() - started)
    nothing_left(world, 'gigabytes')


def words_to_the_screen(world):
    evil = world.script('evil', "printf '\\033[2J\\033]0;owned\\007\\342\\200\\256\\377\\n' >&2; exit 1")
    run = world.worth(*FEW, '-n', 'name\x1b[31m\u202e', evil)
    tap.ok(run.status == 2 and '\x1b' not in run.err and '\u202e' not in run.err and
           '\udcff' not in run.err, 'what a command writes cannot steer the terminal', repr(run.err))
    run = world.worth(*FEW, '-n', 'name\x1b[31m\u202e', 'true', "true '\x1b[31m'")
    tap.ok(run.status == 0 and '\x1b' not in run.out and '\u202e' not in run.out,
           'nor can a name or a command', run)
    run = world.worth(*FEW, '--primary', '\x1b[31mred', 'true', 'true')
    tap.ok(run.status == 2 and '\x1b' not in run.err, 'nor an option', repr(run.err))
    run = world.worth(*FEW, '\x1b[31mnosuch', 'true')
    tap.ok(run.status == 2 and '\x1b' not in run.err, 'nor a program that is not there',
           repr(run.err))
    run = world.worth(*FEW, '--same\x1b[31m', 'true')
    tap.ok(run.status == 2 and '\x1b' not in run.err, 'nor an unknown option', repr(run.err))
    run = world.worth(*FEW, '--csv', '-', '-n', '=cmd', '-n', '@x', 'true', 'true')
    tap.ok(run.status == 0 and ',=cmd' not in run.out and "'=cmd" in run.out,
           'nor is a cell of the CSV a formula', run.out[:400])


def deaths(world):
    for name, number in (('SEGV', 11), ('KILL', 9), ('ABRT', 6), ('PIPE', 13), ('TERM', 15)):
        run = world.worth(*FEW, f"sh -c 'kill -{name} $$'", 'true')
        tap.ok(run.status == 2 and f'signal {number}' in run.err, f'a command dies of SIG{name}', run)
    stops = world.worth(*FEW, "sh -c 'kill -STOP $$'", 'true')
    tap.ok(stops.status == 2 and 'signal 19' in stops.err, 'a command that stops itself', stops)
    nothing_left(world, 'a stopped command')
    parent = world.script('parent', 'kill -9 $PPID; sleep 0.2; exit 0')
    run = world.worth(*FEW, '-r', '1', parent)
    tap.ok(run.status == 2 and run.err.startswith('worth: '), 'a command that kills its parent', run)
    nothing_left(world, 'its parent dead')
    tracer = world.script('vanish', 'rm -f "$0"; exit 0')
    run = world.worth('-q', '-r', '3', '-w', '0', tracer)
    tap.ok(run.status == 2 and 'gone' in run.err, 'a command that deletes itself', run)


with World() as one:
    for test in (terminal, descriptors, daemons, forks, gigabytes, words_to_the_screen, deaths):
        tap.run(test.__name__, test, one)
        one.logged()
sys.exit(tap.finish())
