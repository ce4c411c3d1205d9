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


def verdict(line):
    """'passed', 'failed' or 'skipped' for a TAP line of a test, else None."""
    match = LINE.match(line)
    if not match:
        return None
    if re.search(r'#\s*skip', match.group(2), re.IGNORECASE):
        return 'skipped'
    return 'failed' if match.group(1) else 'passed'


def count_program(result):
    counts = {'passed': 0, 'failed': 0, 'skipped': 0, None: 0}
    for line in (result.get('stdout') or '').splitlines():
        counts[verdict(line)] += 1
    passed, failed, skipped = counts['passed'], counts['failed'], counts['skipped']
    bad = result['result'] not in ('OK', 'SKIP')
    if bad and failed == 0:
        failed = 1
    if not bad and passed + failed + skipped == 0:
        if result['result'] == 'SKIP':
            skipped = 1
        else:
            passed = 1
    return passed, failed, skipped


def tell(result, log):
    """What a program that failed said, so that the end of CI's output says what happened."""
    print(f"failed: {result['name']} ({log})")
    lines = (result.get('stdout') or '').splitlines()
    for number, line in enumerate(lines):
        if verdict(line) == 'failed':
            print('\n'.join('  ' + text for text in lines[number:number + 6]))
    for line in (result.get('stderr') or '').splitlines()[-10:]:
        print('  ' + line)


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
                tell(result, log)
    print(f'{totals[0]} passed, {totals[1]} failed, {totals[2]} skipped')
    return 1 if totals[1] else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
