/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any word as each quantity: what is read is in its range, what is refused has
 * a printable sentence and leaves the result alone. And any double (the first
 * eight bytes) as a value: what is shown is the value, within its digits.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "fuzz.h"

static void check_sentence(struct arena *arena, const struct error *err)
{
	FUZZ_CHECK(err->kind == ERROR_USAGE);
	FUZZ_CHECK(err->sentence[0] != '\0' && strlen(err->sentence) < 1200);
	FUZZ_CHECK(strcmp(text_clean(arena, err->sentence, strlen(err->sentence)), err->sentence) ==
		   0);
}

/* Digits begin and end it, or a unit: no blank, no sign and no comma was passed over. */
static void check_accepted(const char *word)
{
	FUZZ_CHECK((word[0] >= '0' && word[0] <= '9') || word[0] == '.');
	FUZZ_CHECK(strpbrk(word, ",_'\t\n+") == NULL || strpbrk(word, "eE") != NULL);
	FUZZ_CHECK(word[strlen(word) - 1] != ' ');
}

static void check_reading(struct arena *arena, const char *word)
{
	struct error err = { 0 };
	int64_t ns = -77;
	uint64_t bytes = 77, count = 77;
	double ratio = -77, number = -77;

	if (units_parse_duration(word, &ns, &err)) {
		check_accepted(word);
		FUZZ_CHECK(ns >= 0);
		FUZZ_CHECK(units_duration(arena, ns)[0] != '-');
	} else {
		FUZZ_CHECK(ns == -77);
		check_sentence(arena, &err);
	}
	if (units_parse_bytes(word, &bytes, &err))
		check_accepted(word);
	else
		check_sentence(arena, &err);
	if (units_parse_percent(word, &ratio, &err)) {
		check_accepted(word);
		FUZZ_CHECK(isfinite(ratio) && ratio >= 0);
	} else {
		FUZZ_CHECK(ratio == -77);
		check_sentence(arena, &err);
	}
	if (units_parse_number(word, &number, &err)) {
		check_accepted(word + (word[0] == '-'));
		FUZZ_CHECK(isfinite(number));
		FUZZ_CHECK(number == strtod(word, NULL));
	} else {
		FUZZ_CHECK(number == -77);
		check_sentence(arena, &err);
	}
	if (units_parse_count(word, 3, 1000000, &count, &err))
		FUZZ_CHECK(count >= 3 && count <= 1000000 && count == strtoull(word, NULL, 10));
	else
		check_sentence(arena, &err);
}

/* The number that begins shown, commas left out. */
static double read_back(struct arena *arena, const char *shown)
{
	struct text digits = { 0 };
	double number;

	for (; *shown != '\0' && *shown != ' ' && *shown != '%'; shown++)
		if (*shown != ',')
			text_add_char(&digits, *shown);
	number = strtod(arena_strdup(arena, text_string(&digits)), NULL);
	text_release(&digits);
	return number;
}

static const char *unit_of(const char *shown)
{
	const char *blank = strchr(shown, ' ');

	return blank == NULL ? "" : blank + 1;
}

static void check_value(struct arena *arena, double value, const char *unit)
{
	/* What each scale shows, to turn a cell back into its value. */
	static const struct {
		const char *suffix;
		double size;
	} scales[] = { { "ns", 1e-9 },	  { "us", 1e-6 },    { "ms", 1e-3 },	{ "s", 1 },
		       { "min", 60 },	  { "B", 1 },	     { "KiB", 0x1p10 }, { "MiB", 0x1p20 },
		       { "GiB", 0x1p30 }, { "TiB", 0x1p40 }, { "k", 1e3 },	{ "M", 1e6 },
		       { "G", 1e9 },	  { "", 1 },	     { "kops", 1e3 },	{ "Mops", 1e6 },
		       { "Gops", 1e9 },	  { "ops", 1 } };
	int significant;
	size_t i;

	for (significant = 1; significant <= 6; significant++) {
		char *shown = units_value(arena, value, unit, significant);
		double back = read_back(arena, shown);

		for (i = 0; strcmp(scales[i].suffix, unit_of(shown)) != 0; i++)
			FUZZ_CHECK(i + 1 < sizeof scales / sizeof *scales);
		back *= scales[i].size;
		/* Half a step of the last digit, and a little for the arithmetic. */
		/* Rounding up the largest doubles may lead beyond them. */
		FUZZ_CHECK(fabs(value) > 1e300 ||
			   fabs(back - value) <=
			       fabs(value) * (0.5001 * pow(10, 1 - significant) + 1e-12) + 1e-320);
		FUZZ_CHECK(strlen(shown) < 40);
		FUZZ_CHECK(value != 0 || shown[0] == '0');
	}
	FUZZ_CHECK(fabs(read_back(arena, units_exact(arena, value, unit)) - value) <=
		   fabs(value) * 1e-14);
}

static void check_showing(struct arena *arena, double value)
{
	char *change = units_change(arena, value), *share = units_percent(arena, value);

	if (isnan(value)) {
		FUZZ_CHECK(strcmp(units_value(arena, value, "s", 4), "-") == 0);
		FUZZ_CHECK(strcmp(change, "-") == 0 && strcmp(share, "-") == 0);
		FUZZ_CHECK(strcmp(units_exact(arena, value, "B"), "-") == 0);
		return;
	}
	FUZZ_CHECK(change[0] == (value > 0 ? '+' : value < 0 ? '-' : '0'));
	units_decimal(arena, value, 3);
	if (!isfinite(value)) {
		FUZZ_CHECK(strstr(units_value(arena, value, "B", 4), "inf") != NULL);
		return;
	}
	check_value(arena, value, "s");
	check_value(arena, value, "B");
	check_value(arena, value, "");
	check_value(arena, value, "ops");
	if (fabs(value) < 1e300) {
		FUZZ_CHECK(fabs(read_back(arena, change) - value * 100) <=
			   0.00501 + fabs(value) * 0.5001);
		FUZZ_CHECK(fabs(read_back(arena, share) - value * 100) <=
			   fabs(value * 100) * 0.00050001);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open();
	double value = 0;
	int64_t integer = 0;

	check_reading(arena, arena_strndup(arena, (const char *)data, size));
	if (size >= sizeof value) {
		memcpy(&value, data, sizeof value);
		memcpy(&integer, data, sizeof integer);
	}
	check_showing(arena, value);
	FUZZ_CHECK(units_duration(arena, integer)[0] != '\0');
	FUZZ_CHECK(units_count(arena, integer)[0] != ',');
	arena_close(arena);
	return 0;
}
