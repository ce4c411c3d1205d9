/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameter sweeps: every combination of levels is a cell, and each command
 * runs in each cell. A placeholder is {NAME}; it is replaced after a command
 * was split into words, so a value never splits again.
 */
#include "commands/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/words.h"

enum { LEVELS_MAXIMUM = 1000 };

static bool is_name(const char *name, size_t length)
{
	size_t i;

	if (length == 0 || !(isalpha((unsigned char)name[0]) || name[0] == '_'))
		return false;
	for (i = 1; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_' && name[i] != '-')
			return false;
	return true;
}

static struct sweep *find_sweep(struct sweeps *sweeps, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < sweeps->count; i++)
		if (strlen(sweeps->items[i].name) == length &&
		    memcmp(sweeps->items[i].name, name, length) == 0)
			return &sweeps->items[i];
	return NULL;
}

static bool add_sweep(struct arena *arena, struct sweeps *sweeps, size_t *capacity,
		      const char *name, size_t length, struct sweep **sweep, struct error *err)
{
	if (!is_name(name, length))
		return error_set(err, ERROR_USAGE,
				 "'%.*s' is no parameter name: use letters, digits, _ and -",
				 (int)length, name);
	if (find_sweep(sweeps, name, length) != NULL)
		return error_set(err, ERROR_USAGE, "parameter '%.*s' is given twice", (int)length,
				 name);
	*sweep = array_push(arena, sweeps->items, sweeps->count, *capacity);
	**sweep = (struct sweep){ .name = arena_strndup(arena, name, length) };
	return true;
}

static bool parse_list(struct arena *arena, const char *word, struct sweeps *sweeps,
		       size_t *capacity, struct error *err)
{
	const char *equals = strchr(word, '=');
	struct sweep *sweep;
	size_t value_capacity = 0;
	const char *value;

	if (equals == NULL)
		return error_set(err, ERROR_USAGE, "-L %s: write NAME=VALUE,VALUE,...", word);
	if (!add_sweep(arena, sweeps, capacity, word, (size_t)(equals - word), &sweep, err))
		return error_prefix(err, "-L %s", word);
	for (value = equals + 1;; value++) {
		size_t length = strcspn(value, ",");

		if (length == 0)
			return error_set(err, ERROR_USAGE, "-L %s: a value is empty", word);
		if (sweep->count == LEVELS_MAXIMUM)
			return error_set(err, ERROR_USAGE, "-L %s: more than %d values",
					 sweep->name, LEVELS_MAXIMUM);
		*array_push(arena, sweep->values, sweep->count, value_capacity) =
		    arena_strndup(arena, value, length);
		value += length;
		if (*value == '\0')
			return true;
	}
}

/* FIRST..LAST or FIRST..LAST..STEP, whole numbers. */
static bool parse_range(const char *range, long long numbers[3])
{
	const char *at = range;
	int count = 0;

	numbers[2] = 1;
	for (;;) {
		char *end;

		errno = 0;
		numbers[count] = strtoll(at, &end, 10);
		if (end == at || errno != 0 || isspace((unsigned char)*at) || *at == '+')
			return false;
		count++;
		if (*end == '\0')
			return count >= 2 && numbers[2] > 0 && numbers[0] <= numbers[1];
		if (count == 3 || strncmp(end, "..", 2) != 0)
			return false;
		at = end + 2;
	}
}

static bool parse_scan(struct arena *arena, const char *name, const char *range,
		       struct sweeps *sweeps, size_t *capacity, struct error *err)
{
	long long numbers[3], distance, number;
	struct sweep *sweep;
	size_t value_capacity = 0;

	if (!add_sweep(arena, sweeps, capacity, name, strlen(name), &sweep, err))
		return error_prefix(err, "--parameter-scan");
	if (!parse_range(range, numbers) ||
	    __builtin_sub_overflow(numbers[1], numbers[0], &distance))
		return error_set(err, ERROR_USAGE,
				 "--parameter-scan %s %s: write FIRST..LAST or FIRST..LAST..STEP "
				 "in rising whole numbers",
				 name, range);
	if (distance / numbers[2] >= LEVELS_MAXIMUM)
		return error_set(err, ERROR_USAGE, "--parameter-scan %s %s: more than %d values",
				 name, range, LEVELS_MAXIMUM);
	for (number = 0; number <= distance; number += numbers[2])
		*array_push(arena, sweep->values, sweep->count, value_capacity) =
		    arena_printf(arena, "%lld", numbers[0] + number);
	return true;
}

