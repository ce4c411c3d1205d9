/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any file: JSON that parses prints and parses to the same; a recording that is accepted is whole,
 * comes back the same, and can be looked at in pairs; everything else has a fit sentence. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "fuzz.h"
#include "model/codec.h"
#include "model/series.h"

static void check_sentence(struct arena *arena, const struct error *err)
{
	FUZZ_CHECK(err->kind == ERROR_INPUT);
	FUZZ_CHECK(err->sentence[0] != '\0' && strlen(err->sentence) < 600);
	FUZZ_CHECK(strcmp(text_clean(arena, err->sentence, strlen(err->sentence)), err->sentence) ==
		   0);
}

/* Both layouts read back as what was printed. */
static void check_print(const struct json *json, bool pretty)
{
	struct text first = { 0 }, second = { 0 };
	struct json *again;

	json_print(json, pretty, &first);
	FUZZ_CHECK(json_parse(first.bytes, first.length, &again, NULL));
	json_print(again, pretty, &second);
	FUZZ_CHECK(strcmp(first.bytes, second.bytes) == 0);
	json_release(again);
	text_release(&first);
	text_release(&second);
}

static void check_whole(struct arena *arena, const struct recording *recording)
{
	const struct plan *plan = &recording->plan;
	size_t i, k;

	FUZZ_CHECK(plan->subject_count > 0 && plan->primary != NULL && recording->origin != NULL);
	for (i = 0; i < plan->subject_count; i++)
		FUZZ_CHECK(plan->subjects[i].label != NULL &&
			   plan->subjects[i].baseline < plan->subject_count);
	for (i = 0; i < recording->sample_count; i++) {
		FUZZ_CHECK(recording->samples[i].subject < plan->subject_count);
		for (k = 0; k < recording->metric_count; k++)
			FUZZ_CHECK(!isinf(recording->samples[i].values[k]));
		for (k = 0; k < recording->samples[i].batch_count; k++)
			FUZZ_CHECK(recording->samples[i].batches[k].metric <
				   recording->metric_count);
	}
	for (i = 0; i < recording->metric_count; i++)
		for (k = 0; k < plan->subject_count; k++)
			FUZZ_CHECK(pairs_make(arena, recording, i, k, SIZE_MAX).count <=
				   recording->sample_count);
}

static void check_recording(struct arena *arena, const struct recording *recording)
{
	struct json *json = recording_to_json(recording), *second;
	struct text first_text = { 0 }, second_text = { 0 };
	struct recording again;

	check_whole(arena, recording);
	FUZZ_CHECK(recording_from_json(arena, json, &again, NULL));
	second = recording_to_json(&again);
	json_print(json, false, &first_text);
	json_print(second, false, &second_text);
	FUZZ_CHECK(strcmp(first_text.bytes, second_text.bytes) == 0);
	text_release(&first_text);
	text_release(&second_text);
	json_release(json);
	json_release(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open();
	struct recording recording;
	struct error err = { 0 };
	struct json *json;

	if (!json_parse((const char *)data, size, &json, &err)) {
		check_sentence(arena, &err);
		arena_close(arena);
		return 0;
	}
	check_print(json, false);
	check_print(json, true);
	if (recording_from_json(arena, json, &recording, &err))
		check_recording(arena, &recording);
	else
		check_sentence(arena, &err);
	json_release(json);
	arena_close(arena);
	return 0;
}
