# SPDX-License-Identifier: GPL-2.0-or-later
"""Pages as a reader sees them, in headless Chromium driven by playwright-core (page.js).

    tests/page/page.py WORTH GOLDEN

WORTH_PLAYWRIGHT names the directory of playwright-core. Without it, without node or without a
chromium the tests are skipped.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..'))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
from tap import Tap  # noqa: E402
from world import FEW, World  # noqa: E402
import many  # noqa: E402
import trends  # noqa: E402

WORTH, GOLDEN = sys.argv[1:3]
PAGES = ['faster', 'hostile', 'three-candidates', 'sweep', 'two-groups', 'unpaired']
MANY_RUNS = 100000
MOST_BYTES = 5000000


def missing():
    playwright = os.environ.get('WORTH_PLAYWRIGHT', '')
    if not os.path.isdir(playwright):
        return 'no playwright-core'
    if shutil.which('node') is None:
        return 'no node'
    if shutil.which('chromium') is None:
        return 'no chromium'
    return None


def shown(name, form):
    return subprocess.run([GOLDEN, '--show', name, form], check=True, capture_output=True,
                          text=True).stdout


def open_page(tap, name, html, counts):
    """Passes page.js's own lines on, one by one."""
    with tempfile.TemporaryDirectory(prefix='worth-page-') as directory:
        path = os.path.join(directory, 'report.html')
        with open(path, 'w', encoding='utf-8') as stream:
            stream.write(html)
        run = subprocess.run(
            ['node', os.path.join(HERE, 'page.js'), os.environ['WORTH_PLAYWRIGHT'],
             shutil.which('chromium'), path, counts] +
            ([os.environ['WORTH_SCREENSHOTS']] if 'WORTH_SCREENSHOTS' in os.environ else []),
            capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    for number, line in enumerate(lines):
        match = re.match(r'(not )?ok \d+ - (.*)', line)
        if match is not None:
            detail = lines[number + 1] if number + 1 < len(lines) else ''
            tap.ok(match[1] is None, f'{name}: {match[2]}', detail)
    tap.ok(lines and lines[-1].startswith('1..'), f'{name}: the browser came to its end',
           run.stdout + run.stderr)


def many_runs(tap):
    """Of two variants, and of many, which share the marks of a picture."""
    for variants in (2, 25):
        name = f'many runs of {variants}'
        with tempfile.TemporaryDirectory(prefix='worth-page-') as directory:
            recording = os.path.join(directory, 'many.json')
            many.write(recording, json.loads(shown('faster', 'json')), variants, MANY_RUNS)
            run = subprocess.run([WORTH, 'judge', recording, '--html', '-'], capture_output=True,
                                 text=True, check=False)
        tap.ok(run.stdout.startswith('<!doctype html>'), f'{name}: there is a page', run.stderr)
        size = len(run.stdout.encode())
        tap.ok(0 < size < MOST_BYTES, f'{name}: the page is below {MOST_BYTES} bytes', size)
        if variants > 2:
            continue
        start = time.monotonic()
        open_page(tap, name, run.stdout, '')
        # All of page.js's checks; opening is the smaller part of it.
        tap.ok(time.monotonic() - start < 60, f'{name}: the page opens', time.monotonic() - start)


def ledger(tap):
    """Bars of what inlined copies take, of this program itself."""
    run = subprocess.run([WORTH, 'size', '--inlines', '--by', 'inline', '--html', '-', WORTH],
                         capture_output=True, text=True, check=False)
    data = subprocess.run([WORTH, 'size', '--inlines', '--by', 'inline', '--json', '-', WORTH],
                          capture_output=True, text=True, check=False).stdout
    rows = [row for row in json.loads(data)['tables']['inlines'] if row['bytes'] > 0]
    if len(rows) < 2:
        tap.skip('ledger', 'this worth is built without debug information')
        return
    open_page(tap, 'ledger', run.stdout, f'inlined={min(len(rows), 20)}')


def trend(tap):
    """A metric from session to session: a mark a session, and one a change."""
    with World() as world:
        world.worth(*FEW, '-n', 'old', '-n', 'new', 'true', 'true')
        model, = trends.exported(world)
        trends.fill(world, model, [0.1] * 10 + [0.12] * 14)
        words = ('history', 'trend', 'wall', '--project', 'kernel', '--machine', 'builder')
        html = world.worth(*words, '--html', '-').out
        rows = world.worth(*words, '--json', '-').data['tables']['sessions']
    steps = sum(before['variant'] == after['variant'] and before['level'] != after['level']
                for before, after in zip(rows, rows[1:]))
    tap.ok(steps == 2 and len(rows) == 48, 'trend: each of two variants changes once', rows)
    open_page(tap, 'trend', html, f'trend={len(rows) + steps}')


def main():
    tap = Tap()
    reason = missing()
    if reason is not None:
        tap.skip('pages in a browser', reason)
        return tap.finish()
    for name in PAGES:
        runs = len(many.judged_runs(json.loads(shown(name, 'json'))))
        open_page(tap, name, shown(name, 'html'), f'runs={runs}')
    ledger(tap)
    trend(tap)
    many_runs(tap)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
