/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which symbol owns which bytes: the rules are at the top of symbols.c. One
 * sweep over the symbols of a section in the order of their offsets; what the
 * sweep leaves uncovered of executable sections is told apart by its content.
 */
#include "binary/extents.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "binary/content.h"

enum {
	LONGEST_PADDING = 64, /* no compiler aligns functions by more; more is a hole */
	USUAL_ALIGNMENT = 16,
};

/* One section under the sweep. */
struct sweep {
	struct reading *reading;
	struct arena *arena; /* for the work */
	struct code_section *section;
	struct pieces *pieces;
	unsigned machine;
	struct content content; /* object NULL: there is none */
	uint64_t end;		/* up to here every byte has its owner */
	size_t owner;		/* index of the last symbol added; CODE_NONE */
	struct names_found {
		const char **items;
		size_t count, capacity;
	} aliases; /* of the owner, so far */
};

/* qsort has no context: what is sorted carries all. */
struct key {
	size_t section;
	uint64_t offset;
	size_t index;
};

static int compare_keys(const void *left, const void *right)
{
	const struct key *a = left, *b = right;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static struct key *sorted_keys(const struct extents *extents)
{
	struct key *keys = arena_alloc(extents->arena, extents->count, sizeof *keys);
	size_t i;

	for (i = 0; i < extents->count; i++)
		keys[i] = (struct key){ extents->items[i].section, extents->items[i].offset, i };
	qsort(keys, extents->count, sizeof *keys, compare_keys);
	return keys;
}

/* How much a symbol says about its bytes. */
static unsigned weight(const struct code_symbol *symbol)
{
	static const unsigned by_binding[] = {
		[CODE_LOCAL] = 0, [CODE_WEAK] = 1, [CODE_UNIQUE] = 2, [CODE_GLOBAL] = 3
	};

	return (symbol->kind != CODE_SYMBOL_UNTYPED ? 4u : 0u) + by_binding[symbol->binding];
}

static bool tells_more(const struct code_symbol *left, const struct code_symbol *right)
{
	if (left->stated_bytes != right->stated_bytes)
		return left->stated_bytes > right->stated_bytes;
	if (weight(left) != weight(right))
		return weight(left) > weight(right);
	/* Symbol tables of two links have no common order; names do. */
	return strcmp(left->name, right->name) < 0;
}

/* Marks that linkers and linker scripts set: places, not data. */
static bool is_mark(const char *name)
{
	static const char *const marks[] = {
		"_end",		"end",		 "_edata",
		"edata",	"_etext",	 "etext",
		"__bss_start",	"__data_start",	 "data_start",
		"__dso_handle", "__TMC_END__",	 "_GLOBAL_OFFSET_TABLE_",
		"_DYNAMIC",	"__FRAME_END__", "__GNU_EH_FRAME_HDR"
	};
	size_t i;

	if (strncmp(name, "__start_", 8) == 0 || strncmp(name, "__stop_", 7) == 0 ||
	    strncmp(name, "__end_", 6) == 0 || strncmp(name, "__begin_", 8) == 0)
		return true;
	for (i = 0; i < sizeof marks / sizeof *marks; i++)
		if (strcmp(name, marks[i]) == 0)
			return true;
	return false;
}

static void add_piece(struct sweep *sweep, uint64_t offset, uint64_t bytes, enum code_label label)
{
	struct pieces *pieces = sweep->pieces;
	struct piece *last = pieces->count > 0 ? &pieces->items[pieces->count - 1] : NULL;

	if (bytes == 0)
		return;
	switch (label) {
	case CODE_LABEL_FUNCTION:
		sweep->section->function_bytes += bytes;
		break;
	case CODE_LABEL_PADDING:
		sweep->section->padding_bytes += bytes;
		break;
	case CODE_LABEL_HOLE:
		sweep->section->hole_bytes += bytes;
		break;
	default:
		sweep->section->unnamed_bytes += bytes;
	}
	if (last != NULL && last->label == label)
		last->bytes += bytes;
	else
		*array_push(sweep->reading->arena, pieces->items, pieces->count, pieces->capacity) =
		    (struct piece){ offset, bytes, label };
}

static enum code_label filler_label(uint64_t bytes)
{
	return bytes < LONGEST_PADDING ? CODE_LABEL_PADDING : CODE_LABEL_HOLE;
}

/* Without content (a file of debug information alone): what fills up to an alignment is padding. */
static void add_unread_gap(struct sweep *sweep, uint64_t start, uint64_t end)
{
	uint64_t alignment = end == 0 ? 1 : end & (~end + 1);
	bool padding = end - start < LONGEST_PADDING && end - start < alignment &&
		       end != sweep->section->address_bytes;

	add_piece(sweep, start, end - start, padding ? CODE_LABEL_PADDING : CODE_LABEL_UNNAMED);
}

/* From start to end of an executable section no symbol covers anything. */
static void add_gap(struct sweep *sweep, uint64_t start, uint64_t end)
{
	uint64_t length = end - start, first, last = 0;

	if (!sweep->section->executable || length == 0)
		return;
	if (sweep->content.object == NULL) {
		add_unread_gap(sweep, start, end);
		return;
	}
	first = content_filler_at_start(&sweep->content, sweep->machine, start, length);
	if (first < length)
		last = content_filler_at_end(&sweep->content, sweep->machine, start + first,
					     length - first);
	add_piece(sweep, start, first, filler_label(first));
	add_piece(sweep, start + first, length - first - last, CODE_LABEL_UNNAMED);
	add_piece(sweep, end - last, last, filler_label(last));
}

static void finish_owner(struct sweep *sweep)
{
	struct code_symbol *owner;

	if (sweep->owner == CODE_NONE || sweep->aliases.count == 0)
		return;
	owner = &sweep->reading->image->symbols[sweep->owner];
	owner->aliases = arena_copy(sweep->reading->arena, sweep->aliases.items,
				    sweep->aliases.count * sizeof *sweep->aliases.items);
	owner->alias_count = sweep->aliases.count;
	sweep->aliases.count = 0;
}

static void add_symbol(struct sweep *sweep, const struct code_symbol *symbol, uint64_t start,
		       uint64_t end, bool inferred)
{
	struct code_image *image = sweep->reading->image;
	struct code_symbol *added;

	finish_owner(sweep);
	added = array_push(sweep->reading->arena, image->symbols, image->symbol_count,
			   sweep->reading->symbol_capacity);
	*added = *symbol;
	added->bytes = end - start;
	added->inferred = inferred;
	sweep->owner = image->symbol_count - 1;
	sweep->section->symbol_bytes += end - start;
	add_gap(sweep, sweep->end, start);
	if (sweep->section->executable)
		add_piece(sweep, start, end - start, CODE_LABEL_FUNCTION);
	sweep->end = end;
}

/* Two tables may have the same symbol. */
static void add_alias(struct sweep *sweep, const char *name)
{
	if (sweep->owner != CODE_NONE &&
	    strcmp(sweep->reading->image->symbols[sweep->owner].name, name) == 0)
		return;
	*array_push(sweep->arena, sweep->aliases.items, sweep->aliases.count,
		    sweep->aliases.capacity) = name;
}

/* An unsized symbol reaches to the next one, without the filler that aligns that one; where filler
 * follows it, it marks an end (__entry_text_end before a hole of 1 MiB) and has no bytes. */
static uint64_t inferred_end(struct sweep *sweep, uint64_t start, uint64_t next)
{
	uint64_t length = next - start;
	uint64_t filler;

	if (!sweep->section->executable || sweep->content.object == NULL)
		return next;
	if (content_filler_at_start(&sweep->content, sweep->machine, start, length) >=
	    USUAL_ALIGNMENT)
		return start;
	filler = content_filler_at_end(&sweep->content, sweep->machine, start, length);
	if (filler == length ||
	    (filler < USUAL_ALIGNMENT && (sweep->section->address + next) % USUAL_ALIGNMENT != 0))
		return next;
	return next - filler;
}

/* The symbols items[first] .. items[last - 1] begin at one place; next is where others begin. */
static void sweep_group(struct sweep *sweep, const struct extents *extents, const struct key *keys,
			size_t first, size_t last, uint64_t next)
{
	const struct code_symbol *best = &extents->items[keys[first].index];
	uint64_t start = best->offset, size = sweep->section->address_bytes, end;
	size_t i;

	for (i = first + 1; i < last; i++)
		if (tells_more(&extents->items[keys[i].index], best))
			best = &extents->items[keys[i].index];
	end = best->stated_bytes > size - start ? size : start + best->stated_bytes;
	if (best->stated_bytes > 0 && end > sweep->end) {
		add_symbol(sweep, best, start > sweep->end ? start : sweep->end, end, false);
	} else if (best->stated_bytes == 0) {
		/* A label inside a sized symbol, or one that only marks a place. */
		if (start < sweep->end || is_mark(best->name))
			return;
		end = inferred_end(sweep, start, next);
		if (end == start)
			return;
		add_symbol(sweep, best, start, end, true);
	}
	for (i = first; i < last; i++) {
		const struct code_symbol *symbol = &extents->items[keys[i].index];

		if (symbol != best || sweep->owner == CODE_NONE ||
		    sweep->reading->image->symbols[sweep->owner].name != best->name)
			add_alias(sweep, symbol->name);
	}
}

/* What the file has of an executable section. */
static struct content content_of(const struct elf_object *object,
				 const struct code_section *section)
{
	struct content content = { .base = section->file_offset - object->offset,
				   .bytes = section->address_bytes };

	if (section->executable && section->in_file)
		content.object = object;
	return content;
}

/* All symbols of a section; returns the index behind them. */
static size_t sweep_section(struct sweep *sweep, const struct extents *extents,
			    const struct key *keys, size_t first)
{
	size_t section = keys[first].section;

	while (first < extents->count && keys[first].section == section) {
		size_t last = first + 1;
		uint64_t next = sweep->section->address_bytes;

		while (last < extents->count && keys[last].section == section &&
		       keys[last].offset == keys[first].offset)
			last++;
		if (last < extents->count && keys[last].section == section)
			next = keys[last].offset;
		sweep_group(sweep, extents, keys, first, last, next);
		first = last;
	}
	finish_owner(sweep);
	return first;
}

/* Common symbols have no place yet, so that none overlaps another. */
static void add_common(struct reading *reading, const struct extents *extents,
		       const struct key *keys, size_t first)
{
	for (; first < extents->count; first++)
		*array_push(reading->arena, reading->image->symbols, reading->image->symbol_count,
			    reading->symbol_capacity) = extents->items[keys[first].index];
}

void extents_divide(struct extents *extents, struct reading *reading,
		    const struct elf_object *object, const struct code_member *member)
{
	struct code_image *image = reading->image;
	struct key *keys = sorted_keys(extents);
	size_t next = 0, i;

	image->symbols = array_reserve(reading->arena, image->symbols, image->symbol_count,
				       image->symbol_count + extents->count,
				       &reading->symbol_capacity, sizeof *image->symbols);

	for (i = reading->first_section; i < image->section_count; i++) {
		struct sweep sweep = {
			.reading = reading,
			.arena = extents->arena,
			.section = &image->sections[i],
			.pieces = &reading->pieces[i],
			.machine = member->machine,
			.owner = CODE_NONE,
		};

		if (!sweep.section->loaded)
			continue;
		sweep.content = content_of(object, sweep.section);
		if (next < extents->count && keys[next].section == i)
			next = sweep_section(&sweep, extents, keys, next);
		add_gap(&sweep, sweep.end, sweep.section->address_bytes);
		content_release(&sweep.content);
	}
	add_common(reading, extents, keys, next);
}
