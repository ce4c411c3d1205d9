/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_RECORDING_H
#define MODEL_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/where.h"
#include "model/environment.h"
#include "model/metric.h"
#include "model/plan.h"

/* One value of a self-reported metric that was reported more than once in a run. */
struct batch {
	uint32_t metric; /* index into metrics */
	double value;
};

enum sample_flag {
	SAMPLE_FAILED = 1 << 0, /* non-zero exit, signal, timeout, or could not start */
	SAMPLE_TIMED_OUT = 1 << 1,
	SAMPLE_DISTURBED = 1 << 2, /* others ran on this processor, or the hypervisor stole time */
	SAMPLE_STRAYS = 1 << 3,	   /* descendants outlived it (named in the recording's remarks) */
	SAMPLE_WARMUP = 1 << 4,	   /* not judged */
	SAMPLE_OUTPUT_DIFFERS = 1 << 5 /* --same-output: other bytes than the baseline's */
};

/* One run of one subject with all its quantities. */
struct sample {
	uint32_t round;	   /* 0-based; warm-up rounds count apart */
	uint32_t position; /* place in the round, 0-based */
	uint32_t subject;
	uint32_t flags;	     /* enum sample_flag */
	int64_t started_ns;  /* since the session began; -1: unknown */
	int32_t exit_status; /* 0..255, or -1 where a signal ended it or it never started */
	int32_t signal;	     /* 0: none */
	double *values;	     /* metric_count of them; NAN: not measured. Values of a failed run stay
				here but are never judged */
	float *coverage;     /* share of the time a counter ran, per metric; NULL: 1 for all */
	struct batch *batches;
	uint32_t batch_count;
	uint64_t output_hash; /* of stdout under same_output, else 0 */
};

/* What a table tells of runs that are not there: a metric of a subject, summarized. */
struct told_mean {
	uint32_t metric, subject;
	double mean;
	double deviation; /* sample standard deviation; NAN: not told */
	size_t count;	  /* of runs; 0: not told */
};

/*
 * The runs of one subject that are nothing but numbers: run k is round k, none
 * failed, none has a time, batches or a coverage. Imported figures come in tens
 * of millions, and a value here takes 8 bytes where a sample takes 80 besides.
 */
struct bulk {
	size_t run_count;
	const double **values; /* by metric: counts[metric] of them, NAN: not measured. They are
				  another's, and outlive the recording */
	size_t *counts;	       /* by metric: the runs that follow were not measured */
};

/* How a session ended; says which looks count (method.md 3.1 and 3.6). */
enum session_end {
	END_RUNNING,	 /* not ended: a crash, or still going */
	END_COMPLETE,	 /* the last planned round was run */
	END_DECIDED,	 /* stopped at a look */
	END_BUDGET,	 /* the clock stopped it: the last round is a last look */
	END_INTERRUPTED, /* by hand: the last completed look counts */
	END_FAILED,	 /* a run failed without ignore_failure */
};

/*
 * The waist of the program: measuring, importing and history make it; judging
 * and reporting read it. Its metrics are its columns; nothing downstream has a
 * list of metrics.
 */
struct recording {
	const char *id;	    /* history's key; NULL if not saved */
	const char *origin; /* "measured", or the format it was imported from */
	bool order_known;   /* false: runs are unpaired (method.md 3.12) */
	struct plan plan;
	struct environment before;
	struct environment after; /* taken_at_s 0 if the session did not end */
	struct metric *metrics;
	size_t metric_count;
	size_t metric_capacity;
	struct sample *samples; /* in run order, warm-up included */
	size_t sample_count;
	size_t sample_capacity;
	struct bulk *bulks;	 /* by subject, plan.subject_count of them, in place of samples;
				    NULL: the runs are samples */
	struct told_mean *means; /* of imported tables only */
	size_t mean_count;
	size_t mean_capacity;
	const char **remarks; /* sentences by the meters: a refused counter, a stray's name */
	size_t remark_count;
	size_t remark_capacity;
	const struct where_row *where; /* of kernels, if asked for */
	size_t where_count;
	enum session_end end;
	size_t rounds_done;	 /* complete judged rounds */
	size_t *extension_bases; /* for each --extend: rounds_done when it was asked, so that a
				    budget-truncated plan spends from there (method.md 3.6) */
	size_t extension_count;
};

enum { METRIC_NONE = -1 };

/* Index of the metric with that name, METRIC_NONE if there is none. */
int recording_metric(const struct recording *recording, const char *name);
/* The same for a word that a user typed: where no metric has exactly that name, the one that
 * metric_is_called() so. */
int recording_metric_called(const struct recording *recording, const char *word);
/* Add a column (existing samples get NAN), or return the existing index of that name. */
size_t recording_add_metric(struct arena *arena, struct recording *recording,
			    const struct metric *metric);
/* A new sample at the end with all values NAN; valid until the next is added. */
struct sample *recording_add_sample(struct arena *arena, struct recording *recording);
/* A mean whose runs are not there. */
void recording_add_mean(struct arena *arena, struct recording *recording,
			const struct told_mean *mean);
/* NULL if none was told. */
const struct told_mean *recording_mean(const struct recording *recording, size_t metric,
				       size_t subject);
/* Turn a recording without samples into one whose runs are in bulk; subjects and metrics are there,
 * and have no runs yet. */
void recording_make_bulk(struct arena *arena, struct recording *recording);
/* A subject's runs in bulk: 0 where runs are samples. */
size_t recording_bulk_runs(const struct recording *recording, size_t subject);
/* All runs, as samples or in bulk, and one of them: a bulk run is put together in values
 * (metric_count of them), and the runs of a subject follow those of the one before. */
size_t recording_run_count(const struct recording *recording);
struct sample recording_run(const struct recording *recording, size_t index, double *values);
/* The subject that a candidate is compared with; its own index for a baseline. */
size_t recording_baseline(const struct recording *recording, size_t candidate);
/* The recording without the runs of an empty program: itself if there is none, else *view, whose
 * samples are in arena and whose everything else is shared. */
const struct recording *recording_compared(struct arena *arena, const struct recording *recording,
					   struct recording *view);
/* A remark, once: the same sentence is not added again. */
void recording_remark(struct arena *arena, struct recording *recording, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

const char *session_end_name(enum session_end end);
bool session_end_parse(const char *word, enum session_end *end);

#endif
