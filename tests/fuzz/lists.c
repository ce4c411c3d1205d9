/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a game on pointer lists: the first three choose the kind, the
 * pointers in a node and where memory comes from, each other one is a move on
 * one of three lists. After every move a list shows what a plain array with a
 * cursor shows, and its own rules hold (../conformance/list_model.h).
 */
#include "../conformance/list_model.h"

#include "fuzz.h"

/* A move costs a look at all elements: longer games find nothing that these do not. */
enum { HEAD = 3, MOVES_MOST = 2000 };

/* Nodes of any size, nodes compiled for one, or what has no nodes. */
static const struct list_kind *choose_kind(uint8_t byte, uint32_t nr)
{
	const struct list_kind *compiled = list_nodes_of(nr);
	size_t count = 0;

	if (byte % 4 == 0)
		return &list_nodes;
	if (byte % 4 < 3)
		return compiled == NULL ? &list_nodes : compiled;
	while (list_kinds[count] != NULL)
		count++;
	return list_kinds[byte / 4 % count];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct list_game game = { 0 };
	size_t moves = size < HEAD ? 0 : size - HEAD;

	if (size < HEAD)
		return 0;
	game.nr = LIST_NR_MINIMUM + data[1] % (LIST_NR_MAXIMUM - LIST_NR_MINIMUM + 1);
	game.kind = choose_kind(data[0], game.nr);
	game.memory = data[2] % 2 == 0 ? LIST_MEMORY_MALLOC : LIST_MEMORY_ARENA;
	if (game.kind->absent != NULL)
		return 0;
	if (game.kind->nr > 0)
		game.nr = game.kind->nr;
	if (!list_model_play(&game, data + HEAD, moves < MOVES_MOST ? moves : MOVES_MOST)) {
		fprintf(stderr, "%s of %u pointers: %s\n", game.kind->name, (unsigned)game.nr,
			game.why);
		abort();
	}
	return 0;
}
