/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where instructions are executed, as JSON and back: see codec_where.h and docs/recording.md. */
#include "model/codec_where.h"

#include <float.h>
#include <string.h>

#include "model/codec_fields.h"

enum { MOST_ROWS = 10000000 };

static struct json *row_to_json(const struct where_row *row)
{
	struct json *json = json_object();

	json_set(json, "work", field_from_text(row->work));
	json_set(json, "candidate", json_integer((int64_t)row->candidate));
	json_set(json, "programs", json_boolean(row->programs));
	json_set(json, "function", field_from_text(row->function));
	json_set(json, "baseline", json_number(row->baseline));
	json_set(json, "other", json_number(row->other));
	json_set(json, "baseline_bytes", json_number(row->baseline_bytes));
	json_set(json, "other_bytes", json_number(row->other_bytes));
	return json;
}

struct json *where_to_json(const struct recording *recording)
{
	struct json *array = json_array();
	size_t i;

	for (i = 0; i < recording->where_count; i++)
		json_push(array, row_to_json(&recording->where[i]));
	return array;
}

static bool read_row(const struct fields *fields, size_t subject_count, struct where_row *row)
{
	return field_object(fields) && field_text(fields, "work", &row->work) &&
	       field_size(fields, "candidate", subject_count - 1, &row->candidate) &&
	       field_boolean(fields, "programs", &row->programs) &&
	       field_text_or_null(fields, "function", &row->function) &&
	       field_number(fields, "baseline", 0, DBL_MAX, &row->baseline) &&
	       field_number(fields, "other", 0, DBL_MAX, &row->other) &&
	       field_number_or_null(fields, "baseline_bytes", &row->baseline_bytes) &&
	       field_number_or_null(fields, "other_bytes", &row->other_bytes);
}

static bool same_group(const struct where_row *one, const struct where_row *other)
{
	return one->candidate == other->candidate && strcmp(one->work, other->work) == 0;
}

/* Each work of each candidate is the whole, the programs, then functions. */
static bool check_order(const struct where_row *rows, size_t count, struct error *err)
{
	size_t place = 0, i;

	for (i = 0; i < count; i++) {
		const struct where_row *row = &rows[i];
		bool ends = i + 1 == count || !same_group(row, &rows[i + 1]);
		bool right = place == 0	  ? row->function == NULL && !row->programs && !ends
			     : place == 1 ? row->function == NULL && row->programs
					  : row->function != NULL && !row->programs;

		if (!right)
			return error_set(
			    err, ERROR_INPUT,
			    "where: row %zu: of each work come the whole, the programs, "
			    "then functions",
			    i);
		place = ends ? 0 : place + 1;
	}
	return true;
}

bool where_from_json(struct arena *arena, const struct json *json, struct recording *recording,
		     struct error *err)
{
	struct where_row *rows;
	size_t count, i;

	if (json == NULL || json_is_null(json))
		return true;
	count = json_count(json);
	if (!json_is_array(json) || count > MOST_ROWS)
		return error_set(err, ERROR_INPUT, "\"where\" must be a list of at most %d rows",
				 MOST_ROWS);
	rows = arena_alloc(arena, count, sizeof *rows);
	for (i = 0; i < count; i++) {
		struct fields row = { arena, json_item(json, i), err };

		if (!read_row(&row, recording->plan.subject_count, &rows[i]))
			return error_prefix(err, "where: row %zu", i);
	}
	recording->where = rows;
	recording->where_count = count;
	return check_order(rows, count, err);
}
