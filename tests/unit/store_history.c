/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes into a history comes out the same; ids, the list, going on, and deleting. */
#include "store_fixture.h"

static const char *const words[] = { "a", "b c", "\"quoted\"", "naïve", "日本", "line\nbreak", "" };

static const char *any_word(struct random *random)
{
	return words[random_below(random, sizeof words / sizeof *words)];
}

/* Numbers that JSON and short cuts would lose: NAN, infinities, -0, subnormals, any bits. */
static double any_double(struct random *random)
{
	static const double special[] = { NAN, INFINITY, -INFINITY, 0, -0.0, 5e-324, 1.0 / 3 };
	uint64_t bits = random_next(random);
	double value;

	if (random_below(random, 3) == 0)
		return special[random_below(random, sizeof special / sizeof *special)];
	memcpy(&value, &bits, sizeof value);
	return value;
}

static void add_any_metric(struct arena *arena, struct recording *recording, struct random *random)
{
	struct metric metric = {
		.name =
		    arena_printf(arena, "metric %zu %s", recording->metric_count, any_word(random)),
		.unit = any_word(random),
		.better = (enum better)random_below(random, 3),
		.source = (enum metric_source)random_below(random, SOURCE_DERIVED + 1),
		.quantum = random_unit(random),
		.exact = random_below(random, 2),
		.hidden = random_below(random, 2),
	};

	recording_add_metric(arena, recording, &metric);
}

static void fill_any_sample(struct arena *arena, const struct recording *recording,
			    struct sample *sample, struct random *random)
{
	size_t i;

	sample->round = (uint32_t)random_next(random);
	sample->position = (uint32_t)random_below(random, 5);
	sample->subject = (uint32_t)random_below(random, recording->plan.subject_count);
	sample->flags = (uint32_t)random_below(random, 64);
	sample->started_ns = random_below(random, 4) ? (int64_t)(random_next(random) >> 1) : -1;
	sample->exit_status = (int32_t)random_below(random, 257) - 1;
	sample->signal = (int32_t)random_below(random, 65);
	sample->output_hash = random_next(random);
	for (i = 0; i < recording->metric_count; i++)
		sample->values[i] = any_double(random);
	if (recording->metric_count == 0 || random_below(random, 2))
		return;
	sample->coverage = arena_alloc(arena, recording->metric_capacity, sizeof(float));
	for (i = 0; i < recording->metric_capacity; i++)
		sample->coverage[i] = i < recording->metric_count ? (float)random_unit(random) : 1;
	sample->batch_count = (uint32_t)random_below(random, 4);
	sample->batches = arena_alloc(arena, sample->batch_count, sizeof *sample->batches);
	for (i = 0; i < sample->batch_count; i++)
		sample->batches[i] = (struct batch){ .metric = (uint32_t)random_below(
							 random, recording->metric_count),
						     .value = any_double(random) };
}

static struct recording any_recording(struct arena *arena, struct random *random)
{
	struct recording recording =
	    fixture_recording(arena, 1 + random_below(random, 4), 1 + random_below(random, 99));
	size_t metrics = random_below(random, 9);

	recording.origin = any_word(random);
	recording.order_known = random_below(random, 2);
	recording.plan.seed = random_next(random);
	recording.plan.setup = random_below(random, 2) ? any_word(random) : NULL;
	recording.plan.budget_ns = (int64_t)(random_next(random) >> 1);
	recording.before.facts = arena_alloc(arena, 2, sizeof *recording.before.facts);
	recording.before.facts[0] = (struct fact){ "host", "machine" };
	recording.before.facts[1] = (struct fact){ "env PATH", "/bin:/日本" };
	recording.before.fact_count = 2;
	while (metrics-- > 0)
		add_any_metric(arena, &recording, random);
	return recording;
}

/* Measure any number of rounds; columns and remarks come in between, as they do. */
static void save_any_rounds(struct arena *arena, struct history *history,
			    struct recording *recording, struct random *random)
{
	size_t rounds = random_below(random, 8);
	struct error err = { 0 };

