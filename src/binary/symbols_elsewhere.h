/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_SYMBOLS_ELSEWHERE_H
#define BINARY_SYMBOLS_ELSEWHERE_H

#include "binary/debug/debug.h"
#include "binary/reading.h"

/* An ELF file that has the symbol table that an object was stripped of. */
struct elsewhere {
	Elf *elf;
	const char *from; /* its path, or ".gnu_debugdata"; clean */
	bool complete;	  /* has all symbols; otherwise those that the dynamic ones lack */
	size_t *sections; /* of each of its sections, the object's section of that name and place;
			     0: there is none */
	size_t section_count;
	int fd;	     /* -1: in bytes */
	void *bytes; /* inflated */
};

/* Looks for a separate file by build id and debug link, then into the object itself for the
 * compressed table that Fedora's packages have (.gnu_debugdata). False: there is neither. What is
 * damaged is as good as absent. */
bool elsewhere_find(struct reading *reading, const struct elf_object *object,
		    const struct debug_settings *settings, struct elsewhere *elsewhere);
void elsewhere_close(struct elsewhere *elsewhere);

#endif
