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
#include "binary/pairing.h"

struct comparing {
	struct arena *arena;
	struct code_diff *diff;
	size_t capacity;
};

static unsigned likeness(const struct pairing_item *left, const struct pairing_item *right)
{
	const struct code_inlined *first = left->what, *second = right->what;
	unsigned alike = pairing_by_file(left, right);

	if (alike > 0)
		return alike;
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

static void add_change(void *context, const void *before, const void *after)
{
	struct comparing *comparing = context;
	const struct code_inlined *baseline = before, *candidate = after;
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

static struct pairing_side side_of(struct arena *arena, const struct code_image *image)
{
	struct pairing_side side = pairing_side(arena, image->inline_count);
	size_t i;

	for (i = 0; i < side.count; i++)
		side.items[i] = (struct pairing_item){ image->inlines[i].name,
						       image->inlines[i].file, &image->inlines[i] };
	return side;
}

void ledger_compare(struct arena *arena, const struct code_image *baseline,
		    const struct code_image *candidate, struct code_diff *diff)
{
	struct comparing comparing = { .arena = arena, .diff = diff };
	struct pairing pairing = { &comparing, likeness, add_change };
	struct pairing_side first = side_of(arena, baseline), second = side_of(arena, candidate);

	diff->inlines = NULL;
	diff->inline_count = 0;
	pairing_run(&pairing, &first, &second);
	if (diff->inline_count > 0)
		qsort(diff->inlines, diff->inline_count, sizeof *diff->inlines, by_delta);
}
