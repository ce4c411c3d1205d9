/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places are numbers from 0 to levels - 1, of which the whole part is a level: see crossing.h. */
#include "stats/crossing.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "base/arena.h"
#include "stats/location.h"

/* Looks between two levels, and halvings of what lies between two looks. */
enum { LOOKS = 8, HALVINGS = 20 };

struct curve {
	const double *x, *d;
	size_t levels, rounds;
	double alpha;
	double *sample; /* of one place */
};

static struct interval interval_at(const struct curve *curve, double place)
{
	size_t level = (size_t)place, i;
	const double *left, *right;
	double share;

	if (level > curve->levels - 2)
		level = curve->levels - 2;
	share = place - (double)level;
	left = curve->d + level * curve->rounds;
	right = left + curve->rounds;
	for (i = 0; i < curve->rounds; i++)
		curve->sample[i] = (1 - share) * left[i] + share * right[i];
	return location_paired(curve->sample, curve->rounds, curve->alpha);
}

/* The sign that is shown there. */
static int sign_at(const struct curve *curve, double place)
{
	struct interval interval = interval_at(curve, place);

	return (interval.low > 0) - (interval.high < 0);
}

static int estimate_sign_at(const struct curve *curve, double place)
{
	double estimate = interval_at(curve, place).estimate;

	return (estimate > 0) - (estimate < 0);
}

/* Between two places of which only the first has that sign: where it ends. */
static double edge(const struct curve *curve, int (*sign_of)(const struct curve *, double),
		   int sign, double from, double to)
{
	int i;

	for (i = 0; i < HALVINGS; i++) {
		double middle = (from + to) / 2;

		if (sign_of(curve, middle) == sign)
			from = middle;
		else
			to = middle;
	}
	return (from + to) / 2;
}

static double x_at(const struct curve *curve, double place)
{
	size_t level = (size_t)place;
	double low, high, share;

	if (level > curve->levels - 2)
		level = curve->levels - 2;
	low = curve->x[level];
	high = curve->x[level + 1];
	share = place - (double)level;
	return low > 0 ? low * pow(high / low, share) : low + share * (high - low);
}

/* Where the estimate changes sign between two places, first of all as the part does. */
static double estimate_between(const struct curve *curve, double from, double to, int before)
{
	double found = NAN, step = (to - from) / LOOKS, last = from;
	int sign = estimate_sign_at(curve, from), i;

	for (i = 1; i <= LOOKS; i++) {
		double next = i == LOOKS ? to : from + i * step;
		int there = estimate_sign_at(curve, next);

		if (there != sign && (isnan(found) || sign == before)) {
			found = x_at(curve, edge(curve, estimate_sign_at, sign, last, next));
			if (before == 0 || sign == before)
				return found;
		}
		sign = there;
		last = next;
	}
	return found;
}

/* The set is walked through from place to place. */
struct walk {
	const struct curve *curve;
	struct crossing_part *parts;
	size_t count, most;
	double place, opened; /* where the part that is open begins */
	int sign, before;     /* here, and before that part */
};

static void open_part(struct walk *walk, double place)
{
	walk->opened = place;
	walk->before = walk->sign;
	walk->sign = 0;
}

static void close_part(struct walk *walk, double place, int after)
{
	double end = (double)(walk->curve->levels - 1);

	if (walk->count < walk->most)
		walk->parts[walk->count++] = (struct crossing_part){
			.low = walk->before == 0 ? -INFINITY : x_at(walk->curve, walk->opened),
			.high = after == 0 ? INFINITY : x_at(walk->curve, place),
			.estimate = estimate_between(walk->curve, walk->opened,
						     after == 0 ? end : place, walk->before),
			.before = walk->before,
			.after = after,
		};
	walk->sign = after;
}

static void walk_to(struct walk *walk, double place)
{
	int sign = sign_at(walk->curve, place);
	double from = walk->place;

	if (sign != walk->sign && walk->sign != 0) {
		from = edge(walk->curve, sign_at, walk->sign, from, place);
		open_part(walk, from);
	}
	if (sign != 0 && walk->sign == 0)
		close_part(walk, edge(walk->curve, sign_at, sign, place, from), sign);
	walk->place = place;
}

size_t crossing_parts(const double *x, const double *d, size_t levels, size_t rounds, double alpha,
		      struct crossing_part *parts, size_t most, int *first)
{
	struct curve curve = { x, d, levels, rounds, alpha, NULL };
	struct walk walk = { .curve = &curve, .parts = parts, .most = most };
	struct arena *arena = arena_open();
	size_t level, i;

	assert(levels >= 2 && rounds >= 1);
	curve.sample = arena_alloc(arena, rounds, sizeof *curve.sample);
	*first = walk.sign = sign_at(&curve, 0);
	for (level = 1; level < levels; level++) {
		bool goes_on = walk.sign != 0 && sign_at(&curve, (double)level) == walk.sign;

		for (i = goes_on ? LOOKS : 1; i <= LOOKS; i++)
			walk_to(&walk, (double)(level - 1) + (double)i / LOOKS);
	}
	if (walk.sign == 0)
		close_part(&walk, (double)(levels - 1), 0);
	arena_close(arena);
	return walk.count;
}
