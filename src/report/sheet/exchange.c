/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several metrics as one, at the rate that the reader gave. */
#include <math.h>

#include "base/units.h"
#include "report/sheet/parts.h"

/* "all in all as 3.20% less wall time (between 2.90 and 3.50% less): better" is read as a change
 * of the rate's first metric. */
static void add_sentence(struct sheet *sheet, const struct comparison *comparison)
{
	const char *verdict = verdict_name(comparison->verdict);
	const char *range =
	    change_interval(sheet->arena, comparison->change_low, comparison->change_high);
	struct block *block;

	block = document_sentence(
	    sheet->document, NULL, "At %s, %s counts as %s of %s%s: %s.", sheet->findings->rate,
	    sheet->names[comparison->candidate],
	    isfinite(comparison->change) ? change_cell(sheet->arena, comparison->change, false)
					 : "an unknown change",
	    sheet_metric_phrase(sheet, comparison->metric),
	    comparison->exact ? "" : arena_printf(sheet->arena, " (%s)", range), verdict);
	block->id = "exchange";
	block->tone = comparison->verdict == VERDICT_BETTER	 ? TONE_GOOD
		      : comparison->verdict == VERDICT_WORSE	 ? TONE_BAD
		      : comparison->verdict == VERDICT_UNDECIDED ? TONE_CAUTION
								 : TONE_PLAIN;
}

void sheet_add_exchanged(struct sheet *sheet)
{
	static const struct column columns[] = {
		{ .key = "candidate" }, { .key = "metric" },	 { .key = "metrics" },
		{ .key = "change" },	{ .key = "change_low" }, { .key = "change_high" },
		{ .key = "level" },	{ .key = "margin" },	 { .key = "verdict" },
	};
	const struct findings *findings = sheet->findings;
	struct table *table;
	size_t i;

	if (findings->exchanged_count == 0)
		return;
	for (i = 0; i < findings->exchanged_count; i++)
		add_sentence(sheet, &findings->exchanged[i].comparison);
	table =
	    document_table(sheet->document, "exchange", columns, sizeof columns / sizeof *columns);
	table->audience = AUDIENCE_DATA;
	for (i = 0; i < findings->exchanged_count; i++) {
		const struct comparison *comparison = &findings->exchanged[i].comparison;
		struct cell *cells = table_row(sheet->document, table)->cells;

		cells[0] = cell_word(NULL, sheet->labels[comparison->candidate]);
		cells[1] = cell_word(NULL, sheet->metrics[comparison->metric].name);
		cells[2] = cell_number(NULL, (double)findings->exchanged[i].metrics);
		cells[3] = cell_number(NULL, comparison->change);
		cells[4] = cell_number(NULL, comparison->change_low);
		cells[5] = cell_number(NULL, comparison->change_high);
		cells[6] = cell_number(NULL, comparison->level);
		cells[7] = cell_number(NULL, comparison->margin_ratio);
		cells[8] = cell_word(NULL, verdict_name(comparison->verdict));
	}
}
