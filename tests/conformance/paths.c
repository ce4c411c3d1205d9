/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conformance of the path caches: every variant must hold, every broken one must be caught. */
#include "specimens/paths/path.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "broken/broken.h"
#include "path_model.h"

enum { CREW = 3, LOOKUPS = 20000, LOOKUPS_SANITIZED = 2000, STABLE = 64, MOVING = 8 };

#define LONG_NAME "a-name-that-is-too-long-for-the-room-that-an-entry-has"

/* What the threads of a check share: the first changes, the others look up. */
struct field {
	const struct path_kind *kind;
	struct path_cache *cache;
	struct path_thread threads[CREW];
	uint64_t lookups;	   /* of each reader */
	_Atomic uint32_t finished; /* readers */
	/* Odd while a change is under way. */
	_Atomic uint64_t version;
	void (*change)(struct crewman *crewman, struct field *field, uint64_t turn);
	void (*look)(struct crewman *crewman, struct field *field);
};

static bool create(struct field *field, const char *path, uint64_t id, bool directory)
{
	return field->kind->create(field->cache, path, id, directory);
}

static void rename_or_fail(struct crewman *crewman, struct field *field, const char *from,
			   const char *to)
{
	if (!field->kind->rename(field->cache, from, to))
		crew_fail(crewman, "the renaming of %s to %s was refused", from, to);
}

/* The id of what is there; 0: nothing. Held for a while, it stays what it is. */
static uint64_t look(struct crewman *crewman, struct field *field, const char *path)
{
	struct path_handle found = { .id = 0 };

	if (!field->kind->lookup(field->cache, &field->threads[crewman->index], path, strlen(path),
				 &found))
		return 0;
	if (random_below(&crewman->random, 16) == 0)
		sched_yield();
	if (found.entry != NULL && field->kind->peek(&found) != found.id)
		crew_fail(crewman, "what was found at %s changed while it was held", path);
	field->kind->put(field->cache, &found);
	return found.id;
}

static void take_part(struct crewman *crewman)
{
	struct field *field = crewman->context;
	uint64_t i;

	path_thread_enter(&field->threads[crewman->index]);
	if (crewman->index == 0) {
		for (i = 0; atomic_load(&field->finished) < CREW - 1 && !crew_stopped(crewman); i++)
			field->change(crewman, field, i);
	} else {
		for (i = 0; i < field->lookups && !crew_stopped(crewman); i++) {
			field->look(crewman, field);
			crew_progress(crewman);
		}
		atomic_fetch_add(&field->finished, 1);
	}
	path_thread_leave(&field->threads[crewman->index]);
}

static void field_init(struct field *field, const struct trial *trial, uint32_t buckets,
		       uint32_t hash_bits)
{
	struct path_settings settings = { .buckets = buckets,
					  .hash_bits = hash_bits,
					  .deferred = 8 };
	bool sanitized = conformance_is_thread_sanitized() || conformance_is_address_sanitized();

	field->kind = trial->variant;
	field->cache = field->kind->make(&settings);
	field->lookups = trial->size * (sanitized ? LOOKUPS_SANITIZED : LOOKUPS);
}

/* All threads, and then what must hold when all is quiet. */
static bool field_run(struct field *field, struct trial *trial)
{
	const char *rule;

	if (!crew_run(trial, CREW, take_part, field))
		return false;
	path_thread_enter(&field->threads[0]);
	rule = field->kind->check(field->cache);
	if (rule == NULL)
		field->kind->release(field->cache);
	path_thread_leave(&field->threads[0]);
	if (rule != NULL)
		snprintf(trial->why, sizeof trial->why, "%s", rule);
	return rule == NULL;
}

/*
 * Rename storm: names that are always there must always be found, while others
 * wander between the chains in which they are.
 */
static void storm_change(struct crewman *crewman, struct field *field, uint64_t turn)
{
	char from[160], to[160];
	uint64_t i = turn % MOVING, there = turn / MOVING % 2;

	snprintf(from, sizeof from, "/d%d/%s%d", (int)(there ? 1 : 0), there ? "to" : "from",
		 (int)i);
	snprintf(to, sizeof to, "/d%d/%s%d", (int)(there ? 0 : 1), there ? "from" : "to", (int)i);
	rename_or_fail(crewman, field, from, to);
}

static void storm_look(struct crewman *crewman, struct field *field)
{
	uint64_t i = random_below(&crewman->random, STABLE);
	char path[64];

	snprintf(path, sizeof path, "/d%d/stable%d", (int)(i % 2), (int)i);
	if (look(crewman, field, path) != 1000 + i)
		crew_fail(crewman, "%s, which is always there, was not found", path);
}

