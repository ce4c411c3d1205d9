/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_JUDGE_CONVERT_H
#define COMMANDS_JUDGE_CONVERT_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/output.h"
#include "model/recording.h"

/* Write the recording itself: as JSON (docs/recording.md) where a name ends so or --json asks, as
 * CSV with one row a run, as JSON on stdout if nothing is asked for. Other formats are refused. */
bool judge_convert(struct arena *arena, const struct recording *recording,
		   const struct output_settings *output, struct error *err);

#endif
