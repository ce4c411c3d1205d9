/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Letters for variants that cannot be told apart: see ranking.h. A column is
 * the set of items that have one letter. It begins as one column of all; each
 * pair that differs splits every column that holds both (insert), and columns
 * that lie within others go (absorb).
 */
#include "judge/ranking.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "judge/duels.h"
#include "judge/lines.h"

enum { MOST_COLUMNS = 64 };

struct columns {
	uint64_t sets[2 * MOST_COLUMNS]; /* bit i: item i */
	size_t count;
};

static bool lies_within(const struct columns *columns, size_t column)
{
	uint64_t own = columns->sets[column];
	size_t i;

	for (i = 0; i < columns->count; i++)
		if (i != column && (own & ~columns->sets[i]) == 0 &&
		    (own != columns->sets[i] || i < column))
			return true;
	return false;
}

static void absorb(struct columns *columns)
{
	struct columns kept = { .count = 0 };
	size_t i;

	for (i = 0; i < columns->count; i++)
		if (!lies_within(columns, i))
			kept.sets[kept.count++] = columns->sets[i];
	*columns = kept;
}

static bool split(struct columns *columns, size_t one, size_t other)
{
	size_t count = columns->count, i;
	uint64_t a = (uint64_t)1 << one, b = (uint64_t)1 << other;

	for (i = 0; i < count; i++) {
		if ((columns->sets[i] & a) == 0 || (columns->sets[i] & b) == 0)
			continue;
		columns->sets[columns->count++] = columns->sets[i] & ~a;
		columns->sets[i] &= ~b;
	}
	absorb(columns);
	return columns->count <= MOST_COLUMNS;
}

/* By their first items. */
static int by_first(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
	int first = __builtin_ctzll(a), second = __builtin_ctzll(b);

	if (first != second)
		return first - second;
	return (a > b) - (a < b);
}

size_t ranking_letters(const bool *differs, size_t count, uint64_t *letters)
{
	struct columns columns = { .count = 1 };
	size_t i, j;

	columns.sets[0] = count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
	for (i = 0; i < count; i++)
		for (j = i + 1; j < count; j++)
			if (differs[i * count + j] && !split(&columns, i, j))
				return 0;
	qsort(columns.sets, columns.count, sizeof *columns.sets, by_first);
	for (i = 0; i < count; i++) {
		letters[i] = 0;
		for (j = 0; j < columns.count; j++)
			if (columns.sets[j] >> i & 1)
				letters[i] |= (uint64_t)1 << j;
	}
	return columns.count;
}

/* "ac": beyond z come capitals. */
static const char *spell(struct arena *arena, uint64_t letters)
{
	const char *word = "";
	unsigned i;

	for (i = 0; i < 52; i++)
		if (letters >> i & 1)
			word = arena_printf(arena, "%s%c", word,
					    i < 26 ? (char)('a' + i) : (char)('A' + i - 26));
	return word;
}

struct place {
	size_t arm;
	double cost; /* against the first arm */
};

static int by_cost(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	return a->arm < b->arm ? -1 : a->arm > b->arm;
}

/* False where some arm has no cost that could be ranked. */
static bool sort_arms(const struct duels *duels, size_t count, struct place *places)
{
	size_t i;

	for (i = 0; i < count; i++) {
		places[i].arm = i;
		places[i].cost = i == 0 ? 0 : duels_of(duels, 0, 0, i)->cost.estimate;
		if (!isfinite(places[i].cost))
			return false;
	}
	qsort(places, count, sizeof *places, by_cost);
	return true;
}

static void set_letters(struct judging *judging, const struct duels *duels,
			const struct place *places, struct ranking *ranking)
{
	size_t count = ranking->count, i, j;
	bool *differs = arena_alloc(judging->scratch, count * count, sizeof *differs);
	uint64_t letters[RANKING_MOST];

	for (i = 0; i < count; i++)
		for (j = i + 1; j < count; j++) {
			enum duel_answer answer =
			    duels_answer(duels, 0, places[i].arm, places[j].arm);

			differs[i * count + j] = answer == DUEL_LOWER || answer == DUEL_HIGHER;
		}
	if (ranking_letters(differs, count, letters) == 0)
		return;
	for (i = 0; i < count; i++)
		ranking->items[i].letters = spell(judging->arena, letters[i]);
}

static void add_ranking(struct judging *judging, const struct arms *arms)
{
	size_t metric = (size_t)judging->primary, i;
	struct findings *findings = judging->findings;
	struct duels duels = duels_make(judging, arms, &metric, 1, judging->sequence.family_alpha);
	struct place places[RANKING_MOST];
	struct ranking *ranking;

	if (!sort_arms(&duels, arms->count, places))
		return;
	ranking = array_push(judging->arena, findings->rankings, findings->ranking_count,
			     findings->ranking_capacity);
	*ranking = (struct ranking){ .cells = arms->cells, .count = arms->count };
	ranking->items = arena_alloc(judging->arena, arms->count, sizeof *ranking->items);
	for (i = 0; i < arms->count; i++) {
		const struct duel *duel =
		    places[i].arm == 0 ? NULL : duels_of(&duels, 0, 0, places[i].arm);
		double shown =
		    duel == NULL ? 0 : contrast_shown(&duel->contrast, duel->cost.estimate);

		ranking->items[i] =
		    (struct ranked){ .subject = arms->subjects[places[i].arm * arms->cells],
				     .change = shown };
	}
	set_letters(judging, &duels, places, ranking);
}

void ranking_make(struct judging *judging)
{
	struct arms *groups, together;
	size_t count, i;

	if (judging->primary == METRIC_NONE || judging->sequence.look.n == 0 ||
	    judging->recording->metrics[judging->primary].better == BETTER_NEITHER)
		return;
	count = lines_groups(judging, &groups);
	for (i = 0; i < count; i++)
		if (groups[i].count < RANKING_LEAST || groups[i].count > RANKING_MOST)
			return;
	if (count > 1 && lines_together(judging, groups, count, &together))
		add_ranking(judging, &together);
	for (i = 0; i < count && count <= RANKING_MOST; i++)
		add_ranking(judging, &groups[i]);
}
