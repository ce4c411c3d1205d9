# SPDX-License-Identifier: GPL-2.0-or-later
"""What is run: words, names, sweeps, input and output of the runs, their number and order.

    options.py WORTH
"""
import json
import os
import sys

from world import FEW, Tap, World, labels, orders, refused, values

tap = Tap()


def words(world):
    show = world.script('show', 'printf "<%s>" "$@" >>"$LOG"; echo >>"$LOG"')
    world.worth(*FEW, '-r', '1', f"{show} '/a b/c d' plain \"x\\\"y\" a\\ b ''")
    tap.same(world.logged(), ['</a b/c d><plain><x"y><a b><>'],
             'words are split as a shell would, and no further')
    world.worth(*FEW, '-r', '1', show, f'{show} own', '--', 'a b', '$HOME', '--rounds', '{x}')
    tap.same(sorted(world.logged()), sorted(['<a b><$HOME><--rounds><{x}>',
                                             '<own><a b><$HOME><--rounds><{x}>']),
             'arguments after -- go to every command as they are')
    world.worth(*FEW, '-r', '1', '--shell', f'{show} $((1+1)) | cat; {show} b', '--', 'a b')
    tap.same(world.logged(), ['<2>', '<b><a b>'], '--shell: shell syntax and shared arguments')
    run = world.worth(*FEW, 'compare', '-r', '1', 'true')
    refused(tap, run, "compare", 'the word compare comes first')
    run = world.worth('compare', *FEW, 'true', 'true')
    tap.same(run.status, 0, 'worth compare is the same command')


def names(world):
    data = world.measure(*FEW, '-n', 'old', '-n', 'new', 'true', 'true 1')
    tap.same(labels(data), ['old', 'new'], '-n names the commands in their order')
    data = world.measure(*FEW, '-n', 'old', 'true', 'true 1', 'true 1')
    tap.same(labels(data), ['old', 'candidate 1', 'candidate 2'], 'others are called by their role')
    refused(tap, world.worth(*FEW, '-n', 'a', '-n', 'b', 'true'), '-n is given 2 times for 1 command:',
            'a name too many')
    long = 'x' * 64
    data = world.measure(*FEW, '-n', long + '1', '-n', long + '2', '-n', 'nan', '-n', 'foo/bar"',
                         'true', 'true', 'true', 'true')
    tap.same(labels(data), [long + '1', long + '2', 'nan', 'foo/bar"'],
             'long names stay apart; names are neither numbers nor paths')
    tap.ok(all(isinstance(label, str) for label in labels(data)) and
           world.worth('report', 'last').status == 0, 'and are read back from the history')


def sweeps(world):
    show = world.script('show', 'printf "<%s>" "$@" >>"$LOG"; echo >>"$LOG"')
    data = world.measure(*FEW, '-r', '1', '-L', 'a=1,2 3', '-L', 'b=x,y', f'{show} o {{a}} {{b}}',
                         f'{show} n {{a}}{{b}} {{{{a}}}}')
    tap.same(sorted(world.logged()),
             sorted([f'<o><{a}><{b}>' for a in ('1', '2 3') for b in 'xy'] +
                    [f'<n><{a}{b}><{{a}}>' for a in ('1', '2 3') for b in 'xy']),
             '-L: every combination, a value never splits, {{ is a brace')
    subjects = data['recording']['plan']['subjects']
    tap.same([subject['baseline'] for subject in subjects], [0, 0, 2, 2, 4, 4, 6, 6],
             'commands are compared within each cell')
    tap.same([[level['value'] for level in subject['levels']] for subject in subjects[::2]],
             [['1', 'x'], ['1', 'y'], ['2 3', 'x'], ['2 3', 'y']], 'the cells have their levels')
    data = world.measure(*FEW, '-r', '1', '--parameter-scan', 'n', '1..9..4', f'{show} {{n}}')
    tap.same(sorted(world.logged()), ['<1>', '<5>', '<9>'], '--parameter-scan with a step')
    tap.same([subject['baseline'] for subject in data['recording']['plan']['subjects']],
             [0, 0, 0], 'one command swept is compared with its first cell')
    world.worth(*FEW, '-r', '1', '--shell', '-L', "v=a;echo b,it's", f'{show} {{v}}')
    tap.same(sorted(world.logged()), ['<a;echo b>', "<it's>"], 'under --shell a value is quoted')
    world.worth(*FEW, '-r', '1', '-L', 'v=1,2', show, '--', '{v}')
    tap.same(sorted(world.logged()), ['<1>', '<2>'], 'placeholders in shared arguments')
    world.worth(*FEW, '-r', '1', '-L', 'v=1,2', '--prepare', f'{show} prepare {{v}}', 'echo {v}')
    tap.same(sorted(world.logged()), ['<prepare><1>', '<prepare><2>'], 'placeholders in hooks')
    data = world.measure(*FEW, '-r', '1', '-n', 'N', '-L', 'v=1,2', 'echo {v}')
    tap.same(labels(data), ['N v=1', 'N v=2'], 'a name is told apart by its levels')


