/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_OPENED_H
#define COMMANDS_OPENED_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "store/history/history.h"

/* The history that store (--store; NULL: WORTH_STORE, and without it the user's own) names, as
 * history_open; what opening it changed (modes that were too wide) is said on stderr. */
struct history *opened_history(const char *store, bool create, struct error *err);
/* The remarks that have come up since. NULL is accepted. */
void opened_say(struct history *history);

/* What a session is called: the words as typed, without --store, which says where and not what. */
const char *opened_title(struct arena *arena, char *const *words, size_t count);

/* The row of --store, for the text field that receives it. */
#define STORE_OPTION(type, field)                                                                  \
	{                                                                                          \
		OPTION_TEXT, "store", 0, "WHERE",                                                  \
		    "the history: a file, or postgresql://USER@HOST/DATABASE (default "            \
		    "$WORTH_STORE, else "                                                          \
		    "the user's own)",                                                             \
		    offsetof(type, field), .completes = COMPLETES_FILE                             \
	}

#endif
