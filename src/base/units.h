/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The only file that knows how quantities are read from a user and shown to
 * one. Reading is strict: the whole word must be used, a unit must be there
 * where it is needed, and NaN, infinities, signs and overflow are refused with
 * a sentence that names the accepted form. Nothing here depends on the locale.
 */

/* "300ms" "5s" "1.5 min" "2h" (ns us µs ms s min m h d); a bare number is refused except 0. */
bool units_parse_duration(const char *word, int64_t *ns, struct error *err);
/* "1%" -> 0.01, "0.5 %"; a bare number is refused ("write 1% or 0.5%") except 0. */
bool units_parse_percent(const char *word, double *ratio, struct error *err);
/* "4096", "64k" "64KiB" "1M" "1MiB" "1MB" (k = 1024 with and without iB, kB/MB/GB = 1000). */
bool units_parse_bytes(const char *word, uint64_t *bytes, struct error *err);
/* A whole number in minimum..maximum. */
bool units_parse_count(const char *word, uint64_t minimum, uint64_t maximum, uint64_t *count,
		       struct error *err);
/* A finite decimal number ("0.95", "1e-3"); the one form that may have a minus sign. */
bool units_parse_number(const char *word, double *number, struct error *err);

/* One scale for a table's cells: chosen so that the largest magnitude has 1 to 4 digits before
 * the point. unit "s" scales ns us ms s min; "B" scales B KiB MiB GiB TiB; other units take k M G
 * above 99,999 and stay otherwise. */
struct unit_scale {
	const char *suffix; /* "ms", "KiB"; the unit itself where that stays */
	double factor;	    /* shown = value * factor */
	bool prefix;	    /* suffix is k, M or G, and the unit's name stands behind it */
};
struct unit_scale units_scale(const char *unit, double magnitude);

/* "147.6 ms", "41.20 MiB", "3.520 GHz", "12,345" (whole digits are never rounded away, whole
 * counts have no decimals); NAN gives "-". significant is the number of significant digits (4 is
 * the habit). units_exact: all digits with thousands commas, "1,807,824 B". */
char *units_value(struct arena *arena, double value, const char *unit, int significant);
char *units_exact(struct arena *arena, double value, const char *unit);
/* A number with so many decimals, commas between thousands and no "-0.00"; NAN gives "-". */
char *units_decimal(struct arena *arena, double number, int decimals);
/* "+0.60%", "-2.05%", "+1.2%" (two decimals below 10, one below 100, none above); ratio 0.02 is 2%.
 * A change that rounds to zero prints "+0.00%" or "-0.00%" by its sign, 0 itself "0.00%". */
char *units_change(struct arena *arena, double ratio);
/* For prose, an unsigned share: 0.01 -> "1%", 0.005 -> "0.5%", 0.123 -> "12.3%". */
char *units_percent(struct arena *arena, double ratio);
/* For prose: "58 s", "2 min", "1 h 5 min", "350 ms". */
char *units_duration(struct arena *arena, int64_t ns);
/* Digits grouped by commas: 1797108 -> "1,797,108". */
char *units_count(struct arena *arena, int64_t count);

#endif
