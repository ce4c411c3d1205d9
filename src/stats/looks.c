/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Planned looks and their levels: see looks.h.
 *
 * Under "no effect" the standardised estimate at n pairs behaves like S(n) /
 * sqrt(n), S a Brownian motion. A look stops the experiment if |S(n)| exceeds
 * z sqrt(n); z is chosen so that the chance of stopping at this look or before
 * is what may be spent by n. The density of S over the experiments that went on
 * is carried from look to look as values on a grid:
 *
 *	g_k(s) = integral of g_(k-1)(u) phi((s - u) / sd) / sd du,  |u| <= z_(k-1) sqrt(n_(k-1))
 *
 * with sd^2 = n_k - n_(k-1). It is symmetric, so the half s >= 0 is kept, each
 * grid value standing for u and -u; the Simpson weights of the half are those of
 * the whole.
 */
#include "stats/looks.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <assert.h>
#include <math.h>

#include "base/arena.h"

enum { HALF_INTERVALS_LEAST = 200 }; /* 400 over the whole range */

/* A look nearer to the last one than this share of all pairs is not worth its alpha. */
static const double last_gap = 0.15;

/* The experiments that have not stopped yet. */
struct walk {
	struct arena *arena;
	size_t n;	   /* pairs at the last look; 0 before the first */
	double spent;	   /* chance of having stopped by then */
	double bound;	   /* |S| <= bound at the last look */
	size_t intervals;  /* of the grid over 0..bound */
	double *densities; /* g(i * bound / intervals) */
};

/* Weight of the i-th grid point in an integral over S: density times Simpson's weight. */
static double walk_weight(const struct walk *walk, size_t i)
{
	double step = walk->bound / (double)walk->intervals;
	double weight = i == 0 || i == walk->intervals ? 1 : i % 2 == 1 ? 4 : 2;

	return weight * step / 3 * walk->densities[i];
}

static double walk_point(const struct walk *walk, size_t i)
{
	return walk->bound * (double)i / (double)walk->intervals;
}

static double normal_upper(double x)
{
	return 0.5 * erfc(x * M_SQRT1_2);
}

/* Chance that an experiment has not stopped yet and has |S| > bound after n pairs. */
static double walk_exit(const struct walk *walk, size_t n, double bound)
{
	double deviation, exit = 0;
	size_t i;

	if (walk->n == 0)
		return 2 * normal_upper(bound / sqrt((double)n));
	deviation = sqrt((double)(n - walk->n));
	for (i = 0; i <= walk->intervals; i++) {
		double u = walk_point(walk, i);

		exit +=
		    walk_weight(walk, i) * 2 *
		    (normal_upper((bound - u) / deviation) + normal_upper((bound + u) / deviation));
	}
	return exit;
}

/* Logarithm of the chance of exit over the wanted one; finite where hardly any can exit. */
static double walk_excess(const struct walk *walk, size_t n, double z, double chance)
{
	return log(fmax(walk_exit(walk, n, z * sqrt((double)n)), 1e-300) / chance);
}

/*
 * The z at which the chance of stopping at n pairs, and not before, is `chance`.
 * The logarithm of that chance is nearly a line in z^2, so regula falsi in the
 * Illinois form finds it in a few steps, inside a bracket: more experiments
 * would exceed z if none had stopped before.
 */
static double walk_solve(const struct walk *walk, size_t n, double chance)
{
	double low = 0, high = qnorm(chance / 2, 0, 1, 1, 0), square, at;
	double at_low = walk_excess(walk, n, 0, chance), at_high;
	int side = 0, i;

	assert(chance > 0);
	if (at_low <= 0)
		return 0;
	square = high = high * high;
	at = at_high = walk_excess(walk, n, sqrt(high), chance);
	for (i = 0; i < 100 && fabs(at) > 1e-13 && high - low > 1e-14; i++) {
		square = (low * at_high - high * at_low) / (at_high - at_low);
		at = walk_excess(walk, n, sqrt(square), chance);
		if (at > 0) {
			low = square;
			at_low = at;
			at_high = side > 0 ? at_high / 2 : at_high;
			side = 1;
		} else {
			high = square;
			at_high = at;
			at_low = side < 0 ? at_low / 2 : at_low;
			side = -1;
		}
	}
	return sqrt(square);
}

static double bell(double x)
{
	return exp(-x * x / 2);
}

/* The density of S after n pairs at s. */
static double walk_density(const struct walk *walk, size_t n, double s)
{
	double deviation, sum = 0;
	size_t i;

	if (walk->n == 0)
		return bell(s / sqrt((double)n)) * M_1_SQRT_2PI / sqrt((double)n);
	deviation = sqrt((double)(n - walk->n));
	for (i = 0; i <= walk->intervals; i++) {
		double u = walk_point(walk, i);
		double near = (s - u) / deviation, far = (s + u) / deviation;

		sum += walk_weight(walk, i) * (bell(near) + bell(far));
	}
	return sum * M_1_SQRT_2PI / deviation;
}

/*
 * Moves the walk to a look at n with boundary z. The next look, at next pairs,
 * sets how fine the grid must be: two looks close together (one planned, one
 * forced by the clock) leave a narrow step between them.
 */
static void walk_advance(struct walk *walk, size_t n, double z, size_t next)
{
	struct walk moved = { .arena = walk->arena, .n = n, .bound = z * sqrt((double)n) };
	double coarsest = sqrt((double)(next - n)) / 2;
	size_t i;

	moved.spent = walk->spent + walk_exit(walk, n, moved.bound);
	moved.intervals = HALF_INTERVALS_LEAST;
	while (moved.bound / (double)moved.intervals > coarsest)
		moved.intervals *= 2;
	moved.densities = arena_alloc(walk->arena, moved.intervals + 1, sizeof *moved.densities);
	for (i = 0; i <= moved.intervals; i++)
		moved.densities[i] = walk_density(walk, n, walk_point(&moved, i));
	*walk = moved;
}

