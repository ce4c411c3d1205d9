/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A spinlock of the specimens: how long it takes, alone, wanted by others, and among other code. */
#include <string.h>

#include "base/text.h"
#include "specimens/spinlocks/spinlock.h"
#include "workloads/locking/locking.h"
#include "workloads/spin_footprint.h"
#include "workloads/written_code.h"

/* What there is and what there is not, in a sentence. */
static bool refuse(struct work *work, const char *name, struct error *err)
{
	const struct spinlock *const *spinlock;
	struct text there = { 0 };

	for (spinlock = spinlocks; *spinlock != NULL; spinlock++)
		text_printf(&there, "%s%s%s", there.length == 0 ? "" : ", ", (*spinlock)->name,
			    (*spinlock)->absent == NULL ? "" : " (absent)");
	error_set(err, ERROR_USAGE, "there is no spinlock \"%s\"; there are %s",
		  text_clean(work->arena, name, strlen(name)), text_string(&there));
	text_release(&there);
	return false;
}

/*
 * In a round all variants have the same layout and in the next they have another, so that pairs are
 * of a layout, and the layouts are what is sampled.
 */
static bool run_footprint(struct work *work, const struct spinlock *spinlock,
			  const struct locking_settings *settings, struct error *err)
{
	struct locking_settings chosen = *settings;

	if (chosen.layouts && !written_code_round(&chosen.layout, err))
		return false;
	return spin_footprint_run(work, spinlock, &chosen, err);
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct locking_settings *settings = pointer;
	const struct spinlock *const *spinlock = spinlocks;
	struct locking locking;

	while (*spinlock != NULL && strcmp((*spinlock)->name, settings->lock) != 0)
		spinlock++;
	if (*spinlock == NULL)
		return refuse(work, settings->lock, err);
	if ((*spinlock)->absent != NULL)
		return error_set(err, ERROR_SYSTEM, "%s is not in this build: %s", settings->lock,
				 (*spinlock)->absent);
	if (settings->footprint_bytes != LOCKING_NO_FOOTPRINT)
		return run_footprint(work, *spinlock, settings, err);
	locking = (struct locking){ .name = (*spinlock)->name,
				    .bytes = (*spinlock)->bytes,
				    .fair = (*spinlock)->fair,
				    .excludes = (*spinlock)->excludes,
				    .init = (*spinlock)->init,
				    .lock = (*spinlock)->lock,
				    .unlock = (*spinlock)->unlock,
				    .loops = (*spinlock)->loops };
	return locking_run(work, &locking, settings, err);
}

static const struct locking_settings defaults = {
	.lock = "tas-inline", .tasks = 1, .footprint_bytes = LOCKING_NO_FOOTPRINT, .gap_bytes = 4096
};

static const struct option options[] = {
	LOCKING_OPTIONS,
	{ .kind = OPTION_COUNT,
	  .name = "footprint",
	  .value = "BYTES",
	  .help = "one thread that runs so much other code in a pass, with the lock in between; "
		  "0: one site again and again",
	  .offset = offsetof(struct locking_settings, footprint_bytes),
	  .maximum = 1 << 26 },
	{ .kind = OPTION_COUNT,
	  .name = "gap",
	  .value = "BYTES",
	  .help = "bytes of other code for each lock site (4096)",
	  .offset = offsetof(struct locking_settings, gap_bytes),
	  .minimum = 64,
	  .maximum = 1 << 20 },
	{ .kind = OPTION_COUNT,
	  .name = "layout",
	  .value = "SEED",
	  .help = "which of the random layouts of that code (0)",
	  .offset = offsetof(struct locking_settings, layout) },
	{ .kind = OPTION_FLAG,
	  .name = "layouts",
	  .help = "in each round of a comparison a layout of its own, the same for all variants",
	  .offset = offsetof(struct locking_settings, layouts) },
	WORK_OPTIONS(struct locking_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_spin = {
	.name = "spin",
	.summary = "a spinlock, alone, contended, or among other code",
	.operation = "lock, add 1 to a counter, unlock",
	.exercises = "the atomic operations and the caches; with --footprint the instruction cache "
		     "and the branch predictors. Figures: lock (ns an operation, of a team the "
		     "wall time of all) and lock-cycles; with several tasks hand-off (share of the "
		     "operations before which another thread was the holder) and fairness (least "
		     "share of a thread over the greatest), with --waits wait-p50, wait-p99 and "
		     "wait-max (ns until it was taken); with --footprint site (ns a lock site "
		     "with the other code that belongs to it) and site-cycles. A cycle is a third "
		     "of a step of a chain of multiplications, timed beside each batch",
	.verified = "the counter under the lock has the number of additions",
	.needs = "x86-64 for the figures in cycles and for --footprint",
	.examples = "# The fast path, inline and by calls\n"
		    "$ worth 'workload:spin --lock tas-inline' 'workload:spin --lock tas-cool'\n"
		    "# Two threads that want it\n"
		    "$ worth workload spin --lock ticket --tasks 2 --outside 100\n"
		    "# With 64 KiB of other code between, in another layout\n"
		    "$ worth workload spin --lock tas-outline --footprint 65536 --layout 3\n",
	.options = options,
	.settings_size = sizeof(struct locking_settings),
	.defaults = &defaults,
	.run = run,
};
