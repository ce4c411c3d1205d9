/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting, on both sides of the size at which the method changes. */
#include "stats/sort.h"

#include <string.h>

#include "random_values.h"
#include "unit.h"

static const size_t sizes[] = { 0, 1, 2, 100, 4095, 4096, 4097, 20000 };

/* Doubles of every kind of bits but NAN, or values that occur. */
static void draw(struct random *random, int kind, double *x, size_t n)
{
	size_t i;

	if (kind < VALUES_KINDS) {
		random_values(random, (enum values_kind)kind, x, n);
		return;
	}
	for (i = 0; i < n; i++) {
		uint64_t bits = random_next(random);

		memcpy(&x[i], &bits, sizeof bits);
		if (isnan(x[i]))
			x[i] = i % 3 == 0 ? 0.0 : i % 3 == 1 ? -0.0 : -(double)INFINITY;
	}
}

static void items_are_in_order_and_all_there(void **state)
{
	static double x[20000], sorted[20000];
	static struct sort_item items[20000];
	static unsigned char seen[20000];
	struct random random = { 77 };
	size_t s, n, i;
	int kind;

	(void)state;
	for (kind = 0; kind <= VALUES_KINDS; kind++)
		for (s = 0; s < sizeof sizes / sizeof *sizes; s++) {
			n = sizes[s];
			draw(&random, kind, x, n);
			memcpy(sorted, x, sizeof x);
			memset(seen, 0, sizeof seen);
			for (i = 0; i < n; i++)
				items[i] = (struct sort_item){ x[i], i };
			sort_items(items, n);
			sort_values(sorted, n);
			for (i = 0; i < n; i++) {
				assert_true(items[i].value == x[items[i].index]);
				assert_true(sorted[i] == items[i].value);
				assert_int_equal(seen[items[i].index]++, 0);
				if (i == 0)
					continue;
				assert_true(items[i - 1].value <= items[i].value);
				if (items[i - 1].value == items[i].value)
					assert_true(items[i - 1].index < items[i].index);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_are_in_order_and_all_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