static bool storm(struct trial *trial)
{
	static struct field field;
	char path[64];
	bool ok;
	int i;

	field_init(&field, trial, 8, 32);
	field.change = storm_change;
	field.look = storm_look;
	ok = create(&field, "/d0", 10, true) && create(&field, "/d1", 11, true);
	for (i = 0; ok && i < STABLE; i++) {
		snprintf(path, sizeof path, "/d%d/stable%d", i % 2, i);
		ok = create(&field, path, 1000 + (uint64_t)i, false);
		if (i < MOVING) {
			snprintf(path, sizeof path, "/d0/from%d", i);
			ok = ok && create(&field, path, 100 + (uint64_t)i,
					  i % 2 != 0 && !field.kind->whole_paths);
		}
	}
	return ok && field_run(&field, trial);
}

/*
 * Two names of one entry, in two directories, that are never both its name and
 * its directory: who reads half a rename finds what never was.
 */
static const struct {
	const char *path;
	uint64_t id; /* 0: it is never there */
	bool deep;   /* needs that directories are renamed */
} halves[] = {
	{ "/a/xx", 100, false },
	{ "/b/yyyyyyyyyyyyyyyyyy", 100, false },
	{ "/a/yyyyyyyyyyyyyyyyyy", 0, false },
	{ "/b/xx", 0, false },
	{ "/a/dx/f", 201, true },
	{ "/b/dyyyyyyyy/f", 201, true },
	{ "/a/dyyyyyyyy/f", 0, true },
	{ "/b/dx/f", 0, true },
};

static void torn_change(struct crewman *crewman, struct field *field, uint64_t turn)
{
	bool back = turn / 2 % 2 != 0;

	if (turn % 2 == 0)
		rename_or_fail(crewman, field, halves[back].path, halves[!back].path);
	else if (!field->kind->whole_paths)
		rename_or_fail(crewman, field, back ? "/b/dyyyyyyyy" : "/a/dx",
			       back ? "/a/dx" : "/b/dyyyyyyyy");
}

static void torn_look(struct crewman *crewman, struct field *field)
{
	uint64_t i = random_below(&crewman->random,
				  field->kind->whole_paths ? 4 : sizeof halves / sizeof *halves);
	uint64_t id = look(crewman, field, halves[i].path);

	if (id != 0 && id != halves[i].id)
		crew_fail(crewman, "%s was found, which %s", halves[i].path,
			  halves[i].id == 0 ? "never was there" : "is something else");
}

static bool torn(struct trial *trial)
{
	static struct field field;

	field_init(&field, trial, 2, 0);
	field.change = torn_change;
	field.look = torn_look;
	return create(&field, "/a", 10, true) && create(&field, "/b", 11, true) &&
	       create(&field, "/a/xx", 100, false) && create(&field, "/a/dx", 200, true) &&
	       create(&field, "/a/dx/f", 201, false) && field_run(&field, trial);
}

/* One name, which each change replaces: always there, and never an older one after a newer. */
static void replace_change(struct crewman *crewman, struct field *field, uint64_t turn)
{
	if (!create(field, "/d/new", 100 + turn, false))
		crew_fail(crewman, "the creation of /d/new was refused");
	rename_or_fail(crewman, field, "/d/new", "/d/name");
}

static void replace_look(struct crewman *crewman, struct field *field)
{
	static _Thread_local uint64_t last;
	uint64_t id = look(crewman, field, "/d/name");

	if (id == 0)
		crew_fail(crewman, "/d/name, which is always there, was not found");
	else if (id < last)
		crew_fail(crewman, "an older /d/name was found after a newer");
	last = id;
}

static bool replacement(struct trial *trial)
{
	static struct field field;

	field_init(&field, trial, 4, 1);
	field.change = replace_change;
	field.look = replace_look;
	return create(&field, "/d", 10, true) && create(&field, "/d/name", 99, false) &&
	       field_run(&field, trial);
}

/* Created and removed all the time, with a directory among them, while they are looked up and
 * held; long names and short ones. */
enum { CHURNED = 6 };
static const char *const churned[CHURNED] = {
	"/d/one", "/d/two", "/d/" LONG_NAME "1", "/d/" LONG_NAME "2", "/d/sub", "/d/sub/file"
};

static void churn_change(struct crewman *crewman, struct field *field, uint64_t turn)
{
	uint64_t i = random_below(&crewman->random, CHURNED);

	/* Either may be refused: it is there already, or not; or the directory has a file. */
	if (turn % 2 == 0)
		create(field, churned[i], 100 + i, i == 4);
	else if (i != 4 || !field->kind->whole_paths)
		field->kind->remove(field->cache, churned[i]);
}

