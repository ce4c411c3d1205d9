/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections by their names, which may be missing or damaged. */
#include "binary/elf/sections.h"

#include <string.h>

const char *elf_section_name(Elf *elf, const GElf_Shdr *header)
{
	size_t names;
	const char *name = NULL;

	if (elf_getshdrstrndx(elf, &names) == 0)
		name = elf_strptr(elf, names, header->sh_name);
	return name == NULL ? "" : name;
}

Elf_Scn *elf_section_named(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, header) != NULL && header->sh_type != SHT_NOBITS &&
		    strcmp(elf_section_name(elf, header), name) == 0)
			return section;
	return NULL;
}
