#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks a model with spin: the sound one must have no error, the broken one must have one.

    check.py MODEL.pml

Assertions and deadlocks (a process that waits where it must not end) are
errors. All states are visited, and it is said how many.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from tap import Tap  # noqa: E402


def verify(model, *defines):
    """(errors, states, all that was said) of a full search."""
    with tempfile.TemporaryDirectory() as directory:
        said = ''
        for command in (['spin', '-a', *defines, os.path.abspath(model)],
                        ['cc', '-O1', '-w', '-DSAFETY', '-o', 'pan', 'pan.c'],
                        ['./pan', '-m1000000']):
            result = subprocess.run(command, cwd=directory, capture_output=True, text=True,
                                    check=False)
            said += result.stdout + result.stderr
            if result.returncode != 0 and command[0] != './pan':
                return None, None, said
    errors = re.search(r'errors: (\d+)', said)
    states = re.search(r'(\S+) states, stored', said)
    if not errors or 'max search depth too small' in said:
        return None, None, said
    return int(errors.group(1)), states and states.group(1), said


def main(arguments):
    model = arguments[0]
    name = os.path.basename(model)
    tap = Tap()
    if shutil.which('spin') is None or shutil.which('cc') is None:
        tap.skip(f'{name} is checked', 'spin or cc is not installed')
        return tap.finish()
    errors, states, said = verify(model)
    tap.ok(errors == 0, f'{name} has no error in {states} states', said)
    errors, states, said = verify(model, '-DBROKEN')
    tap.ok(errors is not None and errors > 0, f'{name} when broken is refuted', said)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
