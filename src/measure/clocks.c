/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the clocks of this machine resolve, found by watching them rather than by asking. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure/environment.h"

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Enough steps for a small minimum on a fine clock; on a clock of whole ticks (jiffies, 10 ms at
 * 100 Hz) the time runs out first, after several steps. */
double environment_clock_step_ns(void)
{
	enum { STEPS = 2000, LIMIT_NS = 60000000 };
	int64_t start = clock_ns(CLOCK_MONOTONIC), before = start, least = INT64_MAX;
	int steps = 0;

	while (steps < STEPS && before - start < LIMIT_NS) {
		int64_t now = clock_ns(CLOCK_MONOTONIC);

		if (now > before) {
			steps++;
			if (now - before < least)
				least = now - before;
		}
		before = now;
	}
	return least == INT64_MAX ? NAN : (double)least;
}

static int64_t timeval_ns(struct timeval time)
{
	return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

enum probe_exit { PROBE_EXACT = 0, PROBE_SAMPLED = 1, PROBE_FAILED = 2 };

/* In a fresh process: nearly pure system time, shorter than any tick. A kernel that samples the
 * split and saw no tick meanwhile calls it all user time (cputime_adjust in
 * kernel/sched/cputime.c). */
_Noreturn static void probe(void)
{
	enum { PROBE_NS = 300000 };
	char bytes[65536];
	struct rusage usage;
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		_exit(PROBE_FAILED);
	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < PROBE_NS)
		if (read(fd, bytes, sizeof bytes) <= 0)
			_exit(PROBE_FAILED);
	if (getrusage(RUSAGE_SELF, &usage) != 0)
		_exit(PROBE_FAILED);
	_exit(timeval_ns(usage.ru_stime) * 10 < timeval_ns(usage.ru_utime) ? PROBE_SAMPLED
									   : PROBE_EXACT);
}

/* Eight tries: a tick of 1000 Hz hits a try of 0.3 ms in three cases of ten, all eight times in
 * less than one of ten thousand. */
bool environment_accounting_sampled(bool *sampled)
{
	enum { TRIES = 8 };
	int i, status;

	for (i = 0; i < TRIES; i++) {
		pid_t pid = fork();

		if (pid == 0)
			probe();
		if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
		    WEXITSTATUS(status) == PROBE_FAILED)
			return false;
		if (WEXITSTATUS(status) == PROBE_SAMPLED) {
			*sampled = true;
			return true;
		}
	}
	*sampled = false;
	return true;
}
