/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of a tree, one at a time, under readers that do not stop: see tree.h. */
#include "specimens/paths/tree.h"

#include <stdlib.h>

static void store_next(struct path_entry *_Atomic *link, struct path_entry *entry)
{
	SPECIMEN_STEP();
	atomic_store_explicit(link, entry, memory_order_release);
}

static struct path_tree *tree_of(struct path_cache *cache)
{
	return (struct path_tree *)cache;
}

/* What is allocated is counted: what is freed too early or never shows. */
static void *tree_allocate(struct path_tree *tree, size_t bytes)
{
	void *memory = aligned_alloc(SPECIMEN_APART,
				     (bytes + SPECIMEN_APART - 1) & ~(size_t)(SPECIMEN_APART - 1));

	if (memory != NULL)
		atomic_fetch_add_explicit(&tree->allocated, 1, memory_order_relaxed);
	return memory;
}

static void push_retired(struct path_tree *tree, struct path_retired *retired, void *memory)
{
	struct path_retired *first = atomic_load_explicit(&tree->retired, memory_order_relaxed);

	retired->memory = memory;
	do
		retired->next = first;
	while (!atomic_compare_exchange_weak_explicit(&tree->retired, &first, retired,
						      memory_order_release, memory_order_relaxed));
	atomic_fetch_add_explicit(&tree->retired_count, 1, memory_order_relaxed);
}

SPECIMEN_OUT_OF_LINE void tree_retire(struct path_tree *tree, struct path_entry *entry)
{
	struct path_long_name *name = atomic_load_explicit(&entry->long_name, memory_order_relaxed);

	if (name != NULL)
		push_retired(tree, &name->retired, name);
	push_retired(tree, &entry->retired, entry);
}

/* Frees what is there so far. Not inside a read section, and not under the mutex. */
static void free_retired(struct path_tree *tree)
{
	struct path_retired *retired, *next;
	uint64_t count = 0;

	retired = atomic_exchange_explicit(&tree->retired, NULL, memory_order_acquire);
	if (retired == NULL)
		return;
	rcu_wait();
	for (; retired != NULL; retired = next, count++) {
		next = retired->next;
		free(retired->memory);
	}
	atomic_fetch_sub_explicit(&tree->retired_count, count, memory_order_relaxed);
	atomic_fetch_sub_explicit(&tree->allocated, count, memory_order_relaxed);
}

static void free_retired_if_many(struct path_tree *tree)
{
	if (atomic_load_explicit(&tree->retired_count, memory_order_relaxed) >= tree->deferred_most)
		free_retired(tree);
}

/* The whole of a name that is longer than an entry has room for. */
static bool make_long_name(struct path_tree *tree, const struct path_name *name,
			   struct path_long_name **made)
{
	*made = NULL;
	if (name->length <= NAME_INLINE_BYTES)
		return true;
	*made = tree_allocate(tree, sizeof **made + name->length);
	if (*made == NULL)
		return false;
	(*made)->length = name->length;
	memcpy((*made)->bytes, name->bytes, name->length);
	return true;
}

/* The sequence is odd meanwhile; a name may be read in parts that never belonged together. */
static void set_name(struct path_entry *entry, struct path_entry *parent,
		     const struct path_name *name, struct path_long_name *long_name)
{
	uint32_t i;

	atomic_store_explicit(&entry->parent, parent, memory_order_release);
	SPECIMEN_STEP();
	atomic_store_explicit(&entry->hash, name->hash, memory_order_release);
	SPECIMEN_STEP();
	atomic_store_explicit(&entry->length, name->length, memory_order_release);
	for (i = 0; i < NAME_WORDS; i++) {
		SPECIMEN_STEP();
		atomic_store_explicit(&entry->words[i], i * 8 < name->length ? name->words[i] : 0,
				      memory_order_release);
	}
	atomic_store_explicit(&entry->long_name, long_name, memory_order_release);
}

static void change_begin(struct path_entry *entry)
{
	entry_lock(entry);
	atomic_fetch_add_explicit(&entry->sequence, 1, memory_order_relaxed);
	SPECIMEN_STEP();
}

static void change_end(struct path_entry *entry)
{
	SPECIMEN_STEP();
	atomic_fetch_add_explicit(&entry->sequence, 1, memory_order_release);
	entry_unlock(entry);
}

