/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_DRY_RUN_H
#define COMMANDS_DRY_RUN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "commands/output.h"
#include "model/plan.h"

/* Print a plan as it would be run: the commands, the looks, and the order of every round. */
bool dry_run_print(struct arena *arena, const struct plan *plan,
		   const struct output_settings *output, struct error *err);

#endif
