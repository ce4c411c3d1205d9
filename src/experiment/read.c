/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Experiment files by inih. Sections and keys are tables; a key of a table
 * says where its value goes. inih gives a continuation line as another value
 * of the same key, so the lines are counted here, by the reader that inih asks
 * for each, and a value that came without a key on its line is a continuation.
 */
#include <ctype.h>
#include <ini.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "experiment/blocks.h"
#include "experiment/cells.h"
#include "experiment/experiment.h"

enum { LONGEST_FILE = 1 << 20, LONGEST_LINE = 1 << 16 };

enum key_kind { KEY_TEXT, KEY_LIST, KEY_WORDS, KEY_YES };

struct key {
	const char *name;
	enum key_kind kind;
	size_t offset;
};

static const struct key variant_keys[] = {
	{ "command", KEY_TEXT, offsetof(struct variant, command) },
	{ "program", KEY_TEXT, offsetof(struct variant, program) },
	{ "repository", KEY_TEXT, offsetof(struct variant, repository) },
	{ "revision", KEY_TEXT, offsetof(struct variant, revision) },
	{ "build", KEY_TEXT, offsetof(struct variant, build) },
	{ "link", KEY_TEXT, offsetof(struct variant, link) },
	{ "directory", KEY_TEXT, offsetof(struct variant, directory) },
	{ "environment", KEY_LIST, offsetof(struct variant, environment) },
	{ NULL },
};

static const struct key factor_keys[] = {
	{ "levels", KEY_WORDS, offsetof(struct factor, levels) },
	{ "ordered", KEY_YES, offsetof(struct factor, ordered) },
	{ NULL },
};

static const struct key workload_keys[] = {
	{ "command", KEY_TEXT, offsetof(struct workload, command) },
	{ "prepare", KEY_TEXT, offsetof(struct workload, prepare) },
	{ "conclude", KEY_TEXT, offsetof(struct workload, conclude) },
	{ NULL },
};

static const struct key claim_keys[] = {
	{ "says", KEY_TEXT, offsetof(struct experiment_claim, says) },
	{ "metric", KEY_TEXT, offsetof(struct experiment_claim, metric) },
	{ "candidate", KEY_TEXT, offsetof(struct experiment_claim, candidate) },
	{ "baseline", KEY_TEXT, offsetof(struct experiment_claim, baseline) },
	{ "direction", KEY_TEXT, offsetof(struct experiment_claim, direction) },
	{ "least", KEY_TEXT, offsetof(struct experiment_claim, least) },
	{ "published", KEY_TEXT, offsetof(struct experiment_claim, published) },
	{ "source", KEY_TEXT, offsetof(struct experiment_claim, source) },
	{ NULL },
};

static const struct key study_keys[] = {
	{ "summary", KEY_TEXT, offsetof(struct experiment, summary) },
	{ "quick", KEY_LIST, offsetof(struct experiment, quick) },
	{ "pareto", KEY_TEXT, offsetof(struct experiment, pareto) },
	{ "beside", KEY_TEXT, offsetof(struct experiment, beside) },
	{ NULL },
};

static const struct key experiment_keys[] = {
	{ "title", KEY_TEXT, offsetof(struct experiment, title) },
	{ NULL },
};

static const struct key blocks_keys[] = {
	{ "rebuilds", KEY_TEXT, offsetof(struct experiment_blocks, words[BLOCKS_REBUILDS]) },
	{ "relinks", KEY_TEXT, offsetof(struct experiment_blocks, words[BLOCKS_RELINKS]) },
	{ "sessions", KEY_TEXT, offsetof(struct experiment_blocks, words[BLOCKS_SESSIONS]) },
	{ "reboots", KEY_TEXT, offsetof(struct experiment_blocks, words[BLOCKS_REBOOTS]) },
	{ "hosts", KEY_TEXT, offsetof(struct experiment_blocks, words[BLOCKS_HOSTS]) },
	{ "pause", KEY_TEXT, offsetof(struct experiment_blocks, pause_word) },
	{ NULL },
};

static const char *const section_names[] = { "experiment", "measure",  "variant",
					     "factor",	   "workload", "cells",
					     "blocks",	   "claim",    "study" };

struct reading {
	struct arena *arena;
	struct experiment *experiment;
	const char *rest; /* of the file */
	unsigned line;
	bool continues; /* the line began with a blank */
	const char *section;
	void *object;		/* the struct of the present section */
	const struct key *keys; /* of it; NULL: [measure] and [cells] */
	struct error *err;
};

