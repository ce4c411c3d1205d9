/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From an experiment to the plan of its measurement: see plan.h. */
#include "commands/run/plan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/words.h"
#include "commands/commands.h"
#include "commands/fingerprint.h"
#include "commands/load_program.h"
#include "commands/study/plan.h"
#include "commands/sweep.h"

/* What stands before the factors among the names that are replaced. */
enum { VARIANT, WORKLOAD, PROGRAM, TREE, WORTH, LOAD, FIXED };

struct drafting {
	struct arena *arena;
	const struct experiment *experiment;
	const struct plan_settings *settings;
	bool find;
	struct sweeps names; /* FIXED ones, then the factors */
};

/* The rows of compare that are about the plan, without those that name commands and sweeps. */
static const struct option *plan_rows(struct arena *arena)
{
	static const char *const left_out[] = { "name", "parameter-list", "parameter-scan", "aa" };
	const struct option *rows = command_compare.options;
	struct option *kept;
	size_t count = 0, i, j;

	for (i = 0; !options_end(&rows[i]); i++)
		continue;
	kept = arena_alloc(arena, i + 1, sizeof *kept);
	for (i = 0; !options_end(&rows[i]); i++) {
		bool wanted =
		    rows[i].kind != OPTION_GROUP && rows[i].offset < sizeof(struct plan_settings);

		for (j = 0; wanted && j < sizeof left_out / sizeof *left_out; j++)
			wanted = strcmp(rows[i].name, left_out[j]) != 0;
		if (wanted)
			kept[count++] = rows[i];
	}
	kept[count] = (struct option)OPTION_TABLE_END;
	return kept;
}

static const struct option *find_row(const struct option *rows, const char *name)
{
	for (; !options_end(rows); rows++)
		if (strcmp(rows->name, name) == 0)
			return rows;
	return NULL;
}

static bool is_flag(const struct option *row)
{
	return row->kind == OPTION_FLAG || row->kind == OPTION_NO_FLAG;
}

static bool unknown_setting(struct arena *arena, const struct option *rows, const char *key,
			    struct error *err)
{
	const char *names[64], *near;
	size_t count = 0;

	for (; !options_end(rows) && count < 64; rows++)
		names[count++] = rows->name;
	near = text_nearest(key, names, count);
	return error_set(err, ERROR_USAGE,
			 "'%s' is no key of [measure]%s; its keys are long options of worth "
			 "compare, without the dashes",
			 text_clean(arena, key, strlen(key)),
			 near == NULL ? "" : arena_printf(arena, "; did you mean '%s'?", near));
}

static bool read_setting(struct arena *arena, const struct command *keys,
			 const struct setting *setting, struct plan_settings *settings,
			 struct error *err)
{
	const struct option *row = find_row(keys->options, setting->key);
	char *argv[] = { arena_strdup(arena, "measure"), NULL, NULL };
	struct operands operands;
	bool help;

	if (row == NULL)
		return unknown_setting(arena, keys->options, setting->key, err);
	if (is_flag(row) && strcmp(setting->value, "yes") != 0 && strcmp(setting->value, "no") != 0)
		return error_set(err, ERROR_USAGE, "%s is yes or no, not '%s'", setting->key,
				 text_clean(arena, setting->value, strlen(setting->value)));
	if (is_flag(row) && setting->value[0] == 'n')
		return true;
	argv[1] = is_flag(row) ? arena_printf(arena, "--%s", setting->key)
			       : arena_printf(arena, "--%s=%s", setting->key, setting->value);
	return options_parse(arena, keys, 2, argv, settings, &operands, &help, err);
}

/* Of an option that is given again the last counts; twice in a file is a slip of the pen. */
static bool check_once(const struct command *keys, const struct experiment *experiment,
		       size_t index, struct error *err)
{
	const char *key = experiment->settings[index].key;
	const struct option *row = find_row(keys->options, key);
	size_t i;

	if (row == NULL || row->kind == OPTION_TEXTS || row->kind == OPTION_PAIRS)
		return true;
	for (i = 0; i < index; i++)
		if (strcmp(experiment->settings[i].key, key) == 0)
			return error_set(err, ERROR_INPUT,
					 "'%s' is given twice; line %u has it, too", key,
					 experiment->settings[i].line);
	return true;
}

