/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_FINDINGS_H
#define MODEL_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/metric.h"
#include "model/study.h"

/* The fixed verdicts. Words for the screen depend on the metric: see report/. */
enum verdict {
	VERDICT_NONE,	    /* nothing was compared: one command alone, or no look completed */
	VERDICT_BETTER,	    /* faster, smaller, better */
	VERDICT_WORSE,	    /* slower, larger, worse */
	VERDICT_CHANGED,    /* exact and different, but the metric has no direction */
	VERDICT_EQUIVALENT, /* whole interval inside the margin */
	VERDICT_SAME,	    /* exact and equal */
	VERDICT_UNDECIDED,
	VERDICT_INVALID, /* runs failed */
};

/* Why an undecided comparison is undecided; decides what is said next. */
enum undecided_reason {
	REASON_NONE,
	REASON_INTERVAL, /* more runs would decide it */
	REASON_FLOOR,	 /* too few pairs to say anything */
	REASON_CLOCK,	 /* limited by the clock's step */
	REASON_UNSTABLE, /* the effect itself drifts, and not every part of the rounds agrees */
	REASON_VALUES,	 /* no margin can be formed (median 0 or less), and no difference shown */
	REASON_SUMMARY,	 /* a mean without what a verdict needs: number of runs or their spread */
};

/* One subject's values of one metric, for showing. */
struct summary {
	size_t count;
	bool told; /* mean and deviation are a table's and the runs are not there; count 0: it does
		      not say of how many */
	double mean;
	double deviation; /* sample standard deviation, NAN below 2 */
	double median;
	double lowest;
	double highest;
	size_t slow_runs; /* beyond median + 5 robust deviations, in the direction of cost */
	size_t fast_runs; /* the same on the other side */
	bool two_groups;
	double group_centres[2];
	double group_shares[2]; /* of the runs; add up to 1 */
};

/*
 * One metric of one candidate against the baseline. Changes are raw
 * candidate/baseline - 1, whatever the metric's direction; low <= high.
 * Where nothing is compared with anything (one command alone) there is one of
 * each metric and subject, its own baseline, with verdict none: only baseline
 * and resolvable_ratio say something.
 */
struct comparison {
	size_t metric;	  /* index into the recording's metrics */
	size_t candidate; /* subject index; its baseline is plan.subjects[candidate].baseline */
	bool primary;
	bool paired;
	bool exact;	 /* no sampling: interval is the point */
	bool difference; /* values were not all positive: change is b - a in the metric's unit, not
			    a ratio */
	size_t pairs;	 /* or the smaller side's count where unpaired */
	struct summary baseline;
	struct summary other;

	double change;	   /* Hodges-Lehmann, as ratio - 1; NAN: none */
	double change_low; /* -INFINITY / INFINITY where the interval is unbounded */
	double change_high;
	double mean_change; /* ratio of means - 1: "typical or total?" */
	double level;	    /* two-sided alpha of the interval shown */
	double p;	    /* exact or asymptotic rank p; NAN: none. Not for the text report */
	double p_adjusted;
	const char *method; /* "signed-rank", "rank-sum", "exact", "welch" (of means that were
			       told); NULL: not compared */
	/* Unpaired only, for information: what Welch's t on logarithms gives at the same level. It
	 * assumes normal values and decides nothing. NAN: none. */
	double welch_low, welch_high, welch_p;

	double margin_ratio;
	bool margin_given;
	enum verdict verdict;
	bool unstable; /* the effect drifts: the interval spans what all parts of the rounds show */
	bool beyond_margin; /* whole interval beyond the margin: "faster, > 1%" */
	bool consistent;    /* equivalent, yet excludes 0: "consistently 0.3% slower" */
	bool not_worse;	    /* undecided, but worse by more than the margin is excluded */
	bool not_better;    /* undecided, but better by more than the margin is excluded */
	enum undecided_reason reason;
	double clock_step_ratio; /* guard, as a ratio; 0: none */
	double resolvable_ratio; /* smallest difference these runs could have shown; NAN */
	size_t more_likely;	 /* further pairs that would probably decide it; 0: no figure */
	size_t more_surely;
};

/* The geometric mean of the changes of a set's benchmarks of one unit and direction. */
struct set_mean {
	struct comparison comparison; /* metric: the first of them; pairs: whole rounds, 0 where
					 runs are not paired, and then there is no verdict */
	size_t benchmarks;	      /* that count */
	size_t of;		      /* that are there; those with zeros have no ratio */
};

/* What a reader should know besides; a kind per rule so that no one parses sentences. */
enum warning_kind {
	WARNING_FAILED_RUNS,
	WARNING_TWO_GROUPS,
	WARNING_SLOW_RUNS,
	WARNING_MACHINE_DRIFT,
	WARNING_POSITION,
	WARNING_UNSTABLE,
	WARNING_DISTURBED,
	WARNING_ACCOUNTING,
	WARNING_TICKS,
	WARNING_FEW_RUNS,
	WARNING_NOT_INTERLEAVED,
	WARNING_ONE_BUILD,
	WARNING_SELF_CHECK,
	WARNING_OUTPUT,
	WARNING_SUMMARIES,
	WARNING_REMARK, /* a meter's own sentence */
};

struct warning {
	enum warning_kind kind;
	int metric;	      /* METRIC_NONE: about the whole */
	const char *sentence; /* clean UTF-8, full sentence */
};

/* One function or symbol whose code changed. */
struct code_change {
	const char *function;
	const char *kind; /* "added", "removed", "grown", "shrunk", "inlined", ... */
	int64_t baseline_bytes, candidate_bytes;
	int64_t baseline_copies, candidate_copies;
};

/* A planned look that took place. */
struct look {
	size_t rounds;
	double level; /* two-sided alpha at this look */
	double z;
};

