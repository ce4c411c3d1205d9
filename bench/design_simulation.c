/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What goes wrong without the rules of docs/method.md: false differences between
 * a program and itself.
 *
 *	design_simulation [EXPERIMENTS [SEED]]
 *
 * Drifting run times in three orders of runs, looking after every pair, several
 * metrics each at 5 %, readings of a coarse clock; and how often the checks for an
 * unstable effect fire where there is none.
 */
#include "simulation.h"
#include "stats/location.h"
#include "stats/order.h"
#include "stats/rank.h"
#include "stats/tests.h"
#include "stats/ticks.h"

enum { PAIRS = 30, PAIRS_MOST = 80, METRICS = 8 };
static const double level = 0.05;
static const double deviation = 0.01; /* of one run's logarithm */

/* --- the order of runs ------------------------------------------------------ */

enum drift { DRIFT_NONE, DRIFT_SLOW, DRIFT_LINEAR, DRIFTS };
static const char *const drift_names[DRIFTS] = { "none", "slow (AR 0.9)", "steady, 5 % in all" };

/* The logarithms of 2 * PAIRS runs of one program, one after the other. */
static void run_series(struct random *random, enum drift drift, double *x)
{
	double wander = normal(random);
	int i;

	for (i = 0; i < 2 * PAIRS; i++) {
		/* As wide as the noise of single runs in the long run. */
		wander = 0.9 * wander + sqrt(1 - 0.81) * normal(random);
		x[i] = deviation * normal(random);
		if (drift == DRIFT_SLOW)
			x[i] += deviation * wander;
		if (drift == DRIFT_LINEAR)
			x[i] += 0.05 * i / (2 * PAIRS);
	}
}

/* All of one side, then all of the other: rank sum. */
static bool blocked_alarms(const double *x)
{
	return rank_sum_p(x, PAIRS, x + PAIRS, PAIRS) <= level;
}

/* In pairs, the baseline first always or as a coin has it: signed rank. */
static bool paired_alarms(struct random *random, const double *x, bool coin)
{
	double d[PAIRS];
	int i;

	for (i = 0; i < PAIRS; i++) {
		bool turned = coin && random_below(random, 2) == 1;

		d[i] = turned ? x[2 * i] - x[2 * i + 1] : x[2 * i + 1] - x[2 * i];
	}
	return rank_signed_p(d, PAIRS) <= level;
}

static void simulate_order(struct tally *tally, enum drift drift)
{
	int blocked = 0, fixed = 0, random = 0, i;
	char what[64];

	for (i = 0; i < tally->experiments; i++) {
		double x[2 * PAIRS];

		run_series(&tally->random, drift, x);
		blocked += blocked_alarms(x);
		fixed += paired_alarms(&tally->random, x, false);
		random += paired_alarms(&tally->random, x, true);
	}
	snprintf(what, sizeof what, "drift %s: one side after the other", drift_names[drift]);
	report(tally, what, blocked, 1);
	snprintf(what, sizeof what, "drift %s: pairs, baseline first", drift_names[drift]);
	report(tally, what, fixed, 1);
	snprintf(what, sizeof what, "drift %s: pairs in random order", drift_names[drift]);
	report(tally, what, random, level);
}

/* --- looking too often, at too much ------------------------------------------ */

static bool peeking_alarms(struct random *random)
{
	double d[PAIRS_MOST];
	size_t n;

	for (n = 0; n < PAIRS_MOST; n++) {
		d[n] = normal(random);
		if (n + 1 >= 6 && rank_signed_p(d, n + 1) <= level)
			return true;
	}
	return false;
}

/* Metrics that share half of their variance; Holm's first step decides whether any differs. */
static void metrics_alarms(struct random *random, int *each, int *holm)
{
	double d[METRICS][PAIRS], least = 1;
	int i, j;

	for (i = 0; i < PAIRS; i++) {
		double shared = normal(random);

		for (j = 0; j < METRICS; j++)
			d[j][i] = (shared + normal(random)) * M_SQRT1_2;
	}
	for (j = 0; j < METRICS; j++)
		least = fmin(least, rank_signed_p(d[j], PAIRS));
	*each += least <= level;
	*holm += least <= level / METRICS;
}

