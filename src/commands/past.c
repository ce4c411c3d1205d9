/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions of the history that a new measurement builds on: see past.h. */
#include "commands/past.h"

#include <math.h>
#include <string.h>

#include "commands/fingerprint.h"
#include "store/history/series.h"

bool past_resume(struct history *history, struct arena *arena, const char *id,
		 struct recording *recording, struct error *err)
{
	if (!history_load(history, arena, id, recording, err))
		return false;
	switch (recording->end) {
	case END_RUNNING:
	case END_INTERRUPTED:
	case END_FAILED:
		return fingerprint_check(&recording->plan, err);
	case END_DECIDED:
		return error_set(err, ERROR_USAGE,
				 "session %s is decided; see worth history show %s", recording->id,
				 recording->id);
	case END_COMPLETE:
	case END_BUDGET:
		break;
	}
	return error_set(err, ERROR_USAGE,
			 "session %s ended by itself; worth compare --extend %s goes on with it",
			 recording->id, recording->id);
}

bool past_extend(struct history *history, struct arena *arena, const char *id,
		 struct recording *recording, struct error *err)
{
	size_t *bases;

	if (!history_load(history, arena, id, recording, err))
		return false;
	if (recording->end == END_DECIDED)
		return error_set(
		    err, ERROR_USAGE,
		    "session %s is decided already; for another metric, start one with "
		    "--primary METRIC",
		    recording->id);
	if (recording->end != END_COMPLETE && recording->end != END_BUDGET)
		return error_set(
		    err, ERROR_USAGE,
		    "session %s was broken off; finish it with worth compare --resume %s",
		    recording->id, recording->id);
	if (!recording->plan.peek)
		return error_set(
		    err, ERROR_USAGE,
		    "session %s was planned with --no-peek: one look spent all it had; "
		    "start a new comparison with more rounds",
		    recording->id);
	if (!fingerprint_check(&recording->plan, err))
		return false;
	bases = arena_alloc(arena, recording->extension_count + 1, sizeof *bases);
	memcpy(bases, recording->extension_bases, recording->extension_count * sizeof *bases);
	bases[recording->extension_count++] = recording->rounds_done;
	recording->extension_bases = bases;
	recording->plan.extended_rounds = 2 * recording->rounds_done;
	return true;
}

/* "ID:LABEL" or "ID": which subject of the past session is meant. */
static bool choose_subject(const struct recording *past, const char *label, size_t *subject,
			   struct error *err)
{
	for (*subject = 0; *subject < past->plan.subject_count; (*subject)++)
		if (label == NULL || strcmp(past->plan.subjects[*subject].label, label) == 0)
			break;
	if (*subject == past->plan.subject_count)
		return error_set(err, ERROR_USAGE, "session %s has no command named '%s'", past->id,
				 label == NULL ? "" : label);
	if (label == NULL && past->plan.subject_count > 1)
		return error_set(
		    err, ERROR_USAGE, "session %s has %zu commands; say which: --baseline '%s:%s'",
		    past->id, past->plan.subject_count, past->id, past->plan.subjects[0].label);
	return true;
}

static void copy_runs(struct arena *arena, const struct recording *from, size_t subject,
		      size_t new_subject, struct recording *to)
{
	size_t *columns = arena_alloc(arena, from->metric_count, sizeof *columns);
	size_t i, metric;

	for (metric = 0; metric < from->metric_count; metric++)
		columns[metric] = recording_add_metric(arena, to, &from->metrics[metric]);
	for (i = 0; i < from->sample_count; i++) {
		const struct sample *old = &from->samples[i];
		struct sample *copy;
		double *values;

		if (old->subject != subject)
			continue;
		copy = recording_add_sample(arena, to);
		values = copy->values;
		*copy = *old;
		copy->values = values;
		copy->subject = (uint32_t)new_subject;
		copy->coverage = NULL;
		copy->batches = NULL;
		copy->batch_count = 0;
		for (metric = 0; metric < from->metric_count; metric++)
			values[columns[metric]] = old->values[metric];
	}
}

bool past_baseline(struct history *history, struct arena *arena, const char *id,
		   struct past_baseline *baseline, struct error *err)
{
	struct history_baseline saved;
	const char *colon = strchr(id, ':');
	bool found;
	const char *session = colon == NULL ? id : arena_strndup(arena, id, (size_t)(colon - id));

	*baseline = (struct past_baseline){ 0 };
	if (!history_find_baseline(history, arena, id, &saved, &found, err))
		return false;
	if (found)
		return history_load(history, arena, saved.id, &baseline->recording, err) &&
		       choose_subject(&baseline->recording, saved.label, &baseline->subject, err);
	if (history_load(history, arena, session, &baseline->recording, err) &&
	    choose_subject(&baseline->recording, colon == NULL ? NULL : colon + 1,
			   &baseline->subject, err))
		return true;
	return error_prefix(err, "--baseline %s", id);
}

void past_join(struct arena *arena, const struct past_baseline *baseline,
	       const struct recording *now, struct recording *joined)
{
	const struct recording *past = &baseline->recording;
	struct subject *subjects = arena_alloc(arena, 2, sizeof *subjects);
	size_t i;

	*joined = *now;
	joined->order_known = false;
	joined->metrics = NULL;
	joined->metric_count = joined->metric_capacity = 0;
	joined->samples = NULL;
	joined->sample_count = joined->sample_capacity = 0;
	subjects[0] = past->plan.subjects[baseline->subject];
	subjects[0].baseline = 0;
	subjects[0].label = arena_printf(arena, "%s (session %s)", subjects[0].label, past->id);
	subjects[1] = now->plan.subjects[0];
	subjects[1].baseline = 0;
	joined->plan.subjects = subjects;
	joined->plan.subject_count = 2;
	copy_runs(arena, past, baseline->subject, 0, joined);
	copy_runs(arena, now, 0, 1, joined);
	if (past->rounds_done < joined->rounds_done)
		joined->rounds_done = past->rounds_done;
	for (i = 0; i < past->remark_count; i++)
		recording_remark(arena, joined, "baseline: %s", past->remarks[i]);
}
