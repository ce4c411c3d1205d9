/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing and counting batches: see batches.h. */
#include "workloads/batches.h"

#include "workloads/clock.h"
#include "base/mark.h"

enum { GROWTH_MAXIMUM = 10 };

void batches_init_multiple(struct batches *batches, const struct work *work, uint64_t multiple)
{
	uint64_t operations = work->operations;

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
	MARK(MARK_BATCH_BEGIN);
	return batches->count;
}

/* The next size of a batch that would take so long, which is less than it should. */
static uint64_t grow(const struct batches *batches, double expected_ns)
{
	double factor = GROWTH_MAXIMUM;
	uint64_t count;

	if (expected_ns > 0 && 1.1 * (double)batches->batch_ns / expected_ns < factor)
		factor = 1.1 * (double)batches->batch_ns / expected_ns;
	count = (uint64_t)((double)batches->count * factor) + 1;
	return count + batches->multiple - 1 - (count + batches->multiple - 1) % batches->multiple;
}

/*
 * By the quickest so far, because an interruption makes any batch look long;
 * and seen twice, because the first one may be it.
 */
static bool is_long_enough(struct batches *batches, int64_t elapsed_ns)
{
	double each_ns = (double)elapsed_ns / (double)batches->count;
	double expected_ns;

	if (batches->tried == 0 || each_ns < batches->best_ns)
		batches->best_ns = each_ns;
	expected_ns = batches->best_ns * (double)batches->count;
	if (expected_ns >= 0.9 * (double)batches->batch_ns)
		return ++batches->tried > 1;
	batches->tried = 1;
	batches->count = grow(batches, expected_ns);
	return false;
}

bool batches_end(struct batches *batches, int64_t elapsed_ns)
{
	uint64_t count = batches->count;
	bool report;

	MARK(MARK_BATCH_END);
	batches->done += count;
	batches->remaining -= count;
	report = batches->grown || is_long_enough(batches, elapsed_ns);
	batches->grown = report;
	return report || batches->remaining == 0 ||
	       (batches->end_ns > 0 && clock_ns() >= batches->end_ns);
}
