/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Letters against what they mean, and rankings against what the values were made from. */
#include "judge/ranking.h"

#include "judge_bench.h"

static size_t bits(uint64_t set)
{
	return (size_t)__builtin_popcountll(set);
}

/* Two share a letter exactly if they do not differ, and no letter could be left out or given to one
 * more item. */
static void check_letters(const bool *differs, size_t count)
{
	uint64_t letters[RANKING_MOST], sets[64] = { 0 };
	size_t found = ranking_letters(differs, count, letters), i, j, k;

	assert_in_range(found, 1, 64);
	for (i = 0; i < count; i++) {
		assert_true(letters[i] != 0);
		for (j = i + 1; j < count; j++)
			assert_int_equal((letters[i] & letters[j]) == 0, differs[i * count + j]);
		for (k = 0; k < found; k++)
			if (letters[i] >> k & 1)
				sets[k] |= (uint64_t)1 << i;
	}
	for (k = 0; k < found; k++) {
		assert_true(bits(sets[k]) > 0);
		for (i = 0; i < count; i++) {
			bool fits = !(sets[k] >> i & 1);

			for (j = 0; fits && j < count; j++)
				fits = !(sets[k] >> j & 1) || !differs[i * count + j];
			assert_false(fits);
		}
	}
}

/* All graphs of up to five items, and random ones of up to nine. */
static void letters_say_who_cannot_be_told_apart(void **state)
{
	struct random random = { 11 };
	bool differs[81];
	size_t count, graph, i, j, bit;

	(void)state;
	for (count = 1; count <= 9; count++) {
		size_t pairs = count * (count - 1) / 2;
		size_t graphs = count <= 5 ? (size_t)1 << pairs : 300;

		for (graph = 0; graph < graphs; graph++) {
			uint64_t set = count <= 5 ? graph : random_next(&random);

			memset(differs, 0, sizeof differs);
			for (i = bit = 0; i < count; i++)
				for (j = i + 1; j < count; j++, bit++)
					differs[i * count + j] = differs[j * count + i] =
					    set >> bit & 1;
			check_letters(differs, count);
		}
	}
}

static struct bench ranked(const double *times, size_t count)
{
	struct bench bench = bench_open(count);
	struct random random = { 3 };
	size_t wall = bench_metric(&bench, "wall", "s", BETTER_LOWER, 0), round, i;

	bench.recording.plan.rounds = bench.recording.rounds_done = 40;
	bench.recording.plan.peek = false;
	for (round = 0; round < 40; round++) {
		double shared = exp(0.2 * random_unit(&random));

		for (i = 0; i < count; i++)
			bench_add(&bench, (uint32_t)round, (uint32_t)i)->values[wall] =
			    times[i] * shared * exp(0.02 * (random_unit(&random) - 0.5));
	}
	judge_recording(bench.arena, &bench.recording, &bench.findings);
	return bench;
}

static void variants_come_in_their_order(void **state)
{
	static const double times[] = { 1, 0.8, 1.0005, 0.9 };
	static const size_t order[] = { 1, 3, 0, 2 };
	static const char *const letters[] = { "a", "b", "c", "c" };
	struct bench bench = ranked(times, 4);
	const struct ranking *ranking = bench.findings.rankings;
	size_t i;

	(void)state;
	assert_int_equal(bench.findings.ranking_count, 1);
	for (i = 0; i < 4; i++) {
		if (i < 2)
			assert_int_equal(ranking->items[i].subject, order[i]);
		assert_string_equal(ranking->items[i].letters, letters[i]);
	}
	bench_close(&bench);
}

static void two_are_not_ranked(void **state)
{
	static const double times[] = { 1, 0.8 };
	struct bench bench = ranked(times, 2);

	(void)state;
	assert_int_equal(bench.findings.ranking_count, 0);
	bench_close(&bench);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_say_who_cannot_be_told_apart),
		cmocka_unit_test(variants_come_in_their_order),
		cmocka_unit_test(two_are_not_ranked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
