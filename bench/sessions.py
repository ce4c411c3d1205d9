# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole sessions, as a user starts them: how often worth claims a difference between a program and
itself, and how often it finds one of 5%, on the machine as it is and beside others' work that
comes and goes.

    sessions.py WORTH WORK [SESSIONS]

A claim about the same program is an error; at most 5% of sessions may make one (method.md, 3.6).
Exit status 1 if more do, by more than chance explains.
"""
import json
import math
import random
import subprocess
import sys
import threading
import time
from collections import Counter

STEPS = 1500000
ROUNDS = 60


class Neighbours:
    """Two that compute for up to 0.2 s and rest for up to 0.2 s, at random."""

    def __init__(self, work):
        self.work, self.ended = work, False
        self.threads = [threading.Thread(target=self.live, args=(seed,)) for seed in (1, 2)]

    def live(self, seed):
        draw = random.Random(seed)
        while not self.ended:
            subprocess.run([self.work, str(draw.randrange(100 * STEPS))], check=True)
            time.sleep(draw.uniform(0, 0.2))

    def __enter__(self):
        for thread in self.threads:
            thread.start()

    def __exit__(self, *_):
        self.ended = True
        for thread in self.threads:
            thread.join()


def chances(count, of):
    """The exact 95% interval of a share (Clopper and Pearson 1934), by bisection."""
    def tail(share, least):
        return sum(math.comb(of, k) * share ** k * (1 - share) ** (of - k)
                   for k in range(least, of + 1))

    def solve(least, wanted):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if tail(middle, least) < wanted else (low, middle)
        return low
    return (0.0 if count == 0 else solve(count, 0.025),
            1.0 if count == of else solve(count + 1, 0.975))


def session(worth, work, steps):
    run = subprocess.run([worth, '-q', '--no-save', '-r', str(ROUNDS), '--json', '-',
                          f'{work} {STEPS}', f'{work} {steps}'], capture_output=True, text=True,
                         check=False)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def told(what, count, of):
    low, high = chances(count, of)
    print(f'  {what:42s} {count:4d} of {of}: {100 * count / of:5.1f}%'
          f' [{100 * low:.1f}, {100 * high:.1f}]')
    return low


def measure(worth, work, steps, sessions):
    """The verdicts on wall time, and in how many sessions a secondary metric was said to differ."""
    verdicts, secondary, without = Counter(), 0, 0
    for _ in range(sessions):
        data = session(worth, work, steps)
        verdicts[data['verdict']] += 1
        rows = data['tables']['comparisons']
        primary = next(row for row in rows if row['primary'])
        if primary['change_low'] is not None and primary['change_high'] is not None:
            without += not primary['change_low'] <= 0 <= primary['change_high']
        secondary += any(row['verdict'] in ('better', 'worse') and not row['exact']
                         for row in rows if not row['primary'])
    return verdicts, secondary, without


def both(worth, work, sessions):
    verdicts, secondary, without = measure(worth, work, STEPS, sessions)
    least = told('the same program: faster or slower', verdicts['better'] + verdicts['worse'],
                 sessions)
    told('  its interval leaves 0 out', without, sessions)
    least = max(least, told('  another metric is said to differ', secondary, sessions))
    verdicts, _, _ = measure(worth, work, STEPS * 105 // 100, sessions)
    told('5% more work: slower', verdicts['worse'], sessions)
    least = max(least, told('  faster', verdicts['better'], sessions))
    return least > 0.05


def main():
    worth, work = sys.argv[1:3]
    sessions = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    print(f'{sessions} sessions a line, {ROUNDS} rounds at most, on the machine as it is')
    failed = both(worth, work, sessions)
    print('beside two that compute at random')
    with Neighbours(work):
        failed = both(worth, work, sessions) or failed
    return failed


if __name__ == '__main__':
    sys.exit(main())
