/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the words of claims to subjects of a plan: see plan.h. */
#include "commands/study/plan.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* Words between blanks; the first is the variant, the others are FACTOR=LEVEL. */
static size_t split(struct arena *arena, const char *side, const char ***words)
{
	size_t count = 0, length;

	*words = arena_alloc(arena, strlen(side) + 1, sizeof **words);
	for (; *(side += strspn(side, " \t")) != '\0'; side += length) {
		length = strcspn(side, " \t");
		(*words)[count++] = arena_strndup(arena, side, length);
	}
	return count;
}

/* Labels are "VARIANT FACTOR=LEVEL ..." (run/plan.c). */
static bool is_variant(const struct subject *subject, const char *variant)
{
	size_t length = strlen(variant);

	return strncmp(subject->label, variant, length) == 0 &&
	       subject->label[length] == (subject->level_count > 0 ? ' ' : '\0');
}

static bool has_level(const struct subject *subject, const char *word)
{
	const char *equals = strchr(word, '=');
	size_t i;

	for (i = 0; equals != NULL && i < subject->level_count; i++)
		if (strncmp(subject->levels[i].factor, word, (size_t)(equals - word)) == 0 &&
		    subject->levels[i].factor[equals - word] == '\0' &&
		    strcmp(subject->levels[i].value, equals + 1) == 0)
			return true;
	return false;
}

static bool is_meant(const struct subject *subject, const char *const *words, size_t count)
{
	size_t i;

	for (i = 1; i < count; i++)
		if (!has_level(subject, words[i]))
			return false;
	return count > 0 && is_variant(subject, words[0]);
}

static bool find_side(struct arena *arena, const struct plan *plan, const char *side, size_t *found,
		      struct error *err)
{
	const char **words;
	size_t count = split(arena, side, &words), matches = 0, i;

	for (i = 0; i < plan->subject_count; i++) {
		if (!is_meant(&plan->subjects[i], words, count))
			continue;
		*found = i;
		matches++;
	}
	if (matches == 1)
		return true;
	if (matches == 0)
		return error_set(err, ERROR_USAGE,
				 "nothing that is run is '%s': write VARIANT FACTOR=LEVEL ...",
				 text_clean(arena, side, strlen(side)));
	return error_set(err, ERROR_USAGE,
			 "'%s' is run in %zu cells: say which one, by FACTOR=LEVEL",
			 text_clean(arena, side, strlen(side)), matches);
}

static bool read_claim(struct arena *arena, const struct experiment_claim *words,
		       const struct plan *plan, struct claim *claim, struct error *err)
{
	*claim = (struct claim){ .name = words->name,
				 .says = words->says,
				 .metric = words->metric,
				 .published = words->published,
				 .source = words->source };
	if (!claim_direction_parse(words->direction, &claim->direction))
		return error_set(err, ERROR_USAGE, "direction is lower, higher or same, not '%s'",
				 text_clean(arena, words->direction, strlen(words->direction)));
	if (!units_parse_percent(words->least, &claim->least_ratio, err))
		return error_prefix(err, "least");
	if (claim->least_ratio < 0 || (claim->direction == CLAIM_LOWER && claim->least_ratio >= 1))
		return error_set(err, ERROR_USAGE,
				 "least is the size of the change, from 0%%, and nothing is lower "
				 "by 100%% or more");
	if (!find_side(arena, plan, words->candidate, &claim->candidate, err) ||
	    !find_side(arena, plan, words->baseline, &claim->baseline, err))
		return false;
	return claim->candidate != claim->baseline ||
	       error_set(err, ERROR_USAGE, "candidate and baseline are the same");
}

bool study_plan_make(struct arena *arena, const struct experiment *experiment, struct plan *plan,
		     struct error *err)
{
	struct study *study = arena_alloc(arena, 1, sizeof *study);
	size_t i;

	if (experiment->claim_count == 0)
		return true;
	*study = (struct study){
		.name = experiment->study,
		.summary = experiment->summary,
		.beside = experiment->beside,
		.claims = arena_alloc(arena, experiment->claim_count, sizeof *study->claims),
		.claim_count = experiment->claim_count,
	};
	for (i = 0; i < experiment->claim_count; i++)
		if (!read_claim(arena, &experiment->claims[i], plan, &study->claims[i], err))
			return error_prefix(err, "%s:%u: claim '%s'", experiment->path,
					    experiment->claims[i].line, experiment->claims[i].name);
	plan->study = study;
	return true;
}
