/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One function's code in both images, as a table of the size sheet. */
#include "base/units.h"
#include "report/size/parts.h"

enum { CONTEXT_LINES = 3 };

/* Whether people see a line: near a change, or all of it where nothing is compared. */
static bool is_near_change(const struct code_listing *listing, size_t line)
{
	size_t first = line < CONTEXT_LINES ? 0 : line - CONTEXT_LINES, i;

	if (!listing->pair)
		return true;
	for (i = first; i <= line + CONTEXT_LINES && i < listing->line_count; i++)
		if (listing->lines[i].mark != ' ')
			return true;
	return false;
}

static void fill_line(const struct size_sheet *sheet, struct cell *cells,
		      const struct code_line *line)
{
	static const char *const marks[] = { [' '] = " ", ['-'] = "-", ['+'] = "+" };

	cells[0] = cell_text(marks[(unsigned char)line->mark]);
	cells[1] =
	    cell_number(arena_printf(sheet->arena, "+0x%llx", (unsigned long long)line->offset),
			(double)line->offset);
	cells[2] = cell_text(line->text);
	if (line->mark != ' ')
		cells[0].tone = cells[2].tone = line->mark == '-' ? TONE_GOOD : TONE_BAD;
}

void size_add_listing(const struct size_sheet *sheet, const struct code_listing *listing)
{
	static const struct column columns[] = {
		{ "mark", "", ALIGN_LEFT, AUDIENCE_ALL, false },
		{ "offset", "offset", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "instruction", "instruction", ALIGN_LEFT, AUDIENCE_ALL, false },
	};
	struct document *document = sheet->document;
	struct table *data = document_table(document, "code", columns, 3);
	struct table *people = NULL;
	size_t i, changed = 0;
	bool skipped = false;

	data->audience = AUDIENCE_DATA;
	for (i = 0; i < listing->line_count; i++) {
		fill_line(sheet, table_row(document, data)->cells, &listing->lines[i]);
		changed += listing->lines[i].mark != ' ';
	}
	if (listing->pair)
		document_sentence(
		    document, NULL, "%s: %s instructions, %s bytes -> %s instructions, %s bytes%s",
		    listing->function, units_count(sheet->arena, (int64_t)listing->baseline_count),
		    units_count(sheet->arena, (int64_t)listing->baseline_bytes),
		    units_count(sheet->arena, (int64_t)listing->candidate_count),
		    units_count(sheet->arena, (int64_t)listing->candidate_bytes),
		    changed == 0 ? "; apart from addresses they are the same." : ".")
		    ->apart = true;
	for (i = 0; i < listing->line_count; i++) {
		if (!is_near_change(listing, i)) {
			skipped = true;
			continue;
		}
		if (people == NULL) {
			people = document_table(document, "shown_code", columns, 3);
			people->audience = AUDIENCE_PEOPLE;
		} else if (skipped) {
			table_rule(document, people, "");
		}
		skipped = false;
		fill_line(sheet, table_row(document, people)->cells, &listing->lines[i]);
	}
	if (listing->stated != NULL)
		document_note(document, "note", "%s: %s.", listing->function, listing->stated);
}
