/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_OWNER_H
#define STORE_OWNER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Who measures a session at this moment. Internal to store/. The mark is a
 * lock on one byte of FILE-owners, at the session's number: the kernel drops
 * it when the process ends, however it ends, so a session without a lock that
 * says it is running was broken off.
 */
struct owner {
	int fd; /* of the lock file; -1: not open */
};

enum owner_answer {
	OWNER_TAKEN,	  /* the lock is ours now (also where the file system has no locks) */
	OWNER_OTHER,	  /* another process, or another handle of this one, measures it */
	OWNER_UNAVAILABLE /* no lock file can be opened: errno says why */
};

/* history_path is the database's; a zeroed owner is not valid, use this. */
struct owner owner_none(void);
enum owner_answer owner_take(struct owner *owner, const char *history_path, int64_t session);
/* Whether anyone else holds it; false where that cannot be found out. */
bool owner_is_live(struct owner *owner, const char *history_path, int64_t session);
void owner_drop(struct owner *owner, int64_t session);
void owner_release(struct owner *owner);

#endif
