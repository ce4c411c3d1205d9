/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_OUTBOX_SEND_H
#define STORE_OUTBOX_SEND_H

#include "store/history/internal.h"

/* Sends every session of the outbox that nobody measures; true also if there is none. Internal to
 * store/, as all of this. */
bool outbox_send(struct history *history, struct error *err);

/* A session of an id in one database; number 0: there is none. */
struct session_copy {
	int64_t number, started_at_s, runs;
};
bool outbox_find_copy(struct history *history, const char *id, struct session_copy *copy,
		      struct error *err);
/* Title, project, verdict and change of a session, by its full id. */
bool outbox_entry(struct history *history, struct arena *arena, const char *id,
		  struct history_entry *entry, struct error *err);

#endif
