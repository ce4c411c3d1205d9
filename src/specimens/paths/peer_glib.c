/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A peer, where the build has GLib: its hash table of whole paths, under a lock for readers and
 * writers. The first thing that comes to mind. */
#include "specimens/paths/path.h"

#ifdef SPECIMENS_GLIB

#include <glib.h>
#include <pthread.h>

#include "specimens/paths/whole.h"

struct table {
	_Alignas(SPECIMEN_APART) pthread_rwlock_t lock;
	GHashTable *paths;
	uint64_t hash_mask;
	_Atomic uint64_t allocated;
};

/* A key of the table is that of its value; lookups bring their own. */
struct key {
	const char *path;
	size_t length;
	uint64_t hash;
};

struct record {
	struct key key;
	struct path_whole whole;
	char path[]; /* of whole */
};

static guint key_hash(gconstpointer key)
{
	return (guint)((const struct key *)key)->hash;
}

static gboolean key_equal(gconstpointer left, gconstpointer right)
{
	const struct key *a = left, *b = right;

	return a->length == b->length && memcmp(a->path, b->path, a->length) == 0;
}

static struct key key_of(const struct table *table, const char *path, size_t length)
{
	return (struct key){ .path = path,
			     .length = length,
			     .hash = path_whole_hash(path, length) & table->hash_mask };
}

static struct record *look(const struct table *table, const char *path, size_t length)
{
	struct key key = key_of(table, path, length);

	return g_hash_table_lookup(table->paths, &key);
}

static void put_record(struct table *table, struct record *record)
{
	if (!path_whole_drop(&record->whole))
		return;
	atomic_fetch_sub_explicit(&table->allocated, 1, memory_order_relaxed);
	free(record);
}

static struct record *make_record(struct table *table, const char *path, uint64_t id,
				  bool directory)
{
	struct record *record = malloc(sizeof *record + strlen(path));

	if (record == NULL)
		return NULL;
	path_whole_init(&record->whole, path, id, directory);
	record->key = key_of(table, record->path, record->whole.length);
	atomic_fetch_add_explicit(&table->allocated, 1, memory_order_relaxed);
	return record;
}

static void drop(struct table *table, struct record *record)
{
	g_hash_table_remove(table->paths, &record->key);
	put_record(table, record);
}

static struct path_cache *glib_make(const struct path_settings *settings)
{
	struct table *table = aligned_alloc(SPECIMEN_APART, sizeof *table);

	if (table == NULL)
		return NULL;
	*table = (struct table){ .hash_mask = settings->hash_bits >= 32
						  ? UINT64_MAX
						  : (UINT64_C(1) << settings->hash_bits) - 1 };
	pthread_rwlock_init(&table->lock, NULL);
	table->paths = g_hash_table_new(key_hash, key_equal);
	return (struct path_cache *)table;
}

static void glib_release(struct path_cache *cache)
{
	struct table *table = (struct table *)cache;
	GHashTableIter place;
	gpointer record;

	g_hash_table_iter_init(&place, table->paths);
	while (g_hash_table_iter_next(&place, NULL, &record)) {
		g_hash_table_iter_steal(&place);
		put_record(table, record);
	}
	g_hash_table_destroy(table->paths);
	pthread_rwlock_destroy(&table->lock);
	free(table);
}

static bool glib_create(struct path_cache *cache, const char *path, uint64_t id, bool directory)
{
	struct table *table = (struct table *)cache;
	struct record *record = NULL;

	pthread_rwlock_wrlock(&table->lock);
	if (look(table, path, strlen(path)) == NULL)
		record = make_record(table, path, id, directory);
	if (record != NULL)
		g_hash_table_insert(table->paths, &record->key, record);
	pthread_rwlock_unlock(&table->lock);
	return record != NULL;
}

static bool glib_remove(struct path_cache *cache, const char *path)
{
	struct table *table = (struct table *)cache;
	struct record *record;

	pthread_rwlock_wrlock(&table->lock);
	record = look(table, path, strlen(path));
	if (record != NULL)
		drop(table, record);
	pthread_rwlock_unlock(&table->lock);
	return record != NULL;
}

static bool rename_locked(struct table *table, const char *from, const char *to)
{
	struct record *old = look(table, from, strlen(from));
	struct record *other = look(table, to, strlen(to)), *record;

	if (old == NULL || old->whole.directory)
		return false;
	if (other == old)
		return true;
	if (other != NULL && other->whole.directory)
		return false;
	record = make_record(table, to, old->whole.id, false);
	if (record == NULL)
		return false;
	if (other != NULL)
		drop(table, other);
	g_hash_table_insert(table->paths, &record->key, record);
	drop(table, old);
	return true;
}

static bool glib_rename(struct path_cache *cache, const char *from, const char *to)
{
	struct table *table = (struct table *)cache;
	bool ok;

	pthread_rwlock_wrlock(&table->lock);
	ok = rename_locked(table, from, to);
	pthread_rwlock_unlock(&table->lock);
	return ok;
}

SPECIMEN_INLINE bool glib_find(struct path_cache *cache, struct path_thread *thread,
			       const char *path, size_t length, struct path_handle *found)
{
	struct table *table = (struct table *)cache;
	struct record *record;

	(void)thread;
	pthread_rwlock_rdlock(&table->lock);
	record = look(table, path, length);
	if (record != NULL && !path_whole_take(&record->whole))
		record = NULL;
	pthread_rwlock_unlock(&table->lock);
	if (record == NULL)
		return false;
	found->id = record->whole.id;
	found->entry = record;
	return true;
}

SPECIMEN_INLINE void glib_put(struct path_cache *cache, struct path_handle *found)
{
	put_record((struct table *)cache, found->entry);
}

static uint64_t glib_peek(const struct path_handle *found)
{
	return ((const struct record *)found->entry)->whole.id;
}

static const char *glib_check(struct path_cache *cache)
{
	struct table *table = (struct table *)cache;
	GHashTableIter place;
	gpointer record;

	g_hash_table_iter_init(&place, table->paths);
	while (g_hash_table_iter_next(&place, NULL, &record))
		if (((struct record *)record)->whole.count != 1)
			return "a path has another number of references than one";
	if (g_hash_table_size(table->paths) != table->allocated)
		return "memory of what was removed is not given back";
	return NULL;
}

PATH_LOOKUPS(glib)

const struct path_kind path_peer_glib = {
	.name = "glib",
	.summary = "GLib's hash table of whole paths under a rwlock",
	.whole_paths = true,
	.make = glib_make,
	.release = glib_release,
	.create = glib_create,
	.remove = glib_remove,
	.rename = glib_rename,
	.lookup = glib_lookup,
	.put = glib_put,
	.peek = glib_peek,
	.lookups = glib_lookups,
	.check = glib_check,
};

#else

const struct path_kind path_peer_glib = {
	.name = "glib",
	.summary = "GLib's hash table of whole paths under a rwlock",
	.absent = "it is a shared library (package libglib2.0-dev), which worth-load-peers has",
};

#endif
