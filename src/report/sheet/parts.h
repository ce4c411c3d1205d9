/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_SHEET_PARTS_H
#define REPORT_SHEET_PARTS_H

#include "report/quantity.h"
#include "report/sheet/sheet.h"

/*
 * What the files of this folder share while one sheet is made. Each adds its blocks
 * to the document in the order in which sheet_make calls them; footnotes are
 * collected by the table and printed below it.
 */
struct sheet {
	struct arena *arena;
	struct document *document;
	const struct recording *recording; /* redacted where that was asked for, without the runs
					      of an empty program */
	const struct recording *whole;	   /* with them */
	const struct findings *findings;
	bool all;
	const struct recording *hidden; /* as it was before that; NULL: nothing to hide */
	const char **names;	/* of the subjects: clean, distinct, short enough for a column */
	const char **labels;	/* of all subjects of the whole recording: clean, whole */
	struct metric *metrics; /* the recording's; name and unit clean, the unit short */
	int compact; /* for a table that is too wide otherwise: 1 fewer digits, 2 narrow intervals
			too, 3 the baseline's value without its unit, 4 no deviations */
	const char **footnotes;
	size_t footnote_count, footnote_capacity;
};

/* redact.c: a copy without host name and paths; unchanged strings are shared. */
const struct recording *redact_recording(struct arena *arena, const struct recording *recording);
/* A sentence without paths and host name, if that was asked for; else the sentence itself. */
const char *sheet_sentence(const struct sheet *sheet, const char *sentence);

/* names.c: fills names, labels and metrics. */
void sheet_name_all(struct sheet *sheet);
/* "wall time", "max rss": as a sentence speaks of it. */
const char *sheet_metric_phrase(const struct sheet *sheet, size_t metric);

/* head.c: who was compared with whom, and one line of circumstances. */
void sheet_add_head(struct sheet *sheet);
/* How the session ended, as a sentence; NULL where there is nothing to say. */
const char *sheet_end_sentence(const struct sheet *sheet);
/* Seconds that one more round takes, NAN if unknown. */
double sheet_round_s(const struct sheet *sheet);
/* Judged runs of a subject, and how many of them failed. */
size_t sheet_runs(const struct sheet *sheet, size_t subject, size_t *failed);
/* "baseline 3 of 40, candidate 0 of 40" */
const char *sheet_failures(const struct sheet *sheet);

/* speech.c: one comparison in a sentence; NULL where there is nothing to say. */
const char *sheet_comparison_sentence(struct sheet *sheet, const struct comparison *comparison);
/* answer_counts.c: many of them, counted. */
const char *sheet_count_sentence(struct sheet *sheet);
/* answer.c: the plain sentences at the top. */
void sheet_add_answer(struct sheet *sheet);
/* So many primary comparisons that they are counted and not told one by one. */
bool sheet_counts_only(const struct sheet *sheet);

/* besides.c: there are so many variants that their secondary metrics are only counted. */
bool sheet_sums_up(const struct sheet *sheet);

/* rows.c: the table for people. */
void sheet_add_rows(struct sheet *sheet);
/* figures.c. Values of a subject, from whichever comparison has them; NULL if none. */
const struct summary *sheet_summary(const struct sheet *sheet, size_t metric, size_t subject);
bool sheet_shows_metric(const struct sheet *sheet, size_t metric);

/* verdict.c: the last cell of a row, and its footnotes. */
enum tone sheet_verdict_tone(enum verdict verdict);
struct cell sheet_verdict_cell(struct sheet *sheet, const struct comparison *comparison);
/* "not slower by more than 1%", or NULL if nothing is excluded. */
const char *sheet_excluded(const struct sheet *sheet, const struct comparison *comparison);

/* "1.25% of the value", "4.000 ms": what a clock steps in. */
const char *sheet_clock_step(const struct sheet *sheet, const struct comparison *comparison);

/* notes.c: footnotes, warnings, trade, and what was compared. */
void sheet_add_notes(struct sheet *sheet);
/* The findings have a warning of that kind about that metric (METRIC_NONE: about any). */
bool sheet_warns(const struct sheet *sheet, enum warning_kind kind, int metric);
/* " [3]"; the same text gives the same number. */
const char *sheet_footnote(struct sheet *sheet, const char *text);

/* effects.c: what a design of several cells says as a whole. */
void sheet_add_effects(struct sheet *sheet);
/* A variant's name without the levels of its cell: "new" of "new threads=4". */
const char *sheet_variant_name(const struct sheet *sheet, size_t subject);
/* "threads=4 size=1k" */
const char *sheet_cell_name(const struct sheet *sheet, size_t subject);
/* Several cells with several variants each, told cell by cell: too many to be told one by one. */
bool sheet_is_grid(const struct sheet *sheet);

/* crossings.c: where along a factor an effect changes its sign, and its curve. */
void sheet_add_crossings(struct sheet *sheet);

/* beside.c: further figures of each cell, that a study asks for or that were simulated. */
void sheet_add_beside(struct sheet *sheet);

/* blocks.c: the answer over layouts or sessions. */
void sheet_add_blocks(struct sheet *sheet);

/* ranking.c: which variants cannot be told apart, by letters. */
void sheet_add_rankings(struct sheet *sheet);

/* exchange.c: one answer at the rate that was asked for. */
void sheet_add_exchanged(struct sheet *sheet);

/* fronts.c: which variants are worth anything by two metrics. */
void sheet_add_fronts(struct sheet *sheet);
/* A variant of some cell, or of a lone sweep, as those tables name it. */
const char *sheet_point_name(const struct sheet *sheet, size_t subject);

/* claims.c: what a study asks, and at the end what came of its claims. */
void sheet_add_question(struct sheet *sheet);
void sheet_add_claims(struct sheet *sheet);

/* where.c: the functions that account for a difference, of kernels. */
void sheet_add_where(struct sheet *sheet);

/* plots.c: what can be drawn; writers of plain text leave it out. */
void sheet_add_plots(struct sheet *sheet);

/* data.c: the tables for programs and the members of the JSON. */
void sheet_add_data(struct sheet *sheet);

#endif
