/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Splits a command line into words as a POSIX shell would (XCU 2.2: single and
 * double quotes, backslash), without running one. Unquoted shell syntax
 * (| & ; < > ( ) $ backtick * ? [ newline, a leading ~, a leading NAME=) is an error
 * that names the character and says "--shell". An unbalanced quote and an
 * empty command are errors too. words ends in a NULL that is not counted.
 */
bool words_split(struct arena *arena, const char *command, char ***words, size_t *count,
		 struct error *err);

/* One word, quoted so that a shell reads it back unchanged; bare where no quoting is needed. */
char *words_quote(struct arena *arena, const char *word);
/* The words joined by spaces, each quoted as needed. */
char *words_join(struct arena *arena, char *const *words, size_t count);

#endif
