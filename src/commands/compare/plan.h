/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_COMPARE_PLAN_H
#define COMMANDS_COMPARE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/options.h"
#include "model/plan.h"

/* What the user may say about a measurement; option rows of compare fill it. */
struct plan_settings {
	struct option_texts names; /* -n, in the order of the commands */
	struct option_texts lists; /* -L */
	struct option_texts scans; /* --parameter-scan, two words each */
	bool shell;
	const char *setup, *cleanup;
	struct option_texts prepare; /* one for all, or one per command */
	struct option_texts conclude;
	const char *input;
	const char *output; /* a mode's name or a file */
	bool show_output;
	bool same_output;
	int64_t timeout_ns;
	uint64_t warmup;
	uint64_t rounds; /* 0: 80, or 200 for a self check */
	int64_t budget_ns;
	struct option_texts margins; /* X% or METRIC=X% */
	double confidence;
	const char *primary;
	bool no_peek;
	bool self_check;
	const char *seed; /* NULL: drawn */
	const char *cpu;  /* NULL: free */
	bool environment_padding;
	bool ignore_failure;
	bool keep_strays;
	const char *counters; /* comma separated */
	bool simulate;
	bool null; /* an empty program in each round, for what a start costs */
};

enum { PLAN_SUBJECTS_MAXIMUM = 100 };

void plan_settings_init(struct plan_settings *settings); /* the defaults */
/* Whether the user said anything that would change a plan (settings began with plan_settings_init).
 */
bool plan_settings_given(const struct plan_settings *settings);

/* What the settings say of a plan; its subjects are left out. */
bool plan_apply(struct arena *arena, const struct plan_settings *settings, struct plan *plan,
		struct error *err);

/*
 * Words of the user -> plan: commands split, sweeps multiplied out, programs
 * found and fingerprinted, every value checked. Nothing is executed. Everything
 * is made in arena.
 */
bool plan_make(struct arena *arena, const struct plan_settings *settings,
	       const struct operands *operands, struct plan *plan, struct error *err);

#endif
