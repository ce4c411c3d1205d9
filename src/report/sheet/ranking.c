/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variants in their order, with letters: two that share one cannot be told apart. */
#include <math.h>

#include "report/sheet/parts.h"

static const char *scope(const struct sheet *sheet, const struct ranking *ranking)
{
	if (ranking->cells > 1)
		return arena_printf(sheet->arena, "all %zu cells", ranking->cells);
	return sheet->findings->ranking_count > 1
		   ? sheet_cell_name(sheet, ranking->items[0].subject)
		   : "";
}

static void add_item(struct sheet *sheet, struct table *table, const struct ranking *ranking,
		     size_t place)
{
	struct cell *cells = table_row(sheet->document, table)->cells;
	const struct ranked *item = &ranking->items[place];

	cells[0] = cell_word(NULL, scope(sheet, ranking));
	cells[1] = cell_number(arena_printf(sheet->arena, "%zu", place + 1), (double)place + 1);
	cells[2] = cell_text(sheet_point_name(sheet, item->subject));
	cells[3] = cell_number(
	    item->change == 0 ? "-" : change_cell(sheet->arena, item->change, false), item->change);
	cells[4] = item->letters == NULL ? cell_word(NULL, NULL) : cell_text(item->letters);
}

void sheet_add_rankings(struct sheet *sheet)
{
	static const struct column columns[] = {
		{ .key = "cell", .audience = AUDIENCE_DATA },
		{ .key = "place", .title = "place", .align = ALIGN_RIGHT },
		{ .key = "variant", .title = "variant", .shrinks = true },
		{ .key = "change", .title = "change", .align = ALIGN_RIGHT },
		{ .key = "letters", .title = "letters" },
	};
	const struct findings *findings = sheet->findings;
	struct table *table;
	size_t i, j;

	if (findings->ranking_count == 0)
		return;
	table =
	    document_table(sheet->document, "ranking", columns, sizeof columns / sizeof *columns);
	table->title = arena_printf(sheet->arena,
				    "ranking by %s: two that share a letter cannot be told apart",
				    sheet_metric_phrase(sheet, findings->comparisons[0].metric));
	for (i = 0; i < findings->ranking_count; i++) {
		if (findings->ranking_count > 1)
			table_rule(sheet->document, table, scope(sheet, &findings->rankings[i]));
		for (j = 0; j < findings->rankings[i].count; j++)
			add_item(sheet, table, &findings->rankings[i], j);
	}
}
