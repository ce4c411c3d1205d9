/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Speed against size, in one sentence: the question behind most arguments about inlining. */
#include "judge/trade.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* Sizes that are weighed against speed, the most telling first. */
static const char *const size_metrics[] = { "text", "file size", "max rss" };

static const struct row *find(const struct judging *judging, size_t candidate, const char *name)
{
	size_t i;

	for (i = 0; i < judging->row_count; i++) {
		const struct comparison *comparison = judging->rows[i].comparison;
		const struct metric *metric = row_metric(judging, &judging->rows[i]);

		if (comparison->candidate == candidate &&
		    (name == NULL ? comparison->primary : strcmp(metric->name, name) == 0))
			return &judging->rows[i];
	}
	return NULL;
}

static bool changed(const struct comparison *comparison)
{
	return comparison->verdict == VERDICT_BETTER || comparison->verdict == VERDICT_WORSE ||
	       (comparison->exact && comparison->consistent);
}

static const struct row *size_of(const struct judging *judging, size_t candidate)
{
	size_t i;

	for (i = 0; i < sizeof size_metrics / sizeof *size_metrics; i++) {
		const struct row *size = find(judging, candidate, size_metrics[i]);

		if (size != NULL && !size->comparison->primary && changed(size->comparison))
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

/* What 1% of speed costs, low and high; NAN where the speed is not decided or a size is not. */
struct price {
	double likely, low, high; /* log ratio of size for one of speed */
};

/* The pairs' costs of the size less price times those of the speed. */
static bool contains_none(struct judging *judging, const struct contrast *size,
			  const struct contrast *speed, double price, double alpha)
{
	size_t count = 0, i, j = 0;
	double *d = arena_alloc(judging->scratch, size->baseline_count, sizeof *d);
	struct interval interval;

	for (i = 0; i < size->baseline_count; i++) {
		while (j < speed->baseline_count && speed->rounds[j] < size->rounds[i])
			j++;
		if (j < speed->baseline_count && speed->rounds[j] == size->rounds[i])
			d[count++] = size->d[i] - price * speed->d[j];
	}
	if (count == 0)
		return true;
	interval = location_paired(d, count, alpha);
	return interval.low <= 0 && interval.high >= 0;
}

/* How far from the middle a price is not excluded (Fieller 1954, by ranks instead of t). */
static double reach(struct judging *judging, const struct contrast *size,
		    const struct contrast *speed, double middle, double step, double alpha)
{
	enum { DOUBLINGS = 40, HALVINGS = 40 };
	double inside = 0, outside = step;
	size_t i;

	for (i = 0; i < DOUBLINGS; i++) {
		if (!contains_none(judging, size, speed, middle + outside, alpha))
			break;
		inside = outside;
		outside *= 2;
	}
	if (i == DOUBLINGS)
		return copysign(INFINITY, step);
	for (i = 0; i < HALVINGS; i++) {
		double between = (inside + outside) / 2;

		if (contains_none(judging, size, speed, middle + between, alpha))
			inside = between;
		else
			outside = between;
	}
	return middle + inside;
}

static struct price price_of(struct judging *judging, const struct row *speed,
			     const struct row *size)
{
	const struct comparison *fast = speed->comparison, *large = size->comparison;
	double alpha = fast->level, step;
	struct price price = { NAN, NAN, NAN };

	if ((fast->verdict != VERDICT_BETTER && fast->verdict != VERDICT_WORSE) || fast->exact ||
	    fast->unstable || !(fast->change_low > -1))
		return price;
	price.likely = log1p(large->change) / log1p(fast->change);
	if (large->exact) {
		double one = log1p(large->change) / log1p(fast->change_low);
		double other = log1p(large->change) / log1p(fast->change_high);

		price.low = fmin(one, other);
		price.high = fmax(one, other);
		return price;
	}
	if (!speed->contrast.paired || !size->contrast.paired || size->contrast.d == NULL)
		return (struct price){ NAN, NAN, NAN };
	price.likely =
	    location_paired(size->contrast.d, size->contrast.baseline_count, alpha).estimate /
	    location_paired(speed->contrast.d, speed->contrast.baseline_count, alpha).estimate;
	step = fabs(price.likely) / 8 + 1e-9;
	if (!contains_none(judging, &size->contrast, &speed->contrast, price.likely, alpha))
		return (struct price){ NAN, NAN, NAN };
	price.low = reach(judging, &size->contrast, &speed->contrast, price.likely, -step, alpha);
	price.high = reach(judging, &size->contrast, &speed->contrast, price.likely, step, alpha);
	return price;
}

/* Bytes that belong to 1% of speed at that price; always positive. */
static double bytes_of(const struct comparison *size, double price)
{
	return fabs(expm1(price * log1p(0.01))) * size->baseline.median;
}

/* Of more candidates only those are told that give one for the other. */
enum { MOST_WEIGHED = 3 };

/* One is had for the other. */
static bool is_trade(const struct comparison *speed, const struct comparison *size)
{
	bool smaller = size->other.median < size->baseline.median;

	return speed->verdict == VERDICT_BETTER ? !smaller
						: speed->verdict == VERDICT_WORSE && smaller;
}

/* " That is 4.8 kB of text for each 1% of wall time (between 4.1 and 5.9 kB)." */
static void add_price(struct judging *judging, const struct row *speed, const struct row *size,
		      struct text *text)
{
	struct price price = { NAN, NAN, NAN };
	const struct metric *large = row_metric(judging, size);
	const char *unit = large->unit;
	double low, high;

	if (is_trade(speed->comparison, size->comparison))
		price = price_of(judging, speed, size);
	if (!isfinite(price.low) || !isfinite(price.high) || price.low * price.high <= 0)
		return;
	low = bytes_of(size->comparison, price.low);
	high = bytes_of(size->comparison, price.high);
	text_printf(
	    text, " The price: %s of %s for each 1%% of %s (between %s and %s).",
	    units_value(judging->scratch, bytes_of(size->comparison, price.likely), unit, 3),
	    large->name, spoken(row_metric(judging, speed)),
	    units_value(judging->scratch, fmin(low, high), unit, 3),
	    units_value(judging->scratch, fmax(low, high), unit, 3));
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
	size_t candidates = plan_candidate_count(&judging->recording->plan), candidate;

	for (candidate = 0; candidate < judging->recording->plan.subject_count; candidate++) {
		const struct row *speed = find(judging, candidate, NULL);
		const struct row *size = size_of(judging, candidate);

		if (speed == NULL || size == NULL || speed->comparison->difference ||
		    size->comparison->difference ||
		    (candidates > MOST_WEIGHED && !is_trade(speed->comparison, size->comparison)))
			continue;
		if (text.length > 0)
			text_add_char(&text, ' ');
		weigh(judging, speed->comparison, size->comparison, &text);
		add_price(judging, speed, size, &text);
	}
	if (text.length > 0)
		sentence = arena_strdup(judging->arena, text_string(&text));
	text_release(&text);
	return sentence;
}
