/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a row's figures look: digits chosen for the row as a whole. base/units
 * knows units; this file knows only how many decimals a row deserves.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/quantity.h"

/* From tenfold on, and where nearly nothing is left, a change reads better as a factor than
 * in per cent. */
bool change_is_factor(double ratio)
{
	return ratio >= 9.0 || ratio < -0.9995;
}

static int decimals_for(double shown, int significant)
{
	int before;

	if (shown <= 0.0)
		return 0;
	if (shown >= 1e6 || shown < 1e-6)
		return -1;
	/* 9.9996 rounds to 10.00. */
	before = (int)floor(log10(shown * (1.0 + 0.5 * pow(10, -significant)))) + 1;
	return before >= significant ? 0 : significant - before;
}

/* Decimals with which the deviation shows a digit; no more than two beyond those wanted, and none
 * if even two are not enough. */
static int decimals_to_show(int decimals, double shown_deviation)
{
	int extra;

	if (decimals < 0 || !(shown_deviation > 0.0))
		return decimals;
	for (extra = 0; extra <= 2; extra++)
		if (shown_deviation >= 0.5 * pow(10, -(decimals + extra)))
			return decimals + extra;
	return decimals;
}

/* Digits beyond the second one of the deviation say nothing: 280 ms (54), not 280.2 ms (53.8). */
static int decimals_worth(int decimals, double shown_deviation)
{
	if (decimals > 0 && shown_deviation >= 9.95)
		return 0;
	return decimals > 1 && shown_deviation >= 0.995 ? 1 : decimals;
}

struct quantity quantity_choose(const char *unit, double magnitude, double smallest_deviation,
				bool compact)
{
	struct quantity quantity = { .suffix = unit, .factor = 1.0, .compact = compact };
	struct unit_scale scale;
	double shown;

	if (!isfinite(magnitude))
		return quantity;
	scale = units_scale(unit, magnitude);
	quantity.suffix = scale.suffix;
	quantity.unit = scale.prefix ? unit : NULL;
	quantity.factor = scale.factor;
	shown = fabs(magnitude) * scale.factor;
	quantity.decimals = decimals_for(shown, compact && shown < 100.0 ? 3 : 4);
	if (compact)
		quantity.decimals =
		    decimals_worth(quantity.decimals, smallest_deviation * scale.factor);
	else
		quantity.decimals =
		    decimals_to_show(quantity.decimals, smallest_deviation * scale.factor);
	return quantity;
}

static char *plain_digits(struct arena *arena, int decimals, double shown, bool sign)
{
	const char *plus = sign && shown > 0 ? "+" : "";

	if (decimals < 0)
		return arena_printf(arena, "%s%.3e", plus, shown);
	return arena_printf(arena, "%s%s", plus, units_decimal(arena, shown, decimals));
}

static char *digits(struct arena *arena, const struct quantity *quantity, double value, bool sign)
{
	double shown = value * quantity->factor;

	if (!isfinite(shown))
		return arena_strdup(arena, "-");
	if (shown == 0.0)
		return arena_strdup(arena, "0");
	/* A value far above what the row was scaled for. */
	if (fabs(shown) >= 1e7)
		return plain_digits(arena, -1, shown, sign);
	return plain_digits(arena, quantity->decimals, shown, sign);
}

static char *with_suffix(struct arena *arena, const struct quantity *quantity, char *shown)
{
	if (strcmp(shown, "-") == 0)
		return shown;
	/* "GHz" and "MB/s", but "M requests": as base/units has it. */
	if (quantity->unit != NULL)
		return arena_printf(arena, "%s %s%s%s", shown, quantity->suffix,
				    strlen(quantity->unit) > 4 ? " " : "", quantity->unit);
	if (quantity->suffix[0] == '\0')
		return shown;
	return arena_printf(arena, "%s %s", shown, quantity->suffix);
}

char *quantity_digits(struct arena *arena, const struct quantity *quantity, double value)
{
	return digits(arena, quantity, value, false);
}

char *quantity_signed_digits(struct arena *arena, const struct quantity *quantity, double value)
{
	return digits(arena, quantity, value, true);
}

char *quantity_value(struct arena *arena, const struct quantity *quantity, double value)
{
	return with_suffix(arena, quantity, digits(arena, quantity, value, false));
}

char *quantity_change(struct arena *arena, const struct quantity *quantity, double value)
{
	return with_suffix(arena, quantity, digits(arena, quantity, value, true));
}

