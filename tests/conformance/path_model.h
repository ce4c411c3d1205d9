/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CONFORMANCE_PATH_MODEL_H
#define CONFORMANCE_PATH_MODEL_H

#include "harness.h"

/*
 * Path caches used by one thread, beside a table that says what must come of
 * it: random creations, removals, renames and lookups, with names of all lengths
 * from 1 to 255 that begin alike, hashes that collide, directories moved with
 * all that is in them and into themselves, and paths through files.
 */
bool path_model_check(struct trial *trial);

#endif