def streams(world):
    text = 'some\ninput\n' * 1000
    path = world.write('input', text)
    out = world.path('out.txt')
    run = world.worth(*FEW, '--input', path, '--output', out, 'cat', 'cat')
    tap.ok(run.status == 0 and world.read('out.txt') == text,
           '--input is read anew by every run, --output FILE has the last one', run)
    where = world.script('where', 'readlink /proc/self/fd/7 7>&1 >>"$LOG"; echo Zanzibar; echo Timbuktu >&2')
    quiet = world.worth(*FEW, '-r', '1', where)
    tap.same(world.logged(), ['/dev/zero'], 'stdout is /dev/zero by default')
    tap.ok('Zanzibar' not in quiet.out + quiet.err and 'Timbuktu' not in quiet.err,
           'what runs print is not shown', quiet)
    world.worth(*FEW, '-r', '1', '--output', 'null', where)
    tap.same(world.logged(), ['/dev/null'], '--output null')
    world.worth(*FEW, '-r', '1', '--output', 'pipe', where)
    tap.ok(world.logged()[0].startswith('pipe:'), '--output pipe')
    run = world.worth(*FEW, '-r', '1', '--output', 'inherit', where)
    world.logged()
    tap.ok(run.out.startswith('Zanzibar\n'), '--output inherit', run)
    run = world.worth(*FEW, '-r', '1', '--show-output', where)
    tap.ok('Zanzibar\n' in run.err and 'Timbuktu\n' in run.err and 'Zanzibar' not in run.out,
           '--show-output shows both streams on stderr', run)
    world.logged()
    same = world.measure(*FEW, '--same-output', 'echo 1', 'echo 1')
    other = world.worth(*FEW, '--same-output', 'echo 1', 'echo 2')
    tap.ok('output-differs' not in str(same), '--same-output accepts the same bytes', same)
    tap.ok('printed other bytes' in other.out, 'and tells where they differ', other)
    tap.same(other.status, 2, 'which is trouble: the work was not the same')
    tap.ok('runs printed other bytes than the baseline' in other.err, 'and is said last', other)
    tap.ok('other bytes' not in world.worth(*FEW, 'echo 1', 'echo 2').out,
           'which nobody asked for otherwise')
    stdin = world.script('stdin', 'readlink /proc/self/fd/0 >>"$LOG"')
    world.worth(*FEW, '-r', '1', stdin)
    tap.same(world.logged(), ['/dev/null'], 'stdin is /dev/null unless given')


def amounts(world):
    count = world.script('count', 'echo "$@" >>"$LOG"')
    run = world.worth('-q', '-r', '4', '-w', '3', f'{count} a', f'{count} b', '--no-peek')
    lines = world.logged()
    tap.same([lines.count('a'), lines.count('b')], [7, 7], '--rounds and --warmup are kept')
    tap.ok('4 rounds' in run.told, 'and said', run)
    data = world.measure('-q', '-r', '50', '-w', '0', '-b', '0.3s', 'sleep 0.05', 'sleep 0.05')
    tap.ok(data['recording']['end'] == 'budget' and 1 <= data['recording']['rounds_done'] <= 4,
           '--budget truncates', data['recording']['end'])
    run = world.worth('-q', '-r', '50', '-w', '1', '-b', '0.3s', 'sleep 0.05', 'sleep 0.05')
    tap.ok('fewer than 6 rounds will fit' in run.err, 'and a budget too small is said at once', run)


def order(world):
    data = world.measure('-q', '-r', '6', '-w', '2', '--seed', '42', '--no-peek',
                         'true', 'true', 'true')
    again = world.measure('-q', '-r', '6', '-w', '2', '--seed', '42', '--no-peek',
                          'true', 'true', 'true')
    other = world.measure('-q', '-r', '6', '-w', '2', '--seed', '43', '--no-peek',
                          'true', 'true', 'true')
    tap.same(orders(data), orders(again), '--seed gives the same order again')
    tap.ok(orders(data) != orders(other), 'another one another')
    tap.ok(all(sorted(order) == [0, 1, 2] for order in orders(data)) and len(orders(data)) == 6 and
           len(orders(data, warmup=True)) == 2, 'every round has every command once', orders(data))
    plan = world.worth('--dry-run', '-r', '6', '-w', '2', '--seed', '42', '--json', '-',
                       'true', 'true', 'true').data
    shown = [[int(word) - 1 for word in row['order'].split()] for row in plan['tables']['order']]
    tap.same(shown, orders(data), '--dry-run prints the order that is run')
    first = [order[0] for order in orders(world.measure('-q', '-r', '30', '-w', '0', '--no-peek',
                                                        '--seed', '7', 'true', 'true'))]
    tap.ok(0 < sum(first) < 30, 'the baseline is not always first', first)