/* inih's fgets, which also counts. */
static char *next_line(char *line, int room, void *stream)
{
	struct reading *reading = stream;
	size_t length = strcspn(reading->rest, "\n");
	size_t step = length + (reading->rest[length] == '\n');

	if (*reading->rest == '\0')
		return NULL;
	reading->line++;
	reading->continues = *reading->rest == ' ' || *reading->rest == '\t';
	if (length >= (size_t)room)
		length = (size_t)room - 1;
	memcpy(line, reading->rest, length);
	line[length] = '\0';
	reading->rest += step;
	return line;
}

static bool complain(struct reading *reading, unsigned line, const char *sentence)
{
	if (reading->err != NULL && reading->err->kind != ERROR_NONE)
		return false;
	return error_set(reading->err, ERROR_USAGE, "%s:%u: %s", reading->experiment->path, line,
			 sentence);
}

#define COMPLAIN(reading, line, ...)                                                               \
	complain(reading, line, arena_printf((reading)->arena, __VA_ARGS__))

static const char *clean(struct reading *reading, const char *string)
{
	return text_clean(reading->arena, string, strlen(string));
}

/* ", did you mean 'levels'?" or nothing. */
static const char *nearest(struct reading *reading, const char *word, const char *const *words,
			   size_t count)
{
	const char *near = text_nearest(word, words, count);

	return near == NULL ? "" : arena_printf(reading->arena, "; did you mean '%s'?", near);
}

static bool unknown_key(struct reading *reading, const char *name)
{
	const char *names[16];
	size_t count = 0;

	while (reading->keys[count].name != NULL) {
		names[count] = reading->keys[count].name;
		count++;
	}
	return COMPLAIN(reading, reading->line, "'%s' is no key of [%s]%s", clean(reading, name),
			clean(reading, reading->section), nearest(reading, name, names, count));
}

static void list_add(struct arena *arena, struct text_list *list, const char *item)
{
	*array_push(arena, list->items, list->count, list->capacity) = item;
}

/* Words between blanks or commas. */
static void add_words(struct arena *arena, struct text_list *list, const char *value)
{
	while (*(value += strspn(value, " \t,")) != '\0') {
		size_t length = strcspn(value, " \t,");

		list_add(arena, list, arena_strndup(arena, value, length));
		value += length;
	}
}

static bool set_yes(struct reading *reading, bool *yes, const char *name, const char *value)
{
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return COMPLAIN(reading, reading->line, "%s is yes or no, not '%s'", name,
				clean(reading, value));
	*yes = strcmp(value, "yes") == 0;
	return true;
}

/* An indented key is a continuation to inih, which no one means who writes "  program = x". */
static bool is_indented_key(const struct reading *reading, const char *value)
{
	size_t length = strspn(value, "abcdefghijklmnopqrstuvwxyz"), i;

	if (!reading->continues || value[length + strspn(value + length, " \t")] != '=')
		return false;
	for (i = 0; reading->keys[i].name != NULL; i++)
		if (strlen(reading->keys[i].name) == length &&
		    strncmp(reading->keys[i].name, value, length) == 0)
			return true;
	return false;
}

static bool set_text(struct reading *reading, const char **text, const char *name,
		     const char *value)
{
	if (*text != NULL && is_indented_key(reading, value))
		return COMPLAIN(reading, reading->line,
				"a line that begins with a blank goes on with '%s' above it; begin "
				"a key in the first column",
				name);
	if (*text != NULL && !reading->continues)
		return COMPLAIN(reading, reading->line,
				"%s is given twice in [%s]; a long value goes on in a line that "
				"begins with a blank",
				name, clean(reading, reading->section));
	if (*value == '\0')
		return COMPLAIN(reading, reading->line, "%s is empty", name);
	*text = *text == NULL ? arena_strdup(reading->arena, value)
			      : arena_printf(reading->arena, "%s %s", *text, value);
	return true;
}

