/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cases whose sheets are kept. Figures are plausible and made up. */
#include <math.h>
#include <string.h>

#include "cases.h"

/* The metrics of an ordinary session, in the recording's order. */
struct usual {
	size_t wall, cpu, user, sys, max_rss, text;
};

static struct usual usual_metrics(struct made *made)
{
	struct usual usual = {
		.wall = made_metric(made, "wall", "s", SOURCE_CLOCK),
		.cpu = made_metric(made, "cpu", "s", SOURCE_RUSAGE),
		.user = made_metric(made, "user", "s", SOURCE_RUSAGE),
		.sys = made_metric(made, "sys", "s", SOURCE_RUSAGE),
		.max_rss = made_metric(made, "max rss", "B", SOURCE_RUSAGE),
		.text = made_metric(made, "text", "B", SOURCE_FILE),
	};

	made->recording.metrics[usual.text].exact = true;
	return usual;
}

static void usual_values(struct made *made, const struct usual *usual, double ratio)
{
	made_values(made, usual->wall, 0, 0.1507, 0.0015, 1e-9);
	made_values(made, usual->wall, 1, 0.1507 * ratio, 0.0007, 1e-9);
	made_values(made, usual->cpu, 0, 0.1592, 0.0005, 1e-6);
	made_values(made, usual->cpu, 1, 0.1592 * ratio, 0.0002, 1e-6);
	made_values(made, usual->user, 0, 0.1096, 0.0004, 1e-6);
	made_values(made, usual->user, 1, 0.1096 * ratio, 0.0002, 1e-6);
	made_values(made, usual->sys, 0, 0.0496, 0.0005, 1e-6);
	made_values(made, usual->sys, 1, 0.0496 * ratio, 0.0001, 1e-6);
	made_values(made, usual->max_rss, 0, 43201331, 20000, 4096);
	made_values(made, usual->max_rss, 1, 43201331, 20000, 4096);
	made_values(made, usual->text, 0, 1797108, 0, 1);
	made_values(made, usual->text, 1, 1807824, 0, 1);
}

static void text_grew(struct made *made, size_t text)
{
	struct comparison *comparison =
	    made_compare(made, text, 1, VERDICT_WORSE, 10716.0 / 1797108, 10716.0 / 1797108);

	comparison->exact = true;
	comparison->method = "exact";
	comparison->p = comparison->p_adjusted = comparison->level = NAN;
}

static void one_build(struct made *made)
{
	made_warning(made, WARNING_ONE_BUILD, METRIC_NONE,
		     "One build of each was compared: code layout alone can move small loops by "
		     "several per cent, and this interval does not contain that.");
}

static void undecided(struct comparison *comparison, size_t likely, size_t surely)
{
	comparison->reason = REASON_INTERVAL;
	comparison->more_likely = likely;
	comparison->more_surely = surely;
}

/* The sheet of the introduction: the main row decided, one secondary row not. */
static void make_faster(struct made *made)
{
	struct usual usual = usual_metrics(made);

	made->recording.id = "42";
	made->recording.plan.subjects[0].build_id = "3f2a91c04b1290aa";
	made->recording.plan.subjects[1].build_id = "9bd2ee0174550011";
	made_rounds(made, 40, 1.45);
	usual_values(made, &usual, 0.98);
	made_compare(made, usual.wall, 1, VERDICT_BETTER, -0.0261, -0.0148)->beyond_margin = true;
	made_compare(made, usual.cpu, 1, VERDICT_BETTER, -0.0270, -0.0183)->beyond_margin = true;
	undecided(made_compare(made, usual.user, 1, VERDICT_UNDECIDED, -0.0190, 0.0002), 12, 30);
	made->findings.comparisons[2].not_worse = true;
	made_compare(made, usual.sys, 1, VERDICT_BETTER, -0.0630, -0.0399)->beyond_margin = true;
	made_compare(made, usual.max_rss, 1, VERDICT_EQUIVALENT, -0.0008, 0.0009);
	text_grew(made, usual.text);
	made->findings.trade = "candidate buys 2.05% wall time for 10,716 bytes of text (0.60%)";
	one_build(made);
	made_verdict(made, VERDICT_BETTER);
}

static void make_undecided(struct made *made)
{
	struct usual usual = usual_metrics(made);

	made->recording.id = "43";
	made->recording.end = END_COMPLETE;
	made_rounds(made, 80, 1.45);
	usual_values(made, &usual, 1.0);
	undecided(made_compare(made, usual.wall, 1, VERDICT_UNDECIDED, -0.011, 0.0083), 25, 60);
	made->findings.comparisons[0].not_worse = true;
	undecided(made_compare(made, usual.cpu, 1, VERDICT_UNDECIDED, -0.02, 0.03), 80, 320);
	one_build(made);
	made_verdict(made, VERDICT_UNDECIDED);
}

/* More rounds than anybody will run, and where only the sure number is out of reach. */
static void make_out_of_reach(struct made *made)
{
	struct usual usual = usual_metrics(made);

	made->recording.end = END_COMPLETE;
	made_rounds(made, 80, 1.45);
	usual_values(made, &usual, 1.0);
	undecided(made_compare(made, usual.wall, 1, VERDICT_UNDECIDED, -0.3, 0.28), 655280,
		  1310640);
	undecided(made_compare(made, usual.cpu, 1, VERDICT_UNDECIDED, -0.02, 0.03), 80, 655280);
	undecided(made_compare(made, usual.user, 1, VERDICT_UNDECIDED, -0.3, 0.28), 999999999,
		  999999999);
	undecided(made_compare(made, usual.sys, 1, VERDICT_UNDECIDED, -0.02, 0.02), 60000, 900000);
	made_verdict(made, VERDICT_UNDECIDED);
}

