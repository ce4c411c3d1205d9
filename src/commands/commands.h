/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_COMMANDS_H
#define COMMANDS_COMMANDS_H

#include "base/error.h"
#include "base/options.h"

/* The exit statuses, in the manner of diff and grep. */
enum exit_status {
	EXIT_NOT_WORSE = 0, /* also: --require was shown, --bisect: good */
	EXIT_WORSE = 1,	    /* also: --require was refuted, --bisect: bad */
	EXIT_TROUBLE = 2, /* usage, a command that cannot start, a failed run, unwritable output */
	EXIT_UNDECIDED = 3,    /* --require was neither shown nor refuted */
	EXIT_UNTESTABLE = 125, /* --bisect: undecided or trouble: "git bisect run" skips it */
	EXIT_SIGNAL = 128,     /* plus the number of the signal that ended the session */
};

/* What main has prepared for a command. */
struct program {
	struct spawner *spawner; /* NULL unless command.measures; see measure/spawner.h */
	const struct command *const *commands; /* all of them, NULL-terminated, the default first */
};

/* Every row of list.def is a file of its own that ends with its descriptor, command_NAME. */
#define ROW(name) extern const struct command command_##name;
#include "commands/list.def"
#undef ROW

/* Print "worth: sentence" on stderr; returns EXIT_TROUBLE. */
int command_trouble(const struct error *err);
/* What the option asks for takes nothing besides: ERROR_USAGE if there is an operand. */
bool command_takes_nothing(const struct operands *operands, const char *option, struct error *err);
/* Print the help page on stdout; returns 0. */
int command_help(const struct command *command);
/*
 * Read a command's options into its settings, which hold the defaults before, and its operands.
 * False if there is nothing more to do: the help page was asked for and printed (*status is
 * EXIT_NOT_WORSE), or an option is wrong and was told (EXIT_TROUBLE). What is read lives in arena.
 */
bool command_begins(struct arena *arena, const struct command *command, int argc, char **argv,
		    void *settings, struct operands *operands, int *status);

#endif
