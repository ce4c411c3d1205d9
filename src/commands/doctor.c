/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth doctor: what about this machine spoils a measurement, and what it can resolve. The checks
 * are made in doctor/checks.c, the A/A run in doctor/run.c; this file asks for both and says so.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "base/words.h"
#include "commands/commands.h"
#include "commands/doctor/checks.h"
#include "commands/doctor/resolution.h"
#include "commands/doctor/run.h"
#include "commands/output.h"
#include "judge/judge.h"
#include "model/codec.h"

struct doctor_settings {
	int64_t time_ns;
	bool run;
	bool quiet;
	struct output_settings output;
};

enum { SEGMENTS_WANTED = 20 }; /* docs/method.md 3.11 */

#define AT(field) offsetof(struct doctor_settings, field)

static const struct option options[] = {
	{ .kind = OPTION_GROUP, .help = "The run of a command against itself" },
	{ OPTION_DURATION, "time", 't', "TIME", "how long it may take (default 5s)", AT(time_ns),
	  1e8, 0 },
	{ OPTION_NO_FLAG, "no-run", 0, NULL, "leave it out: checks only", AT(run) },
	{ OPTION_FLAG, "quiet", 'q', NULL, "no progress line", AT(quiet) },
	OUTPUT_OPTIONS(struct doctor_settings, output),
	OPTION_TABLE_END,
};

static const char *tone_word(enum tone tone)
{
	switch (tone) {
	case TONE_GOOD:
		return "good";
	case TONE_BAD:
		return "bad";
	case TONE_CAUTION:
		return "caution";
	case TONE_PLAIN:
	case TONE_FAINT:
		break;
	}
	return "note";
}

static struct cell text_or_empty(const char *text)
{
	return text == NULL ? (struct cell){ .kind = CELL_EMPTY } : cell_text(text);
}

/* People read effect and advice below the table, by number; programs find them in the row. */
static const struct column check_columns[] = {
	{ "check", "check", ALIGN_LEFT, AUDIENCE_ALL, false },
	{ "found", "found", ALIGN_LEFT, AUDIENCE_ALL, true },
	{ "state", "for measuring", ALIGN_LEFT, AUDIENCE_ALL, false },
	{ "effect", "what it does", ALIGN_LEFT, AUDIENCE_DATA, false },
	{ "advice", "what to do", ALIGN_LEFT, AUDIENCE_DATA, false },
};
enum { CHECK_COLUMNS = sizeof check_columns / sizeof *check_columns };

static void add_checks(struct document *document, const struct doctor_check *checks, size_t count)
{
	struct table *table = document_table(document, "checks", check_columns, CHECK_COLUMNS);
	size_t i, number = 0;

	for (i = 0; i < count; i++) {
		const struct doctor_check *check = &checks[i];
		struct row *row = table_row(document, table);
		const char *word = tone_word(check->tone);

		row->cells[0] = cell_text(check->name);
		row->cells[1] = cell_text(check->found);
		row->cells[2] =
		    cell_word(check->effect == NULL
				  ? word
				  : arena_printf(document->arena, "%s [%zu]", word, ++number),
			      word);
		row->cells[2].tone = check->tone;
		row->cells[3] = text_or_empty(check->effect);
		row->cells[4] = text_or_empty(check->advice);
	}
	for (i = 0, number = 0; i < count; i++)
		if (checks[i].effect != NULL)
			document_note(document, arena_printf(document->arena, "[%zu]", ++number),
				      "%s%s%s", checks[i].effect,
				      checks[i].advice == NULL ? "" : " ",
				      checks[i].advice == NULL ? "" : checks[i].advice)
			    ->audience = AUDIENCE_PEOPLE;
}

/* Two digits: a plan's figure knows no more. */
static const char *percent(struct arena *arena, double ratio)
{
	double step;

	if (isnan(ratio) || ratio <= 0)
		return isnan(ratio) ? "-" : units_percent(arena, 0);
	step = pow(10, floor(log10(ratio)) - 1);
	return units_percent(arena, round(ratio / step) * step);
}