/* A difference that is no one number: plain in its direction, and not. */
static void make_drifting(struct made *made)
{
	struct usual usual = usual_metrics(made);
	struct comparison *comparison;

	made_rounds(made, 80, 1.45);
	usual_values(made, &usual, 0.14);
	comparison = made_compare(made, usual.wall, 1, VERDICT_BETTER, -0.9, -0.81);
	comparison->beyond_margin = comparison->unstable = true;
	comparison = made_compare(made, usual.cpu, 1, VERDICT_UNDECIDED, -0.05, 0.004);
	comparison->reason = REASON_UNSTABLE;
	comparison->unstable = comparison->not_worse = true;
	made_verdict(made, VERDICT_BETTER);
}

/* Counts of which there are none on one side or on both. */
static void make_none_counted(struct made *made)
{
	size_t major, switches, input;
	struct comparison *comparison;

	made_rounds(made, 40, 1.45);
	made->recording.plan.primary = "major faults";
	major = made_metric(made, "major faults", "", SOURCE_RUSAGE);
	switches = made_metric(made, "involuntary switches", "", SOURCE_RUSAGE);
	input = made_metric(made, "block input", "", SOURCE_RUSAGE);
	made_values(made, major, 0, 0, 0, 0);
	made_values(made, major, 1, 12, 0.5, 0);
	made_values(made, switches, 0, 0, 0, 0);
	made_values(made, switches, 1, 0.2, 0.2, 0);
	made_values(made, input, 0, 0, 0, 0);
	made_values(made, input, 1, 0, 0, 0);
	comparison = made_compare(made, major, 1, VERDICT_WORSE, 11.4, 12.6);
	comparison->difference = true;
	comparison = made_compare(made, switches, 1, VERDICT_UNDECIDED, -0.25, 0.31);
	comparison->difference = true;
	comparison->reason = REASON_VALUES;
	made_compare(made, input, 1, VERDICT_EQUIVALENT, 0, 0)->difference = true;
	made_verdict(made, VERDICT_WORSE);
}

static void make_equivalent(struct made *made)
{
	struct usual usual = usual_metrics(made);
	struct comparison *comparison;

	made_rounds(made, 40, 1.45);
	usual_values(made, &usual, 1.003);
	comparison = made_compare(made, usual.wall, 1, VERDICT_EQUIVALENT, 0.0011, 0.0049);
	comparison->consistent = true;
	made_compare(made, usual.cpu, 1, VERDICT_EQUIVALENT, -0.002, 0.004);
	one_build(made);
	made_verdict(made, VERDICT_EQUIVALENT);
}

static void make_clock(struct made *made)
{
	struct usual usual = usual_metrics(made);
	struct comparison *comparison;

	made_rounds(made, 80, 0.1);
	made->recording.end = END_COMPLETE;
	made->recording.plan.primary = "user";
	made->recording.metrics[usual.user].quantum = 0.004;
	made_values(made, usual.user, 0, 0.32, 0, 0.004);
	made_values(made, usual.user, 1, 0.32, 0.001, 0.004);
	comparison = made_compare(made, usual.user, 1, VERDICT_UNDECIDED, -0.0125, 0.0125);
	comparison->reason = REASON_CLOCK;
	comparison->clock_step_ratio = 0.0125;
	made_warning(made, WARNING_TICKS, (int)usual.user,
		     "user is counted in steps of 4 ms here.");
	made_verdict(made, VERDICT_UNDECIDED);
}

static void make_invalid(struct made *made)
{
	struct usual usual = usual_metrics(made);
	size_t i;

	made_rounds(made, 40, 1.45);
	made->recording.plan.ignore_failure = true;
	made->recording.end = END_COMPLETE;
	made->recording.plan.rounds = 40;
	for (i = 0; i < made->recording.sample_count; i++)
		if (made->recording.samples[i].subject == 1 &&
		    made->recording.samples[i].round % 4 == 0) {
			made->recording.samples[i].flags = SAMPLE_FAILED;
			made->recording.samples[i].exit_status = 3;
		}
	usual_values(made, &usual, 0.9);
	made_compare(made, usual.wall, 1, VERDICT_INVALID, -0.12, -0.08);
	made_compare(made, usual.cpu, 1, VERDICT_INVALID, -0.12, -0.08);
	made_warning(made, WARNING_FAILED_RUNS, METRIC_NONE,
		     "10 of 40 runs of candidate failed (exit status 3), none of baseline.");
	made_verdict(made, VERDICT_INVALID);
}

static void make_interrupted(struct made *made)
{
	struct usual usual = usual_metrics(made);

	made->recording.id = "44";
	made_rounds(made, 23, 1.45);
	usual_values(made, &usual, 0.9);
	made->recording.end = END_INTERRUPTED;
	made_compare(made, usual.wall, 1, VERDICT_BETTER, -0.12, -0.08)->beyond_margin = true;
	made_compare(made, usual.cpu, 1, VERDICT_BETTER, -0.12, -0.08)->beyond_margin = true;
	one_build(made);
	made_verdict(made, VERDICT_BETTER);
	made->findings.look.rounds = 20;
	made->findings.rounds_after_look = 3;
}

static void make_interrupted_early(struct made *made)
{
	struct usual usual = usual_metrics(made);

	made->recording.id = "45";
	made_rounds(made, 7, 1.45);
	usual_values(made, &usual, 0.9);
	made->recording.end = END_INTERRUPTED;
	made_compare(made, usual.wall, 1, VERDICT_NONE, NAN, NAN);
	made_compare(made, usual.cpu, 1, VERDICT_NONE, NAN, NAN);
	made->findings.rounds_after_look = 7;
}

static void make_alone(struct made *made)
{
	struct usual usual;

	made->recording.plan.subject_count = 1;
	made->recording.plan.subjects[0].label = "./sort.old big.txt";
	usual = usual_metrics(made);
	made_rounds(made, 30, 0.16);
	made->recording.plan.rounds = 30;
	made->recording.end = END_COMPLETE;
	usual_values(made, &usual, 1);
	made_compare(made, usual.wall, 0, VERDICT_NONE, NAN, NAN)->resolvable_ratio = 0.0072;
	made_compare(made, usual.cpu, 0, VERDICT_NONE, NAN, NAN)->resolvable_ratio = 0.0031;
	made_compare(made, usual.user, 0, VERDICT_NONE, NAN, NAN)->resolvable_ratio = 0.0033;
	made_compare(made, usual.max_rss, 0, VERDICT_NONE, NAN, NAN)->resolvable_ratio = 0.0004;
	made_compare(made, usual.text, 0, VERDICT_NONE, NAN, NAN)->exact = true;
	made->findings.verdict = VERDICT_NONE;
}

