/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_RUN_SETTINGS_H
#define COMMANDS_RUN_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "commands/output.h"
#include "report/sheet/sheet.h"

/* The options of worth run. */
struct run_settings {
	struct option_texts set; /* KEY=VALUE */
	const char *revisions;	 /* BASE..TOPIC; NULL: a file */
	const char *build, *link;
	bool bisect;
	uint64_t rebuild, relink; /* layouts of each variant; 0: one */
	uint64_t jobs;
	bool many;
	bool example, check;
	uint64_t prune_days; /* UINT64_MAX: not asked for */
	int require;	     /* enum requirement */
	struct sheet_settings sheet;
	struct judge_questions questions;
	bool quiet, save;
	const char *store;
	struct output_settings output;
};

#endif
