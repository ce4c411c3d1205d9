/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What killed programs left in spools goes into the database: see spool.h. */
#include <unistd.h>

#include "base/file.h"
#include "store/history/rows.h"

/* What is in a spool whose session nobody measures any more. */
struct recovery {
	struct history *history;
	struct arena *arena;
};

static bool session_exists(struct history *history, int64_t session)
{
	static const char sql[] = "SELECT 1 FROM session WHERE number = ?1";
	struct statement *statement = database_statement(&history->database, sql, NULL);
	bool row = false;

	if (statement == NULL)
		return false;
	statement_integer(statement, 1, session);
	if (!database_step(&history->database, statement, &row, NULL))
		return false;
	statement_reset(statement);
	return row;
}

static bool insert_spool(struct history *history, int64_t session, const char *bytes, size_t length)
{
	struct spool_reader reader = { .bytes = bytes, .length = length };
	struct run_row row;

	while (spool_next(&reader, &row)) {
		/* A session that was deleted takes what was left of it along. */
		if (row.numbers[0] >> KEY_PLACE_BITS != session ||
		    !session_exists(history, session))
			return true;
		if (!rows_insert_run(history, &row, NULL))
			return false;
	}
	return true;
}

static void recover(void *context, int64_t session, const char *path)
{
	enum { LARGEST_SPOOL = 1 << 28 };
	struct recovery *recovery = context;
	struct history *history = recovery->history;
	size_t length;
	char *bytes;

	if (owner_is_live(&history->owner, history->path, session) ||
	    !file_read(recovery->arena, path, LARGEST_SPOOL, &bytes, &length, NULL) ||
	    !database_begin(&history->database, NULL))
		return;
	if (insert_spool(history, session, bytes, length) &&
	    database_commit(&history->database, NULL))
		unlink(path);
	else
		database_rollback(&history->database);
}

void history_recover(struct history *history)
{
	struct recovery recovery = { history, arena_open() };

	spool_each(recovery.arena, history->path, &recovery, recover);
	arena_close(recovery.arena);
}
