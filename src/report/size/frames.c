/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack frames of functions, as a table of the size sheet. */
#include "report/size/parts.h"

static uint64_t bytes_of(const struct code_frame *frame)
{
	return frame == NULL ? 0 : frame->bytes;
}

void size_add_frames(const struct size_sheet *sheet)
{
	static const struct column columns[] = {
		{ "function", "stack frame of", ALIGN_LEFT, AUDIENCE_ALL, true },
		{ "unit", "unit", ALIGN_LEFT, AUDIENCE_ALL, true },
		{ "kind_of_change", "", ALIGN_LEFT, AUDIENCE_ALL, false },
		{ "dynamic", "", ALIGN_LEFT, AUDIENCE_ALL, false },
		{ "origin", "by", ALIGN_LEFT, AUDIENCE_ALL, false },
	};
	const struct code_diff *diff = sheet->diff;
	struct table *table = size_table(sheet, "frames", NULL, columns, 5, true);
	size_t i, wanted = 0, top = sheet->settings->top;

	for (i = 0; i < diff->frame_count; i++) {
		const struct code_frame_change *change = &diff->frames[i];
		const struct code_frame *shown =
		    change->candidate != NULL ? change->candidate : change->baseline;
		struct cell *cells;

		if (!size_wants(sheet, change->function, change->kind != CODE_SAME) ||
		    (wanted++ >= top && top > 0))
			continue;
		cells = table_row(sheet->document, table)->cells;
		cells[0] = cell_text(change->function);
		cells[1] = change->unit == NULL ? (struct cell){ .kind = CELL_EMPTY }
						: cell_text(change->unit);
		cells[2] = cell_text(sheet->pair ? code_change_kind_name(change->kind) : "");
		cells[3] = cell_boolean(!shown->dynamic	 ? ""
					: shown->bounded ? "dynamic, bounded"
							 : "dynamic",
					shown->dynamic);
		cells[4] = cell_text(shown->origin);
		size_cells(
		    sheet, cells, 5,
		    (struct size_bytes){ bytes_of(change->baseline), bytes_of(change->candidate) },
		    0);
	}
	if (top > 0)
		size_left_out(sheet, "frames", top, wanted);
}
