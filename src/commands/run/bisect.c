/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searching a line of revisions by verdicts. Like git bisect it halves what
 * lies between the last good and the first bad revision, and passes over those
 * that cannot be tested: not built, or undecided. The alpha of the whole is
 * shared by the steps that a search of this length takes (Bonferroni), so that
 * the revision named is wrong at most as often as one comparison would be.
 */
#include "commands/run/bisect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "commands/commands.h"
#include "commands/run/builds.h"
#include "commands/run/plan.h"
#include "experiment/repository.h"
#include "judge/judge.h"
#include "report/document.h"
#include "report/quantity.h"

enum answer { UNTESTED, GOOD, BAD, UNDECIDED, UNBUILT };

struct step {
	char *commit;
	char *words; /* "1a2b3c4 its subject" */
	enum answer answer;
	const char *session; /* id in the history; NULL: none */
	double change, low, high;
};

struct search {
	struct measuring *measuring;
	const struct run_settings *settings;
	const struct experiment *experiment;
	struct plan_settings plan;
	struct run_builds builds;
	char *top;
	struct step *steps;
	size_t count;
	size_t *order; /* of the steps that were tested */
	size_t tested;
};

/* Worse by more than the margin, or that excluded: anything else decides nothing here. */
static enum answer answer_of(const struct findings *findings)
{
	const struct comparison *primary = findings->comparisons;

	if (findings->comparison_count == 0 || findings->verdict == VERDICT_INVALID)
		return UNDECIDED;
	if (primary->verdict == VERDICT_WORSE && primary->beyond_margin)
		return BAD;
	return judge_requirement(findings, REQUIRE_NOT_WORSE) == REQUIREMENT_SHOWN ? GOOD
										   : UNDECIDED;
}

/* The base and one revision, as an experiment of their own. */
static struct experiment pair_of(struct search *search, const struct step *step)
{
	struct arena *arena = search->measuring->arena;
	struct experiment pair = *search->experiment;

	pair.variants = arena_copy(arena, search->experiment->variants,
				   2 * sizeof *search->experiment->variants);
	pair.variants[1].revision = step->commit;
	pair.variants[1].name = arena_strndup(arena, step->commit, 12);
	return pair;
}

/* Build and measure one revision against the base; false only for what ends the search. */
static bool test(struct search *search, size_t index, struct error *err)
{
	struct measuring *measuring = search->measuring;
	struct recording recording = { .origin = "measured", .order_known = true };
	struct step *step = &search->steps[index];
	struct experiment pair = pair_of(search, step);
	struct findings findings = { 0 };
	size_t missing;

	search->order[search->tested++] = index;
	step->change = step->low = step->high = NAN;
	if (!run_builds_make(measuring->arena, &pair, &search->builds, &missing, err))
		return false;
	step->answer = UNBUILT;
	if (missing > 0)
		return true;
	if (!search->settings->quiet)
		fprintf(stderr, "worth: testing %s\n", step->words);
	if (!run_plan_make(measuring->arena, &pair, &search->plan, true, &recording.plan, err) ||
	    !measured_run(measuring, &recording, false, err))
		return false;
	judge_recording(measuring->arena, &recording, &findings);
	step->answer = answer_of(&findings);
	step->session = recording.id;
	if (findings.comparison_count > 0) {
		step->change = findings.comparisons[0].change;
		step->low = findings.comparisons[0].change_low;
		step->high = findings.comparisons[0].change_high;
	}
	return true;
}

/* The untested revision nearest to the middle of what is between good and bad; bad if none. */
static size_t choose(const struct search *search, size_t good, size_t bad)
{
	size_t middle = good + (bad - good) / 2, distance, i;

	for (distance = 0; distance < bad - good; distance++)
		for (i = 0; i < 2; i++) {
			size_t index = i == 0 ? middle - distance : middle + distance;

			if (index > good && index < bad && search->steps[index].answer == UNTESTED)
				return index;
		}
	return bad;
}

/* Steps of a search that meets nothing untestable: the last revision, then halving. */
static size_t expected_steps(size_t count)
{
	size_t steps = 1;

	while (count > 1) {
		count = (count + 1) / 2;
		steps++;
	}
	return steps;
}

/* good and bad are indices of steps plus one; 0 is the base. */
static bool halve(struct search *search, size_t *good, size_t *bad, struct error *err)
{
	while (*bad - *good > 1) {
		size_t index = choose(search, *good, *bad);

		if (index == *bad)
			return true;
		if (!test(search, index, err))
			return false;
		if (search->steps[index].answer == GOOD)
			*good = index;
		else if (search->steps[index].answer == BAD)
			*bad = index;
	}
	return true;
}

static const char *answer_word(enum answer answer)
{
	static const char *const words[] = { [UNTESTED] = "not tested",
					     [GOOD] = "good",
					     [BAD] = "bad",
					     [UNDECIDED] = "undecided",
					     [UNBUILT] = "does not build" };

	return words[answer];
}