bool sweeps_parse(struct arena *arena, const struct option_texts *lists,
		  const struct option_texts *scans, struct sweeps *sweeps, struct error *err)
{
	size_t capacity = 0, i;

	*sweeps = (struct sweeps){ 0 };
	for (i = 0; i < lists->count; i++)
		if (!parse_list(arena, lists->items[i], sweeps, &capacity, err))
			return false;
	for (i = 0; i + 1 < scans->count; i += 2)
		if (!parse_scan(arena, scans->items[i], scans->items[i + 1], sweeps, &capacity,
				err))
			return false;
	return true;
}

bool sweeps_cells(const struct sweeps *sweeps, size_t limit, size_t *cells, struct error *err)
{
	size_t i;

	*cells = 1;
	for (i = 0; i < sweeps->count; i++) {
		*cells *= sweeps->items[i].count;
		if (*cells > limit)
			return error_set(err, ERROR_USAGE,
					 "the sweep has more than %zu combinations: give fewer "
					 "values",
					 limit);
	}
	return true;
}

struct level *sweeps_levels(struct arena *arena, const struct sweeps *sweeps, size_t cell)
{
	struct level *levels = arena_alloc(arena, sweeps->count, sizeof *levels);
	size_t i;

	for (i = sweeps->count; i-- > 0;) {
		const struct sweep *sweep = &sweeps->items[i];

		levels[i].factor = sweep->name;
		levels[i].value = sweep->values[cell % sweep->count];
		cell /= sweep->count;
	}
	return levels;
}

/* The placeholder that starts at open, which is at a '{'; 0 if that is a plain brace. */
static size_t placeholder_length(const char *open)
{
	size_t length = strcspn(open + 1, "{}");

	return open[1 + length] == '}' && is_name(open + 1, length) ? length : 0;
}

/* A brace that may begin a placeholder: not that of a shell's \${NAME} or of git's @{upstream}. */
static bool is_open(const char *text, const char *at)
{
	return *at == '{' && (at == text || (at[-1] != '$' && at[-1] != '@'));
}

bool sweeps_forgotten(const char *command, struct error *err)
{
	const char *at;
	char quote = '\0';

	for (at = command; *at != '\0'; at++) {
		size_t length;

		if (quote != '\0') {
			quote = *at == quote ? '\0' : quote;
			continue;
		}
		if (*at == '\'' || *at == '"') {
			quote = *at;
			continue;
		}
		if (*at == '\\' && at[1] != '\0') {
			at++;
			continue;
		}
		length = is_open(command, at) ? placeholder_length(at) : 0;
		if (length > 0)
			return !error_set(err, ERROR_USAGE,
					  "{%.*s} in '%s' is no parameter: define it with -L "
					  "%.*s=..., or quote it if it is meant as it stands",
					  (int)length, at + 1, command, (int)length, at + 1);
	}
	return false;
}

static void put_value(struct arena *arena, struct sweeps *sweeps, struct sweep *sweep,
		      const struct level *levels, bool quoted, struct text *out)
{
	const char *value = levels[sweep - sweeps->items].value;

	sweep->used = true;
	text_add(out, quoted ? words_quote(arena, value) : value);
}

bool sweeps_replace(struct arena *arena, struct sweeps *sweeps, const struct level *levels,
		    const char *text, bool quoted, char **replaced, struct error *err)
{
	struct text out = { 0 };
	const char *at = text;

	if (sweeps->count == 0) {
		*replaced = arena_strdup(arena, text);
		return true;
	}
	while (*at != '\0') {
		size_t length = is_open(text, at) ? placeholder_length(at) : 0;

		if (length > 0) {
			struct sweep *sweep = find_sweep(sweeps, at + 1, length);

			if (sweep == NULL) {
				text_release(&out);
				return error_set(
				    err, ERROR_USAGE,
				    "{%.*s} in '%s' is no parameter: define it %s%.*s%s, or "
				    "write {{ and }} for plain braces",
				    (int)length, at + 1, text,
				    sweeps->in_file ? "in a section [factor " : "with -L ",
				    (int)length, at + 1, sweeps->in_file ? "]" : "=...");
			}
			put_value(arena, sweeps, sweep, levels, quoted, &out);
			at += length + 2;
		} else {
			text_add_char(&out, *at);
			at += (*at == '{' || *at == '}') && at[1] == *at ? 2 : 1;
		}
	}
	*replaced = arena_strdup(arena, text_string(&out));
	text_release(&out);
	return true;
}

bool sweeps_all_used(const struct sweeps *sweeps, struct error *err)
{
	size_t i;

	for (i = 0; i < sweeps->count; i++)
		if (!sweeps->items[i].used)
			return error_set(err, ERROR_USAGE,
					 "parameter '%s' is in no command: write {%s} where its "
					 "value belongs",
					 sweeps->items[i].name, sweeps->items[i].name);
	return true;
}
