/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of symbols, and their partners in the other image. A local function
 * belongs to its unit, and its clones and parts (f.constprop.0, f.cold) to it;
 * parts of a global function are local, so they look for the function in their
 * unit first and among the global ones then. Objects are never grouped: cnt.1
 * and cnt.3 are two functions' own statics.
 *
 * Pairing sorts all groups of both sides by what must be equal and pairs runs
 * from their start, from the strictest rule to the loosest. No rule compares
 * every group with every other, so that ten thousand symbols of one name cost
 * no more than others.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "binary/diff/parts.h"
#include "binary/names.h"

static bool is_function(const struct code_symbol *symbol, const struct code_image *image)
{
	return symbol->kind == CODE_SYMBOL_FUNCTION || symbol->kind == CODE_SYMBOL_IFUNC ||
	       (symbol->kind == CODE_SYMBOL_UNTYPED && symbol->section != CODE_NONE &&
		image->sections[symbol->section].executable);
}

/* Names of functions and of objects are told apart by their first letter. */
static uint32_t name_number(struct naming *naming, const char *name, bool function)
{
	char small[256];
	size_t length = strlen(name);
	char *word = length + 2 <= sizeof small ? small : arena_alloc(naming->arena, length + 2, 1);

	word[0] = function ? 'f' : 'o';
	memcpy(word + 1, name, length + 1);
	return strings_intern(&naming->names, naming->arena, word);
}

/* Units of one side: (member, unit) to the number of their place. */
struct units {
	struct table places;
};

static uint64_t unit_key(const struct code_symbol *symbol)
{
	return ((uint64_t)symbol->member << 32 | (uint32_t)symbol->unit_index) + 1;
}

static uint32_t place_number(struct naming *naming, size_t side, const struct code_symbol *symbol,
			     struct units *units)
{
	uint32_t member = naming->member_places[side][symbol->member];
	uint32_t *place;
	bool added;

	/* Places of global symbols have even and those of units odd numbers. */
	if (symbol->unit == NULL || symbol->unit_index == CODE_NONE)
		return member * 2;
	place = table_at(&units->places, unit_key(symbol), &added);
	if (added)
		*place = strings_intern(&naming->places, naming->arena,
					arena_printf(naming->arena, "%u/%s", member,
						     name_of_file(symbol->unit))) *
			     2 +
			 1;
	return *place;
}

static size_t push_group(struct naming *naming, struct groups *groups, size_t symbol, uint32_t name,
			 uint32_t place)
{
	struct group *group =
	    array_push(naming->arena, groups->items, groups->count, groups->capacity);

	*group = (struct group){
		.stem = symbol,
		.largest = symbol,
		.name = name,
		.place = place,
		.partner = CODE_NONE,
	};
	return groups->count - 1;
}

static void push_part(struct naming *naming, struct groups *groups, size_t index, size_t symbol)
{
	struct group *group = &groups->items[index];
	const struct code_symbol *symbols = groups->image->symbols;

	*array_push(naming->arena, group->parts, group->part_count, group->part_capacity) = symbol;
	group->bytes += symbols[symbol].bytes;
	if (symbols[symbol].bytes > symbols[group->largest].bytes)
		group->largest = symbol;
}

/* (unit, name) to the index of a group, plus 1. */
static uint32_t *function_slot(struct table *functions, uint64_t unit, uint32_t name, bool *added)
{
	uint64_t key = (unit * UINT64_C(0x9E3779B97F4A7C15)) ^ ((uint64_t)name << 20) ^ name;

	return table_at(functions, key == 0 ? 1 : key, added);
}

static uint64_t global_unit(const struct code_symbol *symbol)
{
	return ((uint64_t)symbol->member << 32 | UINT32_MAX) + 1;
}

struct grouping {
	struct naming *naming;
	struct groups *groups;
	size_t side;
	struct units units;
	struct table functions;
};

/* The group of a function's symbol: in its unit, or (parts) that of the global function. */
static size_t find_function(struct grouping *grouping, size_t index, uint32_t name, bool is_part)
{
	const struct code_symbol *symbol = &grouping->groups->image->symbols[index];
	uint32_t *slot, *global;
	bool added;

	if (is_part) {
		global = function_slot(&grouping->functions, global_unit(symbol), name, &added);
		if (*global != 0) {
			size_t found = *global - 1;

			slot = function_slot(&grouping->functions, unit_key(symbol), name, &added);
			return *slot != 0 ? *slot - 1 : found;
		}
	}
	slot = function_slot(&grouping->functions,
			     symbol->binding == CODE_LOCAL ? unit_key(symbol) : global_unit(symbol),
			     name, &added);
	if (*slot == 0)
		*slot = (uint32_t)push_group(grouping->naming, grouping->groups, index, name,
					     place_number(grouping->naming, grouping->side, symbol,
							  &grouping->units)) +
			1;
	return *slot - 1;
}

/* Stems first, so that parts find them whatever the order of the symbols. */
static void add_symbols(struct grouping *grouping, bool parts)
{
	const struct code_image *image = grouping->groups->image;
	size_t i;

	for (i = 0; i < image->symbol_count; i++) {
		const struct code_symbol *symbol = &image->symbols[i];
		bool function = is_function(symbol, image);
		bool is_part = function && symbol->base != symbol->name;
		uint32_t name;
		size_t group;

		if (is_part != parts)
			continue;
		name = name_number(grouping->naming, symbol->base, function);
		group = function ? find_function(grouping, i, name, is_part)
				 : push_group(grouping->naming, grouping->groups, i, name,
					      place_number(grouping->naming, grouping->side, symbol,
							   &grouping->units));
		push_part(grouping->naming, grouping->groups, group, i);
	}
}

