/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From two images, or one, to rows of what differs: see diff.h. */
#include "binary/diff/diff.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"
#include "binary/diff/parts.h"
#include "binary/names.h"

enum { PARTS_IN_NOTE = 4 };

void diff_sentence(struct arena *arena, struct code_diff *diff, const char *format, ...)
{
	struct error sentence;
	va_list list;

	va_start(list, format);
	vsnprintf(sentence.sentence, sizeof sentence.sentence, format, list);
	va_end(list);
	*array_push(arena, diff->sentences, diff->sentence_count, diff->sentence_capacity) =
	    arena_strdup(arena, sentence.sentence);
}

enum code_change_kind diff_kind(bool in_baseline, bool in_candidate, uint64_t baseline_bytes,
				uint64_t candidate_bytes, enum code_change_kind same)
{
	if (!in_baseline)
		return CODE_ADDED;
	if (!in_candidate)
		return CODE_REMOVED;
	if (baseline_bytes == candidate_bytes)
		return same;
	return candidate_bytes > baseline_bytes ? CODE_GROWN : CODE_SHRUNK;
}

static const char *section_name(const struct code_image *image, const struct group *group)
{
	size_t section = group == NULL ? CODE_NONE : image->symbols[group->largest].section;

	return section == CODE_NONE ? NULL : image->sections[section].name;
}

