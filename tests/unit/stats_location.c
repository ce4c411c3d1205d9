/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hodges-Lehmann estimates and intervals: a worked case, symmetries, and selection by brute force.
 */
#include <math.h>

#include "stats/location.h"
#include "unit.h"

#include "stats/rank.h"

static bool near(double got, double wanted, double tolerance)
{
	return fabs(got - wanted) <= tolerance;
}

static void ten_pairs_come_out_as_worked_by_hand(void **state)
{
	static const double ratios[] = { 1.003, 1.001,	.998,	1.002,	1.004,
					 .999,	1.0015, 1.0005, 1.0022, 1.0031 };
	double d[10];
	struct interval interval;
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++)
		d[i] = log(ratios[i]);
	interval = location_paired(d, 10, 0.05);
	assert_true(near(rank_signed_p(d, 10), .064453125, 0));
	assert_true(near(interval.estimate, .00149887612, 5e-12));
	assert_true(near(interval.low, -5.000003e-07, 5e-14));
	assert_true(near(interval.high, .002745448697, 5e-13));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_pairs_come_out_as_worked_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
