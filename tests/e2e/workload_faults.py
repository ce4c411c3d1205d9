# SPDX-License-Identifier: GPL-2.0-or-later
"""Every workload while one of its system calls fails, whichever it is (strace injects that): it
ends in good time, well or with a sentence, and leaves nothing behind.

usage: workload_faults.py WORTH WORTH-LOAD

WORTH_FAULTS=N tries N faults instead of 60, WORTH_SEED=S others than those of seed 1.
"""
import collections
import os
import random
import re
import shutil
import subprocess
import sys

from loads import SANITIZED, load, nothing_is_left, tap
from world import World

LINES = [
    'pipe-latency --operations 200', 'pipe-latency --operations 200 --threads',
    'pipe-latency --operations 200 --token eventfd', 'pipe-latency --operations 200 --token futex',
    'syscall --operations 500 --call read', 'syscall --operations 500 --call open-close',
    'process --operations 5', 'process --operations 5 --kind vfork-exec',
    'process --operations 5 --kind posix-spawn', 'process --operations 5 --kind thread',
    'process --operations 3 --kind shell', 'context-switch --operations 200 --tasks 3',
    'context-switch --operations 200 --tasks 3 --threads --placement free',
    'schedule --operations 40 --groups 1 --pairs 2',
    'schedule --operations 40 --groups 1 --pairs 2 --threads --pipes',
    *(f'lock-contend --operations 400 --free --lock {lock}'
      for lock in ('futex', 'create --processes', 'page-cache', 'mmap')),
    'spin --operations 2000', 'spin --operations 2000 --tasks 3',
    'mutex --operations 2000 --tasks 3', 'mutex-pipe --operations 100',
    'path-walk --operations 200 --depth 4',
    'path-walk --operations 200 --tasks 2 --free --processes --renamer',
    'lstat-storm --files 30 --operations 200 --threads 2 --free',
    'git-diff --files 30 --operations 2',
    'file-metadata --files 10 --operations 20 --bytes 500 --sync',
    'file-io --size 64k --operations 20', 'file-io --size 64k --operations 20 --phase seek',
    *(f'memory --operations 200 --size 1M --kind {kind}'
      for kind in ('fault-anonymous', 'fault-file', 'mmap', 'chase')),
    'build --files 2 -j2 --operations 2',
]

# What each call may say. Not brk and mprotect: static programs begin with them in the C library. Not
# close: with an error from the kernel the file is closed nevertheless, here it would not be.
FAULTS = {
    'access': 'EACCES', 'chdir': 'EACCES', 'clone': 'EAGAIN ENOMEM', 'clone3': 'EAGAIN',
    'close_range': 'ENOSYS', 'eventfd2': 'EMFILE', 'execve': 'ENOENT ENOMEM',
    'fadvise64': 'EINVAL', 'flock': 'ENOSYS', 'fsync': 'EIO ENOSPC', 'ftruncate': 'EFBIG EIO',
    'getcwd': 'ENOENT', 'getdents64': 'EIO', 'getrandom': 'ENOSYS',
    'kill': 'EPERM', 'lseek': 'EIO', 'madvise': 'EINVAL', 'mkdir': 'EACCES ENOSPC EROFS',
    'mmap': 'ENOMEM', 'munmap': 'ENOMEM', 'newfstatat': 'EACCES EIO',
    'openat': 'ENOSPC EMFILE EACCES EROFS ENOENT', 'pipe2': 'EMFILE', 'poll': 'EINTR ENOMEM',
    'prctl': 'EINVAL', 'pread64': 'EIO', 'prlimit64': 'EPERM', 'pwrite64': 'ENOSPC EIO',
    'read': 'EIO EINTR', 'readlink': 'EINVAL', 'rename': 'EACCES', 'rt_sigaction': 'EINVAL',
    'sched_getaffinity': 'EINVAL', 'sched_setaffinity': 'EINVAL EPERM', 'sendto': 'EPIPE',
    'setitimer': 'EINVAL', 'setsid': 'EPERM', 'socketpair': 'EMFILE', 'statfs': 'EIO',
    'syncfs': 'EIO', 'unlink': 'EACCES EROFS', 'utimensat': 'EPERM', 'vfork': 'EAGAIN ENOMEM',
    'wait4': 'EINTR ECHILD', 'write': 'ENOSPC EIO EINTR',
}


def traced(world, line, *words):
    """The line under strace: as load(), and how often the busiest of its processes made each call."""
    trace = world.path('trace')
    ended = load(world, line, prefix=['strace', '-f', '--seccomp-bpf', '-qq', '-o', trace, *words])
    counts = collections.defaultdict(collections.Counter)
    with open(trace, encoding='utf-8', errors='replace') as stream:
        for row in stream:
            found = re.match(r'(\d+) +(\w+)\(', row)
            if found and found[2] in FAULTS:
                counts[found[1]][found[2]] += 1
    most = collections.Counter()
    for count in counts.values():
        most |= count
    return ended, most


def check_fault(world, line, fault):
    """What holds of every end: a figure, or a sentence and none."""
    name = f'{line} with {fault}'
    try:
        (status, figures, out, err), _ = traced(world, line, '-e', 'trace=' + fault.split(':')[0], '-e',
                                            f'inject={fault}')
    except subprocess.TimeoutExpired:
        tap.ok(False, f'{name} ends')
        return
    # Several, because each of several threads may meet the fault; none, if a sentence meets it.
    told = 'worth-load: ' in err or fault.startswith('write:')
    tap.ok((status == 0 and figures) or (status == 2 and told and not figures),
           f'{name} ends well or with a sentence', f'{status} {figures} {out}{err}')
    nothing_is_left(world, name)


def check_faults(world):
    if shutil.which('strace') is None:
        tap.skip('faults', 'strace is not installed')
        return
    if SANITIZED:
        tap.skip('faults', 'the sanitizers make calls of their own, and find no leaks under strace')
        return
    chance = random.Random(int(os.environ.get('WORTH_SEED', 1)))
    calls = {}
    for _ in range(int(os.environ.get('WORTH_FAULTS', 60))):
        line = chance.choice(LINES)
        if line not in calls:
            (status, _, _, err), calls[line] = traced(world, line, '-e',
                                                         'trace=' + ','.join(FAULTS))
            if not calls[line]:
                tap.skip('faults', f'strace does not trace here: {status} {err}')
                return
        call = chance.choice(sorted(calls[line]))
        which = chance.randint(1, min(calls[line][call], chance.choice((3, 10, 100))))
        error = chance.choice(FAULTS[call].split())
        check_fault(world, line, f'{call}:error={error}:when={which}')


def main():
    with World() as world:
        tap.run('check_faults', check_faults, world)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