bool run_settings_read(struct arena *arena, const struct experiment *experiment,
		       struct plan_settings *settings, struct error *err)
{
	struct command keys = { .name = "[measure]",
				.options = plan_rows(arena),
				.settings_size = sizeof *settings };
	size_t i;

	for (i = 0; i < experiment->setting_count; i++)
		if (!check_once(&keys, experiment, i, err) ||
		    !read_setting(arena, &keys, &experiment->settings[i], settings, err))
			return error_prefix(err, "%s:%u", experiment->path,
					    experiment->settings[i].line);
	return true;
}

/* {program}: a relative one that has a slash, or belongs to a tree, is meant within the tree. */
static const char *program_path(struct arena *arena, const struct variant *variant,
				const char *tree)
{
	if (variant->program == NULL)
		return "";
	if (tree == NULL || variant->program[0] == '/')
		return variant->program;
	return arena_printf(arena, "%s/%s", tree, variant->program);
}

static void name_all(struct drafting *draft)
{
	static const char *const fixed[] = { "variant", "workload", "program",
					     "tree",	"worth",    "load" };
	const struct experiment *experiment = draft->experiment;
	size_t count = FIXED + experiment->factor_count, i;

	draft->names.count = count;
	draft->names.in_file = true;
	draft->names.items = arena_alloc(draft->arena, count, sizeof *draft->names.items);
	for (i = 0; i < count; i++)
		draft->names.items[i] =
		    (struct sweep){ .name = i < FIXED ? fixed[i]
						      : experiment->factors[i - FIXED].name };
}

/* This program, and that of the workloads; a name alone where they are not found. */
static const char *own_program(struct arena *arena)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path);

	return length <= 0 || length == (ssize_t)sizeof path
		   ? "worth"
		   : arena_strndup(arena, path, (size_t)length);
}

static const char *load_program(struct arena *arena)
{
	char *path;

	return load_program_find(arena, &path, NULL) ? path : "worth-load";
}

/* The tree of the cell's layout, which is the last factor. */
static const char *tree_of(const struct experiment *experiment, const struct variant *variant,
			   const struct experiment_cell *cell)
{
	size_t layout;

	if (experiment->layouts == 0)
		return variant->tree;
	layout = (size_t)strtoul(cell->levels[experiment->factor_count - 1], NULL, 10);
	return variant->layout_trees[layout - 1];
}

/* What each name stands for in one subject. */
static struct level *values_of(struct drafting *draft, const struct variant *variant,
			       const struct workload *workload, const struct experiment_cell *cell)
{
	struct level *values = arena_alloc(draft->arena, draft->names.count, sizeof *values);
	const char *tree = tree_of(draft->experiment, variant, cell);
	size_t i;

	for (i = 0; i < draft->names.count; i++)
		values[i].factor = draft->names.items[i].name;
	values[VARIANT].value = variant->name;
	values[WORKLOAD].value = workload == NULL ? "" : workload->name;
	values[PROGRAM].value = program_path(draft->arena, variant, tree);
	values[TREE].value = tree == NULL ? "" : tree;
	values[WORTH].value = own_program(draft->arena);
	values[LOAD].value = load_program(draft->arena);
	for (i = 0; i < draft->experiment->factor_count; i++) {
		values[FIXED + i].value = cell->levels[i];
		values[FIXED + i].ordered = draft->experiment->factors[i].ordered;
	}
	return values;
}

static bool replace(struct drafting *draft, const struct level *values, const char *text,
		    bool quoted, const char **replaced, struct error *err)
{
	char *made;

	*replaced = NULL;
	if (text == NULL)
		return true;
	if (!sweeps_replace(draft->arena, &draft->names, values, text, quoted, &made, err))
		return false;
	*replaced = made;
	return true;
}

