#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of a report with 100,000 runs: how long it takes to write, its size, and how long a
browser takes to open it.

    pages.py WORTH

Needs node, chromium and playwright-core in WORTH_PLAYWRIGHT. Exit status 1 if a page has 5 MB or
takes 2 s to open.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'tests', 'page'))
import many  # noqa: E402

RUNS = 100000
MOST_BYTES, MOST_S = 5000000, 2


def main():
    worth, playwright = sys.argv[1], os.environ.get('WORTH_PLAYWRIGHT', '')
    chromium = shutil.which('chromium')
    if shutil.which('node') is None or chromium is None or not os.path.isdir(playwright):
        print('pages: needs node, chromium, and playwright-core in WORTH_PLAYWRIGHT')
        return 2
    model = subprocess.run([worth, '--no-save', '-q', '-r', '2', '-w', '0', '--json', '-', 'true',
                            'true'], stdout=subprocess.PIPE, check=True).stdout
    good = True
    print(f'{RUNS} runs   judged and written in     size   opens in')
    for variants in (2, 10, 50):
        with tempfile.TemporaryDirectory(prefix='worth-pages-') as directory:
            recording, page = (os.path.join(directory, name) for name in ('r.json', 'page.html'))
            many.write(recording, json.loads(model), variants, RUNS)
            start = time.monotonic()
            # Variants that are worse make its exit status 1.
            subprocess.run([worth, 'judge', recording, '--html', page], check=False,
                           stdout=subprocess.DEVNULL)
            wrote_s = time.monotonic() - start
            size = os.path.getsize(page)
            opened_s = float(subprocess.run(
                ['node', os.path.join(HERE, 'pages.js'), playwright, chromium, page], check=True,
                stdout=subprocess.PIPE).stdout)
        print(f'{variants:3} variants               {wrote_s:6.2f} s  {size / 1e6:4.1f} MB   {opened_s:5.2f} s',
              flush=True)
        good = good and size < MOST_BYTES and opened_s < MOST_S
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
