/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of runs. Each round is drawn from a generator of its own, seeded by
 * the plan's seed and the round's number, so that a round is the same whatever
 * was drawn before it. Permutations are uniform (Fisher-Yates); with two
 * subjects that is a fair coin, which is what makes the rank test exact
 * (docs/method.md).
 */
#include "measure/schedule.h"

#include "base/random.h"

enum { PADDING_BYTES = 4096 }; /* one page: the stack's start moves through all its offsets */

static void shuffle(struct random *random, struct slot *slots, size_t count)
{
	size_t i;

	for (i = count; i > 1; i--) {
		size_t other = random_below(random, i);
		uint32_t subject = slots[i - 1].subject;

		slots[i - 1].subject = slots[other].subject;
		slots[other].subject = subject;
	}
}

void schedule_round(const struct plan *plan, size_t round, bool warmup, struct slot *slots)
{
	struct random random = { random_mix(plan->seed ^
					    random_mix(2 * (uint64_t)round + warmup)) };
	size_t i;

	for (i = 0; i < plan->subject_count; i++)
		slots[i] = (struct slot){
			.round = (uint32_t)round,
			.position = (uint32_t)i,
			.subject = (uint32_t)i,
			.warmup = warmup,
		};
	if (plan->order == ORDER_RANDOM)
		shuffle(&random, slots, plan->subject_count);
	for (i = 0; i < plan->subject_count; i++) {
		uint64_t padding = random_below(&random, PADDING_BYTES);

		slots[i].padding_bytes = plan->environment_padding ? (uint32_t)padding : 0;
		slots[i].seed = random_next(&random);
	}
}

struct slot *schedule_make(struct arena *arena, const struct plan *plan, size_t *count)
{
	size_t rounds = plan_last_round(plan), round;
	struct slot *slots, *next;

	*count = (plan->warmup_rounds + rounds) * plan->subject_count;
	slots = arena_alloc(arena, *count, sizeof *slots);
	next = slots;
	for (round = 0; round < plan->warmup_rounds; round++, next += plan->subject_count)
		schedule_round(plan, round, true, next);
	for (round = 0; round < rounds; round++, next += plan->subject_count)
		schedule_round(plan, round, false, next);
	return slots;
}
