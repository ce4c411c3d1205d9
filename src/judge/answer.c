/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions that a reader asks of a recording besides its verdict. */
#include "judge/answer.h"

#include <string.h>

#include "base/text.h"
#include "judge/exchange.h"
#include "judge/judge.h"
#include "judge/judging.h"
#include "judge/pareto.h"
#include "judge/rows.h"

bool question_metric(struct judging *judging, const char *option, const char *name, size_t *metric,
		     struct error *err)
{
	const struct recording *recording = judging->recording;
	const char *clean = text_clean(judging->scratch, name, strlen(name)), *near;
	const char **names =
	    arena_alloc(judging->scratch, recording->metric_count + 1, sizeof *names);
	int found = recording_metric_called(recording, name);
	size_t i;

	for (i = 0; i < recording->metric_count; i++)
		names[i] = recording->metrics[i].name;
	if (found == METRIC_NONE) {
		near = text_nearest(name, names, recording->metric_count);
		return error_set(
		    err, ERROR_USAGE, "%s: there is no metric '%s' in this session%s%s%s", option,
		    clean, near == NULL ? "; --all shows those there are" : "; did you mean '",
		    near == NULL ? "" : near, near == NULL ? "" : "'?");
	}
	*metric = (size_t)found;
	if (recording->metrics[found].better == BETTER_NEITHER)
		return error_set(err, ERROR_USAGE,
				 "%s: of '%s' neither less nor more is better, so it is no cost",
				 option, clean);
	return true;
}

bool judge_questions_check(const struct judge_questions *questions, struct error *err)
{
	struct arena *arena = arena_open();
	const char *names[2];
	struct rate rate;
	bool good =
	    (questions->pareto == NULL || pareto_parse(arena, questions->pareto, names, err)) &&
	    (questions->worth == NULL || exchange_parse(arena, questions->worth, &rate, err));

	arena_close(arena);
	return good;
}

bool judge_answer(struct arena *arena, const struct recording *recording,
		  const struct judge_questions *questions, struct findings *findings,
		  struct error *err)
{
	struct judging judging = rows_judging(arena, recording, findings);
	bool good = (questions->pareto == NULL || pareto_make(&judging, questions->pareto, err)) &&
		    (questions->worth == NULL || exchange_make(&judging, questions->worth, err));

	arena_close(judging.scratch);
	return good;
}
