/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A peer: liburcu's lock-free hash table (cds_lfht, after Shalev and Shavit's
 * split-ordered lists), with whole paths as its keys. What somebody takes who
 * wants to find things by path and never moves a directory.
 */
#include "specimens/paths/rcu.h"

#include <urcu/rculfhash.h>

#include "specimens/mutexes/futex.h"
#include "specimens/paths/path.h"
#include "specimens/paths/whole.h"

struct node {
	struct cds_lfht_node link;
	struct path_whole whole;
	char path[]; /* of whole */
};

struct table {
	struct cds_lfht *table;
	uint64_t hash_mask;
	uint32_t deferred_most;
	_Alignas(SPECIMEN_APART) struct futex_mutex mutex; /* of changes */
	struct path_retired *_Atomic retired;
	_Atomic uint64_t retired_count, allocated;
};

struct key {
	const char *path;
	size_t length;
};

static int is_key(struct cds_lfht_node *link, const void *pointer)
{
	const struct node *node = caa_container_of(link, struct node, link);
	const struct key *key = pointer;

	return path_whole_is(&node->whole, key->path, key->length);
}

/* Inside a read section. */
SPECIMEN_INLINE struct node *look(const struct table *table, const char *path, size_t length)
{
	struct key key = { .path = path, .length = length };
	struct cds_lfht_iter place;
	struct cds_lfht_node *link;

	cds_lfht_lookup(table->table, path_whole_hash(path, length) & table->hash_mask, is_key,
			&key, &place);
	link = cds_lfht_iter_get_node(&place);
	return link == NULL ? NULL : caa_container_of(link, struct node, link);
}

static void lock(struct table *table)
{
	if (!futex_mutex_try(&table->mutex))
		futex_mutex_wait(&table->mutex, 0);
}

static void unlock(struct table *table)
{
	if (futex_mutex_release(&table->mutex))
		futex_mutex_wake(&table->mutex);
}

static struct node *make_node(struct table *table, const char *path, uint64_t id, bool directory)
{
	struct node *node = malloc(sizeof *node + strlen(path));

	if (node == NULL)
		return NULL;
	cds_lfht_node_init(&node->link);
	path_whole_init(&node->whole, path, id, directory);
	atomic_fetch_add_explicit(&table->allocated, 1, memory_order_relaxed);
	return node;
}

static void put_node(struct table *table, struct node *node)
{
	struct path_retired *first;

	if (!path_whole_drop(&node->whole))
		return;
	first = atomic_load_explicit(&table->retired, memory_order_relaxed);
	node->whole.retired.memory = node;
	do
		node->whole.retired.next = first;
	while (!atomic_compare_exchange_weak_explicit(&table->retired, &first, &node->whole.retired,
						      memory_order_release, memory_order_relaxed));
	atomic_fetch_add_explicit(&table->retired_count, 1, memory_order_relaxed);
}

static void free_retired(struct table *table)
{
	struct path_retired *retired, *next;

	retired = atomic_exchange_explicit(&table->retired, NULL, memory_order_acquire);
	if (retired == NULL)
		return;
	rcu_wait();
	for (; retired != NULL; retired = next) {
		next = retired->next;
		free(retired->memory);
		atomic_fetch_sub_explicit(&table->retired_count, 1, memory_order_relaxed);
		atomic_fetch_sub_explicit(&table->allocated, 1, memory_order_relaxed);
	}
}

static void free_retired_if_many(struct table *table)
{
	if (atomic_load_explicit(&table->retired_count, memory_order_relaxed) >=
	    table->deferred_most)
		free_retired(table);
}

static uint64_t hash_of(const struct table *table, const struct node *node)
{
	return path_whole_hash(node->path, node->whole.length) & table->hash_mask;
}

static struct path_cache *lfht_make(const struct path_settings *settings)
{
	struct table *table = aligned_alloc(SPECIMEN_APART, sizeof *table);

	if (table == NULL)
		return NULL;
	*table = (struct table){ .deferred_most = settings->deferred,
				 .hash_mask = settings->hash_bits >= 32
						  ? UINT64_MAX
						  : (UINT64_C(1) << settings->hash_bits) - 1 };
	futex_mutex_init(&table->mutex);
	/* Of a fixed size: it would make a thread of its own to grow. */
	table->table = cds_lfht_new_flavor(settings->buckets, settings->buckets, settings->buckets,
					   0, &urcu_memb_flavor, NULL);
	if (table->table != NULL)
		return (struct path_cache *)table;
	free(table);
	return NULL;
}

