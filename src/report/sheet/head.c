/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a sheet: the commands under their names, and one line of circumstances. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/sheet/parts.h"

/* A command longer than this is in the data in full; nobody reads it in a mail. */
enum { WIDEST_COMMAND = 480 };

size_t sheet_runs(const struct sheet *sheet, size_t subject, size_t *failed)
{
	const struct recording *recording = sheet->recording;
	size_t runs = recording_bulk_runs(recording, subject), i;

	*failed = 0;
	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if (sample->subject != subject || (sample->flags & SAMPLE_WARMUP))
			continue;
		runs++;
		*failed += (sample->flags & SAMPLE_FAILED) != 0;
	}
	return runs;
}

const char *sheet_failures(const struct sheet *sheet)
{
	const char *sentence = "";
	size_t runs, failed, i;

	for (i = 0; i < sheet->recording->plan.subject_count; i++) {
		runs = sheet_runs(sheet, i, &failed);
		sentence = arena_printf(sheet->arena, "%s%s%s %zu of %zu", sentence,
					i > 0 ? ", " : "", sheet->names[i], failed, runs);
	}
	return sentence;
}

/* When the judged runs began and ended, as the session's clock has it; false if unknown. */
static bool find_span(const struct recording *recording, int64_t *first_ns, int64_t *last_ns,
		      size_t *runs)
{
	size_t i;

	*runs = 0;
	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		if (sample->flags & SAMPLE_WARMUP)
			continue;
		if (sample->started_ns < 0)
			return false;
		if (*runs == 0)
			*first_ns = sample->started_ns;
		*last_ns = sample->started_ns;
		++*runs;
	}
	return *runs > 1 && *last_ns > *first_ns;
}

double sheet_round_s(const struct sheet *sheet)
{
	int64_t first_ns = 0, last_ns = 0;
	size_t runs;

	if (!find_span(sheet->recording, &first_ns, &last_ns, &runs))
		return NAN;
	return (double)(last_ns - first_ns) * 1e-9 / (double)(runs - 1) *
	       (double)sheet->recording->plan.subject_count;
}

/* The whole time of the judged rounds: the last run is taken to be as long as the average. */
static const char *elapsed(const struct sheet *sheet)
{
	int64_t first_ns = 0, last_ns = 0;
	size_t runs;
	double seconds;

	if (!find_span(sheet->recording, &first_ns, &last_ns, &runs))
		return "";
	seconds = (double)(last_ns - first_ns) * 1e-9;
	seconds *= (double)runs / (double)(runs - 1);
	return arena_printf(sheet->arena, " in %s",
			    units_duration(sheet->arena, (int64_t)(seconds * 1e9)));
}

/* The label is the file's name in its path: it says nothing more. */
static bool ends_path(const char *path, const char *label)
{
	size_t length = strlen(path), end = strlen(label);

	return length > end && path[length - end - 1] == '/' &&
	       strcmp(path + length - end, label) == 0;
}

static const char *command_text(const struct sheet *sheet, size_t subject)
{
	const struct subject *plan = &sheet->recording->plan.subjects[subject];
	struct arena *arena = sheet->arena;
	const char *text = plan_subject_text(arena, plan);
	const char *label = sheet->labels[subject];

	if (text[0] == '\0')
		text = label;
	else if (!sheet_is_grid(sheet) && strcmp(sheet->names[subject], label) != 0 &&
		 label[0] != '\0' && !ends_path(text, label) &&
		 strcmp(plan->label, plan->command) != 0)
		text = arena_printf(arena, "%s: %s", label, text);
	return text_fit(arena, text, WIDEST_COMMAND);
}

