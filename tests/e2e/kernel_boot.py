# SPDX-License-Identifier: GPL-2.0-or-later
"""A kernel of Debian's, fetched by worth itself and booted: the same figures from boot to boot.

    kernel_boot.py WORTH WORTH_LOAD

WORTH_KERNEL names one to boot instead. It is skipped, and says why, without QEMU, where Debian's
archive is out of reach, and under sanitizers, whose programs need a C library.
"""
import json
import os
import re
import shutil
import subprocess
import sys

from world import Tap, World, values

tap = Tap()
# A boot is 5 s of an idle processor, and a busy machine has few of them.
BOOTS_S = 280


def newest_cloud_kernel():
    """By apt's own lists; None: it knows none."""
    if shutil.which('apt-cache') is None:
        return None
    listed = subprocess.run(['apt-cache', 'search', '--names-only',
                             '^linux-image-6.1.0-[0-9]+-cloud-amd64-unsigned$'],
                            capture_output=True, text=True, check=False).stdout
    names = re.findall(r'^linux-image-6\.1\.0-\d+\S*', listed, re.MULTILINE)
    return max(names, key=lambda name: int(name.split('-')[3]), default=None)


def why_not(load):
    with open(load, 'rb') as stream:
        if b'/ld-linux' in stream.read():
            return 'worth-load is not static here'
    if shutil.which('qemu-system-x86_64') is None:
        return 'QEMU is not installed'
    if 'WORTH_KERNEL' not in os.environ and newest_cloud_kernel() is None:
        return 'apt knows no kernel: apt-get update has not been run, or the archive is out of reach'
    return None


def boots(world, word):
    run = world.worth('kernel', '-q', '--no-save', '-r', '2', '--no-perturb', '--json', '-',
                      '-w', 'getppid', '-w', 'pipe', word, patience_s=BOOTS_S)
    if run.status == 2 and 'deb:' in run.err:
        tap.skip('a kernel of Debian', f'it cannot be fetched: {run.err.strip()}')
        return
    tap.ok(run.status == 0, 'a kernel is booted twice', run)
    for name, least, most in (('getppid', 100, 2000), ('pipe', 2000, 50000), ('boot', 1e7, 1e10)):
        seen = values(run.data, name)
        tap.ok(len(seen) == 2 and seen[0] == seen[1], f'{name}: the same to the last digit', seen)
        tap.ok(least < seen[0] < most, f'{name}: as many instructions as can be', seen)
    tap.same(world.left(), [], 'nothing is left running')


def counts(world, word):
    """The same kernel on both sides: every function executes the same."""
    run = world.worth('kernel', '-q', '-r', '1', '--no-perturb', '--where', '--json', '-',
                      '-w', 'stat', word, word, patience_s=BOOTS_S)
    if run.status == 2 and ('plugin' in run.err or 'tells no symbols' in run.err):
        tap.skip('where it executes', run.err.strip())
        return
    rows = run.data['tables']['where']
    kept = world.worth('report', 'last', '--json', '-').data
    path = world.write('recording.json', json.dumps(run.data['recording']))
    tap.ok(kept['tables']['where'] == rows and kept['recording']['where'] ==
           run.data['recording']['where'], 'the history keeps them', kept['tables'].keys())
    tap.same(world.worth('judge', path, '--json', '-').data['tables']['where'], rows,
             'and so does the recording')
    whole = next(row for row in rows if row['kind'] == 'whole')
    parts = [row for row in rows if row['kind'] != 'whole']
    tap.ok(len(parts) > 50 and all(row['baseline'] == row['other'] for row in rows),
           'a kernel beside itself executes the same in every function', rows[:5])
    tap.ok(abs(sum(row['baseline'] for row in parts) / whole['baseline'] - 1) < 0.001,
           'functions and programs are all that is executed', whole)
    figure = values(run.data, 'stat')[0]
    tap.ok(abs(whole['baseline'] / figure - 1) < 0.02, 'which is what the workload says',
           (whole, figure))
    tap.ok(any('stat' in (row['function'] or '') for row in parts), 'by the functions of a stat',
           [row['function'] for row in parts[:20]])


def main():
    reason = why_not(sys.argv[2])
    if reason is not None:
        tap.skip('a booted kernel', reason)
        return tap.finish()
    word = os.environ.get('WORTH_KERNEL') or f'deb:{newest_cloud_kernel()}'
    with World() as world:
        boots(world, word)
        counts(world, word)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
