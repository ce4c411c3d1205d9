/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Change points of a series: see change_points.h. */
#include "stats/change_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"

/* A part of the series without a known change, and its best split. */
struct segment {
	size_t begin, end, split;
	double distance;
};

struct search {
	const double *values;
	double *shuffled;
	struct segment *segments;
	size_t count, segment_count;
	const struct change_settings *settings;
	struct random random;
};

static double *doubles(size_t count)
{
	double *items = calloc(count > 0 ? count : 1, sizeof *items);

	if (items == NULL)
		arena_out_of_memory();
	return items;
}

/*
 * Sums of |x_i - x_j| grow value by value: behind[k] over all before k, and
 * left_of[k] over those before the split. Of a split t and an end k, between
 * is the sum across, within[0] left of it and within[1] right of it.
 */
struct sums {
	double *behind, *left_of;
};

static double distance_of(double between, double left, double right, double n, double m)
{
	return 2 / (n + m) * (between - m * left / (n - 1) - n * right / (m - 1));
}

/* The best end for the split at t. */
static double best_end(const struct sums *sums, size_t t, size_t count, size_t least, double left)
{
	double between = 0, right = 0, best = -1;
	size_t k;

	for (k = t; k < count; k++) {
		between += sums->left_of[k];
		right += sums->behind[k] - sums->left_of[k];
		if (k + 1 - t >= least) {
			double distance =
			    distance_of(between, left, right, (double)t, (double)(k + 1 - t));

			best = fmax(best, distance);
		}
	}
	return best;
}

static double split_with(const struct sums *sums, const double *values, size_t count, size_t least,
			 size_t *split)
{
	double left = 0, best = -1;
	size_t t, k;

	for (k = 0; k < count; k++) {
		sums->behind[k] = sums->left_of[k] = 0;
		for (t = 0; t < k; t++)
			sums->behind[k] += fabs(values[t] - values[k]);
	}
	for (t = 1; t + least <= count; t++) {
		double distance;

		left += sums->behind[t - 1];
		for (k = t; k < count; k++)
			sums->left_of[k] += fabs(values[t - 1] - values[k]);
		if (t < least)
			continue;
		distance = best_end(sums, t, count, least, left);
		if (distance > best) {
			best = distance;
			*split = t;
		}
	}
	return best;
}

double change_points_split(const double *values, size_t count, size_t least, size_t *split)
{
	struct sums sums = { doubles(count), doubles(count) };
	double best = split_with(&sums, values, count, least < 2 ? 2 : least, split);

	free(sums.behind);
	free(sums.left_of);
	return best;
}

static void find_split(const struct search *search, struct segment *segment)
{
	segment->split = 0;
	segment->distance =
	    change_points_split(search->values + segment->begin, segment->end - segment->begin,
				search->settings->least, &segment->split);
	segment->split += segment->begin;
}

static struct segment *farthest(const struct search *search)
{
	struct segment *best = &search->segments[0];
	size_t i;

	for (i = 1; i < search->segment_count; i++)
		if (search->segments[i].distance > best->distance)
			best = &search->segments[i];
	return best;
}

static void shuffle(struct random *random, double *values, size_t count)
{
	size_t i;

	for (i = count; i > 1; i--) {
		size_t other = (size_t)random_below(random, i);
		double value = values[i - 1];

		values[i - 1] = values[other];
		values[other] = value;
	}
}

/* The largest distance of a series whose segments were shuffled. */
static double shuffled_distance(struct search *search)
{
	double best = -1;
	size_t i, split;

	memcpy(search->shuffled, search->values, search->count * sizeof *search->values);
	for (i = 0; i < search->segment_count; i++) {
		const struct segment *segment = &search->segments[i];
		double *values = search->shuffled + segment->begin;
		size_t count = segment->end - segment->begin;

		shuffle(&search->random, values, count);
		best =
		    fmax(best, change_points_split(values, count, search->settings->least, &split));
	}
	return best;
}

/* The share of shuffled series, the true one counted in, that are as far apart. Beyond the level
 * its exact value is of no use: NAN. */
static double probability(struct search *search, double distance)
{
	unsigned total = search->settings->permutations + 1, as_far = 1, i;

	for (i = 1; i < total; i++) {
		as_far += shuffled_distance(search) >= distance;
		if (as_far > search->settings->level * total)
			return NAN;
	}
	return (double)as_far / total;
}

static void divide(struct search *search, struct segment *segment)
{
	struct segment *right = &search->segments[search->segment_count++];

	*right = (struct segment){ .begin = segment->split, .end = segment->end };
	segment->end = segment->split;
	find_split(search, right);
	find_split(search, segment);
}

static int by_index(const void *first, const void *second)
{
	size_t a = ((const struct change_point *)first)->index;
	size_t b = ((const struct change_point *)second)->index;

	return (a > b) - (a < b);
}

size_t change_points_find(const double *values, size_t count,
			  const struct change_settings *settings, struct change_point *points)
{
	struct search search = { .values = values,
				 .count = count,
				 .settings = settings,
				 .random = { .state = settings->seed } };
	size_t found = 0;

	search.shuffled = doubles(count);
	search.segments = calloc(count + 1, sizeof *search.segments);
	if (search.segments == NULL)
		arena_out_of_memory();
	search.segments[0] = (struct segment){ .begin = 0, .end = count };
	search.segment_count = 1;
	find_split(&search, &search.segments[0]);
	for (;;) {
		struct segment *segment = farthest(&search);
		double p =
		    segment->distance > 0 ? probability(&search, segment->distance) : (double)NAN;

		if (isnan(p))
			break;
		points[found++] = (struct change_point){ segment->split, p };
		divide(&search, segment);
	}
	qsort(points, found, sizeof *points, by_index);
	free(search.segments);
	free(search.shuffled);
	return found;
}