static bool set_key(struct reading *reading, const char *name, const char *value)
{
	const struct key *key = reading->keys;
	char *field;

	while (key->name != NULL && strcmp(key->name, name) != 0)
		key++;
	if (key->name == NULL)
		return unknown_key(reading, name);
	field = (char *)reading->object + key->offset;
	switch (key->kind) {
	case KEY_TEXT:
		return set_text(reading, (const char **)field, name, value);
	case KEY_YES:
		return set_yes(reading, (bool *)field, name, value);
	case KEY_LIST:
		list_add(reading->arena, (struct text_list *)field,
			 arena_strdup(reading->arena, value));
		return true;
	default:
		add_words(reading->arena, (struct text_list *)field, value);
		return true;
	}
}

static bool add_setting(struct reading *reading, const char *name, const char *value)
{
	struct experiment *experiment = reading->experiment;

	if (reading->continues && experiment->setting_count > 0) {
		struct setting *last = &experiment->settings[experiment->setting_count - 1];

		last->value = arena_printf(reading->arena, "%s %s", last->value, value);
		return true;
	}
	*array_push(reading->arena, experiment->settings, experiment->setting_count,
		    experiment->setting_capacity) =
	    (struct setting){ arena_strdup(reading->arena, name),
			      arena_strdup(reading->arena, value), reading->line };
	return true;
}

static bool add_cell(struct reading *reading, const char *name, const char *value)
{
	struct experiment *experiment = reading->experiment;
	size_t count = experiment->listed.count;

	if (strcmp(name, "cell") != 0)
		return COMPLAIN(reading, reading->line,
				"[cells] has lines 'cell = FACTOR=LEVEL ...', not '%s'",
				clean(reading, name));
	list_add(reading->arena, &experiment->listed, arena_strdup(reading->arena, value));
	*array_push(reading->arena, experiment->listed_lines, count,
		    experiment->listed_line_capacity) = reading->line;
	return true;
}

/* Names become labels, directories and placeholders. */
static bool is_good_name(const char *name)
{
	size_t i;

	if (!isalnum((unsigned char)name[0]) && name[0] != '_')
		return false;
	for (i = 0; name[i] != '\0'; i++)
		if (!isalnum((unsigned char)name[i]) && strchr("_-.+", name[i]) == NULL)
			return false;
	return strstr(name, "..") == NULL;
}

static bool good_name(struct reading *reading, const char *kind, const char *name)
{
	if (is_good_name(name))
		return true;
	return COMPLAIN(reading, reading->line,
			"'%s' cannot name a %s: use letters, digits, _ - . and +, no '..'",
			clean(reading, name), kind);
}

static bool twice(struct reading *reading, const char *kind, const char *name, unsigned line)
{
	return COMPLAIN(reading, reading->line, "%s '%s' is there already, in line %u", kind, name,
			line);
}

static bool begin_variant(struct reading *reading, const char *name)
{
	struct experiment *experiment = reading->experiment;
	size_t i;

	if (!good_name(reading, "variant", name))
		return false;
	for (i = 0; i < experiment->variant_count; i++)
		if (strcmp(experiment->variants[i].name, name) == 0)
			return twice(reading, "variant", name, experiment->variants[i].line);
	reading->keys = variant_keys;
	reading->object = array_push(reading->arena, experiment->variants,
				     experiment->variant_count, experiment->variant_capacity);
	*(struct variant *)reading->object =
	    (struct variant){ .name = arena_strdup(reading->arena, name), .line = reading->line };
	return true;
}

static bool begin_factor(struct reading *reading, const char *name)
{
	static const char *const taken[] = { "variant", "workload", "program",
					     "tree",	"worth",    "load" };
	struct experiment *experiment = reading->experiment;
	size_t i;

	if (!good_name(reading, "factor", name))
		return false;
	for (i = 0; i < sizeof taken / sizeof *taken; i++)
		if (strcmp(taken[i], name) == 0)
			return COMPLAIN(reading, reading->line,
					"a factor cannot be called '%s', which means something "
					"else in commands",
					name);
	for (i = 0; i < experiment->factor_count; i++)
		if (strcmp(experiment->factors[i].name, name) == 0)
			return twice(reading, "factor", name, experiment->factors[i].line);
	reading->keys = factor_keys;
	reading->object = array_push(reading->arena, experiment->factors, experiment->factor_count,
				     experiment->factor_capacity);
	*(struct factor *)reading->object =
	    (struct factor){ .name = arena_strdup(reading->arena, name), .line = reading->line };
	return true;
}

