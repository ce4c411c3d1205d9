/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --margin X% and --margin METRIC=X%, for every command that judges. */
#include "commands/margins.h"

#include <string.h>

#include "base/array.h"
#include "base/units.h"

bool margins_parse(struct arena *arena, const struct option_texts *words, struct plan *plan,
		   struct error *err)
{
	size_t capacity = 0, i;

	plan->margin_ratio = 0.01;
	for (i = 0; i < words->count; i++) {
		const char *word = words->items[i];
		const char *equals = strrchr(word, '=');
		double ratio;

		if (equals == word)
			return error_set(err, ERROR_USAGE,
					 "--margin %s: write METRIC=X%%, or X%% for all", word);
		if (!units_parse_percent(equals == NULL ? word : equals + 1, &ratio, err))
			return error_prefix(err, "--margin %s", word);
		if (ratio <= 0 && equals == NULL)
			return error_set(err, ERROR_USAGE,
					 "--margin %s: the margin must be above 0%%", word);
		if (ratio >= 1)
			return error_set(err, ERROR_USAGE,
					 "--margin %s: the margin must be below 100%%", word);
		if (equals == NULL)
			plan->margin_ratio = ratio;
		else
			*array_push(arena, plan->margins, plan->margin_count, capacity) =
			    (struct metric_margin){
				    arena_strndup(arena, word, (size_t)(equals - word)), ratio
			    };
	}
	return true;
}
