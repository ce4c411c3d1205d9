# SPDX-License-Identifier: GPL-2.0-or-later
"""How what was run is judged and kept: metrics of the command's own, requirements, bisecting,
exit statuses, going on with a session, an earlier one as the baseline. The commands report exact
figures, so that no verdict depends on time.

    judging.py WORTH
"""
import os
import signal
import subprocess
import sys

from world import FEW, WORTH, Tap, World, metrics, orders, refused, values, wait_for

tap = Tap()
OWN = ('-q', '-w', '0', '-r', '12', '--seed', '1', '--primary', 'score')


def scorer(world, name, value, words='points'):
    return world.script(name, f'echo "score {value} {words}" >&$WORTH_FD')


def wanderer(world):
    """Figures that wander without a direction, the same ones whenever the log is empty: with a fixed
    seed nothing here is left to chance, which would call one comparison in 20 a difference."""
    return world.script('noisy', 'echo >>"$LOG"; i=$(wc -l <"$LOG")\n'
                        'echo "score $((100 + i * 37 % 101)) points" >&$WORTH_FD')


def own_metrics(world):
    one_side = world.worth('-q', '--primary', 'score', world.script('one', 'echo "score 1 x" >&$WORTH_FD'),
                           'true')
    tap.same(one_side.status, 2, 'a primary metric that one side does not report is refused')
    tap.ok('does not report it' in one_side.err, 'by its name', one_side)
    low, high = scorer(world, 'low', 100), scorer(world, 'high', 130)
    data = world.measure(*OWN, low, high)
    tap.ok(data['verdict'] == 'worse' and data['primary'] == 'score' and
           set(values(data, 'score')) == {100, 130}, "a command's own metric decides",
           (data['verdict'], data['primary']))
    half = world.script('half', 'echo >>"$LOG"; [ $(($(wc -l <"$LOG") % 2)) = 0 ] && exit 1\n'
                        'echo "score 100 points" >&$WORTH_FD')
    run = world.worth(*OWN, '--ignore-failure', half, high)
    tap.ok(run.status == 2 and 'INVALID' in run.out,
           'exact figures of a command that fails half the time are invalid', run)
    world.logged()
    many = world.script('many', 'for i in 5 1 9; do echo "lat $i ms"; done >&$WORTH_FD\n'
                        'echo "rate 7 MB/s" >&$WORTH_FD\necho "score ten points" >&$WORTH_FD')
    run = world.worth('--json', '-', *FEW, many, many)
    data = run.data
    rows = {row['name']: row for row in data['recording']['metrics']}
    tap.ok(values(data, 'lat')[0] == 0.005 and len(data['recording']['samples'][0]['batches']) == 3,
           'a name repeated is a batch, the value their median', values(data, 'lat'))
    tap.ok(rows['rate']['better'] == 'higher' and rows['lat']['better'] == 'lower' and
           rows['lat']['unit'] == 's', 'directions and units', rows)
    tap.ok(any('score ten points' in remark for remark in data['recording']['remarks']),
           'a line that cannot be read is named', data['recording']['remarks'])
    run = world.worth(*FEW, '--primary', 'nothing', 'true', 'true')
    tap.ok(run.status == 2 and '--primary nothing' in run.err and 'wall' in run.err and
           'WORTH_FD' in run.err, 'a primary metric that no run gives', run)
    spaced = world.script('higher', 'echo "score 130 points higher" >&$WORTH_FD')
    spaced_low = world.script('lower', 'echo "score 100 points higher" >&$WORTH_FD')
    tap.same(world.measure(*OWN, spaced_low, spaced)['verdict'], 'better', 'higher may be better')


