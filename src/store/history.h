/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_HISTORY_H
#define STORE_HISTORY_H

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
 * write at once.
 */
struct history;

/* path NULL: $XDG_DATA_HOME/worth/history.db. Creates it if create; without it a missing file is an
 * error that says where history would be. */
struct history *history_open(const char *path, bool create, struct error *err);
void history_close(struct history *history);

/* A new session with the recording's plan, environment and metrics; sets recording->id (short,
 * easy to type, unique: made in arena). title is the command line as typed. */
bool history_begin(struct history *history, struct arena *arena, struct recording *recording,
		   const char *title, struct error *err);
/* samples[first..sample_count) in one transaction, with metrics and remarks that are new. */
bool history_add(struct history *history, const struct recording *recording, size_t first,
		 struct error *err);
/* How it ended, environment after, extensions. */
bool history_end(struct history *history, const struct recording *recording, struct error *err);
/* Drop the samples of rounds that were not completed, and mark the session as running again. */
bool history_reopen(struct history *history, const struct recording *recording, struct error *err);

/* One line of the list. */
struct history_entry {
	const char *id;
	const char *title;
	int64_t started_at_s;
	enum session_end end;
	size_t rounds;
	size_t subjects;
	const char *host;
	const char *verdict; /* of the primary metric, as last judged; NULL */
	const char *change;  /* the same, as printed: "-2.05%"; NULL */
};
bool history_list(struct history *history, struct arena *arena, size_t limit,
		  struct history_entry **entries, size_t *count, struct error *err);
/* Remember what was found, for the list. */
bool history_verdict(struct history *history, const char *id, const char *verdict,
		     const char *change, struct error *err);
/* By id, by a unique beginning of an id, or "last". */
bool history_load(struct history *history, struct arena *arena, const char *id,
		  struct recording *recording, struct error *err);
bool history_delete(struct history *history, const char *id, struct error *err);

#endif
