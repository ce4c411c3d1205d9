#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Lookups in the path caches of the specimens, beside each other and their peers.

    bench/paths.py WORTH_LOAD_PEERS [ROUNDS]

Every round runs each cache once, in a random order, alone and by two threads in
the same directories; a figure is the median of the rounds, a ratio the median of
the rounds' own ratios, with its quartiles. Targets, at depth 4: the walk without
stores takes at most 0.75 of the time of the walk with references, and two threads
get at least 1.7 times as many lookups done as one, where those with references
lose; missed where the median is beyond.
"""
import random
import re
import statistics
import subprocess
import sys

REFERENCE = ['reference-lock', 'reference-atomic']
FREE = 'store-free'
CACHES = ['global-lock', *REFERENCE, FREE, 'store-free-bare', 'lfht', 'glib']
PLACES = [('1 thread', ['--tasks', '1']),
          ('2 threads', ['--tasks', '2']),
          ('2, same file', ['--tasks', '2', '--sharing', 'same-file'])]


def lookup_ns(program, cache, place):
    said = subprocess.run([program, 'path-cache', '--cache', cache, '--operations', '500000',
                           '--batch', '2ms', *place],
                          capture_output=True, text=True, check=False)
    found = re.search(r'^lookup (\S+)', said.stdout, re.MULTILINE)
    return float(found.group(1)) if found else None


def quartiles(values):
    low, middle, high = statistics.quantiles(values, n=4)
    return low, middle, high, f'{middle:.3f} [{low:.3f}, {high:.3f}]'


def main(arguments):
    program = arguments[0]
    rounds = int(arguments[1]) if len(arguments) > 1 else 15
    there = [cache for cache in CACHES if lookup_ns(program, cache, []) is not None]
    seen = {(cache, place): [] for cache in there for place, _ in PLACES}
    for _ in range(rounds):
        for cache in random.sample(there, len(there)):
            for place, words in PLACES:
                seen[cache, place].append(lookup_ns(program, cache, words))
    print(f'wall ns a lookup at depth 4, medians of {rounds} rounds')
    for cache in there:
        print(f'  {cache:18}', *(f'{place} {statistics.median(seen[cache, place]):7.1f}'
                                 for place, _ in PLACES))
    for cache in REFERENCE:
        _, middle, _, text = quartiles([free / other for free, other in
                                     zip(seen[FREE, '1 thread'], seen[cache, '1 thread'])])
        print(f'  {FREE} / {cache}: {text}, target 0.75: {"reached" if middle <= 0.75 else "MISSED"}')
    for cache in there:
        _, middle, _, text = quartiles([one / two for one, two in
                                      zip(seen[cache, '1 thread'], seen[cache, '2 threads'])])
        verdict = f', target 1.7: {"reached" if middle >= 1.7 else "MISSED"}' if cache == FREE else ''
        print(f'  {cache}: throughput of two over one {text}{verdict}')


if __name__ == '__main__':
    main(sys.argv[1:])
