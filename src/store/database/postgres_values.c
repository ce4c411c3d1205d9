/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters and columns of PostgreSQL's statements. Parameters go as text except blobs, results
 * come in binary: all columns are bigint, double precision, text or bytea.
 */

#include "store/database/postgres_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

/* PostgreSQL's numbers for the types of parameters (its src/include/catalog/pg_type.dat). */
enum { TYPE_BYTEA = 17, TYPE_INT8 = 20, TYPE_TEXT = 25, TYPE_FLOAT8 = 701 };

static struct postgres_statement *own(struct statement *statement)
{
	return (struct postgres_statement *)statement;
}

static struct parameter *bind(struct statement *statement, int index, size_t size, Oid type)
{
	struct postgres_statement *mine = own(statement);
	struct parameter *parameter = &mine->parameters[index - 1];

	assert(index >= 1 && index <= POSTGRES_PARAMETERS);
	if (mine->parameter_count < index)
		mine->parameter_count = index;
	if (parameter->capacity < size + 1) {
		free(parameter->bytes);
		parameter->capacity = 2 * (size + 1);
		parameter->bytes = malloc(parameter->capacity);
		if (parameter->bytes == NULL)
			arena_out_of_memory();
	}
	parameter->is_null = false;
	parameter->is_binary = 0;
	parameter->length = 0;
	parameter->type = type;
	return parameter;
}

void postgres_bind_null(struct statement *statement, int index)
{
	bind(statement, index, 0, TYPE_INT8)->is_null = true;
}

void postgres_bind_integer(struct statement *statement, int index, int64_t value)
{
	enum { DIGITS = 24 };

	snprintf(bind(statement, index, DIGITS, TYPE_INT8)->bytes, DIGITS, "%" PRId64, value);
}

void postgres_bind_real(struct statement *statement, int index, double value)
{
	enum { DIGITS = 40 };

	snprintf(bind(statement, index, DIGITS, TYPE_FLOAT8)->bytes, DIGITS, "%.17g", value);
}

static bool is_utf8(const char *bytes, size_t length)
{
	uint32_t codepoint;
	size_t at, width;

	for (at = 0; at < length; at += width) {
		width = utf8_decode(bytes + at, length - at, &codepoint);
		if (width == 0)
			return false;
	}
	return true;
}

/* The server takes only UTF-8: a command may hold any bytes, which become \xNN as on the screen. */
void postgres_bind_text(struct statement *statement, int index, const char *bytes, size_t length,
			bool kept)
{
	struct arena *arena = arena_open();
	struct parameter *parameter;

	(void)kept;
	if (bytes != NULL && !is_utf8(bytes, length)) {
		bytes = text_clean(arena, bytes, length);
		length = strlen(bytes);
	}
	parameter = bind(statement, index, length, TYPE_TEXT);
	parameter->is_null = bytes == NULL;
	if (bytes != NULL)
		memcpy(parameter->bytes, bytes, length);
	parameter->bytes[length] = '\0';
	arena_close(arena);
}

void postgres_bind_blob(struct statement *statement, int index, const char *bytes, size_t length)
{
	struct parameter *parameter = bind(statement, index, length, TYPE_BYTEA);

	parameter->is_null = bytes == NULL;
	parameter->is_binary = 1;
	parameter->length = (int)length;
	if (bytes != NULL)
		memcpy(parameter->bytes, bytes, length);
}

bool postgres_is_null(struct statement *statement, int column)
{
	return api(statement->database)
	    ->PQgetisnull(own(statement)->result, own(statement)->row, column);
}

/* Big-endian, of the column's width. */
static uint64_t bits_of(struct statement *statement, int column, int *width)
{
	const PGresult *result = own(statement)->result;
	const char *bytes =
	    api(statement->database)->PQgetvalue(result, own(statement)->row, column);
	uint64_t bits = 0;
	int i;

	*width = postgres_is_null(statement, column)
		     ? 0
		     : api(statement->database)->PQgetlength(result, own(statement)->row, column);
	for (i = 0; i < *width; i++)
		bits = bits << 8 | (unsigned char)bytes[i];
	return bits;
}

int64_t postgres_integer(struct statement *statement, int column)
{
	int width;
	uint64_t bits = bits_of(statement, column, &width);

	return width == 4 ? (int64_t)(int32_t)bits : (int64_t)bits;
}

double postgres_real(struct statement *statement, int column)
{
	int width;
	uint64_t bits = bits_of(statement, column, &width);
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

struct column_bytes postgres_bytes(struct statement *statement, int column)
{
	const PGresult *result = own(statement)->result;
	int row = own(statement)->row;

	if (api(statement->database)->PQgetisnull(result, row, column))
		return (struct column_bytes){ NULL, 0 };
	return (struct column_bytes){
		api(statement->database)->PQgetvalue(result, row, column),
		(size_t)api(statement->database)->PQgetlength(result, row, column)
	};
}
