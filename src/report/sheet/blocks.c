/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer over layouts or sessions, which stands before that of any of them. */
#include <math.h>

#include "report/sheet/parts.h"

static void add_sentence(struct sheet *sheet, const struct blocked *blocked)
{
	const struct comparison *comparison = &blocked->comparison;
	const char *candidate = sheet_variant_name(sheet, comparison->candidate);
	const char *phrase = sheet_metric_phrase(sheet, comparison->metric);
	struct block *block;

	if (!isfinite(comparison->change_low) || !isfinite(comparison->change_high))
		block = document_sentence(
		    sheet->document, NULL,
		    "Over %zu %ss %s is UNDECIDED: at least 3 are needed for an interval.",
		    comparison->pairs, blocked->block, candidate);
	else
		block = document_sentence(
		    sheet->document, NULL,
		    "Over %zu %ss %s changes %s by %s (%s): %s. From one %s to the next "
		    "the change itself varies by %s.",
		    comparison->pairs, blocked->block, candidate, phrase,
		    change_cell(sheet->arena, comparison->change, false),
		    change_interval(sheet->arena, comparison->change_low, comparison->change_high),
		    sheet_verdict_word(comparison->verdict, &sheet->metrics[comparison->metric]),
		    blocked->block, change_share(sheet->arena, expm1(blocked->between)));
	block->id = "blocks";
	block->tone =
	    comparison->verdict == VERDICT_BETTER  ? TONE_GOOD
	    : comparison->verdict == VERDICT_WORSE ? TONE_BAD
	    : comparison->verdict == VERDICT_UNDECIDED || comparison->verdict == VERDICT_INVALID
		? TONE_CAUTION
		: TONE_PLAIN;
}

void sheet_add_blocks(struct sheet *sheet)
{
	static const struct column columns[] = {
		{ .key = "block" },	  { .key = "blocks" },	{ .key = "candidate" },
		{ .key = "metric" },	  { .key = "change" },	{ .key = "change_low" },
		{ .key = "change_high" }, { .key = "between" }, { .key = "level" },
		{ .key = "verdict" },
	};
	const struct findings *findings = sheet->findings;
	struct table *table;
	size_t i;

	if (findings->blocked_count == 0)
		return;
	for (i = 0; i < findings->blocked_count; i++)
		add_sentence(sheet, &findings->blocked[i]);
	table =
	    document_table(sheet->document, "blocks", columns, sizeof columns / sizeof *columns);
	table->audience = AUDIENCE_DATA;
	for (i = 0; i < findings->blocked_count; i++) {
		const struct blocked *blocked = &findings->blocked[i];
		const struct comparison *comparison = &blocked->comparison;
		struct cell *cells = table_row(sheet->document, table)->cells;

		cells[0] = cell_word(NULL, blocked->block);
		cells[1] = cell_number(NULL, (double)comparison->pairs);
		cells[2] = cell_word(NULL, sheet_variant_name(sheet, comparison->candidate));
		cells[3] = cell_word(NULL, sheet->metrics[comparison->metric].name);
		cells[4] = cell_number(NULL, comparison->change);
		cells[5] = cell_number(NULL, comparison->change_low);
		cells[6] = cell_number(NULL, comparison->change_high);
		cells[7] = cell_number(NULL, blocked->between);
		cells[8] = cell_number(NULL, comparison->level);
		cells[9] = cell_word(NULL, verdict_name(comparison->verdict));
	}
}
