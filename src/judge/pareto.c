/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which variants are worth anything, by two metrics at once. All pairs of
 * variants are judged in both metrics as one family; a variant is dominated
 * only by what was shown, on the front only if nothing may still dominate it,
 * and else it cannot be told. What is within the margin counts as equal, as
 * everywhere. Only variants that are not dominated themselves are held against
 * a variant: whatever a dominated one dominates, its dominator does too.
 */
#include "judge/pareto.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "judge/answer.h"
#include "judge/lines.h"
#include "judge/duels.h"
#include "model/series.h"
#include "stats/order.h"

bool pareto_parse(struct arena *arena, const char *text, const char *names[2], struct error *err)
{
	const char *comma = strchr(text, ',');

	if (comma == NULL || comma == text || comma[1] == '\0' || strchr(comma + 1, ',') != NULL)
		return error_set(err, ERROR_USAGE,
				 "--pareto takes two metrics with a comma between them, as "
				 "text,wall; not '%s'",
				 text_clean(arena, text, strlen(text)));
	names[0] = arena_strndup(arena, text, (size_t)(comma - text));
	names[1] = comma + 1;
	if (strcmp(names[0], names[1]) == 0)
		return error_set(err, ERROR_USAGE, "--pareto takes two metrics, not '%s' twice",
				 text_clean(arena, names[1], strlen(names[1])));
	return true;
}

static bool is_equal(enum duel_answer answer)
{
	return answer == DUEL_EQUIVALENT || answer == DUEL_SAME;
}

static bool dominates(const struct duels *duels, size_t arm, size_t beside)
{
	enum duel_answer x = duels_answer(duels, 0, arm, beside);
	enum duel_answer y = duels_answer(duels, 1, arm, beside);

	return (x == DUEL_LOWER && (y == DUEL_LOWER || is_equal(y))) ||
	       (y == DUEL_LOWER && is_equal(x));
}

/* Nothing that was shown excludes that the other dominates it. */
static bool may_be_dominated(const struct duels *duels, size_t arm, size_t by)
{
	enum duel_answer x = duels_answer(duels, 0, arm, by);
	enum duel_answer y = duels_answer(duels, 1, arm, by);

	return x != DUEL_LOWER && y != DUEL_LOWER && !(is_equal(x) && is_equal(y));
}

/* Dominated ones first, since the others are held against those that are left. */
static void place_all(const struct duels *duels, struct front *front)
{
	size_t count = front->point_count, i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < count; j++)
			if (i != j && dominates(duels, j, i)) {
				front->points[i].place = PLACE_DOMINATED;
				front->points[i].others++;
			}
	for (i = 0; i < count; i++) {
		struct front_point *point = &front->points[i];
		bool named = false;

		for (j = 0; j < count; j++) {
			bool open = front->points[j].place != PLACE_DOMINATED;

			if (i == j)
				continue;
			if (point->place == PLACE_DOMINATED) {
				/* By one that is not dominated, if there is one. */
				if (dominates(duels, j, i) && (!named || open)) {
					if (!named ||
					    front->points[point->other].place == PLACE_DOMINATED)
						point->other = j;
					named = true;
				}
			} else if (open && may_be_dominated(duels, i, j)) {
				point->other = point->place == PLACE_UNTOLD ? point->other : j;
				point->place = PLACE_UNTOLD;
				point->others++;
			}
		}
	}
}

/* Against the first point, as it is shown. */
static void set_change(const struct duels *duels, size_t place, size_t arm,
		       struct front_point *point)
{
	const struct duel *duel;
	const struct contrast *contrast;
	bool turned;

	if (arm == 0) {
		point->change[place] = 0;
		point->change_low[place] = point->change_high[place] = NAN;
		return;
	}
	duel = duels_of(duels, place, 0, arm);
	contrast = &duel->contrast;
	turned = contrast->sign < 0;
	if (contrast->difference) {
		point->change[place] = point->change_low[place] = point->change_high[place] = NAN;
		return;
	}
	point->change[place] = contrast_shown(contrast, duel->cost.estimate);
	point->change_low[place] =
	    contrast_shown(contrast, turned ? duel->cost.high : duel->cost.low);
	point->change_high[place] =
	    contrast_shown(contrast, turned ? duel->cost.low : duel->cost.high);
}

static double median_of(struct judging *judging, size_t metric, size_t subject)
{
	struct series series =
	    series_make(judging->scratch, judging->recording, metric, subject, SIZE_MAX);

	return series.count > 0 ? order_median(series.values, series.count) : NAN;
}

static void add_front(struct judging *judging, const struct arms *arms, const size_t metrics[2])
{
	struct findings *findings = judging->findings;
	double alpha = judging->sequence.family_alpha;
	struct duels duels = duels_make(judging, arms, metrics, 2, alpha);
	struct front *front = array_push(judging->arena, findings->fronts, findings->front_count,
					 findings->front_capacity);
	size_t i, k;

	*front = (struct front){ .metrics = { metrics[0], metrics[1] },
				 .cells = arms->cells,
				 .level = alpha,
				 .point_count = arms->count };
	front->points = arena_alloc(judging->arena, arms->count, sizeof *front->points);
	for (i = 0; i < arms->count; i++) {
		struct front_point *point = &front->points[i];

		point->subject = arms->subjects[i * arms->cells];
		point->other = i;
		for (k = 0; k < 2; k++) {
			point->value[k] =
			    arms->cells > 1 ? NAN : median_of(judging, metrics[k], point->subject);
			set_change(&duels, k, i, point);
		}
	}
	place_all(&duels, front);
	for (i = 0; i < arms->count; i++)
		front->points[i].other = front->points[front->points[i].other].subject;
	for (i = 0; i < duels.count; i++)
		if (!duels.items[i].exact && duels.items[i].count > front->rounds)
			front->rounds = duels.items[i].count;
}

bool pareto_make(struct judging *judging, const char *text, struct error *err)
{
	struct arms *groups, together;
	const char *names[2];
	size_t metrics[2], count, i;

	if (!pareto_parse(judging->scratch, text, names, err) ||
	    !question_metric(judging, "--pareto", names[0], &metrics[0], err) ||
	    !question_metric(judging, "--pareto", names[1], &metrics[1], err))
		return false;
	count = lines_groups(judging, &groups);
	for (i = 0; i < count; i++)
		if (groups[i].count > PARETO_MOST)
			return error_set(err, ERROR_USAGE,
					 "--pareto compares each variant with each other one: at "
					 "most %d, not %zu",
					 (int)PARETO_MOST, groups[i].count);
	if (count > 1 && lines_together(judging, groups, count, &together))
		add_front(judging, &together, metrics);
	for (i = 0; i < count; i++)
		if (groups[i].count > 1)
			add_front(judging, &groups[i], metrics);
	return true;
}
