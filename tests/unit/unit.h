/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

/* cmocka and what it wants included before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/*
 * A test that only some machines can run, for the array of tests in main():
 *
 *	unit_test_if(geteuid() == 0, a_full_disk_costs_nothing, "needs root"),
 *
 * Its own skip() would not do: cmocka 1.1.5 prints "not ok 3 # SKIP" for it, which counts as a
 * failure. So the decision falls before the run, and the name carries the directive.
 */
static inline void unit_skipped(void **state)
{
	(void)state;
}
#define unit_test_if(condition, function, reason)                                                  \
	((condition)                                                                               \
	     ? (struct CMUnitTest)cmocka_unit_test(function)                                       \
	     : (struct CMUnitTest){ #function " # SKIP " reason, unit_skipped, NULL, NULL, NULL })

#endif
