/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_PROFILE_H
#define COMMANDS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "commands/output.h"

/* Runs a command, with further arguments, and prints which system calls it makes how often and
 * which paths it names most. Its own exit status is a sentence of the report. */
bool profile_print(struct arena *arena, const char *command, char *const *arguments,
		   size_t argument_count, const struct output_settings *output, struct error *err);

#endif
