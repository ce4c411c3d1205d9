/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_FINGERPRINT_H
#define COMMANDS_FINGERPRINT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/plan.h"

/* "fnv:" and a hash of the file's bytes, so that a report can tell builds apart; NULL if it cannot
 * be read or is larger than 256 MiB. */
const char *fingerprint_make(struct arena *arena, const char *path);

/* That every subject's program is still the file that was measured; the error names the first that
 * is not. Subjects without a fingerprint pass. */
bool fingerprint_check(const struct plan *plan, struct error *err);

#endif