	while (rounds-- > 0) {
		size_t first = recording->sample_count;
		size_t runs = random_below(random, 5);

		if (random_below(random, 4) == 0)
			add_any_metric(arena, recording, random);
		if (random_below(random, 4) == 0)
			recording_remark(arena, recording, "remark %zu: %s", rounds,
					 any_word(random));
		while (runs-- > 0)
			fill_any_sample(arena, recording, recording_add_sample(arena, recording),
					random);
		assert_good(history_add(history, recording, first, &err), err);
	}
}

static void end_anyhow(struct arena *arena, struct recording *recording, struct random *random)
{
	recording->end = (enum session_end)(1 + random_below(random, END_FAILED));
	recording->rounds_done = random_below(random, 100);
	recording->after = fixture_environment();
	recording->extension_count = random_below(random, 3);
	recording->extension_bases = arena_alloc(arena, 3, sizeof *recording->extension_bases);
	recording->extension_bases[0] = 80;
	recording->extension_bases[1] = 160;
	recording_remark(arena, recording, "the last remark");
}

static void any_recording_comes_back_the_same(void **state)
{
	struct arena *arena = arena_open();
	char *directory = fixture_directory(arena);
	char *path = fixture_history(arena, directory);
	struct random random = { .state = 20240607 };
	struct error err = { 0 };
	int i;

	(void)state;
	for (i = 0; i < 60; i++) {
		struct recording recording = any_recording(arena, &random);
		struct recording loaded;
		struct history *history = history_open(path, true, &err);

		assert_good(history != NULL, err);
		assert_good(history_begin(history, arena, &recording, any_word(&random), &err),
			    err);
		save_any_rounds(arena, history, &recording, &random);
		end_anyhow(arena, &recording, &random);
		assert_good(history_end(history, &recording, &err), err);
		history_close(history);

		history = history_open(path, false, &err);
		assert_good(history != NULL, err);
		assert_good(history_load(history, arena, recording.id, &loaded, &err), err);
		assert_same_recording(&recording, &loaded);
		history_close(history);
	}
	fixture_remove(arena, directory);
	arena_close(arena);
}

/* One test's history with arena and directory. */
struct place {
	struct arena *arena;
	char *directory;
	char *path;
	struct history *history;
	struct error err;
};

static struct place place_open(void)
{
	struct place place = { .arena = arena_open() };

	place.directory = fixture_directory(place.arena);
	place.path = fixture_history(place.arena, place.directory);
	place.history = history_open(place.path, true, &place.err);
	assert_good(place.history != NULL, place.err);
	return place;
}

static void place_close(struct place *place)
{
	history_close(place->history);
	fixture_remove(place->arena, place->directory);
	arena_close(place->arena);
}

static struct recording begin(struct place *place, size_t rounds)
{
	struct recording recording = fixture_recording(place->arena, 2, rounds);

	assert_good(
	    history_begin(place->history, place->arena, &recording, "worth a b", &place->err),
	    place->err);
	return recording;
}

static void ids_are_short_and_found_by_their_beginning(void **state)
{
	struct place place = place_open();
	struct recording first = begin(&place, 10);
	struct recording loaded;
	char prefix[3] = { first.id[0], first.id[1], '\0' };
	size_t others = 0;
	int i;

	(void)state;
	assert_int_equal(strlen(first.id), 6);
	assert_int_equal(strspn(first.id, "0123456789abcdefghjkmnpqrstvwxyz"), 6);
	assert_true(first.id[0] >= 'a');
	for (i = 0; i < 20; i++)
		others += strncmp(begin(&place, 10).id, prefix, 2) == 0;
	if (others == 0) {
		assert_good(history_load(place.history, place.arena, prefix, &loaded, &place.err),
			    place.err);
		assert_string_equal(loaded.id, first.id);
	}
	for (i = 0; i < 2; i++)
		prefix[i] = (char)(prefix[i] >= 'a' ? prefix[i] - 'a' + 'A' : prefix[i]);
	assert_int_equal(history_load(place.history, place.arena, prefix, &loaded, &place.err),
			 others == 0);
	place_close(&place);
}

