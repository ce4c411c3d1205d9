/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"

/*
 * The format-neutral report: a list of blocks, made once, written by any of
 * the writers in list.def. A table knows its cells twice, as text for people
 * and as values with full precision for programs, so that no writer computes
 * and no writer knows a metric. All strings in it are clean UTF-8 (text_clean).
 */
enum block_kind { BLOCK_HEADING, BLOCK_SENTENCE, BLOCK_TABLE, BLOCK_PLOT, BLOCK_NOTE };

/* The mood of a cell or sentence; colour on a terminal, a class in HTML. */
enum tone { TONE_PLAIN, TONE_GOOD, TONE_BAD, TONE_CAUTION, TONE_FAINT };

enum align { ALIGN_LEFT, ALIGN_RIGHT };

enum audience {
	AUDIENCE_ALL,
	AUDIENCE_PEOPLE, /* text, Markdown, HTML */
	AUDIENCE_DATA,	 /* JSON, CSV */
};

struct column {
	const char *key;   /* for data: "change_low"; unique in its table */
	const char *title; /* for people */
	enum align align;
	enum audience audience;
	bool
	    shrinks; /* gives way where the table is too wide: a longer cell of the first such
			column then stands on a line of its own, uncut, above the rest of its row */
};

enum cell_kind { CELL_EMPTY, CELL_NUMBER, CELL_TEXT, CELL_BOOLEAN };

struct cell {
	enum cell_kind kind;
	const char *text; /* as people read it; NULL in a data-only column */
	double number;	  /* full precision; NAN is null */
	const char *word; /* data value of a CELL_TEXT where it differs from text; NULL: text */
	bool truth;
	enum tone tone;
};

struct row {
	struct cell *cells; /* column_count of them */
	const char *rule;   /* not NULL: no cells, a ruled line with this text across the table */
};

struct table {
	const char *id;	   /* for data: "comparisons", "runs" */
	const char *title; /* NULL: none */
	struct column *columns;
	size_t column_count;
	struct row *rows;
	size_t row_count, row_capacity;
	enum audience audience;
	/* For tables for programs that are too long to hold (a row per run): not NULL, rows is
	 * NULL, and this makes the cells of row index when a writer asks. */
	void (*fill)(const struct table *table, size_t index, struct cell *cells);
	const void *context; /* for fill */
};

enum plot_kind {
	PLOT_RUNS,
	PLOT_DISTRIBUTION,
	PLOT_INTERVALS,
	PLOT_CURVE,
	PLOT_SCATTER,
	PLOT_BARS
};

/* One set of marks. x may be NULL (then 0, 1, 2...); low and high may be NULL (no interval). */
struct plot_series {
	const char *label;
	const double *x, *y, *low, *high;
	const double *x_low, *x_high; /* of points; NULL: no interval along x */
	const char *const *names;     /* of the marks, for bars and hover; may be NULL */
	const double *levels;	      /* of curves: what each mark varies about, which changes
				       * in steps that are marked; may be NULL */
	const char *const *remarks;   /* of bars, for hover; may be NULL, so may each */
	const enum tone *tones;	      /* of intervals; NULL: all plain */
	size_t count;
	bool joined; /* a line through the marks, in their order */
};

struct plot {
	const char *id;
	const char *title;
	enum plot_kind kind;
	const char *x_label, *y_label;
	const char *x_unit, *y_unit;
	double band_low, band_high; /* the margin; NAN: none */
	bool x_log, y_log;
	struct plot_series *series;
	size_t series_count;
};

struct block {
	enum block_kind kind;
	enum tone tone;
	const char *id;	   /* for data, sentences too: "trade"; may be NULL */
	const char *label; /* of a note: "[1]", "note", "trade"; of a sentence: printed before it */
	const char *text;  /* heading, sentence, note */
	struct table *table;
	struct plot *plot;
	enum audience audience;
	bool apart;    /* begins a new paragraph; tables and headings always do */
	bool verbatim; /* text is a command or the like: code in Markdown and HTML */
};

struct document {
	struct arena *arena; /* everything in it lives there; not owned */
	const char *title;
	const char *kind; /* "compare", "size", "history", ...; for data */
	struct block *blocks;
	size_t block_count, block_capacity;
	const char *csv_table; /* id of the table that CSV writes */
	struct json *data;     /* further members of the JSON ("recording": ...), an object, or
				  NULL; whoever had the document made releases it */
	/* One more member, made only while JSON is written, since it may be far larger than the
	 * rest; the writer releases what it got. NULL: none. */
	const char *large_key;
	struct json *(*large_make)(const void *context);
	const void *large_context;
};

/* Making one. What is handed back may be refined by the caller (tone, id, audience, apart) until
 * the next block is added; tables and rows stay where they are. Labels may be NULL. */
struct document *document_make(struct arena *arena, const char *kind, const char *title);
void document_heading(struct document *document, const char *text);
struct block *document_sentence(struct document *document, const char *label, const char *format,
				...) __attribute__((format(printf, 3, 4)));
struct block *document_note(struct document *document, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct table *document_table(struct document *document, const char *id,
			     const struct column *columns, size_t column_count);
void document_plot(struct document *document, struct plot *plot);
/* A new row, cells empty; fill cells by column index. The row moves when the next is added, its
 * cells do not. */
struct row *table_row(struct document *document, struct table *table);
void table_rule(struct document *document, struct table *table, const char *text);
/* The cells of a row; made in scratch (column_count of them) where the table has a fill function.
 * NULL for a rule. */
const struct cell *table_cells(const struct table *table, size_t row, struct cell *scratch);
/* People see the column: it is meant for them, and some cell of it has a text. */
bool table_shows_column(const struct table *table, size_t column);
/* Writers for people put the block where it stands: not data, no plot, no table without rows. */
bool block_is_shown(const struct block *block);
/* The block is a sentence with a label: several that follow each other make a list. */
bool block_is_item(const struct block *block);
/* The table with that id, or NULL. */
const struct table *document_find_table(const struct document *document, const char *id);

/* Cells. The text may be NULL in a data-only column; a NULL word makes an empty cell. */
struct cell cell_number(const char *text, double number);
struct cell cell_text(const char *text);
struct cell cell_word(const char *text, const char *word);
struct cell cell_boolean(const char *text, bool truth);

#endif
