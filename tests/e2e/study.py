# SPDX-License-Identifier: GPL-2.0-or-later
"""worth study: what there is, that every study can be planned, and one from end to end."""
import json
import os
import re
import shutil
import sys

from world import World, Tap

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data')

CLAIMS = '''
[measure]
rounds = 8
no-peek = yes
[variant one]
program = 1
[variant two]
program = 2
[workload]
command = /bin/sh -c 'echo "size {program}0 B lower" >&$WORTH_FD'
[claim {name}]
says = two is larger
metric = {metric}
candidate = {candidate}
baseline = {baseline}
direction = {direction}
least = {least}
published = twice as large
'''


def check_list(tap, world):
    run = world.worth('study')
    with open(os.path.join(DATA, 'studies.txt'), encoding='utf-8') as stream:
        tap.same(run.out, stream.read(), 'worth study lists the studies')
    tap.ok(run.status == 0 and all(len(row) <= 80 for row in run.out.splitlines()),
           'the list fits into 80 columns', run)
    return [row.split()[0] for row in run.out.splitlines() if row.startswith('  ')]


def check_each(tap, world, names):
    for name in names:
        run = world.worth('study', '--check', name)
        tap.ok(run.status == 0 and 'nothing was run' in run.out, f'{name} can be planned', run)
        text = world.worth('study', '--print', name)
        path = world.path('printed.ini')
        with open(path, 'w', encoding='utf-8') as stream:
            stream.write(text.out)
        run = world.worth('run', '--check', '--yes', path)
        tap.ok(text.status == 0 and run.status == 0, f'{name} can be printed and run', run)
        tap.ok('\n[study]\n' in text.out and '\nquick = ' in text.out and
               text.out.count('\n[claim ') == text.out.count('\npublished = ') > 0,
               f'{name} has a summary, a short form, and claims with what was published')


def claims_file(world, **words):
    words = {'name': 'larger', 'metric': 'size', 'candidate': 'two', 'baseline': 'one',
             'direction': 'higher', 'least': '50%', **words}
    path = world.path('claims.ini')
    text = CLAIMS
    for key, value in words.items():
        if key != 'program':
            text = text.replace('{%s}' % key, value)
    with open(path, 'w', encoding='utf-8') as stream:
        stream.write(text)
    return path


def check_answers(tap, world):
    """A metric that is exactly twice as large, in an experiment of one's own."""
    for words, status, answer in [({}, 0, 'reproduced'), ({'least': '120%'}, 1, 'refuted'),
                                  ({'metric': 'weight'}, 3, 'undecided'),
                                  ({'candidate': 'one', 'baseline': 'two', 'direction': 'lower'},
                                   0, 'reproduced'),
                                  ({'candidate': 'one', 'baseline': 'two'}, 1, 'refuted')]:
        out = world.path('claims.json')
        run = world.worth('run', '-q', claims_file(world, **words), '--json', out)
        tap.ok(run.status == status, f'{answer} is exit status {status}', run)
        last = run.out.strip().splitlines()[-1]
        tap.ok(last.startswith(f'{answer.upper()} on this machine: '), 'and the last line', last)
        with open(out, encoding='utf-8') as stream:
            claim = json.load(stream)['tables']['claims'][0]
        tap.ok(claim['answer'] == answer and claim['published'] == 'twice as large',
               'and a member of the JSON', claim)
    again = world.worth('report', 'last')
    tap.ok(again.out.strip().splitlines()[-1].startswith('REFUTED on this machine: 1 of 1'),
           'the history tells it again', again)


