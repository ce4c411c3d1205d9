#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The bundled workloads as a user runs them: each runs, checks itself, and leaves nothing behind.

usage: workloads.py WORTH WORTH-LOAD
"""
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

from loads import LOAD, SANITIZED, load, nothing_is_left, tap
from world import FEW, World, metrics, refused, values

# Of each workload: short forms of it, with figures that must come, and for each the range (in the
# figure's own unit) that no machine leaves unless something is wrong.
SMALL = [
    ('pipe-latency --operations 2000', {'round-trip': (100, 1e7)}),
    ('pipe-latency --operations 2000 --threads', {'round-trip': (100, 1e7)}),
    ('pipe-latency --operations 500 --token eventfd', {'round-trip': (100, 1e7)}),
    ('pipe-latency --operations 500 --token socketpair --threads', {'round-trip': (100, 1e7)}),
    ('pipe-latency --operations 500 --token futex', {'round-trip': (100, 1e7)}),
    ('pipe-latency --operations 500 --token futex --threads --placement free',
     {'round-trip': (50, 1e7)}),
    *((f'syscall --operations 20000 --call {call}', {call: (10, 1e6)})
      for call in ('getppid', 'read', 'write', 'stat', 'fstat', 'open-close')),
    *((f'process --operations 20 --kind {kind}', {kind: (1000, 1e9)})
      for kind in ('fork', 'vfork-exec', 'posix-spawn', 'thread', 'shell')),
    ('process --operations 20 --memory 16M', {'fork': (1000, 1e10)}),
    ('context-switch --operations 2000', {'switch': (50, 1e7)}),
    ('context-switch --operations 1000 --tasks 10 --threads --working-set 64k --placement free',
     {'switch': (50, 1e7)}),
    ('schedule --operations 3200', {'message': (10, 1e7)}),
    ('schedule --operations 50 --groups 3 --pairs 2 --threads --pipes --bytes 4096',
     {'message': (10, 1e7)}),
    *((f'lock-contend --operations 4000 --lock {lock}', {lock: (1, 1e8), 'fairness': (0, 1)})
      for lock in ('futex', 'create', 'page-cache', 'mmap')),
    ('lock-contend --operations 4000 --tasks 5 --free --processes', {'futex': (1, 1e8)}),
    *((f'spin --operations 20000 --lock {lock}', {'lock': (0.1, 1e7)})
      for lock in ('tas-inline', 'tas-split', 'tas-outline', 'tas-cool', 'ticket', 'mcs', 'queued',
                   'pthread-spin', 'none')),
    ('spin --operations 4000 --lock queued --tasks 2 --inside 10 --outside 100',
     {'lock': (1, 1e8), 'hand-off': (0, 1), 'fairness': (0, 1)}),
    ('spin --operations 40000 --tasks 5',
     {'lock': (1, 1e8), 'hand-off': (0, 1), 'fairness': (0, 1)}),
    *((f'mutex --operations 20000 --lock {lock}', {'lock': (0.1, 1e7)})
      for lock in ('futex-inline', 'futex-outline', 'futex-spin', 'owner-handoff', 'pthread',
                   'pthread-adaptive')),
    ('mutex --operations 4000 --lock owner-handoff --tasks 2',
     {'lock': (1, 1e8), 'hand-off': (0, 1), 'fairness': (0, 1)}),
    ('spin --operations 200000 --footprint 65536 --layout 3',
     {'site': (1, 1e7), 'site-cycles': (1, 1e7)}),
    ('spin --crowd 2 --operations 2000', {'lock': (1, 1e9), 'fairness': (0, 1)}),
    ('spin --crowd 2 --waits --lock ticket --operations 2000',
     {'lock': (1, 1e9), 'wait-p50': (1, 1e9), 'wait-p99': (1, 1e9), 'wait-max': (1, 1e10)}),
    ('mutex --tasks 2 --waits --operations 4000',
     {'lock': (1, 1e8), 'wait-p50': (1, 1e9), 'wait-p99': (1, 1e9), 'wait-max': (1, 1e10)}),
    ('mutex-pipe --operations 500 --pairs 16', {'round-trip': (100, 1e8)}),
    *((f'mutex-pipe --operations 500 --pairs {pairs} --lock {lock} --layout 3',
       {'round-trip': (100, 1e9)})
      for pairs in (0, 4, 2000) for lock in ('futex-inline', 'futex-outline', 'pthread')),
    *((f'ptrlist --operations 700000 --lengths front-end {more}',
       {'list': (1, 1e6), 'build': (0.5, 1e6), 'walk': (0.2, 1e6), 'list-bytes': (low, high),
        'list-faults': (low / 4200, 1e6)})
      for more, low, high in (('', 16.9e6, 17e6), ('--nr 29', 32.7e6, 32.8e6),
                              ('--nr 12', 15.5e6, 16.1e6), ('--list array', 5e6, 6e6),
                              ('--list tailq', 8e6, 9e6), ('--malloc --walks 2', 17e6, 21e6))),
    ('ptrlist --operations 1000000 --lengths 1000 --nr 29', {'list-bytes': (4.4e6, 4.5e6)}),
    *((f'path-cache --operations 20000 --cache {cache}',
       {'lookup': (1, 1e7), 'retries': (0, 0), 'fallbacks': (0, 0), 'locked': (0, 0)})
      for cache in ('global-lock', 'reference-lock', 'reference-atomic', 'store-free',
                    'store-free-bare', 'lfht')),
    *((f'path-cache --operations 5000 --tasks 2 --free --renames 200000 --files 20 --cache {cache}',
       {'lookup': (1, 1e9), 'renames': (0, 1e8), 'fallbacks': (0, 1e6)})
      for cache in ('global-lock', 'reference-lock', 'reference-atomic', 'store-free',
                    'store-free-bare', 'lfht')),
    *((f'path-cache --operations 20000 --tasks 3 --free --sharing {sharing} --depth {depth}',
       {'lookup': (1, 1e7)})
      for sharing, depth in (('same-file', 16), ('different-directories', 1),
                             ('same-directory', 1))),
    ('path-walk --operations 2000 --depth 1', {'stat': (10, 1e8)}),
    ('path-walk --operations 2000 --tasks 4 --free --private --depth 16 --call open',
     {'open': (10, 1e8)}),
    ('path-walk --operations 2000 --tasks 2 --free --processes --renamer --call access',
     {'access': (10, 1e8)}),
    ('lstat-storm --files 250 --operations 2000', {'lstat': (10, 1e8)}),
    ('lstat-storm --files 250 --operations 2000 --threads 3 --free --spread one-directory',
     {'lstat': (10, 1e8)}),
    ('lstat-storm --operations 2000 --spread one-file', {'lstat': (10, 1e8)}),
    ('git-diff --files 120 --operations 3', {'git-diff': (1e5, 1e10)}),
    ('git-diff --threads 2 --operations 3 --preload off', {'git-diff': (1e5, 1e10)}),
    ('file-metadata --files 50 --operations 100',
     {'create': (100, 1e9), 'stat': (100, 1e9), 'delete': (100, 1e9)}),
    ('file-metadata --files 30 --operations 100 --directories 3 --bytes 5000 --order random --sync',
     {'create': (100, 1e9), 'stat': (100, 1e9), 'delete': (100, 1e9)}),
    ('file-io --size 1M --operations 300',
     {'write': (1e4, 1e12), 'write-fsync': (100, 1e11), 'rewrite': (1e4, 1e12),
      'rewrite-p50': (10, 1e11), 'read': (1e4, 1e12), 'read-p99.9': (10, 1e11),
      'seeks': (1, 1e9), 'seek-max': (10, 1e11), 'byte': (10, 1e8)}),
    ('file-io --size 256k --chunk 512 --phase seek --seekers 2 --operations 500',
     {'seeks': (1, 1e9)}),
    *((f'memory --operations {count} --size {size} --kind {kind}', {kind: span})
      for kind, count, size, span in (('fault-anonymous', 2000, '1M', (10, 1e8)),
                                      ('fault-file', 2000, '1M', (10, 1e8)),
                                      ('mmap', 2000, '4k', (10, 1e8)),
                                      ('chase', 20000, '64k', (0.1, 1e6)),
                                      ('copy', 20, '1M', (1e6, 1e13)))),
    ('build --files 2 -j2 --operations 2', {'file': (1e5, 1e11), 'file-sys': (0, 1e11)}),
]

# What each says when its words or its machine are wrong.
# Code that is copied, and an allocator that tells what it holds: a sanitizer has neither.
if SANITIZED:
    SMALL = [small for small in SMALL
             if '--layout' not in small[0] and '--malloc' not in small[0]]

BAD = [
    ('pipe-latency --operations 0', '--operations'),
    ('pipe-latency --operations 99999999999999999999', '--operations'),
    ('pipe-latency --operations 5 --time 1s', 'give one'),
    ('pipe-latency --token pigeon', 'pipe, eventfd, socketpair, futex'),
    ('pipe-latency file', 'takes options only'),
    ('pipe-latency --treads', '--threads'),
    ('pipe-latency --limit 20ms --operations 1000000000', 'not done after'),
    ('pipe-latency --limit 20ms --time 1min', 'shorter than --limit'),
    ('syscall --time 9223372036s', 'at most'),
    ('syscall --limit 9223372036s', 'at most'),
    ('syscall --call gettime', 'getppid'),
    ('process --memory 100000G', 'more than is free'),
    ('process --memory lots', '--memory'),
    ('context-switch --tasks 1', '--tasks'),
    ('context-switch --working-set 1G', 'more than 1 GiB'),
    ('schedule --bytes 5000', '--bytes'),
    ('spin --lock pigeon', 'there are tas-inline'),
    ('mutex --lock pigeon', 'there are futex-inline'),
    ('spin --footprint 4096 --tasks 2', '--footprint'),
    ('spin --footprint 4096 --layouts', '--layouts needs rounds'),
    ('mutex-pipe --layouts', '--layouts needs rounds'),
    ('spin --crowd 2 --tasks 2', 'give one'),
    ('ptrlist --list pigeon', 'there are nodes'),
    ('ptrlist --lengths pigeon', 'a length is a number'),
    ('ptrlist --lengths /dev/null', 'no lists'),
    ('ptrlist --lengths 16777217', 'a length is a number'),
    ('ptrlist --nr 126', '--nr'),
    ('lock-contend --tasks 1024', 'need 1024 CPUs'),
    ('lock-contend --lock mmap --processes', 'leave out --processes'),
    ('path-cache --cache pigeon', 'there are global-lock'),
    ('path-cache --depth 17', '--depth'),
    ('path-cache --tasks 1024', 'need 1024 CPUs'),
    ('path-walk --depth 17', '--depth'),
    ('path-walk --directory /nowhere/at/all', '--directory'),
    ('path-walk --directory /proc', 'cannot make the directory'),
    ('lstat-storm --tree /nowhere', '--tree'),
    ('file-metadata --files 10000000 --operations 10000000 --bytes 1000000000', 'leaves a fifth'),
    ('file-metadata --files 0', '--files'),
    ('file-io --size 63T', 'leaves a fifth'),
    ('file-io --chunk 5', '--chunk'),
    ('file-io --cold --phase read --size 1M --directory /dev/shm', 'cannot be read cold'),
    ('memory --size 10', '--size'),
    ('memory --size 63G', 'ask for less'),
    ('git-diff --files 2000 --threads 4', 'give one'),
    ('git-diff --threads 21', '--threads'),
    ('build --compiler /no/such', 'there is no program'),
]

# Long ones to be killed in the middle, besides every one of SMALL.
ENDLESS = ['pipe-latency --time 1min', 'pipe-latency --time 1min --threads',
           'process --time 1min --kind shell', 'context-switch --time 1min --tasks 20',
           'schedule --time 1min', 'schedule --time 1min --threads',
           'lock-contend --time 1min --lock create --processes --free',
           'path-walk --time 1min --renamer --tasks 2 --free',
           'ptrlist --time 1min', 'lstat-storm --time 1min --files 3000', 'git-diff --time 1min --files 1000',
           'file-metadata --time 1min', 'file-io --time 1min', 'build --time 1min -j2']


def check_small(world):
    for line, expected in SMALL:
        status, figures, out, err = load(world, line)
        if status == 2 and 'needs two' in err:
            tap.skip(line, err)
            continue
        if not tap.ok(status == 0 and err == '', f'{line} runs', f'{status} {err}{out}'):
            continue
        for name, (low, high) in expected.items():
            seen = figures.get(name, [])
            tap.ok(seen and all(low <= value <= high for value, _, _ in seen),
                   f'{line}: every {name} is between {low:g} and {high:g}', figures)
        tap.ok(all(row.startswith('# ') for row in out.splitlines()),
               f'{line}: stdout has remarks only', out)
        nothing_is_left(world, line)


def check_stdout(world):
    """Without WORTH_FD one line a figure, in the same form; with --every-batch all of them."""
    run = world.worth('workload', 'pipe-latency', '--operations', '3000', '--batch', '1ms')
    rows = [row for row in run.out.splitlines() if not row.startswith('# ')]
    tap.ok(run.status == 0 and len(rows) == 1 and rows[0].split()[2:] == ['ns', 'lower'],
           'worth workload prints the median of the batches', run)
    run = world.worth('workload', 'pipe-latency', '--operations', '3000', '--batch', '1ms',
                      '--every-batch')
    rows = [row for row in run.out.splitlines() if row.startswith('round-trip ')]
    tap.ok(len(rows) > 1, '--every-batch prints all of them', run)
    run = world.worth('workload', 'pipe-latency', '--operations', '3000', '--batch', '1min')
    tap.ok(any(row.startswith('round-trip ') for row in run.out.splitlines()),
           'a run shorter than a batch has a figure, too', run)


def check_list(world):
    run = world.worth('workload')
    names = [row.split()[0] for row in run.out.splitlines() if row.startswith('  ')]
    tap.ok(run.status == 0 and 'pipe-latency' in names, 'worth workload lists them', run)
    tested = {line.split()[0] for line, _ in SMALL}
    tap.same(sorted(set(names) - tested), [], 'every workload is tested here')
    for name in names:
        page = world.worth('workload', name, '--help')
        tap.ok(page.status == 0 and f'worth workload {name} - ' in page.out and
               'One operation is' in page.out, f'{name} has a page', page)
        wide = [row for row in page.out.splitlines() if len(row) > 80]
        tap.ok(not wide, f'the page of {name} fits into 80 columns', wide)


def check_bad(world):
    for line, words in BAD:
        status, figures, out, err = load(world, line)
        if status == -signal.SIGKILL and '--limit' in line:
            status = 2
        tap.ok(status == 2 and words in err and not figures and len(err.splitlines()) == 1 and
               err.startswith('worth-load: '), f'{line} is refused', f'{status} {out}{err}')
        nothing_is_left(world, line)
    refused(tap, world.worth('workload:', 'true'), 'must be followed by a workload',
            'a short form without a name is refused')
    run = world.worth('workload', 'nonsense')
    tap.ok(run.status == 2 and 'there is no workload "nonsense"' in run.err,
           'an unknown name is refused', run)
    run = world.worth('workload', 'pipe-latency', environment={'WORTH_FD': '77'})
    tap.ok(run.status == 2 and 'WORTH_FD' in run.err, 'a WORTH_FD that is closed is refused', run)
    run = world.worth('workload', 'pipe-latency', environment={'WORTH_FD': 'x'})
    tap.ok(run.status == 2 and 'WORTH_FD' in run.err, 'a WORTH_FD that is a word is refused', run)
    with open('/dev/full', 'w', encoding='utf-8') as full:
        run = world.worth('workload', 'pipe-latency', '--operations', '10', stdout=full)
    tap.ok(run.status == 2 and 'cannot write' in run.err, 'a full disk behind stdout is seen', run)


def check_limits(world):
    """Too few open files, and too few processors, are said."""
    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))

    status, _, _, err = load(world, 'context-switch --tasks 50', preexec_fn=few_files)
    tap.ok(status == 2 and 'ulimit -n' in err, 'too few open files are said', err)
    nothing_is_left(world, 'too few open files')

    def one_cpu():
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])

    status, _, _, err = load(world, 'pipe-latency --placement two-cpus', preexec_fn=one_cpu)
    tap.ok(status == 2 and 'two CPUs are needed' in err, 'one CPU only is said', err)
    status, _, _, err = load(world, 'pipe-latency --operations 100', preexec_fn=one_cpu)
    tap.ok(status == 0, 'and is enough for one', err)


def check_tree(world):
    """The paths of a real index, of a cut one, and what is left behind by a run whose guard died."""
    tree = world.path('tree')
    git = ['git', '-C', tree, '-c', 'user.name=x', '-c', 'user.email=x@x']
    for name in ('a', 'long' * 20, 'sub/b', 'ä'):
        os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
        world.write(os.path.join(tree, name), name)
    subprocess.run(git + ['init', '-q'], check=True)
    subprocess.run(git + ['add', '.'], check=True)
    status, figures, out, err = load(world, f'lstat-storm --tree {tree} --operations 500')
    tap.ok(status == 0 and 'lstat' in figures and '4 paths' in out,
           'the index of a work tree is read', err + out)
    with open(os.path.join(tree, '.git', 'index'), 'rb') as stream:
        index = stream.read()
    wrong = 0
    for length in range(0, len(index), 7):
        with open(os.path.join(tree, '.git', 'index'), 'wb') as stream:
            stream.write(index[:length])
        status, _, _, err = load(world, f'lstat-storm --tree {tree} --operations 10')
        wrong += status not in (0, 2) or (length < 200 and status == 0)
    tap.same(wrong, 0, 'a cut index is refused, or ends after its last entry')

    stale = world.path('scratch', 'worth-load.1.dead')
    os.makedirs(os.path.join(stale, 'deep'))
    fresh = load(world, 'path-walk --operations 10')
    tap.ok(fresh[0] == 0 and os.path.isdir(stale), 'a new directory of another run is left alone')
    shutil.rmtree(stale)


def check_git_threads(world):
    """A tree for which git starts so many threads, by its own rule; and that it looked ahead."""
    for line, words in (('--threads 4', 'git looks ahead by 4 threads'),
                        ('--threads 4 --preload off', 'by one thread'),
                        ('--files 999', 'by one thread')):
        status, _, out, err = load(world, f'git-diff --operations 2 {line}')
        tap.ok(status == 0 and (words in out or 'does not say' in out), f'git-diff {line}',
               out + err)


def check_profile(world):
    """The calls of a script are counted, those of its children too; so are the paths."""
    script = world.script('calls', 'test -e /nowhere/one\ntest -e /nowhere/one\n'
                                   'cat /proc/self/stat > /dev/null\nexit 3')
    run = world.worth('workload', '--profile', script, '--json', '-')
    if run.status == 2 and 'not permitted' in run.err:
        tap.skip('profile', run.err)
        return
    tables = run.data['tables']
    paths = {row['path']: row['count'] for row in tables['paths']}
    tap.ok(paths.get('/nowhere/one') == 2 and '/proc/self/stat' in paths,
           'paths are counted in the command and its children', paths)
    calls = {row['call']: row for row in tables['calls']}
    tap.ok('read' in calls and sum(row['count'] for row in tables['calls']) > 20 and
           any(row['failed'] >= 1 for row in tables['calls']), 'calls and failed ones', calls)
    run = world.worth('workload', '--profile', script)
    tap.ok(run.status == 0 and 'ended with exit status 3' in run.out,
           'the status of the command is told', run)
    run = world.worth('workload', '--profile', 'workload:syscall', '--', '--operations', '1000')
    row = next((row.split() for row in run.out.splitlines() if row.startswith('getppid')), None)
    tap.ok(row is not None and 1000 <= int(row[1].replace(',', '')) <= 1010,
           'a workload of 1000 getppid makes as many', run)
    refused(tap, world.worth('workload', '--profile', 'no-such-program'), 'not found',
            'a program that is not there is said')
    refused(tap, world.worth('workload', '--profile', 'ls', '/'), '--profile takes',
            'words beside the command are refused')


def shared_things():
    """What a process can leave in the system that is neither a process nor a file of its own."""
    things = {path: sorted(os.listdir(path)) for path in ('/dev/shm', '/dev/mqueue')
              if os.path.isdir(path)}
    for path in ('/proc/mounts', '/proc/sysvipc/shm', '/proc/sysvipc/sem', '/proc/sysvipc/msg'):
        if os.path.exists(path):
            with open(path, encoding='utf-8') as stream:
                things[path] = sum(1 for _ in stream)
    return things


def kill_one(world, line, number, group, after_s):
    scratch = world.path('scratch')
    os.makedirs(scratch, exist_ok=True)
    process = subprocess.Popen([LOAD, *line.split()], cwd=world.directory,
                               env=dict(world.environment, TMPDIR=scratch),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(after_s)
    if group:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    ended = process.wait(10)
    nothing_is_left(world, f'{line} after {number.name} to {"all" if group else "one"}')
    return ended


def check_kills(world):
    """At a random moment, by each signal: to the process alone, and to its whole group. Every
    variant once by one of them, some by four; WORTH_KILLS=N does all that N times."""
    chance = random.Random(8)
    ways = [(number, group) for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
            for group in (False, True)]
    before = shared_things()
    variants = sorted({re.sub(r'--operations \d+', '--time 1min', line) for line, _ in SMALL})
    for _ in range(int(os.environ.get('WORTH_KILLS', 1))):
        for line in ENDLESS:
            for number, group in ways[:4]:
                tap.same(kill_one(world, line, number, group, chance.random() * 0.2), -number,
                         f'{line} ends by {number.name}')
        for line in variants:
            number, group = chance.choice(ways)
            ended = kill_one(world, line, number, group, chance.choice((0.005, 0.05)) *
                             chance.random())
            # 2: it needs two CPUs.
            tap.ok(ended in (-number, 2), f'{line} ends by {number.name}', ended)
    if os.environ.get('WORTH_KILLS'):  # alone on the machine: others mount and share things, too
        tap.same(shared_things(), before, 'no mount and no shared memory is left')


def check_compare(world):
    """As compared commands: the short form, its label, and the figures as metrics."""
    data = world.measure(*FEW, 'workload:pipe-latency --operations 200',
                         'workload:pipe-latency --operations 200 --threads')
    subjects = data['recording']['plan']['subjects']
    tap.same([subject['command'] for subject in subjects],
             ['workload:pipe-latency --operations 200',
              'workload:pipe-latency --operations 200 --threads'],
             'the commands keep their short form')
    tap.ok('round-trip' in metrics(data) and
           all(value and 1e-7 < value < 1e-2 for value in values(data, 'round-trip')),
           'what a workload reports is a metric, in seconds', metrics(data))
    data = world.measure(*FEW, '--shell', 'workload:pipe-latency --operations 200 | cat',
                         'workload:pipe-latency --operations 200')
    tap.ok('round-trip' in metrics(data), 'a shell knows the short form, too', metrics(data))
    run = world.worth(*FEW, 'workload:nonsense', 'true')
    tap.ok(run.status == 2 and 'there is no workload "nonsense"' in run.err + run.out,
           'a compared workload that does not exist is trouble', run)


def check_examples(world):
    """Every experiment in examples/ is read, is in its README, and one is run shortly."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../examples')
    with open(os.path.join(folder, 'README.md'), encoding='utf-8') as stream:
        told = stream.read()
    names = sorted(name for name in os.listdir(folder) if name.endswith('.ini'))
    tap.ok(len(names) >= 4, 'there are the examples', names)
    for name in names:
        run = world.worth('run', '--check', os.path.join(folder, name))
        tap.ok(run.status == 0 and 'nothing was run' in run.out and 'workload:' in run.out,
               f'{name} is an experiment', run)
        tap.ok(f'worth run examples/{name}' in told, f'the README tells how to run {name}')
    if len(os.sched_getaffinity(0)) < 2 or not os.access('/dev/shm', os.W_OK):
        tap.skip('an example run', 'it needs two CPUs and /dev/shm')
        return
    run = world.worth('run', '-s', 'rounds=2', '-s', 'warmup=0', '--no-save', '--json', '-',
                      os.path.join(folder, 'lstat-storm.ini'))
    rows = [row for row in run.data['tables']['comparisons'] if row['primary']]
    tap.ok(run.status == 0 and [row['metric'] for row in rows] == ['lstat'] * 3,
           'an example is run, and judged by its own figure in each of its three cells', rows)


def main():
    with World() as world:
        for check in (check_small, check_stdout, check_list, check_bad, check_limits, check_tree,
                      check_git_threads, check_profile, check_kills, check_compare,
                      check_examples):
            begin = time.monotonic()
            tap.run(check.__name__, check, world)
            tap.note(f'{check.__name__} took {time.monotonic() - begin:.1f} s')
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
