/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What holds for a tree that nobody uses: see tree.h. */
#include "specimens/paths/tree.h"

struct census {
	uint64_t entries, long_names;
	const char *rule; /* that does not hold; NULL so far */
};

static void count_entry(const struct path_tree *tree, const struct path_entry *entry,
			struct census *census)
{
	census->entries++;
	census->long_names += entry->long_name != NULL;
	if (entry->count != 1)
		census->rule = "an entry of the tree has another number of references than one";
	else if (entry->sequence % 2 != 0 || entry->lock != 0)
		census->rule = "a change of an entry has not ended";
	else if (entry->parent == NULL || !entry->parent->is_directory)
		census->rule = "an entry of the table is in no directory";
	else if ((entry->long_name != NULL) != (entry->length > NAME_INLINE_BYTES))
		census->rule = "an entry has a long name without need, or none";
	else if (entry->hash != (entry->hash & tree->hash_mask))
		census->rule = "an entry has more of a hash than counts";
}

/* Every entry is in its own chain; the entries say of how many directories they are children. */
static void count_all(struct path_tree *tree, struct census *census)
{
	size_t buckets = (size_t)1 << (64 - tree->bucket_shift), i;
	struct path_entry *entry;

	for (i = 0; i < buckets; i++)
		for (entry = tree->buckets[i]; entry != NULL; entry = entry->next) {
			count_entry(tree, entry, census);
			if (tree_bucket(tree, entry->parent, entry->hash) != &tree->buckets[i])
				census->rule = "an entry is in the chain of another";
		}
}

/* The children that directories count, the root among them. */
static uint64_t count_children(struct path_tree *tree)
{
	size_t buckets = (size_t)1 << (64 - tree->bucket_shift), i;
	uint64_t children = tree->root->children;
	const struct path_entry *entry;

	for (i = 0; i < buckets; i++)
		for (entry = tree->buckets[i]; entry != NULL; entry = entry->next)
			children += entry->children;
	return children;
}

const char *tree_check_quiet(struct path_tree *tree)
{
	struct census census = { 0 };

	count_all(tree, &census);
	if (census.rule != NULL)
		return census.rule;
	if (tree->root->count != 1)
		return "the root has another number of references than one";
	if (tree->rename_sequence % 2 != 0)
		return "a rename has not ended";
	if (census.entries != tree->entries)
		return "an entry is lost, or in the table twice";
	if (count_children(tree) != tree->entries)
		return "directories count other children than they have";
	if (tree->allocated != census.entries + census.long_names + 1)
		return "memory of what was removed is not given back";
	return NULL;
}
