/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What changed between two inlining ledgers. A function's bytes are copies
 * times mean size, so a change of bytes is divided by Bennet's indicator:
 *
 *	change of copies x average of the two means
 *	+ change of the mean x average of the two numbers of copies
 *
 * (T. L. Bennet, J. Royal Stat. Soc. 83, 1920), which adds up exactly and has
 * the opposite sign when the two builds change places; with the baseline's
 * mean alone neither side would be the other's mirror.
 */
#include "binary/ledger/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"

struct side {
	const struct code_inlined **items; /* by name, then file */
	bool *used;
	size_t count;
};

struct comparing {
	struct arena *arena;
	struct code_diff *diff;
	size_t capacity;
};

static int by_identity(const void *left, const void *right)
{
	const struct code_inlined *first = *(const struct code_inlined *const *)left;
	const struct code_inlined *second = *(const struct code_inlined *const *)right;
	int order = strcmp(first->name, second->name);

	if (order != 0)
		return order;
	return strcmp(first->file == NULL ? "" : first->file,
		      second->file == NULL ? "" : second->file);
}

static void side_init(struct arena *arena, const struct code_image *image, struct side *side)
{
	size_t i;

	side->count = image->inline_count;
	side->items = arena_alloc(arena, side->count, sizeof *side->items);
	side->used = arena_alloc(arena, side->count, sizeof *side->used);
	for (i = 0; i < side->count; i++)
		side->items[i] = &image->inlines[i];
	if (side->count > 1)
		qsort(side->items, side->count, sizeof *side->items, by_identity);
}

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

/* How well two functions of one name go together; 0: not at all. */
static unsigned likeness(const struct code_inlined *first, const struct code_inlined *second)
{
	unsigned parts;

	if (first->file == NULL || second->file == NULL)
		return 2;
	if (strcmp(first->file, second->file) == 0)
		return UINT32_MAX;
	parts = common_tail(first->file, second->file);
	if (parts > 0)
		return 2 + parts;
	/* Copies of a header's function that became a body of some source file, or the reverse. */
	return (first->copies == 0 && first->bodies > 0 && second->copies > 0) ||
	       (second->copies == 0 && second->bodies > 0 && first->copies > 0);
}

static double mean_bytes(const struct code_inlined *one)
{
	return (double)one->exclusive_bytes / (double)one->copies_with_code;
}

static void decompose(struct code_inline_change *change)
{
	static const struct code_inlined none = { 0 };
	const struct code_inlined *baseline = change->baseline == NULL ? &none : change->baseline;
	const struct code_inlined *candidate =
	    change->candidate == NULL ? &none : change->candidate;
	double copies = (double)candidate->copies_with_code - (double)baseline->copies_with_code;

	change->delta_bytes =
	    (int64_t)candidate->exclusive_bytes - (int64_t)baseline->exclusive_bytes;
	change->body_delta_bytes = (int64_t)candidate->body_bytes - (int64_t)baseline->body_bytes;
	if (baseline->copies_with_code == 0 || candidate->copies_with_code == 0)
		change->by_copies_bytes = (double)change->delta_bytes;
	else
		change->by_copies_bytes =
		    copies * (mean_bytes(baseline) + mean_bytes(candidate)) / 2;
	change->by_size_bytes = (double)change->delta_bytes - change->by_copies_bytes;
	change->became_body =
	    candidate->copies < baseline->copies && candidate->bodies > baseline->bodies;
	change->became_copies =
	    candidate->copies > baseline->copies && candidate->bodies < baseline->bodies;
}

static enum code_change_kind kind_of(const struct code_inline_change *change)
{
	uint64_t before = change->baseline == NULL ? 0 : change->baseline->copies;
	uint64_t after = change->candidate == NULL ? 0 : change->candidate->copies;

	if (before == 0)
		return CODE_ADDED;
	if (after == 0)
		return CODE_REMOVED;
	if (change->delta_bytes != 0)
		return change->delta_bytes > 0 ? CODE_GROWN : CODE_SHRUNK;
	return before == after ? CODE_SAME : CODE_CHANGED;
}

static void add_counted(struct arena *arena, struct text *text, uint64_t count, const char *one,
			const char *many)
{
	text_printf(text, "%s %s", units_count(arena, (int64_t)count), count == 1 ? one : many);
}

/* "2 copies, 30 B, and 1 body, 66 B, 181 call sites" */
static void describe_side(struct arena *arena, struct text *text, const struct code_inlined *side)
{
	if (side == NULL || (side->copies == 0 && side->bodies == 0)) {
		text_add(text, "gone");
		return;
	}
	if (side->copies > 0) {
		add_counted(arena, text, side->copies, "copy", "copies");
		text_printf(text, ", %s B", units_count(arena, (int64_t)side->exclusive_bytes));
	}
	if (side->bodies == 0)
		return;
	if (side->copies > 0)
		text_add(text, ", and ");
	add_counted(arena, text, side->bodies, "body", "bodies");
	text_printf(text, ", %s B", units_count(arena, (int64_t)side->body_bytes));
	if (side->calls > 0) {
		text_add(text, ", ");
		add_counted(arena, text, side->calls, "call site", "call sites");
	}
}

/* Where copies and bodies change into one another, or appear and vanish. */
static const char *sentence_of(struct arena *arena, const struct code_inline_change *change)
{
	struct text text = { 0 };
	const char *sentence;

	if (change->kind == CODE_SAME)
		return NULL;
	if (change->baseline != NULL || change->candidate == NULL)
		describe_side(arena, &text, change->baseline);
	else
		text_add(&text, "not there");
	text_add(&text, " -> ");
	describe_side(arena, &text, change->candidate);
	sentence = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return sentence;
}

