/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions as blocks: see joined.h. */
#include "commands/joined.h"

#include <string.h>

#include "base/text.h"

static bool same_text(const char *one, const char *other)
{
	return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

bool joined_alike(const struct recording *first, const struct recording *session)
{
	size_t i;

	if (first->plan.subject_count != session->plan.subject_count ||
	    !same_text(first->plan.primary, session->plan.primary))
		return false;
	for (i = 0; i < first->plan.subject_count; i++)
		if (first->plan.subjects[i].baseline != session->plan.subjects[i].baseline ||
		    !same_text(first->plan.subjects[i].label, session->plan.subjects[i].label))
			return false;
	return true;
}

static bool check(const struct recording *sessions, size_t count, struct error *err)
{
	size_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < i; j++)
			if (strcmp(sessions[i].id, sessions[j].id) == 0)
				return error_set(err, ERROR_USAGE, "session %s is given twice",
						 sessions[i].id);
		if (!joined_alike(&sessions[0], &sessions[i]))
			return error_set(err, ERROR_USAGE,
					 "sessions %s and %s did not compare the same: their "
					 "commands or what decides differ",
					 sessions[0].id, sessions[i].id);
		if (sessions[i].plan.block != NULL)
			return error_set(err, ERROR_USAGE,
					 "session %s has blocks of its own (%s), which are not "
					 "mixed with others",
					 sessions[i].id, sessions[i].plan.block);
		if (!sessions[i].order_known || sessions[i].bulks != NULL)
			return error_set(err, ERROR_USAGE, "session %s was not measured in rounds",
					 sessions[i].id);
	}
	return true;
}

static void add_subjects(struct arena *arena, const struct recording *session, size_t first,
			 const char *block, struct plan *plan)
{
	size_t i;

	for (i = 0; i < session->plan.subject_count; i++) {
		struct subject *subject = &plan->subjects[first + i];
		size_t count = session->plan.subjects[i].level_count;

		*subject = session->plan.subjects[i];
		subject->levels = arena_alloc(arena, count + 1, sizeof *subject->levels);
		memcpy(subject->levels, session->plan.subjects[i].levels,
		       count * sizeof *subject->levels);
		subject->levels[count] = (struct level){ block, session->id };
		subject->level_count = count + 1;
		subject->baseline += first;
		subject->label =
		    arena_printf(arena, "%s %s=%s", subject->label, block, session->id);
	}
}

static void add_runs(struct arena *arena, const struct recording *session, size_t first,
		     struct recording *joined)
{
	size_t *columns = arena_alloc(arena, session->metric_count, sizeof *columns);
	size_t i, k;

	for (k = 0; k < session->metric_count; k++)
		columns[k] = recording_add_metric(arena, joined, &session->metrics[k]);
	for (i = 0; i < session->sample_count; i++) {
		const struct sample *old = &session->samples[i];
		struct sample *copy = recording_add_sample(arena, joined);
		double *values = copy->values;

		*copy = *old;
		copy->values = values;
		copy->subject = (uint32_t)(first + old->subject);
		copy->coverage = NULL;
		copy->batches = NULL;
		copy->batch_count = 0;
		for (k = 0; k < session->metric_count; k++)
			values[columns[k]] = old->values[k];
	}
}

bool joined_make(struct arena *arena, const struct recording *sessions, size_t count,
		 const char *block, struct recording *joined, struct error *err)
{
	size_t each = sessions[0].plan.subject_count, rounds = 0, i;

	if (!check(sessions, count, err))
		return false;
	*joined = sessions[0];
	joined->metrics = NULL;
	joined->metric_count = joined->metric_capacity = 0;
	joined->samples = NULL;
	joined->sample_count = joined->sample_capacity = 0;
	joined->remarks = NULL;
	joined->remark_count = joined->remark_capacity = 0;
	joined->extension_count = 0;
	joined->plan.subject_count = each * count;
	joined->plan.subjects =
	    arena_alloc(arena, joined->plan.subject_count, sizeof *joined->plan.subjects);
	for (i = 0; i < count; i++) {
		add_subjects(arena, &sessions[i], i * each, block, &joined->plan);
		add_runs(arena, &sessions[i], i * each, joined);
		rounds = sessions[i].rounds_done > rounds ? sessions[i].rounds_done : rounds;
	}
	joined->plan.block = block;
	joined->plan.peek = false;
	joined->plan.extended_rounds = 0;
	joined->plan.rounds = joined->rounds_done = rounds;
	joined->end = END_COMPLETE;
	return true;
}
