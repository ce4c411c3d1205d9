/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The conformance of the lists: random games against a plain array for every
 * NR, all short games, walks with a change in every place, no element lost or
 * doubled by what moves whole lists; and every broken variant must be caught.
 */
#include <stdlib.h>
#include <string.h>

#include "broken/broken.h"
#include "list_model.h"

enum { MOVES_MAXIMUM = 600, GAME_MOVES = 400, GAMES = 2, CONSERVED = 20000, SHELVES = 8 };

/* The games of a check go on until one is lost. */
static bool play(struct trial *trial, uint32_t nr, enum list_memory memory, const uint8_t *moves,
		 size_t count)
{
	struct list_game game = { .kind = trial->variant, .nr = nr, .memory = memory };

	if (list_model_play(&game, moves, count))
		return true;
	memcpy(trial->why, game.why, sizeof trial->why);
	return false;
}

static bool has_nodes(const struct list_kind *kind)
{
	return kind->pack != NULL;
}

static uint32_t least_nr(const struct list_kind *kind)
{
	return kind->nr > 0 ? kind->nr : LIST_NR_MINIMUM;
}

/* Of kinds that have no nodes, one NR is as good as any. */
static uint32_t greatest_nr(const struct list_kind *kind)
{
	if (kind->nr > 0)
		return kind->nr;
	return has_nodes(kind) ? LIST_NR_MAXIMUM : LIST_NR_MINIMUM;
}

/* What is played how often, of 100; the rest are starts. */
static const uint8_t shares[MOVES] = {
	[MOVE_APPEND] = 8,  [MOVE_FILL] = 3,	    [MOVE_NEXT] = 16,	    [MOVE_PREVIOUS] = 11,
	[MOVE_INSERT] = 18, [MOVE_DELETE] = 9,	    [MOVE_MARK] = 8,	    [MOVE_REPLACE] = 4,
	[MOVE_PACK] = 2,    [MOVE_SORT] = 1,	    [MOVE_CONCATENATE] = 1, [MOVE_COPY] = 1,
	[MOVE_SPLIT] = 2,   [MOVE_DELETE_LAST] = 2, [MOVE_WALK] = 5,	    [MOVE_REFUSE] = 6,
};

static enum list_move random_move(struct random *random)
{
	uint64_t chance = random_below(random, 100);
	int move;

	for (move = 0; move < MOVES; move++) {
		if (chance < shares[move])
			return (enum list_move)move;
		chance -= shares[move];
	}
	return chance == 0 ? MOVE_RELEASE : MOVE_START;
}

/* Mostly with the first list, so that it grows. */
static size_t random_game(struct random *random, uint32_t nr, uint8_t *moves)
{
	size_t count = 0;

	while (count < GAME_MOVES) {
		enum list_move move = random_move(random);
		uint64_t list = random_below(random, 3 * MODEL_LISTS);

		moves[count++] = MOVE_OF(list < MODEL_LISTS ? list : 0, move);
		if (move == MOVE_FILL || move == MOVE_WALK)
			moves[count++] = (uint8_t)random_below(random, 2 * nr + 2);
		else if (move == MOVE_COPY)
			moves[count++] = (uint8_t)random_below(random, 2);
	}
	return count;
}

static bool model(struct trial *trial)
{
	const struct list_kind *kind = trial->variant;
	struct random random = { .state = trial->seed };
	uint64_t games = GAMES * trial->size * (kind->nr > 0 || !has_nodes(kind) ? 20 : 1), game;
	uint8_t moves[MOVES_MAXIMUM];
	uint32_t nr;

	for (nr = least_nr(kind); nr <= greatest_nr(kind); nr++)
		for (game = 0; game < 2 * games; game++) {
			size_t count = random_game(&random, nr, moves);

			if (!play(trial, nr, game % 2 ? LIST_MEMORY_ARENA : LIST_MEMORY_MALLOC,
				  moves, count))
				return false;
		}
	return true;
}

/* Every game of so many moves, after a list was filled with 0, 3 or 5: with NR 3 that is no
 * node, a full one, and one and a part. */
static bool exhaustive(struct trial *trial)
{
	static const uint8_t alphabet[] = { MOVE_NEXT,	 MOVE_PREVIOUS, MOVE_INSERT,
					    MOVE_DELETE, MOVE_MARK,	MOVE_APPEND,
					    MOVE_PACK,	 MOVE_SPLIT,	MOVE_CONCATENATE };
	static const uint8_t fills[] = { 0, 3, 5 };
	uint64_t length = trial->size > 1 ? 6 : 5, games = 1, game, rest, i;
	uint8_t moves[16] = { MOVE_FILL };
	size_t fill;

	for (i = 0; i < length; i++)
		games *= sizeof alphabet;
	for (fill = 0; fill < sizeof fills; fill++)
		for (game = 0; game < games; game++) {
			moves[1] = fills[fill];
			for (i = 0, rest = game; i < length; i++, rest /= sizeof alphabet)
				moves[2 + i] = alphabet[rest % sizeof alphabet];
			if (!play(trial, LIST_NR_MINIMUM, LIST_MEMORY_MALLOC, moves, 2 + length))
				return false;
		}
	return true;
}

