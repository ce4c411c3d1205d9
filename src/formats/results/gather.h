/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_RESULTS_GATHER_H
#define FORMATS_RESULTS_GATHER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "formats/format.h"
#include "formats/results/results.h"
#include "model/recording.h"

/* One file that was read. */
struct gather_file {
	const char *name; /* as given */
	const struct format *format;
	const struct results *results;
};

struct gather_settings {
	const char *filter; /* extended regular expression for benchmark names; NULL: all */
	const char *by; /* a label, or "benchmark": its values are the sides; NULL: files and the
			   sides that they name are */
	const char *baseline; /* name of a side; NULL: the first one */
	bool paired;	      /* run k of one side belongs to run k of the other */
	bool everything;      /* keep what only one side has, too */
	bool better_given;
	enum better better; /* for measures whose direction the file does not say */
};

/*
 * The results of several files as one recording with a plan of no rounds but
 * those that are there: sides become subjects, measures become metrics, run k
 * of each becomes run k, in bulk where the runs are nothing but numbers: then
 * the files' results must outlive the recording. The plan's margins, confidence and primary metric
 * are the caller's and left alone, except that primary is set where the results
 * say what decides, and all_decide where they are a set of benchmarks of equal
 * standing.
 *
 * Names: a benchmark that is the only one of every side needs no common name.
 * Otherwise scope, benchmark, metric and unit must agree in full. What only
 * some sides have is listed in a remark. Strings live in arena.
 */
bool gather(struct arena *arena, const struct gather_file *files, size_t file_count,
	    const struct gather_settings *settings, struct recording *recording, struct error *err);

#endif