def check_refused(tap, world):
    for words, sentence in [({'candidate': 'three'}, "nothing that is run is 'three'"),
                            ({'candidate': 'one'}, 'candidate and baseline are the same'),
                            ({'direction': 'up'}, 'lower, higher or same'),
                            ({'least': '2'}, 'has no unit'),
                            ({'direction': 'lower', 'least': '100%'}, 'nothing is lower'),
                            ({'name': '..'}, 'cannot name a claim')]:
        run = world.worth('run', '--check', claims_file(world, **words))
        tap.ok(run.status == 2 and sentence in ' '.join(run.err.split()) and
               'claims.ini:' in run.err, f'{words} is refused, with its line', run)
    run = world.worth('study', 'mutex-pip')
    tap.ok(run.status == 2 and "did you mean 'mutex-pipe'" in ' '.join(run.err.split()),
           'an unknown study is refused, with the nearest', run)
    run = world.worth('study', 'mutex-pipe', 'ptrlist-nr')
    tap.ok(run.status == 2 and 'give one study' in run.err, 'two at once are refused', run)


def check_one(tap, world):
    """Bytes do not depend on how busy the machine is, so this claim is decided."""
    page, data = world.path('page.html'), world.path('study.json')
    run = world.worth('study', '--quick', '-q', '--set', 'primary=list-bytes', 'ptrlist-long',
                      '-o', page, '-o', data)
    tap.ok(run.status in (0, 1, 3), 'a short study ends in an answer', run)
    with open(data, encoding='utf-8') as stream:
        found = {row['claim']: row for row in json.load(stream)['tables']['claims']}
    tap.ok(found['bytes']['answer'] == 'reproduced' and
           abs(found['bytes']['change'] - 0.1) < 0.001, 'its claim about bytes is reproduced',
           found)
    with open(page, encoding='utf-8') as stream:
        text = stream.read()
    tap.ok('on this machine' in text and '18.8%' in text, 'the HTML page has it, too')
    tap.ok('on this machine' in world.worth('report', 'last', '--markdown', '-').out,
           'and Markdown from the history')


def check_simulated(tap, world):
    """A short spin-hot-cold: what valgrind counts stands beside the curve."""
    if not shutil.which('valgrind') or os.environ.get('WORTH_SANITIZED'):
        tap.skip('what is simulated stands beside the curve', 'no valgrind')
        return
    text = world.worth('study', '--print', 'spin-hot-cold').out
    text = re.sub(r'(?m)^levels = .*', 'levels = 0 16384 65536', text)
    text = text.replace('[variant tas-thunk]\n', '').replace('--operations 600000',
                                                            '--operations 6000')
    text = text[:text.index('[claim ')]
    path, page, data = world.path('short.ini'), world.path('short.html'), world.path('short.json')
    with open(path, 'w', encoding='utf-8') as stream:
        stream.write(text)
    run = world.worth('run', '-q', '--set', 'rounds=1', path, '-o', page, '--json', data)
    if 'has not in a form for' in run.out + run.err:
        tap.skip('what is simulated stands beside the curve', 'this build copies no code')
        return
    with open(data, encoding='utf-8') as stream:
        tables = json.load(stream)['tables']
    rows = {(row['cell'].split('=')[1], row['variant']): row for row in tables['beside']}
    tap.ok(len(rows) == 6, 'all cells were simulated', rows)
    small, large = rows['0', 'tas-inline'], rows['65536', 'tas-inline']
    lines = large['sim code lines'] - small['sim code lines']
    tap.ok(1024 <= lines <= 1400, '64 KiB of code are so many lines', lines)
    # Every pass over twice the cache misses nearly every line: 32768 sites of 16 lines and more.
    tap.ok(small['sim I1 misses'] < 5000 and large['sim I1 misses'] > 16 * 32768,
           'what fits the cache misses it at the start, what does not always', rows)
    tap.ok(rows['65536', 'tas-outline']['sim I1 misses'] < large['sim I1 misses'],
           'less code misses less', rows)
    tap.ok([row['variant'] for row in tables['crossings']] == ['tas-outline'],
           'the crossing is looked for', tables['crossings'])
    with open(page, encoding='utf-8') as stream:
        tap.ok('id="effect-footprint"' in stream.read(), 'the curve is drawn')


def main():
    tap = Tap()
    with World() as world:
        names = check_list(tap, world)
        check_each(tap, world, names)
        check_answers(tap, world)
        check_refused(tap, world)
        check_one(tap, world)
        check_simulated(tap, world)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