def statuses(world):
    low, high, same = (scorer(world, name, value)
                       for name, value in (('low', 100), ('high', 130), ('same', 100)))
    noisy = wanderer(world)
    for name, words, expected in (
            ('better', (high, low), 0), ('equivalent', (low, same), 0), ('worse', (low, high), 1),
            ('undecided', (noisy, noisy), 0), ('alone', (low,), 0),
            ('any of several worse', (low, same, high), 1),
            ('require not-worse, better', ('--require', 'not-worse', high, low), 0),
            ('require not-worse, same', ('--require', 'not-worse', low, same), 0),
            ('require not-worse, worse', ('--require', 'not-worse', low, high), 1),
            ('require not-worse, undecided', ('--require', 'not-worse', noisy, noisy), 3),
            ('require better, better', ('--require', 'better', high, low), 0),
            ('require better, same', ('--require', 'better', low, same), 1),
            ('require better, undecided', ('--require', 'better', noisy, noisy), 3),
            ('require equivalent, same', ('--require', 'equivalent', low, same), 0),
            ('require equivalent, better', ('--require', 'equivalent', high, low), 1),
            ('require equivalent, worse', ('--require', 'equivalent', low, high), 1),
            ('require equivalent, undecided', ('--require', 'equivalent', noisy, noisy), 3),
            ('bisect, good', ('--bisect', low, same), 0),
            ('bisect, bad', ('--bisect', low, high), 1),
            ('bisect, undecided', ('--bisect', noisy, noisy), 125),
            ('bisect, a failed run', ('--bisect', low, 'false'), 125),
            ('bisect, usage', ('--bisect', low, '--nonsense'), 125),
            ('a failed run', (low, 'false'), 2), ('usage', ('--nonsense',), 2)):
        world.logged()
        run = world.worth(*OWN, *words)
        tap.ok(run.status == expected, f'status {expected}: {name}', run)
    run = world.worth(*OWN, '-n', 'odd one', '-n', 'b', "sh -c 'exit 3'", low)
    tap.ok(run.status == 2 and "odd one (sh -c 'exit 3') failed with exit status 3" in run.err,
           "the message names the child's status", run)
    run = world.worth(*OWN, "sh -c 'kill -SEGV $$'", low)
    tap.ok(run.status == 2 and 'signal 11 (Segmentation fault)' in run.err, 'or its signal', run)


def margins(world):
    low, high = scorer(world, 'low', 100), scorer(world, 'high', 130)
    data = world.measure(*OWN, '--margin', '3%', '--margin', 'score=40%', '--margin', 'cpu=0.5%',
                         low, high)
    plan = data['recording']['plan']
    tap.ok(plan['margin_ratio'] == 0.03 and
           {row['metric']: row['ratio'] for row in plan['margins']} == {'score': 0.4, 'cpu': 0.005},
           '--margin for all and for a metric', plan)
    tap.same(data['verdict'], 'equivalent', 'a difference within the margin of its metric')
    tap.same(world.measure(*OWN, '--margin', '40%', low, high)['verdict'], 'equivalent',
             'or within that of all')
    run = world.worth(*FEW, '--margin', 'max-rss=40%', '--primary', 'max_rss', '--json', '-', low, low)
    comparison = next(row for row in run.data['tables']['comparisons'] if row['primary'])
    tap.ok(run.data['primary'] == comparison['metric'] == 'max rss' and
           comparison['margin'] == 0.4 and 'serves nothing' not in run.out,
           'blanks in the names of metrics may be typed as - or _', run)
    run = world.worth(*FEW, '--margin', 'wal=40%', low, high)
    tap.ok('margin given for "wal" serves nothing' in run.told, 'a margin for no metric is said',
           run)
    for word, words in (('1', 'per'), ('-1%', '--margin'), ('0%', 'above 0%'), ('100%', 'below'),
                        ('nan%', '--margin'), ('inf%', '--margin'), ('1e999%', '--margin'),
                        ('%', '--margin'), ('=1%', '--margin'), ('wall=', '--margin'), ('', '--margin'),
                        ('1%%', '--margin'), ('1 ms', '--margin')):
        refused(tap, world.worth(*FEW, f'--margin={word}', low, high), words,
                f'--margin {word!r} is refused')
    data = world.measure(*OWN, '--confidence', '0.9', low, high)
    tap.same(data['recording']['plan']['confidence'], 0.9, '--confidence')
    for word in ('0', '1', '1.5', '-1', 'nan', 'inf', '95%', '0.3', ''):
        refused(tap, world.worth(*FEW, f'--confidence={word}', low, high), '--confidence',
                f'--confidence {word!r} is refused')


