/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_FORMAT_H
#define FORMATS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "formats/input/input.h"
#include "formats/input/page.h"
#include "formats/results/results.h"

/*
 * The formats of other tools: one file and one row in list.def each. A format
 * is found by content, never by the file's name.
 *
 * Adding one: write the reader, end the file with its descriptor, add the row,
 * a fixture of your own in tests/data/formats with its row in expected.tsv, and
 * a fuzzer's corpus. What a reader must hold to is in formats/results/results.h.
 */
struct head {
	const char
	    *path; /* NULL for stdin and bytes in memory; a directory where directory is set */
	const char *bytes; /* the first 64 KiB */
	size_t length;
	bool whole;		 /* there is no more */
	bool directory;		 /* path is one; no bytes */
	const struct page *page; /* the head as lines, mail marks taken off; none for a directory */
};

/* How sure a format is that a file is its own. */
enum {
	SCORE_NO = 0,
	SCORE_WEAK = 20,     /* it could be read so, if nothing better claims it: bare numbers */
	SCORE_LIKELY = 60,   /* lines of the right shape */
	SCORE_CERTAIN = 100, /* words that only this tool writes */
};

struct format {
	const char *name;    /* for --format: "lmbench", "google-benchmark" */
	const char *summary; /* one line for --formats */
	const char *expects; /* "lines of NAME: NUMBER microseconds": completes "expected ..." */
	int (*score)(const struct head *head);
	/* Fill results. Errors name file and line (input_error) and what was expected. A file in
	 * which nothing is found is told by the caller; a reader need not check for it. */
	bool (*read)(struct input *input, struct results *results, struct error *err);
};

#define ROW(name) extern const struct format format_##name;
#include "formats/list.def"
#undef ROW

const struct format *const *formats(void); /* in the order of list.def, NULL-terminated */
/* NULL with a sentence that has the nearest name. */
const struct format *format_by_name(const char *name, struct error *err);
/* The best claim; NULL with a sentence if there is none, or if two are equally good. */
const struct format *format_detect(const char *name, const struct head *head, struct error *err);

/* Read one file: detect (format NULL) or not, and refuse what holds no result. *found tells the
 * format. The caller closes results, also after an error. */
bool format_read(struct input *input, const struct format *format, struct results *results,
		 const struct format **found, struct error *err);

/* For scores: whether the head has the words (case counts), and whether it begins with them after
 * white space and a byte order mark. */
bool head_has(const struct head *head, const char *words);
bool head_begins(const struct head *head, const char *words);

#endif