/* Words first, so that a value never splits again. */
static bool set_words(struct drafting *draft, const char *command, const struct level *values,
		      struct subject *subject, struct error *err)
{
	struct arena *arena = draft->arena;
	const char *word;
	char **words;
	size_t i;

	if (draft->settings->shell) {
		if (!replace(draft, values, command, true, &subject->command, err))
			return false;
		subject->argv = arena_alloc(arena, 4, sizeof(char *));
		subject->argv[0] = arena_strdup(arena, "/bin/sh");
		subject->argv[1] = arena_strdup(arena, "-c");
		subject->argv[2] = arena_strdup(arena, subject->command);
		subject->argc = 3;
		return !load_program_named(subject->command) ||
		       load_program_insert_text(arena, &subject->argv[2], err);
	}
	if (!words_split(arena, command, &words, &subject->argc, err))
		return false;
	subject->argv = arena_alloc(arena, subject->argc + 1, sizeof(char *));
	for (i = 0; i < subject->argc; i++) {
		if (!replace(draft, values, words[i], false, &word, err))
			return false;
		subject->argv[i] = arena_strdup(arena, word);
	}
	subject->command = words_join(arena, subject->argv, subject->argc);
	if (subject->argv[0][0] == '\0')
		return error_set(err, ERROR_USAGE,
				 "the first word of '%s' is empty: it must name a program",
				 command);
	return !load_program_named(subject->argv[0]) ||
	       load_program_insert(arena, &subject->argv, &subject->argc, err);
}

static bool set_surroundings(struct drafting *draft, const struct variant *variant,
			     const struct workload *workload, const struct level *values,
			     struct subject *subject, struct error *err)
{
	const char **environment;
	size_t i;

	subject->commit = variant->commit;
	if (!replace(draft, values, variant->directory, false, &subject->directory, err))
		return false;
	if (workload != NULL &&
	    (!replace(draft, values, workload->prepare, true, &subject->prepare, err) ||
	     !replace(draft, values, workload->conclude, true, &subject->conclude, err)))
		return false;
	if (variant->environment.count == 0)
		return true;
	environment =
	    arena_alloc(draft->arena, variant->environment.count + 1, sizeof *environment);
	for (i = 0; i < variant->environment.count; i++)
		if (!replace(draft, values, variant->environment.items[i], false, &environment[i],
			     err))
			return false;
	subject->environment = environment;
	return true;
}

/* "base small threads=4" */
static const char *make_label(struct drafting *draft, const struct subject *subject,
			      const struct variant *variant)
{
	const char *label = variant->name;
	size_t i;

	for (i = 0; i < subject->level_count; i++)
		label = arena_printf(draft->arena, "%s %s=%s", label, subject->levels[i].factor,
				     subject->levels[i].value);
	return label;
}

/* The workload is a factor where there are several. */
static void set_levels(struct drafting *draft, const struct level *values, struct subject *subject)
{
	bool several = draft->experiment->workload_count > 1;
	size_t count = draft->experiment->factor_count;

	subject->levels = arena_alloc(draft->arena, count + 1, sizeof *subject->levels);
	if (several)
		subject->levels[subject->level_count++] = values[WORKLOAD];
	memcpy(subject->levels + subject->level_count, values + FIXED, count * sizeof *values);
	subject->level_count += count;
}

static bool find_program(struct drafting *draft, bool is_built, struct subject *subject,
			 struct error *err)
{
	char *path;

	if (!draft->find || draft->settings->shell)
		return true;
	if (!file_find_program(draft->arena, subject->argv[0], subject->directory, &path, err)) {
		if (subject->commit == NULL || err == NULL)
			return false;
		return error_set(err, err->kind, "%s; that is the tree of its revision%s",
				 arena_strdup(draft->arena, err->sentence),
				 is_built ? " after its build"
					  : ", in which nothing is built without a build command");
	}
	subject->binary_path = path;
	subject->build_id = fingerprint_make(draft->arena, path);
	return true;
}

