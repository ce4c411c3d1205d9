/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Budgets for continuous integration: see budget.h. */
#include "commands/budget.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

enum limit_kind {
	LIMIT_BYTES, /* of the candidate, or of the one file */
	LIMIT_DELTA,
	LIMIT_RATIO,
};

enum subject_kind { SUBJECT_TOTAL, SUBJECT_SECTION, SUBJECT_SYMBOL };

struct budget {
	const char *words; /* as the user wrote them, clean */
	enum subject_kind subject;
	const char *name; /* of the total, section or symbol */
	enum limit_kind kind;
	double limit;
	bool inclusive; /* ">=" */
	bool exceeded;
	uint64_t baseline, candidate;
};

static const struct total {
	const char *name;
	size_t offset; /* in struct code_totals */
} totals[] = {
	{ "functions", offsetof(struct code_totals, function_bytes) },
	{ "text", offsetof(struct code_totals, text_bytes) },
	{ "data", offsetof(struct code_totals, data_bytes) },
	{ "bss", offsetof(struct code_totals, bss_bytes) },
	{ "common", offsetof(struct code_totals, common_bytes) },
};

enum { TOTALS = sizeof totals / sizeof *totals };

static char *trimmed(struct arena *arena, const char *start, size_t length)
{
	while (length > 0 && isspace((unsigned char)*start)) {
		start++;
		length--;
	}
	while (length > 0 && isspace((unsigned char)start[length - 1]))
		length--;
	return arena_strndup(arena, start, length);
}

static bool refuse(const struct budget *budget, const char *what, struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "--fail-if '%s': %s; write for example 'text > +1%%', 'section .rodata > "
			 "+4k' or 'symbol main > 2000'",
			 budget->words, what);
}

static bool parse_name(struct arena *arena, struct budget *budget, const char *name,
		       struct error *err)
{
	size_t i;

	if (strncmp(name, "section ", 8) == 0 || strncmp(name, "symbol ", 7) == 0) {
		budget->subject = name[1] == 'e' ? SUBJECT_SECTION : SUBJECT_SYMBOL;
		name = strchr(name, ' ');
		budget->name = trimmed(arena, name, strlen(name));
		return true;
	}
	for (i = 0; i < TOTALS; i++)
		if (strcmp(totals[i].name, name) == 0)
			break;
	budget->name = name;
	if (i == TOTALS && strcmp(name, "file") != 0)
		return refuse(budget,
			      "before the > stands functions, text, data, bss, common, file, "
			      "section NAME or symbol NAME",
			      err);
	return true;
}

static bool parse_limit(struct budget *budget, const char *word, struct error *err)
{
	const char *digits = *word == '+' ? word + 1 : word;
	uint64_t bytes;

	if (*digits != '\0' && word[strlen(word) - 1] == '%') {
		budget->kind = LIMIT_RATIO;
		return units_parse_percent(digits, &budget->limit, NULL) ||
		       refuse(budget, "the percentage after the > cannot be read", err);
	}
	budget->kind = *word == '+' ? LIMIT_DELTA : LIMIT_BYTES;
	if (!units_parse_bytes(digits, &bytes, NULL))
		return refuse(budget, "after the > stands +1%, +512 or 64k", err);
	budget->limit = (double)bytes;
	return true;
}

static bool parse(struct arena *arena, const char *words, struct budget *budget, struct error *err)
{
	/* The last one: C++ names of symbols have others. */
	const char *sign = strrchr(words, '>');

	budget->words = text_clean(arena, words, strlen(words));
	if (sign == NULL)
		return refuse(budget, "it has no >", err);
	budget->inclusive = sign[1] == '=';
	return parse_name(arena, budget, trimmed(arena, words, (size_t)(sign - words)), err) &&
	       parse_limit(budget,
			   trimmed(arena, sign + 1 + budget->inclusive,
				   strlen(sign + 1 + budget->inclusive)),
			   err);
}

