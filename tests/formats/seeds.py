#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""worth judge on the shared seed figures: every row of their expected.csv as written there.

    seeds.py WORTH
"""
import csv
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from tap import Tap, shared_cases  # noqa: E402

COLUMNS = {'outchr': 'putc', 'outblk': 'put_block', 'rewr': 'rewrite', 'inchr': 'getc',
           'inblk': 'get_block', 'seeks': 'seeks', 'seqcreate': 'seq_create',
           'seqdel': 'seq_del', 'rndcreate': 'ran_create', 'rnddel': 'ran_del',
           'latency_us': 'latency'}
FILES = {'bonnie stp4': ('bonnie-stp4-baseline.txt', 'bonnie-stp4-candidate.txt'),
         'bonnie stp2': ('bonnie-stp2-baseline.txt', 'bonnie-stp2-candidate.txt'),
         'lat_pipe A=o': ('lat_pipe-outline.txt', 'lat_pipe-inline.txt')}


def judge(worth, *words):
    done = subprocess.run([worth, 'judge', *words, '--json', '-'], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    return done.returncode, json.loads(done.stdout or b'null'), done.stderr.decode()


def rows_of(table):
    if isinstance(table, dict):
        table = table.get('rows', table)
    return table


def comparisons(document):
    found = document.get('comparisons') or document.get('tables', {}).get('comparisons')
    return {row['metric']: row for row in rows_of(found)}


def check(tap, row, found):
    name = f"{row['case']} {row['metric']}"
    expected = 'better' if row['verdict'] == 'faster' else 'undecided'
    tap.same(found['verdict'], expected, f'{name}: {expected}')
    tap.same(found['pairs'], int(row['n']), f'{name}: {row["n"]} runs a side')
    if row['welch_log_p'] != 'NA':
        low, high = (float(row[key].rstrip('%')) / 100 for key in ('welch_log_lo', 'welch_log_hi'))
        tap.ok(abs(found['welch_low'] - low) < 6e-6 and abs(found['welch_high'] - high) < 6e-6,
               f'{name}: Welch interval', f"{found['welch_low']} .. {found['welch_high']}")
    if row['HL2_lo'] != 'NA':
        for key, field in (('HL2', 'change'), ('HL2_lo', 'change_low'), ('HL2_hi', 'change_high')):
            tap.ok(abs(found[field] + 1 - float(row[key])) < 6e-6, f'{name}: {field}',
                   str(found[field]))
    if row['rank_exact_p'] != 'NA' and found['p'] is not None:
        tap.ok(abs(found['p'] - float(row['rank_exact_p'])) < 6e-5, f'{name}: rank p',
               str(found['p']))


def main():
    tap = Tap()
    seeds = shared_cases('seeds', 'expected.csv')
    if seeds is None:
        tap.skip('rows of expected.csv', 'the shared cases are absent')
        sys.exit(tap.finish())
    directory = os.path.dirname(seeds)
    documents = {}
    for start, files in FILES.items():
        status, document, _ = judge(sys.argv[1], *(os.path.join(directory, f) for f in files))
        tap.same(status, 0, f'{start}: nothing is worse')
        documents[start] = comparisons(document)
    with open(seeds, encoding='utf-8') as lines:
        for row in csv.DictReader(lines):
            start = next(key for key in FILES if row['case'].startswith(key))
            found = documents[start].get(COLUMNS[row['metric']])
            if tap.ok(found is not None, f"{row['case']} {row['metric']} is read",
                      str(list(documents[start]))):
                check(tap, row, found)
    sizes = [os.path.join(directory, f'size-mutex-{side}.txt') for side in ('outline', 'inline')]
    status, document, _ = judge(sys.argv[1], *sizes)
    total = comparisons(document)['total']
    tap.ok(total['exact'] and total['word'] == 'larger' and abs(total['change'] - 0.00473) < 5e-6,
           'vmlinux is larger by 0.473%, exactly', str(total))
    tap.same(status, 1, 'larger is worse')
    sys.exit(tap.finish())


main()
