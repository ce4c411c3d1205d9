/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for a lock, each timed by itself: the quantiles are over all takings of
 * all threads, so a thread that starves shows in the greatest and not in the
 * middle. A wait has the reading of a clock in it, about 25 ns.
 */
#include "workloads/clock.h"
#include "workloads/locking/parts.h"

bool locking_wait_member(struct place *place, size_t index)
{
	const struct locking *locking = place->locking;
	struct seat *seat = &place->seats[index];
	struct lock_contest *contest = place->contest;
	uint64_t value = (uint64_t)index | 1;
	int64_t before_ns, after_ns;

	seat->done = 0;
	do {
		before_ns = clock_ns();
		locking->lock(place->lock, &seat->hold);
		after_ns = clock_ns();
		contest->counter++;
		value = lock_multiply(value, place->work.inside);
		locking->unlock(place->lock, &seat->hold);
		latency_add(&place->waits[index], after_ns - before_ns);
		value = lock_multiply(value, place->work.outside);
		seat->done++;
	} while (after_ns < place->end_ns);
	return true;
}

static void report_waits(struct work *work, const struct latency *all)
{
	static const struct {
		const char *name;
		double share;
	} quantiles[] = { { "wait-p50", 0.5 }, { "wait-p99", 0.99 } };
	size_t i;

	for (i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
		report_value(work->report, quantiles[i].name,
			     latency_quantile(all, quantiles[i].share), "ns", REPORT_LOWER);
	report_value(work->report, "wait-max", (double)all->greatest_ns, "ns", REPORT_LOWER);
}

uint64_t locking_waits(struct work *work, struct place *place, struct team *team, int64_t window_ns)
{
	struct latency *all;
	size_t i;

	if (!place->wants_waits)
		return 0;
	place->waits = arena_alloc(work->arena, place->count + 1, sizeof *place->waits);
	place->end_ns = clock_ns() + window_ns;
	team_batch(team, 0);
	all = &place->waits[place->count];
	for (i = 0; i < place->count; i++)
		latency_merge(all, &place->waits[i]);
	place->waits = NULL;
	report_waits(work, all);
	return locking_seats_done(place);
}