/* Whether a look can stop an experiment: signs that all agree have the least p that n pairs give,
 * 2^(1-n). */
static bool look_decides(const struct stats_look *look)
{
	return ldexp(1, 1 - (int)(look->n < 1000 ? look->n : 1000)) < look->alpha;
}

/* Takes the looks that the walk has not passed yet into it, now that the one after them is known.
 * Those that decide nothing leave it as it is. */
static void walk_follow(struct walk *walk, const struct looks *looks, size_t next)
{
	size_t i;

	for (i = 0; i < looks->count; i++) {
		const struct stats_look *look = &looks->items[i];

		if (look->n > walk->n && look_decides(look))
			walk_advance(walk, look->n, look->z,
				     i + 1 < looks->count ? looks->items[i + 1].n : next);
	}
}

/* Adds a look that brings the chance spent up to `spent`, unless it could not decide anything;
 * keep adds it even then. */
static void looks_add(struct looks *looks, struct walk *walk, size_t n, double spent, bool keep)
{
	struct stats_look look = { .n = n };

	walk_follow(walk, looks, n);
	look.z = walk_solve(walk, n, spent - walk->spent);
	look.alpha = 2 * normal_upper(look.z);
	if (keep || look_decides(&look))
		looks->items[looks->count++] = look;
}

/* What may be spent over the asked pairs, and what is kept for extensions. */
static double spend_asked(double confidence, double share)
{
	return 0.8 * (1 - confidence) / share;
}

static double spend_kept(double confidence, double share)
{
	return 0.2 * (1 - confidence) / share;
}

/* What may be spent by n pairs of a plan over asked < n. */
static double spend_beyond(size_t asked, size_t n, double confidence, double share)
{
	return spend_asked(confidence, share) +
	       spend_kept(confidence, share) * (1 - (double)asked / (double)n);
}

/* Looks at twice, four times, ... the asked pairs. */
static void looks_add_extensions(struct looks *looks, struct walk *walk, size_t asked,
				 size_t extended, double confidence, double share)
{
	size_t n;

	for (n = 2 * asked; n <= extended && looks->count < LOOKS_MAXIMUM; n *= 2)
		looks_add(looks, walk, n, spend_beyond(asked, n, confidence, share), true);
}

/* The single look of an experiment without peeking. */
static struct looks looks_single(size_t n, double confidence, double share)
{
	double alpha = (1 - confidence) / share;
	struct looks looks = { .count = 1, .peek = false };

	looks.items[0] = (struct stats_look){
		.n = n,
		.alpha = alpha,
		.z = -qnorm(alpha / 2, 0, 1, 1, 0),
	};
	return looks;
}

static void check_arguments(size_t n, double confidence, double share)
{
	assert(n >= 1 && n <= 1000000000);
	assert(confidence > 0 && confidence < 1 && share >= 1);
}

struct looks looks_plan(size_t asked, size_t extended, double confidence, double share, bool peek)
{
	struct walk walk = { .arena = NULL };
	struct looks looks = { .peek = true };
	double spend = spend_asked(confidence, share);
	int k;

	check_arguments(asked, confidence, share);
	if (!peek)
		return looks_single(asked, confidence, share);
	walk.arena = arena_open();
	for (k = 0; k < LOOKS_MAXIMUM; k++) {
		size_t n = (size_t)round(10 * exp2(k / 2.0));

		if ((double)asked - (double)n < last_gap * (double)asked)
			break;
		looks_add(&looks, &walk, n, spend * (double)n / (double)asked, false);
	}
	looks_add(&looks, &walk, asked, spend, true);
	looks_add_extensions(&looks, &walk, asked, extended, confidence, share);
	arena_close(walk.arena);
	return looks;
}

struct looks looks_truncate(const struct looks *planned, size_t n, double confidence, double share)
{
	struct walk walk = { .arena = NULL };
	struct looks looks = { .peek = true };

	check_arguments(n, confidence, share);
	if (!planned->peek)
		return looks_single(n, confidence, share);
	while (looks.count < planned->count && planned->items[looks.count].n < n) {
		looks.items[looks.count] = planned->items[looks.count];
		looks.count++;
	}
	assert(looks.count < planned->count); /* or there is nothing to cut */
	walk.arena = arena_open();
	looks_add(&looks, &walk, n, spend_asked(confidence, share), true);
	arena_close(walk.arena);
	return looks;
}

struct looks looks_extend(const struct looks *made, size_t extended, double confidence,
			  double share)
{
	struct looks looks = *made;
	struct walk walk = { .arena = NULL };

	assert(made->count > 0);
	check_arguments(made->items[made->count - 1].n, confidence, share);
	if (!made->peek)
		return looks;
	walk.arena = arena_open();
	looks_add_extensions(&looks, &walk, made->items[made->count - 1].n, extended, confidence,
			     share);
	arena_close(walk.arena);
	return looks;
}

struct looks looks_extend_at(const struct looks *made, size_t asked, size_t n, double confidence,
			     double share)
{
	struct looks looks = *made;
	struct walk walk = { .arena = NULL };

	assert(n > asked && (made->count == 0 || n > made->items[made->count - 1].n));
	check_arguments(asked, confidence, share);
	if (!made->peek || made->count == LOOKS_MAXIMUM)
		return looks;
	walk.arena = arena_open();
	looks_add(&looks, &walk, n, spend_beyond(asked, n, confidence, share), true);
	arena_close(walk.arena);
	return looks;
}
