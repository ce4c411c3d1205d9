/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thin layer over SQLite: see database.h. The file is never opened by any
 * other means than SQLite's: closing such a descriptor would drop the POSIX
 * locks of every connection that this process has to the file
 * (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 */
#include "store/database.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"

/* What to do when this file cannot serve; who only reads has no use for --no-save. */
static const char *advice(const struct database *database)
{
	return database->must_write
		   ? "use --no-save, or set XDG_DATA_HOME to keep the history elsewhere"
		   : "set XDG_DATA_HOME if the history is elsewhere";
}

static bool fail_full(const struct database *database, struct error *err)
{
	return error_set(err, ERROR_SYSTEM,
			 "the disk that holds the history %s is full; what was saved before is "
			 "kept: free some space; otherwise %s",
			 database->path, advice(database));
}

/* The kernel's reason where there is one. */
static const char *reason(const struct database *database)
{
	int error_number = sqlite3_system_errno(database->handle);

	return error_number != 0 ? strerror(error_number) : sqlite3_errmsg(database->handle);
}

bool database_fail(const struct database *database, struct error *err)
{
	int code = sqlite3_extended_errcode(database->handle);
	int error_number = sqlite3_system_errno(database->handle);
	const char *path = database->path;

	switch (code & 0xff) {
	case SQLITE_NOMEM:
		arena_out_of_memory();
	case SQLITE_FULL:
		return fail_full(database, err);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(err, ERROR_SYSTEM,
				 "the history %s is locked by another program for more than %d s; "
				 "end that program, or %s",
				 path, DATABASE_WAIT_MS / 1000, advice(database));
	case SQLITE_NOTADB:
		return error_set(err, ERROR_INPUT,
				 "%s is not a history: it is no SQLite file; move it away, or set "
				 "XDG_DATA_HOME to keep the history elsewhere",
				 path);
	case SQLITE_CORRUPT:
		return error_set(err, ERROR_INPUT,
				 "the history %s is damaged (%s); move it away, `sqlite3 %s "
				 ".recover` may save most of it",
				 path, sqlite3_errmsg(database->handle), path);
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return error_set(err, ERROR_SYSTEM,
				 "the history %s cannot be written: it or its directory is "
				 "write-protected; %s",
				 path, advice(database));
	case SQLITE_CANTOPEN:
		return error_set(err, ERROR_SYSTEM, "cannot open the history %s: %s; %s", path,
				 reason(database), advice(database));
	case SQLITE_IOERR:
		if (error_number == ENOSPC || error_number == EDQUOT)
			return fail_full(database, err);
		return error_set(err, ERROR_SYSTEM, "cannot use the history %s: %s; %s", path,
				 reason(database), advice(database));
	default:
		return error_set(err, ERROR_SYSTEM, "the history %s: %s", path,
				 sqlite3_errmsg(database->handle));
	}
}

static bool directory_is_writable(const char *path)
{
	char copy[PATH_MAX];

	if (strlen(path) >= sizeof copy)
		return false;
	strcpy(copy, path);
	return faccessat(AT_FDCWD, dirname(copy), W_OK, AT_EACCESS) == 0;
}

/* A file name as the URI that tells SQLite to read it without locks and helper files. */
static void uri_immutable(const char *path, struct text *uri)
{
	text_add(uri, "file:");
	for (; *path != '\0'; path++) {
		if (strchr("?#%", *path) != NULL)
			text_printf(uri, "%%%02x", (unsigned char)*path);
		else
			text_add_char(uri, *path);
	}
	text_add(uri, "?immutable=1");
}

/*
 * WAL needs its helper files beside the database even for reading. Where none
 * can be made and no log is left to read (a mounted backup, a read-only file
 * system) the file cannot change either, and is read as it is.
 */
static int open_reading(struct database *database)
{
	struct text uri = { 0 };
	struct text log = { 0 };
	struct stat status;
	int code;

	text_printf(&log, "%s-wal", database->path);
	if (!directory_is_writable(database->path) &&
	    (stat(text_string(&log), &status) != 0 || status.st_size == 0)) {
		uri_immutable(database->path, &uri);
		code = sqlite3_open_v2(text_string(&uri), &database->handle,
				       SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	} else {
		code =
		    sqlite3_open_v2(database->path, &database->handle, SQLITE_OPEN_READONLY, NULL);
	}
	text_release(&uri);
	text_release(&log);
	return code;
}

bool database_open(struct database *database, const char *path, bool must_write, struct error *err)
{
	int code;

	memset(database, 0, sizeof *database);
	database->path = path;
	database->must_write = must_write;
	database->read_only =
	    faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 || !directory_is_writable(path);
	if (database->read_only && must_write)
		return error_set(err, ERROR_SYSTEM,
				 "the history %s cannot be written: it or its directory is "
				 "write-protected; %s",
				 path, advice(database));
	if (database->read_only)
		code = open_reading(database);
	else
		code = sqlite3_open_v2(path, &database->handle, SQLITE_OPEN_READWRITE, NULL);
	if (database->handle == NULL)
		arena_out_of_memory();
	sqlite3_extended_result_codes(database->handle, 1);
	sqlite3_busy_timeout(database->handle, DATABASE_WAIT_MS);
	if (code != SQLITE_OK) {
		database_fail(database, err);
		database_close(database);
		return false;
	}
	return true;
}

void database_close(struct database *database)
{
	size_t i;

	for (i = 0; i < database->statement_count; i++)
		sqlite3_finalize(database->statements[i].statement);
	database->statement_count = 0;
	sqlite3_close(database->handle);
	database->handle = NULL;
}

bool database_execute(struct database *database, const char *sql, struct error *err)
{
	if (sqlite3_exec(database->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		return database_fail(database, err);
	return true;
}

bool database_integer(struct database *database, const char *sql, int64_t *value, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	bool good = sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) == SQLITE_OK &&
		    sqlite3_step(statement) == SQLITE_ROW;

	if (good)
		*value = sqlite3_column_int64(statement, 0);
	else
		database_fail(database, err);
	sqlite3_finalize(statement);
	return good;
}

sqlite3_stmt *database_statement(struct database *database, const char *sql, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	size_t i;

	for (i = 0; i < database->statement_count; i++)
		if (database->statements[i].sql == sql) {
			sqlite3_reset(database->statements[i].statement);
			return database->statements[i].statement;
		}
	assert(database->statement_count < DATABASE_STATEMENTS);
	if (sqlite3_prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
			       NULL) != SQLITE_OK) {
		database_fail(database, err);
		return NULL;
	}
	database->statements[database->statement_count].sql = sql;
	database->statements[database->statement_count++].statement = statement;
	return statement;
}

bool database_step(struct database *database, sqlite3_stmt *statement, bool *row, struct error *err)
{
	int code = sqlite3_step(statement);

	*row = code == SQLITE_ROW;
	if (code == SQLITE_ROW)
		return true;
	if (code != SQLITE_DONE)
		database_fail(database, err);
	sqlite3_reset(statement);
	return code == SQLITE_DONE;
}

bool database_run(struct database *database, sqlite3_stmt *statement, struct error *err)
{
	bool row;
	bool good = database_step(database, statement, &row, err);

	assert(!good || !row);
	return good;
}

static bool run_fixed(struct database *database, const char *sql, struct error *err)
{
	sqlite3_stmt *statement = database_statement(database, sql, err);

	return statement != NULL && database_run(database, statement, err);
}

/* A file that was deleted, moved or replaced takes every write and shows it to nobody. */
static bool is_in_place(struct database *database, struct error *err)
{
	int moved = 0;

	if (sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) !=
		SQLITE_OK ||
	    !moved)
		return true;
	return error_set(err, ERROR_SYSTEM,
			 "the history %s was deleted, moved or replaced while it was in use",
			 database->path);
}

bool database_begin(struct database *database, struct error *err)
{
	static const char sql[] = "BEGIN IMMEDIATE";

	return is_in_place(database, err) && run_fixed(database, sql, err);
}

bool database_begin_reading(struct database *database, struct error *err)
{
	static const char sql[] = "BEGIN";

	return run_fixed(database, sql, err);
}

bool database_commit(struct database *database, struct error *err)
{
	static const char sql[] = "COMMIT";

	return run_fixed(database, sql, err);
}

void database_rollback(struct database *database)
{
	/* Some failures, a full disk among them, have rolled back already. */
	if (database->handle != NULL && !sqlite3_get_autocommit(database->handle))
		sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
}
