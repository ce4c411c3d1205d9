/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPECIMENS_PATHS_ENTRY_H
#define SPECIMENS_PATHS_ENTRY_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "specimens/paths/name.h"
#include "specimens/paths/path.h"

/*
 * An entry of a tree: a name in a directory. Two lines of cache: what walks
 * read, and what references write, so that who passes through a directory is not
 * disturbed by who refers to it.
 *
 *	line 1	chain, parent | sequence, hash, length, kind | 32 bytes of name
 *	line 2	references, lock | id | the rest of a long name | for changes
 *
 * The sequence count (as of the kernel's d_seq) is odd while the name or the
 * parent change. It needs no fences, for each of these is stored with release
 * and read with acquire: who read one of the new values reads a new count
 * afterwards (Boehm, "Can seqlocks get along with programming language memory
 * models?", MSPC 2012, has the alternatives).
 *
 * References: the tree has one of each entry, a handle one. Who drops the last
 * makes the count DEAD in the same step; a reference taken of a dead one does
 * not count. So nobody is brought back to life, and one thread frees.
 */
#define ENTRY_DEAD (INT32_MIN / 2)

/* Memory that is freed after a grace period. */
struct path_retired {
	struct path_retired *next;
	void *memory;
};

/* Behind the first 32 bytes of a name there is the whole of it. */
struct path_long_name {
	struct path_retired retired;
	uint32_t length;
	char bytes[];
};

struct path_entry {
	_Alignas(SPECIMEN_APART) struct path_entry *_Atomic next;
	struct path_entry *_Atomic parent; /* NULL: removed */
	_Atomic uint32_t sequence;
	_Atomic uint32_t hash;
	_Atomic uint32_t length;
	uint32_t is_directory;
	_Atomic uint64_t words[NAME_WORDS];

	_Atomic int32_t count;
	_Atomic uint32_t lock;
	uint64_t id;
	struct path_long_name *_Atomic long_name; /* NULL: the name is not long */
	uint32_t children;			  /* for changes */
	struct path_retired retired;
};

_Static_assert(offsetof(struct path_entry, count) == 64, "walks and references have a line each");
_Static_assert(sizeof(struct path_entry) == 128, "an entry is two lines");

SPECIMEN_INLINE uint32_t entry_sequence(const struct path_entry *entry)
{
	return atomic_load_explicit(&entry->sequence, memory_order_acquire);
}

/* Whether nothing has changed since; what was read between was read with acquire. */
SPECIMEN_INLINE bool entry_is_since(const struct path_entry *entry, uint32_t sequence)
{
	return atomic_load_explicit(&entry->sequence, memory_order_relaxed) == sequence;
}

SPECIMEN_INLINE bool entry_has_long_name(const struct path_entry *entry,
					 const struct path_name *name)
{
	const struct path_long_name *whole =
	    atomic_load_explicit(&entry->long_name, memory_order_acquire);

	return whole != NULL && whole->length == name->length &&
	       memcmp(whole->bytes, name->bytes, name->length) == 0;
}

/* Where a change may be under way the answer is one only if the sequence stays the same. */
SPECIMEN_INLINE bool entry_is(const struct path_entry *entry, const struct path_entry *parent,
			      const struct path_name *name)
{
	uint32_t i;

	if (atomic_load_explicit(&entry->hash, memory_order_acquire) != name->hash)
		return false;
	SPECIMEN_STEP();
	if (atomic_load_explicit(&entry->parent, memory_order_acquire) != parent)
		return false;
	SPECIMEN_STEP();
	if (atomic_load_explicit(&entry->length, memory_order_acquire) != name->length)
		return false;
	if (__builtin_expect(name->length > NAME_INLINE_BYTES, 0))
		return entry_has_long_name(entry, name);
	for (i = 0; i * 8 < name->length; i++)
		if (atomic_load_explicit(&entry->words[i], memory_order_acquire) != name->words[i])
			return false;
	return true;
}

/* false: it is dead. */
SPECIMEN_INLINE bool entry_take(struct path_entry *entry)
{
	SPECIMEN_STEP();
	if (__builtin_expect(atomic_fetch_add_explicit(&entry->count, 1, memory_order_acquire) > 0,
			     1))
		return true;
	atomic_fetch_sub_explicit(&entry->count, 1, memory_order_relaxed);
	return false;
}

/* true: it was the last; the entry is dead and the caller's to retire. */
SPECIMEN_INLINE bool entry_drop(struct path_entry *entry)
{
	int32_t count = atomic_load_explicit(&entry->count, memory_order_relaxed), next;

	do {
		SPECIMEN_STEP();
		next = count == 1 ? ENTRY_DEAD : count - 1;
	} while (!atomic_compare_exchange_weak_explicit(
	    &entry->count, &count, next, memory_order_acq_rel, memory_order_relaxed));
	return next == ENTRY_DEAD;
}

/* A holder may be preempted: who waits long gives its CPU away. */
SPECIMEN_INLINE void entry_lock(struct path_entry *entry)
{
	uint32_t spins = 0;

	while (atomic_exchange_explicit(&entry->lock, 1, memory_order_acquire) != 0)
		while (atomic_load_explicit(&entry->lock, memory_order_relaxed) != 0) {
			SPECIMEN_PAUSE();
			if (++spins % 1024 == 0)
				sched_yield();
		}
}

SPECIMEN_INLINE void entry_unlock(struct path_entry *entry)
{
	atomic_store_explicit(&entry->lock, 0, memory_order_release);
}

#endif
