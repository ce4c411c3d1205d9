# SPDX-License-Identifier: GPL-2.0-or-later
"""What a user reads for typical errors, to the letter: the transcript errors.txt is run again.

    errors.py WORTH [--write]

--write makes the transcript anew from its own command lines.
"""
import os
import shlex
import sys

from world import Tap, World

# Their options come behind them; to all others -q is given, which leaves out the progress.
COMMANDS = ('run', 'judge', 'study')
TRANSCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'errors.txt')


def command_lines():
    with open(TRANSCRIPT, encoding='utf-8') as stream:
        return [line for line in stream.read().splitlines() if line.startswith(('$', '#'))]


def entry(world, line):
    """A command line with all that it prints and its exit status."""
    words = shlex.split(line)[2:]
    quiet = [] if words[:1] and words[0] in COMMANDS else ['-q']
    run = world.worth(*quiet, *words)
    return f'{line}\n{run.out}{run.err}[{run.status}]\n'.replace(world.directory, '/home/user')


def transcript(world):
    world.write('notes.txt', 'no program\n')
    # One session that has ended, for what refers to an earlier one.
    world.worth('-q', '-r', '1', '-w', '0', 'true')
    return [line + '\n' if line.startswith('#') else entry(world, line) for line in command_lines()]


def entries(text):
    found, current = [], []
    for line in text.splitlines(keepends=True):
        if line.startswith(('$', '#')) and current:
            found.append(''.join(current))
            current = []
        current.append(line)
    return found + [''.join(current)]


with World() as one:
    fresh = transcript(one)
if '--write' in sys.argv:
    with open(TRANSCRIPT, 'w', encoding='utf-8') as output:
        output.writelines(fresh)
    sys.exit(0)
tap = Tap()
with open(TRANSCRIPT, encoding='utf-8') as text:
    for got, expected in zip(fresh, entries(text.read())):
        if not got.startswith('#'):
            tap.same(got, expected, got.splitlines()[0])
sys.exit(tap.finish())
