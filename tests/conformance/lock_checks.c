/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of spinlocks and mutexes: see lock_checks.h. */
#include "lock_checks.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "steps.h"

enum { UPS = 10, ROUNDS = 5000, ROUNDS_SANITIZED = 500, NESTED_LOCKS = 3 };

/* In the bss of a check's own process. */
struct ground {
	_Alignas(SPECIMEN_APART) unsigned char locks[NESTED_LOCKS][LOCK_SPACE];
	struct lock_thread threads[LOCK_CREW];
	const struct lock_functions *functions;
	uint64_t rounds;
	volatile uint64_t counter; /* plain on purpose: the lock is what protects it */
	volatile int inside;
	uint64_t acquisitions;	/* of the two that hold in turn */
	_Atomic uint64_t limit; /* what they may reach while the third waits; 0: it does not wait */
	_Atomic uint64_t shown; /* the same, for the third */
};

static uint64_t rounds_of(const struct trial *trial, const struct lock_functions *functions)
{
	bool sanitized = conformance_is_thread_sanitized() || conformance_is_address_sanitized();

	return trial->size * (sanitized || functions->no_seams ? ROUNDS_SANITIZED : ROUNDS);
}

static size_t crew_of(const struct lock_functions *functions)
{
	return functions->no_seams && crew_cpus() < LOCK_CREW ? crew_cpus() : LOCK_CREW;
}

static void ground_init(struct ground *ground, const struct trial *trial,
			const struct lock_functions *functions)
{
	size_t i;

	lock_threads_init(ground->threads, LOCK_CREW);
	for (i = 0; i < NESTED_LOCKS; i++)
		functions->init(ground->locks[i]);
	ground->functions = functions;
	ground->rounds = rounds_of(trial, functions);
}

static void sleep_for(uint64_t ns)
{
	struct timespec time = { .tv_nsec = (long)ns };

	nanosleep(&time, NULL);
}

/* Mostly nothing, sometimes a yield, rarely long enough for all others to queue up. */
static void hold_on(struct random *random)
{
	uint64_t lot = random_below(random, 1000);

	if (lot == 0)
		sleep_for(200000);
	else if (lot < 250)
		sched_yield();
}

static void take(const struct ground *ground, void *lock, struct lock_hold *hold,
		 struct random *random)
{
	if (ground->functions->trylock != NULL && random_below(random, 3) == 0)
		while (!ground->functions->trylock(lock, hold))
			specimen_pause();
	else
		ground->functions->lock(lock, hold);
}

static void move_counter(struct ground *ground, int by)
{
	int i;

	for (i = 0; i < UPS; i++)
		ground->counter = ground->counter + (uint64_t)by;
}

static void exclude(struct crewman *crewman)
{
	struct ground *ground = crewman->context;
	struct lock_hold hold = { .thread = &ground->threads[crewman->index] };
	uint64_t round, expected;
	int section;

	for (round = 0; round < ground->rounds && !crew_stopped(crewman); round++) {
		for (section = 0; section < 2; section++) {
			take(ground, ground->locks[0], &hold, &crewman->random);
			if (ground->inside != 0)
				crew_fail(crewman, "two threads were inside the lock");
			ground->inside = 1;
			expected = ground->counter + (section == 0 ? UPS : (uint64_t)-UPS);
			move_counter(ground, section == 0 ? 1 : -1);
			hold_on(&crewman->random);
			if (ground->counter != expected)
				crew_fail(crewman, "the counter changed under the lock");
			ground->inside = 0;
			ground->functions->unlock(ground->locks[0], &hold);
			crew_progress(crewman);
		}
	}
}

bool lock_check_exclusion(struct trial *trial, const struct lock_functions *functions)
{
	static struct ground ground;

	ground_init(&ground, trial, functions);
	if (!crew_run(trial, crew_of(functions), exclude, &ground))
		return false;
	if (ground.counter == 0)
		return true;
	strcpy(trial->why, "the counter is not 0 after all");
	return false;
}

/* The first thread holds and releases, the second tries, in turns given by a flag. */
static void try_in_turn(struct crewman *crewman)
{
	struct ground *ground = crewman->context;
	struct lock_hold hold = { .thread = &ground->threads[crewman->index] };
	void *lock = ground->locks[0];
	uint64_t round;

	for (round = 0; round < 50 * 4 && !crew_stopped(crewman); round++) {
		while (atomic_load(&ground->shown) < round && !crew_stopped(crewman))
			sched_yield();
		if (round % 4 == 0 && crewman->index == 0)
			ground->functions->lock(lock, &hold);
		if (round % 4 == 1 && crewman->index == 1 &&
		    ground->functions->trylock(lock, &hold))
			crew_fail(crewman, "trylock took a lock that was held");
		if (round % 4 == 2 && crewman->index == 0)
			ground->functions->unlock(lock, &hold);
		if (round % 4 == 3 && crewman->index == 1) {
			if (!ground->functions->trylock(lock, &hold))
				crew_fail(crewman, "trylock refused a lock that was free");
			else
				ground->functions->unlock(lock, &hold);
		}
		if (crewman->index == round % 2)
			atomic_store(&ground->shown, round + 1);
		else
			while (atomic_load(&ground->shown) <= round && !crew_stopped(crewman))
				sched_yield();
		crew_progress(crewman);
	}
}

bool lock_check_trylock(struct trial *trial, const struct lock_functions *functions)
{
	static struct ground ground;

	ground_init(&ground, trial, functions);
	return crew_run(trial, 2, try_in_turn, &ground);
}

