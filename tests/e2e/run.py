# SPDX-License-Identifier: GPL-2.0-or-later
"""worth run: experiment files, revisions in trees of their own, and the search for a revision."""
import os
import subprocess
import sys
import time

from world import World, Tap

PROGRAM = '''/* {number} */
int main(void)
{{
	volatile long sum = 0;
	for (long i = 0; i < {loops}; i++)
		sum += i;
	return 0;
}}
{garbage}
'''
BUILD = 'cc -O1 -o work work.c'


KILLED = '''
[variant base]
revision = c1
build = {build}
command = {{tree}}/work
[variant topic]
revision = c2
build = {build}
command = {{tree}}/work
'''


def git(directory, *words):
    environment = dict(os.environ, GIT_CONFIG_GLOBAL='/dev/null', GIT_CONFIG_SYSTEM='/dev/null')
    return subprocess.run(
        ['git', '-c', 'user.name=n', '-c', 'user.email=e@x', '-C', directory, *words], check=True,
        capture_output=True, text=True, env=environment).stdout


def make_repository(world, slow_from=4, broken=3, count=6):
    """Commits c1..c6: from slow_from on three times as much work, broken does not compile; a hook
    that would be noticed."""
    top = world.path('repo')
    os.mkdir(top)
    git(top, 'init', '-q')
    for number in range(1, count + 1):
        with open(os.path.join(top, 'work.c'), 'w', encoding='utf-8') as stream:
            stream.write(PROGRAM.format(number=number,
                                        loops=9000000 if number >= slow_from else 3000000,
                                        garbage='garbage' if number == broken else ''))
        git(top, 'add', '-A')
        git(top, 'commit', '-qm', f'change {number} <&>')
        git(top, 'tag', f'c{number}')
    hook = os.path.join(top, '.git', 'hooks', 'post-checkout')
    with open(hook, 'w', encoding='utf-8') as stream:
        stream.write(f'#!/bin/sh\ntouch {world.path("hooked")}\n')
    os.chmod(hook, 0o755)
    return top


def run_in(world, top, *words):
    return world.worth('run', '-q', *words, cwd=top)


def files(world, top, text):
    path = os.path.join(top, 'experiment.ini')
    with open(path, 'w', encoding='utf-8') as stream:
        stream.write(text)
    return path


def check_example(tap, world):
    example = world.worth('run', '--example')
    tap.ok(example.status == 0 and '[variant base]' in example.out, '--example prints a file')
    path = files(world, world.directory, example.out)
    checked = world.worth('run', '--check', path)
    tap.ok(checked.status == 0 and 'nothing was run' in checked.out, 'its --check runs nothing',
           checked)
    run = world.worth('run', '-q', path, '--set', 'rounds=4', '--set', 'warmup=0', '--json', '-')
    tap.ok(run.status in (0, 1) and len(run.data['recording']['plan']['subjects']) == 12,
           'it runs: two variants in two workloads of three sizes', run)
    tap.ok(len(run.data['tables']['cells']) == 12 and
           {row['kind'] for row in run.data['tables']['effects']} ==
           {'pooled', 'level', 'interaction', 'trend'}, 'cells and effects are told', run.data['tables'])
    levels = run.data['recording']['plan']['subjects'][3]['levels']
    tap.ok([pair['factor'] if isinstance(pair, dict) else pair[0] for pair in levels] ==
           ['workload', 'lines'], 'several workloads are a factor', levels)


def check_environments(tap, world):
    path = files(world, world.directory, '''
[variant one]
command = true
environment = FIRST=1
environment = SECOND=2
[variant other]
command = true
environment = FIRST=3
''')
    run = world.worth('run', '--check', path)
    tap.ok('FIRST=1 SECOND=2 true' in run.out and 'FIRST=3 true' in run.out,
           '--check tells variants apart that differ in their environment', run)


def check_revisions(tap, world, top):
    status = git(top, 'status', '--porcelain')
    run = run_in(world, top, '--rev', 'c1..c5', '--build', BUILD, '--set', 'rounds=20', '--',
                 './work')
    tap.ok(run.status == 1 and 'c5 is SLOWER than c1' in run.told, 'two revisions are compared',
           run)
    commit = git(top, 'rev-parse', 'c5').strip()
    tap.ok(f'./work (of {commit[:12]})' in run.told, 'and the sheet names their commits', run)
    session = world.worth('report', 'last', '--json', '-')
    tap.same(session.data['recording']['plan']['subjects'][1].get('commit'), commit,
             'which the history keeps')
    tap.ok(not os.path.exists(world.path('hooked')), 'no hook was run')
    tap.ok(git(top, 'status', '--porcelain') == status and
           git(top, 'worktree', 'list').count('\n') == 1, 'the checkout is as it was')
    start = time.monotonic()
    again = run_in(world, top, '--rev', 'c1..c5', '--build', BUILD, '--set', 'rounds=2', '--set',
                   'warmup=0', '--', './work')
    tap.ok(again.status in (0, 1) and 'building' not in again.err, 'a second run builds nothing',
           f'{time.monotonic() - start} s\n{again}')