def failures(world):
    flaky = world.script('flaky', 'echo >>"$LOG"; [ $(wc -l <"$LOG") != 5 ] || { echo oh no >&2; '
                         'exit 7; }')
    run = world.worth('-q', '-w', '0', '-r', '40', '--no-peek', flaky, 'true')
    tap.ok(run.status == 2 and 'exit status 7' in run.err and 'round 5' in run.err and
           '4 rounds before it are kept' in run.err and 'oh no' in run.err,
           'a failure in round 5 is named', run)
    tap.ok(world.sessions()[0]['rounds'] == 4 and world.sessions()[0]['ending'] == 'failed',
           'and the rounds before it are kept', world.sessions()[0])
    world.logged()
    data = world.measure('-q', '-w', '0', '-r', '40', '--no-peek', '--ignore-failure', flaky, 'true')
    failed = [sample for sample in data['recording']['samples'] if 'failed' in sample['flags']]
    tap.ok(len(failed) == 1 and failed[0]['exit_status'] == 7 and data['verdict'] != 'invalid' and
           data['recording']['rounds_done'] == 40, '--ignore-failure goes on and counts it', failed)
    world.logged()
    third = world.script('third', 'echo >>"$LOG"; [ $(($(wc -l <"$LOG") % 3)) != 0 ] || kill -SEGV $$')
    run = world.worth('-q', '-w', '0', '-r', '12', '--no-peek', '--ignore-failure', third, 'true')
    tap.ok(run.status == 2 and 'INVALID' in run.out and '4 of 12' in run.told and
           'by signal 11' in run.told and 'invalid,' not in run.out, 'one run of three dies of SIGSEGV: invalid', run)
    late = world.worth(*FEW, "sh -c 'sleep 0.3; echo gone wrong >&2; exit 4'", 'true')
    tap.ok(late.status == 2 and 'exit status 4' in late.err and 'gone wrong' in late.err,
           'a command that fails late', late)


def modes(world):
    low, high = scorer(world, 'low', 100), scorer(world, 'high', 130)
    data = world.measure(*OWN, '--aa', low)
    tap.ok(data['self_check'] and len(data['recording']['plan']['subjects']) == 2 and
           data['verdict'] == 'equivalent', '--aa runs the command against itself', data['verdict'])
    text = world.worth(*OWN, '--aa', low)
    tap.ok('itself' in text.out, 'and says so', text)
    quick = world.measure('-q', '-w', '0', '-r', '40', '--primary', 'score', low, high)
    whole = world.measure('-q', '-w', '0', '-r', '40', '--primary', 'score', '--no-peek', low, high)
    tap.ok(quick['end'] == 'decided' and quick['rounds_done'] < 40 and whole['rounds_done'] == 40,
           '--no-peek runs all rounds', (quick['rounds_done'], whole['rounds_done']))
    last = world.sessions()[0]['id']
    refused(tap, world.worth('compare', '--extend', last), '--no-peek',
            'after --no-peek nothing is left to extend')
    refused(tap, world.worth('compare', '--extend', world.sessions()[1]['id']), 'decided already',
            'a decided session is not extended')
    refused(tap, world.worth('compare', '--resume', last), '--extend', 'nor a finished one resumed')
    refused(tap, world.worth('compare', '--extend', 'nosuch'), "nosuch", 'an unknown session')
    refused(tap, world.worth('--extend', last, 'true'), 'give none', '--extend with a command')
    refused(tap, world.worth('--resume', last, '--no-save'), '--no-save', '--resume --no-save')
    refused(tap, world.worth('--resume', last, '--extend', last), 'exclude', 'both at once')


def extending(world):
    noisy = wanderer(world)
    world.logged()
    world.worth('-q', '-w', '1', '-r', '8', '--primary', 'score', '--seed', '5', noisy, noisy)
    first = world.worth('report', 'last', '--json', '-').data
    more = world.measure('-q', '--extend', 'last')
    tap.ok(more['recording']['extension_bases'] == [8] and 8 < more['rounds_done'] <= 16 and
           more['recording']['id'] == first['recording']['id'], '--extend doubles the rounds',
           (more['rounds_done'], more['recording']['extension_bases']))
    tap.same(orders(more)[:8], orders(first), 'and keeps what was measured')
    rounds = [sample['round'] for sample in more['recording']['samples']
              if 'warmup' not in sample['flags']]
    tap.same(sorted(set(rounds)), list(range(more['rounds_done'])), 'no round is there twice')
    tap.same(len(world.sessions()[0]['id']) and world.sessions()[0]['rounds'], more['rounds_done'],
             'the history has it as one session')


