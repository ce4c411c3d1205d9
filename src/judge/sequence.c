/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The looks of a recording (method.md 3.6). The plan fixes them before the
 * first run; afterwards only two things change the row: the budget may cut it,
 * and the user may extend it. Neither depends on the results, which is why the
 * levels stay valid.
 */
#include "judge/sequence.h"

#include <math.h>

double sequence_share(const struct recording *recording)
{
	size_t candidates = plan_candidate_count(&recording->plan);

	return candidates > 1 ? (double)candidates : 1;
}

/* Unpaired figures have one look, at everything there is. */
static bool has_looks(const struct recording *recording)
{
	return recording->order_known && recording->plan.peek && recording->plan.rounds > 0;
}

/* The rounds that alpha is spent over: those asked for, or those where the clock cut the plan
 * before the user extended it. */
static size_t rounds_asked(const struct recording *recording)
{
	const struct plan *plan = &recording->plan;

	if (recording->extension_count > 0 && recording->extension_bases[0] > 0 &&
	    recording->extension_bases[0] < plan->rounds)
		return recording->extension_bases[0];
	return plan->rounds;
}

/* The next point after n at which an extended plan looks: doublings of the asked rounds, the end
 * of the extension, and wherever the clock cut an earlier extension. */
static size_t next_extension(const struct recording *recording, size_t asked, size_t n)
{
	size_t last = plan_last_round(&recording->plan);
	size_t next = 2 * asked, i;

	while (next <= n)
		next *= 2;
	if (last > n && last < next)
		next = last;
	for (i = 0; i < recording->extension_count; i++)
		if (recording->extension_bases[i] > n && recording->extension_bases[i] < next)
			next = recording->extension_bases[i];
	return next;
}

static void extend(const struct recording *recording, size_t asked, double share,
		   struct looks *looks)
{
	size_t last = plan_last_round(&recording->plan);
	size_t n = next_extension(recording, asked, asked);

	while (looks->peek && looks->count < LOOKS_MAXIMUM && n <= last) {
		*looks = looks_extend_at(looks, asked, n, recording->plan.confidence, share);
		n = next_extension(recording, asked, n);
	}
}

/* The clock stopped the session at n: looks before n stay, and there is a last one. */
static void cut_at(const struct recording *recording, size_t asked, double share, size_t n,
		   struct looks *looks)
{
	double confidence = recording->plan.confidence;

	if (n == 0 || n == asked)
		return;
	if (n < asked) {
		*looks = looks_truncate(looks, n, confidence, share);
		return;
	}
	while (looks->count > 0 && looks->items[looks->count - 1].n >= n)
		looks->count--;
	*looks = looks_extend_at(looks, asked, n, confidence, share);
}

/* share divides all levels. */
static struct looks looks_of(const struct recording *recording, double share)
{
	const struct plan *plan = &recording->plan;
	size_t asked = rounds_asked(recording);
	struct looks looks = looks_plan(plan->rounds, 0, plan->confidence, share, plan->peek);

	if (asked < plan->rounds)
		looks = looks_truncate(&looks, asked, plan->confidence, share);
	extend(recording, asked, share, &looks);
	if (recording->end == END_BUDGET && recording->rounds_done < plan_last_round(plan))
		cut_at(recording, asked, share, recording->rounds_done, &looks);
	return looks;
}

/* The last look that the rounds reached. */
static struct stats_look last_reached(const struct looks *looks, size_t rounds)
{
	struct stats_look look = { 0 };
	size_t i;

	for (i = 0; i < looks->count && looks->items[i].n <= rounds; i++)
		look = looks->items[i];
	return look;
}

/* One look at everything: figures whose order is not known. */
static void judge_all_at_once(const struct recording *recording, struct sequence *sequence)
{
	size_t n = recording->rounds_done > 0 ? recording->rounds_done : 1;
	double confidence = recording->plan.confidence;

	sequence->looks = looks_plan(n, 0, confidence, sequence_share(recording), false);
	sequence->look = sequence->looks.items[0];
	sequence->family_alpha = 1 - confidence;
	sequence->rounds_done = n;
}

/* z of the last planned look still ahead, else of the next extension (method.md 3.9). */
static double z_ahead(const struct recording *recording, const struct sequence *sequence)
{
	struct looks looks = sequence->looks;
	size_t n = sequence->look.n;

	if (looks.count > 0 && looks.items[looks.count - 1].n > n)
		return looks.items[looks.count - 1].z;
	looks =
	    looks_extend_at(&looks, sequence->asked, next_extension(recording, sequence->asked, n),
			    recording->plan.confidence, sequence_share(recording));
	return looks.items[looks.count - 1].z;
}

/* The level that all other metrics start from: that of the look, not shared (method.md 3.10). */
static double unshared_alpha(const struct recording *recording, struct stats_look look)
{
	struct looks looks;
	struct stats_look whole;

	if (sequence_share(recording) == 1)
		return look.alpha;
	looks = looks_of(recording, 1);
	whole = last_reached(&looks, look.n);
	return whole.n == look.n ? whole.alpha : look.alpha;
}

struct sequence sequence_make(const struct recording *recording)
{
	struct sequence sequence = { .asked = rounds_asked(recording),
				     .rounds_done = recording->rounds_done,
				     .peek = has_looks(recording),
				     .z_next = NAN };

	/* Figures of other origin come without a plan. */
	if (!recording->order_known || recording->plan.rounds == 0) {
		judge_all_at_once(recording, &sequence);
		return sequence;
	}
	sequence.looks = looks_of(recording, sequence_share(recording));
	sequence.look = last_reached(&sequence.looks, recording->rounds_done);
	if (sequence.look.n == 0)
		return sequence;
	/* A cut plan goes on from where it was cut, should the user extend it. */
	if (recording->end == END_BUDGET && recording->rounds_done < sequence.asked)
		sequence.asked = recording->rounds_done;
	sequence.family_alpha = unshared_alpha(recording, sequence.look);
	if (sequence.peek)
		sequence.z_next = z_ahead(recording, &sequence);
	return sequence;
}

/* Whether any plan might look at n: only there are boundaries worth computing. */
static bool is_round_of_a_look(const struct recording *recording, size_t n)
{
	size_t asked = rounds_asked(recording);
	size_t i;

	for (i = 0; i < LOOKS_MAXIMUM; i++)
		if (n == (size_t)floor(10 * pow(2, (double)i / 2) + 0.5))
			return true;
	return n == asked || (n > asked && n == next_extension(recording, asked, n - 1));
}

struct stats_look sequence_look_at(const struct recording *recording, size_t rounds_done)
{
	struct looks looks;
	size_t i;

	if (!recording->order_known || recording->plan.rounds == 0 || rounds_done == 0 ||
	    !is_round_of_a_look(recording, rounds_done))
		return (struct stats_look){ 0 };
	looks = looks_of(recording, sequence_share(recording));
	for (i = 0; i < looks.count; i++)
		if (looks.items[i].n == rounds_done)
			return looks.items[i];
	return (struct stats_look){ 0 };
}

size_t sequence_raise(const struct sequence *sequence, size_t n)
{
	size_t extension = sequence->asked, i;

	if (!sequence->peek || sequence->asked == 0)
		return n;
	for (i = 0; i < sequence->looks.count; i++)
		if (sequence->looks.items[i].n >= n)
			return sequence->looks.items[i].n;
	while (extension < n && extension <= SIZE_MAX / 2)
		extension *= 2;
	return extension;
}
