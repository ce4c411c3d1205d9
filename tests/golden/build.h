/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_GOLDEN_BUILD_H
#define TESTS_GOLDEN_BUILD_H

#include "base/arena.h"
#include "base/random.h"
#include "model/findings.h"
#include "model/recording.h"

/*
 * Recordings and findings made by hand, for the tests of reports. Nothing is
 * judged here: a test says what was found, and the report must say it well.
 * Times, host and seed are fixed, so that a transcript is exact.
 */
struct made {
	struct arena *arena;
	struct recording recording;
	struct findings findings;
	struct random random;
	size_t comparison_capacity;
};

/* Two subjects, the first one the baseline; the usual plan; no metrics and no samples yet. */
void made_init(struct made *made);
void made_release(struct made *made);

/* Another subject, compared with the first one. */
struct subject *made_subject(struct made *made, const char *label, const char *command);
/* A metric, "lower" being better. */
size_t made_metric(struct made *made, const char *name, const char *unit,
		   enum metric_source source);
/* rounds rounds of one run of each subject; values are NAN until made_values. */
void made_rounds(struct made *made, size_t rounds, double round_s);
/* Values of one metric for one subject: about centre, with deviation, rounded to step. */
void made_values(struct made *made, size_t metric, size_t subject, double centre, double deviation,
		 double step);

/* A comparison with summaries of the samples, and change from low to high; further fields are the
 * caller's to set until the next is added. */
struct comparison *made_compare(struct made *made, size_t metric, size_t candidate,
				enum verdict verdict, double low, double high);
void made_warning(struct made *made, enum warning_kind kind, int metric, const char *sentence);

/* The whole findings' verdict: the given one, and a look at the last round. */
void made_verdict(struct made *made, enum verdict verdict);

#endif
