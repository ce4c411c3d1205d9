/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

/*
 * Options as tables: parsing, --help, completion and the check of the manual
 * all read the same rows. A row binds one option to a field of the command's
 * own struct by offset.
 */
enum option_kind {
	OPTION_GROUP,	 /* a heading in --help: only help is set */
	OPTION_FLAG,	 /* bool: true */
	OPTION_NO_FLAG,	 /* bool: false (--no-save) */
	OPTION_TEXT,	 /* const char * */
	OPTION_TEXTS,	 /* struct option_texts: may be repeated */
	OPTION_PAIRS,	 /* struct option_texts: two words each time, "NAME RANGE" */
	OPTION_COUNT,	 /* uint64_t in minimum..maximum; maximum 0: no upper limit */
	OPTION_NUMBER,	 /* double in minimum..maximum, both excluded; both 0: no limits */
	OPTION_DURATION, /* int64_t ns in minimum..maximum; maximum 0: no upper limit */
	OPTION_PERCENT,	 /* double ratio, limits as for a duration */
	OPTION_CHOICE,	 /* int: index into choices, which --help adds to the help text */
};

struct option_texts {
	const char **items;
	size_t count, capacity;
};

/* What completion offers for a value or an operand. The last five are asked of the program itself:
 * "worth completion --list KIND". */
enum option_completes {
	COMPLETES_NOTHING,
	COMPLETES_FILE,
	COMPLETES_COMMAND,
	COMPLETES_DIRECTORY,
	COMPLETES_SESSION,
	COMPLETES_METRIC,
	COMPLETES_WORKLOAD,
	COMPLETES_FORMAT,
	COMPLETES_STUDY,
	COMPLETES_KINDS
};

struct option {
	enum option_kind kind;
	const char *name;  /* without dashes: "margin" */
	char letter;	   /* 'n', or 0 */
	const char *value; /* "X%", "FILE"; NULL for flags */
	const char *help;  /* no full stop at the end of one-liners; wrapped, "\n" starts a line */
	size_t offset;
	double minimum, maximum;
	const char *const *choices; /* NULL-terminated */
	enum option_completes completes;
};

#define OPTION_TABLE_END                                                                           \
	{                                                                                          \
		.name = NULL, .kind = OPTION_GROUP, .help = NULL                                   \
	}

/* Whether a table (which may be NULL) ends here. */
bool options_end(const struct option *option);
/* The row that every command has besides its own. */
extern const struct option options_help_row;

struct program; /* what main gives to commands: see commands/commands.h */

/* A command of the program; the descriptor stands last in its file. */
struct command {
	const char *name;
	const char *summary;	     /* one line for the overview */
	const char *const *synopsis; /* NULL-terminated lines without the leading "worth" */
	const char *description;     /* paragraphs, an empty line between; wrapped to 80 columns,
				      * except lines that begin with a space */
	const char *examples;	     /* "# comment\n$ worth ...\n" lines */
	const char *const *words;    /* what its first operand is, where it is one of a few; NULL */
	enum option_completes operands; /* what its operands are, or those after that word */
	const struct option *options; /* ends with OPTION_TABLE_END, NULL: none; --help is added */
	size_t settings_size;	      /* of the struct that offsets point into */
	bool measures;		      /* needs the spawner, which starts before memory is used */
	/* argv[0] is the command's name; returns the exit status */
	int (*run)(struct program *program, int argc, char **argv);
};

/* What remains after options: the operands, and those after "--". */
struct operands {
	char **items;
	size_t count;
	char **rest; /* after "--"; has_rest tells an empty one from none */
	size_t rest_count;
	bool has_rest;
};

/*
 * Parse argv[1..] into settings (filled with defaults by the caller). GNU
 * habits: options and operands may mix, --name=value, --name value, -nVALUE,
 * -n VALUE, flags' letters may stand together, unique prefixes are NOT taken,
 * "--" ends options, the last of a repeated option counts. A value of its own
 * word that is itself a known option, and an empty value, are taken for
 * mistakes. Errors name the option, the nearest known one and what the value
 * must look like. *help is set, and nothing else checked, when --help or -h is
 * among the options. Texts point into argv.
 */
bool options_parse(struct arena *arena, const struct command *command, int argc, char **argv,
		   void *settings, struct operands *operands, bool *help, struct error *err);

/* The help page of one command, 80 columns. */
void options_help(const struct command *command, struct text *text);
/* A completion script for "bash", "zsh" or "fish" over all commands (NULL-terminated); the first
 * is the one that runs where no command is named. */
bool options_completion(const char *shell, const struct command *const *commands, struct text *text,
			struct error *err);

#endif