/* A/A mode: segments of the same command against itself (method.md 3.11). */
struct self_check {
	bool done;
	size_t segments;
	size_t false_alarms;
	bool alarm;				/* more false alarms than luck gives */
	double change, change_low, change_high; /* pooled */
};

/*
 * What a design over several cells says of one candidate and the primary
 * metric. Changes are raw ratios minus one, as in a comparison.
 */
enum effect_kind {
	EFFECT_CELL,	    /* one subject against the first baseline of all: a cell's place */
	EFFECT_POOLED,	    /* the candidate against its baselines, averaged over all cells */
	EFFECT_LEVEL,	    /* the same over the cells with one level */
	EFFECT_INTERACTION, /* the effect at that level against the one at the first level */
	EFFECT_TREND,	    /* by how much the effect changes with each step of an ordered factor */
};

struct effect {
	enum effect_kind kind;
	size_t subject;	    /* the subject itself, or the candidate in the first cell */
	const char *factor; /* NULL: none */
	const char *level;  /* clean, as factor */
	size_t cells;	    /* averaged, or pairs of cells that were set against each other */
	size_t rounds;	    /* in which all of them have a pair */
	double change, change_low, change_high;
	bool real; /* an interaction or trend that its interval excludes from being none */
};

/*
 * Where along a factor of numbers a candidate's effect changes its sign. Costs:
 * whatever the metric's direction, a candidate that costs more has sign 1.
 */
enum crossing_kind {
	CROSSING_SHOWN, /* one sign below, the other above */
	CROSSING_OPEN,	/* it may be there: the levels end where no sign is shown */
	CROSSING_NONE,	/* the same sign is shown at all levels, or on both sides of all others */
};

struct crossing {
	enum crossing_kind kind;
	size_t subject;	    /* the candidate in the first cell */
	const char *factor; /* clean */
	double low, high;   /* on the factor's scale; -INFINITY, INFINITY where open */
	double estimate;    /* NAN: none */
	int before, after;  /* signs shown; 0: none, where open */
	size_t rounds;	    /* that have all levels */
	double level;	    /* two-sided alpha at each place */
};

/*
 * Variants over two metrics of which both cost: who is worth anything. Only
 * what was shown counts: a variant is dominated where another is shown to be
 * better in one metric and better, the same or equivalent in the other.
 */
enum front_place {
	PLACE_FRONT,	 /* against each one that is not dominated: better in one metric, or
			    equivalent in both */
	PLACE_DOMINATED, /* by other */
	PLACE_UNTOLD,	 /* whether other dominates it cannot be told */
};

struct front_point {
	size_t subject;	 /* of several cells: the one in the first */
	double value[2]; /* medians; NAN where several cells are taken together */
	double change[2], change_low[2], change_high[2]; /* raw, against the first point */
	enum front_place place;
	size_t other;  /* subject; the point's own where it is on the front */
	size_t others; /* how many dominate it, or cannot be told apart from it */
};

struct front {
	size_t metrics[2];
	size_t cells; /* taken together; 1: the cell of the points' subjects */
	size_t rounds;
	double level; /* shared by all pairs of points and both metrics (Holm) */
	struct front_point *points;
	size_t point_count;
};

/* Variants from the least cost to the most; two that share a letter cannot be told apart. */
struct ranked {
	size_t subject;	     /* of several cells: the one in the first */
	double change;	     /* raw, against the baseline */
	const char *letters; /* NULL: too many for letters */
};

struct ranking {
	size_t cells; /* taken together */
	struct ranked *items;
	size_t count;
};

/* A candidate over blocks (layouts, sessions): each one's typical change is one value. */
struct blocked {
	struct comparison comparison; /* pairs: blocks; the primary metric */
	const char *block;	      /* "layout" */
	double between;		      /* standard deviation between blocks, of log ratios */
};

/* All of a candidate's metrics that a rate names, as a change of the first of them. */
struct exchanged {
	struct comparison comparison;
	size_t metrics;
};

struct findings {
	struct comparison *comparisons; /* primary ones first, then by metric, then by candidate */
	size_t comparison_count;
	struct set_mean *set_means; /* of a set of benchmarks; none elsewhere */
	size_t set_mean_count;
	enum verdict verdict;	  /* of the whole: the worst primary one */
	struct look look;	  /* the one the verdict is of; rounds 0: none was completed */
	size_t rounds_after_look; /* run and kept, not judged */
	struct warning *warnings;
	size_t warning_count, warning_capacity;
	struct code_change *code_changes;
	size_t code_change_count;
	struct effect *effects; /* of sweeps and experiments: cells, then by candidate */
	size_t effect_count, effect_capacity;
	struct crossing *crossings; /* of factors of three or more rising numbers */
	size_t crossing_count, crossing_capacity;
	struct front *fronts; /* if asked for: of all cells together where there are several, then
				 of each */
	size_t front_count, front_capacity;
	struct claim_finding *claims; /* of the plan's study, claim by claim */
	size_t claim_count;
	struct ranking *rankings; /* of three variants or more: as fronts are */
	size_t ranking_count, ranking_capacity;
	struct blocked *blocked; /* under a plan with blocks: one for each candidate */
	size_t blocked_count;
	struct exchanged *exchanged; /* if asked for: one for each candidate */
	size_t exchanged_count;
	const char *rate;     /* as it was read, clean: "1% wall = 2% text" */
	const char *trade;    /* one sentence, or NULL */
	struct summary start; /* wall time of an empty program in the same rounds; count 0: none */
	struct self_check self_check;
};

const char *verdict_name(enum verdict verdict); /* for data: "better", "worse", "equivalent", ... */
const char *warning_kind_name(enum warning_kind kind); /* "two-groups", ... */

#endif
