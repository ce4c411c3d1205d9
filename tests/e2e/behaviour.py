# SPDX-License-Identifier: GPL-2.0-or-later
"""What went wrong in other tools, a test a row of the shared cases (behaviour.md), each with its
family. Rows that concern running are run; the table at the end says where every row is held, so
that a new row without a test is noticed.

    behaviour.py WORTH
"""
import re
import signal
import sys
import time

from world import FEW, Tap, World, orders, shared_cases, strict_json, values, wait_for

tap = Tap()
SCORE = ('-q', '-w', '0', '--no-peek', '--primary', 'score')


def feeder(world, name, figures):
    """A command that reports the given figures, one a run."""
    count = world.path(f'{name}.count')
    return world.script(name, f"echo >>'{count}'\nn=$(wc -l <'{count}')\n"
                        f"set -- {' '.join(map(str, figures))}\nshift $((n - 1))\n"
                        'echo "score $1 ms" >&$WORTH_FD')


def interleaved(world, name, one, other, *words):
    return world.measure(*SCORE, '-r', str(len(one)), *words, feeder(world, f'{name}1', one),
                         feeder(world, f'{name}2', other))


def against_history(world, name, one, other):
    """Different numbers of runs: the first side is a session of its own."""
    world.worth(*SCORE, '-r', str(len(one)), feeder(world, f'{name}1', one))
    return world.measure(*SCORE, '-r', str(len(other)), '--baseline', world.sessions()[0]['id'],
                         feeder(world, f'{name}2', other))


def change(world):
    data = against_history(world, 'go', (115, 114, 115, 115, 115), (78.8,) * 5)
    row = data['tables']['comparisons'][0]
    tap.ok(data['verdict'] == 'better', 'a clear change in five runs a side', row)


def identical(world):
    same = interleaved(world, 'same', (7,) * 8, (7,) * 8)
    other = interleaved(world, 'other', (7,) * 8, (8,) * 8)
    one = interleaved(world, 'one', (7,) * 8, (7.1, 7.2, 7.3, 7.25, 7.15, 7.22, 7.4, 7.35))
    tap.ok(same['verdict'] in ('same', 'equivalent') and other['verdict'] == 'worse',
           'every sample identical: exactly equal or different', (same['verdict'], other['verdict']))
    tap.ok(one['verdict'] == 'worse', 'identical on one side', one['verdict'])


def unequal(world):
    data = against_history(world, 'pyperf', (1.0, 1.1, .9, 1.0, 1.05), (1.0, 1.1, .9, 1.0))
    tap.ok(data['verdict'] in ('undecided', 'equivalent'), 'unequal counts, no difference',
           data['verdict'])
    data = against_history(world, 'ministat', (50, 200, 150, 400, 750, 400, 150),
                           (150, 400, 720, 500, 930))
    row = data['tables']['comparisons'][0]
    tap.ok(data['verdict'] == 'undecided', 'iguana and chameleon', data['verdict'])
    tap.note({key: row[key] for key in row if 'welch' in key})


def outliers(world):
    """Without any spread there is no measure of what is far (docs/method.md): such runs are not
    counted as slow, but the extremes show them, and where there is a spread they are counted."""
    for name, odd, shown in (('high', 100, '10.00 .. 100.00 ms'), ('low', 1, '1.000 .. 10.000 ms')):
        run = world.worth(*SCORE, '-r', '8', feeder(world, name, (10,) * 7 + (odd,)))
        tap.ok(run.status == 0 and shown in run.told,
               f'seven times 10, then {odd}: no division by zero, and it is seen', run)
    spread = (10, 10.1, 9.9, 10.05, 9.95, 10.1, 9.9, 10)
    run = world.worth(*SCORE, '-r', '9', feeder(world, 'spread', (*spread, 100)))
    tap.ok('in 1 of the 9 runs' in run.told and 'by a factor of up to 10' in run.told,
           'a far run where there is a spread', run)


def quick(world):
    for words in (('echo 1', 'echo 2'), ('true',)):
        run = world.worth('--json', '-', '-q', '-w', '0', '-r', '1', *words)
        tap.ok(run.status == 0 and strict_json(run.out), f'{words}: no infinity exported', run)
    data = world.measure('-q', '-w', '0', '-r', '60', '--no-peek', '--shell', 'true')
    tap.ok(min(values(data, 'wall')) > 0, 'nothing is subtracted from a shell, nothing clamped')


def quoting(world):
    show = world.script('show', 'printf "<%s>" "$@" >>"$LOG"')
    world.worth('-q', '-w', '0', '-r', '1', f"{show} -i '/a b/c d.webm'")
    tap.same(world.logged(), ['<-i></a b/c d.webm>'], 'a quoted argument stays one word')


def strays(world):
    started = time.monotonic()
    run = world.worth(*FEW, '--output', 'pipe', "sh -c '(sleep 20) & exit 0'", 'true')
    tap.ok(run.status == 0 and time.monotonic() - started < 10 and
           'its time does not contain theirs' in run.told and 'sleep' in run.told and
           world.left_after() == [], 'a stray: named, killed, not waited for', run)


