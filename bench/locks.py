#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Uncontended locks of the specimens beside their peers, with a second thread alive.

    bench/locks.py WORTH_LOAD_PEERS [ROUNDS]

Every round runs each lock once, in a random order; a figure is the median of
the rounds in cycles, a ratio the median of the rounds' own ratios, with its
quartiles. Targets: the inline spinlock within 2% of the best of pthread_spin
and ck, the mutex not slower than pthread_mutex and nsync; missed where the lower
quartile is above.
"""
import random
import re
import statistics
import subprocess
import sys

GROUPS = [
    ('spin', 'tas-inline', ['pthread-spin', 'ck-fas'], ['tas-outline', 'tas-cool', 'tas-thunk'], 1.02),
    ('mutex', 'futex-inline', ['pthread', 'pthread-adaptive', 'nsync'],
     ['futex-outline', 'owner-handoff'], 1.00),
]


def cycles(program, workload, lock, place):
    said = subprocess.run([program, workload, '--lock', lock, '--operations', '1500000',
                           '--batch', '2ms', *place],
                          capture_output=True, text=True, check=False)
    found = re.search(r'^lock-cycles (\S+)', said.stdout, re.MULTILINE)
    return float(found.group(1)) if found else None


def compare(program, rounds, place, workload, ours, peers, others, target):
    there = {lock: [] for lock in [ours, *peers, *others]
             if cycles(program, workload, lock, place) is not None}
    for _ in range(rounds):
        for lock in random.sample(list(there), len(there)):
            there[lock].append(cycles(program, workload, lock, place))
    print(f'{workload}: cycles for lock, add 1, unlock ({rounds} rounds)')
    for lock, values in there.items():
        print(f'  {lock:18} {statistics.median(values):7.2f}')
    there_peers = [peer for peer in peers if peer in there]
    print('  absent:', ', '.join(peer for peer in peers if peer not in there) or 'none')
    best = min(there_peers, key=lambda peer: statistics.median(there[peer]))
    ratios = [a / b for a, b in zip(there[ours], there[best])]
    low, middle, high = statistics.quantiles(ratios, n=4)
    print(f'  {ours} / {best}: {middle:.3f} [{low:.3f}, {high:.3f}], target {target:.2f}: '
          f'{"reached" if low <= target else "MISSED"}')


def main(arguments):
    program = arguments[0]
    rounds = int(arguments[1]) if len(arguments) > 1 else 31
    for place in ([], ['--apart']):
        print('counter and lock on', 'two lines' if place else 'one line')
        for group in GROUPS:
            compare(program, rounds, place, *group)


if __name__ == '__main__':
    main(sys.argv[1:])
