/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * criterion.rs: a directory, target/criterion or one below it, in which each
 * benchmark has
 *
 *	ID.../new/sample.json, benchmark.json     the last run
 *	ID.../base/...                            what the next run compares with
 *	ID.../NAME/...                            saved with --save-baseline NAME
 *
 * or one sample.json. A sample is a time over a number of iterations. After
 * each run criterion copies new over base, so that base tells nothing unless it
 * differs from new; saved baselines are sides of their own. The relative
 * change that criterion keeps in change/ has no runs and is not read.
 */
#include <fts.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "formats/input/json.h"

enum { SMALL_FILE_BYTES = 1 << 20, DEPTH = 8 };

struct sample {
	struct json_numbers iterations, times;
};

struct identity {
	const char *full_id, *group_id, *function_id, *value;
	bool alone; /* one file that the user named, not one of a directory */
};

static const struct json_field identity_fields[] = {
	{ "full_id", FIELD_STRING, offsetof(struct identity, full_id), true },
	{ "group_id", FIELD_STRING, offsetof(struct identity, group_id), true },
	{ "function_id", FIELD_STRING, offsetof(struct identity, function_id), true },
	{ "value_str", FIELD_STRING, offsetof(struct identity, value), true },
};

static bool visit_sample(void *context, struct json_stream *stream, const struct json_event *event,
			 struct error *err)
{
	struct sample *sample = context;

	if (json_is_member(event, "iters"))
		return json_numbers_read(stream, event, &sample->iterations, err);
	if (json_is_member(event, "times"))
		return json_numbers_read(stream, event, &sample->times, err);
	return true;
}

struct identity_reader {
	struct arena *arena;
	struct identity identity;
};

static bool visit_identity(void *context, struct json_stream *stream,
			   const struct json_event *event, struct error *err)
{
	struct identity_reader *reader = context;
	bool taken;

	return json_stream_field(reader->arena, stream, event, identity_fields, 4,
				 &reader->identity, &taken, err);
}

/* Criterion's clock counts nanoseconds; a sample is their mean over its iterations. */
static struct reading time_of(const struct json_number *time, double iterations)
{
	struct reading reading = { .value = NAN };

	if (!(iterations > 0))
		return reading;
	reading.value = time->number / iterations * 1e-9;
	reading.quantum = fmax(1, time->quantum) / iterations * 1e-9;
	return reading;
}

static bool add_sample(struct input *input, struct results *results, size_t side,
		       const struct identity *identity, const struct sample *sample,
		       struct error *err)
{
	const char *keys[] = { "group", "function", "value" };
	const char *values[] = { identity->group_id, identity->function_id, identity->value };
	struct results_label labels[3];
	struct measure measure = { .benchmark = identity->full_id,
				   .metric = "time",
				   .unit = "s",
				   .better = BETTER_LOWER,
				   .labels = labels };
	size_t index, i;

	if (sample->times.count != sample->iterations.count)
		return input_error(input, 0, err,
				   "%zu \"times\" and %zu \"iters\"; expected as many of both",
				   sample->times.count, sample->iterations.count);
	for (i = 0; i < 3; i++)
		if (values[i] != NULL)
			labels[measure.label_count++] =
			    (struct results_label){ keys[i], values[i] };
	index = results_measure(results, &measure);
	for (i = 0; i < sample->times.count; i++) {
		struct reading reading =
		    time_of(&sample->times.items[i], sample->iterations.items[i].number);

		/* Of the many files of a directory a line alone tells nothing. */
		reading.line = identity->alone ? sample->times.items[i].line : 0;
		results_add(results, side, index, &reading);
	}
	return true;
}

static bool read_sample(struct input *input, struct results *results, size_t side,
			const struct identity *identity, struct error *err)
{
	struct sample sample = { 0 };
	bool good = json_input_object(input, 0, visit_sample, &sample, err) &&
		    add_sample(input, results, side, identity, &sample, err);

	json_numbers_release(&sample.iterations);
	json_numbers_release(&sample.times);
	return good;
}

/* One sample.json that was found: "ID.../BASELINE/sample.json". */
struct found {
	const char *directory; /* that holds it */
	const char *baseline;  /* its last name: "new", "base" or a saved one's */
	const char *id;	       /* from the place in the tree, where benchmark.json does not tell */
};

struct walk {
	struct arena *arena;
	struct found *items;
	size_t count, capacity;
};

static int by_name(const FTSENT **one, const FTSENT **other)
{
	return strcmp((*one)->fts_name, (*other)->fts_name);
}

static void add_found(struct walk *walk, const char *root, const char *path)
{
	struct found found = { 0 };
	char *directory = arena_strdup(walk->arena, path), *slash = strrchr(directory, '/');
	size_t root_length = strlen(root);

	*slash = '\0';
	found.directory = arena_strdup(walk->arena, directory);
	slash = strrchr(directory, '/');
	found.baseline = slash == NULL ? found.directory : arena_strdup(walk->arena, slash + 1);
	if (slash != NULL)
		*slash = '\0';
	found.id = strlen(directory) > root_length ? directory + root_length : "";
	found.id += found.id[0] == '/';
	*array_push(walk->arena, walk->items, walk->count, walk->capacity) = found;
}

