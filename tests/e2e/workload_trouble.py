#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Workloads on machines that lack something: space, permission, /proc, /sys, processors, tasks,
memory, time. Each says what is missing in one sentence, and leaves nothing behind.

usage: workload_trouble.py WORTH WORTH-LOAD
"""
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

from loads import LOAD, SANITIZED, load, nothing_is_left, tap
from world import World, wait_for

NOBODY = 65534
RLIMIT_RTTIME = 15


def mounted(script):
    """Words that run a command where only it sees what script mounts; None if not permitted."""
    words = ['unshare', '--mount', 'sh', '-ec', script + '; exec "$@"', 'sh']
    if os.geteuid() != 0:
        words[1:1] = ['--map-root-user']
    permitted = subprocess.run([*words, 'true'], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=False).returncode == 0
    return words if permitted else None


def refused(world, line, words, name=None, **more):
    name = name or line
    status, figures, out, err = load(world, line, **more)
    tap.ok(status == 2 and words in err and not figures and len(err.splitlines()) == 1 and
           err.startswith('worth-load: '), f'{name} is refused', f'{status} {out}{err}')
    nothing_is_left(world, name)


def runs(world, line, words='', name=None, **more):
    name = name or line
    status, figures, out, err = load(world, line, **more)
    tap.ok(status == 0 and figures and err == '' and words in out, f'{name} runs',
           f'{status} {out}{err}')
    nothing_is_left(world, name)


def check_no_proc(world):
    if SANITIZED:
        tap.skip('without /proc', 'the sanitizers need it themselves')
        return
    prefix = mounted('mount -t tmpfs none /proc')
    if prefix is None:
        tap.skip('without /proc', 'no mount namespaces here')
        return
    for line in ('pipe-latency --operations 100', 'syscall --operations 100 --call stat',
                 'process --operations 20', 'file-metadata --files 10 --operations 10',
                 'lock-contend --operations 1000 --lock create --processes --free'):
        runs(world, line, name=f'without /proc {line}', prefix=prefix)
    for line, words in (('process --kind vfork-exec', '/proc'), ('process --kind shell', '/proc'),
                        ('build --files 1 --operations 1', '/proc'), ('git-diff', '/proc')):
        refused(world, line, words, f'without /proc {line}', prefix=prefix)


def check_no_sys(world):
    prefix = mounted('mount -t tmpfs none /sys')
    if prefix is None:
        tap.skip('without /sys', 'no mount namespaces here')
        return
    refused(world, 'memory --kind fault-huge', '/sys/kernel/mm/transparent_hugepage',
            'without /sys fault-huge', prefix=prefix)
    runs(world, 'path-walk --operations 500', 'is unknown', 'without /sys path-walk',
         prefix=prefix)
    if len(os.sched_getaffinity(0)) > 1:
        runs(world, 'pipe-latency --operations 500 --placement two-cpus', 'relation is unknown',
             'without /sys pipe-latency', prefix=prefix)


def check_no_dev(world):
    prefix = mounted('mount -t tmpfs none /dev')
    if prefix is None:
        tap.skip('without /dev', 'no mount namespaces here')
        return
    refused(world, 'syscall --call read', 'it needs a /dev', 'without /dev read', prefix=prefix)
    refused(world, 'git-diff --files 10', 'no /dev', 'without /dev git-diff', prefix=prefix)


def check_no_space(world):
    """Before it begins, and while it runs; no inodes; a file system that is read only."""
    place = world.path('small')
    os.makedirs(place)
    prefix = mounted(f'mount -t tmpfs -o size=2m,nr_inodes=200 none {place}')
    if prefix is None:
        tap.skip('no space', 'no mount namespaces here')
        return
    refused(world, f'file-io --size 3M --directory {place}', 'leaves a fifth',
            'a file larger than the disk', prefix=prefix)
    refused(world, f'file-metadata --files 300 --operations 300 --directory {place}',
            'leaves a fifth', 'more files than inodes', prefix=prefix)
    # Another takes the space when the check is over, and what each batch frees again.
    script = (f'mount -t tmpfs -o size=2m none {place}; '
              f'(while ! ls {place} | grep -q worth-load; do :; done; '
              f'while ls {place} | grep -q worth-load; do '
              f'cat /dev/zero >> {place}/other 2>/dev/null || :; done) &')
    words = prefix[:-2] + [script + ' exec "$@"', 'sh']
    refused(world, f'file-metadata --bytes 4000 --files 100 --time 20s --directory {place}',
            'No space left on device', 'a disk that fills up', prefix=words)
    script = f'mount -t tmpfs -o ro none {place}'
    refused(world, f'path-walk --directory {place}', 'Read-only file system',
            'a disk that is read only', prefix=mounted(script))


def as_nobody(limits=()):
    """What a child does before it runs worth-load."""
    def become():
        for which, value in limits:
            resource.setrlimit(which, (value, value))
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
    return become


def check_no_permission(world):
    """As somebody else than root, who may do all."""
    program = world.path('worth-load')
    shutil.copy(LOAD, program)
    os.chmod(program, 0o755)
    os.chmod(world.directory, 0o755)
    os.makedirs(world.path('scratch'), exist_ok=True)
    os.chmod(world.path('scratch'), 0o1777)
    closed, shut = world.path('closed'), world.path('shut')
    os.makedirs(closed, mode=0o555)
    os.makedirs(os.path.join(shut, 'inside'))
    os.chmod(shut, 0)
    more = {'program': program, 'preexec_fn': as_nobody()}
    refused(world, f'file-io --directory {closed}', 'Permission denied', 'a read-only directory',
            **more)
    refused(world, f'file-io --directory {shut}/inside', 'Permission denied',
            'a directory that is shut', **more)
    refused(world, f'lstat-storm --tree {shut}', 'Permission denied', 'a tree that is shut',
            **more)
    runs(world, 'file-metadata --files 10 --operations 10', name='as nobody file-metadata', **more)
    more['preexec_fn'] = as_nobody([(resource.RLIMIT_NPROC, 2)])
    for line in ('process', 'process --kind thread', 'schedule', 'context-switch --tasks 50'):
        refused(world, line, 'ulimit -u', f'{line} under a limit of two processes', **more)
    os.chmod(shut, 0o755)


def limited(which, value):
    def limit():
        resource.setrlimit(which, (value, value))
    return limit


def check_limits(world):
    if SANITIZED:
        tap.skip('limits of memory', 'the sanitizer needs more')
    else:
        more = {'preexec_fn': limited(resource.RLIMIT_AS, 48 << 20)}
        for line in ('memory --size 64M', 'memory --kind copy --size 64M',
                     'memory --kind chase --size 64M', 'process --memory 64M',
                     'context-switch --tasks 4 --working-set 32M'):
            refused(world, line, '', f'{line} under a limit of 48 MiB', **more)
        more = {'preexec_fn': limited(resource.RLIMIT_STACK, 192 << 10)}
        for line in ('file-io --size 1M --chunk 1M --operations 10', 'schedule --operations 800',
                     'memory --kind fault-file --size 1M --operations 500',
                     'path-walk --operations 500', 'build --files 1 --operations 1'):
            runs(world, line, name=f'{line} on a small stack', **more)
    refused(world, 'file-io --size 2M', 'File too large', 'a limit of the size of files',
            preexec_fn=limited(resource.RLIMIT_FSIZE, 1 << 20))
    for seconds, line in ((2, 'syscall --time 1min'), (1, 'syscall --time 1min'),
                          (1, 'lock-contend --time 1min --processes --free')):
        refused(world, line, 'CPU time', f'{line} under a limit of {seconds} s of CPU time',
                preexec_fn=limited(resource.RLIMIT_CPU, seconds))
    refused(world, 'schedule --groups 200 --pairs 100', 'ulimit -n', 'forty thousand tasks',
            preexec_fn=limited(resource.RLIMIT_NOFILE, 1024))
    # A sanitizer's library is a file of its own.
    for files, line in ((4 if SANITIZED else 3, 'syscall'), (6, 'pipe-latency'), (6, 'spin')):
        refused(world, line, 'ulimit -n', f'{line} with {files} files',
                preexec_fn=limited(resource.RLIMIT_NOFILE, files))
    # What does not fit at all is cut short, and sets no errno.
    for line in ('file-io --operations 10', 'lock-contend --lock page-cache', 'build --files 1',
                 'memory --kind fault-file --size 1M'):
        refused(world, line, 'ulimit -f', f'{line} with files of 100 bytes',
                preexec_fn=limited(resource.RLIMIT_FSIZE, 100))


def check_closed(world):
    """Descriptors 0 to 2 that are closed, as a daemon may leave them."""
    def closed(*descriptors):
        def close():
            for descriptor in descriptors:
                os.close(descriptor)
        return close

    for line in ('pipe-latency --operations 100', 'lstat-storm --operations 2000 --files 100',
                 'process --operations 10 --kind shell'):
        runs(world, line, name=f'{line} without standard input', preexec_fn=closed(0))
        status, _, _, err = load(world, line, preexec_fn=closed(0, 1))
        tap.ok(status == 2 and 'standard output' in err, f'{line} without standard output', err)
        status, figures, _, _ = load(world, line, preexec_fn=closed(0, 2))
        tap.ok(status == 0 and figures, f'{line} without standard error', status)
        nothing_is_left(world, line)


def check_pids(world):
    """A cgroup that allows few tasks."""
    for root in ('/sys/fs/cgroup/pids', '/sys/fs/cgroup'):
        group = f'{root}/worth-test-{os.getpid()}'
        try:
            os.mkdir(group)
        except OSError:
            continue
        try:
            with open(f'{group}/pids.max', 'w', encoding='ascii') as stream:
                stream.write('5')
            refused(world, 'schedule --operations 3200', 'pids limit of the cgroup',
                    'a cgroup of five tasks',
                    prefix=['sh', '-c', f'echo $$ > {group}/cgroup.procs && exec "$@"', 'sh'])
            return
        except OSError:
            pass
        finally:
            wait_for(lambda: not open(f'{group}/cgroup.procs', encoding='ascii').read())
            os.rmdir(group)
    tap.skip('a cgroup of five tasks', 'no cgroup with a limit of tasks can be made here')


def check_killed_task(world):
    """Not the workload itself but one of its tasks: the others would wait for ever."""
    for line in ('pipe-latency --time 1min', 'context-switch --time 1min --tasks 5',
                 'schedule --time 1min --groups 1 --pairs 2',
                 'lock-contend --time 1min --processes --free',
                 'file-io --time 1min --phase seek --size 1M'):
        process = subprocess.Popen([LOAD, *line.split()], cwd=world.directory,
                                   env=dict(world.environment, TMPDIR=world.path('scratch')),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)

        def tasks():
            path = f'/proc/{process.pid}/task/{process.pid}/children'
            with open(path, encoding='ascii') as stream:
                return [int(pid) for pid in stream.read().split()][1:]  # the guard is the first

        wait_for(tasks)
        time.sleep(0.05)
        os.kill(tasks()[-1], signal.SIGKILL)
        _, err = process.communicate(timeout=10)
        tap.ok(process.returncode == 2 and 'killed from outside' in err,
               f'{line} ends when a task is killed', f'{process.returncode} {err}')
        nothing_is_left(world, f'{line} after a task was killed')


def check_realtime(world):
    """Only under RLIMIT_RTTIME, and then not for longer than that without a sleep."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except PermissionError:
        tap.skip('the real-time class', 'not permitted')
        return

    def realtime(limit_us):
        def become():
            if limit_us is not None:
                resource.setrlimit(RLIMIT_RTTIME, (limit_us, limit_us))
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        return become

    refused(world, 'syscall --operations 100', 'RLIMIT_RTTIME', 'real time without a limit',
            preexec_fn=realtime(None))
    runs(world, 'pipe-latency --operations 500', name='real time with a limit',
         preexec_fn=realtime(1000000))
    refused(world, 'syscall --time 1min', 'RLIMIT_RTTIME', 'real time beyond its limit',
            preexec_fn=realtime(200000))


def main():
    with World() as world:
        os.makedirs(world.path('scratch'), exist_ok=True)
        for check in (check_no_proc, check_no_sys, check_no_dev, check_no_space,
                      check_no_permission, check_limits, check_closed, check_pids,
                      check_killed_task, check_realtime):
            begin = time.monotonic()
            tap.run(check.__name__, check, world)
            tap.note(f'{check.__name__} took {time.monotonic() - begin:.1f} s')
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