static void make_three_candidates(struct made *made)
{
	struct usual usual = usual_metrics(made);
	size_t i;

	made->recording.plan.subjects[0].label = "-O1";
	made->recording.plan.subjects[1].label = "-O2";
	made_subject(made, "-O3", "./sort.O3 big.txt");
	made_subject(made, "-Os", "./sort.Os big.txt");
	made_rounds(made, 57, 2.9);
	usual_values(made, &usual, 0.93);
	for (i = 2; i < 4; i++) {
		made_values(made, usual.wall, i, 0.139 + 0.012 * (double)(i - 2), 0.001, 1e-9);
		made_values(made, usual.cpu, i, 0.147 + 0.012 * (double)(i - 2), 0.001, 1e-6);
		made_values(made, usual.text, i, 1900000 - 200000.0 * (double)(i - 2), 0, 1);
	}
	made_compare(made, usual.wall, 1, VERDICT_BETTER, -0.0761, -0.0648)->beyond_margin = true;
	made_compare(made, usual.wall, 2, VERDICT_BETTER, -0.0821, -0.0712)->beyond_margin = true;
	undecided(made_compare(made, usual.wall, 3, VERDICT_UNDECIDED, -0.0058, 0.0131), 23, 103);
	made_compare(made, usual.cpu, 1, VERDICT_BETTER, -0.0761, -0.0648)->beyond_margin = true;
	made_compare(made, usual.cpu, 2, VERDICT_BETTER, -0.0821, -0.0712)->beyond_margin = true;
	undecided(made_compare(made, usual.cpu, 3, VERDICT_UNDECIDED, -0.0038, 0.0121), 23, 103);
	for (i = 1; i < 4; i++) {
		text_grew(made, usual.text);
		made->findings.comparisons[5 + i].candidate = i;
	}
	one_build(made);
	made_verdict(made, VERDICT_UNDECIDED);
}

/* The same with what is worth anything by size and time. */
static void make_pareto(struct made *made)
{
	static struct front_point points[] = {
		{ 0, { 1807824, 0.1514 }, { 0 }, { NAN, NAN }, { NAN, NAN }, PLACE_UNTOLD, 3, 1 },
		{ 1,
		  { 1818540, 0.1409 },
		  { 0.0059, -0.0705 },
		  { 0.0059, -0.0790 },
		  { 0.0059, -0.0620 },
		  PLACE_FRONT,
		  1,
		  0 },
		{ 2,
		  { 1900000, 0.1390 },
		  { 0.051, -0.0766 },
		  { 0.051, -0.0850 },
		  { 0.051, -0.0690 },
		  PLACE_DOMINATED,
		  1,
		  1 },
		{ 3,
		  { 1700000, 0.1510 },
		  { -0.0596, 0.0036 },
		  { -0.0596, -0.0088 },
		  { -0.0596, 0.0160 },
		  PLACE_FRONT,
		  3,
		  0 },
	};
	static struct front front = {
		.cells = 1, .rounds = 57, .level = 0.05, .points = points, .point_count = 4
	};

	static struct ranked items[] = {
		{ 2, -0.0766, "a" }, { 1, -0.0705, "a" }, { 0, 0, "b" }, { 3, 0.0036, "b" }
	};
	static struct ranking ranking = { 1, items, 4 };
	static struct exchanged exchanged = { .comparison = { .candidate = 2,
							      .change = -0.052,
							      .change_low = -0.061,
							      .change_high = -0.044,
							      .level = 0.05,
							      .margin_ratio = 0.01,
							      .verdict = VERDICT_BETTER },
					      .metrics = 2 };

	make_three_candidates(made);
	exchanged.comparison.metric = (size_t)recording_metric(&made->recording, "wall");
	front.metrics[0] = (size_t)recording_metric(&made->recording, "text");
	front.metrics[1] = (size_t)recording_metric(&made->recording, "wall");
	made->findings.rankings = &ranking;
	made->findings.ranking_count = 1;
	made->findings.exchanged = &exchanged;
	made->findings.exchanged_count = 1;
	made->findings.rate = "1% wall = 2% text";
	made->findings.fronts = &front;
	made->findings.front_count = 1;
}

/* Two commands at two sizes: a baseline in each cell. */
static void make_sweep(struct made *made)
{
	static struct level levels[] = { { "threads", "1" }, { "threads", "8" } };
	struct usual usual = usual_metrics(made);
	struct plan *plan = &made->recording.plan;
	size_t i;

	made_subject(made, "./sort.old -j8", "./sort.old -j8");
	made_subject(made, "./sort.new -j8", "./sort.new -j8");
	plan->subjects[0].command = plan->subjects[0].label = "./sort.old -j1";
	plan->subjects[1].command = plan->subjects[1].label = "./sort.new -j1";
	plan->subjects[2].baseline = plan->subjects[3].baseline = 2;
	for (i = 0; i < 4; i++) {
		plan->subjects[i].levels = &levels[i / 2];
		plan->subjects[i].level_count = 1;
	}
	made_rounds(made, 40, 2);
	for (i = 0; i < 4; i++) {
		made_values(made, usual.wall, i, 0.8 / (double)(1 + i / 2 * 6), 0.004, 1e-9);
		made_values(made, usual.cpu, i, 0.8 + 0.1 * (double)(i / 2), 0.002, 1e-6);
	}
	made_compare(made, usual.wall, 1, VERDICT_EQUIVALENT, -0.0031, 0.0042);
	made_compare(made, usual.wall, 3, VERDICT_WORSE, 0.0231, 0.0342)->beyond_margin = true;
	made_compare(made, usual.cpu, 1, VERDICT_EQUIVALENT, -0.0031, 0.0042);
	made_compare(made, usual.cpu, 3, VERDICT_EQUIVALENT, -0.0031, 0.0042);
	one_build(made);
	made_verdict(made, VERDICT_WORSE);
}

