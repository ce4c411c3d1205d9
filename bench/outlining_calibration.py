#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What out-of-lining really saved: rebuilds with one function after another marked noinline.

    bench/outlining_calibration.py WORTH SOURCE 'COMPILE COMMAND' FUNCTION...

COMPILE COMMAND makes OUTPUT from SOURCE and names both by {source} and
{output}, such as 'gcc -g -O2 -c {source} -o {output}'; SOURCE is one file, an
amalgamation at best, since only copies in its own unit change. Each function's
definition gets __attribute__((noinline)) at the start of its line. Prints the
rows of src/binary/ledger/outlining.def on standard output: read what the report of
`worth size` says of each pair before you believe one.

The rows that ship were made with gcc 12.2 of Debian 12 on x86-64: those of Lua
5.4 from its core as one unit, those of sqlite 3.40.1 from the amalgamation of
Debian's source package, both at -O2. That of the kernel is a recorded figure.
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def without_inlining(text, function):
    """The text with the definition of function marked; None if there is none."""
    pattern = re.compile(r'^(?=[A-Za-z_])([^\n;{}#/()]*\b' + re.escape(function) +
                         r'\s*\([^;{}]*\)\s*\{)', re.MULTILINE)
    marked, count = pattern.subn(r'__attribute__((noinline)) \1', text)
    return marked if count else None


def compile_source(command, source, output):
    line = command.format(source=source, output=output)
    subprocess.run(line, shell=True, check=True, stderr=subprocess.DEVNULL)


def compare(worth, baseline, candidate):
    run = subprocess.run([worth, 'size', '--inlines', '--all', '--json', '-', baseline, candidate],
                         check=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)['tables']


def row_of(rows, function):
    for row in rows:
        if row['raw'] == function:
            return row
    return None


def measure(worth, directory, source, command, function, baseline):
    with open(source, encoding='latin-1') as stream:
        marked = without_inlining(stream.read(), function)
    if marked is None:
        return f'/* {function}: its definition was not found */'
    changed = os.path.join(os.path.dirname(os.path.abspath(source)), '.calibration.c')
    candidate = os.path.join(directory, 'candidate.o')
    try:
        with open(changed, 'w', encoding='latin-1') as stream:
            stream.write(marked)
        compile_source(command, changed, candidate)
    finally:
        os.unlink(changed)
    tables = compare(worth, baseline, candidate)
    row = row_of(tables['inlines'], function)
    functions = next(row for row in tables['totals'] if row['total'] == 'functions')
    if row is None or row['candidate_copies'] > 0:
        return f'/* {function}: not inlined, or still so */'
    added = row['candidate_body_bytes'] if row['baseline_bodies'] == 0 else 0
    return (f'ROW({function}, {row["baseline_copies_with_code"]}, {row["baseline_bytes"]}, '
            f'{added}, {-functions["delta_bytes"]})')


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    worth, source, command = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as directory:
        baseline = os.path.join(directory, 'baseline.o')
        compile_source(command, source, baseline)
        for function in sys.argv[4:]:
            print(measure(worth, directory, source, command, function, baseline), flush=True)


if __name__ == '__main__':
    main()
