/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_MARGINS_H
#define COMMANDS_MARGINS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/options.h"
#include "model/plan.h"

/* The user's margins -> the plan's: 1% where none is given for all. The last for all counts. */
bool margins_parse(struct arena *arena, const struct option_texts *words, struct plan *plan,
		   struct error *err);

#endif
