/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_SHEET_SHEET_H
#define REPORT_SHEET_SHEET_H

#include "model/findings.h"
#include "model/recording.h"
#include "report/document.h"

/* What the sheet may not say. */
struct sheet_settings {
	bool redact; /* leave out host name and paths */
	bool all;    /* hidden metrics too */
};

/*
 * Recording and findings -> the verdict sheet. For people: the answer, the commands, the
 * circumstances, one table, notes. For programs: the tables "comparisons", "metrics", "runs" and
 * "code_changes", and further members, the recording among them (docs/report.md). Recording and
 * findings must outlive the document; the caller releases document->data.
 */
struct document *sheet_make(struct arena *arena, const struct recording *recording,
			    const struct findings *findings, const struct sheet_settings *settings);

/* The word of a verdict for a metric: "faster", "slower", "smaller", "larger", "better", "worse",
 * "changed", "equivalent", "same", "undecided", "invalid"; "-" for none. */
const char *sheet_verdict_word(enum verdict verdict, const struct metric *metric);

#endif
