#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Adds up the TAP lines in meson's test logs and prints the one line that ends tools/test.

Every `ok` and `not ok` line counts once, `# SKIP` ones apart. A program that
ended badly without a `not ok` line (a crash, a timeout) counts as one failure,
and so does a log that is missing or has no test in it.
"""
import json
import re
import sys

LINE = re.compile(r'^\s*(not )?ok\b(.*)$')


def count_program(result):
    passed = failed = skipped = 0
    for line in (result.get('stdout') or '').splitlines():
        match = LINE.match(line)
        if not match:
            continue
        if re.search(r'#\s*skip', match.group(2), re.IGNORECASE):
            skipped += 1
        elif match.group(1):
            failed += 1
        else:
            passed += 1
    bad = result['result'] not in ('OK', 'SKIP')
    if bad and failed == 0:
        failed = 1
    if not bad and passed + failed + skipped == 0:
        if result['result'] == 'SKIP':
            skipped = 1
        else:
            passed = 1
    return passed, failed, skipped


def main(logs):
    totals = [0, 0, 0]
    for log in logs:
        results = []
        try:
            with open(log, encoding='utf-8') as lines:
                results = [json.loads(line) for line in lines]
        except OSError as error:
            print(f'no test log: {error}', file=sys.stderr)
        if not results:
            totals[1] += 1
        for result in results:
            counts = count_program(result)
            totals = [total + count for total, count in zip(totals, counts)]
            if counts[1]:
                print(f"failed: {result['name']} ({log})")
    print(f'{totals[0]} passed, {totals[1]} failed, {totals[2]} skipped')
    return 1 if totals[1] else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