static bool draft_subject(struct drafting *draft, const struct variant *variant,
			  const struct workload *workload, const struct experiment_cell *cell,
			  struct subject *subject, struct error *err)
{
	const char *command = workload == NULL ? variant->command : workload->command;
	struct level *values = values_of(draft, variant, workload, cell);
	bool good;

	set_levels(draft, values, subject);
	good = set_words(draft, command, values, subject, err) &&
	       set_surroundings(draft, variant, workload, values, subject, err) &&
	       find_program(draft, variant->build != NULL, subject, err);
	if (!good && variant->line == 0)
		return error_prefix(err, "variant '%s'", variant->name);
	if (!good)
		return error_prefix(err, "%s:%u", draft->experiment->path,
				    workload == NULL ? variant->line : workload->line);
	subject->label = make_label(draft, subject, variant);
	return true;
}

/* All variants of one cell and workload; the first of them is the baseline. */
static bool draft_cell(struct drafting *draft, const struct workload *workload,
		       const struct experiment_cell *cell, struct plan *plan, struct error *err)
{
	size_t baseline = plan->subject_count, i;

	for (i = 0; i < draft->experiment->variant_count; i++) {
		const struct variant *variant = &draft->experiment->variants[i];
		struct subject *subject = &plan->subjects[plan->subject_count];

		if (variant->missing)
			continue;
		if (!draft_subject(draft, variant, workload, cell, subject, err))
			return false;
		subject->baseline = baseline;
		plan->subject_count++;
	}
	return true;
}

/* A factor that no command mentions would measure the same thing again and again. */
static bool factors_used(const struct drafting *draft, struct error *err)
{
	size_t i;

	for (i = FIXED; i < draft->names.count; i++)
		if (!draft->names.items[i].used)
			return error_set(err, ERROR_USAGE,
					 "%s:%u: factor '%s' is in no command: write {%s} where "
					 "its level belongs",
					 draft->experiment->path,
					 draft->experiment->factors[i - FIXED].line,
					 draft->names.items[i].name, draft->names.items[i].name);
	return true;
}

/* Variants that differ in nothing that is run are one program under two names. */
static bool variants_differ(const struct drafting *draft, struct error *err)
{
	const struct experiment *experiment = draft->experiment;
	bool named = draft->names.items[VARIANT].used || draft->names.items[PROGRAM].used ||
		     draft->names.items[TREE].used;
	size_t i;

	if (named || experiment->workload_count == 0 || experiment->variant_count == 1)
		return true;
	for (i = 0; i < experiment->variant_count; i++)
		if (experiment->variants[i].environment.count > 0 ||
		    experiment->variants[i].directory != NULL)
			return true;
	return error_set(err, ERROR_USAGE,
			 "%s:%u: the workloads run the same command for every variant: write "
			 "{program}, {tree} or {variant} in them",
			 experiment->path, experiment->workloads[0].line);
}

bool run_plan_make(struct arena *arena, const struct experiment *experiment,
		   const struct plan_settings *settings, bool find, struct plan *plan,
		   struct error *err)
{
	size_t workloads = experiment->workload_count > 0 ? experiment->workload_count : 1;
	struct drafting draft = {
		.arena = arena, .experiment = experiment, .settings = settings, .find = find
	};
	size_t i, j;

	if (!plan_apply(arena, settings, plan, err))
		return error_prefix(err, "%s: [measure]", experiment->path);
	name_all(&draft);
	if (experiment->layouts > 0) {
		draft.names.items[draft.names.count - 1].used = true;
		plan->block = "layout";
		plan->peek = false;
	}
	plan->subjects =
	    arena_alloc(arena, workloads * experiment->cell_count * experiment->variant_count + 1,
			sizeof *plan->subjects);
	for (i = 0; i < workloads; i++)
		for (j = 0; j < experiment->cell_count; j++)
			if (!draft_cell(&draft,
					experiment->workload_count > 0 ? &experiment->workloads[i]
								       : NULL,
					&experiment->cells[j], plan, err))
				return false;
	return factors_used(&draft, err) && variants_differ(&draft, err) &&
	       study_plan_make(arena, experiment, plan, err);
}