/* Times that people plan with: the default 80 rounds, and three budgets. */
static void add_resolution(struct document *document, const struct doctor_resolution *found)
{
	static const struct column columns[] = {
		{ "time", "in", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "rounds", "rounds", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "wall", "wall", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "cpu", "cpu", ALIGN_RIGHT, AUDIENCE_ALL, false },
	};
	const double times_s[] = { 80 * found->round_s, 10, 120, 300 };
	struct table *table = document_table(document, "resolution", columns, 4);
	struct arena *arena = document->arena;
	size_t i;

	table->title = "Differences that it would almost surely decide";
	for (i = 0; i < sizeof times_s / sizeof *times_s; i++) {
		double rounds = floor(times_s[i] / found->round_s + 1e-6);
		double wall = doctor_resolvable(found->spread_wall, rounds);
		double cpu = doctor_resolvable(found->spread_cpu, rounds);
		struct row *row = table_row(document, table);

		row->cells[0] =
		    cell_number(units_duration(arena, (int64_t)(times_s[i] * 1e9)), times_s[i]);
		row->cells[1] = cell_number(units_count(arena, (int64_t)rounds), rounds);
		row->cells[2] = cell_number(percent(arena, wall), wall);
		row->cells[3] = cell_number(percent(arena, cpu), cpu);
	}
}

/* "about 1.2% in 10 s, 0.35% in 2 min", for a command as long as the one that was run. */
static void add_resolution_sentence(struct document *document,
				    const struct doctor_resolution *found)
{
	struct arena *arena = document->arena;
	double in_10_s = doctor_resolvable(found->spread_wall, 10 / found->round_s);
	double in_2_min = doctor_resolvable(found->spread_wall, 120 / found->round_s);
	double cpu_in_2_min = doctor_resolvable(found->spread_cpu, 120 / found->round_s);
	const char *run = units_value(arena, found->run_s, "s", 2);
	const char *cpu = isnan(cpu_in_2_min) ? ""
					      : arena_printf(arena, ", and %s of cpu time",
							     percent(arena, cpu_in_2_min));

	if (isnan(in_2_min))
		document_sentence(
		    document, NULL,
		    "Runs of %s are too long for more than a few rounds in 2 min: give "
		    "a comparison more time than that.",
		    run);
	else if (isnan(in_10_s))
		document_sentence(
		    document, NULL,
		    "Between two commands that take %s this machine can resolve about "
		    "%s of wall time in 2 min%s.",
		    run, percent(arena, in_2_min), cpu);
	else
		document_sentence(
		    document, NULL,
		    "Between two commands that take %s this machine can resolve about "
		    "%s of wall time in 10 s, %s in 2 min%s.",
		    run, percent(arena, in_10_s), percent(arena, in_2_min), cpu);
}

/* What the segments allow to say; few of them cannot vouch for anything. */
static const char *honesty(struct arena *arena, const struct self_check *check, double round_s)
{
	if (check->alarm)
		return "That is too many: do not trust a small difference on this machine before "
		       "the "
		       "causes above are removed.";
	if (check->segments >= SEGMENTS_WANTED)
		return "Comparing is honest here.";
	return arena_printf(arena,
			    "Nothing speaks against comparing here, but it takes %d segments to be "
			    "sure: --time %.0fs",
			    SEGMENTS_WANTED, ceil(SEGMENTS_WANTED * 10 * 1.1 * round_s));
}

