/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_INPUT_PAGE_H
#define FORMATS_INPUT_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "formats/input/input.h"
#include "formats/input/number.h"
#include "formats/results/results.h"

/*
 * Text as people send it: lines with the marks of a mail taken off. Quoted
 * printable is decoded and its broken lines are joined, quote marks ("> ") go,
 * blanks of other widths become blanks, tabs stay. A line keeps the number that
 * it has in the file, because readers of a report look there.
 */
struct page_line {
	const char *text; /* ends in NUL; no line end */
	size_t length;
	size_t number; /* 1-based, of its first part */
};

struct page {
	struct page_line *lines;
	size_t count, capacity;
};

/* The rest of the input; an error beyond 64 MiB. */
bool page_read(struct arena *arena, struct input *input, struct page *page, struct error *err);
/* Of bytes in memory. */
void page_from_bytes(struct arena *arena, const char *bytes, size_t length, struct page *page);

/* Part of a line. */
struct span {
	const char *text;
	size_t length;
};

/*
 * Match the start of text with a pattern: a blank stands for any number of
 * blanks, "%f" for a number (struct number *), "%s" for a word (struct span *),
 * "%%" for a percent sign, all else for itself. What follows the match; NULL if
 * it does not fit.
 */
const char *scan(const char *text, const char *pattern, ...);

/* Without the blanks at both ends. */
struct span span_trimmed(struct span span);
bool span_is(struct span span, const char *word);
/* Words of a line parted by blanks, at most most of them; how many there are. */
size_t span_split(const char *text, struct span *words, size_t most);

/*
 * Lines that name a side: "-mainline", "NR = 29", "with the patch:", or a few
 * words that stand alone directly above a table. A reader hands over each line
 * that is not its own, and says where a table of results begins.
 */
struct sides {
	struct results *results;
	size_t current;
	bool any;	     /* current is set */
	const char *pending; /* a name that the next table takes; NULL: none */
	size_t pending_line;
	bool pending_weak; /* holds only for a table that follows directly */
	size_t last_line;  /* of the last line that was not blank */
	struct arena *arena;
};

void sides_init(struct sides *sides, struct arena *arena, struct results *results);
void sides_other_line(struct sides *sides, const struct page_line *line);
/* A table begins in this line: its side. */
size_t sides_begin(struct sides *sides, const struct page_line *line);
/* The line belongs to the table of the current side, which it has begun if there was none. */
size_t sides_current(struct sides *sides, const struct page_line *line);

/* A page under way, for readers of text. */
struct parse {
	struct arena *arena; /* closed at the end */
	struct input *input;
	struct results *results;
	struct page page;
	struct sides sides;
	struct error *err;
};

/* Read the input as a page and call read_page on it. */
bool page_parse(struct input *input, struct results *results, struct error *err,
		bool (*read_page)(struct parse *parse));

/* A number of the file in a word's unit, brought to the base unit, as the next run of a measure;
 * the metric's unit is set from the word where measure->unit is NULL. */
void parse_add(struct parse *parse, size_t side, struct measure measure, struct number number,
	       const char *unit_word, size_t line);
/* The same for what was not measured. */
void parse_add_missing(struct parse *parse, size_t side, struct measure measure,
		       enum reading_state state, size_t line);

#endif