/* What a walk may do to the list in one place. */
static const uint8_t changes[][3] = {
	{ MOVE_INSERT, MOVE_START, 0 },
	{ MOVE_INSERT },
	{ MOVE_INSERT, MOVE_INSERT },
	{ MOVE_DELETE },
	{ MOVE_DELETE, MOVE_INSERT },
	{ MOVE_MARK },
	{ MOVE_MARK, MOVE_INSERT, MOVE_INSERT },
	{ MOVE_REPLACE },
	{ MOVE_REPLACE, MOVE_DELETE },
};
enum { CHANGE_COUNT = sizeof changes / sizeof *changes };

/* A walk that makes the change at some places of each stride, and then one back. */
static bool play_change(struct trial *trial, uint32_t nr, size_t length, size_t stride,
			enum list_move step, const uint8_t *change)
{
	uint8_t moves[MOVES_MAXIMUM * 4] = { MOVE_FILL, (uint8_t)length };
	size_t count = 2, place, i;

	for (place = 0; place <= length; place++) {
		moves[count++] = (uint8_t)step;
		if (place % stride != stride - 1)
			continue;
		for (i = 0; i < 3 && change[i] != MOVE_APPEND; i++)
			moves[count++] = change[i];
	}
	for (place = 0; place <= length; place++)
		moves[count++] = step == MOVE_NEXT ? MOVE_PREVIOUS : MOVE_NEXT;
	return play(trial, nr, LIST_MEMORY_MALLOC, moves, count);
}

static bool change_lengths(struct trial *trial, uint32_t nr, const size_t *lengths, size_t count)
{
	static const size_t strides[] = { 1, 2, 3, 5, 13, 1000 };
	size_t length, change, i, stride;

	for (length = 0; length < count; length++)
		for (change = 0; change < CHANGE_COUNT; change++)
			for (i = 0; i < 2 * sizeof strides / sizeof *strides; i++) {
				stride = strides[i / 2];
				/* 1000 stands for the last element alone. */
				if (stride > lengths[length])
					stride = lengths[length];
				if (!play_change(trial, nr, lengths[length], stride,
						 i % 2 ? MOVE_NEXT : MOVE_PREVIOUS,
						 changes[change]))
					return false;
			}
	return true;
}

/* Lists of one element, of nodes just full, just not, and just begun. */
static bool changing(struct trial *trial)
{
	const struct list_kind *kind = trial->variant;
	uint32_t nr;

	for (nr = least_nr(kind); nr <= greatest_nr(kind); nr += nr < 16 ? 1 : 27) {
		size_t lengths[] = { 1, 2, nr - 1, nr, nr + 1, 2 * nr, 2 * nr + 1 };

		if (!change_lengths(trial, nr, lengths, sizeof lengths / sizeof *lengths))
			return false;
	}
	return true;
}

static int compare_mixed(const void *element, const void *other)
{
	uint64_t left = random_mix((uintptr_t)element) % 1000;
	uint64_t right = random_mix((uintptr_t)other) % 1000;

	return (left > right) - (left < right);
}

/* Cuts a list somewhere, or takes single elements from one to the other. */
static bool move_some(const struct list_kind *kind, struct list_pool *pool, void *from, void *to,
		      struct random *random)
{
	size_t steps = kind->size(from) == 0 ? 0 : random_below(random, kind->size(from)) + 1;
	struct list_cursor cursor;
	void *element = NULL;

	kind->start(from, &cursor);
	while (steps-- > 0)
		element = kind->next(&cursor);
	if (kind->split != NULL && kind->size(to) == 0 && random_below(random, 4) > 0) {
		kind->release(to, pool);
		return kind->split(&cursor, pool, to);
	}
	for (steps = random_below(random, 50); steps > 0 && element != NULL; steps--) {
		if (kind->mark != NULL && steps % 2 == 0)
			kind->mark(&cursor);
		else
			kind->delete (&cursor, pool);
		if (!kind->append(to, pool, element))
			return false;
		element = kind->previous(&cursor);
	}
	return true;
}

static bool shuffle_once(const struct list_kind *kind, struct list_pool *pool,
			 void *(*shelves)[SHELVES], struct random *random)
{
	void *from = shelves[random_below(random, SHELVES)];
	void *to = shelves[random_below(random, SHELVES)];

	switch (random_below(random, 16)) {
	case 0:
		return kind->sort(from, pool, compare_mixed);
	case 1:
		if (kind->pack != NULL)
			kind->pack(from, pool);
		return true;
	case 2:
	case 3:
		return from == to || kind->concatenate(to, from, pool);
	default:
		return from == to || move_some(kind, pool, from, to, random);
	}
}

