/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads of a check, and the watchdog over them: see harness.h. */
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "harness_parts.h"
#include "steps.h"

enum { POLL_NS = 2000000 };

struct crew {
	struct trial *trial;
	void (*function)(struct crewman *crewman);
	pthread_barrier_t begin;
	atomic_bool stopped;
	atomic_bool failed;
	atomic_size_t running;
	size_t count;
	struct crewman *men;
};

size_t crew_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

void crew_stop(struct crewman *crewman)
{
	atomic_store_explicit(&crewman->crew->stopped, true, memory_order_relaxed);
}

bool crew_stopped(const struct crewman *crewman)
{
	return atomic_load_explicit(&crewman->crew->stopped, memory_order_relaxed);
}

void crew_progress(struct crewman *crewman)
{
	atomic_fetch_add_explicit(&crewman->progress, 1, memory_order_relaxed);
}

void crew_fail(struct crewman *crewman, const char *format, ...)
{
	struct crew *crew = crewman->crew;
	va_list arguments;

	if (!atomic_exchange(&crew->failed, true)) {
		va_start(arguments, format);
		vsnprintf(crew->trial->why, sizeof crew->trial->why, format, arguments);
		va_end(arguments);
	}
	crew_stop(crewman);
}

static void *run_crewman(void *argument)
{
	struct crewman *crewman = argument;
	struct crew *crew = crewman->crew;

	steps_enter(steps_usual(crew->trial->seed), random_next(&crewman->random));
	pthread_barrier_wait(&crew->begin);
	crew->function(crewman);
	atomic_fetch_sub(&crew->running, 1);
	return NULL;
}

static uint64_t progress_of(const struct crew *crew)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < crew->count; i++)
		sum += atomic_load_explicit(&crew->men[i].progress, memory_order_relaxed);
	return sum + crew->count - atomic_load(&crew->running);
}

/* Time is counted in this thread's own naps: a machine or process that stood still is no hang. */
static void watch(const struct crew *crew)
{
	struct timespec moment = { .tv_nsec = POLL_NS };
	uint64_t seen = progress_of(crew), now;
	uint64_t silent_ns = 0, limit_ns = harness_patience_ns();

	while (atomic_load(&crew->running) > 0) {
		nanosleep(&moment, NULL);
		now = progress_of(crew);
		silent_ns = now == seen ? silent_ns + POLL_NS : 0;
		seen = now;
		if (silent_ns >= limit_ns)
			harness_hang(crew->trial, (double)silent_ns / 1e9);
	}
}

bool crew_run(struct trial *trial, size_t count, void (*function)(struct crewman *crewman),
	      void *context)
{
	struct crew crew = {
		.trial = trial, .function = function, .running = count, .count = count
	};
	struct random random = { .state = trial->seed };
	pthread_t *threads = calloc(count, sizeof *threads);
	size_t i;

	crew.men = calloc(count, sizeof *crew.men);
	if (threads == NULL || crew.men == NULL)
		abort();
	pthread_barrier_init(&crew.begin, NULL, (unsigned)count);
	for (i = 0; i < count; i++) {
		crew.men[i].crew = &crew;
		crew.men[i].index = i;
		crew.men[i].context = context;
		crew.men[i].random.state = random_next(&random);
		if (pthread_create(&threads[i], NULL, run_crewman, &crew.men[i]) != 0)
			abort();
	}
	watch(&crew);
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&crew.begin);
	free(threads);
	free(crew.men);
	return !atomic_load(&crew.failed);
}
