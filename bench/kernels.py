# SPDX-License-Identifier: GPL-2.0-or-later
"""Two cloud kernels of Debian's, six boots each, five workloads: how long it takes, that a kernel
equals itself, and what a newer one costs beside figures recorded earlier on another machine.

    kernels.py WORTH
"""
import json
import subprocess
import sys
import time

OLD = 'linux-image-6.1.0-47-cloud-amd64-unsigned'
SAME_SERIES = 'linux-image-6.1.0-57-cloud-amd64-unsigned'
NEW = 'linux-image-6.12.111+deb12-cloud-amd64-unsigned'
LIMIT_S = 180
# Percent, by a loop of other programs' on 6.1.0-47 and 6.12.111: stat, pipe and fork.
RECORDED = {'stat': 9.1, 'pipe': -8.5, 'fork': 18.0}


def known(package):
    return subprocess.run(['apt-cache', 'show', package], capture_output=True,
                          check=False).returncode == 0


def compare(worth, baseline, candidate, *words):
    began = time.monotonic()
    run = subprocess.run([worth, 'kernel', '-q', '--no-save', '--seed', '1', '-n', 'baseline',
                          '-n', 'candidate', '--json', '-', *words, f'deb:{baseline}',
                          f'deb:{candidate}'], capture_output=True, text=True, check=False)
    took = time.monotonic() - began
    if run.returncode not in (0, 1):
        print(run.stderr.strip())
        return None, took
    return json.loads(run.stdout), took


def print_rows(data):
    rows = {row['metric']: row for row in data['tables']['comparisons'] if row['primary']}
    for name, row in rows.items():
        print(f"  {name:14s} {100 * row['change']:+7.2f}%  {row['verdict']}")
    return rows


def main():
    worth = sys.argv[1]
    missing = [package for package in (OLD, SAME_SERIES, NEW) if not known(package)]
    if missing:
        print(f'absent: {", ".join(missing)} (apt-get update has not been run, or the archive is '
              'out of reach)')
        return 0
    bad = 0
    print(f'{SAME_SERIES} against itself')
    data, took = compare(worth, SAME_SERIES, SAME_SERIES)
    if data is None:
        return 1
    rows = print_rows(data)
    bad += sum(row['verdict'] not in ('equivalent', 'same') for row in rows.values())
    print(f'  {took:.0f} s')
    print(f'{OLD} against {NEW}')
    data, took = compare(worth, OLD, NEW, '-w', 'getppid', '-w', 'stat', '-w', 'pipe', '-w',
                         'fork', '-w', 'fault')
    if data is None:
        return 1
    rows = print_rows(data)
    for name, percent in RECORDED.items():
        print(f'  {name}: recorded {percent:+.1f}%')
        bad += (rows[name]['change'] > 0) != (percent > 0)
    print(f'  {took:.0f} s, must be under {LIMIT_S} s')
    bad += took > LIMIT_S
    print('reached' if bad == 0 else f'NOT reached: {bad}')
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