/* Every element is in one list, once. */
static const char *count_elements(const struct list_kind *kind, struct list_pool *pool,
				  void *(*shelves)[SHELVES], uint8_t *seen)
{
	struct list_cursor cursor;
	void *element;
	size_t i;

	memset(seen, 0, CONSERVED);
	for (i = 0; i < SHELVES; i++) {
		const char *rule = kind->check == NULL ? NULL : kind->check(shelves[i], pool);

		if (rule != NULL)
			return rule;
		kind->start(shelves[i], &cursor);
		while ((element = kind->next(&cursor)) != NULL) {
			uintptr_t number = (uintptr_t)element / 8 - 1;

			if (number >= CONSERVED)
				return "an element is in a list that was never put there";
			if (seen[number]++ > 0)
				return "an element is there twice";
		}
	}
	for (i = 0; i < CONSERVED; i++)
		if (seen[i] == 0)
			return "an element is lost";
	return NULL;
}

static const char *conserve(const struct list_kind *kind, uint32_t nr, uint64_t turns,
			    struct random *random)
{
	void *shelves[SHELVES][SHELVES];
	uint8_t *seen = malloc(CONSERVED);
	const char *why = NULL;
	struct list_pool pool;
	uint64_t i;

	list_pool_init(&pool, nr % 2 ? LIST_MEMORY_ARENA : LIST_MEMORY_MALLOC, nr);
	for (i = 0; i < SHELVES; i++)
		kind->init(shelves[i]);
	for (i = 0; i < CONSERVED; i++)
		if (!kind->append(shelves[i % 3], &pool, (void *)((i + 1) * 8)))
			why = "there is no memory";
	for (i = 0; why == NULL && i < turns; i++)
		if (!shuffle_once(kind, &pool, shelves, random))
			why = "there is no memory";
	if (why == NULL)
		why = count_elements(kind, &pool, shelves, seen);
	for (i = 0; why == NULL && i < SHELVES; i++)
		kind->release(shelves[i], &pool);
	if (why == NULL && pool.used_bytes > 0)
		why = "not all memory is given back";
	list_pool_release(&pool);
	free(seen);
	return why;
}

static bool conservation(struct trial *trial)
{
	static const uint32_t sizes[] = { 3, 4, 13, 29, 124, 125 };
	const struct list_kind *kind = trial->variant;
	struct random random = { .state = trial->seed };
	const char *why;
	size_t i;

	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		why = conserve(kind, sizes[i], 60 * trial->size, &random);
		if (why != NULL) {
			strncpy(trial->why, why, sizeof trial->why - 1);
			return false;
		}
		if (!has_nodes(kind))
			break;
	}
	return true;
}

static const struct {
	const char *name;
	check_function function;
	bool once; /* for nodes compiled for one size it is enough that it holds for any */
} checks[] = { { "model", model, false },
	       { "changing", changing, false },
	       { "exhaustive", exhaustive, true },
	       { "conservation", conservation, true } };

static void check_kind(struct conformance *conformance, const struct list_kind *kind)
{
	size_t i;

	for (i = 0; i < sizeof checks / sizeof *checks; i++) {
		if (kind->nr > 0 && checks[i].once)
			continue;
		if (kind->absent != NULL)
			conformance_skip(conformance, kind->name, checks[i].name, kind->absent);
		else
			conformance_holds(conformance, kind->name, checks[i].name,
					  checks[i].function, kind);
	}
}

#define BROKEN(name, check, where) struct list_kind list_broken_##name(void);
#include "broken/lists/list.def"
#undef BROKEN

static const struct {
	struct list_kind (*make)(void);
	const char *check;
	check_function function;
	enum broken_build where;
} broken[] = {
#define BROKEN(name, check, where) { list_broken_##name, #check, check, where },
#include "broken/lists/list.def"
#undef BROKEN
};

static void suite(struct conformance *conformance)
{
	const struct list_kind *const *kind;
	const uint32_t *size;
	size_t i;

	for (kind = list_kinds; *kind != NULL; kind++)
		check_kind(conformance, *kind);
	for (size = list_node_sizes; *size != 0; size++)
		check_kind(conformance, list_nodes_of(*size));
	for (i = 0; i < sizeof broken / sizeof *broken; i++) {
		struct list_kind made = broken[i].make();

		if (broken_is_here(broken[i].where))
			conformance_caught(conformance, made.name, broken[i].check,
					   broken[i].function, &made);
	}
}

int main(int argc, char **argv)
{
	return conformance_main(argc, argv, suite);
}
