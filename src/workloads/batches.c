/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing and counting batches: see batches.h. */
#include "workloads/batches.h"

#include "workloads/clock.h"

enum { GROWTH_MAXIMUM = 10, LOOP_ITERATIONS = 1000000, LOOP_BATCHES = 3 };

void batches_init_multiple(struct batches *batches, const struct work *work, uint64_t multiple)
{
	uint64_t operations = work->settings->operations;

	*batches = (struct batches){
		.batch_ns = work->settings->batch_ns,
		.remaining = operations < multiple ? multiple : operations - operations % multiple,
		.multiple = multiple,
		.count = multiple,
	};
	if (work->settings->time_ns > 0)
		batches->end_ns = clock_ns() + work->settings->time_ns;
}

void batches_init(struct batches *batches, const struct work *work)
{
	batches_init_multiple(batches, work, 1);
}

uint64_t batches_next(struct batches *batches)
{
	uint64_t remaining = batches->remaining;

	if (remaining == 0 || (batches->end_ns > 0 && clock_ns() >= batches->end_ns))
		return 0;
	/* What would be left over is no batch of its own: it would be a short, noisy one. */
	if (remaining / 2 < batches->count)
		batches->count = remaining;
	return batches->count;
}

/* The next size of a batch that took less than it should. */
static uint64_t grow(const struct batches *batches, int64_t elapsed_ns)
{
	double factor = GROWTH_MAXIMUM;
	uint64_t count;

	if (elapsed_ns > 0 && 1.1 * (double)batches->batch_ns / (double)elapsed_ns < factor)
		factor = 1.1 * (double)batches->batch_ns / (double)elapsed_ns;
	count = (uint64_t)((double)batches->count * factor) + 1;
	return count + batches->multiple - 1 - (count + batches->multiple - 1) % batches->multiple;
}

bool batches_end(struct batches *batches, int64_t elapsed_ns)
{
	batches->done += batches->count;
	batches->remaining -= batches->count;
	if (!batches->grown && elapsed_ns >= batches->batch_ns)
		batches->grown = true;
	if (batches->grown || batches->remaining == 0 ||
	    (batches->end_ns > 0 && clock_ns() >= batches->end_ns))
		return true;
	batches->count = grow(batches, elapsed_ns);
	return false;
}

void batches_report(struct batches *batches, const struct work *work, const char *name,
		    int64_t elapsed_ns)
{
	double count = (double)batches->count;

	if (batches_end(batches, elapsed_ns))
		report_value(work->report, name, (double)elapsed_ns / count, "ns", REPORT_LOWER);
}

void batches_remark_loop(const struct work *work)
{
	int64_t best_ns = INT64_MAX;
	int batch, i;

	for (batch = 0; batch < LOOP_BATCHES; batch++) {
		int64_t start_ns = clock_ns();
		int64_t elapsed_ns;

		for (i = 0; i < LOOP_ITERATIONS; i++)
			__asm__ volatile("" ::: "memory");
		elapsed_ns = clock_ns() - start_ns;
		if (elapsed_ns < best_ns)
			best_ns = elapsed_ns;
	}
	report_remark(work->report, "an empty loop takes %.2f ns an operation, which is included",
		      (double)best_ns / LOOP_ITERATIONS);
}
