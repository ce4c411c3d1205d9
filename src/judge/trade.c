/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Speed against size, in one sentence: the question behind most arguments about inlining. */
#include "judge/trade.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* Sizes that are weighed against speed, the most telling first. */
static const char *const size_metrics[] = { "text", "file size", "max rss" };

static const struct comparison *find(const struct judging *judging, size_t candidate,
				     const char *name)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++) {
		const struct comparison *comparison = judging->rows[i].comparison;
		const struct metric *metric = row_metric(judging, &judging->rows[i]);

		if (comparison->candidate == candidate &&
		    (name == NULL ? comparison->primary : strcmp(metric->name, name) == 0))
			return comparison;
	}
	return NULL;
}

static bool changed(const struct comparison *comparison)
{
	return comparison->verdict == VERDICT_BETTER || comparison->verdict == VERDICT_WORSE ||
	       (comparison->exact && comparison->consistent);
}

static const struct comparison *size_of(const struct judging *judging, size_t candidate)
{
	size_t i;

	for (i = 0; i < sizeof size_metrics / sizeof *size_metrics; i++) {
		const struct comparison *size = find(judging, candidate, size_metrics[i]);

		if (size != NULL && !size->primary && changed(size))
			return size;
	}
	return NULL;
}

/* "10,716 bytes of text (0.60%)" or "3.1 MiB of max rss (8%)". */
static const char *amount(const struct judging *judging, const struct comparison *size)
{
	const struct metric *metric = &judging->recording->metrics[size->metric];
	double bytes = fabs(size->other.median - size->baseline.median);
	const char *share = judging_digits(judging, size->change);

	if (size->exact)
		return arena_printf(judging->scratch, "%s bytes of %s (%s)",
				    units_count(judging->scratch, (int64_t)llround(bytes)),
				    metric->name, share);
	return arena_printf(judging->scratch, "%s of %s (%s)",
			    units_value(judging->scratch, bytes, metric->unit, 3), metric->name,
			    share);
}

/* As one says it in a sentence. */
static const char *spoken(const struct metric *metric)
{
	if (strcmp(metric->name, "wall") == 0)
		return "wall time";
	return strcmp(metric->name, "cpu") == 0 ? "CPU time" : metric->name;
}

static void weigh(const struct judging *judging, const struct comparison *speed,
		  const struct comparison *size, struct text *text)
{
	const char *label = judging_label(judging, speed->candidate);
	const char *metric = spoken(&judging->recording->metrics[speed->metric]);
	const char *bytes = amount(judging, size);
	bool smaller = size->other.median < size->baseline.median;

	if (speed->verdict == VERDICT_BETTER)
		text_printf(text, smaller ? "%s saves %s %s and %s." : "%s buys %s %s for %s.",
			    label, judging_digits(judging, speed->change), metric, bytes);
	else if (speed->verdict == VERDICT_WORSE)
		text_printf(text, smaller ? "%s pays %s %s to save %s." : "%s costs %s %s and %s.",
			    label, judging_digits(judging, speed->change), metric, bytes);
	else if (speed->verdict == VERDICT_EQUIVALENT || speed->verdict == VERDICT_SAME ||
		 speed->not_worse)
		text_printf(text,
			    smaller ? "%s saves %s, and its %s is not worse by more than %s."
				    : "%s adds %s, and its %s is not worse by more than %s.",
			    label, bytes, metric,
			    units_percent(judging->scratch, speed->margin_ratio));
}

const char *trade_make(struct judging *judging)
{
	struct text text = { 0 };
	const char *sentence = NULL;
	size_t candidate;

	for (candidate = 0; candidate < judging->recording->plan.subject_count; candidate++) {
		const struct comparison *speed = find(judging, candidate, NULL);
		const struct comparison *size = size_of(judging, candidate);

		if (speed == NULL || size == NULL || speed->difference || size->difference)
			continue;
		if (text.length > 0)
			text_add_char(&text, ' ');
		weigh(judging, speed, size, &text);
	}
	if (text.length > 0)
		sentence = arena_strdup(judging->arena, text_string(&text));
	text_release(&text);
	return sentence;
}
