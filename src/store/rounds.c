/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rounds of a session are whole: each subject ran in it. A failed run
 * without ignore_failure leaves its round in the middle, and a session that
 * goes on must not have a round twice. Runs of one round need not be next to
 * each other: simulated ones are taken subject by subject.
 */
#include <stdlib.h>

#include "store/history/internal.h"

/* Samples sorted so that those of one round stand together, by subject. */
struct place {
	bool warmup;
	uint32_t round;
	uint32_t subject;
	size_t index;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->warmup != b->warmup)
		return a->warmup ? 1 : -1;
	if (a->round != b->round)
		return a->round < b->round ? -1 : 1;
	return (a->subject > b->subject) - (a->subject < b->subject);
}

static struct place *sort_places(struct arena *arena, const struct recording *recording)
{
	struct place *places = arena_alloc(arena, recording->sample_count, sizeof *places);
	size_t i;

	for (i = 0; i < recording->sample_count; i++)
		places[i] = (struct place){
			.warmup = (recording->samples[i].flags & SAMPLE_WARMUP) != 0,
			.round = recording->samples[i].round,
			.subject = recording->samples[i].subject,
			.index = i,
		};
	if (recording->sample_count > 0)
		qsort(places, recording->sample_count, sizeof *places, compare_places);
	return places;
}

size_t history_complete_rounds(const struct recording *recording, bool *keep)
{
	struct arena *arena = arena_open();
	struct place *places = sort_places(arena, recording);
	size_t planned = plan_last_round(&recording->plan);
	size_t count = recording->sample_count;
	size_t rounds = 0, first, end, i, subjects;

	for (first = 0; first < count; first = end) {
		subjects = 0;
		for (end = first; end < count && places[end].round == places[first].round &&
				  places[end].warmup == places[first].warmup;
		     end++)
			if (end == first || places[end].subject != places[end - 1].subject)
				subjects++;
		for (i = first; keep != NULL && i < end; i++)
			keep[places[i].index] = subjects == recording->plan.subject_count;
		if (subjects == recording->plan.subject_count && !places[first].warmup &&
		    places[first].round < planned)
			rounds++;
	}
	arena_close(arena);
	return rounds;
}
