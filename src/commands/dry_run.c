/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --dry-run: the plan is a value, so it can be read before it is run. */
#include "commands/dry_run.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "measure/schedule.h"
#include "report/document.h"
#include "stats/looks.h"

enum { ROUNDS_SHOWN = 1000 };

static void add_subjects(struct document *document, const struct plan *plan)
{
	static const struct column columns[] = {
		{ .key = "subject", .title = "" },
		{ .key = "label", .title = "name", .shrinks = true },
		{ .key = "compared_with", .title = "vs" },
		{ .key = "command", .title = "command", .shrinks = true },
	};
	struct table *table = document_table(document, "subjects", columns, 4);
	size_t i;

	for (i = 0; i < plan->subject_count; i++) {
		const struct subject *subject = &plan->subjects[i];
		struct row *row = table_row(document, table);

		row->cells[0] =
		    cell_number(arena_printf(document->arena, "%zu", i + 1), (double)(i + 1));
		row->cells[1] =
		    cell_text(text_clean(document->arena, subject->label, strlen(subject->label)));
		row->cells[3] = cell_text(plan_subject_text(document->arena, subject));
		if (subject->baseline != i)
			row->cells[2] =
			    cell_number(arena_printf(document->arena, "%zu", subject->baseline + 1),
					(double)(subject->baseline + 1));
	}
}

static void add_looks(struct document *document, const struct plan *plan)
{
	static const struct column columns[] = {
		{ .key = "rounds", .title = "look after", .align = ALIGN_RIGHT },
		{ .key = "level", .title = "interval", .align = ALIGN_RIGHT },
	};
	size_t candidates = plan_candidate_count(plan), i;
	struct looks looks;
	struct table *table;

	if (candidates == 0)
		return;
	looks = looks_plan(plan->rounds, plan->extended_rounds, plan->confidence,
			   (double)candidates, plan->peek);
	table = document_table(document, "looks", columns, 2);
	for (i = 0; i < looks.count; i++) {
		struct row *row = table_row(document, table);

		row->cells[0] =
		    cell_number(arena_printf(document->arena, "%zu rounds", looks.items[i].n),
				(double)looks.items[i].n);
		row->cells[1] = cell_number(
		    arena_printf(document->arena, "%.2f%%", 100 * (1 - looks.items[i].alpha)),
		    looks.items[i].alpha);
	}
}

static void add_order(struct document *document, const struct plan *plan)
{
	static const struct column columns[] = {
		{ .key = "round", .title = "round", .align = ALIGN_RIGHT },
		{ .key = "order", .title = "order" },
	};
	struct table *table = document_table(document, "order", columns, 2);
	struct slot *slots = arena_alloc(document->arena, plan->subject_count + 1, sizeof *slots);
	size_t shown = plan->rounds < ROUNDS_SHOWN ? plan->rounds : ROUNDS_SHOWN, i, j;

	for (i = 0; i < shown; i++) {
		struct row *row = table_row(document, table);
		struct text order = { 0 };

		schedule_round(plan, i, false, slots);
		for (j = 0; j < plan->subject_count; j++)
			text_printf(&order, "%s%u", j > 0 ? " " : "", slots[j].subject + 1);
		row->cells[0] =
		    cell_number(arena_printf(document->arena, "%zu", i + 1), (double)(i + 1));
		row->cells[1] = cell_text(arena_strdup(document->arena, text_string(&order)));
		text_release(&order);
	}
	if (shown < plan->rounds)
		document_sentence(document, NULL, "... and so on to round %zu.", plan->rounds);
}

bool dry_run_print(struct arena *arena, const struct plan *plan,
		   const struct output_settings *output, struct error *err)
{
	struct document *document = document_make(arena, "plan", "What would be run");

	document_sentence(document, NULL,
			  "%zu warm-up and at most %zu judged rounds of %zu command%s, seed %llu; "
			  "nothing was run.",
			  plan->warmup_rounds, plan->rounds, plan->subject_count,
			  plan->subject_count == 1 ? "" : "s", (unsigned long long)plan->seed);
	add_subjects(document, plan);
	add_looks(document, plan);
	add_order(document, plan);
	document->csv_table = "order";
	return output_write(output, document, err);
}
