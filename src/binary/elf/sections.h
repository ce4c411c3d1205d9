/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_ELF_SECTIONS_H
#define BINARY_ELF_SECTIONS_H

#include <gelf.h>

/* The name of the section with that header; "" if it has none that can be read. */
const char *elf_section_name(Elf *elf, const GElf_Shdr *header);

/* The first section of that name and its header; NULL: there is none, or it has no contents. */
Elf_Scn *elf_section_named(Elf *elf, const char *name, GElf_Shdr *header);

#endif
