/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_JUDGE_SETTINGS_H
#define COMMANDS_JUDGE_SETTINGS_H

#include <stdbool.h>

#include "base/options.h"
#include "commands/output.h"
#include "report/sheet/sheet.h"

/* What the user of worth judge says. */
struct judge_settings {
	const char *format;
	bool list_formats;
	const char *filter;
	const char *by;
	const char *baseline;
	bool paired;
	int better; /* 0 unknown, 1 lower, 2 higher */
	bool convert;
	struct option_texts margins;
	double confidence; /* NAN: not given */
	const char *primary;
	int require; /* enum requirement */
	bool ignore_failure;
	struct sheet_settings sheet;
	struct judge_questions questions;
	struct output_settings output;
};

#endif
