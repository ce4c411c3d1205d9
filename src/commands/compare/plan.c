/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the user's words to a plan. Each operand is a command; with sweeps it
 * runs once in every cell, and the first command of a cell is the baseline of
 * the others in it. One command swept alone is compared with its own first
 * cell.
 */
#include "commands/compare/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "base/units.h"
#include "base/words.h"
#include "commands/fingerprint.h"
#include "commands/load_program.h"
#include "commands/margins.h"
#include "commands/sweep.h"
#include "measure/counters.h"

enum {
	ROUNDS_DEFAULT = 80,
	SELF_CHECK_ROUNDS = 200, /* 20 segments of 10, so that their false alarms can be counted */
	BUDGET_DEFAULT_S = 300,
};

static const char primary_default[] = "wall";
static const char output_default[] = "discard";

/* Field by field into zeroed memory, so that two settings can be compared byte by byte. */
void plan_settings_init(struct plan_settings *settings)
{
	memset(settings, 0, sizeof *settings);
	settings->warmup = 1;
	settings->budget_ns = BUDGET_DEFAULT_S * INT64_C(1000000000);
	settings->confidence = 0.95;
	settings->primary = primary_default;
	settings->output = output_default;
	settings->environment_padding = true;
}

bool plan_settings_given(const struct plan_settings *settings)
{
	struct plan_settings fresh;

	plan_settings_init(&fresh);
	return memcmp(settings, &fresh, sizeof fresh) != 0;
}

/* The words of one command in one cell, without a shell. */
static bool plain_words(struct arena *arena, const char *command, const struct operands *operands,
			struct sweeps *sweeps, struct subject *subject, struct error *err)
{
	char **words;
	size_t count, i;

	if (!words_split(arena, command, &words, &count, err))
		return false;
	subject->argv = arena_alloc(arena, count + operands->rest_count + 1, sizeof(char *));
	for (i = 0; i < count + operands->rest_count; i++)
		if (!sweeps_replace(arena, sweeps, subject->levels,
				    i < count ? words[i] : operands->rest[i - count], false,
				    &subject->argv[i], err))
			return false;
	subject->argc = count + operands->rest_count;
	subject->command = words_join(arena, subject->argv, subject->argc);
	if (load_program_named(subject->argv[0]))
		return load_program_insert(arena, &subject->argv, &subject->argc, err);
	if (subject->argv[0][0] == '\0')
		return error_set(err, ERROR_USAGE,
				 "the command '%s' is empty: its first word must name a program",
				 command);
	return true;
}

/* One string for sh -c; the shared arguments go in quoted. */
static bool shell_words(struct arena *arena, const char *command, const struct operands *operands,
			struct sweeps *sweeps, struct subject *subject, struct error *err)
{
	char *replaced;
	size_t i;

	if (!sweeps_replace(arena, sweeps, subject->levels, command, true, &replaced, err))
		return false;
	if (replaced[strspn(replaced, " \t\n")] == '\0')
		return error_set(err, ERROR_USAGE, "a command is empty: write what to run");
	for (i = 0; i < operands->rest_count; i++) {
		char *word;

		if (!sweeps_replace(arena, sweeps, subject->levels, operands->rest[i], false, &word,
				    err))
			return false;
		replaced = arena_printf(arena, "%s %s", replaced, words_quote(arena, word));
	}
	subject->command = replaced;
	if (load_program_named(replaced) && !load_program_insert_text(arena, &replaced, err))
		return false;
	subject->argv = arena_alloc(arena, 4, sizeof(char *));
	subject->argv[0] = arena_strdup(arena, "/bin/sh");
	subject->argv[1] = arena_strdup(arena, "-c");
	subject->argv[2] = replaced;
	subject->argc = 3;
	return true;
}

/* A hook that was given once serves all commands; given several times, one each. */
static bool choose_hook(struct arena *arena, const char *option, const struct option_texts *hooks,
			size_t index, size_t command_count, struct sweeps *sweeps,
			const struct level *levels, const char **hook, struct error *err)
{
	char *replaced;

	*hook = NULL;
	if (hooks->count == 0)
		return true;
	if (hooks->count != 1 && hooks->count != command_count)
		return error_set(err, ERROR_USAGE,
				 "--%s is given %zu times for %zu commands: give it once for all, "
				 "or once for each",
				 option, hooks->count, command_count);
	if (!sweeps_replace(arena, sweeps, levels, hooks->items[hooks->count == 1 ? 0 : index],
			    true, &replaced, err))
		return error_prefix(err, "--%s", option);
	*hook = replaced;
	return true;
}

