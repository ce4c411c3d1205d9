/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics that measure/ makes, one row each. A quantum is the step in
 * which the kernel counts; measure/ copies a row into the recording and may
 * put a better known step there (the tick differs between kernels).
 *
 * Hidden ones are kept in the recording and judged, but are rows of the sheet
 * only when asked for. user and sys carry the step of a scheduler tick,
 * because kernels without CONFIG_VIRT_CPU_ACCOUNTING_GEN split a process's
 * time by what the tick happened to interrupt; their sum is exact to 1 us
 * (getrusage counts in it).
 */
#include "model/metric.h"

#include <stddef.h>
#include <string.h>

/* 1/CONFIG_HZ of the distributions' kernels for servers and desktops (Debian, Ubuntu: 250). */
#define TICK_S 0.004

/* ru_maxrss is printed in KiB, but memory comes in pages. */
#define PAGE_BYTES 4096

static const struct metric known_metrics[] = {
	{ "wall", "s", BETTER_LOWER, SOURCE_CLOCK, 1e-9, false, false },
	{ "cpu", "s", BETTER_LOWER, SOURCE_RUSAGE, 1e-6, false, false },
	{ "user", "s", BETTER_LOWER, SOURCE_RUSAGE, TICK_S, false, false },
	{ "sys", "s", BETTER_LOWER, SOURCE_RUSAGE, TICK_S, false, false },
	{ "max rss", "B", BETTER_LOWER, SOURCE_RUSAGE, PAGE_BYTES, false, false },
	{ "minor faults", "", BETTER_LOWER, SOURCE_RUSAGE, 1, false, true },
	{ "major faults", "", BETTER_LOWER, SOURCE_RUSAGE, 1, false, true },
	{ "voluntary switches", "", BETTER_LOWER, SOURCE_RUSAGE, 1, false, true },
	{ "involuntary switches", "", BETTER_LOWER, SOURCE_RUSAGE, 1, false, true },
	{ "block input", "", BETTER_LOWER, SOURCE_RUSAGE, 1, false, true },
	{ "block output", "", BETTER_LOWER, SOURCE_RUSAGE, 1, false, true },
	{ "task-clock", "s", BETTER_LOWER, SOURCE_COUNTER, 1e-9, false, true },
	{ "migrations", "", BETTER_LOWER, SOURCE_COUNTER, 1, false, true },
	{ "run delay", "s", BETTER_LOWER, SOURCE_CLOCK, 1e-9, false, true },
	{ "sim instructions", "", BETTER_LOWER, SOURCE_SIMULATED, 1, false, false },
	{ "sim I1 misses", "", BETTER_LOWER, SOURCE_SIMULATED, 1, false, false },
	{ "sim D1 misses", "", BETTER_LOWER, SOURCE_SIMULATED, 1, false, false },
	{ "sim LL misses", "", BETTER_LOWER, SOURCE_SIMULATED, 1, false, false },
	{ "sim code lines", "", BETTER_LOWER, SOURCE_SIMULATED, 1, false, false },
};

const struct metric *metric_known(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof known_metrics / sizeof *known_metrics; i++)
		if (strcmp(known_metrics[i].name, name) == 0)
			return &known_metrics[i];
	return NULL;
}

bool metric_is_called(const char *name, const char *word)
{
	for (; *name != '\0' && *word != '\0'; name++, word++)
		if (*name != *word && !(*name == ' ' && (*word == '-' || *word == '_')))
			return false;
	return *name == *word;
}

const struct metric *metric_known_called(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof known_metrics / sizeof *known_metrics; i++)
		if (metric_is_called(known_metrics[i].name, word))
			return &known_metrics[i];
	return NULL;
}

const struct metric *metric_known_at(size_t index)
{
	return index < sizeof known_metrics / sizeof *known_metrics ? &known_metrics[index] : NULL;
}
