/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_DIFF_DIFF_H
#define BINARY_DIFF_DIFF_H

#include "base/arena.h"
#include "model/code.h"

/*
 * What differs between the sections and symbols of two images: diff->sections,
 * symbols and sentences. candidate may be NULL: every row is then of the
 * baseline alone. The images must outlive the diff, which is zeroed first.
 *
 * A row is one function with its clones and parts, or one object. Rows are
 * paired by name within the same unit or member, then by name and bytes, then
 * by name where one is left on each side. Their names are as in the file: diff_show_names
 * demangles those that someone will read.
 */
void diff_make(struct arena *arena, const struct code_image *baseline,
	       const struct code_image *candidate, struct code_diff *diff);

/* Demangles the names of the first count rows of symbols. */
void diff_show_names(struct arena *arena, struct code_diff *diff, size_t count);

/* The change from one number of bytes to another; same says what equal bytes mean. */
enum code_change_kind diff_kind(bool in_baseline, bool in_candidate, uint64_t baseline_bytes,
				uint64_t candidate_bytes, enum code_change_kind same);

/* One more sentence that a reader must know. */
void diff_sentence(struct arena *arena, struct code_diff *diff, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