/* The same sweep with what it says as a whole. */
static void make_design(struct made *made)
{
	static struct effect effects[] = {
		{ EFFECT_CELL, 1, NULL, NULL, 1, 40, 0.0005, -0.0031, 0.0042, false },
		{ EFFECT_CELL, 2, NULL, NULL, 1, 40, -0.857, -0.861, -0.853, false },
		{ EFFECT_CELL, 3, NULL, NULL, 1, 40, -0.853, -INFINITY, INFINITY, false },
		{ EFFECT_POOLED, 1, NULL, NULL, 2, 40, 0.0144, 0.0110, 0.0178, false },
		{ EFFECT_LEVEL, 1, "threads", "1", 1, 40, 0.0005, -0.0031, 0.0042, false },
		{ EFFECT_LEVEL, 1, "threads", "8", 1, 40, 0.0285, 0.0231, 0.0342, false },
		{ EFFECT_INTERACTION, 1, "threads", "8", 1, 40, 0.0280, 0.0201, 0.0361, true },
	};

	static struct blocked blocked = { .comparison = { .candidate = 1,
							  .pairs = 5,
							  .change = 0.021,
							  .change_low = 0.0121,
							  .change_high = 0.0302,
							  .level = 0.05,
							  .verdict = VERDICT_WORSE },
					  .block = "layout",
					  .between = 0.0072 };

	make_sweep(made);
	made->findings.blocked = &blocked;
	made->findings.blocked_count = 1;
	made->findings.effects = effects;
	made->findings.effect_count = sizeof effects / sizeof *effects;
}

/* Four cells of three variants: too many to be told one by one. */
static void make_grid(struct made *made)
{
	static const char *const labels[] = {
		"tas outside=0",   "ticket outside=0",	 "mcs outside=0",
		"tas outside=100", "ticket outside=100", "mcs outside=100",
		"tas outside=200", "ticket outside=200", "mcs outside=200",
		"tas outside=400", "ticket outside=400", "mcs outside=400",
	};
	static struct level levels[] = {
		{ "outside", "0" }, { "outside", "100" }, { "outside", "200" }, { "outside", "400" }
	};
	static const enum verdict verdicts[] = { VERDICT_UNDECIDED, VERDICT_WORSE, VERDICT_BETTER,
						 VERDICT_EQUIVALENT };
	static struct effect effects[11];
	struct usual usual = usual_metrics(made);
	struct plan *plan = &made->recording.plan;
	size_t i;

	for (i = 0; i < 12; i++) {
		if (i > 1)
			made_subject(made, labels[i], labels[i]);
		plan->subjects[i].label = labels[i];
		plan->subjects[i].command =
		    arena_printf(made->arena, "./locks --lock %s", labels[i]);
		plan->subjects[i].baseline = i / 3 * 3;
		plan->subjects[i].levels = &levels[i / 3];
		plan->subjects[i].level_count = 1;
	}
	made_rounds(made, 20, 6);
	for (i = 0; i < 12; i++) {
		made_values(made, usual.wall, i, 0.4 + 0.1 * (double)i, 0.004, 1e-9);
		made_values(made, usual.cpu, i, 0.8 + 0.1 * (double)i, 0.002, 1e-6);
	}
	for (i = 0; i < 12; i++)
		if (i % 3 > 0)
			made_compare(made, usual.wall, i, verdicts[i / 3], 0.01 * (double)i,
				     0.02 * (double)i);
	for (i = 0; i < 12; i++)
		if (i % 3 > 0)
			made_compare(made, usual.cpu, i, verdicts[(i + 1) / 3 % 4],
				     -0.01 * (double)i, 0.02 * (double)i);
	for (i = 0; i < 11; i++)
		effects[i] = (struct effect){ i < 4 ? EFFECT_LEVEL : EFFECT_INTERACTION,
					      1 + i % 2,
					      "outside",
					      levels[i % 4].value,
					      1,
					      20,
					      0.02 * (double)i,
					      0.01 * (double)i,
					      0.03 * (double)i,
					      i > 5 };
	made->findings.effects = effects;
	made->findings.effect_count = sizeof effects / sizeof *effects;
	one_build(made);
	made_verdict(made, VERDICT_WORSE);
}

/* Four levels, between which an effect changes its sign. */
static void make_crossing(struct made *made)
{
	static struct effect effects[] = {
		{ EFFECT_LEVEL, 1, "threads", "0", 1, 40, 0.0305, 0.0231, 0.0342, false },
		{ EFFECT_LEVEL, 1, "threads", "1", 1, 40, 0.0105, -0.0031, 0.0242, false },
		{ EFFECT_LEVEL, 1, "threads", "8", 1, 40, -0.0285, -0.0342, -0.0231, false },
		{ EFFECT_LEVEL, 1, "threads", "64", 1, 40, -0.0185, -INFINITY, INFINITY, false },
	};
	static struct crossing crossings[] = {
		{ CROSSING_SHOWN, 1, "threads", 0.711, 3.9, 1.42, 1, -1, 40, 0.01 },
		{ CROSSING_OPEN, 1, "threads", 9.3, INFINITY, NAN, -1, 0, 40, 0.01 },
		{ CROSSING_OPEN, 1, "size", -INFINITY, INFINITY, 4096, 0, 0, 40, 0.01 },
		{ CROSSING_OPEN, 1, "depth", -INFINITY, 16384, 4096, 0, 1, 40, 0.01 },
		{ CROSSING_NONE, 1, "width", NAN, NAN, NAN, 1, 1, 40, 0.01 },
	};
	size_t misses, i;

	make_sweep(made);
	made->findings.effects = effects;
	made->findings.effect_count = sizeof effects / sizeof *effects;
	made->findings.crossings = crossings;
	made->findings.crossing_count = sizeof crossings / sizeof *crossings;
	misses = made_metric(made, "sim I1 misses", "", SOURCE_SIMULATED);
	for (i = 0; i < 4; i++)
		made_values(made, misses, i, 1e6 + 1e4 * (double)(i * i), 0, 1);
	made_compare(made, misses, 1, VERDICT_WORSE, 0.01, 0.01)->exact = true;
	made_compare(made, misses, 3, VERDICT_WORSE, 0.048, 0.048)->exact = true;
}

