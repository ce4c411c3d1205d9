/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_DESCRIPTORS_H
#define BINARY_DESCRIPTORS_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Where the code of a descriptor is. */
struct descriptor {
	uint64_t offset;  /* in .opd */
	uint64_t address; /* of the code; in relocatable objects its offset in section */
	size_t section;	  /* ELF index; 0 in linked files: the one that has the address */
};

struct descriptors {
	struct descriptor *items; /* by offset */
	size_t count;
};

/* The descriptors of a 64-bit PowerPC object of the first ABI; none of any other object. */
struct descriptors descriptors_read(struct arena *arena, Elf *elf);
/* NULL: none is at that offset of .opd. */
const struct descriptor *descriptors_find(const struct descriptors *descriptors, uint64_t offset);

#endif