void groups_make(struct naming *naming, const struct code_image *image, size_t side,
		 struct groups *groups)
{
	struct grouping grouping = { .naming = naming, .groups = groups, .side = side };

	*groups = (struct groups){ .image = image };
	add_symbols(&grouping, false);
	add_symbols(&grouping, true);
	table_release(&grouping.units.places);
	table_release(&grouping.functions);
}

/* A group in the sort of one rule. */
struct entry {
	uint32_t name, place;
	uint64_t bytes;
	size_t index;
	bool candidate;
};

/* By what the rule wants equal, then baseline before candidate, then in order of appearance. What
 * the rule does not look at is 0. */
static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	if (a->candidate != b->candidate)
		return a->candidate ? 1 : -1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* One rule: which of place and bytes must be equal, and whether one must be left on each side. */
struct rule {
	bool place, bytes, only_one;
};

static size_t collect_unpaired(const struct groups *groups, bool candidate, const struct rule *rule,
			       struct entry *entries)
{
	size_t count = 0, i;

	for (i = 0; i < groups->count; i++) {
		const struct group *group = &groups->items[i];

		if (group->partner == CODE_NONE)
			entries[count++] = (struct entry){
				.name = group->name,
				.place = rule->place ? group->place : 0,
				.bytes = rule->bytes ? group->bytes : 0,
				.index = i,
				.candidate = candidate,
			};
	}
	return count;
}

static bool same_run(const struct entry *a, const struct entry *b)
{
	return a->name == b->name && a->place == b->place && a->bytes == b->bytes;
}

static void pair_runs(const struct entry *entries, size_t count, bool only_one,
		      struct groups *baseline, struct groups *candidate)
{
	size_t first, middle, last, i;

	for (first = 0; first < count; first = last) {
		size_t pairs;

		for (last = first; last < count && same_run(&entries[first], &entries[last]);)
			last++;
		for (middle = first; middle < last && !entries[middle].candidate;)
			middle++;
		pairs = middle - first < last - middle ? middle - first : last - middle;
		if (only_one && last - first != 2)
			continue;
		for (i = 0; i < pairs; i++) {
			baseline->items[entries[first + i].index].partner =
			    entries[middle + i].index;
			candidate->items[entries[middle + i].index].partner =
			    entries[first + i].index;
		}
	}
}

/* Other names of the candidate's unpaired groups: name + 1 to index + 1. */
static void list_aliases(struct naming *naming, const struct groups *groups, struct table *table)
{
	size_t i, j;
	bool added;

	for (i = 0; i < groups->count; i++) {
		const struct code_symbol *stem = &groups->image->symbols[groups->items[i].stem];
		bool function = is_function(stem, groups->image);

		if (groups->items[i].partner != CODE_NONE)
			continue;
		*table_at(table, (uint64_t)groups->items[i].name + 1, &added) = (uint32_t)i + 1;
		for (j = 0; j < stem->alias_count; j++)
			*table_at(table,
				  (uint64_t)name_number(naming, stem->aliases[j], function) + 1,
				  &added) = (uint32_t)i + 1;
	}
}

static size_t find_alias(struct naming *naming, const struct groups *groups, size_t index,
			 const struct groups *others, struct table *table)
{
	const struct code_symbol *stem = &groups->image->symbols[groups->items[index].stem];
	bool function = is_function(stem, groups->image), added;
	uint32_t found = *table_at(table, (uint64_t)groups->items[index].name + 1, &added);
	size_t j;

	for (j = 0; j < stem->alias_count && found == 0; j++)
		found = *table_at(
		    table, (uint64_t)name_number(naming, stem->aliases[j], function) + 1, &added);
	return found == 0 || others->items[found - 1].partner != CODE_NONE ? CODE_NONE : found - 1;
}

/* Bytes with several names may go by another of them in the candidate. */
static void pair_aliases(struct naming *naming, struct groups *baseline, struct groups *candidate)
{
	struct table table = { 0 };
	size_t i;

	list_aliases(naming, candidate, &table);
	for (i = 0; i < baseline->count; i++) {
		size_t other;

		if (baseline->items[i].partner != CODE_NONE)
			continue;
		other = find_alias(naming, baseline, i, candidate, &table);
		if (other == CODE_NONE)
			continue;
		baseline->items[i].partner = other;
		candidate->items[other].partner = i;
	}
	table_release(&table);
}

void groups_pair(struct naming *naming, struct groups *baseline, struct groups *candidate)
{
	static const struct rule rules[] = {
		{ true, true, false },
		{ true, false, false },
		{ false, true, false },
		{ false, false, true },
	};
	struct entry *entries =
	    arena_alloc(naming->arena, baseline->count + candidate->count, sizeof *entries);
	size_t i;

	for (i = 0; i < sizeof rules / sizeof *rules; i++) {
		size_t count = collect_unpaired(baseline, false, &rules[i], entries);

		count += collect_unpaired(candidate, true, &rules[i], entries + count);
		if (count > 0)
			qsort(entries, count, sizeof *entries, compare_entries);
		pair_runs(entries, count, rules[i].only_one, baseline, candidate);
	}
	pair_aliases(naming, baseline, candidate);
}