/* The same with claims, one of each answer, and one about what was not measured. */
static void make_study(struct made *made)
{
	static struct claim claims[] = {
		{ "same", "one thread takes the same time", NULL, 1, 0, CLAIM_SAME, 0.01,
		  "1.0 s instead of 1.0 s", "a letter of 1998" },
		{ "faster", "eight threads are faster by a fifth", "wall", 3, 2, CLAIM_LOWER, 0.2,
		  "-24%", NULL },
		{ "scales", "eight threads take less than one", "cpu", 3, 1, CLAIM_LOWER, 0, NULL,
		  NULL },
		{ "swaps", "it waits more than twice as long for <the disk>", "swaps", 1, 0,
		  CLAIM_HIGHER, 1.2, "+120%", "a table of 2004" },
	};
	static const struct study study = { "threads",
					    "More threads were said to be faster & cheaper",
					    "cpu,max rss", claims, sizeof claims / sizeof *claims };
	static struct claim_finding findings[] = {
		{ 0.0005, -0.0031, 0.0042, 0.0125, 40, CLAIM_REPRODUCED },
		{ 0.0285, 0.0231, 0.0342, 0.0125, 40, CLAIM_REFUTED },
		{ -0.02, -0.05, 0.01, 0.0125, 40, CLAIM_UNDECIDED },
		{ NAN, -INFINITY, INFINITY, 0.0125, 0, CLAIM_UNDECIDED },
	};

	make_design(made);
	made->recording.plan.study = &study;
	made->findings.claims = findings;
	made->findings.claim_count = study.claim_count;
}

/* One command at two sizes: nothing is compared with anything. */
static void make_cells_alone(struct made *made)
{
	static struct level levels[] = { { "n", "10" }, { "n", "1000" } };
	struct usual usual = usual_metrics(made);
	struct plan *plan = &made->recording.plan;
	size_t i;

	for (i = 0; i < 2; i++) {
		plan->subjects[i].label = plan->subjects[i].command =
		    i == 0 ? "./sort -n 10" : "./sort -n 1000";
		plan->subjects[i].levels = &levels[i];
		plan->subjects[i].level_count = 1;
		plan->subjects[i].baseline = i;
	}
	made_rounds(made, 20, 0.4);
	plan->rounds = 20;
	made->recording.end = END_COMPLETE;
	usual_values(made, &usual, 1.8);
	for (i = 0; i < 2; i++)
		made_compare(made, usual.wall, i, VERDICT_NONE, NAN, NAN)->resolvable_ratio = 0.011;
	for (i = 0; i < 2; i++)
		made_compare(made, usual.cpu, i, VERDICT_NONE, NAN, NAN)->resolvable_ratio = 0.004;
}

static void split(struct summary *summary, double low, double high, double share)
{
	summary->two_groups = true;
	summary->group_centres[0] = low;
	summary->group_centres[1] = high;
	summary->group_shares[0] = share;
	summary->group_shares[1] = 1 - share;
}

static void make_two_groups(struct made *made)
{
	struct usual usual = usual_metrics(made);
	struct comparison *comparison;

	made_rounds(made, 20, 330);
	made_values(made, usual.wall, 0, 157, 7, 0.1);
	made_values(made, usual.wall, 1, 154, 7, 0.1);
	comparison = made_compare(made, usual.wall, 1, VERDICT_UNDECIDED, -0.09, 0.088);
	undecided(comparison, 20, 300);
	split(&comparison->baseline, 150.2, 165.1, 0.6);
	split(&comparison->other, 150.1, 164.8, 0.75);
	made_warning(made, WARNING_TWO_GROUPS, (int)usual.wall,
		     "Runs of baseline and of candidate fall into two groups 10% apart: find the "
		     "cause rather than run more.");
	made_verdict(made, VERDICT_UNDECIDED);
}

static void make_unpaired(struct made *made)
{
	size_t latency = made_metric(made, "latency", "s", SOURCE_IMPORTED);
	struct comparison *comparison;

	made->recording.origin = "lmbench";
	made->recording.order_known = false;
	made->recording.plan.primary = "latency";
	made->recording.plan.subjects[0].label = "mainline";
	made->recording.plan.subjects[0].command = NULL;
	made->recording.plan.subjects[1].label = "mutex fast path";
	made->recording.plan.subjects[1].command = NULL;
	made->recording.before = made->recording.after = (struct environment){ .load_1min = NAN };
	made_rounds(made, 4, 1);
	made->recording.end = END_COMPLETE;
	made_values(made, latency, 0, 4.5e-6, 3e-9, 1e-10);
	made_values(made, latency, 1, 4.4e-6, 3e-9, 1e-10);
	comparison = made_compare(made, latency, 1, VERDICT_BETTER, -0.02286, -0.02171);
	comparison->beyond_margin = true;
	comparison->method = "rank-sum";
	comparison->welch_low = -0.02283;
	comparison->welch_high = -0.02179;
	comparison->welch_p = 3.1e-8;
	made_warning(made, WARNING_NOT_INTERLEAVED, METRIC_NONE,
		     "Runs were not interleaved: drift between the two batches would look the "
		     "same.");
	one_build(made);
	made_verdict(made, VERDICT_BETTER);
}

