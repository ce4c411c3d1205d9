#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""worth judge as its users call it: pairing, labels, conversion there and back, sets, means without
runs, gates, and input that is not what it should be.

    judge.py WORTH
"""
import glob
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from tap import Tap, shared_cases  # noqa: E402

WORTH = os.path.abspath(sys.argv[1])
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data', 'formats')
tap = Tap()
room = tempfile.TemporaryDirectory()
os.chdir(room.name)


def run(*words, stdin=b''):
    done = subprocess.run([WORTH, 'judge', *words], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def report(*words):
    status, out, err = run(*words, '--json', '-')
    return status, json.loads(out) if out else {'error': err}


def rows(document):
    return {(row['metric'], row['candidate']): row for row in document['tables']['comparisons']}


def only(document):
    return document['tables']['comparisons'][0]


def write(name, content):
    with open(name, 'wb') as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return name


def numbers(name, values):
    return write(name, ''.join(f'{value}\n' for value in values))


def check_pairing():
    drift = [100 + 10 * k for k in range(8)]
    a = numbers('a.txt', [f'{d + w:.2f}' for d, w in zip(drift, (0, .3, .1, .2, .25, .15, .05, .4))])
    b = numbers('b.txt', [f'{d * .98 + w:.2f}' for d, w in zip(drift, (.2, .1, 0, .3, .05, .4, .2, .1))])
    _, apart = report(a, b, '--better', 'lower')
    status, paired = report(a, b, '--better', 'lower', '--paired')
    tap.same(only(apart)['verdict'], 'undecided', 'a drift of 70% hides 2% from unpaired runs')
    tap.same(only(apart)['method'], 'rank-sum', 'unpaired runs are ranked together')
    tap.same(only(paired)['verdict'], 'better', '--paired finds it')
    tap.same((only(paired)['paired'], only(paired)['pairs']), (True, 8), '--paired: 8 pairs')
    tap.same(status, 0, 'better is exit 0')
    text = run(a, b, '--better', 'lower', '--paired')[1]
    tap.ok('because --paired says' in text, '--paired is told', text)
    tap.ok('is not known' in text, 'that the order within rounds is not known is told', text)
    five = [numbers(f'{name}5.txt', open(name + '.txt', encoding='utf-8').read().split()[:5])
            for name in 'ab']
    _, few = report(*five, '--better', 'lower', '--paired')
    tap.same((only(few)['verdict'], only(few)['undecided_reason']), ('undecided', 'floor'),
             '5 pairs are too few')
    tap.same(only(few)['more_likely'], 1, 'one more pair is the least')


def check_latencies():
    outline, inline = (14.2669, 14.2625, 14.2655, 14.2670), (13.9483, 13.9409, 13.9468, 13.9529)
    a, b = (write(name, ''.join(f'Pipe latency: {value:.4f} microseconds\n' for value in values))
            for name, values in (('out.txt', outline), ('in.txt', inline)))
    status, document = report(a, b)
    row = only(document)
    tap.same((status, row['verdict'], row['beyond_margin']), (0, 'better', True),
             'four pipe latencies a side are faster, by more than 1%')
    for words in (('-m', '3%'), ('--margin', 'latency=3%')):
        row = only(report(a, b, *words)[1])
        tap.same((row['verdict'], row['consistent']), ('equivalent', True),
                 f'within 3% they are equivalent, consistently faster ({words[0]})')
    tap.same(report(a, b, '-m', '2.2%')[1]['verdict'], 'better', 'at 2.2% they are faster')
    tap.same(run(b, a)[0], 1, 'the other way round is slower: exit 1')
    tap.same(run(a, b, '--require', 'better')[0], 0, '--require better: shown')
    tap.same(run(a, b, '--require', 'equivalent')[0], 1, '--require equivalent: refuted')
    tap.same(run(a, a, '--require', 'better')[0], 1, '--require better of the same: refuted')
    three = [numbers('l3', outline[:3]), numbers('r3', inline[:3]), '--better', 'lower']
    tap.same(run(*three, '--require', 'better')[0], 3, '--require better of 3 runs: undecided')
    found = set()
    for left, right in itertools.product(itertools.combinations(outline, 3),
                                         itertools.combinations(inline, 3)):
        document = report(numbers('l3', left), numbers('r3', right), '--better', 'lower')[1]
        found.add((document['verdict'], only(document)['undecided_reason'],
                   only(document)['more_likely']))
    tap.same(found, {('undecided', 'floor', 1)}, 'no three a side decide anything')


def check_groups():
    values = '150.2 150.5 165.1 150.1 164.8 165.3 150.4 150.0 165.0 150.3'.split()
    document = report(numbers('g1', values), numbers('g2', values[::-1]))[1]
    kinds = [warning['kind'] for warning in document['warnings']]
    tap.ok('two-groups' in kinds, 'two groups of runs are flagged', str(kinds))
    metric = document['tables']['metrics'][0]
    tap.ok(abs(metric['low_share'] - .6) < 1e-9 and abs(metric['low_centre'] - 150.25) < .1,
           '6 of 10 near 150.2', str(metric))


def check_by():
    cells = os.path.join(DATA, 'factor-table', 'cells.tsv')
    status, document = report(cells, '--by', 'preload')
    variants = {row['candidate'] for row in document['tables']['comparisons']}
    tap.same(variants, {'old preload=parallel', 'new preload=serial', 'new preload=parallel'},
             '--by makes a side of each level of each side')
    metrics = {row['metric'] for row in document['tables']['comparisons']}
    tap.same(metrics, {'wall', 'user', 'sys', 'cpu'}, 'the level leaves the name of the benchmark')
    two = os.path.join(DATA, 'hyperfine', 'two.json')
    status, document = report(two, '--by', 'benchmark')
    tap.same(len({row['candidate'] for row in document['tables']['comparisons']}), 1,
             '--by benchmark compares the commands of one file')
    status, out, err = run(two, '--by', 'colour')
    tap.ok(status == 2 and "no result has a label 'colour'" in err, 'an unknown label is told', err)


SHOWN = ('verdict', 'change', 'change_low', 'change_high', 'p', 'level', 'pairs', 'method',
         'exact', 'better', 'unit', 'primary', 'clock_step')


def verdicts(document):
    return {key: tuple(row[name] for name in SHOWN) for key, row in rows(document).items()}


def check_columns():
    """The columns of one file of numbers, with each other."""
    names, lines = 'old new', ['10.0 9.0', '10.5 9.2', '11.0 9.4', '10.2 9.1', '10.7 9.3']
    for separator, name in ((' ', 'c.txt'), ('\t', 'c.tsv'), (',', 'c.csv'), (' , ', 'c2.csv')):
        file = write(name, '\n'.join(line.replace(' ', separator) for line in [names, *lines]))
        document = report(file, '--by', 'metric', '--better', 'lower')[1]
        row = document['tables']['comparisons'][0] if 'tables' in document else {}
        tap.same((row.get('baseline'), row.get('candidate'), row.get('verdict'), row.get('pairs')),
                 ('old', 'new', 'better', 5), f'{name}: the columns are sides')
    tap.ok('--by metric' in run('c.txt')[1], 'that columns can be compared is told', run('c.txt')[1])
    two = os.path.join(DATA, 'hyperfine', 'two.json')
    alone = report(two)[1]['tables']['comparisons']
    tap.same([(row['baseline'], row['candidate']) for row in alone if row['primary']],
             [('sort old.txt', 'sort new.txt')], 'the commands of hyperfine are sides by themselves')
    several = write('several.txt', 'BenchmarkA 1 10 ns/op\nBenchmarkB 1 11 ns/op\n')
    tap.ok('--by benchmark' in run(several)[1], 'and benchmarks', run(several)[1])
    longer = write('longer.txt', '9\n8\n7\n6\n5\n4\n3\n2\n')
    shorter = write('shorter.txt', '10\n11\n12\n13\n14\n15\n')
    tap.ok('longer.txt has 2 runs more than the shortest side' in
           ' '.join(run('--paired', shorter, longer)[1].split()), 'runs without a partner are told')
    gap = write('gap.csv', 'old,"new"\n1,2\n,2\n3,\n4,5\n')
    run('--convert', gap, '-o', 'gap.json')
    values = [s['values'] for s in json.load(open('gap.json', encoding='utf-8'))['samples']]
    tap.same(values, [[1, 2], [None, 2], [3, None], [4, 5]], 'nothing between commas is missing')
    bad('a longer line under names', ['--format', 'numbers', write('l.csv', 'a,b\n1,2\n1,2,3\n')],
        'l.csv, line 3', 'more columns')


def check_round_trips():
    """What is judged after a conversion is judged alike."""
    seeds = shared_cases('seeds', 'bonnie-stp4-baseline.txt')
    sets = [[os.path.join(DATA, 'go', 'notes.txt')], ['out.txt', 'in.txt'], ['a.txt', 'b.txt'],
            [os.path.join(DATA, 'factor-table', 'runs.csv')], ['g1', 'g2'],
            [os.path.join(DATA, 'lmbench-summary', 'two-kernels.txt')],
            [os.path.join(DATA, 'mail', 'both-sides.txt')]]
    if seeds is None:
        tap.skip('round trips of the seeds', 'the shared cases are absent')
    else:
        at = os.path.dirname(seeds)
        sets += [[f'{at}/bonnie-{machine}-{side}.txt' for side in ('baseline', 'candidate')]
                 for machine in ('stp2', 'stp4')]
        sets += [[f'{at}/size-mutex-{side}.txt' for side in ('outline', 'inline')],
                 [f'{at}/git-diff-2x2.tsv']]
    for files in sets:
        name = '+'.join(map(os.path.basename, files))
        status, direct = report(*files, '--all')
        if 'error' in direct:
            tap.ok(False, f'{name} is judged', direct['error'])
            continue
        for ending in ('json', 'csv'):
            converted = run('--convert', *files, '-o', 'converted.' + ending)
            again, document = report('converted.' + ending, '--all')
            tap.same((again, verdicts(document) if 'tables' in document else document),
                     (status, verdicts(direct)), f'{name}: the same verdicts from {ending}')
        run('--convert', 'converted.json', '-o', 'second.json')
        first, second = (json.load(open(f, encoding='utf-8')) for f in ('converted.json',
                                                                       'second.json'))
        tap.same([s['values'] for s in first['samples']], [s['values'] for s in second['samples']],
                 f'{name}: a second conversion changes no value')
    means = write('means.tsv', 'metric\tx_mean\tx_sd\ty_mean\ty_sd\tn\nreal\t10\t0.1\t9\t0.1\t6\n')
    run('--convert', means, '-o', 'means.json')
    tap.same(verdicts(report('means.json')[1]), verdicts(report(means)[1]),
             'means come back from JSON')
    status, _, err = run('--convert', means, '-o', 'means.csv')
    tap.ok(status == 2 and 'convert to JSON' in err and not os.path.exists('means.csv'),
           'CSV cannot hold means, and says so', err)


def check_means():
    table = 'metric\tx_mean\tx_sd\ty_mean\ty_sd\tn\nreal\t{}\t{}\t{}\t{}\t{}\n'
    status, document = report(write('m', table.format(150.723, 1.492, 147.628, .653, 4)))
    row = only(document)
    tap.same((row['method'], row['verdict'], row['pairs']), ('welch', 'better', 4),
             'means of 4 runs are judged')
    tap.ok(abs(row['p'] - .0174) < 1e-4, "Welch's p", str(row['p']))
    row = only(report(write('m', table.format(150.723, 1.492, 147.628, .653, 2)))[1])
    tap.same((row['verdict'], row['undecided_reason']), ('undecided', 'floor'),
             'means of 2 runs decide nothing')
    row = only(report(write('m', table.format(10, 0, 9, 0, 8)))[1])
    tap.same((row['verdict'], row['undecided_reason']), ('undecided', 'summary'),
             'without any deviation nothing is judged')
    text = run(write('m', '          old            new\nreal   150.7 (1.5)   147.6 (0.7)\n'))[1]
    tap.ok('without the number of runs' in text and 'Means without the number of runs' in text,
           'without n it is not judged, and the reason is told', text)
    seeds = shared_cases('seeds', 'ptrlist-nr29-nr13.tsv')
    if seeds is None:
        tap.skip('the pointer list of the seeds', 'the shared cases are absent')
        return
    text = run(seeds)[1]
    tap.ok('means of 2 runs a side' in text and 'Only means and deviations' in text,
           'the pointer list: 2 runs a side, from a summary', text)
    document = report(seeds)[1]
    for metric, change, p in (('real', -.0205, .166), ('user', -.0097, .109), ('sys', -.0515, .073)):
        row = rows(document)[metric, 'candidate']
        tap.ok(row['verdict'] == 'undecided' and abs(row['change'] - change) < 1e-4 and
               abs(row['welch_p'] - p) < 1e-3, f'the pointer list: {metric} is undecided', str(row))


def check_cells():
    seeds = shared_cases('seeds', 'git-diff-2x2.tsv')
    if seeds is None:
        tap.skip('the four cells of the seeds', 'the shared cases are absent')
        return
    status, document = report(seeds, '--all')
    tap.same(status, 0, 'four cells: nothing is worse')
    expected = {'serial wall': .876, 'serial user': .991, 'serial sys': .789,
                'parallel wall': .725, 'parallel user': .839, 'parallel sys': .038}
    for name, ratio in expected.items():
        row = rows(document)['preload=' + name, 'candidate']
        tap.ok(row['verdict'] == 'undecided' and abs(row['change'] + 1 - ratio) < 6e-4 and
               row['change_low'] is None, f'four cells: {name} is {ratio}, undecided, unbounded',
               str(row))
    said = [w['sentence'] for w in document['warnings'] if w['kind'] == 'accounting']
    tap.same(len([s for s in said if 'suspect' in s]), 1, 'one account is suspect')
    tap.ok(any('CPU time fell by 76' in s and 'wall time fell by 27.5%' in s and
               s.startswith('preload=parallel') for s in said),
           'CPU time fell by 76% while wall time fell by 28%', str(said))


def go_set(name, factor):
    lines = ['pkg: example.org/x']
    for k in range(8):
        for number in range(8):
            value = 1000 * (number + 1) * (1 + .002 * ((k * 7 + number * 3) % 5))
            value *= factor if number == 3 else 1
            lines.append(f'Benchmark{chr(65 + number)}rather_long_name_of_it-8 100 {value:.1f} ns/op')
    return write(name, '\n'.join(lines) + '\n')


def check_sets():
    a, b = go_set('go-a', 1), go_set('go-b', 1.2)
    status, text, _ = run(a, b)
    tap.same(status, 1, 'one benchmark of a set that is worse is exit 1')
    tap.ok(text.startswith('Of 8 benchmarks: 1 SLOWER, 7 EQUIVALENT.'),
           'a set is counted by benchmarks', text)
    tap.ok('Worse: BenchmarkDrather_long_name_of_it-8 (+20.0%).' in text.replace('\n', ' '),
           'the worse ones are named', text)
    tap.ok(all(len(line) <= 80 for line in text.splitlines()), 'a set fits 80 columns', text)
    tap.ok(re.search(r'^geomean +of 8 in s +\+2\.3', text, re.M), 'there is a geometric mean', text)
    mean = report(a, b)[1]['tables']['set_means'][0]
    tap.same((mean['benchmarks'], mean['of'], mean['verdict'], mean['change_low']),
             (8, 8, 'none', None), 'unpaired, the geometric mean has no verdict')
    mean = report(a, b, '--paired')[1]['tables']['set_means'][0]
    tap.same((mean['rounds'], mean['verdict']), (8, 'worse'), 'paired, it has one')
    tap.same(run(a, b, '--filter', 'Benchmark[ABC]')[0], 0, '--filter leaves the worse one out')
    status, text, _ = run(a, b, a)
    tap.ok('Of 16 comparisons (benchmarks of 2 candidates)' in text, 'three files', text)
    found = {row['verdict'] for row in report(a, a)[1]['tables']['comparisons']}
    tap.same(found, {'equivalent'}, 'a set against itself is equivalent')


def check_sweep():
    command = [WORTH, '--no-save', '--rounds', '4', '-L', 'n=1,2', 'true {n}', 'true {n} x',
               '--json', 'sweep.json']
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60,
                   check=False)
    document = report('sweep.json', '--filter', 'n')[1]
    if 'error' in document:
        tap.ok(False, 'a sweep is read', document['error'])
        return
    names = {(row['metric'], row['baseline'], row['candidate'])
             for row in document['tables']['comparisons'] if row['primary']}
    tap.same(names, {('n=1 wall', 'baseline', 'candidate'), ('n=2 wall', 'baseline', 'candidate')},
             'the cells of a sweep are benchmarks')


def compare(name, *words):
    """A measurement, whatever it shows: its sheet, and NAME with its JSON."""
    return subprocess.run([WORTH, '--no-save', *words, '--json', name], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=60, check=False).stdout.decode()


def check_own():
    """What worth measured has the verdict of its session, not one of another method."""
    sheet = compare('own.json', '--rounds', '16', '-m', '30%', 'true', 'true x')
    tap.same(run('own.json')[1], sheet, 'a session from its JSON is judged as it was')
    tap.same(run('own.json', '--paired')[1], sheet, '--paired is what it is anyway')
    sheet = compare('own-sweep.json', '--rounds', '4', '-L', 'n=1,2', 'true {n}', 'true {n} x')
    tap.same(run('own-sweep.json')[1], sheet, 'and a sweep')
    wider = report('own.json', '-m', '40%', '--confidence', '0.9')[1]
    tap.same((wider['recording']['plan']['margin_ratio'],
              wider['recording']['plan']['confidence']), (.4, .9),
             'the user may ask for another margin and confidence')
    tap.same(only(wider)['paired'], True, 'and the pairs stay')
    text = ' '.join(run('own.json', '--filter', '.')[1].split())
    tap.ok('judged anew, without the looks and pairs that were planned' in text and
           '--filter leaves results out' in text and 'margin 30%' in text,
           'where it is judged anew that is told, and its margin holds', text)
    text = ' '.join(run('own.json', 'own-sweep.json')[1].split())
    tap.ok('measured for different margins' in text and '1% and 0.95 hold here' in text,
           'files with different margins: it is told which holds', text)
    run('--convert', '-m', '7%', 'a.txt', 'b.txt', '-o', 'seven.json')
    tap.ok('margin 7%' in run('seven.json', '--better', 'lower')[1],
           'a margin outlives a conversion')


def check_run_table():
    """A table of runs as it is typed into a mail."""
    mail = os.path.join(DATA, 'run-table', 'mail.txt')
    document = report(mail, '--better', 'lower')[1]
    row = document['tables']['comparisons'][0] if 'tables' in document else {}
    tap.same((row.get('baseline'), row.get('candidate'), row.get('verdict'), row.get('pairs')),
             ('mainline', 'patched', 'better', 5), 'run-table: its columns are sides')
    tap.ok('names above the columns were taken for sides' in ' '.join(run(mail)[1].split()),
           'run-table: which is told', run(mail)[1])
    for name, text, sides in (
            ('bare.txt', '> old new\n> 1 2\n> 2 3\n> 3 4\n> 4 5\n', ['old', 'new']),
            ('three.txt', 'Hi,\n\n a b c\n#1 1 2 3\n#2 2 3 4\n#3 3 4 5\n\nbye\n', ['a', 'b', 'c'])):
        document = report(write(name, text))[1]
        found = [subject['label'] for subject in document['recording']['plan']['subjects']] \
            if 'recording' in document else document
        tap.same(found, sides, f'run-table: {name}')
    for name, text in (('two.txt', 'a b\nrun 1 1 2\nrun 2 2 3\n'),
                       ('prose.txt', 'this is prose\nabout 3 things\nand 4 more\nof 5 lines\n'),
                       ('ragged.txt', 'a b\nrun 1 1 2\nrun 2 2\nrun 3 3 4\n')):
        status, _, err = run(write(name, text))
        tap.ok(status == 2 and err, f'run-table: {name} is none', err)


def check_pipes():
    """Pipes with and without a writer, as a shell makes them."""
    numbers('ten.txt', range(10, 18))
    shell = ['bash', '-c', '"$0" judge <(cat ten.txt) <(cat ten.txt; cat ten.txt)', WORTH]
    done = subprocess.run(shell, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                          check=False)
    tap.ok(b'/dev/fd/' in done.stdout and not done.stderr, 'process substitution',
           (done.stdout + done.stderr).decode())
    os.mkfifo('fifo')
    waiting = subprocess.Popen([WORTH, 'judge', 'ten.txt', 'fifo'], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    said = waiting.stderr.readline().decode()
    tap.same(said, 'worth: waiting for fifo, to which nothing was written yet\n',
             'a FIFO without a writer: what is waited for is told')
    numbers('fifo', range(10, 18))
    out, err = waiting.communicate(timeout=60)
    tap.ok(waiting.returncode == 0 and b'fifo' in out and not err, 'and then read', out.decode())


def bad(name, words, *fragments):
    status, out, err = run(*words)
    good = status == 2 and not out and err.count('\n') == 1 and all(f in err for f in fragments)
    tap.ok(good, f'{name}: one sentence', f'exit {status}: {err[:400]}')


def check_bad_input():
    good = numbers('good', range(10, 18))
    text = 'Pipe latency: 5.1 microseconds\n' * 4
    bad('a missing file', [good, 'nowhere'], 'nowhere', 'No such file')
    bad('an empty file', [good, write('e', '')], 'e is empty', 'expected')
    bad('white space', [good, write('blank', ' \n\n \n')], 'blank')
    bad('UTF-16', [good, write('u16', text.encode('utf-16'))], 'u16, line 1', 'UTF-16', 'UTF-8')
    bad('UTF-16, other order', [good, write('u16b', b'\xfe\xff' + text.encode('utf-16-be'))],
        'u16b, line 1', 'UTF-16')
    bad('UTF-16 without a mark', [good, write('u16l', text.encode('utf-16-le'))], 'u16l', 'UTF-16')
    bad('a program', [good, '/bin/true'], '/bin/true', 'binary')
    bad('a compressed file', [good, write('g.gz', b'\x1f\x8b\x08\0\0\0\0\0\0\3abc')], 'g.gz', 'zcat')
    bad('lines that end in CR', [good, write('mac', '1\r2\r3\r4\r')], 'mac, line 1', 'tr')
    for shown, advice in (
            ('j: (groupid=0, jobs=1): err= 0\n    clat (usec): min=2, max=9\n', '--output-format=json'),
            ('| Command | Mean [ms] | Min [ms] |\n|:---|---:|---:|\n| `a` | 1.0 ± 0.1 | 1 |\n',
             '--export-json'),
            ('Benchmark      Time      CPU   Iterations\n---\nBM_x   12 ns   12 ns   57\n',
             '--benchmark_format=json'),
            ('Benchmark     Mode  Cnt  Score   Error  Units\nX.y  thrpt   25  1.2 ± 0.1  ops/s\n',
             '-rf json'),
            ('Name (time in us)   Min   Max   Mean   StdDev\ntest_a   1.0  2.0  1.5  0.1\n',
             '--benchmark-json')):
        bad(f'a report for people: {advice}', [good, write('report', shown)], 'for people', advice)
    bad('prose', [good, write('p', 'We found no difference.\n')], 'p is in no format', '--formats')
    bad('decimal commas', [good, write('c', '1,5\n2,5\n1,7\n')], 'c, line 1', 'comma')
    bad('a word among numbers', ['--format', 'numbers', write('w', '1\n2\nthree\n')], 'w, line 3')
    bad('a number too large', ['--format', 'numbers', write('l', '1\n1e999\n2\n')], 'l, line 2')
    forced = ['--format', 'hyperfine']
    bad('cut JSON', [*forced, write('cut', '{"results": [{"command": "a", "times": [1, 2')], 'cut', 'line 1')
    bad('a key that stands twice', [*forced, write('twice', '{"results": [{"command": "a", "command": "b",'
                                          ' "times": [1, 2]}]}')], 'twice', 'line 1', 'command')
    bad('a number too large in JSON', [*forced, write('big', '{"results": [{"command": "a", "times": '
                                             '[1e999]}]}')], 'big', 'line 1')
    bad('deep JSON', [*forced, write('deep', '{"results": ' + '[' * 100000)], 'deep', 'line 1')
    bad('deep objects', [*forced, write('deep2', '{"results": [' + '{"a":' * 5000)], 'deep2', 'line 1')
    line = b'1 ' * (50 << 20)
    bad('100 MB in one line', [write('long', line)], 'long, line 1', 'longer than')
    bad('100 MB in one line of text', ['--format', 'lmbench', write('long', b'x' * (100 << 20))],
        'long')
    write('long', b'{"results": [{"command": "' + b'x' * (100 << 20))
    bad('100 MB in one string', [*forced, 'long'], 'long')
    os.unlink('long')
    bad('two formats', [write('two', 'real 2.0\nuser 1.0\nsys 0.5\n' + text)],
        'two holds results in two formats', 'line 1', 'line 4', '--format')
    bad('- twice', ['-', '-'], 'one standard input')
    bad('a format that is none', ['--format', 'lmbensh', good], "did you mean 'lmbench'")
    bad('nothing in common', [good, write('lat', text)], 'no result in common')
    failed = json.dumps({'context': {'num_cpus': 1, 'library_build_type': 'x'}, 'benchmarks': [
        {'name': f'B{k}', 'run_type': 'iteration', 'error_occurred': True, 'error_message': 'no',
         'real_time': 1, 'cpu_time': 1, 'time_unit': 'ns'} for k in range(20)]})
    bad('nothing but failures', [write('failed', failed), 'failed'], 'failed: all its results failed or are missing')
    status, out, err = run(write('crlf', text.replace('\n', '\r\n')), write('lf', text))
    tap.ok(status == 0 and 'latency' in out, 'lines may end in CR LF', err)
    status, out, err = run('-', 'lf', stdin=text.encode())
    tap.ok(status == 0 and 'standard input' in out, '- is standard input', err)
    status, out, err = run(write('bom', b'\xef\xbb\xbf' + text.encode()), 'lf')
    tap.ok(status == 0, 'a byte order mark of UTF-8 is no harm', err)
    bad('a number too large in the first line', [write('first', '1e400\n2\n3\n'), good], 'first, line 1', '1e400')
    status, out, err = run('--by', 'benchmark', write('both.json', '{"results": [\n'
                                                      '{"command": "a", "mean": 1, "times": [1.0, 1.1,\n1.2, 1.3]},\n'
                                                      '{"command": "b", "mean": 2, "times":\n[2.0, 2.1, 2.2, 2.3]}]}\n'))
    tap.ok('a was read from both.json, lines 2-3.' in out and 'b was read from both.json, line 5.' in out,
           'the lines of both sides in one JSON file are told', out + err)


def check_itself():
    """Any file against itself is no difference, and every report format can be written."""
    for path in sorted(glob.glob(os.path.join(DATA, '*', '*'))):
        if os.path.isdir(path):
            continue
        status, out, err = run(path, path, '--json', '-')
        if not out:
            continue
        document = json.loads(out)
        found = {row['verdict'] for row in document['tables']['comparisons']
                 if row['baseline'].split(': ')[-1] == re.sub(r' \(\d+\)$', '', row['candidate'])
                 .split(': ')[-1]}
        tap.ok(not found & {'better', 'worse', 'changed'},
               f'{os.path.relpath(path, DATA)} against itself', str(found))
    status, _, err = run('a.txt', 'b.txt', '--json', 'r.json', '--csv', 'r.csv', '--markdown', 'r.md')
    tap.ok(status == 0 and all(os.path.getsize(f) for f in ('r.json', 'r.csv', 'r.md')),
           'JSON, CSV and Markdown at once', err)


for check in (check_pairing, check_latencies, check_groups, check_by, check_columns, check_round_trips,
              check_means, check_cells, check_sets, check_sweep, check_own, check_run_table, check_pipes, check_bad_input, check_itself):
    check()
sys.exit(tap.finish())
