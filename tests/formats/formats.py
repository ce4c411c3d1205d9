#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the readers make of files, against what is written down.

    formats.py DUMP

Expectations are tests/data/formats/*.tsv, by convention one for each format:
tab-separated lines, "#" begins a comment.

    FILE  format  NAME               the format that is found
    FILE  column  SIDE  SCOPE  BENCHMARK  METRIC  UNIT  BETTER  STEP  VALUES [WORDS]
    FILE  columns  N                 how many columns there are
    FILE  remark  TEXT               a remark that contains TEXT
    FILE  failure  SIDE  RUN  EXIT_STATUS  SIGNAL
    FILE  error  TEXT                refused with a sentence that contains TEXT

FILE is below tests/data/formats, or below the shared cases if it begins with
"cases/"; those that are absent are skipped, and counted so. FILE may be followed
by " --format NAME". A field "*" fits anything; VALUES are numbers, "-" for a
missing one, and mean=, deviation=, runs= of a summary; "^" before them means
that there may be more. WORDS are all found in the last field.
"""
import glob
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from tap import Tap, shared_cases  # noqa: E402

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data', 'formats')


def near(got, expected):
    if '=' in expected or '=' in got:
        got_name, _, got = got.rpartition('=')
        name, _, expected = expected.rpartition('=')
        if name != got_name:
            return False
    if got == expected or expected == '*':
        return True
    try:
        return math.isclose(float(got), float(expected), rel_tol=1e-12, abs_tol=0)
    except ValueError:
        return False


def same_values(got, expected):
    if expected == '*':
        return True
    got = got.split()
    more = expected.startswith('^')
    expected = expected.lstrip('^').split()
    if more:
        got = got[:len(expected)]
    return len(got) == len(expected) and all(map(near, got, expected))


def same_column(got, expected):
    names_fit = all(e in ('*', g) for g, e in zip(got[:6], expected[:6]))
    step_fits = expected[6] == '*' or math.isclose(float(got[6]), float(expected[6]), rel_tol=1e-5)
    words = expected[8].split() if len(expected) > 8 else []
    return (names_fit and step_fits and same_values(got[7], expected[7])
            and all(word in got[8].split() for word in words))


def fits(row, kind, fields):
    if row[0] != kind:
        return False
    if kind == 'column':
        return same_column(row[1:], fields)
    if kind in ('remark', 'error'):
        return fields[0] in row[1]
    return row[1:] == fields


class Files:
    """The answers of the dump program, each file read once."""

    def __init__(self, program):
        self.program = program
        self.rows = {}

    def path(self, name):
        if name.startswith('cases/'):
            return shared_cases(name[len('cases/'):])
        return os.path.join(DATA, name)

    def get(self, name):
        if name not in self.rows:
            file, _, options = name.partition(' --format ')
            path = self.path(file)
            if path is None:
                return None
            words = ['--format', options] if options else []
            done = subprocess.run([self.program, *words, path], stdout=subprocess.PIPE, timeout=60)
            text = done.stdout.decode('utf-8', 'replace')
            self.rows[name] = [line.split('\t') for line in text.splitlines()]
            if done.returncode not in (0, 2):
                self.rows[name].append(['crash', str(done.returncode)])
        return self.rows[name]


def check(tap, files, where, name, kind, fields):
    title = f'{name}: {kind} {" ".join(fields)[:100]} ({where})'
    rows = files.get(name)
    if rows is None:
        tap.skip(title, 'the shared cases are absent')
    elif kind == 'columns':
        count = sum(row[0] == 'column' for row in rows)
        tap.ok(str(count) == fields[0], title, f'there are {count}')
    else:
        found = '\n'.join('\t'.join(row) for row in rows)
        tap.ok(any(fits(row, kind, fields) for row in rows), title, found[:4000])


def check_traps(tap):
    """Each trap of traps.tsv has a row of our own files that holds it."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'traps.tsv'),
              encoding='utf-8') as lines:
        traps = [line.rstrip('\n').split('\t', 3) for line in lines if not line.startswith('#')]
    for tool, trap, table, part in traps:
        with open(os.path.join(DATA, table + '.tsv'), encoding='utf-8') as rows:
            held = any(part in row for row in rows if row[0] != '#' and not row.startswith('cases/'))
        tap.ok(held, f'{tool}: {trap}', f'no row of {table}.tsv has {part!r}')


def main():
    tap = Tap()
    check_traps(tap)
    files = Files(sys.argv[1])
    for table in sorted(glob.glob(os.path.join(DATA, '*.tsv'))):
        with open(table, encoding='utf-8') as lines:
            for number, line in enumerate(lines, 1):
                line = line.rstrip('\n')
                if not line or line.startswith('#'):
                    continue
                name, kind, *fields = line.split('\t')
                where = f'{os.path.basename(table)}:{number}'
                tap.run(where, check, tap, files, where, name, kind, fields)
    for name, rows in files.rows.items():
        crashed = any(row[0] == 'crash' for row in rows)
        tap.ok(rows and not crashed, f'{name}: an answer or one sentence', str(rows[-3:]))
    sys.exit(tap.finish())


main()
