# SPDX-License-Identifier: GPL-2.0-or-later
"""What is written: JSON that is strict and says what the text says, files whole or not at all,
the same in every locale.

    reports.py WORTH
"""
import csv
import io
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import threading

from world import FEW, WORTH, Tap, World, strict_json, wait_for

tap = Tap()


def finite(value):
    if isinstance(value, dict):
        return all(finite(item) for item in value.values())
    if isinstance(value, list):
        return all(finite(item) for item in value)
    return not isinstance(value, float) or math.isfinite(value)


def every_kind(world):
    """Sessions of every kind: strict JSON, and the text of the same session agrees."""
    score = world.script('score', 'echo "score $1 points" >&$WORTH_FD')
    kinds = {
        'one alone, once': ('-q', '-r', '1', '-w', '0', 'true'),
        'one alone': ('-q', '-r', '8', 'true'),
        'two, too few': (*FEW, 'echo 1', 'echo 2'),
        'two, one round': ('-q', '-r', '1', '-w', '0', 'true', 'true'),
        'two': ('-q', '-r', '12', 'true', 'sh -c "exit 0"'),
        'three': ('-q', '-r', '8', 'true', 'true', 'true'),
        'swept': ('-q', '-r', '6', '-L', 'a=1,2', 'true {a}', 'echo {a}'),
        'swept alone': ('-q', '-r', '6', '-L', 'a=1,2', 'true {a}'),
        'against itself': ('-q', '-r', '10', '--aa', 'true'),
        'exact': ('-q', '-r', '8', '--primary', 'score', f'{score} 100', f'{score} 110'),
        'zero against one': ('-q', '-r', '8', '--primary', 'score', f'{score} 0', f'{score} 1'),
        'zeros': ('-q', '-r', '8', '--primary', 'score', f'{score} 0', f'{score} 0'),
        'negative': ('-q', '-r', '8', '--primary', 'score', f'{score} -1', f'{score} -2'),
        'huge': ('-q', '-r', '8', '--primary', 'score', f'{score} 1e-300', f'{score} 1e300'),
        'failures': ('-q', '-r', '8', '--ignore-failure', 'true', 'false'),
        'only failures': ('-q', '-r', '8', '--ignore-failure', 'false', 'false'),
        'out of time': ('-q', '-r', '99', '-w', '0', '-b', '50ms', 'true', 'sleep 0.01'),
        'hidden metrics too': ('-q', '-r', '6', '--all', 'true', 'true'),
    }
    for name, words in kinds.items():
        text, path, rows = (world.path(f'kind.{ending}') for ending in ('txt', 'json', 'csv'))
        run = world.worth('-o', text, '-o', path, '-o', rows, *words)
        try:
            data = strict_json(world.read('kind.json'))
        except ValueError as error:
            tap.ok(False, f'{name}: strict JSON', f'{error}\n{run}')
            continue
        shown = world.read('kind.txt')
        tap.ok(finite(data) and not re.search(r'(?<![\w-])-?(nan|inf)(?!\w)', shown, re.IGNORECASE) and
               not re.search(r',-?(nan|inf)', world.read('kind.csv'), re.IGNORECASE),
               f'{name}: neither NaN nor infinity', shown)
        tap.same(shown, run.out, f'{name}: the file has what was shown')
        flat = ' '.join(shown.split())
        verdicts = {'worse': 'SLOWER|LARGER|WORSE', 'better': 'FASTER|SMALLER|BETTER',
                    'equivalent': 'EQUIVALENT|NO DIFFERENCE', 'same': 'SAME|EQUAL|EXACTLY',
                    'undecided': 'UNDECIDED', 'invalid': 'INVALID', 'none': ''}
        word = verdicts.get(data['verdict'] or 'none')
        tap.ok(word is not None and re.search(word, flat, re.IGNORECASE),
               f'{name}: the verdict of both is the same', f"{data['verdict']}\n{shown}")
        table = list(csv.DictReader(io.StringIO(world.read('kind.csv'))))
        runs = [row for row in data['recording']['samples']]
        tap.ok(len(table) == len(runs), f'{name}: a row a run', f'{len(table)} {len(runs)}')
        again = world.worth('report', 'last', '--json', '-', *(('--all',) if '--all' in words else ()))
        later = again.data
        tap.same({key: later[key] for key in ('verdict', 'end', 'rounds_done', 'look')},
                 {key: data[key] for key in ('verdict', 'end', 'rounds_done', 'look')},
                 f'{name}: and the history says it again')
        comparisons = data['tables'].get('comparisons', [])
        tap.ok(all(row['change_low'] is None or row['change_high'] is None or
                   row['change_low'] <= row['change_high'] for row in comparisons),
               f'{name}: intervals are intervals', comparisons)
    world.worth(*FEW, '-r', '8', 'true', 'true')
    wide = [world.worth('report', 'last', environment={'COLUMNS': str(columns)}).out
            for columns in (20, 60, 80, 300)]
    tap.ok(all(len(line) <= 80 for text in wide for line in text.splitlines()), '80 columns')


