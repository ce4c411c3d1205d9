# SPDX-License-Identifier: GPL-2.0-or-later
"""The history over many sessions: trends with their changes, filters, baselines under a name,
pruning, and sessions carried from one history to another. The sessions are made from one that was
measured, with times of their own, so that what is to be found is known."""
import copy
import json
import os
import random
import sys

from world import FEW, Tap, World

DAY_S = 24 * 60 * 60
FIRST_S = 1780000000
LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'


def identity(number):
    """Ids as worth makes them: six of these letters, a letter first."""
    return 'a' + ''.join(LETTERS[number >> shift & 31] for shift in (20, 15, 10, 5, 0))


def exported(world):
    lines = world.worth('history', 'export').out.splitlines()
    return [json.loads(line) for line in lines]


def session(model, number, level, project='kernel', host='builder'):
    """A session in which each run of the first command took about level seconds, and each of the
    second half of it."""
    made = copy.deepcopy(model)
    noise = random.Random(number)
    recording = made['recording']
    wall = [metric['name'] for metric in recording['metrics']].index('wall')
    recording['id'] = identity(number)
    recording['before']['taken_at_s'] = FIRST_S + number * DAY_S
    recording['before']['facts']['host'] = host
    made['project'] = project
    for sample in recording['samples']:
        share = 1 if sample['subject'] == 0 else 0.5
        sample['values'][wall] = level * share * noise.uniform(0.99, 1.01)
    return made


def fill(world, model, levels, first=0, **more):
    text = ''.join(json.dumps(session(model, first + number, level, **more)) + '\n'
                   for number, level in enumerate(levels))
    return world.worth('history', 'import', world.write('sessions', text))


def changes(world, *words):
    run = world.worth('history', 'trend', *words, '--project', 'kernel', '--machine', 'builder',
                      '--json', '-')
    return run, run.data['tables']['changes'] if run.out else []


def test_import(tap, world, model):
    run = fill(world, model, [0.1] * 10 + [0.12] * 10 + [0.12 * 1.004] * 8)
    tap.ok(run.status == 0 and 'added 28 sessions, 0 were here already' in run.out,
           'sessions are taken in', run)
    run = fill(world, model, [0.1] * 3)
    tap.ok('added 0 sessions, 3 were here already' in run.out, 'each once', run)
    before = exported(world)
    elsewhere = world.elsewhere()
    run = world.worth('history', 'import', '-',
                      stdin=open(world.write('all', ''.join(json.dumps(one) + '\n'
                                                            for one in before)), 'rb'),
                      environment=elsewhere)
    tap.ok(run.status == 0 and f'added {len(before)} sessions' in run.out,
           'an exported history is taken into another', run)
    run = world.worth('history', 'export', environment=elsewhere)
    tap.ok([json.loads(line) for line in run.out.splitlines()] == before,
           'and exported from there it is the same')
    run = world.worth('history', 'export', identity(3)[:-1] + '3')
    tap.ok(len(run.out.splitlines()) == 1 and json.loads(run.out)['recording']['id'] == identity(3),
           'one session may be exported', run)


def test_trend(tap, world):
    run, found = changes(world, 'wall', '--variant', 'old')
    tap.ok(run.status == 0 and [row['id'] for row in found] == [identity(10)],
           'the change is found where it is, and one below the margin is left out', run)
    tap.ok(found and abs(found[0]['change'] - 0.2) < 0.01 and found[0]['verdict'] == 'worse',
           'with its size and direction', found)
    tap.ok(found and found[0]['started_at'].startswith('2026-06-07'), 'and its date', found)
    run, found = changes(world, 'wall', '--variant', 'old', '--margin', '0%')
    tap.ok([row['id'] for row in found] in ([identity(10)], [identity(10), identity(20)]),
           'the margin may be 0', run)
    run, found = changes(world, 'wall')
    tap.ok({row['variant'] for row in found} == {'old', 'new'}, 'every command has a line', run)
    run, found = changes(world, 'wall', '--limit', '9', '--variant', 'old')
    tap.ok(not found, 'of the newest sessions alone there is none', run)
    run, found = changes(world, 'wall', '--since', '2026-06-01', '--variant', 'old')
    tap.ok([row['id'] for row in found] == [identity(10)], 'or from a date on', run)
    run = world.worth('history', 'trend', 'wall', '--project', 'kernel', '--machine', 'builder',
                      '--variant', 'old')
    tap.ok('old is worse since ' + identity(10) in run.told and 'machine builder' in run.told,
           'the answer comes first', run)
    run = world.worth('history', 'trend', 'wall', '--project', 'kernel', '--machine', 'builder',
                      '--variant', 'old', '-o', world.path('t.html'), '-o', world.path('t.svg'),
                      '-o', world.path('t.csv'), '--plot', '-')
    page = world.read('t.html')
    tap.ok('<svg' in page and identity(10) in page and 'wall from session to session' in run.out,
           'as a page, and drawn as text', run)
    tap.ok(len(world.read('t.csv').splitlines()) == 29, 'a row a session in CSV')
    run = world.worth('history', 'trend', 'wall', '--project', 'kernel', '--machine', 'builder',
                      '--redact', '--json', '-')
    tap.ok('builder' not in run.out and 'kernel' not in run.out, 'without names of places', run)


