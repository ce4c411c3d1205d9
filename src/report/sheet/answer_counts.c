/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer where primary comparisons are too many to be told one by one: how many came out how.
 */
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/sheet/parts.h"

/* From here on a sentence each is no answer any more; one that counts them is. */
enum { MOST_SENTENCES = 6 };

static size_t count_verdicts(const struct findings *findings, enum verdict verdict)
{
	size_t count = 0, i;

	for (i = 0; i < findings->comparison_count; i++)
		count +=
		    findings->comparisons[i].primary && findings->comparisons[i].verdict == verdict;
	return count;
}

static size_t count_primary(const struct findings *findings)
{
	size_t count = 0, i;

	for (i = 0; i < findings->comparison_count; i++)
		count += findings->comparisons[i].primary;
	return count;
}

/* The metric whose words fit all primary ones; where they differ, better and worse fit. */
static const struct metric *common_words(const struct sheet *sheet)
{
	static const struct metric neutral = { .name = "", .unit = "", .better = BETTER_HIGHER };
	const struct findings *findings = sheet->findings;
	const struct metric *first = &sheet->metrics[findings->comparisons[0].metric];
	size_t i;

	for (i = 0; i < findings->comparison_count; i++)
		if (findings->comparisons[i].primary &&
		    strcmp(sheet_verdict_word(VERDICT_WORSE, first),
			   sheet_verdict_word(VERDICT_WORSE,
					      &sheet->metrics[findings->comparisons[i].metric])))
			return &neutral;
	return first;
}

/* "3 FASTER, 2 SLOWER, 4 UNDECIDED" */
static const char *verdict_list(const struct sheet *sheet)
{
	static const enum verdict order[] = { VERDICT_BETTER,	  VERDICT_WORSE, VERDICT_CHANGED,
					      VERDICT_EQUIVALENT, VERDICT_SAME,	 VERDICT_UNDECIDED,
					      VERDICT_INVALID };
	const struct metric *words = common_words(sheet);
	const char *list = "";
	size_t count, i;

	for (i = 0; i < sizeof order / sizeof *order; i++) {
		count = count_verdicts(sheet->findings, order[i]);
		if (count > 0)
			list = arena_printf(
			    sheet->arena, "%s%s%zu %s", list, list[0] != '\0' ? ", " : "", count,
			    text_upper(sheet->arena, sheet_verdict_word(order[i], words)));
	}
	return list;
}

/* " Worse: sort (+3.10%), merge (+2.00%) and 4 others." Nobody should have to look for them. */
static const char *worse_list(const struct sheet *sheet)
{
	enum { NAMED = 5 };
	const struct findings *findings = sheet->findings;
	struct arena *arena = sheet->arena;
	const char *list = "", *of;
	size_t found = 0, i;

	for (i = 0; i < findings->comparison_count; i++) {
		const struct comparison *comparison = &findings->comparisons[i];

		if (!comparison->primary || comparison->verdict != VERDICT_WORSE ||
		    found++ >= NAMED)
			continue;
		of = plan_candidate_count(&sheet->recording->plan) > 1
			 ? arena_printf(arena, " of %s", sheet->names[comparison->candidate])
			 : "";
		list = arena_printf(
		    arena, "%s%s%s%s%s", list, found > 1 ? ", " : "",
		    sheet_metric_phrase(sheet, comparison->metric), of,
		    comparison->difference
			? ""
			: arena_printf(arena, " (%s)",
				       change_cell(arena, comparison->change, comparison->exact)));
	}
	if (found == 0)
		return "";
	if (found > NAMED)
		list = arena_printf(arena, "%s and %zu more", list, found - NAMED);
	return arena_printf(arena, " Worse: %s.", list);
}

/* "Of 9 comparisons of wall time: 3 FASTER, 2 SLOWER, 4 UNDECIDED."; of a set, "Of 9 benchmarks".
 */
const char *sheet_count_sentence(struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;
	size_t count = count_primary(findings);
	size_t candidates = plan_candidate_count(&sheet->recording->plan);
	const char *what;

	if (!sheet->recording->plan.all_decide)
		what = arena_printf(sheet->arena, "comparisons of %s",
				    sheet_metric_phrase(sheet, findings->comparisons[0].metric));
	else if (candidates > 1)
		what = arena_printf(sheet->arena, "comparisons (benchmarks of %zu candidates)",
				    candidates);
	else
		what = "benchmarks";
	return arena_printf(sheet->arena, "Of %zu %s: %s.%s", count, what, verdict_list(sheet),
			    sheet->recording->plan.all_decide ? worse_list(sheet) : "");
}

bool sheet_counts_only(const struct sheet *sheet)
{
	const struct plan *plan = &sheet->recording->plan;

	/* Where blocks have the answer, each of them says less. */
	return count_primary(sheet->findings) > MOST_SENTENCES ||
	       (plan->block != NULL && plan->subject_count > 2);
}
