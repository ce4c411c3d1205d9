/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_SIZE_SETTINGS_H
#define COMMANDS_SIZE_SETTINGS_H

#include "base/options.h"
#include "commands/output.h"

/* What the options of worth size say. */
struct size_settings {
	int by;
	uint64_t top;
	const char *filter;
	bool all;
	bool inlines, candidates, structs, frames;
	const char *function;
	struct option_texts debug_directories;
	uint64_t jobs;
	struct option_texts budgets;
	struct output_settings output;
};

extern const struct option size_options[];

/* What holds where no option says otherwise. */
void size_settings_init(struct size_settings *settings);

/* Options that exclude each other, and debug directories that are not there. */
bool size_settings_check(const struct size_settings *settings, struct error *err);

bool size_wants_inlines(const struct size_settings *settings);

/* How many symbols, from the first, are shown by their demangled names; SIZE_MAX: all. */
size_t size_names_wanted(const struct size_settings *settings);

#endif
