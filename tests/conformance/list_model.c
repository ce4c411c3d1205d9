/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plays moves on lists and on arrays, and compares: see list_model.h. */
#include "list_model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ELEMENTS = 1000, HANDLE_WORDS = 4, KEYS = 7 };

/* What one list should be. */
struct model {
	void *elements[ELEMENTS];
	size_t count;
	size_t index; /* of the cursor: on that element, or in the gap before it */
	enum list_place place;
};

struct table {
	struct list_game *game;
	const struct list_kind *kind;
	struct list_pool pool;
	struct model models[MODEL_LISTS];
	void *handles[MODEL_LISTS][HANDLE_WORDS];
	struct list_cursor cursors[MODEL_LISTS];
	void *shown[ELEMENTS + 1];
	uintptr_t made; /* elements so far */
	const uint8_t *moves, *end;
	bool refusing;
};

/* One list of the table, and the next one. */
struct side {
	struct model *model;
	void *handle;
	struct list_cursor *cursor;
};

static struct side side_of(struct table *table, size_t list)
{
	list %= MODEL_LISTS;
	return (struct side){ &table->models[list], table->handles[list], &table->cursors[list] };
}

__attribute__((format(printf, 2, 3))) static bool broken(struct table *table, const char *format,
							 ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(table->game->why, sizeof table->game->why, format, arguments);
	va_end(arguments);
	return false;
}

/* Never the same twice; every number of tag bits. */
static void *new_element(struct table *table)
{
	table->made++;
	return list_tagged((void *)(table->made * 4), (unsigned)table->made);
}

/* Few keys, so that there are many equal elements. */
static int compare_keys(const void *element, const void *other)
{
	uintptr_t left = (uintptr_t)element / 4 * 11 % KEYS;
	uintptr_t right = (uintptr_t)other / 4 * 11 % KEYS;

	return (left > right) - (left < right);
}

static void model_insert(struct model *model, size_t index, void *element)
{
	memmove(model->elements + index + 1, model->elements + index,
		(model->count - index) * sizeof *model->elements);
	model->elements[index] = element;
	model->count++;
}

static void model_delete(struct model *model, size_t index)
{
	model->count--;
	memmove(model->elements + index, model->elements + index + 1,
		(model->count - index) * sizeof *model->elements);
}

static void model_sort(struct model *model)
{
	size_t i, j;

	for (i = 1; i < model->count; i++) {
		void *element = model->elements[i];

		for (j = i; j > 0 && compare_keys(model->elements[j - 1], element) > 0; j--)
			model->elements[j] = model->elements[j - 1];
		model->elements[j] = element;
	}
}

static void restart(const struct table *table, struct side side)
{
	table->kind->start(side.handle, side.cursor);
	side.model->place = LIST_OUTSIDE;
	side.model->index = 0;
}

static uint8_t take_byte(struct table *table)
{
	return table->moves < table->end ? *table->moves++ : 0;
}

static bool has_room(const struct model *model, size_t more)
{
	return model->count + more <= ELEMENTS;
}

/* It may fail only where memory is refused. */
static bool is_allowed(struct table *table, bool done, const char *what)
{
	return done || table->refusing ||
	       broken(table, "%s finds no memory, and there is some", what);
}

static bool play_append(struct table *table, struct side side, size_t count)
{
	const struct list_kind *kind = table->kind;

	for (; count > 0 && has_room(side.model, 1); count--) {
		void *element = new_element(table);
		bool done = kind->append(side.handle, &table->pool, element);

		if (!is_allowed(table, done, "append"))
			return false;
		if (done)
			model_insert(side.model, side.model->count, element);
	}
	return true;
}

static bool met(struct table *table, struct side side, void *element, const char *way)
{
	struct model *model = side.model;
	void *expected = model->place == LIST_ON ? model->elements[model->index] : NULL;

	return element == expected ||
	       broken(table, "%s meets element %p instead of %p", way, element, expected);
}

static bool play_next(struct table *table, struct side side)
{
	struct model *model = side.model;
	size_t index = model->index + (model->place == LIST_ON);

	if (model->place == LIST_OUTSIDE)
		index = 0;
	model->place = index < model->count ? LIST_ON : LIST_OUTSIDE;
	model->index = index;
	return met(table, side, table->kind->next(side.cursor), "a walk forward");
}

static bool play_previous(struct table *table, struct side side)
{
	struct model *model = side.model;
	size_t index = model->place == LIST_OUTSIDE ? model->count : model->index;

	model->place = index > 0 ? LIST_ON : LIST_OUTSIDE;
	model->index = index > 0 ? index - 1 : 0;
	return met(table, side, table->kind->previous(side.cursor), "a walk backward");
}

