/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The totals, the code map and the sections as tables of the size sheet. */
#include <string.h>

#include "base/text.h"
#include "report/size/parts.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* One total: its name for people and for data, and where both images have it. */
struct total {
	const char *key, *shown;
	size_t offset;
};

static const struct total totals[] = {
	{ "functions", "functions", offsetof(struct code_totals, function_bytes) },
	{ "text", "text", offsetof(struct code_totals, text_bytes) },
	{ "data", "data", offsetof(struct code_totals, data_bytes) },
	{ "bss", "bss", offsetof(struct code_totals, bss_bytes) },
	{ "common", "common", offsetof(struct code_totals, common_bytes) },
	{ "gnu text", "text (size -G)", offsetof(struct code_totals, gnu_text_bytes) },
	{ "gnu data", "data (size -G)", offsetof(struct code_totals, gnu_data_bytes) },
	{ "gnu bss", "bss (size -G)", offsetof(struct code_totals, gnu_bss_bytes) },
};

static uint64_t field(const struct code_totals *of, size_t offset)
{
	return *(const uint64_t *)((const char *)of + offset);
}

static void add_row(const struct size_sheet *sheet, struct table *table, struct cell first,
		    struct size_bytes bytes, uint64_t whole)
{
	struct row *row = table_row(sheet->document, table);

	row->cells[0] = first;
	size_cells(sheet, row->cells, 1, bytes, whole);
}

void size_add_totals(const struct size_sheet *sheet)
{
	static const struct column columns[] = {
		{ "total", "total", ALIGN_LEFT, AUDIENCE_ALL, false },
	};
	const struct code_image *before = sheet->diff->baseline, *after = sheet->diff->candidate;
	struct table *table = size_table(sheet, "totals", NULL, columns, COUNT_OF(columns), true);
	size_t i;

	for (i = 0; i < COUNT_OF(totals); i++) {
		struct size_bytes bytes = { field(&before->totals, totals[i].offset), 0 };

		bytes.candidate = after == NULL ? 0 : field(&after->totals, totals[i].offset);
		/* Linked files have none; the row would only ask what it is. */
		if (strcmp(totals[i].key, "common") == 0 && bytes.baseline + bytes.candidate == 0)
			continue;
		add_row(sheet, table, cell_word(totals[i].shown, totals[i].key), bytes,
			before->map.memory_total);
	}
	add_row(sheet, table, cell_word("memory image", "memory"),
		(struct size_bytes){ before->map.memory_total,
				     after == NULL ? 0 : after->map.memory_total },
		before->map.memory_total);
	add_row(sheet, table, cell_text("file"),
		(struct size_bytes){ before->map.file_total,
				     after == NULL ? 0 : after->map.file_total },
		0);
}

/* Rows of labels that neither image has are left out. */
static void add_map_rows(const struct size_sheet *sheet, struct table *table, bool memory)
{
	const struct code_map *before = &sheet->diff->baseline->map;
	const struct code_map *after = sheet->pair ? &sheet->diff->candidate->map : NULL;
	size_t label;

	for (label = 0; label < CODE_LABELS; label++) {
		const char *name = code_label_name((enum code_label)label);
		struct size_bytes bytes = {
			memory ? before->memory_bytes[label] : before->file_bytes[label],
			after == NULL ? 0
			: memory      ? after->memory_bytes[label]
				      : after->file_bytes[label],
		};

		if (bytes.baseline != 0 || bytes.candidate != 0)
			add_row(sheet, table, cell_text(name), bytes,
				memory ? before->memory_total : before->file_total);
	}
}

void size_add_map(const struct size_sheet *sheet, bool shown)
{
	static const struct column memory_columns[] = {
		{ "label", "in memory", ALIGN_LEFT, AUDIENCE_ALL, false },
	};
	static const struct column file_columns[] = {
		{ "label", "in the file", ALIGN_LEFT, AUDIENCE_ALL, false },
	};

	add_map_rows(sheet, size_table(sheet, "map", NULL, memory_columns, 1, shown), true);
	add_map_rows(sheet,
		     size_table(sheet, "file_map", NULL, file_columns, 1,
				sheet->settings->by == SIZE_BY_TOTAL),
		     false);
}

enum section_column { SECTION_NAME, SECTION_KIND, SECTION_CHANGE, SECTION_BYTES };

static void add_section(const struct size_sheet *sheet, struct table *table,
			const struct code_section_change *section, uint64_t whole)
{
	struct row *row = table_row(sheet->document, table);

	row->cells[SECTION_NAME] = cell_text(section->name);
	row->cells[SECTION_KIND] = cell_text(code_section_kind_name(section->section_kind));
	row->cells[SECTION_CHANGE] = cell_text(code_change_kind_name(section->kind));
	size_cells(sheet, row->cells, SECTION_BYTES,
		   (struct size_bytes){ section->baseline_bytes, section->candidate_bytes }, whole);
}

/* In the sheet of everything people see what is loaded; --by section has the rest. */
static bool is_loaded(const struct code_section_change *section)
{
	return section->section_kind != CODE_SECTION_DEBUG &&
	       section->section_kind != CODE_SECTION_SYMBOLS &&
	       section->section_kind != CODE_SECTION_OTHER;
}

static void fill_sections(const struct size_sheet *sheet, struct table *table, size_t limit)
{
	const struct code_diff *diff = sheet->diff;
	size_t i, wanted = 0;

	for (i = 0; i < diff->section_count; i++) {
		const struct code_section_change *section = &diff->sections[i];
		bool changed = section->kind != CODE_SAME || section->disagrees;

		if (section->baseline_bytes + section->candidate_bytes == 0 ||
		    !size_wants(sheet, section->name, changed) ||
		    (table->audience == AUDIENCE_PEOPLE &&
		     sheet->settings->by == SIZE_BY_EVERYTHING && !is_loaded(section)))
			continue;
		if (wanted++ < limit || limit == 0)
			add_section(sheet, table, section, diff->baseline->map.file_total);
	}
	if (limit > 0)
		size_left_out(sheet, "sections", limit, wanted);
}

void size_add_sections(const struct size_sheet *sheet, bool shown)
{
	static const struct column columns[] = {
		{ "section", "section", ALIGN_LEFT, AUDIENCE_ALL, true },
		{ "kind", "kind", ALIGN_LEFT, AUDIENCE_ALL, false },
		{ "kind_of_change", "", ALIGN_LEFT, AUDIENCE_DATA, false },
	};

	fill_sections(sheet, size_table(sheet, "sections", NULL, columns, COUNT_OF(columns), false),
		      0);
	if (shown)
		fill_sections(
		    sheet, size_people_table(sheet, "shown_sections", columns, COUNT_OF(columns)),
		    sheet->settings->top);
}
