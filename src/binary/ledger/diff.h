/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_LEDGER_DIFF_H
#define BINARY_LEDGER_DIFF_H

#include "base/arena.h"
#include "model/code.h"

/*
 * Two ledgers into diff->inlines: every function that has copies on at least
 * one side. Functions are the same by name and declaring file; a file that
 * moved, or whose path has another prefix, is found by the rest of its path,
 * and a function whose copies became a body elsewhere (nla_put_u32 of a
 * header, now in a .c file) by its name. Both images must outlive the diff.
 */
void ledger_compare(struct arena *arena, const struct code_image *baseline,
		    const struct code_image *candidate, struct code_diff *diff);

#endif
