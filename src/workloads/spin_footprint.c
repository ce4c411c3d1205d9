/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A spinlock among other code: see spin_footprint.h. */
#include "workloads/spin_footprint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/batches.h"
#include "workloads/clock.h"
#include "workloads/cycles.h"
#include "workloads/placement.h"
#include "workloads/tasks.h"
#include "workloads/written_code.h"

enum {
	OPERATIONS = 2000000,
	WARM_PASSES = 3,
	TIGHT_CALLS = 64, /* of the one site where there is no other code */
	SIMULATED_SITES = 32768,
};

/* What a chunk's call of its site needs. */
struct ground {
	_Alignas(SPECIMEN_APART) unsigned char lock[SPINLOCK_BYTES];
	_Alignas(SPECIMEN_APART) struct lock_thread thread;
	_Alignas(SPECIMEN_APART) struct lock_hold hold;
	_Alignas(SPECIMEN_APART) volatile uint64_t counter;
};

static struct written_extent extent_of(const struct locking_settings *settings)
{
	size_t bytes = settings->footprint_bytes;
	struct written_extent extent = { .gap = settings->gap_bytes < bytes ? settings->gap_bytes
									    : bytes };

	extent.sites = extent.gap == 0 ? 1 : bytes / extent.gap;
	extent.calls = extent.gap == 0 ? TIGHT_CALLS : extent.sites;
	return extent;
}

static bool timed_passes(struct work *work, void (*pass)(void), size_t sites, struct error *err)
{
	struct batches batches;
	uint64_t count, i;

	(void)err;
	batches_init_multiple(&batches, work, sites);
	while ((count = batches_next(&batches)) > 0) {
		double cycle_ns = cycles_length_ns(), each_ns;
		int64_t start_ns, elapsed_ns;

		pass();
		start_ns = clock_ns();
		for (i = 0; i < count / sites; i++)
			pass();
		elapsed_ns = clock_ns() - start_ns;
		cycle_ns = (cycle_ns + cycles_length_ns()) / 2;
		each_ns = (double)elapsed_ns / (double)count;
		if (!batches_end(&batches, elapsed_ns))
			continue;
		report_value(work->report, "site", each_ns, "ns", REPORT_LOWER);
		if (!isnan(cycle_ns))
			report_value(work->report, "site-cycles", each_ns / cycle_ns, "cycles",
				     REPORT_LOWER);
	}
	return true;
}

/* Under a simulator time means nothing, and it is slow: the same number of sites for all. */
static bool is_simulated(void)
{
	const char *value = getenv("WORTH_SIMULATED");

	return value != NULL && strcmp(value, "1") == 0;
}

static void counted_passes(void (*pass)(void), size_t sites)
{
	size_t left = SIMULATED_SITES;

	do {
		pass();
		left = left > sites ? left - sites : 0;
	} while (left > 0);
}

static bool check_once(const struct spinlock *spinlock, struct ground *ground, void (*pass)(void),
		       size_t sites, struct error *err)
{
	int i;

	for (i = 0; i < WARM_PASSES; i++)
		pass();
	if (ground->counter == WARM_PASSES * (uint64_t)sites)
		return true;
	return error_set(err, ERROR_SYSTEM, "%zu sites of %s counted to %llu in %d passes", sites,
			 spinlock->name, (unsigned long long)ground->counter, (int)WARM_PASSES);
}

static bool run_code(struct work *work, const struct spinlock *spinlock,
		     const struct locking_settings *settings, struct ground *ground,
		     struct written_code *code, struct error *err)
{
	struct written_extent extent = extent_of(settings);
	struct written_operands operands = { ground->lock, &ground->hold, &ground->counter };
	union {
		const void *bytes;
		void (*function)(void);
	} pass;

	pass.bytes = written_code_pass(work->arena, code, &spinlock->loops, &operands, &extent);
	report_remark(
	    work->report, "%s, %zu sites of %zu bytes, %zu bytes of other code each, layout %llu",
	    spinlock->name, extent.sites, (size_t)(spinlock->loops.site_end - spinlock->loops.site),
	    extent.gap, (unsigned long long)settings->layout);
	if (!check_once(spinlock, ground, pass.function, extent.calls, err))
		return false;
	if (is_simulated()) {
		counted_passes(pass.function, extent.calls);
		return true;
	}
	return timed_passes(work, pass.function, extent.calls, err);
}

bool spin_footprint_run(struct work *work, const struct spinlock *spinlock,
			const struct locking_settings *settings, struct error *err)
{
	struct written_extent extent = extent_of(settings);
	struct task *bystander;
	struct ground *ground;
	struct written_code code;
	bool ok;

	if (settings->tasks > 1)
		return error_set(err, ERROR_USAGE,
				 "--footprint is for one thread; leave out --tasks");
	if (!written_code_can(&spinlock->loops, err))
		return false;
	if (work->is_default)
		work->operations = OPERATIONS;
	ground = tasks_share(sizeof *ground, err);
	if (ground == NULL || !written_code_map(&code, &extent, settings->layout, err) ||
	    !locking_bystander_start(&bystander, err))
		return false;
	lock_threads_init(&ground->thread, 1);
	ground->hold.thread = &ground->thread;
	spinlock->init(ground->lock);
	ok = run_code(work, spinlock, settings, ground, &code, err);
	ok = locking_bystander_end(bystander, ok ? err : NULL) && ok;
	written_code_unmap(&code);
	tasks_unshare(ground, sizeof *ground);
	return ok;
}