static void what_is_no_id_is_said(void **state)
{
	static const char *const wrong[] = { "zzzzzzz", "", "%", "a'b", "lost", "a\xff\x1b" };
	struct place place = place_open();
	struct recording loaded;
	size_t i;

	(void)state;
	assert_false(history_load(place.history, place.arena, "last", &loaded, &place.err));
	assert_says(place.err, "no session in the history");
	begin(&place, 10);
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_false(
		    history_load(place.history, place.arena, wrong[i], &loaded, &place.err));
		assert_says(place.err, "there is no session '");
	}
	assert_null(strchr(place.err.sentence, '\x1b'));
	/* 40 ids begin with at most 22 letters. */
	for (i = 0; i < 40; i++)
		begin(&place, 10);
	for (i = 0; i < 22; i++) {
		char letter[2] = { "abcdefghjkmnpqrstvwxyz"[i], '\0' };

		if (!history_load(place.history, place.arena, letter, &loaded, &place.err) &&
		    strstr(place.err.sentence, "several ids") != NULL)
			break;
	}
	assert_true(i < 22);
	place_close(&place);
}

static void the_list_is_newest_first(void **state)
{
	struct place place = place_open();
	struct recording first = begin(&place, 10), second;
	struct history_entry *entries;
	size_t count;

	(void)state;
	fixture_round(place.arena, &first, 0, 2, 0);
	first.end = END_COMPLETE;
	assert_good(history_end(place.history, &first, &place.err), place.err);
	assert_good(history_verdict(place.history, first.id, "better", "-2.05%", &place.err),
		    place.err);
	second = begin(&place, 10);
	fixture_round(place.arena, &second, 0, 2, SAMPLE_WARMUP);
	fixture_round(place.arena, &second, 0, 2, 0);
	fixture_round(place.arena, &second, 1, 2, 0);
	fixture_round(place.arena, &second, 2, 1, 0);
	fixture_round(place.arena, &second, 0x40000000, 2, 0);
	assert_good(history_add(place.history, &second, 0, &place.err), place.err);

	assert_good(history_list(place.history, place.arena, NULL, &entries, &count, &place.err),
		    place.err);
	assert_int_equal(count, 2);
	assert_string_equal(entries[0].id, second.id);
	assert_int_equal(entries[0].end, END_RUNNING);
	assert_int_equal(entries[0].rounds, 2);
	assert_null(entries[0].verdict);
	assert_string_equal(entries[1].title, "worth a b");
	assert_int_equal(entries[1].rounds, 1);
	assert_int_equal(entries[1].subjects, 2);
	assert_int_equal(entries[1].started_at_s, 1700000000);
	assert_string_equal(entries[1].verdict, "better");
	assert_string_equal(entries[1].change, "-2.05%");
	assert_null(entries[1].host);
	assert_good(history_list(place.history, place.arena, &(struct history_filter){ .limit = 1 },
				 &entries, &count, &place.err),
		    place.err);
	assert_int_equal(count, 1);
	place_close(&place);
}

static void going_on_drops_the_half_round(void **state)
{
	struct place place = place_open();
	struct recording recording = begin(&place, 10), loaded, again;
	struct history_entry *entries;
	size_t count;

	(void)state;
	fixture_round(place.arena, &recording, 0, 2, SAMPLE_WARMUP);
	fixture_round(place.arena, &recording, 0, 2, 0);
	fixture_round(place.arena, &recording, 1, 2, 0);
	fixture_round(place.arena, &recording, 2, 1, SAMPLE_FAILED);
	recording.end = END_FAILED;
	assert_good(history_end(place.history, &recording, &place.err), place.err);

	assert_good(history_verdict(place.history, recording.id, "slower", "+1%", &place.err),
		    place.err);
	assert_good(history_load(place.history, place.arena, "last", &loaded, &place.err),
		    place.err);
	assert_int_equal(loaded.sample_count, 7);
	assert_good(history_reopen(place.history, &loaded, &place.err), place.err);
	assert_int_equal(loaded.sample_count, 6);
	assert_int_equal(loaded.rounds_done, 2);
	assert_int_equal(loaded.end, END_RUNNING);
	assert_good(history_list(place.history, place.arena, NULL, &entries, &count, &place.err),
		    place.err);
	assert_null(entries[0].verdict);
	assert_null(entries[0].change);
	fixture_round(place.arena, &loaded, 2, 2, 0);
	assert_good(history_add(place.history, &loaded, 6, &place.err), place.err);

	assert_good(history_load(place.history, place.arena, "last", &again, &place.err),
		    place.err);
	assert_same_recording(&loaded, &again);
	assert_int_equal(again.rounds_done, 3);
	place_close(&place);
}