def test_filters(tap, world, model):
    fill(world, model, [0.2] * 4, first=100, project='editor', host='laptop')

    def count(*words):
        run = world.worth('history', '--limit', '0', '--json', '-', *words)
        return len(run.data['tables']['sessions'])
    tap.same(count('--project', 'editor'), 4, 'by project')
    tap.same(count('--machine', 'builder'), 28, 'by machine')
    tap.same(count('--project', 'editor', '--machine', 'builder'), 0, 'by both')
    tap.same(count('--variant', 'new'), 33, 'by the name of a command')
    tap.same(count('--variant', 'newer'), 0, 'by one that none has')
    tap.same(count('--metric', 'wall'), 33, 'by metric')
    tap.same(count('--metric', 'cycles'), 0, 'by one that none has')
    tap.same(count('--since', '2026-08-30', '--project', 'editor'), 4, 'by date')
    run = world.worth('history', '--project', 'nowhere')
    tap.ok('No session is like that' in run.told, 'none is told', run)
    run = world.worth('history', 'trend', 'wall', '--project', 'editor', '--machine', 'laptop')
    tap.ok('too few' in run.told, 'four sessions are too few for a trend', run)


def test_baselines(tap, world):
    name = identity(2)
    run = world.worth('history', '--baseline', 'save', 'v1.0', f'{name}:old')
    tap.ok(run.status == 0 and f'v1.0 is {name}:old' in run.out, 'a session gets a name', run)
    run = world.worth('--baseline', 'v1.0', *FEW, '-r', '6', 'true', '--json', '-')
    tap.ok(run.status in (0, 1) and name in run.out and 'not interleaved' in run.out,
           'and is compared with by it, which is told to be not interleaved', run)
    run = world.worth('history', '--baseline', 'list')
    tap.ok('v1.0' in run.out and name in run.out, 'it is listed', run)
    run = world.worth('history', '--baseline', 'save', 'v1.0', identity(4) + ':new')
    tap.ok(identity(4) in world.worth('history', '--baseline', 'list').out, 'and may move', run)
    tap.ok(world.worth('history', '--baseline', 'save', 'v2', identity(4)).status == 2,
           'of several commands one must be chosen')
    run = world.worth('history', 'prune', '--keep', '5', '--project', 'kernel', '--dry-run')
    tap.ok('would delete 22 of 28 sessions' in run.out, 'a baseline is not pruned', run)
    before = world.size()
    run = world.worth('history', 'prune', '--keep', '5', '--project', 'kernel')
    tap.ok('deleted 22 of 28' in run.out and (world.size() or 0) < (before or 1),
           'pruning gives the space back', run)
    world.worth('history', '--baseline', 'save', 'gone', identity(27) + ':new')
    run = world.worth('history', 'delete', identity(27))
    tap.ok(', and with it the baseline gone' in run.out, 'deleting a baseline is told', run)
    run = world.worth('history', 'prune', '--older', '2026-09-05')
    tap.ok(run.status == 0 and 'deleted' in run.out, 'by date', run)
    run = world.worth('history', '--baseline', 'drop', 'v1.0')
    tap.ok(run.status == 0 and 'No baseline' in world.worth('history', '--baseline', 'list').out,
           'a name is dropped', run)


def test_words(tap, world):
    bad = world.write('bad', '{"worth-session": 1}\n')
    newer = world.write('newer', '{"worth-session": 2, "recording": {}}\n')
    for words, said in (
            (('trend',), 'takes one metric'), (('trend', 'wal'), 'no session of'),
            (('trend', 'wall', '--since', 'yesterday'), 'expected a date'),
            (('prune',), '--older'), (('prune', '--older', '90x'), '--older'),
            (('import',), 'files that'), (('import', world.path('none')), 'cannot read'),
            (('import', bad), 'bad, line 1'), (('import', newer), 'newer worth'),
            (('--baseline', 'save'), 'save NAME'), (('--baseline', 'save', 'a b'), 'letters'),
            (('--baseline', 'drop', 'none'), 'no baseline'), (('--baseline', 'keep'), 'list'),
            (('export', 'zzzzzz'), 'no session')):
        run = world.worth('history', *words)
        tap.ok(run.status == 2 and said in run.err and run.err.count('\n') == 1,
               f'worth history {" ".join(words)[:40]}: one sentence', run)


def main():
    tap = Tap()
    with World() as world:
        os.mkdir(world.path('project'))
        os.mkdir(world.path('project', '.git'))
        os.mkdir(world.path('project', 'deep'))
        world.worth('-q', '-r', '6', '-w', '0', '--no-peek', '-n', 'old', '-n', 'new', 'true',
                    'true', cwd=world.path('project', 'deep'))
        model = exported(world)[0]
        tap.same(model['project'], 'project', 'the project is the top of the work tree')
        world.worth(*FEW, 'true', environment={'WORTH_PROJECT': 'named'})
        tap.same(exported(world)[1]['project'], 'named', 'or what WORTH_PROJECT says')
        world.worth('history', 'delete', 'last')
        test_import(tap, world, model)
        test_trend(tap, world)
        test_filters(tap, world, model)
        test_baselines(tap, world)
        test_words(tap, world)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
