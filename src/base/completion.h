/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_COMPLETION_H
#define BASE_COMPLETION_H

#include "base/options.h"

/*
 * What the completion scripts of the shells share: see options_completion in
 * base/options.h. Each shell's script is in a file of its own.
 */
void completion_bash(const struct command *const *commands, struct text *text);
void completion_zsh(const struct command *const *commands, struct text *text);
void completion_fish(const struct command *const *commands, struct text *text);

bool completion_takes_value(const struct option *option);

/* The kind of word that only the program can tell, as "worth completion --list KIND" takes it;
 * NULL for those that a shell completes by itself. */
const char *completion_kind(enum option_completes completes);

/* Calls visit for the rows of a command that are options, --help last. */
void completion_options(const struct command *command,
			void (*visit)(const struct command *command, const struct option *option,
				      struct text *text),
			struct text *text);

/* The names of all commands, and words of a table that ends with NULL, with spaces between. */
void completion_add_names(const struct command *const *commands, struct text *text);
void completion_add_words(const char *const *words, struct text *text);

/* The first line of a help text, inside single quotes; each byte of escaped gets a backslash.
 * quote is what a single quote becomes there. */
void completion_add_summary(const char *help, const char *escaped, const char *quote,
			    struct text *text);

#endif