static void an_extension_is_there_before_its_first_round(void **state)
{
	struct place place = place_open();
	struct recording recording = begin(&place, 2), loaded, again;
	size_t base = 2;

	(void)state;
	fixture_round(place.arena, &recording, 0, 2, 0);
	fixture_round(place.arena, &recording, 1, 2, 0);
	recording.end = END_COMPLETE;
	assert_good(history_end(place.history, &recording, &place.err), place.err);
	assert_good(history_load(place.history, place.arena, "last", &loaded, &place.err),
		    place.err);
	loaded.plan.extended_rounds = 4;
	loaded.extension_bases = &base;
	loaded.extension_count = 1;
	assert_good(history_reopen(place.history, &loaded, &place.err), place.err);
	history_close(place.history); /* broken off at once */

	place.history = history_open(place.path, false, &place.err);
	assert_good(history_load(place.history, place.arena, "last", &again, &place.err),
		    place.err);
	assert_int_equal(again.plan.extended_rounds, 4);
	assert_int_equal(again.extension_count, 1);
	assert_int_equal(again.extension_bases[0], 2);
	assert_int_equal(again.end, END_RUNNING);
	assert_int_equal(again.rounds_done, 2);
	place_close(&place);
}

static void a_session_has_one_owner(void **state)
{
	struct place place = place_open();
	struct recording recording = begin(&place, 10), loaded, changed;
	struct history *other = history_open(place.path, true, &place.err);
	struct history_entry *entries;
	size_t count;

	(void)state;
	assert_good(history_load(other, place.arena, recording.id, &loaded, &place.err), place.err);
	assert_false(history_reopen(other, &loaded, &place.err));
	assert_says(place.err, "is being measured by another process");
	assert_false(history_delete(other, place.arena, recording.id, NULL, &place.err));
	assert_says(place.err, "is being measured");
	assert_good(history_list(other, place.arena, NULL, &entries, &count, &place.err),
		    place.err);
	assert_true(entries[0].live);

	history_close(place.history); /* broken off: now others may */
	place.history = history_open(place.path, true, &place.err);
	assert_good(history_list(other, place.arena, NULL, &entries, &count, &place.err),
		    place.err);
	assert_false(entries[0].live);
	changed = loaded;
	assert_good(history_reopen(other, &loaded, &place.err), place.err);
	fixture_round(place.arena, &loaded, 0, 2, 0);
	loaded.end = END_INTERRUPTED;
	assert_good(history_end(other, &loaded, &place.err), place.err);
	assert_false(history_reopen(place.history, &changed, &place.err));
	assert_says(place.err, "has changed since it was read");
	assert_good(history_delete(other, place.arena, recording.id, NULL, &place.err), place.err);
	history_close(other);
	place_close(&place);
}

static void deleting_takes_one_session_alone(void **state)
{
	struct place place = place_open();
	struct recording first = begin(&place, 10), second, loaded;
	const char *deleted;

	(void)state;
	fixture_round(place.arena, &first, 0, 2, 0);
	first.end = END_COMPLETE;
	assert_good(history_end(place.history, &first, &place.err), place.err);
	second = begin(&place, 10);
	fixture_round(place.arena, &second, 0, 2, 0);
	second.end = END_COMPLETE;
	assert_good(history_end(place.history, &second, &place.err), place.err);
	assert_good(history_delete(place.history, place.arena, "last", &deleted, &place.err),
		    place.err);
	assert_string_equal(deleted, second.id);
	assert_false(history_load(place.history, place.arena, second.id, &loaded, &place.err));
	assert_good(history_load(place.history, place.arena, "last", &loaded, &place.err),
		    place.err);
	assert_same_recording(&first, &loaded);
	place_close(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_recording_comes_back_the_same),
		cmocka_unit_test(ids_are_short_and_found_by_their_beginning),
		cmocka_unit_test(what_is_no_id_is_said),
		cmocka_unit_test(the_list_is_newest_first),
		cmocka_unit_test(going_on_drops_the_half_round),
		cmocka_unit_test(an_extension_is_there_before_its_first_round),
		cmocka_unit_test(a_session_has_one_owner),
		cmocka_unit_test(deleting_takes_one_session_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
