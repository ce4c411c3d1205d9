# SPDX-License-Identifier: GPL-2.0-or-later
"""Running worth-load in a test's world: its figures, its words, and what it leaves behind."""
import os
import signal
import subprocess
import sys
import time

from world import Tap

LOAD = os.path.abspath(sys.argv[2])
SANITIZED = 'ASAN_OPTIONS' in os.environ or b'__asan_init' in open(LOAD, 'rb').read()
tap = Tap()


def load(world, line, prefix=(), program=LOAD, **more):
    """Run worth-load with figures on a pipe: (status, {name: [(value, unit, better)]}, out, err).
    prefix: words of a command that runs it."""
    read, write = os.pipe()
    scratch = world.path('scratch')
    os.makedirs(scratch, exist_ok=True)
    environment = dict(world.environment, WORTH_FD=str(write), TMPDIR=scratch)
    process = subprocess.Popen([*prefix, program, *line.split()], env=environment, pass_fds=[write],
                               cwd=world.directory, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    os.close(write)
    with os.fdopen(read) as stream:
        try:
            out, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            for pid in world.left():
                os.kill(pid, signal.SIGKILL)
            raise
        lines = stream.read().splitlines()
    figures = {}
    for row in lines:
        name, value, unit, better = row.split(' ')
        figures.setdefault(name, []).append((float(value), unit, better))
    return process.returncode, figures, out, err


def nothing_is_left(world, name):
    scratch = world.path('scratch')
    end = time.monotonic() + 5
    while time.monotonic() < end and (world.left() or os.listdir(scratch)):
        time.sleep(0.01)
    tap.ok(not world.left() and not os.listdir(scratch), f'{name}: nothing is left',
           f'{world.left()} {os.listdir(scratch)}')
