/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of warnings: gravest first, the standing ones last. */
#include "judge/warnings/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

struct warning_rule {
	enum warning_kind kind;
	void (*apply)(struct judging *judging);
};

static const struct warning_rule rules[] = {
	{ WARNING_FAILED_RUNS, warn_failed_runs },
	{ WARNING_OUTPUT, warn_output },
	{ WARNING_SELF_CHECK, warn_self_check },
	{ WARNING_FEW_RUNS, warn_few_runs },
	{ WARNING_NOT_INTERLEAVED, warn_not_interleaved },
	{ WARNING_UNSTABLE, warn_unstable },
	{ WARNING_TICKS, warn_ticks },
	{ WARNING_TWO_GROUPS, warn_two_groups },
	{ WARNING_SLOW_RUNS, warn_slow_runs },
	{ WARNING_MACHINE_DRIFT, warn_machine_drift },
	{ WARNING_POSITION, warn_position },
	{ WARNING_DISTURBED, warn_disturbed },
	{ WARNING_ACCOUNTING, warn_accounting },
	{ WARNING_SUMMARIES, warn_summaries },
	{ WARNING_REMARK, warn_remarks },
	{ WARNING_ONE_BUILD, warn_one_build },
};

void warning_add(struct judging *judging, enum warning_kind kind, int metric, const char *format,
		 ...)
{
	struct findings *findings = judging->findings;
	char sentence[2048];
	struct warning *warning;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(sentence, sizeof sentence, format, arguments);
	va_end(arguments);
	warning = array_push(judging->arena, findings->warnings, findings->warning_count,
			     findings->warning_capacity);
	warning->kind = kind;
	warning->metric = metric;
	/* Cutting may have split a character; cleaning mends it. */
	warning->sentence = text_clean(judging->arena, sentence, strlen(sentence));
}

void warnings_make(struct judging *judging)
{
	size_t i;

	for (i = 0; i < sizeof rules / sizeof *rules; i++)
		rules[i].apply(judging);
}
