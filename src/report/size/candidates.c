/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions worth un-inlining, as a table of the size sheet. */
#include <math.h>

#include "base/units.h"
#include "report/size/parts.h"

static struct cell bytes_cell(struct arena *arena, double bytes)
{
	return cell_number(units_count(arena, llround(bytes)), bytes);
}

void size_add_candidates(const struct size_sheet *sheet)
{
	static const struct column columns[] = {
		{ "function", "worth un-inlining?", ALIGN_LEFT, AUDIENCE_ALL, true },
		{ "file", NULL, ALIGN_LEFT, AUDIENCE_DATA, false },
		{ "copies", "copies", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "bytes", "bytes", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "saved_bytes", "saves", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "saved_low_bytes", "from", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "saved_high_bytes", "to", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "rule", "because", ALIGN_LEFT, AUDIENCE_ALL, false },
	};
	const struct code_diff *diff = sheet->diff;
	struct table *table;
	size_t i, wanted = 0, top = sheet->settings->top;

	if (diff->candidate_count == 0) {
		document_note(sheet->document, "note",
			      "No inlined function is worth un-inlining for size.");
		return;
	}
	table = document_table(sheet->document, "candidates", columns, 8);
	for (i = 0; i < diff->candidate_count; i++) {
		const struct code_candidate *one = &diff->candidates[i];
		struct arena *arena = sheet->arena;
		struct cell *cells;

		if ((sheet->settings->filter != NULL &&
		     regexec(sheet->settings->filter, one->inlined->shown, 0, NULL, 0) != 0) ||
		    (wanted++ >= top && top > 0))
			continue;
		cells = table_row(sheet->document, table)->cells;
		cells[0] = cell_text(one->inlined->shown);
		cells[1] = one->inlined->file == NULL ? (struct cell){ .kind = CELL_EMPTY }
						      : cell_text(one->inlined->file);
		cells[2] = bytes_cell(arena, (double)one->inlined->copies_with_code);
		cells[3] = bytes_cell(arena, (double)one->inlined->exclusive_bytes);
		cells[4] = bytes_cell(arena, one->central_bytes);
		cells[5] = bytes_cell(arena, one->low_bytes);
		cells[6] = bytes_cell(arena, one->high_bytes);
		cells[7] = cell_text(one->rule);
	}
	if (top > 0)
		size_left_out(sheet, "candidates", top, wanted);
	if (diff->calibration != NULL)
		document_note(sheet->document, "estimate", "%s", diff->calibration);
}
