/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_READING_H
#define BINARY_READING_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "binary/elf/file.h"
#include "model/code.h"

struct debug_settings;

/* Private to the files that make an image: one object after the other is added to it. */

/* A run of bytes of one label, from the start of its section. */
struct piece {
	uint64_t offset, bytes;
	enum code_label label;
};

struct pieces {
	struct piece *items; /* cover the section without gap or overlap */
	size_t count, capacity;
};

struct reading {
	struct arena *arena;
	const struct debug_settings *debug; /* NULL: separate files are not looked for */
	struct code_image *image;
	struct pieces *pieces; /* of each section; none where it is all of one label */
	size_t member_capacity, section_capacity, symbol_capacity, pieces_capacity;
	size_t first_section;	/* of the object being read: section of ELF index i is at
				   first_section + i - 1 */
	uint64_t stray_symbols; /* outside their section */
};

/* The object's sections, and what they tell about the member. */
bool sections_read(struct reading *reading, const struct elf_object *object,
		   struct code_member *member, struct error *err);
/* Berkeley and GNU totals, from sections. */
void sections_sum(const struct code_image *image, struct code_totals *totals);
/* The object's symbols; needs its sections. Also divides executable sections into pieces. */
bool symbols_read(struct reading *reading, const struct elf_object *object,
		  struct code_member *member, struct error *err);
/* Adds the object's bytes to the map; needs its symbols. */
void map_add(struct reading *reading, const struct elf_object *object,
	     const struct code_member *member);
/* The label of a section that is not divided. */
enum code_label label_of(enum code_section_kind kind);

/* Adds to what is wrong with the file; the first sentence stays. */
void reading_partial(struct reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
