/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_JOINED_H
#define COMMANDS_JOINED_H

#include "base/error.h"
#include "model/recording.h"

/*
 * Several sessions of one comparison as one recording, each a block: other
 * days, boots or machines. Every subject is there once for each session, with
 * the level BLOCK=ID ("session", "boot" or "host"), and compared within its
 * session. Refused: sessions
 * with other commands, in other order, of other metrics that decide, and one
 * session twice. Strings are shared.
 */
bool joined_make(struct arena *arena, const struct recording *sessions, size_t count,
		 const char *block, struct recording *joined, struct error *err);

/* They compared the same: labels, baselines and what decides. */
bool joined_alike(const struct recording *first, const struct recording *session);

#endif