static bool same_string(const char *left, const char *right)
{
	return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

static int compare_bytes(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static uint64_t *sorted_parts(struct arena *scratch, const struct code_image *image,
			      const struct group *group)
{
	uint64_t *bytes = arena_alloc(scratch, group->part_count, sizeof *bytes);
	size_t i;

	for (i = 0; i < group->part_count; i++)
		bytes[i] = image->symbols[group->parts[i]].bytes;
	qsort(bytes, group->part_count, sizeof *bytes, compare_bytes);
	return bytes;
}

static bool same_parts(struct arena *scratch, const struct code_diff *diff,
		       const struct group *before, const struct group *after)
{
	if (before->part_count != after->part_count)
		return false;
	return before->part_count == 1 || memcmp(sorted_parts(scratch, diff->baseline, before),
						 sorted_parts(scratch, diff->candidate, after),
						 before->part_count * sizeof(uint64_t)) == 0;
}

/* What equal sums mean. */
static enum code_change_kind equal_kind(struct arena *scratch, const struct code_diff *diff,
					const struct group *before, const struct group *after)
{
	if (!same_parts(scratch, diff, before, after))
		return CODE_CHANGED;
	return same_string(section_name(diff->baseline, before),
			   section_name(diff->candidate, after))
		   ? CODE_SAME
		   : CODE_MOVED;
}

static const struct code_symbol *part_named(const struct code_image *image,
					    const struct group *group, const char *name)
{
	size_t i;

	for (i = 0; group != NULL && i < group->part_count; i++)
		if (strcmp(image->symbols[group->parts[i]].name, name) == 0)
			return &image->symbols[group->parts[i]];
	return NULL;
}

static void note_part(struct arena *scratch, struct text *note, const char *name,
		      const struct code_symbol *before, const struct code_symbol *after)
{
	if (before != NULL && after != NULL && before->bytes == after->bytes)
		return;
	if (note->length > 0)
		text_add(note, ", ");
	text_printf(note, "%s %s -> %s", text_clean(scratch, name, strlen(name)),
		    before == NULL ? "none" : units_count(scratch, (int64_t)before->bytes),
		    after == NULL ? "none" : units_count(scratch, (int64_t)after->bytes));
}

/* "f 40 -> 52, f.cold 12 -> 30", where a function has several parts. */
static void note_parts(struct arena *scratch, struct text *note, const struct code_diff *diff,
		       const struct group *before, const struct group *after)
{
	size_t i, shown = 0;

	if (diff->candidate == NULL || ((before == NULL || before->part_count == 1) &&
					(after == NULL || after->part_count == 1) &&
					(before == NULL || after == NULL ||
					 strcmp(diff->baseline->symbols[before->stem].name,
						diff->candidate->symbols[after->stem].name) == 0)))
		return;
	for (i = 0; before != NULL && i < before->part_count && shown < PARTS_IN_NOTE;
	     i++, shown++) {
		const struct code_symbol *part = &diff->baseline->symbols[before->parts[i]];

		note_part(scratch, note, part->name, part,
			  part_named(diff->candidate, after, part->name));
	}
	for (i = 0; after != NULL && i < after->part_count && shown < PARTS_IN_NOTE; i++) {
		const struct code_symbol *part = &diff->candidate->symbols[after->parts[i]];

		if (part_named(diff->baseline, before, part->name) != NULL)
			continue;
		note_part(scratch, note, part->name, NULL, part);
		shown++;
	}
}

static void note_symbol(struct text *note, const struct code_symbol *symbol)
{
	if (symbol->alias_count > 0)
		text_printf(note, "%s+%zu %s", note->length > 0 ? ", " : "", symbol->alias_count,
			    symbol->alias_count == 1 ? "alias" : "aliases");
	if (symbol->inferred)
		text_printf(note, "%sinferred size", note->length > 0 ? ", " : "");
	if (symbol->binding == CODE_WEAK || symbol->binding == CODE_UNIQUE)
		text_printf(note, "%s%s", note->length > 0 ? ", " : "",
			    symbol->binding == CODE_WEAK ? "weak" : "unique");
}

static const char *make_note(struct arena *arena, struct arena *scratch,
			     const struct code_diff *diff, const struct group *before,
			     const struct group *after)
{
	const struct code_image *image = after != NULL ? diff->candidate : diff->baseline;
	const struct group *group = after != NULL ? after : before;
	struct text note = { 0 };
	const char *text = NULL;

	note_parts(scratch, &note, diff, before, after);
	note_symbol(&note, &image->symbols[group->stem]);
	if (note.length > 0)
		text = arena_strdup(arena, text_string(&note));
	text_release(&note);
	return text;
}

static const char *clean(struct arena *arena, const char *string)
{
	return string == NULL ? NULL : name_clean(arena, string);
}

static void fill_names(struct arena *arena, const struct code_diff *diff,
		       const struct group *before, const struct group *after,
		       struct code_symbol_change *row)
{
	const struct code_image *image = after != NULL ? diff->candidate : diff->baseline;
	const struct code_symbol *stem =
	    &image->symbols[after != NULL ? after->stem : before->stem];

	row->name = clean(arena, stem->base);
	row->raw = stem->base;
	row->unit = clean(arena, stem->unit);
	row->symbol_kind = stem->kind;
	row->section = clean(arena, section_name(image, after != NULL ? after : before));
	row->baseline_section =
	    before == NULL ? NULL : clean(arena, section_name(diff->baseline, before));
}

static void make_row(struct arena *arena, struct arena *scratch, const struct code_diff *diff,
		     const struct group *before, const struct group *after,
		     struct code_symbol_change *row)
{
	fill_names(arena, diff, before, after, row);
	if (before != NULL) {
		row->baseline_bytes = before->bytes;
		row->baseline_parts = before->parts;
		row->baseline_part_count = before->part_count;
	}
	if (after != NULL) {
		row->candidate_bytes = after->bytes;
		row->candidate_parts = after->parts;
		row->candidate_part_count = after->part_count;
	}
	if (diff->candidate != NULL)
		row->kind = diff_kind(
		    before != NULL, after != NULL, row->baseline_bytes, row->candidate_bytes,
		    before != NULL && after != NULL ? equal_kind(scratch, diff, before, after)
						    : CODE_SAME);
	row->note = make_note(arena, scratch, diff, before, after);
}

static uint64_t magnitude(const struct code_symbol_change *row)
{
	return row->candidate_bytes > row->baseline_bytes
		   ? row->candidate_bytes - row->baseline_bytes
		   : row->baseline_bytes - row->candidate_bytes;
}

/* What decides most comparisons stands beside the row: a library has 60,000 rows of 128 bytes, and
 * following two pointers for each comparison takes longer than all the rest of its sheet. */
struct row_key {
	uint64_t magnitude;
	const struct code_symbol_change *row;
};

static int compare_rows(const void *left, const void *right)
{
	const struct row_key *first = left, *second = right;
	const struct code_symbol_change *a = first->row, *b = second->row;
	int order;

	if (first->magnitude != second->magnitude)
		return first->magnitude < second->magnitude ? 1 : -1;
	if ((a->kind == CODE_SAME) != (b->kind == CODE_SAME))
		return a->kind == CODE_SAME ? 1 : -1;
	if (a->baseline_bytes != b->baseline_bytes)
		return a->baseline_bytes < b->baseline_bytes ? 1 : -1;
	order = strcmp(a->raw, b->raw);
	if (order == 0)
		order = strcmp(a->unit == NULL ? "" : a->unit, b->unit == NULL ? "" : b->unit);
	return order;
}

/* Changed rows before unchanged ones, which stay in the order of their symbols: hardly anyone looks
 * at those, and of two kernels they are a hundred thousand. */
static void sort_rows(struct arena *arena, struct arena *scratch, struct code_diff *diff)
{
	const struct code_symbol_change *rows = diff->symbols;
	struct row_key *keys = arena_alloc(scratch, diff->symbol_count, sizeof *keys);
	struct code_symbol_change *sorted = arena_alloc(arena, diff->symbol_count, sizeof *sorted);
	size_t changed = 0, unchanged, i;

	for (i = 0; i < diff->symbol_count; i++)
		if (rows[i].kind != CODE_SAME || diff->candidate == NULL)
			keys[changed++] = (struct row_key){ magnitude(&rows[i]), &rows[i] };
	unchanged = changed;
	for (i = 0; i < diff->symbol_count; i++)
		if (rows[i].kind == CODE_SAME && diff->candidate != NULL)
			keys[unchanged++] = (struct row_key){ 0, &rows[i] };
	if (changed > 0)
		qsort(keys, changed, sizeof *keys, compare_rows);
	for (i = 0; i < diff->symbol_count; i++)
		sorted[i] = *keys[i].row;
	diff->symbols = sorted;
}

static void make_rows(struct arena *arena, struct code_diff *diff, const struct groups *before,
		      const struct groups *after)
{
	struct arena *scratch = arena_open();
	size_t i;

	diff->symbols = arena_alloc(scratch, before->count + after->count, sizeof *diff->symbols);
	for (i = 0; i < before->count; i++) {
		const struct group *group = &before->items[i];

		make_row(arena, scratch, diff, group,
			 group->partner == CODE_NONE ? NULL : &after->items[group->partner],
			 &diff->symbols[diff->symbol_count++]);
	}
	for (i = 0; i < after->count; i++)
		if (after->items[i].partner == CODE_NONE)
			make_row(arena, scratch, diff, NULL, &after->items[i],
				 &diff->symbols[diff->symbol_count++]);
	sort_rows(arena, scratch, diff);
	arena_close(scratch);
}

static void diff_symbols(struct arena *arena, struct code_diff *diff)
{
	const struct code_image *const images[2] = { diff->baseline, diff->candidate };
	struct naming naming = { .arena = arena };
	struct groups before = { 0 }, after = { 0 };

	strings_init(&naming.names);
	strings_init(&naming.places);
	members_pair(arena, images, naming.member_places);
	groups_make(&naming, diff->baseline, 0, &before);
	if (diff->candidate != NULL) {
		groups_make(&naming, diff->candidate, 1, &after);
		groups_pair(&naming, &before, &after);
	}
	make_rows(arena, diff, &before, &after);
	strings_release(&naming.names);
	strings_release(&naming.places);
}

/* What a demangler knows: the base, or with its hash a name that Rust mangled. */
static const char *mangled(const struct code_diff *diff, const struct code_symbol_change *row)
{
	const struct code_symbol *part = row->candidate_part_count > 0
					     ? &diff->candidate->symbols[row->candidate_parts[0]]
					     : &diff->baseline->symbols[row->baseline_parts[0]];
	size_t length = strlen(row->raw);

	return strncmp(part->name, row->raw, length) == 0 &&
		       strncmp(part->name + length, "17h", 3) == 0
		   ? part->name
		   : row->raw;
}

void diff_show_names(struct arena *arena, struct code_diff *diff, size_t count)
{
	size_t i;

	for (i = 0; i < count && i < diff->symbol_count; i++)
		diff->symbols[i].name = name_shown(arena, mangled(diff, &diff->symbols[i]));
}

/* Dynamic symbols alone are a tenth of a library's; held against all of them everything seems to
 * be added. */
static void compare_tables(struct arena *arena, struct code_diff *diff)
{
	const struct code_image *images[2] = { diff->baseline, diff->candidate };
	bool bare[2] = { false, false };
	size_t i;

	if (diff->candidate == NULL || diff->baseline->archive || diff->candidate->archive)
		return;
	for (i = 0; i < 2; i++)
		bare[i] = images[i]->member_count > 0 && images[i]->members[0].stripped &&
			  images[i]->members[0].symbols_from == NULL;
	if (bare[0] != bare[1])
		diff_sentence(arena, diff,
			      "The %s is stripped and the %s is not: their functions and objects "
			      "do not correspond. Name the directory of its debug file with "
			      "--debug-dir, or compare the totals alone.",
			      bare[0] ? "baseline" : "candidate",
			      bare[0] ? "candidate" : "baseline");
}

void diff_make(struct arena *arena, const struct code_image *baseline,
	       const struct code_image *candidate, struct code_diff *diff)
{
	*diff = (struct code_diff){ .baseline = baseline, .candidate = candidate };
	compare_tables(arena, diff);
	diff_sections(arena, diff);
	diff_symbols(arena, diff);
}
