/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_SIZE_SHEET_H
#define REPORT_SIZE_SHEET_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/code.h"
#include "report/document.h"

enum size_by {
	SIZE_BY_EVERYTHING, /* totals, map, sections and the symbols that changed most */
	SIZE_BY_TOTAL,
	SIZE_BY_SECTION,
	SIZE_BY_SYMBOL,
	SIZE_BY_FILE, /* members of archives */
	SIZE_BY_UNIT, /* source files that symbols name */
	SIZE_BY_INLINE,
};

struct size_sheet_settings {
	enum size_by by;
	size_t top;	       /* rows of a table for people; 0: all */
	const regex_t *filter; /* names of symbols, sections, units or files; NULL: all */
	bool all;	       /* what did not change, too */
	const struct code_listing *listing; /* one function's code, and nothing else; or NULL */
	bool candidates;		    /* functions worth un-inlining were ranked */
	bool frames;	 /* the images have stack frames: they, and nothing else */
	bool structures; /* the images have layouts: they, and nothing else */
	bool inlines;	 /* the images have ledgers of inlined copies */
};

/*
 * A code diff, or one image alone -> the size sheet. For people: the totals in
 * one sentence, the files, and the tables asked for; for programs all of the
 * tables "totals", "map", "sections", "symbols", "files" and "units", and
 * "inlines", "callers" and "duplicates" where there are ledgers. The diff must
 * outlive the document; the caller releases document->data.
 */
struct document *size_sheet_make(struct arena *arena, const struct code_diff *diff,
				 const struct size_sheet_settings *settings);

#endif