static void link_entry(struct path_tree *tree, struct path_entry *entry, struct path_entry *parent,
		       uint32_t hash)
{
	struct path_entry *_Atomic *bucket = tree_bucket(tree, parent, hash);

	store_next(&entry->next, atomic_load_explicit(bucket, memory_order_relaxed));
	store_next(bucket, entry);
}

/* Its own next stays: who stands on it goes on. */
static void unlink_entry(struct path_tree *tree, struct path_entry *entry)
{
	struct path_entry *_Atomic *link =
	    tree_bucket(tree, atomic_load_explicit(&entry->parent, memory_order_relaxed),
			atomic_load_explicit(&entry->hash, memory_order_relaxed));

	while (atomic_load_explicit(link, memory_order_relaxed) != entry)
		link = &atomic_load_explicit(link, memory_order_relaxed)->next;
	store_next(link, atomic_load_explicit(&entry->next, memory_order_relaxed));
}

static struct path_entry *make_entry(struct path_tree *tree, struct path_entry *parent,
				     const struct path_name *name, uint64_t id, bool directory)
{
	struct path_long_name *long_name;
	struct path_entry *entry;

	if (!make_long_name(tree, name, &long_name))
		return NULL;
	entry = tree_allocate(tree, sizeof *entry);
	if (entry == NULL) {
		if (long_name != NULL)
			push_retired(tree, &long_name->retired, long_name);
		return NULL;
	}
	*entry = (struct path_entry){ .count = 1, .id = id, .is_directory = directory };
	set_name(entry, parent, name, long_name);
	return entry;
}

static uint32_t bits_of(uint32_t buckets)
{
	uint32_t bits = 1;

	while (bits < 31 && UINT32_C(1) << bits < buckets)
		bits++;
	return bits;
}

struct path_cache *tree_make(const struct path_settings *settings)
{
	static const struct path_name none = { .length = 0 };
	struct path_tree *tree = aligned_alloc(SPECIMEN_APART, sizeof *tree);
	uint32_t bits = bits_of(settings->buckets);

	if (tree == NULL)
		return NULL;
	*tree = (struct path_tree){ .bucket_shift = 64 - bits,
				    .deferred_most = settings->deferred,
				    .hash_mask = settings->hash_bits >= 32
						     ? UINT32_MAX
						     : (UINT32_C(1) << settings->hash_bits) - 1 };
	futex_mutex_init(&tree->mutex);
	tree->buckets = calloc((size_t)1 << bits, sizeof *tree->buckets);
	tree->root = make_entry(tree, NULL, &none, 1, true);
	if (tree->buckets != NULL && tree->root != NULL)
		return (struct path_cache *)tree;
	free(tree->root);
	free(tree->buckets);
	free(tree);
	return NULL;
}

void tree_release(struct path_cache *cache)
{
	struct path_tree *tree = tree_of(cache);
	size_t count = (size_t)1 << (64 - tree->bucket_shift), i;
	struct path_entry *entry, *next;

	free_retired(tree);
	for (i = 0; i < count; i++)
		for (entry = tree->buckets[i]; entry != NULL; entry = next) {
			next = entry->next;
			free(entry->long_name);
			free(entry);
		}
	free(tree->root);
	free(tree->buckets);
	free(tree);
}

static struct path_entry *find_locked(const struct path_tree *tree, const struct path_entry *parent,
				      const struct path_name *name)
{
	struct path_entry *entry = tree_first(tree, parent, name->hash);

	while (entry != NULL && !entry_is(entry, parent, name))
		entry = entry_next(entry);
	return entry;
}

struct path_entry *tree_walk_locked(struct path_tree *tree, const char *path, size_t length)
{
	struct path_cursor cursor = path_cursor_of(path, length);
	struct path_entry *entry = tree->root;
	struct path_name name;

	while (entry != NULL && tree_next_name(tree, &cursor, &name))
		entry = find_locked(tree, entry, &name);
	if (entry != NULL && !entry_take(entry))
		entry = NULL;
	return entry;
}

/* Where a path leads, without its last part. */
struct place {
	struct path_entry *parent;
	struct path_name name;
	struct path_entry *entry; /* NULL: there is none */
};

/* false: there is no such directory, or the path is not one. */
static bool find_place(struct path_tree *tree, const char *path, struct place *place)
{
	struct path_cursor cursor = path_cursor_of(path, strlen(path));

	place->entry = tree->root;
	place->parent = NULL;
	while (tree_next_name(tree, &cursor, &place->name)) {
		place->parent = place->entry;
		if (place->parent == NULL || !place->parent->is_directory ||
		    place->name.length == 0 || place->name.length > PATH_NAME_MAXIMUM)
			return false;
		place->entry = find_locked(tree, place->parent, &place->name);
	}
	return place->parent != NULL;
}

