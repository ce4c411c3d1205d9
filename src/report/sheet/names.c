/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the sheet calls things. A label that is short is the name; a long one,
 * or one that only repeats the command, gives way to the role, and the head of
 * the sheet says which command has that role.
 */
#include <string.h>

#include "base/text.h"
#include "report/sheet/parts.h"

/* Two columns of figures side by side leave little room; a column of names has more. */
enum { WIDEST_TITLE = 16, WIDEST_NAME = 28, WIDEST_UNIT = 12 };

static const char *clean(struct arena *arena, const char *string)
{
	return string == NULL ? "" : text_clean(arena, string, strlen(string));
}

static bool is_candidate(const struct plan *plan, size_t subject)
{
	return plan->subjects[subject].baseline != subject;
}

/* "candidate", "baseline", or "command" where nothing is compared. */
static const char *role_word(const struct plan *plan, size_t subject)
{
	if (plan_candidate_count(plan) == 0)
		return "command";
	return is_candidate(plan, subject) ? "candidate" : "baseline";
}

/* Which of those that have the same role it is, and how many there are. In a sweep the levels tell
 * cells apart, so that only candidates of one cell are counted. */
static size_t place_in_role(const struct plan *plan, size_t subject, size_t *alike)
{
	const struct subject *own = &plan->subjects[subject];
	size_t place = 0, i;

	*alike = 0;
	for (i = 0; i < plan->subject_count; i++) {
		if (is_candidate(plan, i) != is_candidate(plan, subject) ||
		    (own->level_count > 0 && plan->subjects[i].baseline != own->baseline))
			continue;
		++*alike;
		place += i <= subject;
	}
	return place;
}

static const char *role(const struct sheet *sheet, size_t subject)
{
	const struct plan *plan = &sheet->recording->plan;
	const struct subject *own = &plan->subjects[subject];
	const char *name = role_word(plan, subject);
	size_t alike, place = place_in_role(plan, subject, &alike), i;

	if (alike > 1)
		name = arena_printf(sheet->arena, "%s %zu", name, place);
	for (i = 0; i < own->level_count; i++)
		name = arena_printf(sheet->arena, "%s %s=%s", name,
				    clean(sheet->arena, own->levels[i].factor),
				    clean(sheet->arena, own->levels[i].value));
	return name;
}

/* A label that only repeats the command, perhaps with a number behind it: "./prog (2)". */
static bool repeats_command(const struct subject *subject)
{
	size_t length;

	if (subject->command == NULL || subject->label == NULL)
		return false;
	length = strlen(subject->command);
	return strncmp(subject->label, subject->command, length) == 0 &&
	       (subject->label[length] == '\0' || strncmp(subject->label + length, " (", 2) == 0);
}

static bool is_taken(const struct sheet *sheet, const char *name, size_t before)
{
	size_t i;

	for (i = 0; i < before; i++)
		if (strcmp(sheet->names[i], name) == 0)
			return true;
	return false;
}

static const char *choose_name(const struct sheet *sheet, size_t subject)
{
	const struct plan *plan = &sheet->recording->plan;
	const char *name = sheet->labels[subject];
	const char *other = role(sheet, subject);
	size_t limit = plan->subject_count > 2 ? WIDEST_NAME : WIDEST_TITLE;

	/* With the levels of its cell behind it a role may be as long. */
	if (name[0] == '\0' || repeats_command(&plan->subjects[subject]) ||
	    (text_width(name) > limit && text_width(other) < text_width(name)))
		name = other;
	while (is_taken(sheet, name, subject))
		name = arena_printf(sheet->arena, "%s (%zu)", name, subject + 1);
	return name;
}

void sheet_name_all(struct sheet *sheet)
{
	const struct recording *recording = sheet->recording;
	size_t count = recording->plan.subject_count, i;
	size_t whole = sheet->whole->plan.subject_count;

	sheet->names = arena_alloc(sheet->arena, count, sizeof *sheet->names);
	sheet->labels = arena_alloc(sheet->arena, whole, sizeof *sheet->labels);
	sheet->metrics = arena_copy(sheet->arena, recording->metrics,
				    recording->metric_count * sizeof *sheet->metrics);
	for (i = 0; i < whole; i++)
		sheet->labels[i] = clean(sheet->arena, sheet->whole->plan.subjects[i].label);
	for (i = 0; i < count; i++)
		sheet->names[i] = choose_name(sheet, i);
	for (i = 0; i < recording->metric_count; i++) {
		sheet->metrics[i].name = clean(sheet->arena, recording->metrics[i].name);
		sheet->metrics[i].unit = text_fit(
		    sheet->arena, clean(sheet->arena, recording->metrics[i].unit), WIDEST_UNIT);
	}
}

/* What tools call times. */
static bool is_name_of_time(const char *name)
{
	static const char *const names[] = { "wall",   "real", "user",	 "sys",
					     "system", "cpu",  "elapsed" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

const char *sheet_metric_phrase(const struct sheet *sheet, size_t metric)
{
	const struct metric *known = &sheet->metrics[metric];
	bool is_time = strcmp(known->unit, "s") == 0 &&
		       (known->source == SOURCE_CLOCK || known->source == SOURCE_RUSAGE ||
			(known->source == SOURCE_IMPORTED && is_name_of_time(known->name)));

	if (!is_time || strstr(known->name, "time") != NULL)
		return text_fit(sheet->arena, sheet->metrics[metric].name, 60);
	return arena_printf(sheet->arena, "%s time", sheet->metrics[metric].name);
}
