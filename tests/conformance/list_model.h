/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CONFORMANCE_LIST_MODEL_H
#define CONFORMANCE_LIST_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "specimens/lists/list.h"

/*
 * A list and what it should be: a plain array with a cursor that is a number.
 * Moves are bytes, so that a random generator, a fuzzer and an enumeration of
 * all short games can play. After every move everything that the list shows is
 * compared with the array, and its own rules are checked.
 */
enum list_move {
	MOVE_APPEND,
	MOVE_FILL, /* as many as the next byte says */
	MOVE_NEXT,
	MOVE_PREVIOUS,
	MOVE_INSERT,
	MOVE_DELETE,
	MOVE_MARK,
	MOVE_REPLACE,
	MOVE_DELETE_LAST,
	MOVE_PACK,
	MOVE_SORT,
	MOVE_CONCATENATE, /* with the next of the lists, which is then empty */
	MOVE_COPY,	  /* of that, or of the list itself */
	MOVE_SPLIT,	  /* the rest goes to the next of the lists, if that is empty */
	MOVE_RELEASE,
	MOVE_START,
	MOVE_WALK,   /* forward, as far as the next byte says */
	MOVE_REFUSE, /* the next move gets 0 to 2 blocks of memory */
	MOVES
};

/* Which of the lists a move is about. */
enum { MODEL_LISTS = 3 };
#define MOVE_OF(list, move) ((uint8_t)((list)*MOVES + (move)))

struct list_game {
	const struct list_kind *kind;
	uint32_t nr;
	enum list_memory memory;
	char why[256]; /* which rule was broken, and in which move */
};

/* Moves that a kind does not have, or that are not possible where the cursor is, do nothing.
 * false: a rule was broken; then the lists' memory is lost. */
bool list_model_play(struct list_game *game, const uint8_t *moves, size_t count);

#endif
