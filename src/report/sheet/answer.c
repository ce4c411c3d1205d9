/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer in plain sentences, at the top of the sheet (docs/method.md, section 6). */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/sheet/parts.h"

static struct block *add_sentence(struct sheet *sheet, const char *sentence, bool apart)
{
	struct block *block = document_sentence(sheet->document, NULL, "%s", sentence);

	block->id = "answer";
	block->apart = apart;
	return block;
}

static bool is_among(const char *const *sentences, size_t count, const char *sentence)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(sentences[i], sentence) == 0)
			return true;
	return false;
}

static void add_each(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	const char **told = arena_alloc(sheet->arena, findings->comparison_count, sizeof *told);
	size_t count = 0, i;

	for (i = 0; i < findings->comparison_count; i++) {
		if (!findings->comparisons[i].primary)
			continue;
		told[count] = sheet_comparison_sentence(sheet, &findings->comparisons[i]);
		/* Too few runs are too few for all. */
		if (told[count] == NULL || is_among(told, count, told[count]))
			continue;
		add_sentence(sheet, told[count], count == 0)->tone =
		    sheet_verdict_tone(findings->comparisons[i].verdict);
		count++;
	}
}

static void add_invalid(struct sheet *sheet)
{
	add_sentence(sheet,
		     arena_printf(sheet->arena,
				  "INVALID: runs failed (%s), so nothing is concluded from the "
				  "others.",
				  sheet_failures(sheet)),
		     true);
	sheet->document->blocks[sheet->document->block_count - 1].tone = TONE_BAD;
}

/* Nothing was compared: what these runs could have told, had there been another side. */
static void add_alone(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	const struct comparison *comparison = NULL;
	size_t count = sheet->recording->plan.subject_count, i;
	const char *could = "", *how_many = "One command was";
	const char *origin = sheet->recording->origin;

	if (origin != NULL && strcmp(origin, "measured") != 0) {
		add_sentence(sheet,
			     "One side was read, and nothing was compared: a second file, or --by "
			     "LABEL, makes another side.",
			     true);
		return;
	}
	if (count > 1)
		how_many = arena_printf(sheet->arena, "%zu commands were", count);
	for (i = 0; i < findings->comparison_count && comparison == NULL; i++)
		if (findings->comparisons[i].primary)
			comparison = &findings->comparisons[i];
	if (count == 1 && comparison != NULL && isfinite(comparison->resolvable_ratio))
		could = arena_printf(sheet->arena,
				     " %zu runs like these on each of two sides could have shown a "
				     "difference of %s in %s.",
				     comparison->pairs,
				     change_share(sheet->arena, comparison->resolvable_ratio),
				     sheet_metric_phrase(sheet, comparison->metric));
	add_sentence(
	    sheet,
	    arena_printf(sheet->arena, "%s measured; nothing was compared.%s", how_many, could),
	    true);
}

/* A/A mode: the answer is what the check found; the sentence is the judge's. */
static void add_self_check(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	size_t i;

	for (i = 0; i < findings->warning_count; i++) {
		if (findings->warnings[i].kind != WARNING_SELF_CHECK)
			continue;
		add_sentence(sheet, sheet_sentence(sheet, findings->warnings[i].sentence), true);
	}
}

void sheet_add_answer(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;

	if (plan_candidate_count(&sheet->recording->plan) == 0)
		add_alone(sheet);
	else if (findings->verdict == VERDICT_INVALID)
		add_invalid(sheet);
	else if (findings->verdict == VERDICT_NONE)
		add_sentence(sheet, "NO VERDICT: no planned look was completed.", true);
	else if (sheet_counts_only(sheet))
		add_sentence(sheet, sheet_count_sentence(sheet), true);
	else
		add_each(sheet);
	add_self_check(sheet);
}
