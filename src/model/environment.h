/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_ENVIRONMENT_H
#define MODEL_ENVIRONMENT_H

#include <stddef.h>
#include <stdint.h>

/* One fact about the machine or the surroundings, as text ("governor" = "performance"). The keys
 * are listed in measure/environment.h. A fact that could not be read is absent, never empty. */
struct fact {
	const char *key;
	const char *value;
};

/* The machine and its state at one moment. Numbers that were not read are NAN. */
struct environment {
	int64_t taken_at_s; /* seconds since 1970, UTC; 0: unknown */
	struct fact *facts;
	size_t fact_count;
	double load_1min;
	double memory_available_bytes;
	double steal_s; /* since boot, all processors */
	double busy_s;
	double idle_s;
};

/* One that was never read: its numbers are NAN. */
struct environment environment_none(void);
const char *environment_fact(const struct environment *environment, const char *key); /* or NULL */

#endif
