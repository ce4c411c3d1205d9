/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_WHERE_H
#define MODEL_WHERE_H

#include <stdbool.h>
#include <stddef.h>

/* Instructions that a workload executes in one function, an operation (or in the whole, where it
 * reports no figure of instructions): part of what was measured, by work and candidate; of each the
 * whole first, then the programs, then the functions, what changed most first. */
struct where_row {
	const char *work, *function; /* function NULL: all of the kernel's and programs' */
	size_t candidate;	     /* subject; its baseline is 0 */
	bool programs;		     /* all programs together */
	double baseline, other;
	double baseline_bytes, other_bytes; /* of the function; NAN: it is not there, or unknown */
};

#endif