static void add_honesty(struct document *document, const struct self_check *check, double round_s)
{
	struct arena *arena = document->arena;
	struct block *block;

	if (!check->done) {
		document_sentence(
		    document, NULL,
		    "Too few rounds to say whether comparing is honest here: 10 are the "
		    "least, 200 are wanted. Give it more --time.")
		    ->tone = TONE_CAUTION;
		return;
	}
	block = document_sentence(
	    document, NULL,
	    "The same command on both sides looked different in %zu of %zu segment%s of 10 rounds; "
	    "luck makes it 1 in 20. %s",
	    check->false_alarms, check->segments, check->segments == 1 ? "" : "s",
	    honesty(arena, check, round_s));
	block->tone = check->alarm ? TONE_BAD : TONE_GOOD;
	block->id = "honesty";
	if (check->change_low > 0 || check->change_high < 0)
		document_sentence(document, NULL,
				  "All rounds together show %s (%s .. %s) between a command and "
				  "itself: smaller differences are not the commands' own.",
				  units_change(arena, check->change),
				  units_change(arena, check->change_low),
				  units_change(arena, check->change_high))
		    ->tone = TONE_CAUTION;
}

static void add_run(struct document *document, const struct recording *recording,
		    const struct findings *findings)
{
	struct doctor_resolution found = doctor_resolution(recording);
	struct arena *arena = document->arena;
	const char *command = recording->plan.subjects[0].command;

	document_heading(document, "A command against itself");
	document_sentence(document, "command", "%s", text_clean(arena, command, strlen(command)));
	if (recording->end == END_INTERRUPTED)
		document_sentence(document, NULL, "Interrupted after %zu rounds.",
				  recording->rounds_done)
		    ->tone = TONE_CAUTION;
	add_honesty(document, &findings->self_check, found.round_s);
	if (found.disturbed > 0)
		document_sentence(document, NULL,
				  "%zu of %zu runs had company: others used the processors, or the "
				  "hypervisor stole them.",
				  found.disturbed, found.runs)
		    ->tone = TONE_CAUTION;
	if (isnan(found.spread_wall) || isnan(found.round_s))
		return;
	add_resolution_sentence(document, &found);
	add_resolution(document, &found);
}

/* What the document says of this machine, as JSON for programs. */
static struct json *data_make(const struct doctor_machine *machine,
			      const struct recording *recording)
{
	struct json *data = json_object();

	json_set(data, "environment", environment_to_json(&machine->environment));
	json_set(data, "clock_step_ns", json_number(machine->clock_step_ns));
	if (recording != NULL)
		json_set(data, "recording", recording_to_json(recording));
	return data;
}

/* Writes what is known; recording NULL: nothing was run. Returns the exit status. */
static int report(struct arena *arena, const struct doctor_settings *settings,
		  const struct doctor_machine *machine, const struct recording *recording,
		  struct error *err)
{
	struct document *document =
	    document_make(arena, "doctor", "What spoils a measurement here");
	struct findings findings = { 0 };
	size_t count;
	struct doctor_check *checks = doctor_checks(arena, machine, &count);
	bool written;

	document->csv_table = "checks";
	add_checks(document, checks, count);
	if (recording != NULL) {
		judge_recording(arena, recording, &findings);
		add_run(document, recording, &findings);
	}
	document->data = data_make(machine, recording);
	written = output_write(&settings->output, document, err);
	json_release(document->data);
	if (!written)
		return command_trouble(err);
	return findings.self_check.alarm ? EXIT_WORSE : EXIT_NOT_WORSE;
}

static int run_and_report(struct arena *arena, const struct doctor_settings *settings,
			  const struct doctor_machine *machine, const struct operands *operands,
			  struct error *err)
{
	struct measuring measuring = { .arena = arena,
				       .quiet = settings->quiet,
				       .interrupt = { -1 } };
	struct recording recording;
	int status, signal_taken;
	bool good = false;

