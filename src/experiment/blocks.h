/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPERIMENT_BLOCKS_H
#define EXPERIMENT_BLOCKS_H

#include "experiment/experiment.h"

/* "sessions", "reboots", ...: the key in [blocks]. */
const char *blocks_key(enum blocks_kind kind);
/* One of them: "session", "boot", "host", "layout". */
const char *blocks_word(enum blocks_kind kind);

/* What [blocks] says, understood: kind, count, pause. Errors as of experiment_read: more than one
 * kind, a count out of 2 to 100, a pause where there are no sessions to come. */
bool blocks_check(struct arena *arena, struct experiment *experiment, struct error *err);

#endif
