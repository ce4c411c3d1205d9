/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>

/*
 * How trouble travels upward: a function that can fail returns bool and fills
 * a struct error; whoever knows more on the way up adds it in front. Only
 * commands/ and main.c print. The sentence tells the user what to do next.
 */

enum error_kind {
	ERROR_NONE,
	ERROR_USAGE,	   /* the user's words are off: options, plans */
	ERROR_INPUT,	   /* a file's content is not what was expected */
	ERROR_SYSTEM,	   /* the kernel or a library refused */
	ERROR_COMMAND,	   /* a command under measurement, or a hook, failed */
	ERROR_INTERRUPTED, /* SIGINT, SIGTERM or SIGHUP arrived */
};

enum { ERROR_SENTENCE_BYTES = 2048 };

struct error {
	enum error_kind kind;
	char sentence[ERROR_SENTENCE_BYTES]; /* no newline at the end; too long a one ends in "..."
					      */
};

/* Fill err (which may be NULL) and return false, so that failing reads in one line. */
bool error_set(struct error *err, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Put "prefix: " in front of the sentence that is there; returns false. */
bool error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