def baselines(world):
    low, high, same = (scorer(world, name, value)
                       for name, value in (('low', 100), ('high', 130), ('same', 100)))
    world.worth(*OWN, '-n', 'first', low)
    alone = world.sessions()[0]['id']
    run = world.worth(*OWN, '--baseline', alone, high)
    tap.ok(run.status == 1 and f'session {alone}' in run.told, '--baseline ID compares with it', run)
    tap.ok('interleaved' in run.out,
           'and says that the runs were not interleaved', run)
    tap.same(world.worth(*OWN, '--baseline', f'{alone}:first', same).status, 0, '--baseline ID:NAME')
    world.worth(*OWN, '-n', 'one', '-n', 'two', low, same)
    both = world.sessions()[0]['id']
    refused(tap, world.worth(*OWN, '--baseline', both, high), 'say which',
            'a session of two commands needs a name')
    refused(tap, world.worth(*OWN, '--baseline', f'{both}:three', high), "named 'three'",
            'a name it does not have')
    refused(tap, world.worth(*OWN, '--baseline', 'nosuch', high), 'nosuch', 'an unknown session')
    refused(tap, world.worth(*OWN, '--baseline', alone, high, low), 'one command', 'two commands')


def redacted(world):
    secret = world.script('secret-program', 'exit 0')
    host = os.uname().nodename
    run = world.worth(*FEW, '--redact', '--json', '-', secret, 'true', environment={'LC_ALL': 'C'})
    tap.ok(run.status == 0 and world.directory not in run.out and host not in run.out,
           '--redact leaves out host name and paths', run)
    text = world.worth(*FEW, '--redact', secret, 'true')
    tap.ok(world.directory not in text.out and host not in text.out, 'in the text too', text)
    open_ = world.worth(*FEW, '--json', '-', secret, 'true', environment={'TOKEN': 'hunter2'})
    tap.ok(world.directory in open_.out and 'hunter2' not in open_.out,
           'without it they are there; other environment never is')
    database = subprocess.run(['strings', world.history], capture_output=True, check=False) \
        if os.path.exists('/usr/bin/strings') else None
    tap.ok(database is None or b'hunter2' not in database.stdout, 'nor in the history')
    tap.ok(os.stat(world.history).st_mode & 0o777 == 0o600 and
           os.stat(os.path.dirname(world.history)).st_mode & 0o777 == 0o700,
           'the history is private')
    before = len(world.sessions())
    world.worth(*FEW, '--no-save', 'true')
    tap.same(len(world.sessions()), before, '--no-save keeps nothing')


def counters(world):
    run = world.worth('--json', '-', *FEW, '-e', 'cycles,instructions', 'true', 'true')
    data = run.data
    for name in ('cycles', 'instructions'):
        measured = name in metrics(data) and all(value is not None for value in values(data, name))
        said = any(name in remark or 'counter' in remark
                   for remark in data['recording']['remarks'])
        tap.ok(run.status == 0 and (measured or said),
               f'--counters: {name} is measured, or it is said why not', data['recording']['remarks'])
    refused(tap, world.worth(*FEW, '-e', 'no-such-event', 'true'), 'no-such-event',
            'an unknown counter')
    refused(tap, world.worth(*FEW, '-e', ',', 'true'), '--counters', 'an empty counter')


def simulated(world):
    empty = {'PATH': world.path()}
    world.write('true', '#!/bin/sh\n', 0o755)
    run = world.worth(*FEW, '--simulate', world.path('true'), environment=empty)
    tap.ok(run.status == 0 and 'Not simulated: valgrind: not found' in run.told,
           '--simulate without valgrind is said', run)
    if not any(os.access(os.path.join(directory, 'valgrind'), os.X_OK)
               for directory in os.environ['PATH'].split(':')):
        tap.skip('--simulate', 'no valgrind')
        return
    data = world.measure(*FEW, '--simulate', 'true', 'true')
    rows = [row for row in data['recording']['metrics'] if row['source'] == 'simulated']
    tap.ok(len(rows) >= 3 and any('instruct' in row['name'] for row in rows),
           '--simulate adds counts that are labelled simulated', rows)


def interrupted(world):
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
        child = world.start(*FEW, 'sleep 30', 'true')
        wait_for(lambda: b'sleep' in world.commands())
        child.send_signal(number)
        out, err = child.communicate(timeout=20)
        tap.ok(child.returncode == status, f'status {status}: {number.name}',
               f'{child.returncode}\n{out}\n{err}')
    full = subprocess.run([WORTH, *FEW, 'true'], env=world.environment, stdin=subprocess.DEVNULL,
                          stdout=open('/dev/full', 'w', encoding='utf-8'), stderr=subprocess.PIPE,
                          check=False)
    tap.ok(full.returncode == 2 and b'standard output' in full.stderr, 'status 2: stdout is full',
           full.stderr)


with World() as one:
    for test in (own_metrics, statuses, margins, failures, modes, extending, baselines, redacted,
                 counters, simulated, interrupted):
        tap.run(test.__name__, test, one)
        one.logged()
sys.exit(tap.finish())
