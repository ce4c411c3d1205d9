/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often the stopping rule sees a difference where there is none.
 *
 *	looks_simulation [EXPERIMENTS [SEED]]
 *
 * Whole experiments are simulated with the functions that judge real ones: looks
 * as planned, a Hodges-Lehmann interval at the level of the look, stop at the
 * first look that decides. Each line gives the share of experiments with a false
 * alarm, its 95 % Monte Carlo interval (Wilson 1927) and what it is claimed not
 * to exceed. Ends with status 1 where a claim is exceeded beyond doubt.
 */
#include "simulation.h"
#include "stats/location.h"
#include "stats/looks.h"
#include "stats/rank.h"

enum { PAIRS_MOST = 80, SUBJECTS_MOST = 4, SECONDARY_METRICS = 7 };

static const double confidence = 0.95;
static const double pair_deviation = 0.014; /* of a log ratio: runs that vary by 1 % */
static const double margin = 0.00995033085; /* ln 1.01 */
static const double no_margin = 0;	    /* never equivalent: the hardest case for the level */

/* --- the boundaries alone ------------------------------------------------- */

/* One experiment on the mean of normal values whose variance is known. */
static bool mean_alarms(struct random *random, const struct looks *looks)
{
	double sum = 0;
	size_t n = 0, k;

	for (k = 0; k < looks->count; k++) {
		for (; n < looks->items[k].n; n++)
			sum += normal(random);
		if (fabs(sum) > looks->items[k].z * sqrt((double)n))
			return true;
	}
	return false;
}

static void simulate_boundaries(struct tally *tally, size_t asked, size_t extended)
{
	struct looks looks = looks_plan(asked, extended, confidence, 1, true);
	double claim = extended > asked ? 0.05 - 0.01 * (double)asked / (double)extended : 0.04;
	int alarms = 0, i;
	char what[64];

	for (i = 0; i < tally->experiments; i++)
		alarms += mean_alarms(&tally->random, &looks);
	snprintf(what, sizeof what, "%zu pairs, extended to %zu", asked, extended);
	report(tally, what, alarms, claim);
}

/* --- one candidate --------------------------------------------------------- */

enum shape { SHAPE_NORMAL, SHAPE_SKEWED, SHAPE_STALLS, SHAPES };
static const char *const shape_names[SHAPES] = { "normal", "skewed", "one run in 20 stalls" };

/* The logarithm of one run's time. */
static double run(struct random *random, enum shape shape)
{
	double time = pair_deviation / M_SQRT2 * normal(random);

	if (shape == SHAPE_SKEWED)
		return log(1 + 0.01 * exp(normal(random)));
	if (shape == SHAPE_STALLS && random_unit(random) < 0.05)
		time += 2 * random_unit(random);
	return time;
}

enum decision { UNDECIDED, EQUIVALENT, DIFFERENT };

static enum decision decide(const struct interval *interval, double within)
{
	if (interval->low > -within && interval->high < within)
		return EQUIVALENT;
	return interval->low > 0 || interval->high < 0 ? DIFFERENT : UNDECIDED;
}

static enum decision experiment(struct random *random, const struct looks *looks, enum shape shape,
				double within)
{
	double d[PAIRS_MOST];
	size_t n = 0, k;

	for (k = 0; k < looks->count; k++) {
		struct interval interval;
		enum decision decision;

		for (; n < looks->items[k].n; n++)
			d[n] = run(random, shape) - run(random, shape);
		interval = location_paired(d, n, looks->items[k].alpha);
		decision = decide(&interval, within);
		if (decision != UNDECIDED)
			return decision;
	}
	return UNDECIDED;
}

static void simulate_candidate(struct tally *tally, size_t asked, enum shape shape, double within)
{
	struct looks looks = looks_plan(asked, asked, confidence, 1, true);
	int alarms = 0, i;
	char what[64];

	for (i = 0; i < tally->experiments; i++)
		alarms += experiment(&tally->random, &looks, shape, within) == DIFFERENT;
	snprintf(what, sizeof what, "%zu pairs, %s, %s", asked, shape_names[shape],
		 within > 0 ? "margin 1 %" : "no margin");
	report(tally, what, alarms, 0.04);
}

