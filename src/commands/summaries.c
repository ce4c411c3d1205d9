/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sessions come to: see summaries.h. */
#include "commands/summaries.h"

#include <math.h>

#include "base/array.h"
#include "stats/order.h"
#include "store/history/series.h"

struct summing {
	struct arena *arena;
	const struct recording *recording;
	double *values; /* of one command and metric */
	struct history_summary *summaries;
	size_t count, capacity;
};

static bool counts(const struct recording *recording, const struct sample *sample)
{
	return !(sample->flags & SAMPLE_WARMUP) &&
	       (!(sample->flags & SAMPLE_FAILED) || recording->plan.ignore_failure);
}

static void add(struct summing *summing, size_t subject, size_t metric)
{
	const struct recording *recording = summing->recording;
	const struct metric *described = &recording->metrics[metric];
	size_t count = 0, i;

	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if (sample->subject == subject && counts(recording, sample) &&
		    !isnan(sample->values[metric]))
			summing->values[count++] = sample->values[metric];
	}
	if (count == 0)
		return;
	*array_push(summing->arena, summing->summaries, summing->count, summing->capacity) =
	    (struct history_summary){ .subject = subject,
				      .label = recording->plan.subjects[subject].label,
				      .metric = described->name,
				      .unit = described->unit,
				      .better = described->better,
				      .median = order_median(summing->values, count),
				      .runs = count };
}

bool summaries_save(struct history *history, const struct recording *recording, struct error *err)
{
	struct summing summing = { .arena = arena_open(), .recording = recording };
	size_t subject, metric;
	bool good;

	summing.values =
	    arena_alloc(summing.arena, recording->sample_count + 1, sizeof *summing.values);
	for (subject = 0; subject < recording->plan.subject_count; subject++)
		for (metric = 0; metric < recording->metric_count; metric++)
			if (!recording->metrics[metric].hidden)
				add(&summing, subject, metric);
	good = history_summarize(history, recording->id, summing.summaries, summing.count, err);
	arena_close(summing.arena);
	return good;
}

bool summaries_complete(struct history *history, struct error *err)
{
	struct arena *arena = arena_open();
	const char **ids;
	size_t count, i;
	bool good = history_unsummarized(history, arena, &ids, &count, err);

	for (i = 0; good && i < count; i++) {
		struct arena *scratch = arena_open();
		struct recording recording;

		good = history_load(history, scratch, ids[i], &recording, err) &&
		       summaries_save(history, &recording, err);
		arena_close(scratch);
	}
	arena_close(arena);
	return good;
}
