/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that lld folded into another. gold and bfd leave their DIEs at the
 * address of the one that was kept, where the walk meets them; lld (since LLVM
 * 11) gives them an address that does not exist, as it does to what
 * --gc-sections removed. But the symbol of a folded function is still there,
 * and shares its place with another.
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "binary/ledger/book.h"

/* A sized function symbol. */
struct body {
	uint64_t address, bytes;
	const char *name;
};

struct bodies {
	struct arena *arena;
	struct body *items;
	size_t count, capacity;
};

static int by_place(const void *left, const void *right)
{
	const struct body *first = left, *second = right;

	if (first->address != second->address)
		return first->address < second->address ? -1 : 1;
	return first->bytes < second->bytes ? -1 : first->bytes > second->bytes;
}

static void read_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, struct bodies *bodies)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t size = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT), i;

	for (i = 0; data != NULL && size > 0 && i < data->d_size / size; i++) {
		GElf_Sym symbol;
		const char *name;

		if (gelf_getsym(data, (int)i, &symbol) == NULL ||
		    GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0 ||
		    symbol.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name != NULL)
			*array_push(bodies->arena, bodies->items, bodies->count, bodies->capacity) =
			    (struct body){ symbol.st_value, symbol.st_size, name };
	}
}

static void read_bodies(Elf *elf, struct bodies *bodies)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf != NULL && (section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB)
			read_table(elf, section, &header, bodies);
	if (bodies->count > 1)
		qsort(bodies->items, bodies->count, sizeof *bodies->items, by_place);
}

static bool same_place(const struct bodies *bodies, size_t i, size_t j)
{
	return j < bodies->count && by_place(&bodies->items[i], &bodies->items[j]) == 0 &&
	       strcmp(bodies->items[i].name, bodies->items[j].name) != 0;
}

void ledger_find_folded(struct ledger *ledger, struct debug *debug)
{
	struct bodies bodies = { .arena = arena_open() };
	struct table lost = { 0 };
	size_t i;
	bool added;

	for (i = 0; i < ledger->lost_count; i++)
		*table_at(&lost, ledger->functions[ledger->lost[i]].name + UINT64_C(1), &added) =
		    ledger->lost[i] + 1;
	if (ledger->lost_count > 0) {
		read_bodies(debug->elf, &bodies);
		if (bodies.count == 0)
			read_bodies(debug->other_elf, &bodies);
	}
	for (i = 0; i < bodies.count; i++) {
		uint32_t name, *function;

		if (!same_place(&bodies, i, i + 1) && (i == 0 || !same_place(&bodies, i, i - 1)))
			continue;
		name = strings_intern(&ledger->strings, ledger->arena, bodies.items[i].name);
		function = table_at(&lost, name + UINT64_C(1), &added);
		if (*function != 0) {
			ledger->functions[*function - 1].folded++;
			ledger->functions[*function - 1].folded_bytes += bodies.items[i].bytes;
			*function = 0;
		}
	}
	table_release(&lost);
	arena_close(bodies.arena);
	ledger->lost_count = 0;
}
