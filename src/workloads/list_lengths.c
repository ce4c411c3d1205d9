/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lengths of the lists: see list_lengths.h. */
#include "workloads/list_lengths.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"

enum { UNIFORM_ELEMENTS = 500000, LONGEST_FILE = 1 << 20, ORDER_SEED = 2017 };

/* So many lists of one length. */
struct length_row {
	uint64_t length, lists;
};

static const struct length_row front_end[] = {
#define LENGTH(length, lists) { length, lists },
#include "workloads/lengths.def"
#undef LENGTH
};

/* Always the same order (Fisher and Yates). */
static void shuffle(struct list_lengths *lengths)
{
	struct random random = { ORDER_SEED };
	size_t i;

	for (i = lengths->count; i > 1; i--) {
		size_t other = random_below(&random, i);
		uint32_t length = lengths->lengths[i - 1];

		lengths->lengths[i - 1] = lengths->lengths[other];
		lengths->lengths[other] = length;
	}
}

static bool lay_out(struct arena *arena, const struct length_row *rows, size_t count,
		    uint64_t limit, struct list_lengths *lengths, struct error *err)
{
	uint64_t lists = 0, i;
	size_t row;

	*lengths = (struct list_lengths){ 0 };
	for (row = 0; row < count; row++) {
		if (rows[row].lists > limit ||
		    rows[row].lists * rows[row].length > limit - lengths->elements)
			return error_set(err, ERROR_USAGE,
					 "the lists would have more than %llu elements; give fewer "
					 "of them",
					 (unsigned long long)limit);
		lists += rows[row].lists;
		lengths->elements += rows[row].lists * rows[row].length;
		if (rows[row].lists > 0 && rows[row].length > lengths->longest)
			lengths->longest = (uint32_t)rows[row].length;
	}
	if (lists == 0)
		return error_set(err, ERROR_USAGE, "there are no lists with elements");
	lengths->lengths = arena_alloc(arena, lists, sizeof *lengths->lengths);
	for (row = 0; row < count; row++)
		for (i = 0; i < rows[row].lists; i++)
			lengths->lengths[lengths->count++] = (uint32_t)rows[row].length;
	shuffle(lengths);
	return true;
}

static bool uniform(struct arena *arena, const char *word, uint64_t limit,
		    struct list_lengths *lengths, struct error *err)
{
	struct length_row row;
	char *end;

	row.length = strtoull(word, &end, 10);
	if (*end != '\0' || row.length == 0 || row.length > LIST_LENGTH_MAXIMUM)
		return error_set(err, ERROR_USAGE,
				 "--lengths %s: a length is a number from 1 to %d; a file needs a "
				 "'/' in its name",
				 text_clean(arena, word, strlen(word)), LIST_LENGTH_MAXIMUM);
	row.lists = row.length > UNIFORM_ELEMENTS ? 1 : UNIFORM_ELEMENTS / row.length;
	return lay_out(arena, &row, 1, limit, lengths, err);
}

/* "LENGTH LISTS", with blanks around; lines that begin with # say nothing. */
static bool read_row(char *line, struct length_row *row)
{
	char *end = line;

	if (line[0] < '0' || line[0] > '9')
		return false;
	row->length = strtoull(line, &end, 10);
	line = end + strspn(end, " \t");
	if (line == end || *line < '0' || *line > '9')
		return false;
	row->lists = strtoull(line, &end, 10);
	return end[strspn(end, " \t\r")] == '\0' && row->length > 0 &&
	       row->length <= LIST_LENGTH_MAXIMUM;
}

static bool from_file(struct arena *arena, const char *path, uint64_t limit,
		      struct list_lengths *lengths, struct error *err)
{
	struct length_row *rows = NULL, row;
	size_t count = 0, capacity = 0, length;
	unsigned number = 0;
	char *bytes, *line, *end;

	if (!file_read(arena, path, LONGEST_FILE, &bytes, &length, err))
		return false;
	for (line = bytes; *line != '\0'; line = end) {
		end = line + strcspn(line, "\n");
		if (*end == '\n')
			*end++ = '\0';
		line += strspn(line, " \t");
		number++;
		if (*line == '\0' || *line == '#')
			continue;
		if (!read_row(line, &row))
			return error_set(err, ERROR_USAGE,
					 "%s:%u: this is not 'LENGTH LISTS', two numbers",
					 text_clean(arena, path, strlen(path)), number);
		*array_push(arena, rows, count, capacity) = row;
	}
	return lay_out(arena, rows, count, limit, lengths, err);
}

bool list_lengths_make(struct arena *arena, const char *word, uint64_t limit,
		       struct list_lengths *lengths, struct error *err)
{
	if (strcmp(word, "front-end") == 0)
		return lay_out(arena, front_end, sizeof front_end / sizeof *front_end, limit,
			       lengths, err);
	if (strchr(word, '/') != NULL)
		return from_file(arena, word, limit, lengths, err);
	return uniform(arena, word, limit, lengths, err);
}
