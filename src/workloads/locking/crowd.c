/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lock that more threads want than there are CPUs: see parts.h. */
#include <math.h>

#include "workloads/clock.h"
#include "workloads/cycles.h"
#include "workloads/locking/parts.h"

enum { CROWD_WINDOWS = 5, CROWD_SHARE = 16 };

/* Long beside the slices of a scheduler, or nobody would be preempted in it. */
#define CROWD_WINDOW_NS INT64_C(150000000)

bool locking_crowd_member(struct team *team, size_t index, void *context, struct error *err)
{
	struct place *place = context;
	struct seat *seat = &place->seats[index];
	uint64_t share = place->locking->fair ? 1 : CROWD_SHARE;

	(void)team;
	(void)err;
	if (place->waits != NULL)
		return locking_wait_member(place, index);
	for (seat->done = 0; clock_ns() < place->end_ns; seat->done += share)
		place->locking->loops.contend(place->lock, &seat->hold, place->contest, place->work,
					      share);
	return true;
}

static void report_crowd(struct work *work, const struct place *place, double each_ns,
			 double cycle_ns)
{
	uint64_t least = UINT64_MAX, most = 1;
	size_t i;

	for (i = 0; i < place->count; i++) {
		uint64_t done = place->seats[i].done;

		least = done < least ? done : least;
		most = done > most ? done : most;
	}
	report_value(work->report, "lock", each_ns, "ns", REPORT_LOWER);
	if (!isnan(cycle_ns))
		report_value(work->report, "lock-cycles", each_ns / cycle_ns, "cycles",
			     REPORT_LOWER);
	report_value(work->report, "fairness", (double)least / (double)most, "-", REPORT_HIGHER);
}

/* One window; how many operations were in it. */
static uint64_t crowd_window(struct work *work, struct place *place, struct team *team)
{
	double cycle_ns = cycles_length_ns();
	uint64_t before = place->contest->counter, hand_offs = place->contest->hand_offs, done;
	int64_t elapsed_ns;

	place->end_ns = clock_ns() + CROWD_WINDOW_NS;
	elapsed_ns = team_batch(team, 0);
	done = place->contest->counter - before;
	if (done == 0)
		return 0;
	report_crowd(work, place, (double)elapsed_ns / (double)done, cycle_ns);
	report_value(work->report, "hand-off",
		     (double)(place->contest->hand_offs - hand_offs) / (double)done, "-",
		     REPORT_HIGHER);
	return done;
}

uint64_t locking_seats_done(const struct place *place)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < place->count; i++)
		sum += place->seats[i].done;
	return sum;
}

bool locking_run_crowd(struct work *work, struct place *place, struct team *team, struct error *err)
{
	int64_t end_ns = clock_ns() + work->settings->time_ns;
	uint64_t done = 0, counted = 0;
	int windows = 0;
	bool more;

	do {
		done += crowd_window(work, place, team);
		counted += locking_seats_done(place);
		windows++;
		more = work->is_default		     ? windows < CROWD_WINDOWS
		       : work->settings->time_ns > 0 ? clock_ns() < end_ns
						     : done < work->operations;
	} while (more);
	counted += locking_waits(work, place, team, CROWD_WINDOW_NS);
	return locking_check_counter(place, counted, err);
}