bool tree_create(struct path_cache *cache, const char *path, uint64_t id, bool directory)
{
	struct path_tree *tree = tree_of(cache);
	struct path_entry *entry = NULL;
	struct place place;

	tree_lock(tree);
	if (find_place(tree, path, &place) && place.entry == NULL) {
		entry = make_entry(tree, place.parent, &place.name, id, directory);
		if (entry != NULL) {
			link_entry(tree, entry, place.parent, place.name.hash);
			place.parent->children++;
			tree->entries++;
		}
	}
	tree_unlock(tree);
	return entry != NULL;
}

/* The tree's reference is dropped when nobody can find it any more. */
static void take_out(struct path_tree *tree, struct path_entry *entry)
{
	struct path_entry *parent = atomic_load_explicit(&entry->parent, memory_order_relaxed);

	change_begin(entry);
	unlink_entry(tree, entry);
	atomic_store_explicit(&entry->parent, NULL, memory_order_release);
	change_end(entry);
	parent->children--;
	tree->entries--;
}

bool tree_remove(struct path_cache *cache, const char *path)
{
	struct path_tree *tree = tree_of(cache);
	struct place place;
	bool ok;

	tree_lock(tree);
	ok = find_place(tree, path, &place) && place.entry != NULL && place.entry->children == 0;
	if (ok) {
		take_out(tree, place.entry);
		tree_put(tree, place.entry);
	}
	tree_unlock(tree);
	free_retired_if_many(tree);
	return ok;
}

static bool is_below(const struct path_entry *entry, const struct path_entry *above)
{
	while (entry != NULL && entry != above)
		entry = atomic_load_explicit(&entry->parent, memory_order_relaxed);
	return entry == above;
}

static bool may_replace(const struct path_entry *entry, const struct place *to)
{
	return to->entry == NULL ||
	       (to->entry->is_directory == entry->is_directory && to->entry->children == 0);
}

/*
 * From one chain to another without a grace period. Who looks for the new name while neither it
 * nor what it replaces is there, or stands on the entry, sees by the rename sequence that a miss
 * is none.
 */
static void move(struct path_tree *tree, struct path_entry *entry, const struct place *to,
		 struct path_long_name *long_name)
{
	struct path_entry *parent = atomic_load_explicit(&entry->parent, memory_order_relaxed);

	atomic_fetch_add_explicit(&tree->rename_sequence, 1, memory_order_relaxed);
	if (to->entry != NULL)
		take_out(tree, to->entry);
	change_begin(entry);
	unlink_entry(tree, entry);
	set_name(entry, to->parent, &to->name, long_name);
	link_entry(tree, entry, to->parent, to->name.hash);
	change_end(entry);
	atomic_fetch_add_explicit(&tree->rename_sequence, 1, memory_order_release);
	parent->children--;
	to->parent->children++;
}

static bool rename_locked(struct path_tree *tree, const char *from, const char *to)
{
	struct path_long_name *long_name, *old_name;
	struct place old, new;

	if (!find_place(tree, from, &old) || old.entry == NULL || !find_place(tree, to, &new))
		return false;
	if (new.entry == old.entry)
		return true;
	if (is_below(new.parent, old.entry) || !may_replace(old.entry, &new) ||
	    !make_long_name(tree, &new.name, &long_name))
		return false;
	old_name = atomic_load_explicit(&old.entry->long_name, memory_order_relaxed);
	move(tree, old.entry, &new, long_name);
	if (new.entry != NULL)
		tree_put(tree, new.entry);
	if (old_name != NULL)
		push_retired(tree, &old_name->retired, old_name);
	return true;
}

bool tree_rename(struct path_cache *cache, const char *from, const char *to)
{
	struct path_tree *tree = tree_of(cache);
	bool ok;

	tree_lock(tree);
	ok = rename_locked(tree, from, to);
	tree_unlock(tree);
	free_retired_if_many(tree);
	return ok;
}

uint64_t tree_peek(const struct path_handle *found)
{
	return found->entry == NULL ? 0 : ((const struct path_entry *)found->entry)->id;
}

const char *tree_check(struct path_cache *cache)
{
	free_retired(tree_of(cache));
	return tree_check_quiet(tree_of(cache));
}