def much_on_stderr(world):
    script = world.script('loud', 'head -c 200000 /dev/zero | tr "\\0" e >&2; echo the end >&2; exit 9')
    run = world.worth(*FEW, script)
    tap.ok(run.status == 2 and 'exit status 9' in run.err and 'the end' in run.err and
           len(run.err) < 1500, 'more than 64 KiB on stderr', run.err[:2000])


def reads_stdin(world):
    run = world.worth(*FEW, 'cat', 'wc', stdin=None)
    tap.ok(run.status == 0, 'a program that reads stdin finds its end', run)


def fails_late(world):
    flaky = world.script('flaky', 'echo >>"$LOG"; [ $(wc -l <"$LOG") != 6 ] || exit 4')
    run = world.worth('-q', '-w', '0', '-r', '20', '--no-peek', flaky)
    tap.ok(run.status == 2 and 'exit status 4 in round 6' in run.err and
           world.sessions()[0]['rounds'] == 5, 'fails in iteration 6: five runs are kept', run)
    world.logged()


def old_file(world):
    good = world.write('good.json', 'precious')
    world.worth(*FEW, '-o', good, 'true', 'false')
    child = world.start(*FEW, '-o', good, 'sleep 30')
    wait_for(lambda: b'sleep' in world.commands())
    child.send_signal(signal.SIGINT)
    child.communicate()
    tap.same((world.read('good.json'), child.returncode), ('precious', 130),
             'an older file survives failure and SIGINT')


def crashes(world):
    third = world.script('third', 'echo >>"$LOG"; [ $(($(wc -l <"$LOG") % 3)) != 0 ] || kill -SEGV $$')
    run = world.worth('-q', '-w', '0', '-r', '9', '--no-peek', '--ignore-failure', third, 'true')
    tap.ok(run.status == 2 and 'INVALID' in run.out, 'SIGSEGV in one run of three', run)
    world.logged()
    run = world.worth(*FEW, "sh -c 'exit 3'")
    tap.ok(run.status == 2 and 'exit status 3' in run.err, "a command's own status 3", run)


def timeouts(world):
    run = world.worth(*FEW, '-t', '150ms', "sh -c 'sleep 30 & wait'")
    tap.ok(run.status == 2 and 'did not end within 150 ms' in run.err and world.left_after() == [],
           'a timeout ends the whole group', run)


def two_groups(world):
    data = interleaved(world, 'make', (11.1, 750.2, 11.3, 10.9, 750.9, 11.2, 749.8, 11.0) * 3,
                       (11.2, 10.8, 11.1, 750.4, 11.3, 751.1, 11.0, 750.6) * 3)
    sentences = [row['sentence'] for row in data['warnings'] if 'score falls' in row['sentence']]
    tap.ok(len(sentences) == 1 and 'two groups' in sentences[0] and '11' in sentences[0] and
           '750' in sentences[0], 'two groups with both centres', data['warnings'])


def waiting(world):
    run = world.worth('-q', '-w', '0', '-r', '3', 'sleep 0.02')
    tap.ok('most of a run is waiting' in run.told, 'wall time far above CPU time is explained', run)


def order(world):
    data = world.measure('-q', '-w', '0', '-r', '40', '--no-peek', '--seed', '3', 'true', 'true')
    first = [order[0] for order in orders(data)]
    tap.ok(8 < sum(first) < 32 and first != [0, 1] * 20, 'neither side is always first', first)


ELSEWHERE = {
    'hyperfine #306': 'interrupts.py',
    'oven-sh/bun#43328 (reproduced)': 'real.py, unit tests of the spawner',
    'rust-lang/rustc-perf#753': 'reports.py',
    'criterion #272, #190, #690, #142': 'options.py',
    'lodgvideon/poseidon-http-server#126, mui/mui-public#1712': 'real.py, the simulations in bench',
}
HERE = {
    'golang/go#19634': change, 'criterion #720, #873, #658': identical,
    'pyperf compare': unequal, 'ministat man page': unequal, 'hyperfine #329': outliers,
    'hyperfine #319, #642': quick, 'hyperfine shell mode': quick, 'poop #48': quoting,
    'hyperfine #597': strays, 'poop 14e2f30': much_on_stderr, 'Gabriella439/bench#14': reads_stdin,
    'hyperfine #771': fails_late, 'hyperfine (reproduced)': old_file,
    'perf 6.1 (reproduced)': crashes, 'multitime (reproduced)': crashes,
    'sifr-lang/sifr#3802': timeouts, 'hyperfine #72': two_groups, 'hyperfine #515, #898': waiting,
    'LTplus-AG/ifc-lite#4221': order,
}


def every_row():
    path = shared_cases('behaviour.md')
    if path is None:
        tap.skip('every row has its test', 'no shared cases here')
        return
    with open(path, encoding='utf-8') as stream:
        rows = [match.group(1) for match in re.finditer(r'^\| ([^|]+) \|', stream.read(), re.M)]
    rows = [row for row in rows if row not in ('source', '---')]
    tap.same(sorted(rows), sorted([*HERE, *ELSEWHERE]), 'every row has its test')


every_row()
with World() as one:
    for test in dict.fromkeys(HERE.values()):
        tap.run(test.__name__, test, one)
        one.logged()
sys.exit(tap.finish())
