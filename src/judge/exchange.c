/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One answer from several metrics at a stated rate: see exchange.h. */
#include "judge/exchange.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "judge/answer.h"
#include "judge/failures.h"
#include "judge/verdict.h"

static bool bad_rate(struct arena *arena, const char *text, struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "--worth: write what is worth as much as what, as '1%% wall = 2%% text'; "
			 "not '%s'",
			 text_clean(arena, text, strlen(text)));
}

static bool known_twice(const struct rate *rate, const char *name)
{
	size_t i;

	for (i = 0; i < rate->count; i++)
		if (strcmp(rate->names[i], name) == 0)
			return true;
	return false;
}

/* "2% max rss", blanks around. */
static bool parse_term(struct arena *arena, const char *term, size_t length, struct rate *rate)
{
	char *own = arena_strndup(arena, term, length), *end, *name;
	double percent = strtod(own, &end);

	if (end == own || !(percent > 0) || !(percent < 1000) || rate->count == RATE_MOST)
		return false;
	end += strspn(end, " \t");
	if (*end != '%')
		return false;
	name = end + 1 + strspn(end + 1, " \t");
	length = strlen(name);
	while (length > 0 && isspace((unsigned char)name[length - 1]))
		name[--length] = '\0';
	if (length == 0)
		return false;
	rate->shares[rate->count] = percent / 100;
	rate->names[rate->count] = name;
	return true;
}

bool exchange_parse(struct arena *arena, const char *text, struct rate *rate, struct error *err)
{
	const char *term = text;

	rate->count = 0;
	for (;;) {
		size_t length = strcspn(term, "=");

		if (!parse_term(arena, term, length, rate))
			return bad_rate(arena, text, err);
		if (known_twice(rate, rate->names[rate->count]))
			return error_set(err, ERROR_USAGE, "--worth: '%s' is there twice",
					 text_clean(arena, rate->names[rate->count],
						    strlen(rate->names[rate->count])));
		rate->count++;
		if (term[length] == '\0')
			break;
		term += length + 1;
	}
	return rate->count >= 2 || bad_rate(arena, text, err);
}

/* The metrics of the rate for one candidate. */
struct purse {
	struct contrast contrasts[RATE_MOST];
	double weights[RATE_MOST];
	bool exact[RATE_MOST];
	size_t count;
	double fixed; /* what the exact ones sum up to */
};

static bool fill_purse(struct judging *judging, const struct rate *rate, const size_t *metrics,
		       size_t candidate, struct purse *purse, struct error *err)
{
	const struct recording *recording = judging->recording;
	size_t i;

	*purse = (struct purse){ .count = rate->count };
	for (i = 0; i < rate->count; i++) {
		struct contrast *own = &purse->contrasts[i];

		*own = contrast_make(judging->scratch, recording, metrics[i], candidate,
				     judging->sequence.look.n);
		purse->weights[i] = log1p(rate->shares[0]) / log1p(rate->shares[i]);
		purse->exact[i] = verdict_is_exact(own, &recording->metrics[metrics[i]]);
		if (own->told || contrast_count(own) == 0 || own->difference)
			return error_set(
			    err, ERROR_USAGE, "--worth: '%s' of '%s' has no ratio to exchange",
			    text_clean(judging->scratch, rate->names[i], strlen(rate->names[i])),
			    judging_label(judging, candidate));
		if (!purse->exact[i] && !own->paired)
			return error_set(err, ERROR_USAGE,
					 "--worth adds up metrics of the same run, and these runs "
					 "are not paired: judge --paired says that they are");
		if (purse->exact[i])
			purse->fixed += purse->weights[i] * own->sign *
					log(own->candidate[0] / own->baseline[0]);
	}
	return true;
}

static double cost_in_round(const struct contrast *contrast, uint32_t round)
{
	size_t i;

	for (i = 0; i < contrast->baseline_count && contrast->rounds[i] <= round; i++)
		if (contrast->rounds[i] == round)
			return contrast->d[i];
	return NAN;
}

/* The contrast of the sums: that of the first metric which varies, with other pairs. NULL pairs
 * where all are exact. */
static struct contrast sum_up(struct judging *judging, const struct purse *purse)
{
	struct contrast sum = { .paired = true, .sign = 1 };
	size_t count = 0, first, i, k;
	uint32_t *rounds;
	double *d, guard = 0;

