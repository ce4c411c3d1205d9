/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_HISTORY_ROWS_H
#define STORE_HISTORY_ROWS_H

#include "store/history/internal.h"

/*
 * A session as rows, within a transaction of the caller's. Internal to store/.
 * The session is the one that history->session names, once it has been
 * inserted; the counts in it say what of the recording is there already.
 */

/* What a session's row says beside its recording. */
struct session_label {
	const char *id, *title, *project;
};

/* *number of the new session; 0: another has that id, and nothing was done. */
bool rows_insert_session(struct history *history, const struct recording *recording,
			 const struct session_label *label, int64_t *number, struct error *err);
/* The same under an id (in arena) that no other has, which comes to be in label. */
bool rows_insert_anew(struct history *history, struct arena *arena,
		      const struct recording *recording, struct session_label *label,
		      int64_t *number, struct error *err);
/* The metrics from first on, in place of those that are there. */
bool rows_save_metrics(struct history *history, const struct recording *recording, size_t first,
		       struct error *err);
bool rows_save_remarks(struct history *history, const struct recording *recording,
		       struct error *err);
/* The row of one run; its blobs stay in the history's until the next is made. */
struct run_row rows_run(struct history *history, const struct recording *recording, size_t index,
			int64_t place);
/* One that is there already stays as it is: what a spool holds may have been saved before. */
bool rows_insert_run(struct history *history, const struct run_row *row, struct error *err);
/* Everything of the recording that is not in the database yet. */
bool rows_save_new(struct history *history, const struct recording *recording, struct error *err);
/* How it ends, or that it is running again: then it has no rounds to count on, and no verdict. */
bool rows_update_session(struct history *history, const struct recording *recording,
			 struct error *err);
/* The session and all that belongs to it. */
bool rows_delete_session(struct history *history, int64_t session, struct error *err);

#endif
