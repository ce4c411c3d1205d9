/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CONFORMANCE_HARNESS_H
#define CONFORMANCE_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

/*
 * What the conformance suites of the specimens share. A check is a function
 * that uses one variant with many threads and says whether a rule held. It
 * runs in a process of its own, so that a variant that crashes, hangs or is
 * caught by a sanitizer is one failed check; a watchdog ends a check whose
 * threads make no progress. Every broken variant is expected to fail one named
 * check, and it is a failure of the suite if it does not.
 *
 *	PROGRAM [--size N] [--seed S] [--only WORD]
 *
 * --size multiplies the work (1: some seconds in all), --seed repeats a run's
 * choices (threads still meet as the kernel lets them), --only takes the
 * variants whose name contains the word. Output is TAP.
 */
struct conformance; /* the run of the program */

/* What a check is given. */
struct trial {
	const void *variant;
	uint64_t size; /* >= 1, multiplies what is done */
	uint64_t seed;
	char why[256]; /* a sentence, if it did not hold */
};

/* false: the rule did not hold. */
typedef bool (*check_function)(struct trial *trial);

/* A sound variant: the check must hold. */
void conformance_holds(struct conformance *conformance, const char *variant, const char *check,
		       check_function function, const void *descriptor);
/* A broken one: it must fail, hang, crash or be reported by a sanitizer. */
void conformance_caught(struct conformance *conformance, const char *variant, const char *check,
			check_function function, const void *descriptor);
/* Not applicable, and why. */
void conformance_skip(struct conformance *conformance, const char *variant, const char *check,
		      const char *why);

/* What the program was built with. */
bool conformance_is_thread_sanitized(void);
bool conformance_is_address_sanitized(void);

/* main() of a suite: suite makes the calls above, once for each variant and check. */
int conformance_main(int argc, char **argv, void (*suite)(struct conformance *conformance));

/* One thread of a check. */
struct crewman {
	struct crew *crew;
	size_t index;
	void *context;		   /* of the crew */
	struct random random;	   /* its own */
	_Atomic uint64_t progress; /* counted up by the thread; watched by the watchdog */
};

/*
 * Runs count threads, each function(its crewman), from one moment on; delays
 * at the seams of the specimen are on. true if no crewman failed. Ends the
 * process if nobody makes progress for some seconds.
 */
bool crew_run(struct trial *trial, size_t count, void (*function)(struct crewman *crewman),
	      void *context);
/* For a crewman: a rule did not hold; the first one's sentence counts, and all are to stop. */
void crew_fail(struct crewman *crewman, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The work is done, or somebody failed. */
void crew_stop(struct crewman *crewman);
bool crew_stopped(const struct crewman *crewman);
/* Counts up the progress. */
void crew_progress(struct crewman *crewman);

/* CPUs that this process may use. */
size_t crew_cpus(void);

#endif
