/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which line names a side. A guess by form, and therefore told: a report of two
 * sides in one file says from which lines each was read. Errors to avoid are,
 * in this order, taking runs of one side for several, and missing a name.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "formats/input/page.h"

enum { LONGEST_NAME = 60, MOST_WORDS = 6, MOST_WEAK_WORDS = 4 };

void sides_init(struct sides *sides, struct arena *arena, struct results *results)
{
	*sides = (struct sides){ .results = results, .arena = arena };
}

static bool begins_with(struct span span, const char *word)
{
	size_t length = strlen(word);

	return span.length >= length && strncasecmp(span.text, word, length) == 0;
}

static bool ends_with(struct span span, const char *word)
{
	size_t length = strlen(word);

	return span.length >= length &&
	       strncasecmp(span.text + span.length - length, word, length) == 0;
}

/* A shell's prompt with a command, a mail's attribution, or the number of a run. */
static bool is_no_name(struct span span)
{
	static const char *const beginnings[] = { "$ ",	  "# ",	    "% ",    ":;", "+ ",
						  "On ",  "here ",  "From ", "Hi", "http",
						  "Dear", "thanks", "cheers" };
	static const char *const counted[] = { "run",  "iteration", "iterations", "iter", "pass",
					       "test", "round",	    "try",	  "#",	  "trial" };
	size_t i, at;

	for (i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (begins_with(span, beginnings[i]))
			return true;
	for (i = 0; i < sizeof counted / sizeof *counted; i++) {
		if (!begins_with(span, counted[i]))
			continue;
		at = strlen(counted[i]);
		while (at < span.length && strchr(" :#=", span.text[at]) != NULL)
			at++;
		if (at < span.length && isdigit((unsigned char)span.text[at]))
			return true;
	}
	return ends_with(span, "wrote:") || ends_with(span, "writes:");
}

static size_t count_words(struct span span)
{
	size_t count = 0, i;

	for (i = 0; i < span.length; i++)
		count += !isspace((unsigned char)span.text[i]) &&
			 (i == 0 || isspace((unsigned char)span.text[i - 1]));
	return count;
}

static bool has_letter(struct span span)
{
	size_t i;

	for (i = 0; i < span.length; i++)
		if (isalnum((unsigned char)span.text[i]))
			return true;
	return false;
}

/* Forms that are names wherever they stand. */
static bool is_strong(struct span span)
{
	if (ends_with(span, ":"))
		return true;
	if (span.text[0] == '-' && span.length > 1 && isalpha((unsigned char)span.text[1]) &&
	    count_words(span) == 1)
		return true;
	if (memmem(span.text, span.length, " = ", 3) != NULL && count_words(span) <= 4)
		return true;
	return begins_with(span, "===") || begins_with(span, "---") || begins_with(span, "## ") ||
	       begins_with(span, "**");
}

/* The name without what sets it off. */
static struct span bare(struct span span)
{
	while (span.length > 0 && strchr("-=#*_[( \t", *span.text) != NULL) {
		span.text++;
		span.length--;
	}
	while (span.length > 0 && strchr(":-=#*_]) \t", span.text[span.length - 1]) != NULL)
		span.length--;
	return span;
}

static bool is_prose(struct span span)
{
	return span.length > 0 && strchr(".,;?!", span.text[span.length - 1]) != NULL;
}

void sides_other_line(struct sides *sides, const struct page_line *line)
{
	struct span span = span_trimmed((struct span){ line->text, line->length }), name;
	bool alone = sides->last_line + 1 < line->number || sides->last_line == 0;
	size_t words;

	if (span.length == 0)
		return;
	sides->last_line = line->number;
	words = count_words(span);
	name = bare(span);
	if (span.length > LONGEST_NAME || words > MOST_WORDS || !has_letter(name) ||
	    is_no_name(span) || is_prose(span))
		return;
	if (!is_strong(span) && (!alone || words > MOST_WEAK_WORDS))
		return;
	sides->pending = arena_strndup(sides->arena, name.text, name.length);
	sides->pending_line = line->number;
	sides->pending_weak = !is_strong(span);
}

size_t sides_begin(struct sides *sides, const struct page_line *line)
{
	bool takes = sides->pending != NULL &&
		     (!sides->pending_weak || sides->pending_line + 1 == line->number);

	if (takes)
		sides->current = results_side(sides->results, sides->pending, sides->pending_line);
	else if (!sides->any)
		sides->current = results_side(sides->results, NULL, 0);
	sides->any = true;
	sides->pending = NULL;
	sides->last_line = line->number;
	return sides->current;
}

size_t sides_current(struct sides *sides, const struct page_line *line)
{
	if (!sides->any)
		return sides_begin(sides, line);
	sides->last_line = line->number;
	return sides->current;
}
