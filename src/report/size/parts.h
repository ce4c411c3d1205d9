/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_SIZE_PARTS_H
#define REPORT_SIZE_PARTS_H

#include "report/size/sheet.h"

/* Private to the files that make a size sheet. */
struct size_sheet {
	struct arena *arena;
	const struct code_diff *diff;
	const struct size_sheet_settings *settings;
	struct document *document;
	bool pair; /* two images, not one alone */
};

/* What a row counts: one number of bytes, or two. */
struct size_bytes {
	uint64_t baseline, candidate;
};

/* A table whose first columns are given and whose last are those of bytes: baseline, candidate,
 * delta and change of a pair, bytes and share of one image alone. */
struct table *size_table(const struct size_sheet *sheet, const char *id, const char *title,
			 const struct column *columns, size_t column_count, bool shown);
/* The same for people alone, who see only the first rows of a table that programs get whole. */
struct table *size_people_table(const struct size_sheet *sheet, const char *id,
				const struct column *columns, size_t column_count);
/* Fills the columns of bytes, from cells[first]; whole is what shares are of (0: none). */
void size_cells(const struct size_sheet *sheet, struct cell *cells, size_t first,
		struct size_bytes bytes, uint64_t whole);
/* "+1,024", "-3", "0". */
const char *size_delta(struct arena *arena, struct size_bytes bytes);
/* Whether a row of that name and change is wanted. */
bool size_wants(const struct size_sheet *sheet, const char *name, bool changed);
/* Says how many rows people do not see; rows of a table beyond settings->top are for data only. */
void size_left_out(const struct size_sheet *sheet, const char *what, size_t shown, size_t wanted);

/* A bar of a picture: a row of a table. */
struct size_bar {
	const char *name;
	const char *remark; /* behind its value, where it is pointed at; or NULL */
	double bytes;	    /* what it takes, or the change of it */
};
/* The largest of them as a picture; none where there is nothing to compare. */
void size_add_bars(const struct size_sheet *sheet, const char *id, const char *title,
		   const struct size_bar *rows, size_t count);

/* The tables; shown: for people too. */
void size_add_totals(const struct size_sheet *sheet);
void size_add_map(const struct size_sheet *sheet, bool shown);
void size_add_sections(const struct size_sheet *sheet, bool shown);
void size_add_symbols(const struct size_sheet *sheet, bool shown);
void size_add_candidates(const struct size_sheet *sheet);
void size_add_frames(const struct size_sheet *sheet);
void size_add_layouts(const struct size_sheet *sheet);
void size_add_listing(const struct size_sheet *sheet, const struct code_listing *listing);
void size_add_inlines(const struct size_sheet *sheet, bool shown);
void size_add_units(const struct size_sheet *sheet, bool shown);
void size_add_files(const struct size_sheet *sheet, bool shown);

#endif
