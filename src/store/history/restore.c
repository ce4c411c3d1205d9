/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions from elsewhere, under the id that they have there. */
#include "store/history/rows.h"

/* Taken: *known, and nothing is done. */
static bool restore_rows(struct history *history, const struct recording *recording,
			 const struct history_entry *entry, bool *known, struct error *err)
{
	struct session_label label = { .id = entry->id,
				       .title = entry->title,
				       .project = entry->project };

	if (!rows_insert_session(history, recording, &label, &history->session, err))
		return false;
	*known = history->session == 0;
	return *known ||
	       (rows_save_new(history, recording, err) &&
		rows_update_session(history, recording, err) &&
		(recording->end == END_RUNNING ||
		 history_mark_verdict(history, entry->id, entry->verdict, entry->change, err)));
}

bool history_restore(struct history *history, const struct recording *recording,
		     const struct history_entry *entry, bool *known, struct error *err)
{
	struct database *database = &history->database;
	bool good;

	history_begin_anew(history);
	*known = false;
	good = database_begin(database, err) &&
	       restore_rows(history, recording, entry, known, err) &&
	       database_commit(database, err);
	if (!good)
		database_rollback(database);
	history_forget(history);
	return good;
}
