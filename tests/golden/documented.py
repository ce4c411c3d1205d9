#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/report.md names every member and every column of a report as JSON, and no table that is not
there.

    documented.py DIRECTORY-OF-TRANSCRIPTS docs/report.md"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tap import Tap

directory, page = map(pathlib.Path, sys.argv[1:3])
words = set(re.findall(r'`([^`]+)`', page.read_text(encoding='utf-8')))
tables_told = set(re.findall(r'^### `(\w+)`', page.read_text(encoding='utf-8'), re.M))
tap = Tap()

members, columns, values = set(), {}, {'verdict': set(), 'undecided_reason': set(), 'method': set()}
for path in sorted(directory.glob('*.json')):
    report = json.loads(path.read_text(encoding='utf-8'))
    metrics = {metric['name'] for metric in report['recording']['metrics']}
    factors = {level['factor'] if isinstance(level, dict) else level[0]
               for subject in report['recording']['plan']['subjects']
               for level in subject.get('levels', [])}
    members.update(report)
    for name, rows in report['tables'].items():
        for row in rows:
            keys = set(row)
            if name == 'runs':
                keys = set(list(row)[:len(row) - len(metrics)]) - factors
            if name == 'beside':
                keys -= metrics
            columns.setdefault(name, set()).update(keys)
            for key in values:
                values[key].add(row.get(key))

tap.ok(columns, 'there are transcripts')
for member in sorted(members):
    tap.ok(member in words, f'member {member} is documented')
for name in sorted(columns):
    tap.ok(name in tables_told, f'table {name} is documented')
    missing = sorted(columns[name] - words)
    tap.ok(not missing, f'columns of {name} are documented', ', '.join(missing))
tap.ok(not tables_told - set(columns), 'no table is documented that no transcript has',
       ', '.join(sorted(tables_told - set(columns))))
for key, seen in values.items():
    missing = sorted(seen - words - {None})
    tap.ok(not missing, f'values of {key} are documented', ', '.join(missing))
sys.exit(tap.finish())
