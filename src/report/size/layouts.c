/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layouts of structures, as tables of the size sheet. */
#include "base/array.h"
#include "base/units.h"
#include "report/size/parts.h"

static struct cell count_cell(const struct size_sheet *sheet, uint64_t count)
{
	return cell_number(units_count(sheet->arena, (int64_t)count), (double)count);
}

static uint64_t waste(const struct code_layout *layout)
{
	return layout == NULL ? 0 : layout->hole_bytes + layout->padding_bytes;
}

static void add_layout(const struct size_sheet *sheet, struct table *table,
		       const struct code_layout_change *change)
{
	const struct code_layout *shown =
	    change->candidate != NULL ? change->candidate : change->baseline;
	struct cell *cells = table_row(sheet->document, table)->cells;

	cells[0] = cell_text(change->name);
	cells[1] =
	    change->file == NULL ? (struct cell){ .kind = CELL_EMPTY } : cell_text(change->file);
	cells[2] = cell_text(sheet->pair ? code_change_kind_name(change->kind) : "");
	cells[3] = count_cell(sheet, shown->member_count);
	cells[4] = count_cell(sheet, shown->holes);
	cells[5] = count_cell(sheet, waste(shown));
	size_cells(sheet, cells, 6,
		   (struct size_bytes){ change->baseline == NULL ? 0 : change->baseline->bytes,
					change->candidate == NULL ? 0 : change->candidate->bytes },
		   0);
}

/* Each member of the few structures that a filter leaves. */
static void add_members(const struct size_sheet *sheet, const struct code_layout *layout,
			const char *side)
{
	static const struct column columns[] = {
		{ "structure", "structure", ALIGN_LEFT, AUDIENCE_DATA, false },
		{ "side", NULL, ALIGN_LEFT, AUDIENCE_DATA, false },
		{ "offset_bytes", "offset", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "bytes", "bytes", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "hole_bytes", "hole", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "type", "type", ALIGN_LEFT, AUDIENCE_ALL, true },
		{ "member", "member", ALIGN_LEFT, AUDIENCE_ALL, false },
	};
	const char *id = arena_printf(sheet->arena, "members_%s_%s", side, layout->name);
	struct table *table = document_table(sheet->document, id, columns, 7);
	size_t i;

	table->title =
	    arena_printf(sheet->arena, "%s, %s: %s bytes, %s in holes, %s of padding", layout->name,
			 side, units_count(sheet->arena, (int64_t)layout->bytes),
			 units_count(sheet->arena, (int64_t)layout->hole_bytes),
			 units_count(sheet->arena, (int64_t)layout->padding_bytes));
	for (i = 0; i < layout->member_count; i++) {
		const struct code_layout_member *member = &layout->members[i];
		struct cell *cells = table_row(sheet->document, table)->cells;

		cells[0] = cell_text(layout->name);
		cells[1] = cell_text(side);
		cells[2] = count_cell(sheet, member->offset_bytes);
		cells[3] = count_cell(sheet, member->bytes);
		cells[4] = member->hole_bytes == 0 ? cell_number("", 0)
						   : count_cell(sheet, member->hole_bytes);
		cells[5] = cell_text(member->type);
		cells[6] = cell_text(member->name);
	}
}

void size_add_layouts(const struct size_sheet *sheet)
{
	static const struct column columns[] = {
		{ "structure", "structure", ALIGN_LEFT, AUDIENCE_ALL, true },
		{ "file", NULL, ALIGN_LEFT, AUDIENCE_DATA, false },
		{ "kind_of_change", "", ALIGN_LEFT, AUDIENCE_ALL, false },
		{ "members", "members", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "holes", "holes", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "unused_bytes", "unused", ALIGN_RIGHT, AUDIENCE_ALL, false },
	};
	enum { FEW = 3 };
	const struct code_diff *diff = sheet->diff;
	const struct code_layout_change *few[FEW];
	struct table *table = size_table(sheet, "structures", NULL, columns, 6, true);
	size_t i, wanted = 0, top = sheet->settings->top;

	for (i = 0; i < diff->layout_count; i++) {
		const struct code_layout_change *change = &diff->layouts[i];

		if (!size_wants(sheet, change->name, change->kind != CODE_SAME))
			continue;
		if (wanted < FEW)
			few[wanted] = change;
		if (wanted++ < top || top == 0)
			add_layout(sheet, table, change);
	}
	if (top > 0)
		size_left_out(sheet, "structures", top, wanted);
	if (diff->layout_count == 0)
		document_note(sheet->document, "note",
			      "There is no structure in what debug information was found.");
	for (i = 0; wanted <= FEW && i < wanted; i++) {
		if (few[i]->baseline != NULL)
			add_members(sheet, few[i]->baseline, sheet->pair ? "baseline" : "file");
		if (few[i]->candidate != NULL)
			add_members(sheet, few[i]->candidate, "candidate");
	}
}
