/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_GOLDEN_CASES_H
#define TESTS_GOLDEN_CASES_H

#include "build.h"

/* One sheet whose every byte is kept: NAME.txt, NAME.md, NAME.json and NAME.csv beside this file;
 * of one that is drawn NAME.txt with the plots, NAME.html and NAME.svg. */
struct golden_case {
	const char *name;
	void (*make)(struct made *made);
	bool redact;
	bool colour;
	bool drawn;
	unsigned width; /* 0: 80 */
};

extern const struct golden_case golden_cases[];
extern const size_t golden_case_count;

#endif
