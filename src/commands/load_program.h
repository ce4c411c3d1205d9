/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_LOAD_PROGRAM_H
#define COMMANDS_LOAD_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The bundled workloads are a program of their own, worth-load, which is run
 * like any other. "workload:NAME ARGUMENTS" is the short form of a command that
 * runs one.
 */

/* Where the program is: beside this one (as built), in libexec below the same prefix, or where the
 * build was told to install it. */
bool load_program_find(struct arena *arena, char **path, struct error *err);
/* Any other file that is built and installed with it, by name; what says in an error what it is. */
bool load_program_companion(struct arena *arena, const char *name, const char *what, char **path,
			    struct error *err);

/* The workloads that it has, by name. */
struct load_entry {
	const char *name, *summary;
};
bool load_program_list(struct arena *arena, struct load_entry **entries, size_t *count,
		       struct error *err);

/* Whether a command's first word is of the short form. */
bool load_program_named(const char *word);
/* "workload:NAME" in argv[0] becomes two words, the program and NAME; makes a new argv.
 * ERROR_USAGE with the nearest name where there is no such workload. */
bool load_program_insert(struct arena *arena, char ***argv, size_t *argc, struct error *err);
/* The same at the beginning of a line for a shell. */
bool load_program_insert_text(struct arena *arena, char **line, struct error *err);

#endif
