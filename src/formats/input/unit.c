/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of unit words. Where tools disagree about a word (MB is 10^6 for
 * lmbench and dbench, 2^20 for some others), the table has the decimal meaning
 * of the standard, and a reader that knows better names the unit "MiB".
 */
#include "formats/input/unit.h"

#include <string.h>

#define KI 1024.0
#define MI (1024.0 * 1024)
#define GI (1024.0 * 1024 * 1024)
#define TI (1024.0 * 1024 * 1024 * 1024)

static const struct unit units[] = {
	{ "ns", "s", 1, 1e9, BETTER_LOWER },
	{ "nsec", "s", 1, 1e9, BETTER_LOWER },
	{ "nanoseconds", "s", 1, 1e9, BETTER_LOWER },
	{ "us", "s", 1, 1e6, BETTER_LOWER },
	{ "usec", "s", 1, 1e6, BETTER_LOWER },
	{ "usecs", "s", 1, 1e6, BETTER_LOWER },
	{ "\xc2\xb5s", "s", 1, 1e6, BETTER_LOWER }, /* micro sign */
	{ "\xce\xbcs", "s", 1, 1e6, BETTER_LOWER }, /* Greek mu */
	{ "microseconds", "s", 1, 1e6, BETTER_LOWER },
	{ "micros", "s", 1, 1e6, BETTER_LOWER },
	{ "ms", "s", 1, 1e3, BETTER_LOWER },
	{ "msec", "s", 1, 1e3, BETTER_LOWER },
	{ "millis", "s", 1, 1e3, BETTER_LOWER },
	{ "milliseconds", "s", 1, 1e3, BETTER_LOWER },
	{ "s", "s", 1, 1, BETTER_LOWER },
	{ "sec", "s", 1, 1, BETTER_LOWER },
	{ "secs", "s", 1, 1, BETTER_LOWER },
	{ "second", "s", 1, 1, BETTER_LOWER },
	{ "seconds", "s", 1, 1, BETTER_LOWER },
	{ "min", "s", 60, 1, BETTER_LOWER },
	{ "mins", "s", 60, 1, BETTER_LOWER },
	{ "minutes", "s", 60, 1, BETTER_LOWER },
	{ "h", "s", 3600, 1, BETTER_LOWER },
	{ "hours", "s", 3600, 1, BETTER_LOWER },
	{ "B", "B", 1, 1, BETTER_LOWER },
	{ "bytes", "B", 1, 1, BETTER_LOWER },
	{ "kB", "B", 1e3, 1, BETTER_LOWER },
	{ "KB", "B", 1e3, 1, BETTER_LOWER },
	{ "MB", "B", 1e6, 1, BETTER_LOWER },
	{ "GB", "B", 1e9, 1, BETTER_LOWER },
	{ "KiB", "B", KI, 1, BETTER_LOWER },
	{ "MiB", "B", MI, 1, BETTER_LOWER },
	{ "GiB", "B", GI, 1, BETTER_LOWER },
	{ "TiB", "B", TI, 1, BETTER_LOWER },
	{ "B/s", "B/s", 1, 1, BETTER_HIGHER },
	{ "B/sec", "B/s", 1, 1, BETTER_HIGHER },
	{ "kB/s", "B/s", 1e3, 1, BETTER_HIGHER },
	{ "KB/s", "B/s", 1e3, 1, BETTER_HIGHER },
	{ "KB/sec", "B/s", 1e3, 1, BETTER_HIGHER },
	{ "MB/s", "B/s", 1e6, 1, BETTER_HIGHER },
	{ "MB/sec", "B/s", 1e6, 1, BETTER_HIGHER },
	{ "GB/s", "B/s", 1e9, 1, BETTER_HIGHER },
	{ "GB/sec", "B/s", 1e9, 1, BETTER_HIGHER },
	{ "KiB/s", "B/s", KI, 1, BETTER_HIGHER },
	{ "KiB/sec", "B/s", KI, 1, BETTER_HIGHER },
	{ "MiB/s", "B/s", MI, 1, BETTER_HIGHER },
	{ "MiB/sec", "B/s", MI, 1, BETTER_HIGHER },
	{ "GiB/s", "B/s", GI, 1, BETTER_HIGHER },
	{ "GiB/sec", "B/s", GI, 1, BETTER_HIGHER },
	{ "/s", "/s", 1, 1, BETTER_HIGHER },
	{ "/sec", "/s", 1, 1, BETTER_HIGHER },
	{ "K/s", "/s", 1e3, 1, BETTER_HIGHER },
	{ "K/sec", "/s", 1e3, 1, BETTER_HIGHER },
	{ "M/s", "/s", 1e6, 1, BETTER_HIGHER },
	{ "M/sec", "/s", 1e6, 1, BETTER_HIGHER },
	{ "G/sec", "/s", 1e9, 1, BETTER_HIGHER },
	{ "ops/s", "/s", 1, 1, BETTER_HIGHER },
	{ "ops/sec", "/s", 1, 1, BETTER_HIGHER },
	{ "ops/ms", "/s", 1e3, 1, BETTER_HIGHER },
	{ "ops/us", "/s", 1e6, 1, BETTER_HIGHER },
	{ "ops/ns", "/s", 1e9, 1, BETTER_HIGHER },
	{ "Hz", "Hz", 1, 1, BETTER_HIGHER },
	{ "MHz", "Hz", 1e6, 1, BETTER_HIGHER },
	{ "GHz", "Hz", 1e9, 1, BETTER_HIGHER },
	{ "Joules", "J", 1, 1, BETTER_LOWER },
	{ "J", "J", 1, 1, BETTER_LOWER },
};

const struct unit *unit_find(const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i].word) == length && memcmp(units[i].word, word, length) == 0)
			return &units[i];
	return NULL;
}

struct number unit_base(const struct unit *unit, struct number number)
{
	number.value = number.value * unit->times / unit->over;
	number.quantum = number.quantum * unit->times / unit->over;
	return number;
}
