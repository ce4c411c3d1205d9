#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What worth size costs beside its peers, on the same files in the same minutes.

usage: bench/size_cost.py WORTH [PART...]      (all; --list shows the parts)

Runs of worth and the peers alternate; a figure is the least of the rounds, which others on the
machine disturb least. Columns: CPU seconds, elapsed seconds, peak memory, and how many times the
CPU and the memory of the part's own row of worth a peer takes. A command that takes more than 5
seconds runs once, and after 60 it is ended. A peer that is not installed is said to be absent.
Inputs are fetched into the directory where this is run (size_inputs.py); each part takes less than
three minutes once they are there. Exits with 1 if a target is missed.
"""
import os
import shutil
import signal
import sys
import time

import size_inputs

ROUNDS, LONG_SECONDS, LIMIT_SECONDS = 5, 5, 60
WORTH = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ''


def run(words):
    """(CPU seconds, elapsed seconds, peak bytes, exit status) of one run; None when it was ended."""
    begin = time.monotonic()
    child = os.posix_spawnp(words[0], words, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, '/dev/null', os.O_WRONLY, 0)])
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(LIMIT_SECONDS)
    _, status, usage = os.wait4(child, 0)
    signal.alarm(0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return None
    return (usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss * 1024,
            os.waitstatus_to_exitcode(status))


class Row:
    """One command; targets are upper bounds of its CPU seconds, peak bytes or elapsed seconds."""

    def __init__(self, name, words, **targets):
        self.name, self.words, self.targets = name, words, targets
        self.best, self.ended = None, False

    def due(self):
        return shutil.which(self.words[0]) and not self.ended and not (
            self.best and self.best['cpu'] > LONG_SECONDS)

    def measure(self):
        values = run(self.words)
        self.ended = values is None
        if self.ended:
            return
        new = dict(zip(('cpu', 'elapsed', 'memory', 'status'), values))
        old = self.best or new
        self.best = {key: min(old[key], new[key]) for key in new}

    def show(self, own):
        if not shutil.which(self.words[0]):
            return f'{self.name:<30} absent'
        if self.ended:
            return f'{self.name:<30} ended after {LIMIT_SECONDS} s'
        best = self.best
        ratios = '' if self.words[0] == WORTH else (
            f'{best["cpu"] / max(own.best["cpu"], 1e-3):8.2f} {best["memory"] / own.best["memory"]:6.2f}')
        trouble = f'  status {best["status"]}' if best['status'] not in (0, 1) else ''
        return (f'{self.name:<30} {best["cpu"]:7.3f} {best["elapsed"]:7.3f} '
                f'{best["memory"] / 1e6:6.0f}{ratios}{trouble}')

    def verdicts(self, rows):
        """(sentence, whether it holds) of each target; a target may be another row's figure."""
        for key, bound in self.targets.items():
            if isinstance(bound, str):
                peer = next(row for row in rows if row.name == bound)
                if not peer.best:
                    continue
                bound = peer.best[key]
            unit = 1e6 if key == 'memory' else 1
            yield (f'{self.name}: {key} {self.best[key] / unit:.3g}, to reach: at most '
                   f'{bound / unit:.3g}', self.best[key] <= bound)


def compare(rows):
    """Measures in rounds and prints the rows; True if every target was reached."""
    for _ in range(ROUNDS):
        for row in rows:
            if row.due():
                row.measure()
    print(f'{"":30} {"CPU s":>7} {"wall s":>7} {"MB":>6} {"x CPU":>7} {"x MB":>6}')
    for row in rows:
        print(row.show(rows[0]))
    reached = True
    for row in rows:
        for sentence, holds in row.verdicts(rows):
            print(f'  {"reached" if holds else "MISSED "}  {sentence}')
            reached = reached and holds
    return reached


def worth(name, *words, **targets):
    return Row(name, [WORTH, 'size', *words], **targets)


def peers(baseline, candidate):
    os.environ['PATH'] += ':' + os.path.abspath(
        size_inputs.kernel_source('scripts/bloat-o-meter') + '/scripts')
    return [Row('size', ['size', baseline, candidate]),
            Row('nm -S --size-sort (one)', ['nm', '-S', '--size-sort', candidate]),
            Row('bloat-o-meter', ['bloat-o-meter', baseline, candidate]),
            Row('bloaty -d symbols', ['bloaty', '-d', 'symbols', candidate, '--', baseline]),
            Row('bloaty -d inlines', ['bloaty', '-d', 'inlines', candidate, '--', baseline]),
            Row('codiff', ['codiff', baseline, candidate]),
            Row('pfunct -t (one)', ['pfunct', '-t', candidate])]


def sqlite():
    """Two builds of sqlite of 6 MB: everything at once."""
    pair = size_inputs.sqlite_pair()
    return compare([worth('worth size --inlines', '--inlines', *pair, cpu=0.15),
                    worth('worth size', *pair), *peers(*pair)])


def kernel():
    """A kernel of 100 MB with and without nla_put_u32 inlined: bench/outlined_kernel.py makes it."""
    pair = ['linux/baseline', 'linux/nla_put_u32']
    if not all(os.path.exists(path) for path in pair):
        print('linux/baseline and linux/nla_put_u32 are not there: tools/bench outlining makes them')
        return False
    return compare([worth('worth size --by symbol', '--by', 'symbol', *pair, cpu='bloat-o-meter',
                          elapsed='bloat-o-meter'),
                    worth('worth size --inlines', '--inlines', *pair), *peers(*pair)])


def cloud():
    """Debian's two newest cloud kernels with debug information, 590 MB each."""
    pair = size_inputs.debug_kernels()
    return compare([worth('worth size --inlines, 1 job', '--inlines', '--jobs', '1', *pair,
                          cpu=4, memory=500e6),
                    worth('worth size --inlines, 2 jobs', '--inlines', '--jobs', '2', *pair,
                          memory=900e6, elapsed='worth size --inlines, 1 job'),
                    worth('worth size', *pair), *peers(*pair)])


def stripped():
    """The stripped library of this machine nearest to 100 MB, alone: totals and symbols."""
    path = size_inputs.stripped_library()
    print(f'{path}, {os.path.getsize(path) / 1e6:.0f} MB')
    return compare([worth('worth size', path, cpu=0.1, elapsed=0.1), Row('size', ['size', path]),
                    Row('nm -D -S --size-sort', ['nm', '-D', '-S', '--size-sort', path])])


PARTS = {part.__name__: part for part in (sqlite, kernel, cloud, stripped)}


def main():
    if '--list' in sys.argv:
        for name, part in PARTS.items():
            print(f'{name:10} {part.__doc__}')
        return 0
    if not WORTH:
        sys.exit(__doc__)
    reached = True
    for name in sys.argv[2:] or PARTS:
        if name not in PARTS:
            print(f'there is no part "{name}"; --list shows them', file=sys.stderr)
            return 2
        print(f'-- {name}: {PARTS[name].__doc__}', flush=True)
        reached = PARTS[name]() and reached
    return 0 if reached else 1


if __name__ == '__main__':
    sys.exit(main())