def dry_run(world):
    count = world.script('count', 'echo "$@" >>"$LOG"')
    before = os.path.exists(world.history) and len(world.sessions())
    run = world.worth('--dry-run', '--setup', f'{count} setup', count, count)
    tap.ok(run.status == 0 and 'nothing was run' in run.told, '--dry-run', run)
    tap.same(world.logged(), [], 'runs nothing, no hook either')
    tap.same(os.path.exists(world.history) and len(world.sessions()), before, 'and saves nothing')


def processor(world):
    allowed = sorted(os.sched_getaffinity(0))
    show = world.script('cpus', 'grep Cpus_allowed_list /proc/self/status >>"$LOG"')
    world.worth(*FEW, '-r', '1', '--cpu', str(allowed[-1]), show)
    tap.ok(world.logged()[0].split()[-1] == str(allowed[-1]), '--cpu pins the runs')
    refused(tap, world.worth(*FEW, '--cpu', '1023', 'true'), '--cpu 1023', 'no such processor')


def padding(world):
    size = world.script('size', 'wc -c </proc/$$/environ >>"$LOG"')
    world.worth('-q', '-r', '8', '-w', '0', size)
    tap.ok(len(set(world.logged())) > 1, "the environment's size varies from run to run")
    world.worth('-q', '-r', '8', '-w', '0', '--no-env-pad', size)
    tap.same(len(set(world.logged())), 1, 'not with --no-env-pad')


def limits(world):
    sleeper = world.script('sleeper', 'sleep 60 & sleep 60')
    run = world.worth(*FEW, '-t', '0.2s', sleeper, 'true')
    tap.ok(run.status == 2 and 'did not end within 200 ms' in run.err, '--timeout', run)
    tap.same(world.left_after(), [], 'and all children of the run are dead')
    run = world.worth(*FEW, '-t', '100ms', '--ignore-failure', 'sleep 60', 'true')
    tap.ok(run.status == 2 and 'INVALID' in run.out.upper(),
           'timeouts under --ignore-failure make it invalid', run)
    stubborn = world.script('stubborn', "trap '' TERM INT HUP; while :; do sleep 0.05; done")
    run = world.worth(*FEW, '-t', '200ms', stubborn)
    tap.ok(run.status == 2 and 'did not end' in run.err and world.left_after() == [],
           'a command that ignores SIGTERM dies as well', run)


def strays(world):
    # Once it has had the time to become sleep.
    stray = world.script('stray', 'setsid sleep 30 >/dev/null 2>&1 & sleep 0.1; exit 0')
    run = world.worth(*FEW, stray, 'true')
    tap.ok(run.status == 0 and 'leaves processes behind when it ends (sleep)' in run.told and
           'killed before the next run' in run.told, 'a stray is named', run)
    tap.same(world.left_after(), [], 'and killed')
    run = world.worth(*FEW, '-r', '1', '--keep-strays', stray)
    tap.ok(run.status == 0 and 'left running' in run.told, '--keep-strays', run)
    tap.ok(len(world.left()) == 1, 'leaves it alive')
    for pid in world.left():
        os.kill(pid, 9)


def null(world):
    data = world.measure('-q', '-r', '8', '-w', '0', '--no-peek', '--null', 'true', 'sleep 0', '-i',
                         '/dev/null')
    samples = data['recording']['samples']
    tap.ok(len(samples) == 24 and data['null']['runs'] == 8, '--null: in each round, too',
           data['null'])
    tap.ok(sorted({row['variant'] for row in data['tables']['runs']}) ==
           ['baseline', 'candidate', 'null'] and
           {row['candidate'] for row in data['tables']['comparisons']} == {'candidate'},
           'its runs are kept, and nothing is compared with it', data['tables']['comparisons'][:1])
    tap.ok('An empty program takes' in world.worth('report', 'last').told and
           "of baseline's" in world.worth('report', 'last').told, 'and the sheet tells its time')
    plan = data['recording']['plan']
    whole = world.write('with.json', json.dumps(data['recording']))
    plan['subjects'] = plan['subjects'][:2]
    data['recording']['samples'] = [sample for sample in samples if sample['subject'] < 2]
    without = world.write('without.json', json.dumps(data['recording']))
    judged = [world.worth('judge', path, '--json', '-').data for path in (whole, without)]
    tap.ok(judged[0]['tables']['comparisons'] == judged[1]['tables']['comparisons'] and
           'null' not in judged[1], 'it changes no verdict', judged[0]['null'])
    run = world.worth(*FEW, '--null', '-n', 'null', '-n', 'other', 'true', 'true', '--json', '-')
    tap.same([subject['label'] for subject in run.data['recording']['plan']['subjects']],
             ['null', 'other', 'null (2)'], 'a command may have its name')
    refused(tap, world.worth(*FEW, '--null', '--baseline', 'last', 'true'), 'exclude each other',
            '--null --baseline')


with World() as one:
    for test in (words, names, sweeps, streams, amounts, order, dry_run, processor, padding, limits,
                 strays, null):
        tap.run(test.__name__, test, one)
        one.logged()
sys.exit(tap.finish())
