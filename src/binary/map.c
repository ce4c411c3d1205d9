/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code map: each byte of the file, and of the memory image, gets exactly
 * one label. Both are one sweep over labelled areas in the order of their
 * start, in which an area gets what no area before it had; so the labels add
 * up to the whole whatever a damaged file claims, and what no area covers is a
 * gap.
 */
#include <elf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "binary/reading.h"

/* A stretch of the file or of memory, all of one label or divided into pieces. */
struct area {
	uint64_t start, bytes;
	enum code_label label;
	const struct pieces *pieces; /* NULL: all of label */
	size_t order;		     /* makes the sort stable */
};

struct areas {
	struct arena *arena;
	struct area *items;
	size_t count, capacity;
};

static void add_area(struct areas *areas, uint64_t start, uint64_t bytes, enum code_label label,
		     const struct pieces *pieces)
{
	/* What would end beyond the last address is cut there. */
	if (bytes > UINT64_MAX - start)
		bytes = UINT64_MAX - start;
	if (bytes > 0)
		*array_push(areas->arena, areas->items, areas->count, areas->capacity) =
		    (struct area){ start, bytes, label, pieces, areas->count };
}

static int compare_areas(const void *left, const void *right)
{
	const struct area *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* The part of [start, end) that lies in [*cursor, limit) is counted; what was jumped over is a gap.
 */
static void count_run(uint64_t start, uint64_t end, uint64_t limit, enum code_label label,
		      uint64_t *cursor, uint64_t *bytes)
{
	if (end > limit)
		end = limit;
	if (end <= *cursor)
		return;
	if (start > *cursor)
		bytes[CODE_LABEL_GAP] += start - *cursor;
	else
		start = *cursor;
	bytes[label] += end - start;
	*cursor = end;
}

/* Labels of [start, limit), from sorted areas. */
static void count_areas(const struct areas *areas, uint64_t start, uint64_t limit, uint64_t *bytes)
{
	uint64_t cursor = start;
	size_t i, j;

	for (i = 0; i < areas->count && areas->items[i].start < limit; i++) {
		const struct area *area = &areas->items[i];
		uint64_t end = area->start + area->bytes;

		if (end <= cursor)
			continue;
		if (area->pieces == NULL || area->pieces->count == 0) {
			count_run(area->start, end, limit, area->label, &cursor, bytes);
			continue;
		}
		for (j = 0; j < area->pieces->count; j++) {
			const struct piece *piece = &area->pieces->items[j];
			uint64_t from = area->start + piece->offset;

			if (piece->offset < area->bytes)
				count_run(from,
					  piece->bytes < end - from ? from + piece->bytes : end,
					  limit, piece->label, &cursor, bytes);
		}
	}
	if (cursor < limit)
		bytes[CODE_LABEL_GAP] += limit - cursor;
}

enum code_label label_of(enum code_section_kind kind)
{
	static const enum code_label labels[CODE_SECTION_KINDS] = {
		[CODE_SECTION_CODE] = CODE_LABEL_UNNAMED,
		[CODE_SECTION_READ_ONLY] = CODE_LABEL_READ_ONLY,
		[CODE_SECTION_METADATA] = CODE_LABEL_METADATA,
		[CODE_SECTION_LINKING] = CODE_LABEL_LINKING,
		[CODE_SECTION_DATA] = CODE_LABEL_DATA,
		[CODE_SECTION_BSS] = CODE_LABEL_BSS,
		[CODE_SECTION_TLS] = CODE_LABEL_TLS,
		[CODE_SECTION_DEBUG] = CODE_LABEL_DEBUG,
		[CODE_SECTION_SYMBOLS] = CODE_LABEL_SYMBOLS,
		[CODE_SECTION_OTHER] = CODE_LABEL_OTHER,
	};

	return labels[kind];
}

/* The headers of the object, as areas of the file from base. */
static void add_headers(struct areas *areas, Elf *elf, uint64_t base)
{
	GElf_Ehdr header;
	size_t sections = 0, segments = 0;

	if (gelf_getehdr(elf, &header) == NULL)
		return;
	elf_getshdrnum(elf, &sections);
	elf_getphdrnum(elf, &segments);
	add_area(areas, base, header.e_ehsize, CODE_LABEL_HEADERS, NULL);
	if (header.e_phoff != 0)
		add_area(areas, base + header.e_phoff,
			 segments * gelf_fsize(elf, ELF_T_PHDR, 1, EV_CURRENT), CODE_LABEL_HEADERS,
			 NULL);
	if (header.e_shoff != 0)
		add_area(areas, base + header.e_shoff,
			 sections * gelf_fsize(elf, ELF_T_SHDR, 1, EV_CURRENT), CODE_LABEL_HEADERS,
			 NULL);
}

static void map_file(struct reading *reading, struct areas *areas, const struct elf_object *object)
{
	const struct code_image *image = reading->image;
	uint64_t *bytes = reading->image->map.file_bytes;
	size_t i;

	areas->count = 0;
	add_headers(areas, object->elf, 0);
	for (i = reading->first_section; i < image->section_count; i++) {
		const struct code_section *section = &image->sections[i];

		add_area(areas, section->file_offset - object->offset, section->file_bytes,
			 label_of(section->kind), section->executable ? &reading->pieces[i] : NULL);
	}
	if (areas->count > 0)
		qsort(areas->items, areas->count, sizeof *areas->items, compare_areas);
	count_areas(areas, 0, object->bytes, bytes);
}

/* Relocatable objects have no addresses yet: the sum of what would be loaded. */
static void map_loaded_sections(struct reading *reading)
{
	struct code_image *image = reading->image;
	uint64_t *bytes = image->map.memory_bytes;
	size_t i;

	for (i = reading->first_section; i < image->section_count; i++) {
		const struct code_section *section = &image->sections[i];

		if (section->executable) {
			bytes[CODE_LABEL_FUNCTION] += section->function_bytes;
			bytes[CODE_LABEL_UNNAMED] += section->unnamed_bytes;
			bytes[CODE_LABEL_PADDING] += section->padding_bytes;
			bytes[CODE_LABEL_HOLE] += section->hole_bytes;
		} else if (section->loaded) {
			bytes[label_of(section->kind)] += section->address_bytes;
		}
		image->map.memory_total += section->address_bytes;
	}
}

/* Headers are in memory too, where the first segment begins with the file. */
static void add_loaded_headers(struct areas *areas, Elf *elf, const GElf_Phdr *segment)
{
	GElf_Ehdr header;

	if (segment->p_offset != 0 || segment->p_filesz == 0 || gelf_getehdr(elf, &header) == NULL)
		return;
	add_area(areas, segment->p_vaddr, header.e_ehsize, CODE_LABEL_HEADERS, NULL);
	if (header.e_phoff != 0 && header.e_phoff < segment->p_filesz)
		add_area(areas, segment->p_vaddr + header.e_phoff,
			 (uint64_t)header.e_phentsize * header.e_phnum, CODE_LABEL_HEADERS, NULL);
}

static void add_loaded_sections(const struct reading *reading, struct areas *areas)
{
	const struct code_image *image = reading->image;
	size_t i;

	for (i = reading->first_section; i < image->section_count; i++) {
		const struct code_section *section = &image->sections[i];

		/* .tbss takes address space in no segment: each thread has its own. */
		if (section->loaded && (section->in_file || section->kind != CODE_SECTION_TLS))
			add_area(areas, section->address, section->address_bytes,
				 label_of(section->kind),
				 section->executable ? &reading->pieces[i] : NULL);
	}
}

/* The union of the loaded segments, as sorted areas. */
static void collect_segments(struct areas *segments, struct areas *areas, Elf *elf)
{
	size_t count = 0, i;
	GElf_Phdr segment;

	elf_getphdrnum(elf, &count);
	for (i = 0; i < count && gelf_getphdr(elf, (int)i, &segment) != NULL; i++) {
		if (segment.p_type != PT_LOAD)
			continue;
		add_area(segments, segment.p_vaddr, segment.p_memsz, CODE_LABEL_GAP, NULL);
		add_loaded_headers(areas, elf, &segment);
	}
	if (segments->count > 0)
		qsort(segments->items, segments->count, sizeof *segments->items, compare_areas);
}

static void map_segments(struct reading *reading, struct areas *areas, const struct areas *segments)
{
	struct code_map *map = &reading->image->map;
	uint64_t done = 0;
	size_t i;

	for (i = 0; i < segments->count; i++) {
		uint64_t start = segments->items[i].start;
		uint64_t end = start + segments->items[i].bytes;

		if (start < done)
			start = done;
		if (end <= start)
			continue;
		count_areas(areas, start, end, map->memory_bytes);
		map->memory_total += end - start;
		done = end;
	}
}

static void map_memory(struct reading *reading, struct areas *areas,
		       const struct elf_object *object)
{
	struct areas segments = { .arena = areas->arena };

	areas->count = 0;
	collect_segments(&segments, areas, object->elf);
	if (segments.count == 0) {
		map_loaded_sections(reading);
		return;
	}
	add_loaded_sections(reading, areas);
	if (areas->count > 0)
		qsort(areas->items, areas->count, sizeof *areas->items, compare_areas);
	map_segments(reading, areas, &segments);
}

void map_add(struct reading *reading, const struct elf_object *object,
	     const struct code_member *member)
{
	struct areas areas = { .arena = arena_open() };

	map_file(reading, &areas, object);
	if (member->type != ET_CORE)
		map_memory(reading, &areas, object);
	arena_close(areas.arena);
}