def check_failures(tap, world, top):
    path = files(world, top, f'''
[measure]
rounds = 4
warmup = 0
[variant good]
revision = c1
build = {BUILD}
program = work
[variant broken]
revision = c3
build = {BUILD}
program = work
[variant nowhere]
revision = no-such-revision
program = work
[variant also-good]
revision = c2
build = {BUILD}
program = work
[workload]
command = {{program}}
''')
    run = run_in(world, top, path)
    tap.ok(run.status == 2, 'variants that cannot be had make the status 2', run)
    tap.ok('also-good' in run.told and 'broken' not in run.told, 'the rest goes on', run)
    commit = git(top, 'rev-parse', 'c2').strip()
    tap.ok(f'work (of {commit[:12]})' in run.told and '/worth/builds/' not in run.told,
           'a program is named by its place in the tree and its commit', run)
    tap.ok("building 'broken'" in run.err and 'garbage' in run.err and '/log' in run.err,
           'the log of a build that failed is shown and kept', run.err)
    tap.ok("there is no revision 'no-such-revision'" in run.err, 'an unknown revision is told')
    run = run_in(world, top, '--rev', 'c1..misspelt', '--build', BUILD, '--', './work')
    tap.ok(run.status == 2 and run.out == '' and "nothing but the baseline 'c1'" in run.err,
           'a baseline alone is not measured', run)
    run = run_in(world, top, '--rev', 'c1..c2', '--build', BUILD, '--', './wrk')
    tap.ok(run.status == 2 and "variant 'c1': " in run.err and 'after its build' in run.err,
           'a program that the build does not make is told', run)
    run = run_in(world, top, '--rev', 'c3..c4', '--build', BUILD, '--', './work')
    tap.ok(run.status == 2 and 'nothing to compare with' in run.err,
           'without the baseline there is nothing to compare', run)
    with open(os.path.join(top, 'work.c'), 'a', encoding='utf-8') as stream:
        stream.write('/* not committed */\n')
    run = run_in(world, top, '--rev', 'c1..c2', '--build', BUILD, '--set', 'rounds=2', '--set',
                 'warmup=0', '--', './work')
    tap.ok(run.err.count('changes that are in no commit') == 1, 'uncommitted changes are told',
           run.err)
    git(top, 'checkout', '-q', 'work.c')


def check_layouts(tap, world, top):
    words = ('--rev', 'HEAD~1..HEAD', '--rebuild', '3')
    done = run_in(world, top, *words, '--build', 'true', '--check', '--', './bench')
    tap.ok(done.status == 0 and 'layout=3' in done.out, 'layouts are cells',
           done)
    done = run_in(world, top, *words, '--', './bench')
    tap.ok(done.status == 2 and 'no revision and build' in done.err,
           'layouts need a build', done)
    recipe = 'printf "int f(void){return 0;} int main(void){return f();}" > p.c && cc -O1 p.c -o p'
    done = run_in(world, top, *words, '--build', recipe, '-s', 'rounds=6', '--', './p')
    tap.ok(done.status in (0, 1) and 'Over 3 layouts' in done.told and
           'layout alone' not in done.told and 'same file' not in done.err,
           'the answer is over layouts', done)


def check_relinks(tap, world, top):
    """Built once, linked in layouts: the compiler is called once a file, and functions move."""
    words = ('--rev', 'HEAD~1..HEAD', '--relink', '3')
    log = world.path('compiled')
    recipe = (f'echo "int f(void){{return 1;}}" > f.c; echo "int g(void){{return 2;}}" > g.c; '
              f'echo "int f(void);int g(void);int main(void){{return f()+g()-3;}}" > m.c; '
              f'for s in m f g; do cc -O1 -c $s.c && echo $s >> {log}; done; cc -o p m.o f.o g.o')
    run = run_in(world, top, *words, '--build', recipe, '--link', 'cc -o p m.o f.o g.o && '
                 f'nm p | grep " T [fg]$" >> {world.path("places")}', '-s', 'rounds=6', '--', './p')
    tap.ok(run.status in (0, 1) and 'Over 3 layouts' in run.told and
           'layout alone' not in run.told, 'the answer is over layouts that were linked', run)
    tap.same(len(world.read('compiled').split()), 6, 'each file of each revision is compiled once')
    places = world.read('places').splitlines()
    tap.ok(len(places) == 12 and len(set(places)) == 6, 'three layouts, the same for both', places)
    for more, sentence in (((), 'does not say how it is linked'),
                           (('--link', 'true', '--rebuild', '3'), 'exclude each other')):
        run = run_in(world, top, *words, '--build', 'true', *more, '--', './p')
        tap.ok(run.status == 2 and sentence in run.err, f'--relink {more}: {sentence}', run)
    run = run_in(world, top, '--rev', 'c1..c2', '--build', 'true', '--link', 'true', '--', './p')
    tap.ok(run.status == 2 and '--link belongs to' in run.err, '--link alone is refused', run)