def quiet(world):
    run = world.worth(*FEW, '--json', '-', 'true')
    tap.ok(run.err == '' and strict_json(run.out), '-q says nothing on stderr', run.err)
    run = world.worth('-r', '2', 'true')
    tap.ok(run.err == '', 'a short session has no progress lines in a log', run.err)


def locales(world):
    if not shutil.which('localedef'):
        tap.skip('another locale', 'no localedef')
        return
    directory = world.path('locales')
    os.mkdir(directory)
    made = subprocess.run(['localedef', '-i', 'de_DE', '-f', 'UTF-8',
                           os.path.join(directory, 'de_DE.UTF-8')], capture_output=True, check=False)
    if not os.path.exists(os.path.join(directory, 'de_DE.UTF-8', 'LC_NUMERIC')):
        tap.skip('another locale', made.stderr.decode())
        return
    german = {'LC_ALL': 'de_DE.UTF-8', 'LOCPATH': directory, 'LC_NUMERIC': 'de_DE.UTF-8'}
    printed = subprocess.run(['/usr/bin/printf', '%f', '1'], env=german, capture_output=True,
                             check=False)
    tap.ok(printed.stdout.startswith(b'1,'), 'the locale has decimal commas', printed.stdout)
    run = world.worth('-q', '-r', '8', '-w', '1', '--margin', '0.5%', '--confidence', '0.9', '-t',
                      '1.5s', '--json', '-', 'true', 'true', environment=german)
    # By luck either may be said to be slower: 1 time in 10 at this confidence.
    tap.ok(run.status in (0, 1) and finite(strict_json(run.out)) and
           strict_json(run.out)['recording']['plan']['margin_ratio'] == 0.005,
           'options and JSON in a locale with decimal commas', run)
    for form in ((), ('--json', '-'), ('--csv', '-'), ('--markdown', '-')):
        tap.same(world.worth('report', 'last', *form, environment=german).out,
                 world.worth('report', 'last', *form, environment={'LC_ALL': 'C'}).out,
                 f'the report is the same {form[:1]}')


def whole(world):
    """A reader never sees half a file, nor none where there was one."""
    world.worth('-q', '-r', '60', '-w', '0', '--no-peek', 'true', 'true')
    path = world.path('whole.json')
    world.worth('report', 'last', '-o', path)
    bad, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            try:
                strict_json(world.read('whole.json'))
            except (OSError, ValueError) as error:
                bad.append(error)
    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(10):
        world.worth('report', 'last', '-o', path)
    stop.set()
    reader.join()
    tap.same(bad, [], 'a file that is written again and again is whole at any moment')
    child = subprocess.Popen([WORTH, *FEW, '--output', 'inherit', 'echo a'], env=world.environment,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    child.stdout.close()
    child.stderr.read()
    child.stderr.close()
    child.wait()
    tap.ok(child.returncode in (2, -signal.SIGPIPE) and world.left_after() == [],
           'a reader of stdout that has gone away', child.returncode)


with World() as one:
    for test in (every_kind, quiet, locales, whole):
        tap.run(test.__name__, test, one)
        one.logged()
sys.exit(tap.finish())