static bool begin_workload(struct reading *reading, const char *name)
{
	struct experiment *experiment = reading->experiment;
	size_t i;

	if (*name != '\0' && !good_name(reading, "workload", name))
		return false;
	for (i = 0; i < experiment->workload_count; i++)
		if (strcmp(experiment->workloads[i].name, name) == 0)
			return twice(reading, "workload", name, experiment->workloads[i].line);
	reading->keys = workload_keys;
	reading->object = array_push(reading->arena, experiment->workloads,
				     experiment->workload_count, experiment->workload_capacity);
	*(struct workload *)reading->object =
	    (struct workload){ .name = arena_strdup(reading->arena, name), .line = reading->line };
	return true;
}

static bool begin_claim(struct reading *reading, const char *name)
{
	struct experiment *experiment = reading->experiment;
	size_t i;

	if (!good_name(reading, "claim", name))
		return false;
	for (i = 0; i < experiment->claim_count; i++)
		if (strcmp(experiment->claims[i].name, name) == 0)
			return twice(reading, "claim", name, experiment->claims[i].line);
	reading->keys = claim_keys;
	reading->object = array_push(reading->arena, experiment->claims, experiment->claim_count,
				     experiment->claim_capacity);
	*(struct experiment_claim *)reading->object =
	    (struct experiment_claim){ .name = arena_strdup(reading->arena, name),
				       .line = reading->line };
	return true;
}

/* "[kind name]": the kind, and where the name begins. */
static bool begin_section(struct reading *reading, const char *section)
{
	size_t length = strcspn(section, " \t");
	const char *kind = arena_strndup(reading->arena, section, length);
	const char *name = section + length + strspn(section + length, " \t");

	reading->section = arena_strdup(reading->arena, section);
	reading->keys = NULL;
	reading->object = NULL;
	if (strcmp(kind, "variant") == 0)
		return begin_variant(reading, name);
	if (strcmp(kind, "factor") == 0)
		return begin_factor(reading, name);
	if (strcmp(kind, "workload") == 0)
		return begin_workload(reading, name);
	if (strcmp(kind, "claim") == 0)
		return begin_claim(reading, name);
	if (*name == '\0' && (strcmp(kind, "experiment") == 0 || strcmp(kind, "study") == 0)) {
		reading->keys = kind[0] == 's' ? study_keys : experiment_keys;
		reading->object = reading->experiment;
		return true;
	}
	if (*name == '\0' && strcmp(kind, "blocks") == 0) {
		reading->keys = blocks_keys;
		reading->object = &reading->experiment->blocks;
		reading->experiment->blocks.line = reading->line;
		return true;
	}
	if (*name == '\0' && (strcmp(kind, "measure") == 0 || strcmp(kind, "cells") == 0))
		return true;
	return COMPLAIN(
	    reading, reading->line,
	    "there is no section [%s]%s; there are [experiment], [measure], [variant "
	    "NAME], [factor NAME], [workload NAME], [cells], [blocks] and [claim NAME]",
	    clean(reading, section),
	    nearest(reading, kind, section_names, sizeof section_names / sizeof *section_names));
}

/* Called by inih for every value. */
static int take(void *user, const char *section, const char *name, const char *value)
{
	struct reading *reading = user;

	(void)section;
	if (reading->section == NULL)
		return COMPLAIN(reading, reading->line,
				"'%s' stands before the first section; begin with [experiment], "
				"[measure] or [variant NAME]",
				clean(reading, name));
	if (reading->keys != NULL)
		return set_key(reading, name, value);
	return strcmp(reading->section, "measure") == 0 ? add_setting(reading, name, value)
							: add_cell(reading, name, value);
}

/* inih does not tell of sections without keys, and two of the same name look like one to it: so
 * headings are taken here, before inih sees what follows. */
static char *next_line_and_section(char *line, int room, void *stream)
{
	struct reading *reading = stream;
	const char *end;

	if (next_line(line, room, stream) == NULL)
		return NULL;
	end = strchr(line, ']');
	if (line[0] == '[' && end != NULL &&
	    !begin_section(reading,
			   arena_strndup(reading->arena, line + 1, (size_t)(end - line) - 1)))
		return NULL;
	return line;
}