/* Who a command is when the user gave it no name: its part in the comparison. */
static const char *role(struct arena *arena, const struct subject *subject, size_t command,
			size_t command_count)
{
	if (command_count == 1)
		return subject->command;
	if (command == 0)
		return "baseline";
	return command_count == 2 ? "candidate" : arena_printf(arena, "candidate %zu", command);
}

/* The name or role, and in a sweep the levels; one command swept is told by its levels alone. */
static const char *make_label(struct arena *arena, const struct plan_settings *settings,
			      const struct subject *subject, size_t command, size_t command_count)
{
	bool named = command < settings->names.count;
	struct text label = { 0 };
	const char *result;
	size_t i;

	if (named)
		text_add(&label, settings->names.items[command]);
	else if (command_count > 1 || subject->level_count == 0)
		text_add(&label, role(arena, subject, command, command_count));
	for (i = 0; i < subject->level_count; i++)
		text_printf(&label, "%s%s=%s", label.length > 0 ? " " : "",
			    subject->levels[i].factor, subject->levels[i].value);
	result = arena_strdup(arena, text_string(&label));
	text_release(&label);
	return result;
}

static bool subject_make(struct arena *arena, const struct plan_settings *settings,
			 const struct operands *operands, struct sweeps *sweeps, size_t command,
			 size_t cell, struct subject *subject, struct error *err)
{
	const char *words = operands->items[command];

	if (sweeps->count == 0 && sweeps_forgotten(words, err))
		return false;
	subject->levels = sweeps_levels(arena, sweeps, cell);
	subject->level_count = sweeps->count;
	if (!(settings->shell ? shell_words : plain_words)(arena, words, operands, sweeps, subject,
							   err))
		return false;
	if (!choose_hook(arena, "prepare", &settings->prepare, command, operands->count, sweeps,
			 subject->levels, &subject->prepare, err) ||
	    !choose_hook(arena, "conclude", &settings->conclude, command, operands->count, sweeps,
			 subject->levels, &subject->conclude, err))
		return false;
	subject->label = make_label(arena, settings, subject, command, operands->count);
	if (!settings->shell) {
		char *path;

		if (!file_find_program(arena, subject->argv[0], NULL, &path, err))
			return false;
		subject->binary_path = path;
		subject->build_id = fingerprint_make(arena, path);
	}
	return true;
}

/* A label that stands twice gets a number: "./prog", "./prog (2)". */
static void number_labels(struct arena *arena, struct plan *plan)
{
	size_t i, j, seen;

	for (i = 1; i < plan->subject_count; i++) {
		const char *label = plan->subjects[i].label;

		for (seen = 1, j = 0; j < i;) {
			if (strcmp(plan->subjects[j].label, plan->subjects[i].label) != 0) {
				j++;
				continue;
			}
			plan->subjects[i].label = arena_printf(arena, "%s (%zu)", label, ++seen);
			j = 0;
		}
	}
}

/* "worth-null", which ends at once: what a run costs before and after the program's own work. */
static bool add_empty(struct arena *arena, struct plan *plan, struct error *err)
{
	struct subject *subject = &plan->subjects[plan->subject_count];

	subject->argv = arena_alloc(arena, 2, sizeof(char *));
	if (!load_program_companion(arena, "worth-null", "the empty program", &subject->argv[0],
				    err))
		return error_prefix(err, "--null");
	subject->argc = 1;
	subject->label = "null";
	subject->command = "an empty program";
	subject->baseline = plan->subject_count++;
	subject->empty = true;
	return true;
}

static bool subjects_make(struct arena *arena, const struct plan_settings *settings,
			  const struct operands *operands, struct plan *plan, struct error *err)
{
	struct sweeps sweeps;
	size_t cells, cell, command;

	if (operands->count == 0 && operands->rest_count > 0)
		return error_set(err, ERROR_USAGE,
				 "no command before --: the words after it are added to every "
				 "command (worth ./old ./new -- file)");
	if (operands->count == 0)
		return error_set(
		    err, ERROR_USAGE,
		    "no command given: worth BASELINE CANDIDATE... (see worth --help)");
	if (settings->names.count > operands->count)
		return error_set(err, ERROR_USAGE,
				 "-n is given %zu times for %zu command%s: give each at "
				 "most one name",
				 settings->names.count, operands->count,
				 operands->count == 1 ? "" : "s");
	if (!sweeps_parse(arena, &settings->lists, &settings->scans, &sweeps, err) ||
	    !sweeps_cells(&sweeps, PLAN_SUBJECTS_MAXIMUM / operands->count, &cells, err))
		return false;
	plan->subjects = arena_alloc(arena, cells * operands->count + 2, sizeof *plan->subjects);
	for (cell = 0; cell < cells; cell++)
		for (command = 0; command < operands->count; command++) {
			struct subject *subject = &plan->subjects[plan->subject_count];

			if (!subject_make(arena, settings, operands, &sweeps, command, cell,
					  subject, err))
				return false;
			subject->baseline = operands->count == 1 ? 0 : cell * operands->count;
			plan->subject_count++;
		}
	if (settings->self_check && plan->subject_count == 1) {
		plan->subjects[1] = plan->subjects[0];
		plan->subject_count = 2;
		if (settings->names.count == 0) {
			plan->subjects[0].label = "baseline";
			plan->subjects[1].label = "candidate";
		}
	}
	if (settings->null && !add_empty(arena, plan, err))
		return false;
	number_labels(arena, plan);
	return sweeps_all_used(&sweeps, err);
}

