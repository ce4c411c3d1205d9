/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_SUMMARIES_H
#define COMMANDS_SUMMARIES_H

#include <stdbool.h>

#include "base/error.h"
#include "model/recording.h"
#include "store/history/history.h"

/* The medians of a saved recording, of its good judged runs, into the history, for trends. Metrics
 * that are hidden or have no such run are left out. */
bool summaries_save(struct history *history, const struct recording *recording, struct error *err);

/* The same for all sessions that have none yet: those of an older worth, and those that were broken
 * off. */
bool summaries_complete(struct history *history, struct error *err);

#endif