static bool play_insert(struct table *table, struct side side)
{
	void *element = new_element(table);
	struct model *model = side.model;
	bool done;

	if (!has_room(model, 1))
		return true;
	done = table->kind->insert(side.cursor, &table->pool, element);
	if (!done)
		return is_allowed(table, done, "insert");
	if (model->place == LIST_OUTSIDE)
		model_insert(model, model->count, element);
	else
		model_insert(model, model->index++, element);
	return true;
}

static bool play_delete(struct table *table, struct side side, bool mark)
{
	if (side.model->place != LIST_ON || (mark && table->kind->mark == NULL))
		return true;
	if (mark)
		table->kind->mark(side.cursor);
	else
		table->kind->delete (side.cursor, &table->pool);
	model_delete(side.model, side.model->index);
	side.model->place = LIST_GAP;
	return true;
}

static bool play_replace(struct table *table, struct side side)
{
	if (side.model->place != LIST_ON)
		return true;
	side.model->elements[side.model->index] = new_element(table);
	table->kind->replace(side.cursor, side.model->elements[side.model->index]);
	return true;
}

static bool play_delete_last(struct table *table, struct side side)
{
	struct model *model = side.model;
	void *expected = model->count == 0 ? NULL : model->elements[--model->count];
	void *element = table->kind->delete_last(side.handle, &table->pool);

	restart(table, side);
	return element == expected ||
	       broken(table, "the last element is %p instead of %p", element, expected);
}

static bool play_pack(struct table *table, struct side side)
{
	if (table->kind->pack == NULL)
		return true;
	table->kind->pack(side.handle, &table->pool);
	restart(table, side);
	return side.model->count > 0 || *(void **)side.handle == NULL ||
	       broken(table, "after packing, an empty list has nodes");
}

static bool play_sort(struct table *table, struct side side)
{
	bool done = table->kind->sort(side.handle, &table->pool, compare_keys);

	if (done)
		model_sort(side.model);
	restart(table, side);
	return is_allowed(table, done, "sort");
}

static bool play_concatenate(struct table *table, struct side side, struct side other)
{
	bool done;

	if (!has_room(side.model, other.model->count))
		return true;
	done = table->kind->concatenate(side.handle, other.handle, &table->pool);
	restart(table, side);
	restart(table, other);
	if (!done)
		return is_allowed(table, done, "concatenate");
	memcpy(side.model->elements + side.model->count, other.model->elements,
	       other.model->count * sizeof *other.model->elements);
	side.model->count += other.model->count;
	other.model->count = 0;
	return true;
}

static bool play_copy(struct table *table, struct side side, struct side other)
{
	size_t count = other.model->count;
	bool done;

	if (table->kind->copy == NULL || !has_room(side.model, count))
		return true;
	done = table->kind->copy(side.handle, other.handle, &table->pool);
	restart(table, side);
	if (!done)
		return is_allowed(table, done, "copy");
	memcpy(side.model->elements + side.model->count, other.model->elements,
	       count * sizeof *other.model->elements);
	side.model->count += count;
	return true;
}

static bool play_split(struct table *table, struct side side, struct side rest)
{
	struct model *model = side.model;
	size_t index = model->place == LIST_OUTSIDE ? model->count : model->index;

	/* A list that has no elements may still have marks, and its cursor be among them. */
	if (table->kind->split == NULL || rest.model->count > 0)
		return true;
	table->kind->release(rest.handle, &table->pool);
	restart(table, rest);
	if (!table->kind->split(side.cursor, &table->pool, rest.handle))
		return is_allowed(table, false, "split");
	rest.model->count = model->count - index;
	memcpy(rest.model->elements, model->elements + index,
	       rest.model->count * sizeof *model->elements);
	model->count = index;
	model->place = LIST_OUTSIDE;
	model->index = 0;
	return true;
}

static bool play_walk(struct table *table, struct side side, size_t steps)
{
	while (steps-- > 0)
		if (!play_next(table, side))
			return false;
	return true;
}

static bool play(struct table *table, enum list_move move, struct side side, struct side other)
{
	switch (move) {
	case MOVE_APPEND:
		return play_append(table, side, 1);
	case MOVE_FILL:
		return play_append(table, side, take_byte(table));
	case MOVE_NEXT:
		return play_next(table, side);
	case MOVE_PREVIOUS:
		return play_previous(table, side);
	case MOVE_INSERT:
		return play_insert(table, side);
	case MOVE_DELETE:
		return play_delete(table, side, false);
	case MOVE_MARK:
		return play_delete(table, side, true);
	case MOVE_REPLACE:
		return play_replace(table, side);
	case MOVE_DELETE_LAST:
		return play_delete_last(table, side);
	case MOVE_PACK:
		return play_pack(table, side);
	case MOVE_SORT:
		return play_sort(table, side);
	case MOVE_CONCATENATE:
		return play_concatenate(table, side, other);
	case MOVE_COPY:
		return play_copy(table, side, take_byte(table) % 2 == 0 ? other : side);
	case MOVE_SPLIT:
		return play_split(table, side, other);
	case MOVE_RELEASE:
		table->kind->release(side.handle, &table->pool);
		side.model->count = 0;
		restart(table, side);
		return true;
	case MOVE_WALK:
		return play_walk(table, side, take_byte(table));
	default:
		restart(table, side);
		return true;
	}
}