static void simulate_looking(struct tally *tally)
{
	int peeking = 0, each = 0, holm = 0, i;

	for (i = 0; i < tally->experiments; i++) {
		peeking += peeking_alarms(&tally->random);
		metrics_alarms(&tally->random, &each, &holm);
	}
	printf("looking too often, and at too much\n");
	report(tally, "5 % after every pair, from 6 to 80", peeking, 1);
	report(tally, "8 metrics (r = 0.5), each at 5 %: any", each, 1);
	report(tally, "8 metrics (r = 0.5), Holm: any", holm, level);
}

/* --- coarse clocks ------------------------------------------------------------ */

/* Readings of a clock that steps by q, of runs of about 25 steps that vary by noise. */
static void read_clock(struct random *random, double *x, double mean, double noise)
{
	int i;

	for (i = 0; i < PAIRS_MOST; i++)
		x[i] = round(mean + noise * normal(random));
}

static struct interval of_readings(const double *a, const double *b)
{
	double d[PAIRS_MOST];
	int i;

	for (i = 0; i < PAIRS_MOST; i++)
		d[i] = log(b[i] / a[i]);
	return location_paired(d, PAIRS_MOST, level);
}

/* A true difference of 1 %, called equivalent within 1 %. */
static void simulate_clock(struct tally *tally, double noise)
{
	const double margin = log1p(0.01);
	int plain = 0, guarded = 0, i;
	char what[64];

	for (i = 0; i < tally->experiments; i++) {
		double a[PAIRS_MOST], b[PAIRS_MOST], mean = 25 + random_unit(&tally->random);
		double guard;
		struct interval interval;

		read_clock(&tally->random, a, mean, noise);
		read_clock(&tally->random, b, 1.01 * mean, noise);
		interval = of_readings(a, b);
		plain += interval.low > -margin && interval.high < margin;
		guard = ticks_guard(a, PAIRS_MOST, b, PAIRS_MOST, 1);
		if (ticks_any_equal(a, PAIRS_MOST, b, PAIRS_MOST)) {
			ticks_dither(a, PAIRS_MOST, 1, random_next(&tally->random), 0);
			ticks_dither(b, PAIRS_MOST, 1, random_next(&tally->random), 1);
		}
		interval = of_readings(a, b);
		guarded += interval.low - guard > -margin && interval.high + guard < margin;
	}
	snprintf(what, sizeof what, "noise %.2f steps: readings as they are", noise);
	report(tally, what, plain, 1);
	snprintf(what, sizeof what, "noise %.2f steps: spread, and guarded", noise);
	report(tally, what, guarded, level / 2);
}

/* --- checks for an unstable effect --------------------------------------------- */

static void simulate_stability(struct tally *tally)
{
	int withdrawn = 0, i;

	for (i = 0; i < tally->experiments; i++) {
		double d[PAIRS], index[PAIRS];
		int j;

		for (j = 0; j < PAIRS; j++) {
			d[j] = normal(&tally->random);
			index[j] = j;
		}
		withdrawn += test_bartels_p(d, PAIRS) < 0.01 ||
			     test_spearman_p(index, d, PAIRS, NULL) < 0.01;
	}
	printf("stable effects called unstable\n");
	report(tally, "Bartels or trend, 30 pairs", withdrawn, 0.02);
}

int main(int argc, char **argv)
{
	static const double noises[] = { 0.02, 0.25, 0.5, 1 };
	struct tally tally = tally_start(argc, argv);
	int i;

	printf("a program against itself, 30 runs a side, called different at 5 %%\n");
	for (i = 0; i < DRIFTS; i++)
		simulate_order(&tally, (enum drift)i);
	simulate_looking(&tally);
	printf("a true 1 %% on a clock of 4 %% steps, called equivalent within 1 %%, 80 pairs\n");
	for (i = 0; i < 4; i++)
		simulate_clock(&tally, noises[i]);
	simulate_stability(&tally);
	return tally.exceeded;
}
