/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections of both images by name; in archives those of one name are added up. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"
#include "binary/diff/diff.h"
#include "binary/diff/parts.h"

struct section_rows {
	struct arena *arena;
	struct code_section_change *items;
	size_t count, capacity;
	bool (*seen)[2]; /* on which side */
	size_t seen_capacity;
	struct strings names;
	struct table by_name; /* name + 1 to index + 1 */
};

static size_t row_of(struct section_rows *rows, const struct code_section *section)
{
	const char *name = section->name;
	uint32_t number = strings_intern(&rows->names, rows->arena, name);
	bool added;
	uint32_t *slot = table_at(&rows->by_name, (uint64_t)number + 1, &added);

	if (*slot == 0) {
		size_t count = rows->count;

		rows->seen = array_reserve(rows->arena, rows->seen, count, count + 1,
					   &rows->seen_capacity, sizeof *rows->seen);
		*array_push(rows->arena, rows->items, rows->count, rows->capacity) =
		    (struct code_section_change){
			    .name = text_clean(rows->arena, name, strlen(name)),
			    .section_kind = section->kind,
		    };
		memset(rows->seen[count], 0, sizeof *rows->seen);
		*slot = (uint32_t)rows->count;
	}
	return *slot - 1;
}

static void add_image(struct section_rows *rows, const struct code_image *image, size_t side)
{
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const struct code_section *section = &image->sections[i];
		size_t index = row_of(rows, section);
		struct code_section_change *row = &rows->items[index];
		uint64_t bytes = section->loaded ? section->address_bytes : section->file_bytes;
		uint64_t padding = section->padding_bytes + section->hole_bytes;

		rows->seen[index][side] = true;
		*(side ? &row->candidate_bytes : &row->baseline_bytes) += bytes;
		*(side ? &row->candidate_function_bytes : &row->baseline_function_bytes) +=
		    section->function_bytes;
		*(side ? &row->candidate_padding_bytes : &row->baseline_padding_bytes) += padding;
		*(side ? &row->candidate_unnamed_bytes : &row->baseline_unnamed_bytes) +=
		    section->unnamed_bytes;
	}
}

static int sign(int64_t value)
{
	return (value > 0) - (value < 0);
}

static int64_t delta(uint64_t baseline, uint64_t candidate)
{
	return (int64_t)(candidate - baseline);
}

static char *signed_bytes(struct arena *arena, int64_t bytes)
{
	return arena_printf(arena, "%s%s bytes", bytes > 0 ? "+" : "", units_count(arena, bytes));
}

/* Says where the bytes of the functions went. */
static void explain(struct arena *arena, struct code_diff *diff,
		    const struct code_section_change *row)
{
	int64_t section = delta(row->baseline_bytes, row->candidate_bytes);
	int64_t functions = delta(row->baseline_function_bytes, row->candidate_function_bytes);
	int64_t padding = delta(row->baseline_padding_bytes, row->candidate_padding_bytes);
	int64_t unnamed = delta(row->baseline_unnamed_bytes, row->candidate_unnamed_bytes);
	char *rest = unnamed == 0 ? arena_strdup(arena, "")
				  : arena_printf(arena, " and code without a symbol by %s",
						 signed_bytes(arena, unnamed));

	if (section == 0)
		diff_sentence(arena, diff,
			      "%s did not change in size, but its functions did, by %s: padding "
			      "changed by %s%s.",
			      row->name, signed_bytes(arena, functions),
			      signed_bytes(arena, padding), rest);
	else
		diff_sentence(arena, diff,
			      "%s changed by %s, but its functions by %s: padding changed by %s%s.",
			      row->name, signed_bytes(arena, section),
			      functions == 0 ? "nothing" : signed_bytes(arena, functions),
			      signed_bytes(arena, padding), rest);
}

static void judge(struct arena *arena, struct code_diff *diff, struct code_section_change *row,
		  const bool seen[2])
{
	int64_t section = delta(row->baseline_bytes, row->candidate_bytes);
	int64_t functions = delta(row->baseline_function_bytes, row->candidate_function_bytes);

	row->kind =
	    diff_kind(seen[0], seen[1], row->baseline_bytes, row->candidate_bytes, CODE_SAME);
	row->disagrees = row->section_kind == CODE_SECTION_CODE && seen[0] && seen[1] &&
			 sign(section) != sign(functions);
	if (row->disagrees)
		explain(arena, diff, row);
}

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static int compare_rows(const void *left, const void *right)
{
	const struct code_section_change *a = left, *b = right;
	uint64_t first = magnitude(delta(a->baseline_bytes, a->candidate_bytes));
	uint64_t second = magnitude(delta(b->baseline_bytes, b->candidate_bytes));

	if (first != second)
		return first < second ? 1 : -1;
	if (a->baseline_bytes != b->baseline_bytes)
		return a->baseline_bytes < b->baseline_bytes ? 1 : -1;
	return strcmp(a->name, b->name);
}

void diff_sections(struct arena *arena, struct code_diff *diff)
{
	struct section_rows rows = { .arena = arena };
	size_t i;

	strings_init(&rows.names);
	add_image(&rows, diff->baseline, 0);
	if (diff->candidate != NULL)
		add_image(&rows, diff->candidate, 1);
	for (i = 0; i < rows.count && diff->candidate != NULL; i++)
		judge(arena, diff, &rows.items[i], rows.seen[i]);
	if (rows.count > 0)
		qsort(rows.items, rows.count, sizeof *rows.items, compare_rows);
	diff->sections = rows.items;
	diff->section_count = rows.count;
	table_release(&rows.by_name);
	strings_release(&rows.names);
}
