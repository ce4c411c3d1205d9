/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a study asks, at the top, and how its claims fared on this machine, at
 * the end: each beside the published figure, decided by its interval.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sheet/parts.h"

static const char *clean(const struct sheet *sheet, const char *text)
{
	return text == NULL ? NULL : text_clean(sheet->arena, text, strlen(text));
}

void sheet_add_question(struct sheet *sheet)
{
	const struct study *study = sheet->recording->plan.study;

	if (study == NULL)
		return;
	if (study->name != NULL)
		sheet->document->title =
		    arena_printf(sheet->arena, "worth study %s", clean(sheet, study->name));
	if (study->summary != NULL)
		document_sentence(sheet->document, NULL, "%s.", clean(sheet, study->summary))->id =
		    "question";
}

/* "at least 2% lower", "the same within 2%", "lower" */
static const char *needed(const struct sheet *sheet, const struct claim *claim)
{
	const char *word = claim_direction_name(claim->direction);
	const char *percent = units_percent(sheet->arena, claim->least_ratio);

	if (claim->direction == CLAIM_SAME)
		return arena_printf(sheet->arena, "the same within %s", percent);
	if (claim->least_ratio > 0)
		return arena_printf(sheet->arena, "at least %s %s", percent, word);
	return word;
}

static enum tone tone_of(enum claim_answer answer)
{
	static const enum tone tones[] = { [CLAIM_UNDECIDED] = TONE_CAUTION,
					   [CLAIM_REPRODUCED] = TONE_GOOD,
					   [CLAIM_REFUTED] = TONE_BAD };

	return tones[answer];
}

static const char *metric_of(const struct sheet *sheet, const struct claim *claim)
{
	return clean(sheet, claim->metric == NULL ? sheet->recording->plan.primary : claim->metric);
}

static const struct column columns[] = {
	{ .key = "claim", .audience = AUDIENCE_DATA },
	{ .key = "says", .title = "claim", .shrinks = true },
	{ .key = "metric", .title = "metric" },
	{ .key = "candidate", .audience = AUDIENCE_DATA },
	{ .key = "baseline", .audience = AUDIENCE_DATA },
	{ .key = "direction", .audience = AUDIENCE_DATA },
	{ .key = "least", .audience = AUDIENCE_DATA },
	{ .key = "needed", .title = "claimed", .audience = AUDIENCE_PEOPLE },
	{ .key = "published", .audience = AUDIENCE_DATA },
	{ .key = "source", .audience = AUDIENCE_DATA },
	{ .key = "change", .title = "here", .align = ALIGN_RIGHT },
	{ .key = "change_low", .audience = AUDIENCE_DATA },
	{ .key = "change_high", .audience = AUDIENCE_DATA },
	{ .key = "level", .audience = AUDIENCE_DATA },
	{ .key = "rounds", .audience = AUDIENCE_DATA },
	{ .key = "interval", .title = "interval", .audience = AUDIENCE_PEOPLE },
	{ .key = "answer", .title = "answer" },
};

static void add_claim(struct sheet *sheet, struct table *table, const struct claim *claim,
		      const struct claim_finding *finding)
{
	struct cell *cell = table_row(sheet->document, table)->cells;
	bool measured = isfinite(finding->change);

	*cell++ = cell_word(NULL, clean(sheet, claim->name));
	*cell++ = cell_text(clean(sheet, claim->says));
	*cell++ = cell_text(metric_of(sheet, claim));
	*cell++ = cell_word(NULL, sheet->labels[claim->candidate]);
	*cell++ = cell_word(NULL, sheet->labels[claim->baseline]);
	*cell++ = cell_word(NULL, claim_direction_name(claim->direction));
	*cell++ = cell_number(NULL, claim->least_ratio);
	*cell++ = cell_text(needed(sheet, claim));
	*cell++ = cell_word(NULL, clean(sheet, claim->published));
	*cell++ = cell_word(NULL, clean(sheet, claim->source));
	*cell++ = cell_number(measured ? change_cell(sheet->arena, finding->change, false) : "-",
			      finding->change);
	*cell++ = cell_number(NULL, finding->change_low);
	*cell++ = cell_number(NULL, finding->change_high);
	*cell++ = cell_number(NULL, finding->level);
	*cell++ = cell_number(NULL, (double)finding->rounds);
	*cell++ = cell_text(
	    measured ? change_interval(sheet->arena, finding->change_low, finding->change_high)
		     : "not measured");
	*cell = cell_text(claim_answer_name(finding->answer));
	cell->tone = tone_of(finding->answer);
}

/* What was published, one note a figure: a source may be long. */
static void add_published(struct sheet *sheet, const struct study *study)
{
	size_t i;

	for (i = 0; i < study->claim_count; i++) {
		const struct claim *claim = &study->claims[i];

		if (claim->published == NULL)
			continue;
		document_note(sheet->document, "published", "%s: %s%s%s%s",
			      clean(sheet, claim->says), clean(sheet, claim->published),
			      claim->source == NULL ? "" : " (",
			      claim->source == NULL ? "" : clean(sheet, claim->source),
			      claim->source == NULL ? "" : ")");
	}
}

static size_t count_of(const struct findings *findings, enum claim_answer answer)
{
	size_t count = 0, i;

	for (i = 0; i < findings->claim_count; i++)
		count += findings->claims[i].answer == answer;
	return count;
}

/* The last word. */
static void add_answer(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	size_t reproduced = count_of(findings, CLAIM_REPRODUCED), of = findings->claim_count;
	size_t refuted = count_of(findings, CLAIM_REFUTED);
	enum claim_answer answer = refuted > 0	      ? CLAIM_REFUTED
				   : reproduced == of ? CLAIM_REPRODUCED
						      : CLAIM_UNDECIDED;
	struct block *block;

	if (answer == CLAIM_UNDECIDED)
		block = document_sentence(
		    sheet->document, NULL,
		    "UNDECIDED on this machine: %zu of %zu claim%s reproduced, %zu "
		    "open.",
		    reproduced, of, of == 1 ? "" : "s", of - reproduced);
	else
		block = document_sentence(
		    sheet->document, NULL, "%s on this machine: %zu of %zu claim%s.",
		    answer == CLAIM_REFUTED ? "REFUTED" : "REPRODUCED",
		    answer == CLAIM_REFUTED ? refuted : reproduced, of, of == 1 ? "" : "s");
	block->id = "study";
	block->tone = tone_of(answer);
	block->apart = true;
}

void sheet_add_claims(struct sheet *sheet)
{
	const struct study *study = sheet->recording->plan.study;
	struct table *table;
	size_t i;

	if (study == NULL || sheet->findings->claim_count == 0)
		return;
	table =
	    document_table(sheet->document, "claims", columns, sizeof columns / sizeof *columns);
	table->title =
	    arena_printf(sheet->arena, "what was claimed, and what is so here (%.4g%% intervals)",
			 100 * (1 - sheet->findings->claims[0].level));
	for (i = 0; i < study->claim_count; i++)
		add_claim(sheet, table, &study->claims[i], &sheet->findings->claims[i]);
	add_published(sheet, study);
	add_answer(sheet);
}
