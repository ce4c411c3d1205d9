/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of verdicts on a difference that is not one number.
 *
 *	drift_simulation [EXPERIMENTS [SEED]]
 *
 * Experiments of 80 pairs whose true difference changes from pair to pair,
 * judged once at the end at 5 % (no looks before it: those at 10 and 14 pairs
 * check for no drift), by three rules: the interval of all pairs whatever the
 * checks of docs/method.md 3.8 say; no verdict where they fire; and the interval
 * that spans every part, which is the rule. An alarm is wrong where the mean
 * true difference of some quarter of the pairs has the other sign, or is none.
 * Ends with status 1 where a claim is exceeded beyond doubt.
 */
#include "judge/contrast.h"
#include "simulation.h"

#define MARGIN 0.00995033085 /* ln 1.01 */

enum { PAIRS = 80, QUARTERS = 4 };
static const double level = 0.05;
static const double deviation = 0.014; /* of a pair's log ratio */

/* The true log ratio of each pair. */
struct effect {
	const char *name;
	double first, last; /* on a line between them */
	double wander;	    /* deviation of a slow wandering (AR) around it */
	double memory;	    /* correlation of the wandering from a pair to the next */
	bool steps;	    /* the first half has first, the second last */
	double within;	    /* margin; 0: nothing is equivalent, the hardest case */
};

static const struct effect effects[] = {
	{ "none, no margin", 0, 0, 0, 0, false, 0 },
	{ "wanders around 0 (AR 0.9)", 0, 0, 0.014, 0.9, false, MARGIN },
	{ "wanders slowly around 0 (AR 0.98)", 0, 0, 0.014, 0.98, false, MARGIN },
	{ "from -2.5 % to +2.5 %", -0.025, 0.025, 0, 0, false, MARGIN },
	{ "first half -3 %, then +0.5 %", -0.03, 0.005, 0, 0, true, MARGIN },
	{ "wanders around -3 % (AR 0.9)", -0.03, -0.03, 0.014, 0.9, false, MARGIN },
	{ "from -8 % to -3 %", -0.08, -0.03, 0, 0, false, MARGIN },
	{ "from -88 % to -84 %", -2.12, -1.83, 0, 0, false, MARGIN },
	{ "from -0.2 % to +0.2 %", -0.002, 0.002, 0, 0, false, MARGIN },
};

enum rule { RULE_UNCHECKED, RULE_WITHDRAWN, RULE_PARTS, RULES };
static const char *const rule_names[RULES] = { "unchecked", "withdrawn", "every part" };

struct experiment {
	double truth[PAIRS];
	double d[PAIRS];
};

static void draw(struct random *random, const struct effect *effect, struct experiment *experiment)
{
	double wander = effect->wander * normal(random);
	double fresh = effect->wander * sqrt(1 - effect->memory * effect->memory);
	int i;

	for (i = 0; i < PAIRS; i++) {
		double way = effect->steps ? i >= PAIRS / 2 : i / (PAIRS - 1.0);

		experiment->truth[i] =
		    effect->first + way * (effect->last - effect->first) + wander;
		experiment->d[i] = experiment->truth[i] + deviation * normal(random);
		wander = effect->memory * wander + fresh * normal(random);
	}
}

/* Whether the true difference of every quarter has this sign. */
static bool holds(const struct experiment *experiment, int sign)
{
	int quarter, i;

	for (quarter = 0; quarter < QUARTERS; quarter++) {
		double sum = 0;

		for (i = 0; i < PAIRS / QUARTERS; i++)
			sum += experiment->truth[quarter * PAIRS / QUARTERS + i];
		if (sign * sum <= 0)
			return false;
	}
	return true;
}

static struct interval judged(const struct experiment *experiment, enum rule rule)
{
	static const double none[PAIRS];
	static const uint32_t rounds[PAIRS];
	static const bool first[PAIRS];
	struct contrast contrast = { .paired = true,
				     .baseline_count = PAIRS,
				     .candidate_count = PAIRS,
				     .baseline = none,
				     .candidate = none,
				     .rounds = rounds,
				     .baseline_first = first,
				     .d = experiment->d };

	if (rule == RULE_UNCHECKED || !contrast_unstable(&contrast))
		return contrast_interval(&contrast, level);
	if (rule == RULE_PARTS)
		return contrast_interval_throughout(&contrast, level);
	return (struct interval){ .low = -INFINITY, .high = INFINITY };
}

static void simulate(struct tally *tally, const struct effect *effect)
{
	int different[RULES] = { 0 }, equivalent[RULES] = { 0 }, wrong[RULES] = { 0 }, i;
	struct experiment experiment;
	enum rule rule;
	char what[64];

	for (i = 0; i < tally->experiments; i++) {
		draw(&tally->random, effect, &experiment);
		for (rule = 0; rule < RULES; rule++) {
			struct interval interval = judged(&experiment, rule);

			if (interval.low > -effect->within && interval.high < effect->within) {
				equivalent[rule]++;
			} else if (interval.low > 0 || interval.high < 0) {
				different[rule]++;
				wrong[rule] += !holds(&experiment, interval.low > 0 ? 1 : -1);
			}
		}
	}
	printf("%s\n", effect->name);
	for (rule = 0; rule < RULES; rule++) {
		snprintf(what, sizeof what, "%s: equivalent", rule_names[rule]);
		report(tally, what, equivalent[rule], 1);
		snprintf(what, sizeof what, "%s: different", rule_names[rule]);
		report(tally, what, different[rule], 1);
		snprintf(what, sizeof what, "%s: different, and not in some quarter",
			 rule_names[rule]);
		report(tally, what, wrong[rule], rule == RULE_PARTS ? level : 1);
	}
}

int main(int argc, char **argv)
{
	struct tally tally = tally_start(argc, argv);
	size_t i;

	for (i = 0; i < sizeof effects / sizeof *effects; i++)
		simulate(&tally, &effects[i]);
	return tally.exceeded;
}
