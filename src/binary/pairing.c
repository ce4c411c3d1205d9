/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which things of two builds are the same one: see pairing.h. */
#include "binary/pairing.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Trailing parts that two paths share: 2 for "a/x/f.h" and "b/x/f.h". */
static unsigned common_tail(const char *first, const char *second)
{
	size_t i = strlen(first), j = strlen(second);
	unsigned parts = 0;

	while (i > 0 && j > 0 && first[i - 1] == second[j - 1]) {
		i--, j--;
		parts += first[i] == '/';
	}
	return parts + ((i == 0 || first[i - 1] == '/') && (j == 0 || second[j - 1] == '/'));
}

unsigned pairing_by_file(const struct pairing_item *first, const struct pairing_item *second)
{
	unsigned parts;

	if (first->file == NULL || second->file == NULL)
		return 2;
	if (strcmp(first->file, second->file) == 0)
		return UINT32_MAX;
	parts = common_tail(first->file, second->file);
	return parts > 0 ? 2 + parts : 0;
}

struct pairing_side pairing_side(struct arena *arena, size_t count)
{
	return (struct pairing_side){ arena_alloc(arena, count, sizeof(struct pairing_item)), count,
				      arena_alloc(arena, count, sizeof(bool)) };
}

static int by_identity(const void *left, const void *right)
{
	const struct pairing_item *first = left, *second = right;
	int order = strcmp(first->name, second->name);

	if (order != 0)
		return order;
	return strcmp(first->file == NULL ? "" : first->file,
		      second->file == NULL ? "" : second->file);
}

/* The best pair of one name that is left; false: none is alike. */
static bool best_pair(const struct pairing *pairing, const struct pairing_side *baseline,
		      size_t baseline_first, size_t baseline_end,
		      const struct pairing_side *candidate, size_t candidate_first,
		      size_t candidate_end, size_t *first, size_t *second)
{
	unsigned best = 0;
	size_t i, j;

	for (i = baseline_first; i < baseline_end; i++)
		for (j = candidate_first; j < candidate_end && !baseline->used[i]; j++) {
			unsigned alike =
			    candidate->used[j]
				? 0
				: pairing->likeness(&baseline->items[i], &candidate->items[j]);

			if (alike > best) {
				best = alike;
				*first = i;
				*second = j;
			}
		}
	return best > 0;
}

/* Exact matches first, in one pass over the sorted groups: a name may have thousands of files. */
static void pair_exact(const struct pairing *pairing, struct pairing_side *baseline, size_t i,
		       size_t baseline_end, struct pairing_side *candidate, size_t j,
		       size_t candidate_end)
{
	while (i < baseline_end && j < candidate_end) {
		int order = by_identity(&baseline->items[i], &candidate->items[j]);

		if (order == 0) {
			baseline->used[i] = candidate->used[j] = true;
			pairing->pair(pairing->context, baseline->items[i].what,
				      candidate->items[j].what);
		}
		i += order <= 0;
		j += order >= 0;
	}
}

static size_t group_end(const struct pairing_side *side, size_t first)
{
	size_t end = first;

	while (end < side->count && strcmp(side->items[end].name, side->items[first].name) == 0)
		end++;
	return end;
}

static size_t unused_between(const struct pairing_side *side, size_t first, size_t end)
{
	size_t count = 0;

	for (; first < end; first++)
		count += !side->used[first];
	return count;
}

/* Those of one name on both sides. Best pairs are searched only in groups that are small
 * enough for it; a name that hundreds of files share says nothing. */
static void pair_group(const struct pairing *pairing, struct pairing_side *baseline,
		       size_t baseline_first, size_t baseline_end, struct pairing_side *candidate,
		       size_t candidate_first, size_t candidate_end)
{
	static const size_t most_pairs = 4096;
	size_t i = 0, j = 0;

	pair_exact(pairing, baseline, baseline_first, baseline_end, candidate, candidate_first,
		   candidate_end);
	if (unused_between(baseline, baseline_first, baseline_end) *
		unused_between(candidate, candidate_first, candidate_end) >
	    most_pairs)
		return;
	while (best_pair(pairing, baseline, baseline_first, baseline_end, candidate,
			 candidate_first, candidate_end, &i, &j)) {
		baseline->used[i] = candidate->used[j] = true;
		pairing->pair(pairing->context, baseline->items[i].what, candidate->items[j].what);
	}
}

static void sort(struct pairing_side *side)
{
	if (side->count > 1)
		qsort(side->items, side->count, sizeof *side->items, by_identity);
}

void pairing_run(const struct pairing *pairing, struct pairing_side *baseline,
		 struct pairing_side *candidate)
{
	size_t i = 0, j = 0;

	sort(baseline);
	sort(candidate);
	while (i < baseline->count && j < candidate->count) {
		int order = strcmp(baseline->items[i].name, candidate->items[j].name);
		size_t baseline_end = order <= 0 ? group_end(baseline, i) : i;
		size_t candidate_end = order >= 0 ? group_end(candidate, j) : j;

		if (order == 0)
			pair_group(pairing, baseline, i, baseline_end, candidate, j, candidate_end);
		i = baseline_end;
		j = candidate_end;
	}
	for (i = 0; i < baseline->count; i++)
		if (!baseline->used[i])
			pairing->pair(pairing->context, baseline->items[i].what, NULL);
	for (j = 0; j < candidate->count; j++)
		if (!candidate->used[j])
			pairing->pair(pairing->context, NULL, candidate->items[j].what);
}