static void lfht_release(struct path_cache *cache)
{
	struct table *table = (struct table *)cache;
	struct cds_lfht_iter place;
	struct node *node;

	rcu_enter();
	cds_lfht_for_each_entry(table->table, &place, node, link)
	{
		cds_lfht_del(table->table, &node->link);
		put_node(table, node);
	}
	rcu_leave();
	free_retired(table);
	cds_lfht_destroy(table->table, NULL);
	free(table);
}

static bool lfht_create(struct path_cache *cache, const char *path, uint64_t id, bool directory)
{
	struct table *table = (struct table *)cache;
	struct node *node = NULL;

	lock(table);
	rcu_enter();
	if (look(table, path, strlen(path)) == NULL)
		node = make_node(table, path, id, directory);
	if (node != NULL)
		cds_lfht_add(table->table, hash_of(table, node), &node->link);
	rcu_leave();
	unlock(table);
	return node != NULL;
}

static bool lfht_remove(struct path_cache *cache, const char *path)
{
	struct table *table = (struct table *)cache;
	struct node *node;

	lock(table);
	rcu_enter();
	node = look(table, path, strlen(path));
	if (node != NULL) {
		cds_lfht_del(table->table, &node->link);
		put_node(table, node);
	}
	rcu_leave();
	unlock(table);
	free_retired_if_many(table);
	return node != NULL;
}

/* The new name replaces first, so that who looks it up finds the one or the other. */
static bool rename_locked(struct table *table, const char *from, const char *to)
{
	struct key key = { .path = to, .length = strlen(to) };
	struct node *old = look(table, from, strlen(from)), *other, *node;
	struct cds_lfht_node *replaced;

	if (old == NULL || old->whole.directory)
		return false;
	other = look(table, to, strlen(to));
	if (other == old)
		return true;
	if (other != NULL && other->whole.directory)
		return false;
	node = make_node(table, to, old->whole.id, false);
	if (node == NULL)
		return false;
	replaced =
	    cds_lfht_add_replace(table->table, hash_of(table, node), is_key, &key, &node->link);
	if (replaced != NULL)
		put_node(table, caa_container_of(replaced, struct node, link));
	cds_lfht_del(table->table, &old->link);
	put_node(table, old);
	return true;
}

static bool lfht_rename(struct path_cache *cache, const char *from, const char *to)
{
	struct table *table = (struct table *)cache;
	bool ok;

	lock(table);
	rcu_enter();
	ok = rename_locked(table, from, to);
	rcu_leave();
	unlock(table);
	free_retired_if_many(table);
	return ok;
}

SPECIMEN_INLINE bool lfht_find(struct path_cache *cache, struct path_thread *thread,
			       const char *path, size_t length, struct path_handle *found)
{
	struct node *node;

	(void)thread;
	rcu_enter();
	/* What has died since it was found may have been replaced: then the other one is there. */
	do
		node = look((struct table *)cache, path, length);
	while (node != NULL && !path_whole_take(&node->whole));
	rcu_leave();
	if (node == NULL)
		return false;
	found->id = node->whole.id;
	found->entry = node;
	return true;
}

SPECIMEN_INLINE void lfht_put(struct path_cache *cache, struct path_handle *found)
{
	put_node((struct table *)cache, found->entry);
}

static uint64_t lfht_peek(const struct path_handle *found)
{
	return ((const struct node *)found->entry)->whole.id;
}

static const char *lfht_check(struct path_cache *cache)
{
	struct table *table = (struct table *)cache;
	const char *rule = NULL;
	struct cds_lfht_iter place;
	uint64_t count = 0;
	struct node *node;

	free_retired(table);
	rcu_enter();
	cds_lfht_for_each_entry(table->table, &place, node, link)
	{
		count++;
		if (node->whole.count != 1)
			rule = "a path has another number of references than one";
	}
	rcu_leave();
	if (rule == NULL && count != table->allocated)
		rule = "memory of what was removed is not given back";
	return rule;
}

PATH_LOOKUPS(lfht)

const struct path_kind path_peer_lfht = {
	.name = "lfht",
	.summary = "liburcu's cds_lfht of whole paths",
	.whole_paths = true,
	.opaque = true,
	.make = lfht_make,
	.release = lfht_release,
	.create = lfht_create,
	.remove = lfht_remove,
	.rename = lfht_rename,
	.lookup = lfht_lookup,
	.put = lfht_put,
	.peek = lfht_peek,
	.lookups = lfht_lookups,
	.check = lfht_check,
};