static void add_change(struct comparing *comparing, const struct code_inlined *baseline,
		       const struct code_inlined *candidate)
{
	const struct code_inlined *shown = candidate != NULL ? candidate : baseline;
	struct code_inline_change change = { .shown = shown->shown,
					     .file = shown->file,
					     .baseline = baseline,
					     .candidate = candidate };

	if ((baseline == NULL || baseline->copies == 0) &&
	    (candidate == NULL || candidate->copies == 0))
		return;
	decompose(&change);
	change.kind = kind_of(&change);
	change.sentence = sentence_of(comparing->arena, &change);
	*array_push(comparing->arena, comparing->diff->inlines, comparing->diff->inline_count,
		    comparing->capacity) = change;
}

/* The best pair of one name that is left; false: none is alike. */
static bool best_pair(const struct side *baseline, size_t baseline_first, size_t baseline_end,
		      const struct side *candidate, size_t candidate_first, size_t candidate_end,
		      size_t *first, size_t *second)
{
	unsigned best = 0;
	size_t i, j;

	for (i = baseline_first; i < baseline_end; i++)
		for (j = candidate_first; j < candidate_end && !baseline->used[i]; j++) {
			unsigned alike = candidate->used[j]
					     ? 0
					     : likeness(baseline->items[i], candidate->items[j]);

			if (alike > best) {
				best = alike;
				*first = i;
				*second = j;
			}
		}
	return best > 0;
}

/* Exact matches first, in one pass over the sorted groups: a name may have thousands of files. */
static void pair_exact(struct comparing *comparing, struct side *baseline, size_t i,
		       size_t baseline_end, struct side *candidate, size_t j, size_t candidate_end)
{
	while (i < baseline_end && j < candidate_end) {
		int order = by_identity(&baseline->items[i], &candidate->items[j]);

		if (order == 0) {
			baseline->used[i] = candidate->used[j] = true;
			add_change(comparing, baseline->items[i], candidate->items[j]);
		}
		i += order <= 0;
		j += order >= 0;
	}
}

static size_t group_end(const struct side *side, size_t first)
{
	size_t end = first;

	while (end < side->count && strcmp(side->items[end]->name, side->items[first]->name) == 0)
		end++;
	return end;
}

static size_t unused_between(const struct side *side, size_t first, size_t end)
{
	size_t count = 0;

	for (; first < end; first++)
		count += !side->used[first];
	return count;
}

/* Functions of one name on both sides. Best pairs are searched only in groups that are small
 * enough for it; a name that hundreds of files share says nothing. */
static void pair_group(struct comparing *comparing, struct side *baseline, size_t baseline_first,
		       size_t baseline_end, struct side *candidate, size_t candidate_first,
		       size_t candidate_end)
{
	static const size_t most_pairs = 4096;
	size_t i = 0, j = 0;

	pair_exact(comparing, baseline, baseline_first, baseline_end, candidate, candidate_first,
		   candidate_end);
	if (unused_between(baseline, baseline_first, baseline_end) *
		unused_between(candidate, candidate_first, candidate_end) >
	    most_pairs)
		return;
	while (best_pair(baseline, baseline_first, baseline_end, candidate, candidate_first,
			 candidate_end, &i, &j)) {
		baseline->used[i] = candidate->used[j] = true;
		add_change(comparing, baseline->items[i], candidate->items[j]);
	}
}

static void pair_all(struct comparing *comparing, struct side *baseline, struct side *candidate)
{
	size_t i = 0, j = 0;

	while (i < baseline->count && j < candidate->count) {
		int order = strcmp(baseline->items[i]->name, candidate->items[j]->name);
		size_t baseline_end = order <= 0 ? group_end(baseline, i) : i;
		size_t candidate_end = order >= 0 ? group_end(candidate, j) : j;

		if (order == 0)
			pair_group(comparing, baseline, i, baseline_end, candidate, j,
				   candidate_end);
		i = baseline_end;
		j = candidate_end;
	}
	for (i = 0; i < baseline->count; i++)
		if (!baseline->used[i])
			add_change(comparing, baseline->items[i], NULL);
	for (j = 0; j < candidate->count; j++)
		if (!candidate->used[j])
			add_change(comparing, NULL, candidate->items[j]);
}

static int by_delta(const void *left, const void *right)
{
	const struct code_inline_change *first = left, *second = right;
	uint64_t one = (uint64_t)llabs(first->delta_bytes),
		 other = (uint64_t)llabs(second->delta_bytes);
	int order;

	if ((first->kind == CODE_SAME) != (second->kind == CODE_SAME))
		return first->kind == CODE_SAME ? 1 : -1;
	if (one != other)
		return one > other ? -1 : 1;
	order = strcmp(first->shown, second->shown);
	if (order != 0)
		return order;
	return strcmp(first->file == NULL ? "" : first->file,
		      second->file == NULL ? "" : second->file);
}

void ledger_compare(struct arena *arena, const struct code_image *baseline,
		    const struct code_image *candidate, struct code_diff *diff)
{
	struct comparing comparing = { .arena = arena, .diff = diff };
	struct side first, second;

	diff->inlines = NULL;
	diff->inline_count = 0;
	side_init(arena, baseline, &first);
	side_init(arena, candidate, &second);
	pair_all(&comparing, &first, &second);
	if (diff->inline_count > 0)
		qsort(diff->inlines, diff->inline_count, sizeof *diff->inlines, by_delta);
}
