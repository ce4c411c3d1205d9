/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last words before a limit: see limits.h. */
#include "workloads/limits.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "workloads/give_up.h"

/* Before the kernel's own second is over, which it sees at a tick of its clock: 4 ms, or 10. */
enum { LAST_WORDS_US = 950000 };

_Noreturn void limits_say(void)
{
	give_up_in_handler("it used the CPU time that it was allowed (ulimit -t, or in a "
			   "real-time class RLIMIT_RTTIME without a sleep); ask for less with "
			   "--operations or --time");
}

static void say(int number)
{
	(void)number;
	limits_say();
}

static void pass_on(int number)
{
	(void)number;
	_exit(LIMITS_STATUS);
}

/* share: of the hard limit, by which the soft one is less, and at least one unit of it. */
static void lower_soft_limit(int which, rlim_t share)
{
	struct rlimit limit;

	if (getrlimit(which, &limit) < 0 || limit.rlim_max == RLIM_INFINITY ||
	    limit.rlim_cur < limit.rlim_max || limit.rlim_max < 2)
		return;
	limit.rlim_cur = limit.rlim_max - 1 - limit.rlim_max / share;
	setrlimit(which, &limit);
}

/* A soft limit of 0 s would be none: Linux took it for 1 s, or for the next tick. */
static void time_a_single_second(void)
{
	struct itimerval timer = { .it_value.tv_usec = LAST_WORDS_US };
	struct rlimit limit;
	struct timespec used;

	if (getrlimit(RLIMIT_CPU, &limit) < 0 || limit.rlim_max != 1 ||
	    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) < 0)
		return;
	timer.it_value.tv_usec -= used.tv_nsec / 1000;
	if (timer.it_value.tv_usec <= 0)
		timer.it_value.tv_usec = 1;
	setitimer(ITIMER_PROF, &timer, NULL);
}

static void before_limits(void (*handler)(int))
{
	signal(SIGXCPU, handler);
	signal(SIGPROF, handler);
	lower_soft_limit(RLIMIT_CPU, RLIM_INFINITY);
	lower_soft_limit(RLIMIT_RTTIME, 10);
	time_a_single_second();
}

void limits_speak(void)
{
	before_limits(say);
}

void limits_pass_on(void)
{
	before_limits(pass_on);
}

const char *limits_reason(void)
{
	switch (errno) {
	case EMFILE:
		return "Too many open files (see ulimit -n)";
	case EFBIG:
		return "File too large (see ulimit -f)";
	case ENOMEM:
		return "Cannot allocate memory (see ulimit -v and the memory limit of the cgroup)";
	default:
		return strerror(errno);
	}
}

const char *limits_transfer_reason(ssize_t got)
{
	return got < 0 ? limits_reason() : "it was cut short (of a write: see df and ulimit -f)";
}
