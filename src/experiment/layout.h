/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPERIMENT_LAYOUT_H
#define EXPERIMENT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "experiment/experiment.h"

enum { LAYOUTS_LEAST = 2, LAYOUTS_MOST = 100 };

/*
 * The experiment with one more factor, "layout", whose levels are 1 to count:
 * each variant has as many trees as that. relinked: they are built once and
 * linked again for each. An error where a variant is not built, or not linked,
 * by worth, or a factor has that name already.
 */
bool layout_add(struct arena *arena, struct experiment *experiment, size_t count, bool relinked,
		struct error *err);

/* Compilers of the usual names, before which bin stands on PATH, that place functions as
 * WORTH_LAYOUT says: docs/decisions/layouts.md. */
bool layout_prepare(struct arena *arena, const char **bin, struct error *err);

/* The environment of the build of one layout (from 1; 0: what is linked again later, so that its
 * functions have sections of their own): NULL-terminated, base (may be NULL) first.
 */
const char *const *layout_environment(struct arena *arena, const char *const *base, const char *bin,
				      size_t layout);

#endif
