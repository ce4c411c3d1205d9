/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_HISTORY_HISTORY_H
#define STORE_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/recording.h"

/*
 * Everything measured, in SQLite (WAL, synchronous=NORMAL, one transaction a
 * round; file 0600 in a directory 0700). A newer schema than this program
 * knows, a file that is no history, and a locked database are errors with one
 * sentence; an older schema is migrated in one transaction. Two processes may
 * write at once. What was saved before a crash, a full disk or kill -9 stays
 * readable: at most the round under way is lost.
 */
struct history;

/*
 * path NULL: $XDG_DATA_HOME/worth/history.db. Creates it if create; without it
 * a missing file is an error that says where history would be, and a
 * write-protected one can still be listed and loaded. Wider modes of an
 * existing history, and of the directory that worth made for it
 * (never of another directory that path names), are taken back to 0600 and
 * 0700; history_remark says so.
 *
 * path postgresql://...: the same history in a PostgreSQL database. A session
 * is measured into a file of this machine's ($XDG_DATA_HOME/worth/outbox-*.db)
 * and goes to the server when it ends, so that no run waits for a network.
 * What the server does not take stays in that file; each later opening sends
 * it. With create a server out of reach is a remark, otherwise an error. An
 * address with a password in it is an error.
 */
struct history *history_open(const char *path, bool create, struct error *err);
/* A session that was begun and not ended is left as it is: broken off. NULL is accepted. */
void history_close(struct history *history);
/* A sentence on what opening changed, or on what a server did not take; lives as long as the handle
 * and is told once. NULL: nothing. */
const char *history_remark(struct history *history);

/* To which project the sessions belong that begin from now on; NULL: to none. */
void history_set_project(struct history *history, const char *project);

/* A new session with the recording's plan, environment and metrics; sets recording->id (short,
 * easy to type, unique: made in arena). title is the command line as typed. A handle measures one
 * session at a time. */
bool history_begin(struct history *history, struct arena *arena, struct recording *recording,
		   const char *title, struct error *err);
/* samples[first..sample_count) in one transaction, with metrics and remarks that are new. Samples
 * before first that an earlier failure kept from being saved go along. */
bool history_add(struct history *history, const struct recording *recording, size_t first,
		 struct error *err);
/* The same for a round of short runs: within HISTORY_INTERVAL_NS of the last transaction it goes to
 * a file beside the history (store/outbox/spool.h), from which the next transaction, history_end,
 * or after a kill whoever opens the history next, takes it into the database. */
bool history_keep(struct history *history, const struct recording *recording, size_t first,
		  struct error *err);
enum { HISTORY_INTERVAL_NS = 50000000 };
/* How it ended, environment after, extensions; also what was not added yet, and what has changed in
 * the metrics. */
bool history_end(struct history *history, const struct recording *recording, struct error *err);
/*
 * Go on with a loaded session: drop the samples of rounds that were not
 * completed, in the database and in the recording, and mark it as running
 * again (end, environment after, rounds_done), keeping the recording's plan and
 * extension_bases, which may have grown. Refused while another process measures
 * it, and if it has changed since it was loaded.
 */
bool history_reopen(struct history *history, struct recording *recording, struct error *err);

struct history_entry;
/* A session from elsewhere with the id, title, project, verdict and change of entry; the rest of it
 * is not used. *known: a session of that id is here already, and nothing is done. */
bool history_restore(struct history *history, const struct recording *recording,
		     const struct history_entry *entry, bool *known, struct error *err);
/* Gives the file system back what deleted sessions held. */
bool history_shrink(struct history *history, struct error *err);

/* One line of the list. */
struct history_entry {
	const char *id;
	const char *title;
	int64_t started_at_s;
	enum session_end end;
	bool live; /* a process measures it now; END_RUNNING without it was broken off */
	size_t rounds;
	size_t subjects;
	const char *host;
	const char *project; /* NULL: measured by a worth that did not note it */
	const char *verdict; /* of the primary metric, as last judged; NULL */
	const char *change;  /* the same, as printed: "-2.05%"; NULL */
};
/* Which sessions; what is NULL or 0 leaves none out. */
struct history_filter {
	const char *project;
	const char *machine; /* its host name */
	const char *variant; /* a label that one of its commands had */
	const char *metric;  /* that it measured */
	int64_t since_s;
	size_t limit; /* the newest */
};
/* Newest first. filter NULL: all. */
bool history_list(struct history *history, struct arena *arena, const struct history_filter *filter,
		  struct history_entry **entries, size_t *count, struct error *err);
/* Remember what was found, for the list; either may be NULL. */
bool history_verdict(struct history *history, const char *id, const char *verdict,
		     const char *change, struct error *err);
/*
 * By id, by a unique beginning of an id, or "last". A session that has not
 * ended, or was broken off, comes with the rounds saved so far; the run that
 * made a session fail is among its samples.
 */
bool history_load(struct history *history, struct arena *arena, const char *id,
		  struct recording *recording, struct error *err);
/* Refused while the session is measured. *deleted (in arena) is its full id; may be NULL. */
bool history_delete(struct history *history, struct arena *arena, const char *id,
		    const char **deleted, struct error *err);

#endif