static void churn_look(struct crewman *crewman, struct field *field)
{
	uint64_t i = random_below(&crewman->random, CHURNED);
	uint64_t id = look(crewman, field, churned[i]);

	if (id != 0 && id != 100 + i)
		crew_fail(crewman, "%s is something else", churned[i]);
}

static bool churn(struct trial *trial)
{
	static struct field field;

	field_init(&field, trial, 4, trial->seed % 2 ? 0 : 32);
	field.change = churn_change;
	field.look = churn_look;
	return create(&field, "/d", 10, true) && field_run(&field, trial);
}

/*
 * A directory that is moved with what is below it. A lookup during which nothing
 * changed says exactly where it is.
 */
static const char *const places[2] = { "/m/" LONG_NAME "/sub/file", "/n/" LONG_NAME "!/sub/file" };
static const char *const moved[2] = { "/m/" LONG_NAME, "/n/" LONG_NAME "!" };

static void moves_change(struct crewman *crewman, struct field *field, uint64_t turn)
{
	atomic_fetch_add(&field->version, 1);
	rename_or_fail(crewman, field, moved[turn % 2], moved[(turn + 1) % 2]);
	atomic_fetch_add(&field->version, 1);
	if (turn % 16 == 0)
		sched_yield();
}

static void moves_look(struct crewman *crewman, struct field *field)
{
	uint64_t place = random_below(&crewman->random, 2);
	uint64_t before = atomic_load(&field->version);
	uint64_t id = look(crewman, field, places[place]);
	bool there = before / 2 % 2 == place;

	if (id != 0 && id != 100)
		crew_fail(crewman, "%s is something else", places[place]);
	if (before % 2 == 0 && atomic_load(&field->version) == before && there != (id != 0))
		crew_fail(crewman, "%s was %s", places[place],
			  there ? "not found though it was there"
				: "found though it was elsewhere");
}

static bool moves(struct trial *trial)
{
	static struct field field;
	char path[128];
	bool ok;

	field_init(&field, trial, 4, 2);
	field.change = moves_change;
	field.look = moves_look;
	ok = create(&field, "/m", 10, true) && create(&field, "/n", 11, true) &&
	     create(&field, moved[0], 12, true);
	snprintf(path, sizeof path, "%s/sub", moved[0]);
	ok = ok && create(&field, path, 13, true) && create(&field, places[0], 100, false);
	return ok && field_run(&field, trial);
}

static bool model(struct trial *trial)
{
	return path_model_check(trial);
}

static const struct {
	const char *name;
	check_function function;
} checks[] = { { "model", model }, { "storm", storm },
	       { "torn", torn },   { "replacement", replacement },
	       { "churn", churn }, { "moves", moves } };

/* Why a check is not for a variant; NULL: it is. */
static const char *excused(const struct path_kind *kind, check_function function)
{
	if (kind->absent != NULL)
		return kind->absent;
	if (function == moves && kind->whole_paths)
		return "it does not move directories";
	if (conformance_is_thread_sanitized() && kind->opaque)
		return "ThreadSanitizer cannot see its atomics";
	return NULL;
}

static void check_kind(struct conformance *conformance, const struct path_kind *kind)
{
	size_t i;

	for (i = 0; i < sizeof checks / sizeof *checks; i++) {
		const char *why = excused(kind, checks[i].function);

		if (why != NULL)
			conformance_skip(conformance, kind->name, checks[i].name, why);
		else
			conformance_holds(conformance, kind->name, checks[i].name,
					  checks[i].function, kind);
	}
}

#define BROKEN(name, check, where) extern const struct path_kind path_##name;
#include "broken/paths/list.def"
#undef BROKEN

static const struct {
	const struct path_kind *kind;
	const char *check;
	check_function function;
	enum broken_build where;
} broken[] = {
#define BROKEN(name, check, where) { &path_##name, #check, check, where },
#include "broken/paths/list.def"
#undef BROKEN
};

static void suite(struct conformance *conformance)
{
	const struct path_kind *const *kind;
	size_t i;

	for (kind = path_kinds; *kind != NULL; kind++)
		check_kind(conformance, *kind);
	for (i = 0; i < sizeof broken / sizeof *broken; i++)
		if (broken_is_here(broken[i].where))
			conformance_caught(conformance, broken[i].kind->name, broken[i].check,
					   broken[i].function, broken[i].kind);
}

int main(int argc, char **argv)
{
	return conformance_main(argc, argv, suite);
}