def check_bisect(tap, world, top):
    run = run_in(world, top, '--rev', 'c1..c6', '--bisect', '--build', BUILD, '--set',
                 'margin=40%', '--set', 'primary=cpu', '--', './work')
    # c3 does not build, so the search can only end at c4 alone if c3 is no candidate: it is one.
    tap.ok(run.status in (0, 3) and 'change 4' in run.told, 'the first slow revision is found',
           run)
    tap.ok('does not build' in run.told or run.status == 0, 'what does not build is passed over',
           run)
    run = run_in(world, top, '--rev', 'c1..c2', '--bisect', '--build', BUILD, '--set',
                 'margin=60%', '--set', 'primary=cpu', '--', './work')
    tap.ok(run.status == 0 and 'nothing to find' in run.told, 'no worse revision, nothing to find',
           run)


def check_kill(tap, world, top):
    """Ctrl-C in the middle of a build: nothing goes on, and the next run builds anew."""
    mark = world.path('building')
    slow = f'touch {mark}; sleep 100; {BUILD}'
    path = files(world, top, KILLED.format(build=slow))
    process = world.start('run', '-q', path)
    while not os.path.exists(mark) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(2)
    process.wait(30)
    tap.ok(process.returncode == 130, 'Ctrl-C while building ends worth with 130',
           process.returncode)
    tap.ok(not world.left_after(), 'and no build goes on', world.left())
    run = run_in(world, top, '--rev', 'c1..c2', '--build', slow.replace('sleep 100', 'true'),
                 '--set', 'rounds=2', '--set', 'warmup=0', '--', './work')
    tap.ok(run.status in (0, 1), 'what was left half built does not matter', run)
    pruned = world.worth('run', '--prune', '0')
    tap.ok(pruned.status == 0 and 'removed' in pruned.out and not pruned.out.startswith('0 '),
           '--prune removes builds', pruned)


def check_words(tap, world, top):
    for words, sentence in (
            (('--rev', 'c1'), 'write BASE..TOPIC'),
            (('--rev', 'c1..c2'), 'needs the command'),
            (('--bisect', 'x.ini'), '--bisect needs --rev'),
            ((), 'give one experiment file'),
            (('no-such-file.ini',), 'no-such-file.ini'),
            (('--set', 'rounds', 'x.ini'), ''),
    ):
        run = run_in(world, top, *words)
        tap.ok(run.status == 2 and sentence in run.err, f'worth run {" ".join(words)} is refused',
               run)
    for text, sentence in (
            ('[variant a]\ncommand = true\n[measure]\nround = 3\n', "'round' is no key"),
            ('[variant a]\ncommand = true\n[measure]\nrounds = -1\n', ':4: '),
            ('[variant a]\ncommand = true\n[measure]\nmargin = 1%\nmargin = cpu=2%\nrounds = 9\n'
             'rounds = 8\n', ":7: 'rounds' is given twice; line 6 has it"),
            ('[variant a]\ncommand = true {x}\n', '{x}'),
            ('[variant a]\ncommand = true\n[factor f]\nlevels = 1 2\n', "'f' is in no command"),
            ('[variant a]\nprogram = x\n[variant b]\nprogram = y\n[workload]\ncommand = true\n',
             'the same command for every variant'),
    ):
        run = run_in(world, top, files(world, top, text))
        tap.ok(run.status == 2 and sentence in run.err, f'a file that {sentence} is refused', run)


def main():
    tap = Tap()
    with World() as world:
        world.environment['XDG_CACHE_HOME'] = world.path('cache')
        check_example(tap, world)
        check_environments(tap, world)
        top = make_repository(world)
        check_revisions(tap, world, top)
        check_failures(tap, world, top)
        check_layouts(tap, world, top)
        check_relinks(tap, world, top)
        check_bisect(tap, world, top)
        check_kill(tap, world, top)
        check_words(tap, world, top)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
