/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A path cache beside a plain table: see path_model.h. */
#include "path_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "specimens/paths/path.h"

enum { NODES = 48, NAMES = 20, DEPTH = 5, PATH_BYTES = DEPTH * 260, MOVES = 1500, NONE = -1 };

struct node {
	bool used, directory;
	int parent; /* NONE: the root */
	int name;
	uint64_t id;
};

struct model {
	const struct path_kind *kind;
	struct path_cache *cache;
	struct path_thread thread;
	struct random random;
	struct node nodes[NODES];
	char names[NAMES][256];
	uint64_t last_id;
	struct trial *trial;
};

/* Around the lengths at which a word or the room in an entry ends; long ones differ at their end
 * or at their beginning. */
static void make_names(struct model *model)
{
	static const size_t lengths[NAMES] = { 1,  1,  2,  3,  7,  7,  8,  8,  9,   16,
					       31, 31, 32, 32, 33, 33, 64, 64, 255, 255 };
	size_t i;

	for (i = 0; i < NAMES; i++) {
		memset(model->names[i], 'n', lengths[i]);
		model->names[i][lengths[i]] = 0;
		if (i > 0 && lengths[i] == lengths[i - 1])
			model->names[i][i % 4 == 1 ? 0 : lengths[i] - 1] = '.';
	}
}

/* A place: a directory that may not be one, and a name in it. */
struct spot {
	int parent, name;
	char path[PATH_BYTES];
	bool is_deep; /* deeper than paths here may be */
};

static size_t write_path(const struct model *model, int node, char *path)
{
	size_t length = node == NONE ? 0 : write_path(model, model->nodes[node].parent, path);

	if (node == NONE)
		return 0;
	return length +
	       (size_t)sprintf(path + length, "/%s", model->names[model->nodes[node].name]);
}

static int depth_of(const struct model *model, int node)
{
	return node == NONE ? 0 : 1 + depth_of(model, model->nodes[node].parent);
}

static int height_of(const struct model *model, int node)
{
	int height = 0, i;

	for (i = 0; i < NODES; i++)
		if (model->nodes[i].used && model->nodes[i].parent == node &&
		    height_of(model, i) + 1 > height)
			height = height_of(model, i) + 1;
	return height;
}

static int random_node(struct model *model)
{
	int node = (int)random_below(&model->random, NODES + 4);

	return node < NODES && model->nodes[node].used ? node : NONE;
}

static void random_spot(struct model *model, struct spot *spot)
{
	size_t length;

	spot->parent = random_node(model);
	spot->name = (int)random_below(&model->random, NAMES);
	spot->is_deep = depth_of(model, spot->parent) + 1 > DEPTH;
	length = spot->is_deep ? 0 : write_path(model, spot->parent, spot->path);
	if (!spot->is_deep)
		sprintf(spot->path + length, "/%s", model->names[spot->name]);
}

static int find(const struct model *model, const struct spot *spot)
{
	int i;

	for (i = 0; i < NODES; i++)
		if (model->nodes[i].used && model->nodes[i].parent == spot->parent &&
		    model->nodes[i].name == spot->name)
			return i;
	return NONE;
}

static bool is_directory(const struct model *model, int node)
{
	return node == NONE || model->nodes[node].directory;
}

static bool is_below(const struct model *model, int node, int above)
{
	while (node != NONE && node != above)
		node = model->nodes[node].parent;
	return node == above;
}

static bool differs(struct model *model, const char *what, const char *path, bool got)
{
	snprintf(model->trial->why, sizeof model->trial->why, "%s %.150s was %s", what, path,
		 got ? "done, or found, and must not be" : "refused, or not found, without reason");
	return false;
}

static bool look(struct model *model, const char *path, uint64_t id)
{
	struct path_handle found = { .id = 0 };
	/* Where it ends the memory ends, for AddressSanitizer to see. */
	size_t length = strlen(path);
	char *copy = malloc(length + (length == 0));
	bool got;

	memcpy(copy, path, length);
	got = model->kind->lookup(model->cache, &model->thread, copy, length, &found);
	free(copy);
	if (got)
		model->kind->put(model->cache, &found);
	if (got != (id != 0))
		return differs(model, "the lookup of", path, got);
	if (!got || found.id == id)
		return true;
	snprintf(model->trial->why, sizeof model->trial->why,
		 "the lookup of %.150s found another entry", path);
	return false;
}

