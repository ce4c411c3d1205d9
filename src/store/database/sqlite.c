/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thin layer over SQLite: see database.h and sqlite.h. The file is never opened by any
 * other means than SQLite's: closing such a descriptor would drop the POSIX
 * locks of every connection that this process has to the file
 * (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 */
#include "store/database/sqlite.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

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

static bool fail(const struct database *database, struct error *err)
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

static void close_sqlite(struct database *database)
{
	sqlite3_close(database->handle);
	database->handle = NULL;
}

static bool execute(struct database *database, const char *sql, struct error *err)
{
	if (sqlite3_exec(database->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		return fail(database, err);
	return true;
}

struct sqlite_statement {
	struct statement head;
	sqlite3_stmt *own;
};

static sqlite3_stmt *own(struct statement *statement)
{
	return ((struct sqlite_statement *)statement)->own;
}

static struct statement *prepare(struct database *database, const char *sql, struct error *err)
{
	struct sqlite_statement *statement = calloc(1, sizeof *statement);

	if (statement == NULL)
		arena_out_of_memory();
	statement->head.database = database;
	if (sqlite3_prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
			       &statement->own, NULL) == SQLITE_OK)
		return &statement->head;
	fail(database, err);
	free(statement);
	return NULL;
}

static void finalize(struct statement *statement)
{
	sqlite3_finalize(own(statement));
	free(statement);
}

static void reset(struct statement *statement)
{
	sqlite3_reset(own(statement));
}

static bool step(struct statement *statement, bool *row, struct error *err)
{
	int code = sqlite3_step(own(statement));

	*row = code == SQLITE_ROW;
	return code == SQLITE_ROW || code == SQLITE_DONE || fail(statement->database, err);
}

static int64_t changes(struct database *database)
{
	return sqlite3_changes(database->handle);
}

static void bind_null(struct statement *statement, int index)
{
	sqlite3_bind_null(own(statement), index);
}

static void bind_integer(struct statement *statement, int index, int64_t value)
{
	sqlite3_bind_int64(own(statement), index, value);
}

static void bind_real(struct statement *statement, int index, double value)
{
	sqlite3_bind_double(own(statement), index, value);
}

static void bind_text(struct statement *statement, int index, const char *bytes, size_t length,
		      bool kept)
{
	sqlite3_bind_text64(own(statement), index, bytes, length,
			    kept ? SQLITE_STATIC : SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void bind_blob(struct statement *statement, int index, const char *bytes, size_t length)
{
	sqlite3_bind_blob64(own(statement), index, bytes, length, SQLITE_STATIC);
}

static bool is_null(struct statement *statement, int column)
{
	return sqlite3_column_type(own(statement), column) == SQLITE_NULL;
}

static int64_t integer_of(struct statement *statement, int column)
{
	return sqlite3_column_int64(own(statement), column);
}

static double real_of(struct statement *statement, int column)
{
	return sqlite3_column_double(own(statement), column);
}

static struct column_bytes text_of(struct statement *statement, int column)
{
	const char *bytes = (const char *)sqlite3_column_text(own(statement), column);

	return (struct column_bytes){ bytes, (size_t)sqlite3_column_bytes(own(statement), column) };
}

static struct column_bytes blob_of(struct statement *statement, int column)
{
	const char *bytes = sqlite3_column_blob(own(statement), column);

	return (struct column_bytes){ bytes, (size_t)sqlite3_column_bytes(own(statement), column) };
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

static bool begin(struct database *database, bool writing, struct error *err)
{
	static const char to_write[] = "BEGIN IMMEDIATE", to_read[] = "BEGIN";
	struct statement *statement;

	if (writing && !is_in_place(database, err))
		return false;
	statement = database_statement(database, writing ? to_write : to_read, err);
	return statement != NULL && database_run(database, statement, err);
}

static void rollback(struct database *database)
{
	/* Some failures, a full disk among them, have rolled back already. */
	if (database->handle != NULL && !sqlite3_get_autocommit(database->handle))
		sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
}

static bool shrink(struct database *database, struct error *err)
{
	return execute(database, "VACUUM", err);
}

static const struct backend sqlite_backend = {
	.close = close_sqlite,
	.execute = execute,
	.prepare = prepare,
	.finalize = finalize,
	.reset = reset,
	.step = step,
	.changes = changes,
	.bind_null = bind_null,
	.bind_integer = bind_integer,
	.bind_real = bind_real,
	.bind_text = bind_text,
	.bind_blob = bind_blob,
	.column_is_null = is_null,
	.column_integer = integer_of,
	.column_real = real_of,
	.column_text = text_of,
	.column_blob = blob_of,
	.begin = begin,
	.rollback = rollback,
	.shrink = shrink,
};

bool database_open(struct database *database, const char *path, bool must_write, struct error *err)
{
	int code;

	memset(database, 0, sizeof *database);
	database->backend = &sqlite_backend;
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
		fail(database, err);
		database_close(database);
		return false;
	}
	return true;
}

bool database_set_journal(struct database *database, struct error *err)
{
	int waited_ms = 0;

	while (sqlite3_exec(database->handle, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) !=
	       SQLITE_OK) {
		if ((sqlite3_errcode(database->handle) & 0xff) != SQLITE_BUSY ||
		    waited_ms >= DATABASE_WAIT_MS)
			return fail(database, err);
		usleep(10 * 1000);
		waited_ms += 10;
	}
	return true;
}
