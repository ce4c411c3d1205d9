/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of two archives: those of one name are the same (the first with the
 * first where a name repeats); of the rest, each goes with the one with which
 * it shares most names of functions, because a file that was renamed still
 * defines what it did.
 */
#include <string.h>

#include "binary/diff/parts.h"

/* A member's name and how many before it have the same. */
static void number_names(struct arena *arena, const struct code_image *image,
			 struct strings *strings, uint32_t *places)
{
	struct table seen = { 0 };
	size_t i;

	for (i = 0; i < image->member_count; i++) {
		const char *name = image->members[i].name == NULL ? "" : image->members[i].name;
		uint32_t plain = strings_intern(strings, arena, name);
		bool added;
		uint32_t *count = table_at(&seen, (uint64_t)plain + 1, &added);

		places[i] =
		    strings_intern(strings, arena, arena_printf(arena, "%s/%u", name, (*count)++));
	}
	table_release(&seen);
}

/* Which members have no partner: place + 1 to index of the member. */
static void list_places(const struct code_image *image, const uint32_t *places, struct table *table)
{
	size_t i;
	bool added;

	for (i = 0; i < image->member_count; i++)
		*table_at(table, (uint64_t)places[i] + 1, &added) = (uint32_t)i;
}

static bool is_paired(struct table *others, uint32_t place)
{
	bool added;

	table_at(others, (uint64_t)place + 1, &added);
	return !added;
}

/* The functions that unpaired members of the baseline define: name + 1 to member. */
static void list_functions(struct arena *arena, const struct code_image *image, const bool *lone,
			   struct strings *strings, struct table *functions)
{
	size_t i;
	bool added;

	for (i = 0; i < image->symbol_count; i++) {
		const struct code_symbol *symbol = &image->symbols[i];

		if (lone[symbol->member] && symbol->kind == CODE_SYMBOL_FUNCTION)
			*table_at(functions,
				  (uint64_t)strings_intern(strings, arena, symbol->base) + 1,
				  &added) = (uint32_t)symbol->member;
	}
}

/* Votes of one candidate member's functions for members of the baseline. */
static void vote(const struct code_image *image, size_t first, size_t last, struct arena *arena,
		 struct strings *strings, struct table *functions, uint32_t *votes)
{
	size_t i;

	for (i = first; i < last; i++) {
		const struct code_symbol *symbol = &image->symbols[i];
		uint32_t name;
		uint32_t *member;
		bool added;

		if (symbol->kind != CODE_SYMBOL_FUNCTION)
			continue;
		name = strings_intern(strings, arena, symbol->base);
		member = table_at(functions, (uint64_t)name + 1, &added);
		if (added)
			*member = UINT32_MAX;
		if (*member != UINT32_MAX)
			votes[*member]++;
	}
}

static void pair_renamed(struct arena *arena, const struct code_image *const images[2],
			 uint32_t *places[2], bool *lone[2])
{
	struct strings strings;
	struct table functions = { 0 };
	uint32_t *votes = arena_alloc(arena, images[0]->member_count, sizeof *votes);
	size_t first = 0, last, i, best;

	strings_init(&strings);
	list_functions(arena, images[0], lone[0], &strings, &functions);
	for (; first < images[1]->symbol_count; first = last) {
		size_t member = images[1]->symbols[first].member;

		last = first;
		while (last < images[1]->symbol_count && images[1]->symbols[last].member == member)
			last++;
		if (!lone[1][member])
			continue;
		memset(votes, 0, images[0]->member_count * sizeof *votes);
		vote(images[1], first, last, arena, &strings, &functions, votes);
		best = 0;
		for (i = 1; i < images[0]->member_count; i++)
			if (votes[i] > votes[best])
				best = i;
		if (votes[best] > 0 && lone[0][best]) {
			places[1][member] = places[0][best];
			lone[0][best] = lone[1][member] = false;
		}
	}
	table_release(&functions);
	strings_release(&strings);
}

static bool *find_lone(struct arena *arena, const struct code_image *image, const uint32_t *places,
		       const struct code_image *other, const uint32_t *other_places)
{
	bool *lone = arena_alloc(arena, image->member_count, sizeof *lone);
	struct table others = { 0 };
	size_t i;

	list_places(other, other_places, &others);
	for (i = 0; i < image->member_count; i++)
		lone[i] = !is_paired(&others, places[i]);
	table_release(&others);
	return lone;
}

void members_pair(struct arena *arena, const struct code_image *const images[2],
		  uint32_t *places[2])
{
	struct strings strings;
	bool *lone[2];
	size_t side;

	for (side = 0; side < 2; side++)
		places[side] = images[side] == NULL ? NULL
						    : arena_alloc(arena, images[side]->member_count,
								  sizeof **places);
	/* An archive and a file that was linked from it have no members in common: all are one. */
	if (images[1] == NULL || !images[0]->archive || !images[1]->archive)
		return;
	strings_init(&strings);
	for (side = 0; side < 2; side++)
		number_names(arena, images[side], &strings, places[side]);
	for (side = 0; side < 2; side++)
		lone[side] = find_lone(arena, images[side], places[side], images[1 - side],
				       places[1 - side]);
	if (images[0]->member_count > 0)
		pair_renamed(arena, images, places, lone);
	strings_release(&strings);
}
