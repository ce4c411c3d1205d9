# SPDX-License-Identifier: GPL-2.0-or-later
"""worth keeps itself on one processor while runs are short; its commands and hooks may run on all
that worth was given. And short runs go without the events that would lengthen them."""
import os
import subprocess
import sys

from world import World, Tap

SHORT = '''#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char line[32];
	cpu_set_t set;
	int fd = open(argv[argc - 1], O_WRONLY | O_APPEND | O_CREAT, 0600);

	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 1;
	sprintf(line, "%d\\n", CPU_COUNT(&set));
	return write(fd, line, strlen(line)) < 0;
}
'''


def seen(world, name):
    counts = {int(line) for line in world.read(name).split()}
    os.unlink(world.path(name))
    return counts


def main():
    tap = Tap()
    processors = len(os.sched_getaffinity(0))
    with World() as world:
        world.write('short.c', SHORT)
        program = world.path('short')
        subprocess.run(['cc', '-O2', '-static', '-o', program, world.path('short.c')], check=True)
        run = world.worth('-q', '-r', '300', '--no-peek', '--cleanup', f'{program} cleanup',
                          f'{program} counts', f'{program} counts')
        tap.ok(run.status in (0, 1), 'short commands are compared', run)
        tap.ok(seen(world, 'counts') == {processors}, 'each may run on all processors')
        tap.ok(seen(world, 'cleanup') == {processors}, 'and so may a hook after them')
        run = world.worth('-q', '-r', '50', '--no-peek', '--prepare', f'{program} prepare',
                          f'{program} counts', f'{program} counts')
        tap.ok(seen(world, 'prepare') == {processors} and seen(world, 'counts') == {processors},
               'and hooks between them', run)
        run = world.worth('-q', '-r', '50', '--no-peek', '--cpu',
                          str(min(os.sched_getaffinity(0))), f'{program} counts',
                          f'{program} counts')
        tap.ok(seen(world, 'counts') == {1}, '--cpu gives one', run)
        allowed = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {max(allowed)})
        run = world.worth('-q', '-r', '50', '--no-peek', f'{program} counts', f'{program} counts')
        os.sched_setaffinity(0, allowed)
        tap.ok(seen(world, 'counts') == {1}, 'a worth that has one processor gives that one', run)
        test_events(tap, world, f'{program} counts')
    return tap.finish()


def events(world, command):
    """How many values of events the six judged runs have; None: there are no such columns."""
    run = world.worth('-q', '-r', '3', '--no-peek', '-w', '10', command, command, '-o',
                      world.path('a.csv'))
    head, *rows = [line.split(',') for line in world.read('a.csv').splitlines()]
    judged = [row for row in rows if row[head.index('warmup')] == 'false']
    columns = [head.index(name) for name in ('task-clock', 'migrations') if name in head]
    return run, sum(row[column] != '' for row in judged for column in columns) \
        if columns else None


def test_events(tap, world, short):
    run, values = events(world, short)
    tap.ok(not values, 'runs below 1 ms go without events', run)
    run, values = events(world, 'sleep 0.01')
    if values is None:
        tap.skip('longer runs have them', 'the kernel permits none')
    else:
        tap.ok(values in (6, 12), 'longer runs have them', run)


if __name__ == '__main__':
    sys.exit(main())
