/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_LOCKING_PARTS_H
#define WORKLOADS_LOCKING_PARTS_H

#include "workloads/latency.h"
#include "workloads/locking/locking.h"
#include "workloads/team.h"

/* What the files locking*.c share. */
enum { LOCK_BYTES = 40 };

/*
 * A lock and what it protects on one line, as kernels lay them out on purpose,
 * for who takes the lock wants the data next; and the data on a line of their
 * own, for --apart. Which it is moves the figures by several cycles.
 */
struct place {
	_Alignas(SPECIMEN_APART) unsigned char lock[LOCK_BYTES];
	struct lock_contest beside;
	_Alignas(SPECIMEN_APART) struct lock_contest apart;
	_Alignas(SPECIMEN_APART) struct lock_contest *contest; /* one of the two */
	struct lock_work work;
	const struct locking *locking;
	struct seat *seats;
	size_t count;	/* of seats */
	int64_t end_ns; /* of a window of fixed time */
	bool wants_waits;
	struct latency *waits; /* one a seat, while they are timed; NULL: they are not */
};

_Static_assert(LOCK_BYTES + sizeof(struct lock_contest) <= 64, "a lock and its data share a line");

struct seat {
	_Alignas(SPECIMEN_APART) struct lock_hold hold;
	uint64_t done; /* operations in a window of fixed time */
};

/* Whether the counter under the lock has the number of additions. */
bool locking_check_counter(const struct place *place, uint64_t done, struct error *err);

/*
 * crowd.c: more threads than CPUs. An operation takes anything from nanoseconds to the
 * slices of a scheduler, so the time is fixed and the operations are counted.
 */
bool locking_crowd_member(struct team *team, size_t index, void *context, struct error *err);
bool locking_run_crowd(struct work *work, struct place *place, struct team *team,
		       struct error *err);
/* Operations of all seats in the last window. */
uint64_t locking_seats_done(const struct place *place);

/*
 * waits.c: how long each taking of the lock takes, in a window of its own after all others,
 * for to time it takes time; nothing where that was not asked for. Returns the operations.
 */
uint64_t locking_waits(struct work *work, struct place *place, struct team *team,
		       int64_t window_ns);
bool locking_wait_member(struct place *place, size_t index);

#endif
