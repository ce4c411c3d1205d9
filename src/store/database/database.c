/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What both databases have in common: see database.h. */
#include "store/database/database.h"

#include <assert.h>
#include <string.h>

void database_close(struct database *database)
{
	size_t i;

	for (i = 0; i < database->statement_count; i++)
		database->backend->finalize(database->statements[i].statement);
	database->statement_count = 0;
	if (database->backend != NULL)
		database->backend->close(database);
	database->backend = NULL;
}

bool database_execute(struct database *database, const char *sql, struct error *err)
{
	return database->backend->execute(database, sql, err);
}

bool database_integer(struct database *database, const char *sql, int64_t *value, struct error *err)
{
	struct statement *statement = database->backend->prepare(database, sql, err);
	bool row = false;
	bool good = statement != NULL && database->backend->step(statement, &row, err);

	if (good && !row)
		good =
		    error_set(err, ERROR_INPUT, "the history %s gives no answer", database->path);
	if (good)
		*value = column_integer(statement, 0);
	if (statement != NULL)
		database->backend->finalize(statement);
	return good;
}

struct statement *database_statement(struct database *database, const char *sql, struct error *err)
{
	struct statement *statement;
	size_t i;

	for (i = 0; i < database->statement_count; i++)
		if (database->statements[i].sql == sql) {
			database->backend->reset(database->statements[i].statement);
			return database->statements[i].statement;
		}
	assert(database->statement_count < DATABASE_STATEMENTS);
	statement = database->backend->prepare(database, sql, err);
	if (statement == NULL)
		return NULL;
	database->statements[database->statement_count].sql = sql;
	database->statements[database->statement_count++].statement = statement;
	return statement;
}

bool database_step(struct database *database, struct statement *statement, bool *row,
		   struct error *err)
{
	bool good = database->backend->step(statement, row, err);

	if (!good || !*row)
		database->backend->reset(statement);
	return good;
}

bool database_run(struct database *database, struct statement *statement, struct error *err)
{
	bool row = false;
	bool good = database_step(database, statement, &row, err);

	assert(!good || !row);
	return good;
}

int64_t database_changes(struct database *database)
{
	return database->backend->changes(database);
}

void statement_reset(struct statement *statement)
{
	statement->database->backend->reset(statement);
}

void statement_null(struct statement *statement, int index)
{
	statement->database->backend->bind_null(statement, index);
}

void statement_integer(struct statement *statement, int index, int64_t value)
{
	statement->database->backend->bind_integer(statement, index, value);
}

void statement_real(struct statement *statement, int index, double value)
{
	statement->database->backend->bind_real(statement, index, value);
}

void statement_text(struct statement *statement, int index, const char *string)
{
	statement->database->backend->bind_text(statement, index, string,
						string == NULL ? 0 : strlen(string), true);
}

void statement_text_copy(struct statement *statement, int index, const char *bytes, size_t length)
{
	statement->database->backend->bind_text(statement, index, bytes, length, false);
}

void statement_blob(struct statement *statement, int index, const char *bytes, size_t length)
{
	statement->database->backend->bind_blob(statement, index, bytes, length);
}

bool column_is_null(struct statement *statement, int column)
{
	return statement->database->backend->column_is_null(statement, column);
}

int64_t column_integer(struct statement *statement, int column)
{
	return statement->database->backend->column_integer(statement, column);
}

double column_real(struct statement *statement, int column)
{
	return statement->database->backend->column_real(statement, column);
}

struct column_bytes column_text(struct statement *statement, int column)
{
	return statement->database->backend->column_text(statement, column);
}

struct column_bytes column_blob(struct statement *statement, int column)
{
	return statement->database->backend->column_blob(statement, column);
}

bool database_begin(struct database *database, struct error *err)
{
	return database->backend->begin(database, true, err);
}

bool database_begin_reading(struct database *database, struct error *err)
{
	return database->backend->begin(database, false, err);
}

bool database_commit(struct database *database, struct error *err)
{
	static const char sql[] = "COMMIT";
	struct statement *statement = database_statement(database, sql, err);

	return statement != NULL && database_run(database, statement, err);
}

void database_rollback(struct database *database)
{
	if (database->backend != NULL)
		database->backend->rollback(database);
}

bool database_batch_begin(struct database *database, struct error *err)
{
	return database->backend->batch_begin == NULL ||
	       database->backend->batch_begin(database, err);
}

bool database_batch_end(struct database *database, struct error *err)
{
	return database->backend->batch_end == NULL || database->backend->batch_end(database, err);
}

bool database_shrink(struct database *database, struct error *err)
{
	return database->backend->shrink(database, err);
}

bool database_is_lost(struct database *database)
{
	return database->backend == NULL ||
	       (database->backend->is_lost != NULL && database->backend->is_lost(database));
}
