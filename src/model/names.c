/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nouns' names in data files, and small lookups on plain data. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/code.h"
#include "model/findings.h"
#include "model/recording.h"

static int find_name(const char *const *names, size_t count, const char *word)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(names[i], word) == 0)
			return (int)i;
	return -1;
}

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* Defines the pair of functions between an enum and its names, in the enum's order. */
#define ENUM_NAME(type, prefix, names)                                                             \
	const char *prefix##_name(enum type value)                                                 \
	{                                                                                          \
		return names[value];                                                               \
	}
#define ENUM_PARSE(type, prefix, names)                                                            \
	bool prefix##_parse(const char *word, enum type *value)                                    \
	{                                                                                          \
		int index = find_name(names, COUNT_OF(names), word);                               \
                                                                                                   \
		if (index < 0)                                                                     \
			return false;                                                              \
		*value = (enum type)index;                                                         \
		return true;                                                                       \
	}

static const char *const better_names[] = { "lower", "higher", "neither" };
ENUM_NAME(better, better, better_names)
ENUM_PARSE(better, better, better_names)

static const char *const source_names[] = { "clock",	 "rusage",   "counter",	 "cgroup",
					    "simulated", "emulated", "reported", "file",
					    "imported",	 "derived" };
ENUM_NAME(metric_source, metric_source, source_names)
ENUM_PARSE(metric_source, metric_source, source_names)

static const char *const output_names[] = { "discard", "null", "pipe", "inherit", "file" };
ENUM_NAME(output_mode, output_mode, output_names)
ENUM_PARSE(output_mode, output_mode, output_names)

static const char *const end_names[] = { "running", "complete",	   "decided",
					 "budget",  "interrupted", "failed" };
ENUM_NAME(session_end, session_end, end_names)
ENUM_PARSE(session_end, session_end, end_names)

static const char *const verdict_names[] = { "none",	   "better", "worse",	  "changed",
					     "equivalent", "same",   "undecided", "invalid" };
ENUM_NAME(verdict, verdict, verdict_names)

static const char *const warning_names[] = {
	"failed-runs", "two-groups", "slow-runs", "machine-drift", "position",	      "unstable",
	"disturbed",   "accounting", "ticks",	  "few-runs",	   "not-interleaved", "one-build",
	"self-check",  "output",     "summaries", "remark",
};
ENUM_NAME(warning_kind, warning_kind, warning_names)

/* The margin that was given by the very name first. */
static const struct metric_margin *find_margin(const struct plan *plan, const char *metric)
{
	size_t i;

	for (i = 0; i < plan->margin_count; i++)
		if (strcmp(plan->margins[i].metric, metric) == 0)
			return &plan->margins[i];
	for (i = 0; i < plan->margin_count; i++)
		if (metric_is_called(metric, plan->margins[i].metric))
			return &plan->margins[i];
	return NULL;
}

double plan_margin(const struct plan *plan, const char *metric, bool *given)
{
	const struct metric_margin *margin = find_margin(plan, metric);

	if (given != NULL)
		*given = margin != NULL;
	return margin != NULL ? margin->ratio : plan->margin_ratio;
}

size_t plan_candidate_count(const struct plan *plan)
{
	size_t count = 0, i;

	for (i = 0; i < plan->subject_count; i++)
		count += plan->subjects[i].baseline != i;
	return count;
}

size_t plan_compared_count(const struct plan *plan)
{
	size_t count = plan->subject_count;

	return count > 0 && plan->subjects[count - 1].empty ? count - 1 : count;
}

size_t plan_last_round(const struct plan *plan)
{
	return plan->extended_rounds > plan->rounds ? plan->extended_rounds : plan->rounds;
}

struct environment environment_none(void)
{
	return (struct environment){ .load_1min = NAN,
				     .memory_available_bytes = NAN,
				     .steal_s = NAN,
				     .busy_s = NAN,
				     .idle_s = NAN };
}

const char *environment_fact(const struct environment *environment, const char *key)
{
	size_t i;

	for (i = 0; i < environment->fact_count; i++)
		if (strcmp(environment->facts[i].key, key) == 0)
			return environment->facts[i].value;
	return NULL;
}

static const char *const section_kind_names[CODE_SECTION_KINDS] = {
	"code", "read-only data", "metadata", "linking", "data", "bss",
	"tls",	"debug",	  "symbols",  "other",
};
ENUM_NAME(code_section_kind, code_section_kind, section_kind_names)

static const char *const label_names[CODE_LABELS] = {
	"functions", "unnamed code", "padding", "holes", "read-only data", "metadata", "linking",
	"data",	     "bss",	     "common",	"tls",	 "debug",	   "symbols",  "other",
	"headers",   "gaps",
};
ENUM_NAME(code_label, code_label, label_names)

static const char *const symbol_kind_names[CODE_SYMBOL_KINDS] = { "function", "ifunc", "object",
								  "common",   "tls",   "untyped" };
ENUM_NAME(code_symbol_kind, code_symbol_kind, symbol_kind_names)

static const char *const change_kind_names[] = { "same",   "added", "removed", "grown",
						 "shrunk", "moved", "changed" };
ENUM_NAME(code_change_kind, code_change_kind, change_kind_names)

enum { COMMIT_LETTERS = 12 };

/* Trees of experiment/build.h: the reader has no use for where they are. */
static const char builds[] = "/worth/builds/", tree[] = "/tree/";

static bool is_built_tree(const struct subject *subject)
{
	return strstr(subject->directory, builds) != NULL;
}

/* A command without the paths of built trees before what lies in them. */
static const char *without_trees(struct arena *arena, const char *text)
{
	const char *at, *start, *end;

	while ((at = strstr(text, builds)) != NULL && (end = strstr(at, tree)) != NULL) {
		for (start = at; start > text && strchr(" '\"=:", start[-1]) == NULL; start--)
			continue;
		text =
		    arena_printf(arena, "%.*s%s", (int)(start - text), text, end + sizeof tree - 1);
	}
	return text;
}

static const char *add_place(struct arena *arena, const struct subject *subject, const char *text)
{
	const char *commit = NULL, *directory = subject->directory;

	if (subject->commit != NULL) {
		commit = text_clean(arena, subject->commit, strlen(subject->commit));
		commit = arena_printf(arena, "%.*s", COMMIT_LETTERS, commit);
		text = without_trees(arena, text);
		if (directory == NULL || is_built_tree(subject))
			return arena_printf(arena, "%s  (of %s)", text, commit);
	}
	if (directory == NULL)
		return text;
	directory = text_clean(arena, directory, strlen(directory));
	return commit == NULL ? arena_printf(arena, "%s  (in %s)", text, directory)
			      : arena_printf(arena, "%s  (of %s, in %s)", text, commit, directory);
}

const char *plan_subject_text(struct arena *arena, const struct subject *subject)
{
	const char *text = subject->command == NULL ? "" : subject->command;
	size_t count = 0;

	text = text_clean(arena, text, strlen(text));
	while (subject->environment != NULL && subject->environment[count] != NULL)
		count++;
	while (count-- > 0)
		text = arena_printf(arena, "%s %s",
				    text_clean(arena, subject->environment[count],
					       strlen(subject->environment[count])),
				    text);
	return add_place(arena, subject, text);
}