/* --- several candidates ---------------------------------------------------- */

/*
 * All candidates are compared with the same baseline runs, each at its share of
 * the alpha, until all are decided at the same look or the looks are used up.
 * any_look: some candidate was called different at any look made; otherwise only
 * what the last look says counts, which is what is printed.
 */
static bool family_alarms(struct random *random, const struct looks *looks, size_t candidates,
			  double within, bool *any_look)
{
	double d[SUBJECTS_MOST][PAIRS_MOST];
	bool last = false;
	size_t n = 0, k, c;

	*any_look = false;
	for (k = 0; k < looks->count; k++) {
		size_t decided = 0;

		last = false;
		for (; n < looks->items[k].n; n++) {
			double baseline = run(random, SHAPE_SKEWED);

			for (c = 0; c < candidates; c++)
				d[c][n] = run(random, SHAPE_SKEWED) - baseline;
		}
		for (c = 0; c < candidates; c++) {
			struct interval interval = location_paired(d[c], n, looks->items[k].alpha);
			enum decision decision = decide(&interval, within);

			decided += decision != UNDECIDED;
			last = last || decision == DIFFERENT;
		}
		*any_look = *any_look || last;
		if (decided == candidates)
			break;
	}
	return last;
}

static void simulate_family(struct tally *tally, size_t asked, size_t variants, double within)
{
	size_t candidates = variants - 1;
	struct looks looks = looks_plan(asked, asked, confidence, (double)candidates, true);
	int at_last = 0, at_any = 0, i;
	char what[64];

	for (i = 0; i < tally->experiments; i++) {
		bool any;

		at_last += family_alarms(&tally->random, &looks, candidates, within, &any);
		at_any += any;
	}
	snprintf(what, sizeof what, "%zu pairs, %zu variants, %s: at the last look", asked,
		 variants, within > 0 ? "margin 1 %" : "no margin");
	report(tally, what, at_last, 0.04);
	snprintf(what, sizeof what, "%zu pairs, %zu variants, %s: at any look", asked, variants,
		 within > 0 ? "margin 1 %" : "no margin");
	report(tally, what, at_any, 0.04);
}

/* --- secondary metrics ----------------------------------------------------- */

struct secondary {
	size_t asked;
	int metrics; /* how many secondary ones */
	double correlation;
	double effect; /* true difference of the primary */
	double within; /* margin of the primary */
	bool naive;    /* Holm from 5 % instead of from the level of the stopping look */
};

struct metrics {
	double primary[PAIRS_MOST];
	double secondary[SECONDARY_METRICS][PAIRS_MOST];
};

/* One more pair: secondary metrics without a difference, correlated with the primary one. */
static void metrics_add(struct metrics *metrics, struct random *random, size_t n,
			const struct secondary *setting)
{
	double own = sqrt(1 - setting->correlation * setting->correlation);
	double shared = normal(random);
	int j;

	metrics->primary[n] = setting->effect + pair_deviation * shared;
	for (j = 0; j < setting->metrics; j++)
		metrics->secondary[j][n] =
		    pair_deviation * (setting->correlation * shared + own * normal(random));
}

/* Holm's first step: some secondary metric is called different. */
static bool holm_alarms(const struct metrics *metrics, size_t n, int count, double level)
{
	int j;

	for (j = 0; j < count; j++)
		if (rank_signed_p(metrics->secondary[j], n) <= level / count)
			return true;
	return false;
}