/* "5 and 6", "5, 6 and 7", or "5 to 9" for many. */
static const char *counts_text(const struct sheet *sheet)
{
	size_t count = sheet->recording->plan.subject_count;
	size_t failed, runs, least = SIZE_MAX, most = 0, i;
	const char *list = "";

	for (i = 0; i < count; i++) {
		runs = sheet_runs(sheet, i, &failed);
		least = runs < least ? runs : least;
		most = runs > most ? runs : most;
		list = arena_printf(sheet->arena, "%s%s%zu", list,
				    i == 0	     ? ""
				    : i + 1 == count ? " and "
						     : ", ",
				    runs);
	}
	if (least == most)
		return arena_printf(sheet->arena, "%zu run%s%s", most, most == 1 ? "" : "s",
				    count > 1 ? " a side" : "");
	if (count > 4)
		return arena_printf(sheet->arena, "%zu to %zu runs a side", least, most);
	return arena_printf(sheet->arena, "%s runs", list);
}

/* Nothing but means: of how many runs, where all say the same. */
static const char *means_text(const struct sheet *sheet)
{
	const struct recording *recording = sheet->recording;
	size_t count = recording->means[0].count, most = count, i;

	for (i = 1; i < recording->mean_count; i++) {
		size_t other = recording->means[i].count;

		count = other < count ? other : count;
		most = other > most ? other : most;
	}
	if (count != most)
		return count == 0
			   ? "means, some of an unknown number of runs"
			   : arena_printf(sheet->arena, "means of %zu to %zu runs", count, most);
	if (count == 0)
		return "means of an unknown number of runs";
	return arena_printf(sheet->arena, "means of %zu run%s a side", count,
			    count == 1 ? "" : "s");
}

static const char *rounds_text(const struct sheet *sheet)
{
	const struct recording *recording = sheet->recording;
	size_t last = plan_last_round(&recording->plan);
	const char *of = "";

	if (recording->mean_count > 0 && recording_run_count(recording) == 0)
		return means_text(sheet);
	if (!recording->order_known)
		return counts_text(sheet);
	if (last > recording->rounds_done)
		of = arena_printf(sheet->arena, " of %s", units_count(sheet->arena, (int64_t)last));
	return arena_printf(sheet->arena, "%s%s round%s%s",
			    units_count(sheet->arena, (int64_t)recording->rounds_done), of,
			    recording->rounds_done == 1 && of[0] == '\0' ? "" : "s",
			    elapsed(sheet));
}

static const char *margin_text(const struct sheet *sheet)
{
	const struct plan *plan = &sheet->recording->plan;
	struct arena *arena = sheet->arena;
	const char *text =
	    arena_printf(arena, ", margin %s", units_percent(arena, plan->margin_ratio));
	size_t i;

	for (i = 0; i < plan->margin_count; i++)
		text = arena_printf(
		    arena, "%s%s%s %s", text, i == 0 ? " (" : ", ",
		    text_clean(arena, plan->margins[i].metric, strlen(plan->margins[i].metric)),
		    units_percent(arena, plan->margins[i].ratio));
	return plan->margin_count > 0 ? arena_printf(arena, "%s)", text) : text;
}

static bool was_measured(const struct recording *recording)
{
	return recording->origin == NULL || strcmp(recording->origin, "measured") == 0;
}

static const char *order_text(const struct sheet *sheet)
{
	const struct recording *recording = sheet->recording;

	if (!recording->order_known)
		return ", not interleaved";
	if (recording->plan.subject_count < 2 || recording->rounds_done < 2)
		return "";
	if (recording->plan.order == ORDER_RANDOM)
		return ", random order";
	return was_measured(recording) ? ", fixed order" : ", paired";
}

/* Exact figures have neither margin nor interval. */
static bool has_sampling(const struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->comparison_count; i++)
		if (!findings->comparisons[i].exact)
			return true;
	return false;
}

static void add_circumstances(struct sheet *sheet)
{
	const struct recording *recording = sheet->recording;
	const struct plan *plan = &recording->plan;
	const char *origin = "", *judged = "", *warmup = "";

	if (!was_measured(recording))
		origin = arena_printf(
		    sheet->arena, ", from %s",
		    text_clean(sheet->arena, recording->origin, strlen(recording->origin)));
	if (plan_candidate_count(plan) > 0 && has_sampling(sheet->findings))
		judged = arena_printf(sheet->arena, "%s, %s intervals", margin_text(sheet),
				      units_percent(sheet->arena, plan->confidence));
	if (plan->warmup_rounds > 1)
		warmup = arena_printf(sheet->arena, " after %zu to warm up", plan->warmup_rounds);
	document_sentence(sheet->document, NULL, "%s%s%s%s%s", rounds_text(sheet), warmup,
			  order_text(sheet), origin, judged)
	    ->id = "circumstances";
}

