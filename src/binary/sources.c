/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which unit a global symbol is of. Symbol tables tell it of local ones only. */
#include "binary/sources.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "binary/hash.h"
#include "binary/ledger/ledger.h"
#include "binary/ledger/book.h"
#include "binary/names.h"
#include "binary/objects.h"

enum { DEEPEST_NAMESPACE = 16 };

/* Addresses of one unit: a range of its code, or the first byte of a variable. */
struct place {
	uint64_t low, high;
	uint32_t unit; /* a string number of the ledger */
};

struct reading {
	struct arena *arena;
	const struct debug_settings *settings;
	struct code_image *image;
	struct ledger *ledger; /* for strings that end where their section does */
	struct place *places;
	size_t count, capacity;
	bool described; /* an object had debug information */
};

static void add_place(struct reading *reading, uint64_t low, uint64_t high, uint32_t unit)
{
	if (low < high)
		*array_push(reading->arena, reading->places, reading->count, reading->capacity) =
		    (struct place){ low, high, unit };
}

static void add_variable(struct reading *reading, Dwarf_Die *die, uint32_t unit)
{
	Dwarf_Attribute attribute, address;
	Dwarf_Op *operations;
	size_t count;
	Dwarf_Addr at;

	if (dwarf_attr(die, DW_AT_location, &attribute) == NULL ||
	    dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1)
		return;
	if (operations[0].atom == DW_OP_addr)
		at = operations[0].number;
	else if ((operations[0].atom != DW_OP_addrx &&
		  operations[0].atom != DW_OP_GNU_addr_index) ||
		 dwarf_getlocation_attr(&attribute, operations, &address) != 0 ||
		 dwarf_formaddr(&address, &at) != 0)
		return;
	add_place(reading, at, at + 1, unit);
}

static void read_variables(struct reading *reading, Dwarf_Die *parent, uint32_t unit, int depth)
{
	const void *mark = parent->addr;
	Dwarf_Die child;

	if (depth > DEEPEST_NAMESPACE || dwarf_child(parent, &child) != 0)
		return;
	do {
		if (child.addr <= mark)
			return;
		mark = child.addr;
		if (dwarf_tag(&child) == DW_TAG_variable)
			add_variable(reading, &child, unit);
		else if (dwarf_tag(&child) == DW_TAG_namespace)
			read_variables(reading, &child, unit, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

/* The ranges are those of the skeleton where there is one, the variables those of its .dwo. */
static void read_unit(struct reading *reading, Dwarf_Die *unit, Dwarf_Die *content, size_t *entries)
{
	const char *name = ledger_string(reading->ledger, dwarf_diename(content));
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;
	uint32_t number;

	if (name == NULL || name[0] == '\0')
		return;
	number = strings_intern(&reading->ledger->strings, reading->arena, name_of_file(name));
	while (*entries > 0 && (offset = dwarf_ranges(unit, offset, &base, &low, &high)) > 0) {
		--*entries;
		add_place(reading, low, high, number);
	}
	read_variables(reading, content, number, 0);
}

static void read_units(struct reading *reading, struct debug *debug)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die, split;
	size_t sections = reading->ledger->strings_in.count, entries = 0;

	/* A list of ranges may be shared, and hostile: no more entries than bytes. */
	elf_rawfile(dwarf_getelf(debug->dwarf), &entries);
	while (dwarf_get_units(debug->dwarf, unit, &unit, &version, &type, &die, &split) == 0) {
		bool is_split = type == DW_UT_skeleton && split.cu != NULL;

		if (type == DW_UT_type || type == DW_UT_split_type)
			continue;
		reading->ledger->strings_in.count = sections;
		if (is_split)
			ledger_note_sections(reading->ledger, dwarf_cu_getdwarf(split.cu));
		read_unit(reading, &die, is_split ? &split : &die, &entries);
	}
}

static int by_low(const void *left, const void *right)
{
	const struct place *first = left, *second = right;

	if (first->low != second->low)
		return first->low < second->low ? -1 : 1;
	return first->high < second->high ? -1 : first->high > second->high;
}

/* The last place that begins at or before the address, if it reaches there. */
static const struct place *place_of(const struct reading *reading, uint64_t address)
{
	size_t low = 0, high = reading->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (reading->places[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && address < reading->places[low - 1].high ? &reading->places[low - 1]
								  : NULL;
}

static void name_symbols(struct reading *reading, const struct debug *debug, size_t member)
{
	size_t i;

	if (reading->count > 1)
		qsort(reading->places, reading->count, sizeof *reading->places, by_low);
	for (i = 0; i < reading->image->symbol_count; i++) {
		struct code_symbol *symbol = &reading->image->symbols[i];
		const struct place *place;
		uint64_t address;

		if (symbol->member != member || symbol->unit != NULL ||
		    symbol->section == CODE_NONE || symbol->kind == CODE_SYMBOL_TLS ||
		    !object_symbol_address(debug, reading->image, symbol, &address))
			continue;
		place = place_of(reading, address);
		if (place != NULL)
			symbol->source = reading->ledger->strings.items[place->unit];
	}
}

static bool read_object(void *context, const struct debug_source *source, size_t member,
			struct error *err)
{
	struct reading *reading = context;
	size_t sections = reading->ledger->strings_in.count;
	struct debug debug;

	if (!debug_open(reading->arena, source, reading->settings, &debug, err))
		return false;
	if (debug.dwarf != NULL) {
		reading->described = true;
		reading->count = 0;
		ledger_note_sections(reading->ledger, debug.dwarf);
		if (debug.alt_dwarf != NULL)
			ledger_note_sections(reading->ledger, debug.alt_dwarf);
		read_units(reading, &debug);
		name_symbols(reading, &debug, member);
		reading->ledger->strings_in.count = sections;
	}
	debug_close(&debug);
	return true;
}

bool sources_read(struct arena *arena, const struct debug_settings *settings,
		  struct code_image *image, struct error *err)
{
	struct reading reading = { .arena = arena,
				   .settings = settings,
				   .image = image,
				   .ledger = ledger_open(arena, settings) };
	const char *left_out;
	bool good = objects_visit(arena, image, read_object, &reading, &left_out, err);

	if (good && left_out != NULL && image->coverage.partial == NULL)
		image->coverage.partial = left_out;
	if (good && !reading.described && image->stated == NULL)
		image->stated = "Without debug information it is not known which unit has which "
				"global symbol: they share a row.";
	ledger_close(reading.ledger);
	return good;
}
