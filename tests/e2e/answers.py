# SPDX-License-Identifier: GPL-2.0-or-later
"""Questions that are put to a measurement: --pareto and --worth, when it is made and afterwards.

    answers.py WORTH

The variants report costs of their own, so that it is known what is right.
"""
import sys

from world import Tap, World

# Milliseconds and bytes; the third is worse than the second in both.
COSTS = {'small': (30, 100), 'even': (20, 200), 'poor': (25, 300), 'fast': (10, 400)}


def variants(world):
    """Commands that report their costs, with a little noise by the round."""
    names, commands = [], []
    for name, (delay, size) in COSTS.items():
        names += ['-n', name]
        commands.append(world.script(name, f'''
echo "delay $(awk -v r=$WORTH_ROUND 'BEGIN {{ srand(r + {delay}); print {delay} * (1 + 0.002 * rand()) }}') ms lower" >&$WORTH_FD
echo "bytes {size} B lower" >&$WORTH_FD'''))
    return names, commands


def main():
    tap = Tap()
    with World() as world:
        names, commands = variants(world)
        measured = ['-q', '-r', '14', '--no-peek', '--primary', 'delay', *names, *commands]
        run = world.worth(*measured, '--pareto', 'delay,bytes', '--json', '-')
        tap.ok(run.status in (0, 1), 'variants are compared by two metrics', run)
        places = {row['variant']: row for row in run.data['tables']['pareto']}
        tap.same({name: row['place'] for name, row in places.items()},
                 {'small': 'front', 'even': 'front', 'poor': 'dominated',
                  'fast': 'front'}, 'one is worth nothing')
        told = world.worth('report', 'last', '--pareto', 'delay,bytes')
        tap.ok(told.status == 0 and 'poor (by even)' in told.told, 'the same afterwards, in words',
               told)
        rate = world.worth('report', 'last', '--worth', '1% delay = 1% bytes', '--json', '-')
        rows = rate.data['tables']['exchange']
        # ln(10/30) + ln(400/100) > 0: three times as fast does not pay for four times the bytes.
        tap.same({row['candidate']: row['verdict'] for row in rows},
                 {'even': 'worse', 'poor': 'worse', 'fast': 'worse'}, 'a rate decides')
        cheap = world.worth('report', 'last', '--worth', '1% delay = 4% bytes', '--json', '-')
        tap.same({row['candidate']: row['verdict'] for row in cheap.data['tables']['exchange']},
                 {'even': 'better', 'poor': 'worse', 'fast': 'better'}, 'and another otherwise')
        for option, word, sentence in (('--pareto', 'delay', 'two metrics'),
                                       ('--pareto', 'delay,byte', "did you mean 'bytes'"),
                                       ('--worth', '1% delay', '1% wall = 2% text'),
                                       ('--worth', '1% delay = 2% byte', "did you mean 'bytes'")):
            bad = world.worth('report', 'last', option, word)
            tap.ok(bad.status == 2 and sentence in bad.err, f'{option} {word!r} is refused', bad)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