bool budgets_parse(struct arena *arena, const char *const *words, size_t count,
		   struct budget **budgets, struct error *err)
{
	size_t i;

	*budgets = arena_alloc(arena, count, sizeof **budgets);
	for (i = 0; i < count; i++)
		if (!parse(arena, words[i], &(*budgets)[i], err))
			return false;
	return true;
}

static uint64_t total_of(const struct code_image *image, const char *name)
{
	size_t i;

	for (i = 0; i < TOTALS; i++)
		if (strcmp(totals[i].name, name) == 0)
			return *(const uint64_t *)((const char *)&image->totals + totals[i].offset);
	return image->map.file_total;
}

static bool find_section(struct budget *budget, const struct code_diff *diff)
{
	size_t i;

	for (i = 0; i < diff->section_count; i++)
		if (strcmp(diff->sections[i].name, budget->name) == 0) {
			budget->baseline = diff->sections[i].baseline_bytes;
			budget->candidate = diff->sections[i].candidate_bytes;
			return true;
		}
	return false;
}

/* All of that name: static functions of several files are one budget. */
static bool find_symbols(struct budget *budget, const struct code_diff *diff)
{
	bool found = false;
	size_t i;

	for (i = 0; i < diff->symbol_count; i++) {
		const struct code_symbol_change *symbol = &diff->symbols[i];

		if (strcmp(symbol->raw, budget->name) != 0 &&
		    strcmp(symbol->name, budget->name) != 0)
			continue;
		budget->baseline += symbol->baseline_bytes;
		budget->candidate += symbol->candidate_bytes;
		found = true;
	}
	return found;
}

static bool find_subject(struct budget *budget, const struct code_diff *diff)
{
	switch (budget->subject) {
	case SUBJECT_SECTION:
		return find_section(budget, diff);
	case SUBJECT_SYMBOL:
		return find_symbols(budget, diff);
	default:
		budget->baseline = total_of(diff->baseline, budget->name);
		if (diff->candidate != NULL)
			budget->candidate = total_of(diff->candidate, budget->name);
		return true;
	}
}

static bool beyond(const struct budget *budget, double value)
{
	return budget->inclusive ? value >= budget->limit : value > budget->limit;
}

static bool is_exceeded(const struct budget *budget, bool pair)
{
	double before = (double)budget->baseline, after = (double)budget->candidate;

	switch (budget->kind) {
	case LIMIT_DELTA:
		return beyond(budget, after - before);
	case LIMIT_RATIO:
		return before == 0 ? after > 0 : beyond(budget, after / before - 1);
	default:
		return beyond(budget, pair ? after : before);
	}
}

bool budgets_apply(struct arena *arena, struct budget *budgets, size_t count,
		   const struct code_diff *diff, bool *exceeded, struct error *err)
{
	bool pair = diff->candidate != NULL;
	size_t i;

	(void)arena;
	*exceeded = false;
	for (i = 0; i < count; i++) {
		struct budget *budget = &budgets[i];

		if (!pair && budget->kind != LIMIT_BYTES)
			return refuse(
			    budget, "a change needs two files, or a limit in bytes without +", err);
		if (!find_subject(budget, diff))
			return refuse(budget,
				      budget->subject == SUBJECT_SECTION
					  ? "there is no section of that name"
					  : "there is no symbol of that name",
				      err);
		budget->exceeded = is_exceeded(budget, pair);
		*exceeded |= budget->exceeded;
	}
	return true;
}

void budgets_report(struct document *document, const struct budget *budgets, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct budget *budget = &budgets[i];
		struct block *block =
		    document_note(document, "budget", "%s: %s (%s to %s bytes).", budget->words,
				  budget->exceeded ? "EXCEEDED" : "kept",
				  units_count(document->arena, (int64_t)budget->baseline),
				  units_count(document->arena, (int64_t)budget->candidate));

		block->tone = budget->exceeded ? TONE_BAD : TONE_GOOD;
		block->id = "budget";
	}
}