/* Seven benchmarks with names that fill the table, and the set as a whole. */
static void make_set(struct made *made)
{
	static const char *const names[] = { "put_block",  "get_block",	 "rewrite",   "seeks",
					     "seq_create", "ran_create", "ran_delete" };
	struct comparison *comparison;
	static struct set_mean mean;
	size_t i;

	made->recording.origin = "bonnie";
	made->recording.order_known = false;
	made->recording.plan.primary = NULL;
	made->recording.plan.all_decide = true;
	made->recording.before = made->recording.after = (struct environment){ .load_1min = NAN };
	made_rounds(made, 8, 1);
	for (i = 0; i < 7; i++) {
		size_t metric = made_metric(made, names[i], "B/s", SOURCE_IMPORTED);

		made->recording.metrics[metric].better = BETTER_HIGHER;
		made_values(made, metric, 0, 6.1e7, 3e6, 1024);
		made_values(made, metric, 1, i == 2 ? 5.6e7 : 6.1e7, 3e6, 1024);
		comparison = i == 2
				 ? made_compare(made, metric, 1, VERDICT_WORSE, -0.103, -0.061)
				 : made_compare(made, metric, 1, VERDICT_UNDECIDED, -0.04, 0.045);
		comparison->primary = true;
		comparison->paired = false;
		comparison->method = "rank-sum";
		comparison->welch_low = -0.04;
		comparison->welch_high = 0.04;
	}
	mean = (struct set_mean){ .comparison = made->findings.comparisons[0],
				  .benchmarks = 7,
				  .of = 7 };
	mean.comparison.verdict = VERDICT_NONE;
	mean.comparison.change = -0.011;
	mean.comparison.change_low = mean.comparison.change_high = NAN;
	mean.comparison.pairs = 0;
	made->findings.set_means = &mean;
	made->findings.set_mean_count = 1;
	made_verdict(made, VERDICT_WORSE);
}

/* A table of means, of which one does not say of how many runs. */
static void make_means(struct made *made)
{
	static const char *const names[] = { "real", "user" };
	static struct told_mean means[4];
	struct comparison *comparison;
	size_t i;

	made->recording.origin = "mean-table";
	made->recording.order_known = false;
	made->recording.plan.primary = "real";
	made->recording.before = made->recording.after = (struct environment){ .load_1min = NAN };
	made->recording.end = END_COMPLETE;
	for (i = 0; i < 2; i++) {
		size_t metric = made_metric(made, names[i], "s", SOURCE_IMPORTED);

		means[2 * i] =
		    (struct told_mean){ (uint32_t)metric, 0, 150.7, 1.5, i == 0 ? 8 : 0 };
		means[2 * i + 1] = (struct told_mean){ (uint32_t)metric, 1, 147.6, 0.7, 8 };
		comparison = made_compare(
		    made, metric, 1, i == 0 ? VERDICT_BETTER : VERDICT_UNDECIDED, -0.03, -0.01);
		comparison->paired = false;
		comparison->method = "welch";
		comparison->pairs = i == 0 ? 8 : 0;
		comparison->baseline.told = comparison->other.told = true;
		comparison->baseline.mean = 150.7;
		comparison->baseline.deviation = 1.5;
		comparison->baseline.count = means[2 * i].count;
		comparison->other.mean = 147.6;
		comparison->other.deviation = 0.7;
		comparison->other.count = 8;
	}
	comparison->reason = REASON_SUMMARY;
	comparison->change_low = -INFINITY;
	comparison->change_high = INFINITY;
	made->recording.means = means;
	made->recording.mean_count = 4;
	made_warning(made, WARNING_SUMMARIES, METRIC_NONE,
		     "Only means and deviations were given, not the runs.");
	made_verdict(made, VERDICT_BETTER);
}

static void make_three_runs(struct made *made)
{
	make_unpaired(made);
	made->findings.comparisons[0].pairs = 3;
	made->findings.comparisons[0].verdict = VERDICT_UNDECIDED;
	made->findings.comparisons[0].beyond_margin = false;
	made->findings.comparisons[0].reason = REASON_FLOOR;
	made->findings.comparisons[0].more_likely = 1;
	made->findings.comparisons[0].change_low = -INFINITY;
	made->findings.comparisons[0].change_high = INFINITY;
	made->findings.verdict = VERDICT_UNDECIDED;
}

static void make_sizes(struct made *made)
{
	static struct code_change changes[] = {
		{ "_raw_spin_lock", "uninlined", 41, 12, 930, 1 },
		{ "mutex_lock", "grown", 60, 96, 1, 1 },
	};
	size_t text = made_metric(made, "text", "B", SOURCE_FILE);
	size_t data = made_metric(made, "data", "B", SOURCE_FILE);
	struct comparison *comparison;

	made->recording.metrics[text].exact = made->recording.metrics[data].exact = true;
	made->recording.plan.primary = "text";
	made_rounds(made, 1, 0.01);
	made->recording.plan.rounds = 1;
	made->recording.end = END_COMPLETE;
	made_values(made, text, 0, 2172848, 0, 1);
	made_values(made, text, 1, 2172849, 0, 1);
	made_values(made, data, 0, 348112, 0, 1);
	made_values(made, data, 1, 348112, 0, 1);
	comparison = made_compare(made, text, 1, VERDICT_WORSE, 1 / 2172848.0, 1 / 2172848.0);
	comparison->exact = true;
	comparison = made_compare(made, data, 1, VERDICT_SAME, 0, 0);
	comparison->exact = true;
	made->findings.code_changes = changes;
	made->findings.code_change_count = 2;
	made_verdict(made, VERDICT_WORSE);
}

