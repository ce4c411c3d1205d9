/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stress-ng --yaml: under "metrics:" a list with an item for each stressor.
 * Only the shape that stress-ng writes is read, one "key: value" a line. Bogo
 * operations per second of real time are the result; they mean the same only
 * within one version of stress-ng, so that the version is told.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "formats/format.h"
#include "formats/input/number.h"

/* Keys with a meaning; others are rates or times by the words in them. */
static const struct {
	const char *key, *unit;
	enum better better;
	bool secondary, skipped;
} known_keys[] = {
	{ "bogo-ops-per-second-real-time", "/s", BETTER_HIGHER, false, false },
	{ "bogo-ops-per-second-usr-sys-time", "/s", BETTER_HIGHER, true, false },
	/* How long it ran was asked for, and so the operations alone say nothing. */
	{ "bogo-ops", "", BETTER_NEITHER, true, true },
	{ "wall-clock-time", "s", BETTER_NEITHER, true, true },
	{ "user-time", "s", BETTER_NEITHER, true, false },
	{ "system-time", "s", BETTER_NEITHER, true, false },
	{ "cpu-usage-per-instance", "", BETTER_NEITHER, true, false },
	{ "max-rss", "KiB", BETTER_LOWER, true, false },
};

struct reader {
	struct input *input;
	struct results *results;
	char stressor[128]; /* "" outside of an item */
	bool in_metrics;
	char version[64];
};

static bool word_is(const char *word, size_t length, const char *text)
{
	return strlen(text) == length && memcmp(word, text, length) == 0;
}

/* "   - key: value": false if the line is none. */
static bool split(const struct line *line, const char **key, size_t *key_length, const char **value,
		  size_t *value_length)
{
	const char *at = line->text, *end = line->text + line->length, *colon;

	while (at < end && (*at == ' ' || *at == '-'))
		at++;
	colon = memchr(at, ':', (size_t)(end - at));
	if (colon == NULL || colon == at)
		return false;
	*key = at;
	*key_length = (size_t)(colon - at);
	for (at = colon + 1; at < end && isspace((unsigned char)*at);)
		at++;
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	*value = at;
	*value_length = (size_t)(end - at);
	return true;
}

static void copy_word(char *copy, size_t size, const char *word, size_t length)
{
	if (length >= size)
		length = size - 1;
	memcpy(copy, word, length);
	copy[length] = '\0';
}

static bool add_value(struct reader *reader, const struct line *line, const char *key,
		      struct number number)
{
	struct measure measure = { .benchmark = reader->stressor,
				   .metric = key,
				   .better = BETTER_NEITHER,
				   .secondary = true };
	struct reading reading = { .value = number.value,
				   .quantum = number.quantum,
				   .line = line->number };
	size_t i;

	if (strstr(key, "-per-sec") != NULL || strstr(key, "-rate") != NULL)
		measure.better = BETTER_HIGHER;
	if (strncmp(key, "nanosecs-per-", 13) == 0) {
		measure.better = BETTER_LOWER;
		measure.unit = "s";
		reading.value /= 1e9;
		reading.quantum /= 1e9;
	}
	for (i = 0; i < sizeof known_keys / sizeof *known_keys; i++) {
		if (strcmp(known_keys[i].key, key) != 0)
			continue;
		if (known_keys[i].skipped)
			return true;
		measure.unit = known_keys[i].unit;
		measure.better = known_keys[i].better;
		measure.secondary = known_keys[i].secondary;
	}
	if (measure.unit != NULL && strcmp(measure.unit, "KiB") == 0) {
		measure.unit = "B";
		reading.value *= 1024;
		reading.quantum *= 1024;
	}
	results_add(reader->results, 0, results_measure(reader->results, &measure), &reading);
	return true;
}

static bool read_metric(struct reader *reader, const struct line *line, const char *key,
			size_t key_length, const char *value, size_t value_length,
			struct error *err)
{
	struct number number;
	char name[128];

	copy_word(name, sizeof name, key, key_length);
	if (!number_parse(value, value_length, &number)) {
		number = (struct number){ NAN, 0 };
		if (!word_is(value, value_length, "nan") && !word_is(value, value_length, "-nan") &&
		    !word_is(value, value_length, "inf"))
			return input_error(reader->input, line->number, err,
					   "expected a number behind \"%s:\"", name);
	}
	return add_value(reader, line, name, number);
}

static bool read_line(struct reader *reader, const struct line *line, struct error *err)
{
	const char *key, *value;
	size_t key_length, value_length;

	if (!split(line, &key, &key_length, &value, &value_length))
		return true;
	if (line->text[0] != ' ') {
		reader->in_metrics = word_is(key, key_length, "metrics");
		reader->stressor[0] = '\0';
	} else if (word_is(key, key_length, "stress-ng-version")) {
		copy_word(reader->version, sizeof reader->version, value, value_length);
		results_remark(reader->results,
			       "stress-ng %s: its operations compare only with the same version",
			       reader->version);
	} else if (reader->in_metrics && word_is(key, key_length, "stressor")) {
		copy_word(reader->stressor, sizeof reader->stressor, value, value_length);
	} else if (reader->in_metrics && reader->stressor[0] != '\0') {
		return read_metric(reader, line, key, key_length, value, value_length, err);
	}
	return true;
}

static bool visit_line(void *context, const struct line *line, struct error *err)
{
	return read_line(context, line, err);
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct reader reader = { .input = input, .results = results };

	results_side(results, NULL, 0);
	return input_each_line(input, visit_line, &reader, err);
}

static int score(const struct head *head)
{
	return head_has(head, "stress-ng-version:") ||
		       (head_has(head, "- stressor:") && head_has(head, "bogo-ops:"))
		   ? SCORE_CERTAIN
		   : SCORE_NO;
}

const struct format format_stress_ng_yaml = {
	.name = "stress-ng-yaml",
	.summary = "stress-ng --yaml",
	.expects = "\"metrics:\" with \"- stressor: NAME\" and its figures",
	.score = score,
	.read = read,
};