/* A file that was read whole, checked for what only shows at its end. */
static bool check_variants(struct reading *reading)
{
	struct experiment *experiment = reading->experiment;
	size_t i;

	if (experiment->variant_count == 0)
		return COMPLAIN(reading, reading->line > 0 ? reading->line : 1,
				"there is no [variant NAME]: the first "
				"is the baseline, the others are compared with it");
	for (i = 0; i < experiment->variant_count; i++) {
		const struct variant *variant = &experiment->variants[i];

		if (experiment->workload_count == 0 && variant->command == NULL)
			return COMPLAIN(reading, variant->line,
					"variant '%s' has no command, and there is no [workload] "
					"that runs it",
					variant->name);
		if (experiment->workload_count > 0 && variant->command != NULL)
			return COMPLAIN(reading, variant->line,
					"variant '%s' has a command, but the workloads say what "
					"is run: give it a program, which {program} stands for",
					variant->name);
		if (variant->build != NULL && variant->revision == NULL)
			return COMPLAIN(reading, variant->line,
					"variant '%s' has a build but no revision: worth builds "
					"in work trees of its own, never in yours",
					variant->name);
	}
	return true;
}

static bool check_factors(struct reading *reading)
{
	struct experiment *experiment = reading->experiment;
	size_t i, j, k;

	for (i = 0; i < experiment->factor_count; i++) {
		const struct factor *factor = &experiment->factors[i];

		if (factor->levels.count < 2)
			return COMPLAIN(reading, factor->line,
					"factor '%s' has %s: it needs two or more, 'levels = 1 2 "
					"4'",
					factor->name,
					factor->levels.count == 0 ? "no levels" : "one level");
		for (j = 0; j < factor->levels.count; j++)
			for (k = 0; k < j; k++)
				if (strcmp(factor->levels.items[j], factor->levels.items[k]) == 0)
					return COMPLAIN(reading, factor->line,
							"factor '%s' has the level '%s' twice",
							factor->name,
							clean(reading, factor->levels.items[j]));
	}
	for (i = 0; i < experiment->workload_count; i++)
		if (experiment->workloads[i].command == NULL)
			return COMPLAIN(reading, experiment->workloads[i].line,
					"workload '%s' has no command",
					experiment->workloads[i].name);
	return true;
}

/* What stands in each is looked at when the plan is made. */
static bool check_claims(struct reading *reading)
{
	struct experiment *experiment = reading->experiment;
	size_t i;

	for (i = 0; i < experiment->claim_count; i++) {
		const struct experiment_claim *claim = &experiment->claims[i];

		if (claim->says == NULL || claim->candidate == NULL || claim->baseline == NULL ||
		    claim->direction == NULL || claim->least == NULL)
			return COMPLAIN(reading, claim->line,
					"claim '%s' is not whole: it needs says, candidate, "
					"baseline, direction and least",
					claim->name);
	}
	return true;
}

static bool parse(struct reading *reading)
{
	int wrong;

	/* What Debian's inih lets a program choose; a command may hold ';' and be long. */
	ini_allow_inline_comments = false;
	ini_use_stack = false;
	ini_allow_realloc = true;
	ini_max_line = LONGEST_LINE;
	ini_stop_on_first_error = true;
	wrong = ini_parse_stream(next_line_and_section, reading, take, reading);
	if (reading->err->kind != ERROR_NONE)
		return false;
	if (wrong != 0)
		return COMPLAIN(reading, (unsigned)(wrong > 0 ? wrong : 1),
				"this is neither 'key = value' nor a [section]");
	return true;
}

bool experiment_parse(struct arena *arena, const char *path, const char *bytes, size_t length,
		      bool many, struct experiment *experiment, struct error *err)
{
	struct error own = { 0 };
	struct reading reading = { .arena = arena, .experiment = experiment, .err = &own };

	*experiment = (struct experiment){ .path = text_clean(arena, path, strlen(path)) };
	if (strlen(bytes) != length)
		return error_set(err, ERROR_USAGE, "%s is no experiment file: it holds NUL bytes",
				 experiment->path);
	reading.rest = strncmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? bytes + 3 : bytes;
	if (parse(&reading) && check_variants(&reading) && check_factors(&reading) &&
	    check_claims(&reading) && blocks_check(arena, experiment, &own) &&
	    cells_make(arena, experiment, many, &own))
		return true;
	if (err != NULL)
		*err = own;
	return false;
}

bool experiment_read(struct arena *arena, const char *path, bool many,
		     struct experiment *experiment, struct error *err)
{
	char *bytes;
	size_t length;

	return file_read(arena, path, LONGEST_FILE, &bytes, &length, err) &&
	       experiment_parse(arena, path, bytes, length, many, experiment, err);
}