/* Names that would break a terminal, a table, a page or a spreadsheet. */
static void make_hostile(struct made *made)
{
	static char long_name[201], one[80], other[80];
	size_t wall = made_metric(made, "wall", "s", SOURCE_CLOCK);
	size_t names[6], i;

	memset(long_name, 'x', sizeof long_name - 1);
	memset(one, 'n', 65);
	memset(other, 'n', 65);
	one[64] = '1';
	other[64] = '2';
	names[0] = made_metric(made, "nan", "", SOURCE_REPORTED);
	names[1] = made_metric(made, one, "s", SOURCE_REPORTED);
	names[2] = made_metric(made, other, "s", SOURCE_REPORTED);
	names[3] = made_metric(made, "=cmd|' /C calc'!A0", "", SOURCE_REPORTED);
	names[4] = made_metric(made, "\350\250\210\346\270\254 \346\231\202\351\226\223", "s",
			       SOURCE_REPORTED);
	names[5] = made_metric(made, "round", "\033[31mred", SOURCE_REPORTED);
	made->recording.plan.subjects[0].label =
	    "\033]0;title\a\342\200\256evil|`<script>alert(1)</script>";
	made->recording.plan.subjects[0].command =
	    "./a '|' `b` <script>\n--x=\377\376 &amp; *b* __c__";
	made->recording.plan.subjects[1].label = long_name;
	made->recording.plan.subjects[1].command = long_name;
	made_rounds(made, 20, 1);
	made_values(made, wall, 0, 0.2, 0.001, 0);
	made_values(made, wall, 1, 0.2, 0.001, 0);
	made_compare(made, wall, 1, VERDICT_EQUIVALENT, -0.004, 0.005);
	for (i = 0; i < 6; i++) {
		made_values(made, names[i], 0, 0.1 * (double)(i + 1), 0.001, 0);
		made_values(made, names[i], 1, 0.1 * (double)(i + 1), 0.001, 0);
		made_compare(made, names[i], 1, VERDICT_EQUIVALENT, -0.004, 0.005);
	}
	made_verdict(made, VERDICT_EQUIVALENT);
}

/* Values at the ends of what a double holds, and sides that are nothing like each other. */
static void make_extreme(struct made *made)
{
	static const struct {
		const char *name, *unit;
		double baseline, candidate, low, high;
	} rows[] = {
		{ "wall", "s", 3e-9, 4.1, 1.2e9, 1.5e9 },
		{ "huge", "s", 1e300, 1.01e300, 0.009, 0.011 },
		{ "tiny", "s", 1e-300, 1e-300, -0.001, 0.001 },
		{ "count", "", 98765432101234, 98765432101234, -0.001, 0.001 },
		{ "zero", "", 0, 0, NAN, NAN },
		{ "tenfold", "", 12, 120, 8.5, 9.5 },
		{ "gone", "B", 1e9, 1e3, -0.9999995, -0.9999985 },
		{ "bytes", "B", 5e15, 5.1e15, 0.0199, 0.0201 },
	};
	struct comparison *comparison;
	size_t metric, i;

	made_rounds(made, 10, 1e-6);
	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		metric = made_metric(made, rows[i].name, rows[i].unit, SOURCE_REPORTED);
		made_values(made, metric, 0, rows[i].baseline, rows[i].baseline / 100, 0);
		made_values(made, metric, 1, rows[i].candidate, rows[i].candidate / 1e7, 0);
		comparison = made_compare(made, metric, 1,
					  rows[i].low > 0.01   ? VERDICT_WORSE
					  : isnan(rows[i].low) ? VERDICT_UNDECIDED
							       : VERDICT_EQUIVALENT,
					  rows[i].low, rows[i].high);
		comparison->beyond_margin = rows[i].low > 0.01;
		if (isnan(rows[i].low))
			comparison->reason = REASON_VALUES;
	}
	made_verdict(made, VERDICT_WORSE);
}

/* No spread at all on either side. */
static void make_all_equal(struct made *made)
{
	struct usual usual = usual_metrics(made);

	made_rounds(made, 10, 1);
	made_values(made, usual.wall, 0, 0.15, 0, 0);
	made_values(made, usual.wall, 1, 0.15, 0, 0);
	made_values(made, usual.max_rss, 0, 4096, 0, 0);
	made_values(made, usual.max_rss, 1, 4096, 0, 0);
	made_compare(made, usual.wall, 1, VERDICT_EQUIVALENT, 0, 0);
	made_compare(made, usual.max_rss, 1, VERDICT_EQUIVALENT, 0, 0);
	made_verdict(made, VERDICT_EQUIVALENT);
}

/* A counter that was refused: its column is there, its values are not. */
static void make_missing(struct made *made)
{
	struct usual usual = usual_metrics(made);
	size_t cycles = made_metric(made, "cycles", "", SOURCE_COUNTER);
	size_t misses = made_metric(made, "L1-icache-load-misses", "", SOURCE_COUNTER);

	made_rounds(made, 40, 1.45);
	usual_values(made, &usual, 1.1);
	made_values(made, misses, 0, 812345, 3000, 1);
	made_values(made, misses, 1, 1212345, 3000, 1);
	made_compare(made, usual.wall, 1, VERDICT_WORSE, 0.096, 0.104)->beyond_margin = true;
	made_compare(made, cycles, 1, VERDICT_NONE, NAN, NAN);
	made_compare(made, misses, 1, VERDICT_WORSE, 0.488, 0.497)->beyond_margin = true;
	made_warning(made, WARNING_REMARK, (int)cycles,
		     "The counter cycles is not available here: the kernel refused it "
		     "(perf_event_paranoid is 3).");
	made_verdict(made, VERDICT_WORSE);
}

/* A typical run that is faster, and a total that is not. */
static void make_slow_runs(struct made *made)
{
	struct usual usual = usual_metrics(made);
	struct comparison *comparison;

	made_rounds(made, 40, 1.45);
	usual_values(made, &usual, 0.99);
	comparison = made_compare(made, usual.wall, 1, VERDICT_BETTER, -0.0118, -0.0082);
	comparison->mean_change = 0.031;
	comparison->baseline.slow_runs = 1;
	comparison->other.slow_runs = 7;
	made_verdict(made, VERDICT_BETTER);
}

static void make_redacted(struct made *made)
{
	made->recording.plan.subjects[0].label = "/home/ann/a/sort";
	made->recording.plan.subjects[0].command = "/home/ann/a/sort --in=/srv/secret/big.txt";
	made->recording.plan.subjects[0].directory = "/home/ann";
	made->recording.plan.subjects[1].label = "/home/ann/b/sort";
	made->recording.plan.subjects[1].command = "/home/ann/b/sort --in=/srv/secret/big.txt";
	make_equivalent(made);
	made_warning(made, WARNING_REMARK, METRIC_NONE,
		     "A process of /home/ann/b/sort outlived its run on tern (12 MB/s).");
}