static bool parse_counters(struct arena *arena, const char *list, struct plan *plan,
			   struct error *err)
{
	size_t capacity = 0;

	while (list != NULL && *list != '\0') {
		size_t length = strcspn(list, ",");

		const char *name = arena_strndup(arena, list, length);

		if (!counters_check(name, err))
			return error_prefix(err, "--counters");
		*array_push(arena, plan->counters, plan->counter_count, capacity) = name;
		list += length + (list[length] == ',');
	}
	return true;
}

static bool parse_cpu(const char *word, int *cpu, struct error *err)
{
	cpu_set_t allowed;
	uint64_t number;

	*cpu = -1;
	if (word == NULL)
		return true;
	if (!units_parse_count(word, 0, CPU_SETSIZE - 1, &number, err))
		return error_prefix(err, "--cpu %s", word);
	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && !CPU_ISSET(number, &allowed))
		return error_set(err, ERROR_USAGE,
				 "--cpu %s: this process may not run on that processor (see "
				 "taskset -p $$)",
				 word);
	*cpu = (int)number;
	return true;
}

static bool parse_seed(const char *word, uint64_t *seed, struct error *err)
{
	*seed = random_seed();
	if (word == NULL)
		return true;
	if (!units_parse_count(word, 0, UINT64_MAX, seed, err))
		return error_prefix(err, "--seed %s", word);
	return true;
}

static bool parse_streams(const struct plan_settings *settings, struct plan *plan,
			  struct error *err)
{
	plan->input_path = settings->input;
	if (plan->input_path != NULL) {
		int fd = open(plan->input_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

		if (fd < 0)
			return error_set(err, ERROR_USAGE, "--input %s: %s", plan->input_path,
					 strerror(errno));
		close(fd);
	}
	if (output_mode_parse(settings->output, &plan->output) && plan->output != OUTPUT_FILE)
		return true;
	plan->output = OUTPUT_FILE;
	plan->output_path = settings->output;
	if (strchr(plan->output_path, '/') == NULL && strchr(plan->output_path, '.') == NULL)
		return error_set(err, ERROR_USAGE,
				 "--output %s: say discard, null, pipe, inherit, or a file (./%s "
				 "for one of that name)",
				 plan->output_path, plan->output_path);
	if (!file_writable(plan->output_path, err))
		return error_prefix(err, "--output");
	return true;
}

bool plan_apply(struct arena *arena, const struct plan_settings *settings, struct plan *plan,
		struct error *err)
{
	*plan = (struct plan){
		.rounds = settings->rounds > 0	 ? settings->rounds
			  : settings->self_check ? SELF_CHECK_ROUNDS
						 : ROUNDS_DEFAULT,
		.warmup_rounds = settings->warmup,
		.budget_ns = settings->budget_ns,
		.peek = !settings->no_peek,
		.primary = settings->primary,
		.confidence = settings->confidence,
		.self_check = settings->self_check,
		.timeout_ns = settings->timeout_ns,
		.environment_padding = settings->environment_padding,
		.ignore_failure = settings->ignore_failure,
		.keep_strays = settings->keep_strays,
		.setup = settings->setup,
		.cleanup = settings->cleanup,
		.show_output = settings->show_output,
		.same_output = settings->same_output,
		.simulate = settings->simulate,
		.shell = settings->shell ? "/bin/sh" : NULL,
	};
	return parse_counters(arena, settings->counters, plan, err) &&
	       parse_cpu(settings->cpu, &plan->cpu, err) &&
	       parse_seed(settings->seed, &plan->seed, err) &&
	       margins_parse(arena, &settings->margins, plan, err) &&
	       parse_streams(settings, plan, err);
}

bool plan_make(struct arena *arena, const struct plan_settings *settings,
	       const struct operands *operands, struct plan *plan, struct error *err)
{
	return plan_apply(arena, settings, plan, err) &&
	       subjects_make(arena, settings, operands, plan, err);
}
