/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_OUTBOX_OUTBOX_H
#define STORE_OUTBOX_OUTBOX_H

#include "store/history/internal.h"

/*
 * Sessions on their way to a server. Internal to store/. Each address has a
 * file beside the user's own history, itself a history, into which sessions are
 * measured: a run waits for no network, and a server that goes away in the
 * middle takes nothing along. A session that has ended, or was broken off, is
 * sent in one transaction and deleted here; under its id's lock, so that two
 * programs do not send it twice. One that the server has already with as many
 * runs or fewer (its answer was lost, or it went on here) takes that one's
 * place. An id that the server has for another session is replaced by a new
 * one, and said.
 */

/* Connects history (whose path is the address) to its server and sends what waits. With create a
 * server out of reach is no failure. */
bool outbox_open(struct history *history, bool create, struct error *err);

bool outbox_begin(struct history *history, struct arena *arena, struct recording *recording,
		  const char *title, struct error *err);
/* The end of the session, and all of it to the server. What was not sent is a remark. */
bool outbox_end(struct history *history, const struct recording *recording, struct error *err);
/* A session of the server's is copied here before it goes on. */
bool outbox_reopen(struct history *history, struct recording *recording, struct error *err);

/* *history becomes its outbox where that has the session; otherwise, and where it is no server,
 * nothing. */
bool outbox_route(struct history **history, const char *id, struct error *err);
/* Does it where the session is. Another program may send the session between the question and the
 * act; then it is done once more, on the server. */
bool outbox_at(struct history *history, const char *id,
	       bool (*act)(struct history *place, const char *id, void *context, struct error *err),
	       void *context, struct error *err);
/* The list of a server (is_server) with what waits here; what filter wants of both. One that is in
 * both, on its way or going on here, is listed as it is here. */
bool outbox_list(struct history *history, struct arena *arena, const struct history_filter *filter,
		 struct history_entry **entries, size_t *count, struct error *err);

#endif