/* All sample.json below root; links are not followed, so that there are no circles. */
static bool find_samples(struct walk *walk, const char *root, struct error *err)
{
	char *copy = arena_strdup(walk->arena, root);
	char *paths[] = { copy, NULL };
	FTS *tree;
	FTSENT *entry;

	while (strlen(copy) > 1 && copy[strlen(copy) - 1] == '/')
		copy[strlen(copy) - 1] = '\0';
	tree = fts_open(paths, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	if (tree == NULL)
		return error_set(err, ERROR_SYSTEM, "cannot read the directory %s", root);
	while ((entry = fts_read(tree)) != NULL) {
		if (entry->fts_info == FTS_D && entry->fts_level > DEPTH)
			fts_set(tree, entry, FTS_SKIP);
		if (entry->fts_info == FTS_F && strcmp(entry->fts_name, "sample.json") == 0)
			add_found(walk, copy, entry->fts_path);
	}
	fts_close(tree);
	return true;
}

/* The base beside a new one: whether it holds other bytes. */
static bool base_differs(struct arena *arena, const struct found *base)
{
	char *own = arena_printf(arena, "%s/sample.json", base->directory), *own_bytes, *new_bytes;
	char *other =
	    arena_printf(arena, "%.*s/new/sample.json",
			 (int)(strlen(base->directory) - strlen("/base")), base->directory);
	size_t own_length, new_length;

	return file_read(arena, own, SMALL_FILE_BYTES, &own_bytes, &own_length, NULL) &&
	       file_read(arena, other, SMALL_FILE_BYTES, &new_bytes, &new_length, NULL) &&
	       (own_length != new_length || memcmp(own_bytes, new_bytes, own_length) != 0);
}

static struct identity identify(struct arena *arena, const struct found *found)
{
	struct identity_reader reader = { .arena = arena };
	struct input *input =
	    input_open(arena_printf(arena, "%s/benchmark.json", found->directory), NULL);

	/* Without it, or with a broken one, the place in the tree tells the name. */
	if (input != NULL)
		json_input_object(input, 0, visit_identity, &reader, NULL);
	input_close(input);
	if (reader.identity.full_id == NULL)
		reader.identity.full_id = found->id;
	return reader.identity;
}

static bool read_found(struct results *results, struct arena *arena, const struct found *found,
		       bool named, struct error *err)
{
	struct identity identity = identify(arena, found);
	struct input *input =
	    input_open(arena_printf(arena, "%s/sample.json", found->directory), err);
	bool good =
	    input != NULL &&
	    read_sample(input, results, results_side(results, named ? found->baseline : NULL, 0),
			&identity, err);

	input_close(input);
	return good;
}

/* Where each side was read from: its first file, and how many there are. */
static void remark_places(struct results *results, const struct walk *kept)
{
	size_t i, k;

	for (i = 0; i < kept->count; i++) {
		const char *baseline = kept->items[i].baseline;
		size_t before = 0, behind = 0;

		for (k = 0; k < kept->count; k++)
			if (strcmp(kept->items[k].baseline, baseline) == 0)
				*(k < i ? &before : &behind) += 1;
		if (before > 0)
			continue;
		if (behind == 1)
			results_remark(results, "%s was read from %s/sample.json.", baseline,
				       kept->items[i].directory);
		else
			results_remark(results, "%s was read from %s/sample.json and %zu more.",
				       baseline, kept->items[i].directory, behind - 1);
	}
}

/* Only new, and what differs from it; alone it needs no name. */
static bool read_tree(struct input *input, struct results *results, struct arena *arena,
		      struct error *err)
{
	struct walk walk = { .arena = arena }, kept = { .arena = arena };
	bool named = false, dropped = false;
	size_t i;

	if (!find_samples(&walk, input_path(input), err))
		return false;
	for (i = 0; i < walk.count; i++) {
		const struct found *found = &walk.items[i];
		bool is_base = strcmp(found->baseline, "base") == 0;

		if (is_base && walk.count > 1 && !base_differs(arena, found)) {
			dropped = true;
			continue;
		}
		*array_push(arena, kept.items, kept.count, kept.capacity) = *found;
		named = named || strcmp(found->baseline, kept.items[0].baseline) != 0;
	}
	for (i = 0; i < kept.count; i++)
		if (!read_found(results, arena, &kept.items[i], named, err))
			return false;
	if (named)
		remark_places(results, &kept);
	if (dropped)
		results_remark(results,
			       "criterion copies new over base after each run: the two "
			       "are equal and only new is read; --save-baseline keeps one");
	return true;
}

static bool read(struct input *input, struct results *results, struct error *err)
{
	struct identity identity = { .full_id = "", .alone = true };
	struct arena *arena;
	bool good;

	if (!input_is_directory(input))
		return read_sample(input, results, results_side(results, NULL, 0), &identity, err);
	arena = arena_open();
	good = read_tree(input, results, arena, err);
	arena_close(arena);
	return good;
}

static int score(const struct head *head)
{
	static const char *const words[] = { "\"sampling_mode\"", "\"iters\"", "\"times\"", NULL };
	struct walk walk = { 0 };
	int found;

	if (!head->directory)
		return head_is_json(head, "{", words) ? SCORE_CERTAIN : SCORE_NO;
	walk.arena = arena_open();
	found = find_samples(&walk, head->path, NULL) && walk.count > 0;
	arena_close(walk.arena);
	return found ? SCORE_CERTAIN : SCORE_NO;
}

const struct format format_criterion = {
	.name = "criterion",
	.summary = "criterion.rs: target/criterion, a directory of it, or a sample.json",
	.expects =
	    "a directory with .../new/sample.json, or an object with \"iters\" and \"times\"",
	.score = score,
	.read = read,
};
