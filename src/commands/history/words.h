/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_HISTORY_WORDS_H
#define COMMANDS_HISTORY_WORDS_H

#include <stdint.h>

#include "base/options.h"
#include "commands/output.h"
#include "report/sheet/sheet.h"

/* What worth history was told, for all of its words. */
struct history_settings {
	uint64_t limit;
	bool limit_given;
	const char *project, *machine, *variant, *metric, *since;
	double margin_ratio;
	const char *older;
	const char *store;
	uint64_t keep;
	bool dry_run;
	int baseline; /* enum baseline_deed */
	struct sheet_settings sheet;
	struct output_settings output;
};

enum baseline_deed { BASELINE_NONE, BASELINE_SAVE, BASELINE_LIST, BASELINE_DROP };

/* Local time for people, UTC by ISO 8601 for programs. */
struct cell history_when(struct arena *arena, int64_t at_s);
struct cell history_text(struct arena *arena, const char *string); /* NULL: empty */

/* "2026-11-30", or how long ago: "90d", "12 h"; seconds since 1970. option is for the sentence. */
bool history_moment(const char *option, const char *word, int64_t *at_s, struct error *err);

/* worth history trend METRIC */
bool history_trend(struct arena *arena, const struct history_settings *settings, const char *metric,
		   struct error *err);
/* worth history --baseline save NAME [ID[:LABEL]] | list | drop NAME */
bool history_baseline_do(struct arena *arena, const struct history_settings *settings,
			 const struct operands *operands, struct error *err);
/* worth history prune, export, import */
bool history_prune(struct arena *arena, const struct history_settings *settings, struct error *err);
bool history_export(struct arena *arena, const struct history_settings *settings,
		    const struct operands *operands, struct error *err);
bool history_import(struct arena *arena, const struct history_settings *settings,
		    const struct operands *operands, struct error *err);

#endif