	measuring.spawner = spawner_start(err);
	if (measuring.spawner != NULL && interrupt_open(&measuring.interrupt, err))
		good = doctor_run(&measuring, operands->has_rest ? operands->rest : NULL,
				  operands->rest_count, settings->time_ns, &recording, err);
	signal_taken = interrupt_taken(&measuring.interrupt);
	spawner_stop(measuring.spawner);
	status = good ? report(arena, settings, machine, &recording, err) : command_trouble(err);
	interrupt_close(&measuring.interrupt);
	return signal_taken != 0 ? EXIT_SIGNAL + signal_taken : status;
}

/* The facts are taken before the run, which is itself a load. */
static int examine(struct arena *arena, const struct doctor_settings *settings,
		   const struct operands *operands, struct error *err)
{
	struct doctor_machine machine;

	doctor_machine_read(arena, &machine);
	if (!settings->run)
		return report(arena, settings, &machine, NULL, err);
	return run_and_report(arena, settings, &machine, operands, err);
}

static int check_and_run(struct arena *arena, const struct doctor_settings *settings,
			 const struct operands *operands, struct error *err)
{
	if (operands->count > 0)
		error_set(err, ERROR_USAGE,
			  "doctor takes no operand '%s'; a command to run against itself comes "
			  "after --, as in: worth doctor -- ./prog arg",
			  operands->items[0]);
	else if (operands->has_rest && operands->rest_count == 0)
		error_set(err, ERROR_USAGE, "after -- comes a command to run against itself");
	else if (operands->has_rest && !settings->run)
		error_set(err, ERROR_USAGE, "--no-run and a command exclude each other");
	else if (output_check(&settings->output, err))
		return examine(arena, settings, operands, err);
	return command_trouble(err);
}

/* The built-in workload is not an option: nobody but doctor_run starts it. */
static bool is_spin(int argc, char **argv, uint64_t *steps)
{
	return argc == 3 && strcmp(argv[1], DOCTOR_SPIN) == 0 &&
	       units_parse_count(argv[2], 1, UINT64_MAX, steps, NULL);
}

static int run(struct program *program, int argc, char **argv)
{
	struct doctor_settings settings = { .time_ns = 5000000000, .run = true };
	struct operands operands;
	struct error err = { 0 };
	struct arena *arena;
	uint64_t steps;
	int status;

	(void)program;
	if (is_spin(argc, argv, &steps)) {
		doctor_spin(steps);
		return 0;
	}
	arena = arena_open();
	output_settings_init(&settings.output);
	if (command_begins(arena, &command_doctor, argc, argv, &settings, &operands, &status))
		status = check_and_run(arena, &settings, &operands, &err);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = {
	"doctor [OPTION...]",
	"doctor [OPTION...] -- COMMAND [ARGUMENT...]",
	NULL,
};

/* measures is false: the spawner is started for the A/A run alone, so that the built-in workload,
 * which is this command too, pays nothing for it. */
const struct command command_doctor = {
	.name = "doctor",
	.summary = "what spoils measurements on this machine, what it can resolve",
	.synopsis = synopsis,
	.description =
	    "Looks at what a measurement on this machine suffers from - clock speed, load, stolen "
	    "time, virtual machines, clocks, counters, limits - and says of each what it does and "
	    "what to do about it.\n"
	    "\n"
	    "Then runs one command against itself, a built-in loop or the one given after --, as "
	    "any comparison is run. That shows whether comparing is honest here, and which "
	    "difference can be resolved in which time.\n"
	    "\n"
	    "Exit status: 0, or 1 where the command against itself looked different more often "
	    "than "
	    "luck allows, 2 trouble, 129, 130 or 143 ended by a signal.",
	.examples = "# everything, in a few seconds\n"
		    "$ worth doctor\n"
		    "# what can be resolved of a program of yours\n"
		    "$ worth doctor --time 1min -- ./sort big.txt\n"
		    "# the checks alone, for a log\n"
		    "$ worth doctor --no-run --json machine.json\n",
	.operands = COMPLETES_COMMAND,
	.options = options,
	.settings_size = sizeof(struct doctor_settings),
	.run = run,
};