/*
 * The two that hold do so for 30 us, so that the lock is nearly never free; the
 * third looks every 200 us. A lock in order of arrival is kept for it; of any
 * other it would have to find one of the moments between.
 */
enum { HOLD_NS = 30000, LOOK_NS = 200000, TURNS = 120, WITHIN = 10, BOUND = 64, ENDLESS = 2000 };

static void spend(uint64_t ns)
{
	struct timespec now, start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((uint64_t)((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec) <
	       ns);
}

static void hold_in_turn(struct crewman *crewman, struct ground *ground, struct lock_hold *hold)
{
	uint64_t limit;

	steps_enter(NULL, 0);
	while (!crew_stopped(crewman)) {
		ground->functions->lock(ground->locks[0], hold);
		atomic_store_explicit(&ground->shown, ++ground->acquisitions, memory_order_relaxed);
		limit = atomic_load_explicit(&ground->limit, memory_order_relaxed);
		if (limit != 0 && ground->acquisitions > limit)
			crew_fail(crewman, "one waited while others took the lock %d times",
				  (int)ENDLESS);
		spend(HOLD_NS);
		ground->functions->unlock(ground->locks[0], hold);
		crew_progress(crewman);
	}
}

static void wait_seldom(struct crewman *crewman, struct ground *ground, struct lock_hold *hold)
{
	static const struct step_plan seldom = { .sleep_in = 1,
						 .sleep_ns = LOOK_NS,
						 .pause_ns = LOOK_NS };
	uint64_t turn, before, others, within = 0;

	for (turn = 0; turn < TURNS && within < WITHIN && !crew_stopped(crewman); turn++) {
		sleep_for(100000);
		before = atomic_load_explicit(&ground->shown, memory_order_relaxed);
		steps_enter(&seldom, turn);
		atomic_store_explicit(&ground->limit, before + ENDLESS, memory_order_relaxed);
		ground->functions->lock(ground->locks[0], hold);
		atomic_store_explicit(&ground->limit, 0, memory_order_relaxed);
		others = ground->acquisitions - before;
		ground->functions->unlock(ground->locks[0], hold);
		within += others <= BOUND;
	}
	/* A preemption before the thread has queued up is not the lock's fault, and where others
	 * compute too, most turns can have one; without an order hardly any turn is within. */
	if (within < WITHIN)
		crew_fail(crewman,
			  "others took the lock more than %d times while one waited, in %d of %d "
			  "turns",
			  (int)BOUND, (int)(turn - within), (int)turn);
	crew_stop(crewman);
}

static void starve(struct crewman *crewman)
{
	struct ground *ground = crewman->context;
	struct lock_hold hold = { .thread = &ground->threads[crewman->index] };

	if (crewman->index == 0)
		wait_seldom(crewman, ground, &hold);
	else
		hold_in_turn(crewman, ground, &hold);
}

bool lock_check_starvation(struct trial *trial, const struct lock_functions *functions)
{
	static struct ground ground;

	ground_init(&ground, trial, functions);
	return crew_run(trial, 3, starve, &ground);
}

static void hunt(struct crewman *crewman)
{
	struct ground *ground = crewman->context;
	struct lock_hold hold = { .thread = &ground->threads[crewman->index] };
	uint64_t round;

	for (round = 0; round < ground->rounds && !crew_stopped(crewman); round++) {
		ground->functions->lock(ground->locks[0], &hold);
		ground->counter = ground->counter + 1;
		if (random_below(&crewman->random, 4) == 0)
			sched_yield();
		ground->functions->unlock(ground->locks[0], &hold);
		crew_progress(crewman);
		if (random_below(&crewman->random, 16) == 0)
			sleep_for(random_below(&crewman->random, 20000));
	}
}

bool lock_check_lost_wake(struct trial *trial, const struct lock_functions *functions)
{
	static struct ground ground;

	ground_init(&ground, trial, functions);
	if (!crew_run(trial, crew_of(functions), hunt, &ground))
		return false;
	if (ground.counter == crew_of(functions) * ground.rounds)
		return true;
	strcpy(trial->why, "additions under the lock were lost");
	return false;
}

static void nest(struct crewman *crewman)
{
	struct ground *ground = crewman->context;
	struct lock_hold holds[NESTED_LOCKS];
	uint64_t round;
	size_t i, first;

	for (i = 0; i < NESTED_LOCKS; i++)
		holds[i].thread = &ground->threads[crewman->index];
	for (round = 0; round < ground->rounds / 4 && !crew_stopped(crewman); round++) {
		for (i = 0; i < NESTED_LOCKS; i++)
			ground->functions->lock(ground->locks[i], &holds[i]);
		if (ground->inside != 0)
			crew_fail(crewman, "two threads were inside three locks");
		ground->inside = 1;
		hold_on(&crewman->random);
		ground->inside = 0;
		/* From any of them on, around. */
		first = (size_t)random_below(&crewman->random, NESTED_LOCKS);
		for (i = 0; i < NESTED_LOCKS; i++)
			ground->functions->unlock(ground->locks[(first + i) % NESTED_LOCKS],
						  &holds[(first + i) % NESTED_LOCKS]);
		crew_progress(crewman);
	}
}

bool lock_check_nesting(struct trial *trial, const struct lock_functions *functions)
{
	static struct ground ground;

	ground_init(&ground, trial, functions);
	return crew_run(trial, crew_of(functions), nest, &ground);
}
