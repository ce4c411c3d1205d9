/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_SWEEP_H
#define COMMANDS_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/options.h"
#include "model/plan.h"

/* A factor of a sweep and its levels, from -L NAME=A,B,C or --parameter-scan NAME FIRST..LAST. */
struct sweep {
	const char *name;
	const char **values;
	size_t count;
	bool used; /* some command has a {NAME} */
};

struct sweeps {
	struct sweep *items;
	size_t count;
	bool in_file; /* they are the factors of an experiment file, not -L's */
};

/* lists holds "name=a,b,c"; scans holds pairs of words, "name" and "first..last" (or
 * "first..last..step"). A name given twice, an empty level, and more than 1,000 levels are errors.
 */
bool sweeps_parse(struct arena *arena, const struct option_texts *lists,
		  const struct option_texts *scans, struct sweeps *sweeps, struct error *err);

/* How many cells the full factorial has; 1 without sweeps. An error beyond limit. */
bool sweeps_cells(const struct sweeps *sweeps, size_t limit, size_t *cells, struct error *err);

/* The levels of one cell (the first factor varies slowest), sweeps->count of them. */
struct level *sweeps_levels(struct arena *arena, const struct sweeps *sweeps, size_t cell);

/* text with every {NAME} replaced by its level and {{ }} by single braces; marks the sweeps used.
 * quoted: for a shell, the value goes in as one quoted word. Without sweeps text is returned as it
 * is, braces and all. A {NAME} that no sweep defines is an error. */
bool sweeps_replace(struct arena *arena, struct sweeps *sweeps, const struct level *levels,
		    const char *text, bool quoted, char **replaced, struct error *err);

/* Whether a command has an unquoted {NAME} although there is no sweep, with the error that says so:
 * a forgotten -L would otherwise be measured and judged. */
bool sweeps_forgotten(const char *command, struct error *err);

/* An error that names the first sweep that no command used. */
bool sweeps_all_used(const struct sweeps *sweeps, struct error *err);

#endif