/* Everything that a list shows, beside what it should be. */
static bool compare(struct table *table, struct side side)
{
	const struct list_kind *kind = table->kind;
	const struct model *model = side.model;
	size_t size = kind->size(side.handle), count, i;
	const char *rule = kind->check == NULL ? NULL : kind->check(side.handle, &table->pool);
	void *first = model->count == 0 ? NULL : model->elements[0];
	void *last = model->count == 0 ? NULL : model->elements[model->count - 1];

	if (rule != NULL)
		return broken(table, "%s", rule);
	if (size != model->count)
		return broken(table, "the size is %zu instead of %zu", size, model->count);
	if (kind->first(side.handle) != first || kind->last(side.handle) != last)
		return broken(table, "the first or the last element is another");
	count = kind->linearise(side.handle, table->shown, ELEMENTS + 1);
	if (count != model->count)
		return broken(table, "linearising gives %zu elements instead of %zu", count,
			      model->count);
	for (i = 0; i < count; i++)
		if (table->shown[i] != model->elements[i])
			return broken(table, "element %zu is %p instead of %p", i, table->shown[i],
				      model->elements[i]);
	return true;
}

/* In both directions, by a cursor of its own. */
static bool walk_through(struct table *table, struct side side)
{
	struct list_cursor cursor;
	struct model *model = side.model;
	uintptr_t sum = 0;
	size_t i;

	table->kind->start(side.handle, &cursor);
	for (i = 0; i < model->count; i++) {
		sum += (uintptr_t)model->elements[i];
		if (table->kind->next(&cursor) != model->elements[i])
			return broken(table, "forward, element %zu is another", i);
	}
	if (table->kind->next(&cursor) != NULL)
		return broken(table, "forward, there are more than %zu elements", i);
	for (i = model->count; i > 0; i--)
		if (table->kind->previous(&cursor) != model->elements[i - 1])
			return broken(table, "backward, element %zu is another", i - 1);
	if (table->kind->previous(&cursor) != NULL)
		return broken(table, "backward, there are more than %zu elements", model->count);
	return table->kind->sum(side.handle) == sum ||
	       broken(table, "the sum of the elements is another");
}

static bool play_one(struct table *table)
{
	uint8_t byte = take_byte(table);
	enum list_move move = byte % MOVES;
	struct side side = side_of(table, byte / MOVES), other = side_of(table, byte / MOVES + 1);
	bool ok;

	if (move == MOVE_REFUSE) {
		table->refusing = true;
		return true;
	}
	table->pool.allowed = table->refusing ? (int64_t)(table->made % 3) : -1;
	ok = play(table, move, side, other) && compare(table, side) && compare(table, other);
	table->refusing = false;
	return ok;
}

/* Nothing may be left: what was taken from the pool must be given back once. */
static bool finish(struct table *table)
{
	size_t list;

	table->pool.allowed = -1;
	for (list = 0; list < MODEL_LISTS; list++)
		if (!compare(table, side_of(table, list)) ||
		    !walk_through(table, side_of(table, list)))
			return false;
	for (list = 0; list < MODEL_LISTS; list++)
		table->kind->release(table->handles[list], &table->pool);
	return table->pool.used_bytes == 0 || broken(table, "%llu bytes are not given back",
						     (unsigned long long)table->pool.used_bytes);
}

/* Adds in which move it was. */
static void say_where(struct table *table, const uint8_t *moves, size_t count)
{
	size_t length = strlen(table->game->why);

	snprintf(table->game->why + length, sizeof table->game->why - length,
		 " (NR %u, move %zu of %zu)", table->game->nr, (size_t)(table->moves - moves),
		 count);
}

bool list_model_play(struct list_game *game, const uint8_t *moves, size_t count)
{
	struct table table = {
		.game = game, .kind = game->kind, .moves = moves, .end = moves + count
	};
	size_t list, turn;
	bool ok = true;

	game->why[0] = 0;
	if (game->kind->handle_bytes > sizeof table.handles[0])
		return broken(&table, "its handle is larger than this test allows for");
	list_pool_init(&table.pool, game->memory, game->nr);
	for (list = 0; list < MODEL_LISTS; list++) {
		table.kind->init(table.handles[list]);
		restart(&table, side_of(&table, list));
	}
	for (turn = 0; ok && table.moves < table.end; turn++) {
		ok = play_one(&table);
		if (ok && turn % 16 == 15)
			ok = walk_through(&table, side_of(&table, turn / 16));
	}
	ok = ok && finish(&table);
	if (!ok)
		say_where(&table, moves, count);
	list_pool_release(&table.pool);
	return ok;
}
