/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session on its way into the database: begun with what was decided before
 * the first run, one transaction a round, ended with what is known only then.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "store/history/rows.h"
#include "store/outbox/outbox.h"

/* After a commit: all of the recording is saved. */
static void mark_saved(struct history *history, const struct recording *recording)
{
	history->next_place += (int64_t)(recording->sample_count - history->samples_saved);
	history->samples_saved = recording->sample_count;
	history->metrics_saved = recording->metric_count;
	history->remarks_saved = recording->remark_count;
	history->samples_spooled = recording->sample_count;
	spool_empty(&history->spool);
}

bool history_own(struct history *history, const char *id, struct error *err)
{
	switch (owner_take(&history->owner, history->path, history->session)) {
	case OWNER_TAKEN:
		return true;
	case OWNER_OTHER:
		return history_fail_live(history, history->session, id, err);
	case OWNER_UNAVAILABLE:
		break;
	}
	return error_set(err, ERROR_SYSTEM, "cannot lock session %s in %s-owners: %s", id,
			 history->path, strerror(errno));
}

void history_forget(struct history *history)
{
	if (history->session != 0)
		owner_drop(&history->owner, history->session);
	history->session = 0;
	history->saved_ns = 0;
	spool_end(&history->spool);
}

void history_begin_anew(struct history *history)
{
	history_forget(history);
	history->next_place = 0;
	history->samples_saved = history->metrics_saved = history->remarks_saved = 0;
	history->samples_spooled = 0;
}

/* A new session under an id that no other has. The lock is taken before the commit, so that nobody
 * sees the session unowned. */
static bool begin_rows(struct history *history, struct arena *arena, struct recording *recording,
		       const char *title, struct error *err)
{
	struct session_label label = { .title = title, .project = history->project };

	if (!rows_insert_anew(history, arena, recording, &label, &history->session, err))
		return false;
	recording->id = label.id;
	return history_own(history, recording->id, err) &&
	       rows_save_metrics(history, recording, 0, err) &&
	       rows_save_remarks(history, recording, err);
}

bool history_begin(struct history *history, struct arena *arena, struct recording *recording,
		   const char *title, struct error *err)
{
	struct database *database = &history->database;

	if (history->is_server)
		return outbox_begin(history, arena, recording, title, err);
	history_begin_anew(history);
	if (!database_begin(database, err))
		return false;
	if (begin_rows(history, arena, recording, title, err) && database_commit(database, err)) {
		history->metrics_saved = recording->metric_count;
		history->remarks_saved = recording->remark_count;
		return true;
	}
	database_rollback(database);
	history_forget(history);
	recording->id = NULL;
	return false;
}

bool history_add(struct history *history, const struct recording *recording, size_t first,
		 struct error *err)
{
	struct database *database = &history->database;

	if (history->is_server)
		return history_add(history->outbox, recording, first, err);
	assert(history->session != 0 && first >= history->samples_saved);
	(void)first;
	if (!database_begin(database, err))
		return false;
	if (rows_save_new(history, recording, err) && database_commit(database, err)) {
		mark_saved(history, recording);
		return true;
	}
	database_rollback(database);
	return false;
}

static int64_t now_ns(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * INT64_C(1000000000) + at.tv_nsec;
}

/* The runs that are neither in the database nor in the spool. */
static bool spool_new(struct history *history, const struct recording *recording)
{
	size_t i;

	if (history->spool.fd < 0 &&
	    !spool_begin(&history->spool, history->arena, history->path, history->session))
		return false;
	for (i = history->samples_spooled; i < recording->sample_count; i++) {
		struct run_row row =
		    rows_run(history, recording, i,
			     history->next_place + (int64_t)(i - history->samples_saved));

		spool_add(&history->spool, &row);
	}
	if (!spool_write(&history->spool))
		return false;
	history->samples_spooled = recording->sample_count;
	return true;
}

bool history_keep(struct history *history, const struct recording *recording, size_t first,
		  struct error *err)
{
	bool only_runs = history->metrics_saved == recording->metric_count &&
			 history->remarks_saved == recording->remark_count;
	int64_t at_ns = now_ns();

	if (history->is_server)
		return history_keep(history->outbox, recording, first, err);
	if (history->saved_ns != 0 && at_ns - history->saved_ns < HISTORY_INTERVAL_NS &&
	    only_runs && spool_new(history, recording))
		return true;
	history->saved_ns = at_ns;
	return history_add(history, recording, first, err);
}

bool history_end(struct history *history, const struct recording *recording, struct error *err)
{
	struct database *database = &history->database;

	if (history->is_server)
		return outbox_end(history, recording, err);
	assert(history->session != 0);
	if (!database_begin(database, err))
		return false;
	if (rows_save_new(history, recording, err) &&
	    rows_save_metrics(history, recording, 0, err) &&
	    rows_update_session(history, recording, err) && database_commit(database, err)) {
		mark_saved(history, recording);
		history_forget(history);
		return true;
	}
	database_rollback(database);
	return false;
}