	for (first = 0; first < purse->count && purse->exact[first]; first++)
		continue;
	if (first == purse->count)
		return sum;
	sum = purse->contrasts[first];
	sum.sign = purse->contrasts[0].sign;
	d = arena_alloc(judging->scratch, sum.baseline_count, sizeof *d);
	rounds = arena_alloc(judging->scratch, sum.baseline_count, sizeof *rounds);
	for (i = 0; i < sum.baseline_count; i++) {
		double cost = purse->fixed;

		for (k = 0; k < purse->count; k++)
			if (!purse->exact[k])
				cost += purse->weights[k] *
					cost_in_round(&purse->contrasts[k], sum.rounds[i]);
		if (isnan(cost))
			continue;
		rounds[count] = sum.rounds[i];
		d[count++] = cost;
	}
	for (k = 0; k < purse->count; k++)
		if (!purse->exact[k])
			guard += purse->weights[k] * purse->contrasts[k].guard;
	sum.d = d;
	sum.rounds = rounds;
	sum.baseline_count = sum.candidate_count = count;
	sum.guard = guard;
	sum.constant = sum.dithered = false;
	return sum;
}

/* Nothing varies: the sum is as it is. */
static void set_exact(const struct purse *purse, struct comparison *comparison)
{
	double margin = log1p(comparison->margin_ratio);

	comparison->exact = true;
	comparison->change = comparison->change_low = comparison->change_high =
	    contrast_shown(&purse->contrasts[0], purse->fixed);
	comparison->verdict = purse->fixed == 0		    ? VERDICT_SAME
			      : fabs(purse->fixed) < margin ? VERDICT_EQUIVALENT
			      : purse->fixed < 0	    ? VERDICT_BETTER
							    : VERDICT_WORSE;
}

static void judge_purse(struct judging *judging, const struct purse *purse,
			struct comparison *comparison)
{
	struct contrast sum = sum_up(judging, purse);

	comparison->margin_ratio = purse->contrasts[0].margin_ratio;
	comparison->margin_given = purse->contrasts[0].margin_given;
	if (sum.d == NULL) {
		set_exact(purse, comparison);
	} else if (judging->sequence.look.n > 0 && sum.baseline_count > 0) {
		sum.margin = log1p(comparison->margin_ratio);
		sum.margin_ratio = comparison->margin_ratio;
		comparison->paired = true;
		comparison->pairs = sum.baseline_count;
		verdict_measured(&sum, &judging->sequence, BETTER_LOWER,
				 judging->sequence.look.alpha, comparison);
	}
	if (failures_invalidate(judging->recording, comparison->candidate))
		comparison->verdict = VERDICT_INVALID;
}

static bool add_candidate(struct judging *judging, const struct rate *rate, const size_t *metrics,
			  size_t candidate, struct exchanged *exchanged, struct error *err)
{
	struct purse purse;

	if (!fill_purse(judging, rate, metrics, candidate, &purse, err))
		return false;
	exchanged->metrics = rate->count;
	exchanged->comparison = (struct comparison){ .metric = metrics[0],
						     .candidate = candidate,
						     .change = NAN,
						     .change_low = -INFINITY,
						     .change_high = INFINITY,
						     .level = NAN,
						     .verdict = VERDICT_UNDECIDED };
	judge_purse(judging, &purse, &exchanged->comparison);
	return true;
}

/* "max rss" and "max-rss" are one. */
static bool is_new(struct judging *judging, const struct rate *rate, const size_t *metrics,
		   size_t term, struct error *err)
{
	size_t i;

	for (i = 0; i < term; i++)
		if (metrics[i] == metrics[term])
			return error_set(err, ERROR_USAGE, "--worth: '%s' is there twice",
					 text_clean(judging->scratch, rate->names[term],
						    strlen(rate->names[term])));
	return true;
}

bool exchange_make(struct judging *judging, const char *text, struct error *err)
{
	const struct plan *plan = &judging->recording->plan;
	struct exchanged *exchanged =
	    arena_alloc(judging->arena, plan->subject_count, sizeof *exchanged);
	size_t metrics[RATE_MOST], count = 0, i;
	struct rate rate;

	if (!exchange_parse(judging->scratch, text, &rate, err))
		return false;
	for (i = 0; i < rate.count; i++)
		if (!question_metric(judging, "--worth", rate.names[i], &metrics[i], err) ||
		    !is_new(judging, &rate, metrics, i, err))
			return false;
	if (plan_candidate_count(plan) == 0)
		return error_set(
		    err, ERROR_USAGE,
		    "--worth weighs a candidate against a baseline: give two commands");
	for (i = 0; i < plan->subject_count; i++)
		if (judging_is_candidate(judging->recording, i) &&
		    !add_candidate(judging, &rate, metrics, i, &exchanged[count++], err))
			return false;
	judging->findings->exchanged = exchanged;
	judging->findings->exchanged_count = count;
	judging->findings->rate = text_clean(judging->arena, text, strlen(text));
	return true;
}
