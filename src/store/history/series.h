/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_HISTORY_SERIES_H
#define STORE_HISTORY_SERIES_H

#include "model/metric.h"
#include "store/history/history.h"

/* Medians of sessions, for trends, and sessions under a name, to compare with. */

/* Of one command of a session. */
struct history_summary {
	size_t subject;
	const char *label; /* of the command */
	const char *metric;
	const char *unit;
	enum better better;
	double median;
	size_t runs; /* that the median is of */
};

/* Keeps what a session's runs come to, in place of what was kept before. */
bool history_summarize(struct history *history, const char *id,
		       const struct history_summary *summaries, size_t count, struct error *err);
/* Sessions that have ended or were broken off and were never summarized, oldest first. None where
 * the history cannot be written. */
bool history_unsummarized(struct history *history, struct arena *arena, const char ***ids,
			  size_t *count, struct error *err);

/* A session in a series. */
struct history_point {
	const char *id;
	const char *title;
	const char *project, *host; /* NULL: not known */
	int64_t started_at_s;
	struct history_summary summary;
};
/* One metric (filter->metric, which must be given) of the newest filter->limit sessions that have
 * it, all commands (or those of filter->variant), in order of time and of the commands. */
bool history_series(struct history *history, struct arena *arena,
		    const struct history_filter *filter, struct history_point **points,
		    size_t *count, struct error *err);

/* A session, or one of its commands, under a name. */
struct history_baseline {
	const char *name;
	const char *id;
	const char *label; /* NULL: the session's only command */
	const char *title;
	int64_t started_at_s;
};
/* Takes the name's place if it is there already. */
bool history_save_baseline(struct history *history, const char *name, const char *id,
			   const char *label, struct error *err);
/* By name, in order of names. */
bool history_baselines(struct history *history, struct arena *arena,
		       struct history_baseline **baselines, size_t *count, struct error *err);
/* *found tells whether there is one. */
bool history_find_baseline(struct history *history, struct arena *arena, const char *name,
			   struct history_baseline *baseline, bool *found, struct error *err);
/* ERROR_USAGE if there is none of that name. */
bool history_drop_baseline(struct history *history, const char *name, struct error *err);

#endif
