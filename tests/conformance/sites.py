#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compiles what "worth-load sites" writes, for every lock of the build.

    sites.py WORTH_LOAD

It must compile without a warning, the same seed must give the same text, and
each lock must cost bytes where it is used, beside none.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from tap import Tap  # noqa: E402


def load(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=False)


def locks(program):
    """Those of both kinds that this build has."""
    found = []
    for workload in ('spin', 'mutex'):
        said = load(program, workload, '--lock', 'list').stderr
        found += re.findall(r'([\w-]+)(?=,|$)(?! \(absent)', said.split('there are ')[1].strip())
    return found


def text_bytes(program, lock, directory):
    """(bytes of text, what was said)."""
    source = os.path.join(directory, lock + '.c')
    wrote = load(program, 'sites', '--lock', lock, '--count', '40')
    if wrote.returncode != 0:
        return None, wrote.stderr
    with open(source, 'w', encoding='utf-8') as stream:
        stream.write(wrote.stdout)
    flags = ['-mno-red-zone'] if os.uname().machine == 'x86_64' else []
    result = subprocess.run(['cc', '-Os', '-Wall', '-Werror', *flags, '-c', source, '-o',
                             source + '.o'], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return None, result.stderr
    sizes = subprocess.run(['size', source + '.o'], capture_output=True, text=True, check=True)
    return int(sizes.stdout.splitlines()[1].split()[0]), ''


def main(arguments):
    program = arguments[0]
    tap = Tap()
    if shutil.which('cc') is None or shutil.which('size') is None:
        tap.skip('sites are compiled', 'cc or size is not installed')
        return tap.finish()
    twice = [load(program, 'sites', '--seed', '7').stdout for _ in range(2)]
    tap.ok(twice[0] == twice[1] and twice[0].count('\nint site_') == 2000,
           'a seed makes 1000 functions, the same each time', twice[0][:300])
    tap.ok(twice[0] != load(program, 'sites', '--seed', '8').stdout, 'another makes others')
    with tempfile.TemporaryDirectory() as directory:
        bare, said = text_bytes(program, 'none', directory)
        tap.ok(bare is not None, 'none: compiles', said)
        for lock in locks(program):
            if lock == 'none':
                continue
            size, said = text_bytes(program, lock, directory)
            tap.ok(size is not None and bare is not None and size > bare + 40 * 4,
                   f'{lock}: compiles, and takes bytes', f'{size} beside {bare}\n{said}')
    wrong = load(program, 'sites', '--lock', 'pigeon')
    tap.ok(wrong.returncode == 2 and 'no such lock' in wrong.stderr, 'an unknown lock is refused',
           wrong.stderr)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