/* The primary metric alone decides when to stop; then the secondary ones are judged. */
static bool secondary_alarms(struct random *random, const struct looks *looks,
			     const struct secondary *setting)
{
	enum decision decision = UNDECIDED;
	struct metrics metrics;
	size_t n = 0, k;

	for (k = 0; k < looks->count && decision == UNDECIDED; k++) {
		struct interval interval;

		for (; n < looks->items[k].n; n++)
			metrics_add(&metrics, random, n, setting);
		interval = location_paired(metrics.primary, n, looks->items[k].alpha);
		decision = decide(&interval, setting->within);
	}
	return holm_alarms(&metrics, n, setting->metrics,
			   setting->naive ? 1 - confidence : looks->items[k - 1].alpha);
}

static void simulate_secondary(struct tally *tally, struct secondary setting)
{
	struct looks looks = looks_plan(setting.asked, setting.asked, confidence, 1, true);
	double claim = 0;
	int alarms = 0, i;
	char what[64];
	size_t k;

	for (k = 0; k < looks.count; k++)
		claim += looks.items[k].alpha;
	for (i = 0; i < tally->experiments; i++)
		alarms += secondary_alarms(&tally->random, &looks, &setting);
	snprintf(what, sizeof what, "%zu pairs, %d secondary, r = %.1f, primary %+.1f %%%s",
		 setting.asked, setting.metrics, setting.correlation, 100 * setting.effect,
		 setting.within > 0 ? "" : ", no margin");
	report(tally, what, alarms, setting.naive ? 1 : claim);
}

/* --------------------------------------------------------------------------- */

static const size_t asked_pairs[] = { 20, 40, 80 };
enum { ASKED = sizeof asked_pairs / sizeof *asked_pairs };

static void simulate_one(struct tally *tally)
{
	int i, shape;

	printf("boundaries alone: mean of normal values with known variance\n");
	for (i = 0; i < ASKED; i++)
		simulate_boundaries(tally, asked_pairs[i], asked_pairs[i]);
	simulate_boundaries(tally, 80, 640);
	printf("one candidate: signed-rank intervals\n");
	for (i = 0; i < ASKED; i++)
		for (shape = 0; shape < SHAPES; shape++) {
			simulate_candidate(tally, asked_pairs[i], (enum shape)shape, no_margin);
			simulate_candidate(tally, asked_pairs[i], (enum shape)shape, margin);
		}
}

static void simulate_several(struct tally *tally)
{
	size_t variants;
	int i;

	printf("several candidates against one baseline, skewed\n");
	for (variants = 3; variants <= SUBJECTS_MOST; variants++)
		for (i = 0; i < ASKED; i++) {
			simulate_family(tally, asked_pairs[i], variants, no_margin);
			simulate_family(tally, asked_pairs[i], variants, margin);
		}
}

static void simulate_metrics(struct tally *tally)
{
	static const double correlations[] = { 0, 0.5, 0.9 };
	int i, c;

	printf("secondary metrics without a difference: Holm from the stopping look's level\n");
	for (c = 0; c < 3; c++) {
		double r = correlations[c];

		for (i = 0; i < ASKED; i++)
			simulate_secondary(tally,
					   (struct secondary){ asked_pairs[i], SECONDARY_METRICS, r,
							       0, margin, false });
		simulate_secondary(
		    tally, (struct secondary){ 80, SECONDARY_METRICS, r, 0.005, margin, false });
		simulate_secondary(
		    tally, (struct secondary){ 80, SECONDARY_METRICS, r, 0.01, margin, false });
		simulate_secondary(tally, (struct secondary){ 80, 1, r, 0, no_margin, false });
		simulate_secondary(tally, (struct secondary){ 80, 1, r, 0.005, no_margin, false });
	}
	printf("the same with Holm from 5 %% at the stopping look, which is not what is done\n");
	for (c = 0; c < 3; c++)
		simulate_secondary(
		    tally, (struct secondary){ 80, 1, correlations[c], 0, no_margin, true });
}

int main(int argc, char **argv)
{
	struct tally tally = tally_start(argc, argv);

	simulate_one(&tally);
	simulate_several(&tally);
	simulate_metrics(&tally);
	return tally.exceeded;
}