/* A deviation too small for the row's decimals is told from none at all. */
static char *deviation_digits(struct arena *arena, const struct quantity *quantity,
			      double deviation)
{
	double shown = deviation * quantity->factor;
	double step = pow(10, -quantity->decimals);

	if (quantity->decimals >= 0 && shown > 0.0 && shown < 0.5 * step)
		return arena_printf(arena, "<%s", units_decimal(arena, step, quantity->decimals));
	return digits(arena, quantity, deviation, false);
}

char *quantity_with_deviation(struct arena *arena, const struct quantity *quantity, double mean,
			      double deviation)
{
	char *value = quantity_value(arena, quantity, mean);
	double shown = deviation * quantity->factor;

	if (!isfinite(deviation) || !isfinite(mean))
		return value;
	if (quantity->compact && shown > 0.0 && shown < 0.5 * pow(10, -quantity->decimals))
		return value;
	return arena_printf(arena, "%s (%s)", value, deviation_digits(arena, quantity, deviation));
}

char *quantity_exact(struct arena *arena, double value, const char *unit)
{
	struct quantity quantity;

	if (!isfinite(value))
		return arena_strdup(arena, "-");
	if (fabs(value) < 1e10)
		return units_exact(arena, value, unit);
	quantity = quantity_choose(unit, fabs(value), NAN, false);
	return quantity_value(arena, &quantity, value);
}

static char *factor_digits(struct arena *arena, double factor)
{
	if (factor >= 1e5 || factor < 0.01)
		return arena_printf(arena, "%.2e", factor);
	return units_decimal(arena, factor, factor >= 99.95 ? 0 : factor >= 9.995 ? 1 : 2);
}

static char *factor_text(struct arena *arena, double factor)
{
	return arena_printf(arena, "x%s", factor_digits(arena, factor));
}

static int percent_decimals(double ratio)
{
	double percent = fabs(ratio) * 100.0;

	return percent < 9.995 ? 2 : percent < 99.95 ? 1 : 0;
}

/* What rounds to zero keeps its sign; nothing at all has none. */
static char *signed_percent(struct arena *arena, double ratio, int decimals)
{
	return arena_printf(arena, "%s%s",
			    ratio < 0	? "-"
			    : ratio > 0 ? "+"
					: "",
			    units_decimal(arena, fabs(ratio) * 100.0, decimals));
}

char *change_cell(struct arena *arena, double ratio, bool exact)
{
	int decimals = 2;

	if (!isfinite(ratio))
		return arena_strdup(arena, "-");
	if (change_is_factor(ratio))
		return factor_text(arena, 1.0 + ratio);
	if (exact && ratio != 0.0) {
		while (decimals < 7 && fabs(ratio) * 100.0 < 0.5 * pow(10, -decimals))
			decimals++;
		if (decimals > 2)
			return arena_printf(arena, "%s%%", signed_percent(arena, ratio, decimals));
	}
	return units_change(arena, ratio);
}

char *change_interval(struct arena *arena, double low, double high)
{
	int decimals;

	if (isnan(low) || isnan(high))
		return arena_strdup(arena, "-");
	if (isinf(low) && isinf(high))
		return arena_strdup(arena, "unbounded");
	if (isinf(low))
		return arena_printf(arena, "< %s", change_cell(arena, high, false));
	if (isinf(high))
		return arena_printf(arena, "> %s", change_cell(arena, low, false));
	if (change_is_factor(high) || change_is_factor(low))
		return arena_printf(arena, "%s .. %s", factor_text(arena, 1.0 + low),
				    factor_text(arena, 1.0 + high));
	decimals = percent_decimals(fmax(fabs(low), fabs(high)));
	return arena_printf(arena, "%s .. %s%%", signed_percent(arena, low, decimals),
			    signed_percent(arena, high, decimals));
}

char *change_share(struct arena *arena, double ratio)
{
	if (!isfinite(ratio))
		return arena_strdup(arena, "an unknown share");
	if (change_is_factor(ratio))
		return arena_printf(arena, "%s times", factor_digits(arena, 1.0 + ratio));
	return arena_printf(arena, "%s%%",
			    units_decimal(arena, fabs(ratio) * 100.0, percent_decimals(ratio)));
}

char *change_shares(struct arena *arena, double low, double high)
{
	double small = fmin(fabs(low), fabs(high)), large = fmax(fabs(low), fabs(high));
	int decimals = percent_decimals(large);

	if (change_is_factor(low) || change_is_factor(high))
		return arena_printf(arena, "%s and %s times", factor_digits(arena, 1.0 + low),
				    factor_digits(arena, 1.0 + high));
	return arena_printf(arena, "%s and %s%%", units_decimal(arena, small * 100.0, decimals),
			    units_decimal(arena, large * 100.0, decimals));
}