static void make_self_check(struct made *made)
{
	struct usual usual = usual_metrics(made);

	made->recording.plan.self_check = true;
	made_rounds(made, 200, 0.3);
	usual_values(made, &usual, 1.0);
	made->recording.plan.rounds = 200;
	made_compare(made, usual.wall, 1, VERDICT_EQUIVALENT, -0.0009, 0.0013);
	made_warning(made, WARNING_SELF_CHECK, (int)usual.wall,
		     "The same command against itself differed in 1 of 20 segments, as luck "
		     "allows. This many runs resolve 0.11% here; the setup itself adds 0.02%, and "
		     "smaller effects are not the candidate's.");
	made->findings.self_check = (struct self_check){ .done = true,
							 .segments = 20,
							 .false_alarms = 1,
							 .change = 0.0002,
							 .change_low = -0.0009,
							 .change_high = 0.0013 };
	made_verdict(made, VERDICT_EQUIVALENT);
}

/* Where two kernels differ. */
static void make_where(struct made *made)
{
	static const struct where_row rows[] = {
		{ "stat", NULL, 1, false, 3600.04, 3900.5, NAN, NAN },
		{ "stat", NULL, 1, true, 25.1, 25.1, NAN, NAN },
		{ "stat", "link_path_walk", 1, false, 400, 640.25, 1024, 1280 },
		{ "stat", "vfs_statx_path", 1, false, 0, 96.4, NAN, 224 },
		{ "stat", "copy_user", 1, false, 36.2, 0, 80, NAN },
		{ "stat", "getname_flags", 1, false, 120.5, 120.5, 512, 512 },
	};

	make_faster(made);
	made->recording.where = rows;
	made->recording.where_count = sizeof rows / sizeof *rows;
}

/* A size that decides, within its margin; and a table that has no room for deviations. */
static void make_exact_within(struct made *made)
{
	size_t text = made_metric(made, "text", "B", SOURCE_FILE);
	size_t boot = made_metric(made, "boot", "insn", SOURCE_EMULATED);
	size_t memory = made_metric(made, "kernel memory", "B", SOURCE_EMULATED);
	struct comparison *comparison;

	made->recording.metrics[text].exact = true;
	made_rounds(made, 40, 2);
	made_values(made, text, 0, 7353770, 0, 1);
	made_values(made, text, 1, 7353790, 0, 1);
	made_values(made, boot, 0, 21611000, 81000, 1);
	made_values(made, boot, 1, 21592000, 72000, 1);
	made_values(made, memory, 0, 8390000, 61000, 1024);
	made_values(made, memory, 1, 8393000, 43000, 1024);
	comparison =
	    made_compare(made, text, 1, VERDICT_EQUIVALENT, 20.0 / 7353770, 20.0 / 7353770);
	comparison->primary = comparison->exact = comparison->consistent = true;
	comparison->margin_ratio = 0.005;
	comparison->method = "exact";
	made_compare(made, boot, 1, VERDICT_UNDECIDED, -0.0143, 0.0126)->reason = REASON_INTERVAL;
	made_compare(made, memory, 1, VERDICT_UNDECIDED, -0.0143, 0.0126)->reason = REASON_INTERVAL;
	made->findings.verdict = VERDICT_EQUIVALENT;
}

const struct golden_case golden_cases[] = {
	{ .name = "all-equal", .make = make_all_equal },
	{ .name = "alone", .make = make_alone },
	{ .name = "cells-alone", .make = make_cells_alone },
	{ .name = "clock", .make = make_clock },
	{ .name = "exact-within", .make = make_exact_within },
	{ .name = "drifting", .make = make_drifting },
	{ .name = "design", .make = make_design },
	{ .name = "study", .make = make_study },
	{ .name = "crossing", .make = make_crossing },
	{ .name = "crossing-drawn", .make = make_crossing, .drawn = true },
	{ .name = "design-drawn", .make = make_design, .drawn = true },
	{ .name = "equivalent", .make = make_equivalent },
	{ .name = "extreme", .make = make_extreme },
	{ .name = "faster", .make = make_faster },
	{ .name = "faster-colour", .make = make_faster, .colour = true },
	{ .name = "faster-drawn", .make = make_faster, .drawn = true },
	{ .name = "faster-narrow", .make = make_faster, .width = 40 },
	{ .name = "grid", .make = make_grid },
	{ .name = "hostile", .make = make_hostile },
	{ .name = "hostile-drawn", .make = make_hostile, .drawn = true },
	{ .name = "interrupted", .make = make_interrupted },
	{ .name = "interrupted-early", .make = make_interrupted_early },
	{ .name = "invalid", .make = make_invalid },
	{ .name = "means", .make = make_means },
	{ .name = "missing", .make = make_missing },
	{ .name = "none-counted", .make = make_none_counted },
	{ .name = "out-of-reach", .make = make_out_of_reach },
	{ .name = "pareto", .make = make_pareto },
	{ .name = "pareto-drawn", .make = make_pareto, .drawn = true },
	{ .name = "redacted", .make = make_redacted, .redact = true },
	{ .name = "self-check", .make = make_self_check },
	{ .name = "set", .make = make_set },
	{ .name = "sizes", .make = make_sizes },
	{ .name = "slow-runs", .make = make_slow_runs },
	{ .name = "sweep", .make = make_sweep },
	{ .name = "three-candidates", .make = make_three_candidates },
	{ .name = "three-drawn", .make = make_three_candidates, .drawn = true },
	{ .name = "three-runs", .make = make_three_runs },
	{ .name = "two-groups", .make = make_two_groups },
	{ .name = "undecided", .make = make_undecided },
	{ .name = "unpaired", .make = make_unpaired },
	{ .name = "where", .make = make_where },
};
const size_t golden_case_count = sizeof golden_cases / sizeof *golden_cases;