/* Which look the verdict is of, where that is not the last round run. */
static const char *look_text(const struct sheet *sheet)
{
	const struct findings *findings = sheet->findings;

	if (plan_candidate_count(&sheet->recording->plan) == 0)
		return "";
	if (findings->look.rounds == 0)
		return ", before the first planned look: there is no verdict";
	if (findings->rounds_after_look == 0)
		return "";
	return arena_printf(sheet->arena,
			    "; the verdict is that of the look at %zu, later rounds are kept and "
			    "not judged",
			    findings->look.rounds);
}

const char *sheet_end_sentence(const struct sheet *sheet)
{
	const struct recording *recording = sheet->recording;
	const char *how = NULL, *resume = "";

	switch (recording->end) {
	case END_INTERRUPTED:
		how = "stopped by hand";
		break;
	case END_RUNNING:
		how = "the session broke off";
		break;
	case END_FAILED:
		how = "a failed run ended the session";
		break;
	case END_BUDGET:
		how = "the time budget ended it";
		break;
	case END_COMPLETE:
	case END_DECIDED:
		return NULL;
	}
	if (recording->id != NULL && recording->end != END_BUDGET)
		resume =
		    arena_printf(sheet->arena, " (worth compare --resume %s goes on)",
				 text_clean(sheet->arena, recording->id, strlen(recording->id)));
	return arena_printf(sheet->arena, "%s after %zu round%s%s%s", how, recording->rounds_done,
			    recording->rounds_done == 1 ? "" : "s", look_text(sheet), resume);
}

static void add_command(struct sheet *sheet, size_t subject, const char *name)
{
	const char *command = command_text(sheet, subject);
	struct block *block;

	if (strcmp(command, sheet->names[subject]) == 0)
		return;
	block = document_sentence(sheet->document, name, "%s", command);
	block->id = "command";
	block->verbatim = true;
}

/* The cells of a grid: "outside=0 as above; outside=100; outside=400" */
static void add_other_cells(struct sheet *sheet)
{
	const struct plan *plan = &sheet->recording->plan;
	const char *list = "";
	size_t i;

	for (i = 1; i < plan->subject_count; i++)
		if (plan->subjects[i].baseline == i)
			list =
			    arena_printf(sheet->arena, "%s; %s", list, sheet_cell_name(sheet, i));
	document_sentence(sheet->document, "cells", "%s as above%s", sheet_cell_name(sheet, 0),
			  list)
	    ->id = "cells";
}

/* Of a grid those of its first cell: the others differ in the levels of the factors. */
static void add_commands(struct sheet *sheet)
{
	bool grid = sheet_is_grid(sheet);
	size_t i;

	for (i = 0; i < sheet->recording->plan.subject_count; i++)
		if (!grid)
			add_command(sheet, i, sheet->names[i]);
		else if (sheet->recording->plan.subjects[i].baseline == 0)
			add_command(sheet, i, sheet_variant_name(sheet, i));
	if (grid)
		add_other_cells(sheet);
}

void sheet_add_head(struct sheet *sheet)
{
	const char *end = sheet_end_sentence(sheet);
	size_t first = sheet->document->block_count;
	struct block *block;

	add_commands(sheet);
	add_circumstances(sheet);
	sheet->document->blocks[first].apart = true;
	if (end == NULL)
		return;
	block = document_sentence(sheet->document, NULL, "%s", end);
	block->id = "session-end";
	block->tone = sheet->recording->end == END_BUDGET ? TONE_PLAIN : TONE_CAUTION;
}