static bool create(struct model *model)
{
	struct spot spot;
	bool directory = random_below(&model->random, 2) == 0, wanted, got;
	int node = 0;

	random_spot(model, &spot);
	while (node < NODES && model->nodes[node].used)
		node++;
	if (spot.is_deep || node == NODES ||
	    (model->kind->whole_paths && !is_directory(model, spot.parent)))
		return true;
	wanted = is_directory(model, spot.parent) && find(model, &spot) == NONE;
	got = model->kind->create(model->cache, spot.path, ++model->last_id, directory);
	if (got != wanted)
		return differs(model, "the creation of", spot.path, got);
	if (wanted)
		model->nodes[node] = (struct node){ .used = true,
						    .directory = directory,
						    .parent = spot.parent,
						    .name = spot.name,
						    .id = model->last_id };
	return look(model, spot.path,
		    wanted			 ? model->last_id
		    : find(model, &spot) == NONE ? 0
						 : model->nodes[find(model, &spot)].id);
}

static bool delete (struct model *model)
{
	struct spot spot;
	bool wanted, got;
	int node;

	random_spot(model, &spot);
	node = find(model, &spot);
	if (spot.is_deep || (model->kind->whole_paths && node != NONE && is_directory(model, node)))
		return true;
	wanted = node != NONE && height_of(model, node) == 0;
	got = model->kind->remove(model->cache, spot.path);
	if (got != wanted)
		return differs(model, "the removal of", spot.path, got);
	if (wanted)
		model->nodes[node].used = false;
	return look(model, spot.path, node == NONE || wanted ? 0 : model->nodes[node].id);
}

static bool may_rename(const struct model *model, int from, const struct spot *spot)
{
	int to = find(model, spot);

	if (!is_directory(model, spot->parent) || is_below(model, spot->parent, from))
		return false;
	return to == NONE || to == from ||
	       (model->nodes[to].directory == model->nodes[from].directory &&
		height_of(model, to) == 0);
}

static bool move(struct model *model)
{
	int from = random_node(model), to;
	char path[PATH_BYTES];
	struct spot spot;
	bool wanted, got;

	random_spot(model, &spot);
	if (from == NONE || spot.is_deep ||
	    depth_of(model, spot.parent) + 1 + height_of(model, from) > DEPTH ||
	    (model->kind->whole_paths &&
	     (is_directory(model, from) || !is_directory(model, spot.parent))))
		return true;
	write_path(model, from, path);
	to = find(model, &spot);
	wanted = may_rename(model, from, &spot);
	got = model->kind->rename(model->cache, path, spot.path);
	if (got != wanted)
		return differs(model, "the renaming to", spot.path, got);
	if (!wanted || to == from)
		return look(model, path, model->nodes[from].id);
	if (to != NONE)
		model->nodes[to].used = false;
	model->nodes[from].parent = spot.parent;
	model->nodes[from].name = spot.name;
	return look(model, path, 0) && look(model, spot.path, model->nodes[from].id);
}

/* All that are there, and one that may be. */
static bool look_at_all(struct model *model)
{
	char path[PATH_BYTES];
	struct spot spot;
	int i;

	for (i = 0; i < NODES; i++) {
		if (!model->nodes[i].used)
			continue;
		write_path(model, i, path);
		if (!look(model, path, model->nodes[i].id))
			return false;
	}
	random_spot(model, &spot);
	i = find(model, &spot);
	return spot.is_deep || look(model, spot.path, i == NONE ? 0 : model->nodes[i].id);
}

static bool play(struct model *model)
{
	uint64_t moves, count = MOVES * model->trial->size;

	for (moves = 0; moves < count; moves++) {
		bool ok;

		switch (random_below(&model->random, 8)) {
		case 0:
		case 1:
		case 2:
			ok = create(model);
			break;
		case 3:
		case 4:
			ok = delete (model);
			break;
		case 5:
		case 6:
			ok = move(model);
			break;
		default:
			ok = look_at_all(model);
			break;
		}
		if (!ok)
			return false;
	}
	return true;
}

bool path_model_check(struct trial *trial)
{
	static const struct path_settings settings[] = {
		{ .buckets = 2, .hash_bits = 0, .deferred = 1 },
		{ .buckets = 16, .hash_bits = 2, .deferred = 16 },
		{ .buckets = 256, .hash_bits = 32, .deferred = 64 },
	};
	static struct model model;
	const char *rule;
	size_t i;

	for (i = 0; i < sizeof settings / sizeof *settings; i++) {
		memset(&model, 0, sizeof model);
		model.kind = trial->variant;
		model.random.state = trial->seed + i;
		model.trial = trial;
		make_names(&model);
		path_thread_enter(&model.thread);
		model.cache = model.kind->make(&settings[i]);
		if (!play(&model))
			return false;
		rule = model.kind->check(model.cache);
		if (rule != NULL) {
			snprintf(trial->why, sizeof trial->why, "%s", rule);
			return false;
		}
		model.kind->release(model.cache);
		path_thread_leave(&model.thread);
	}
	return true;
}