static void add_table(struct arena *arena, const struct search *search, struct document *document)
{
	static const struct column columns[] = {
		{ .key = "revision", .title = "revision", .shrinks = true },
		{ .key = "change", .title = "change", .align = ALIGN_RIGHT },
		{ .key = "change_low", .audience = AUDIENCE_DATA },
		{ .key = "change_high", .audience = AUDIENCE_DATA },
		{ .key = "interval", .title = "interval", .audience = AUDIENCE_PEOPLE },
		{ .key = "answer", .title = "answer" },
		{ .key = "session", .title = "session" },
	};
	struct table *table = document_table(document, "steps", columns, 7);
	size_t i;

	document->csv_table = "steps";
	for (i = 0; i < search->tested; i++) {
		const struct step *step = &search->steps[search->order[i]];
		struct cell *cells = table_row(document, table)->cells;
		bool known = isfinite(step->change);

		cells[0] = cell_text(step->words);
		cells[1] = cell_number(known ? change_cell(arena, step->change, false) : "-",
				       step->change);
		cells[2] = cell_number(NULL, step->low);
		cells[3] = cell_number(NULL, step->high);
		cells[4] = cell_text(known ? change_interval(arena, step->low, step->high) : "-");
		cells[5] = cell_text(answer_word(step->answer));
		cells[5].tone = step->answer == BAD    ? TONE_BAD
				: step->answer == GOOD ? TONE_GOOD
						       : TONE_CAUTION;
		cells[6] = cell_text(step->session);
	}
}

static void add_answer(struct search *search, struct document *document, size_t good, size_t bad)
{
	const char *primary = search->plan.primary;
	size_t i;

	if (bad - good == 1) {
		document_sentence(document, NULL,
				  "%s is the first revision whose %s is worse than that of %s by "
				  "more than the margin.",
				  search->steps[bad].words, primary,
				  search->experiment->variants[0].name)
		    ->tone = TONE_BAD;
		return;
	}
	document_sentence(document, NULL,
			  "The first revision whose %s is worse than that of %s by more than the "
			  "margin is one of %zu, since those between could not be decided:",
			  primary, search->experiment->variants[0].name, bad - good)
	    ->tone = TONE_CAUTION;
	for (i = good + 1; i <= bad; i++)
		document_sentence(document, answer_word(search->steps[i].answer), "%s",
				  search->steps[i].words);
}

static int report(struct search *search, size_t good, size_t bad, struct error *err)
{
	struct arena *arena = search->measuring->arena;
	struct document *document = document_make(arena, "bisect", "worth run --bisect");
	bool decided = good == search->count || bad - good == 1;

	if (good == search->count)
		document_sentence(document, NULL,
				  "%s is not worse than %s by more than the margin: there is "
				  "nothing to find.",
				  search->steps[good].words, search->experiment->variants[0].name);
	else
		add_answer(search, document, good, bad);
	add_table(arena, search, document);
	document_note(document, "sure",
		      "%zu steps, each decided at %.4g%% confidence: all of them are right at "
		      "least %.4g%% of the time, if one revision made it worse and none made it "
		      "better again",
		      search->tested, 100 * search->plan.confidence,
		      100 * (1 - (1 - search->plan.confidence) * (double)search->tested));
	if (!output_write(&search->settings->output, document, err))
		return command_trouble(err);
	return decided ? EXIT_NOT_WORSE : EXIT_UNDECIDED;
}

static bool find_line(struct search *search, struct error *err)
{
	const struct variant *variants = search->experiment->variants;
	struct arena *arena = search->measuring->arena;
	char **commits;
	size_t i;

	if (!repository_find(arena, variants[0].repository, &search->top, err) ||
	    !repository_range(
		arena, search->top,
		arena_printf(arena, "%s..%s", variants[0].revision, variants[1].revision), &commits,
		&search->count, err))
		return false;
	if (search->count == 0)
		return error_set(err, ERROR_USAGE, "there is no revision between %s and %s",
				 variants[0].revision, variants[1].revision);
	/* Step 0 stands for the base. */
	search->steps = arena_alloc(arena, search->count + 1, sizeof *search->steps);
	search->order = arena_alloc(arena, search->count + 1, sizeof *search->order);
	for (i = 1; i <= search->count; i++) {
		search->steps[i].commit = commits[i - 1];
		if (!repository_describe(arena, search->top, commits[i - 1],
					 &search->steps[i].words, err))
			return false;
	}
	return true;
}

int run_bisect(struct measuring *measuring, const struct run_settings *settings,
	       struct experiment *experiment, const struct plan_settings *plan_settings,
	       struct error *err)
{
	struct search search = { .measuring = measuring,
				 .settings = settings,
				 .experiment = experiment,
				 .plan = *plan_settings,
				 .builds = { .jobs = settings->jobs,
					     .interrupt_fd = measuring->interrupt.fd,
					     .quiet = settings->quiet } };
	size_t good = 0, bad;
	int taken;

	if (!find_line(&search, err))
		return command_trouble(err);
	search.plan.confidence =
	    1 - (1 - plan_settings->confidence) / (double)expected_steps(search.count);
	bad = search.count;
	if (test(&search, bad, err) && search.steps[bad].answer == BAD) {
		if (halve(&search, &good, &bad, err))
			return report(&search, good, bad, err);
	} else if (err->kind == ERROR_NONE && search.steps[bad].answer == GOOD) {
		return report(&search, bad, bad, err);
	} else if (err->kind == ERROR_NONE) {
		error_set(err, ERROR_COMMAND,
			  "%s is not shown to be worse than %s by more than the margin, nor is "
			  "that excluded (%s): more rounds (--set rounds=%zu) or a larger margin "
			  "would decide it",
			  search.steps[bad].words, experiment->variants[0].name,
			  answer_word(search.steps[bad].answer),
			  2 * (plan_settings->rounds > 0 ? plan_settings->rounds : 80));
	}
	taken = interrupt_taken(&measuring->interrupt);
	command_trouble(err);
	return taken != 0 ? EXIT_SIGNAL + taken : EXIT_TROUBLE;
}
