/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk over one object's DWARF. In each unit: concrete functions, also in
 * namespaces, classes and other functions; in each function, through lexical
 * blocks, the copies that were inlined into it, and into those.
 *
 * What a copy takes is the union of its ranges (78% of inlined bytes in a
 * kernel are in copies with several), clipped first to executable sections
 * (which drops what --gc-sections removed: its DIEs stay, at address 0), then
 * to what it was inlined into, then to what no sibling has taken. So each byte
 * belongs to at most one copy on each level, and by construction
 *
 *	sum of exclusive bytes = sum of inclusive bytes of outermost copies
 *			       <= bytes of functions
 *
 * holds, whatever the DWARF says; what had to be cut off is counted. Functions
 * that share all their bytes with one seen before were folded by the linker.
 *
 * Damaged DWARF: DIEs are visited in rising order of address, so that no
 * reference makes a loop; depth, range entries and bitmaps are bounded.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "binary/ledger/book.h"
#include "binary/pages.h"

enum {
	DEEPEST_LEVEL = 200,   /* copies within copies; compilers reach about 60 */
	DEEPEST_NESTING = 700, /* DIEs within DIEs: the stack must hold the walk */
};
static const uint64_t most_bitmap_bytes = UINT64_C(1) << 30;

/* What copies are inlined into: a function (level 0), or another copy. */
struct scope {
	const struct scope *parent;
	uint32_t function;	     /* itself */
	size_t own_first, own_count; /* its spans in walk.stack */
	unsigned level;
	uint64_t children_bytes, children_cold_bytes; /* inclusive bytes of copies in it */
};

struct walk {
	struct ledger *ledger;
	struct debug *debug;
	struct taken_index index;
	struct taken levels[DEEPEST_LEVEL + 1]; /* allocated as they are reached */
	struct spans stack;			/* spans of the scopes that are open */
	struct spans raw, clipped;		/* scratch */
	const unsigned char *mark;		/* DIEs up to here were visited */
	uint64_t ranges_left;			/* entries that may still be read */
	uint32_t body;				/* the concrete function that is walked through */
	bool members; /* the language has functions in classes and namespaces */
	bool damaged; /* this unit is */
	bool says_ranges;
	uint64_t empty_copies; /* in this unit */
};

static void damage(struct walk *walk, const char *what)
{
	walk->damaged = true;
	if (walk->ledger->damage == NULL)
		walk->ledger->damage = what;
}

static void walk_children(struct walk *walk, Dwarf_Die *parent, struct scope *scope,
			  unsigned nesting);

/* The ranges of a DIE in walk->raw, normalised. */
static void read_ranges(struct walk *walk, Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;

	walk->raw.count = 0;
	while ((offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0) {
		if (walk->ranges_left == 0) {
			damage(walk, "its range lists are longer than the file");
			break;
		}
		walk->ranges_left--;
		if (low > high)
			damage(walk, "it has ranges that run backward");
		spans_add(&walk->raw, low, high);
	}
	if (offset < 0)
		damage(walk, "it has range lists that cannot be read");
	spans_normalise(&walk->raw);
}

static bool level_ready(struct walk *walk, unsigned level)
{
	if (level > DEEPEST_LEVEL ||
	    (level + UINT64_C(1)) * (walk->index.bits / 8) > most_bitmap_bytes) {
		damage(walk, "its copies are nested too deeply");
		return false;
	}
	if (walk->levels[level].words == NULL)
		taken_init(&walk->levels[level], &walk->index);
	return true;
}

/* Of walk->raw, clipped to the given spans, what is free on the level goes on the stack. */
static uint64_t claim(struct walk *walk, const struct span *items, size_t count, unsigned level)
{
	size_t first = walk->stack.count, i;

	walk->clipped.count = 0;
	for (i = 0; i < walk->raw.count; i++)
		spans_clip(items, count, walk->raw.items[i].low, walk->raw.items[i].high,
			   &walk->clipped);
	if (!level_ready(walk, level))
		return 0;
	for (i = 0; i < walk->clipped.count; i++)
		taken_add(&walk->levels[level], &walk->index, walk->clipped.items[i].low,
			  walk->clipped.items[i].high, &walk->stack);
	return spans_bytes(walk->stack.items + first, walk->stack.count - first);
}

static uint64_t cold_bytes(const struct walk *walk, size_t first)
{
	const struct spans *cold = &walk->debug->cold;
	uint64_t bytes = 0;
	size_t i;

	if (cold->count == 0)
		return 0;
	for (i = first; i < walk->stack.count; i++)
		bytes += spans_common(cold->items, cold->count, walk->stack.items[i].low,
				      walk->stack.items[i].high);
	return bytes;
}

static bool is_inside(const struct scope *scope, uint32_t function)
{
	for (; scope != NULL && scope->level > 0; scope = scope->parent)
		if (scope->function == function)
			return true;
	return false;
}

static void record_copy(struct walk *walk, const struct scope *parent, const struct scope *scope,
			uint64_t inclusive, uint64_t cold)
{
	struct ledger *ledger = walk->ledger;
	struct ledger_function *function = &ledger->functions[scope->function];
	uint64_t exclusive = inclusive - scope->children_bytes;

	ledger->instances++;
	ledger->exclusive_bytes += exclusive;
	if (scope->level == 1)
		ledger->outermost_bytes += inclusive;
	function->copies++;
	function->exclusive_bytes += exclusive;
	function->cold_bytes += cold - scope->children_cold_bytes;
	if (!is_inside(parent, scope->function))
		function->inclusive_bytes += inclusive;
	if (inclusive > 0) {
		if (function->copies_with_code == 0 || exclusive < function->least_bytes)
			function->least_bytes = exclusive;
		if (exclusive > function->most_bytes)
			function->most_bytes = exclusive;
		function->copies_with_code++;
	}
	*array_push(ledger->arena, ledger->copies, ledger->copy_count, ledger->copy_capacity) =
	    (struct ledger_copy){ .function = scope->function,
				  .caller = walk->body,
				  .bytes =
				      exclusive > UINT32_MAX ? UINT32_MAX : (uint32_t)exclusive };
}

static void visit_copy(struct walk *walk, Dwarf_Die *die, struct scope *parent, unsigned nesting)
{
	struct scope scope = { .parent = parent, .level = parent->level + 1 };
	uint64_t inclusive, cold, raw_bytes;

	if (!ledger_origin_of(walk->ledger, die, DW_AT_abstract_origin, &scope.function)) {
		damage(walk, "it has copies whose origin is missing");
		scope.function = ledger_function_of(walk->ledger, die);
	}
	read_ranges(walk, die);
	if (walk->raw.count > 0 && dwarf_hasattr(die, DW_AT_ranges))
		walk->says_ranges = true;
	raw_bytes = spans_bytes(walk->raw.items, walk->raw.count);
	scope.own_first = walk->stack.count;
	inclusive =
	    claim(walk, walk->stack.items + parent->own_first, parent->own_count, scope.level);
	scope.own_count = walk->stack.count - scope.own_first;
	walk->ledger->clipped_bytes += raw_bytes - inclusive;
	walk->empty_copies += raw_bytes == 0;
	cold = cold_bytes(walk, scope.own_first);
	walk_children(walk, die, &scope, nesting);
	record_copy(walk, parent, &scope, inclusive, cold);
	parent->children_bytes += inclusive;
	parent->children_cold_bytes += cold;
	walk->stack.count = scope.own_first;
}

static uint64_t bytes_in_code(const struct walk *walk)
{
	const struct spans *code = &walk->debug->code;
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < walk->raw.count; i++)
		bytes += spans_common(code->items, code->count, walk->raw.items[i].low,
				      walk->raw.items[i].high);
	return bytes;
}

/* A weak function that another one replaced at link time keeps its bytes and loses its symbol. */
static bool has_symbol(const struct walk *walk, size_t first)
{
	const struct spans *functions = &walk->debug->functions;
	size_t i;

	for (i = first; i < walk->stack.count; i++)
		if (spans_common(functions->items, functions->count, walk->stack.items[i].low,
				 walk->stack.items[i].high) > 0)
			return true;
	return functions->count == 0;
}

static void record_body(const struct walk *walk, struct ledger_function *function, size_t first,
			uint64_t bytes)
{
	function->bodies++;
	function->body_bytes += bytes;
	if (function->external && !has_symbol(walk, first)) {
		function->dead++;
		function->dead_bytes += bytes;
	}
}

static void note_lost(struct walk *walk, Dwarf_Die *die)
{
	struct ledger *ledger = walk->ledger;
	uint32_t function;

	if (!dwarf_hasattr(die, DW_AT_low_pc) && !dwarf_hasattr(die, DW_AT_ranges))
		return;
	if (!ledger_origin_of(ledger, die, DW_AT_abstract_origin, &function))
		function = ledger_function_of(ledger, die);
	*array_push(ledger->arena, ledger->lost, ledger->lost_count, ledger->lost_capacity) =
	    function;
}

static void visit_function(struct walk *walk, Dwarf_Die *die, unsigned nesting)
{
	struct scope scope = { .own_first = walk->stack.count };
	uint64_t wanted, bytes;
	uint32_t outer_body = walk->body;

	read_ranges(walk, die);
	wanted = bytes_in_code(walk);
	if (wanted == 0) {
		/* Abstract, a declaration, or removed by the linker; what stands in it may have
		 * code all the same. */
		note_lost(walk, die);
		if (walk->members)
			walk_children(walk, die, NULL, nesting);
		return;
	}
	bytes = claim(walk, walk->debug->code.items, walk->debug->code.count, 0);
	if (!ledger_origin_of(walk->ledger, die, DW_AT_abstract_origin, &scope.function))
		scope.function = ledger_function_of(walk->ledger, die);
	if (bytes == 0) {
		walk->ledger->functions[scope.function].folded++;
		walk->ledger->functions[scope.function].folded_bytes += wanted;
		return;
	}
	walk->ledger->clipped_bytes += wanted - bytes;
	record_body(walk, &walk->ledger->functions[scope.function], scope.own_first, bytes);
	scope.own_count = walk->stack.count - scope.own_first;
	walk->body = scope.function;
	walk_children(walk, die, &scope, nesting);
	walk->body = outer_body;
	walk->stack.count = scope.own_first;
}

static void visit_call(struct walk *walk, Dwarf_Die *die, unsigned attribute)
{
	uint32_t function;

	if (ledger_origin_of(walk->ledger, die, attribute, &function))
		walk->ledger->functions[function].calls++;
}

static void visit(struct walk *walk, Dwarf_Die *die, struct scope *scope, unsigned nesting)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		visit_function(walk, die, nesting);
		break;
	case DW_TAG_inlined_subroutine:
		if (scope != NULL)
			visit_copy(walk, die, scope, nesting);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		if (scope != NULL || walk->members)
			walk_children(walk, die, scope, nesting);
		break;
	case DW_TAG_call_site:
		if (scope != NULL)
			visit_call(walk, die, DW_AT_call_origin);
		break;
	case DW_TAG_GNU_call_site:
		if (scope != NULL)
			visit_call(walk, die, DW_AT_abstract_origin);
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		if (walk->members)
			walk_children(walk, die, NULL, nesting);
		break;
	default:
		break;
	}
}

static void walk_children(struct walk *walk, Dwarf_Die *parent, struct scope *scope,
			  unsigned nesting)
{
	Dwarf_Die die;

	if (nesting >= DEEPEST_NESTING) {
		damage(walk, "its entries are nested too deeply");
		return;
	}
	if (!dwarf_haschildren(parent) || dwarf_child(parent, &die) != 0)
		return;
	do {
		if ((const unsigned char *)die.addr <= walk->mark) {
			damage(walk, "its entries refer backward to their siblings");
			return;
		}
		walk->mark = die.addr;
		visit(walk, &die, scope, nesting + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static bool has_members(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

static void walk_unit(struct walk *walk, Dwarf_Die *unit, Dwarf_Half version)
{
	walk->mark = unit->addr;
	walk->members = has_members(unit);
	walk->damaged = false;
	walk->says_ranges = false;
	walk->empty_copies = 0;
	ledger_note_directory(walk->ledger, unit);
	walk_children(walk, unit, NULL, 0);
	walk->ledger->units++;
	walk->ledger->damaged_units += walk->damaged;
	/* Strict DWARF 2 has no ranges: a copy in several parts looks as if it had no code. */
	if (version <= 2 && !walk->says_ranges)
		walk->ledger->unmeasured_copies += walk->empty_copies;
}

/* A skeleton whose .dwo file is not there. */
static void note_absent(struct ledger *ledger, Dwarf_Die *skeleton)
{
	Dwarf_Attribute found;
	const char *name = dwarf_formstring(dwarf_attr(skeleton, DW_AT_dwo_name, &found));

	if (name == NULL)
		name = dwarf_formstring(dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &found));
	name = ledger_string(ledger, name);
	ledger->units++;
	if (ledger->absent_units++ == 0)
		ledger->absent_unit =
		    name == NULL ? "?" : text_clean(ledger->arena, name, strnlen(name, 4096));
}

static void walk_units(struct walk *walk)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die, split;
	struct pages pages;
	size_t length = 0, sections = walk->ledger->strings_in.count;
	const char *file = elf_rawfile(dwarf_getelf(walk->debug->dwarf), &length);
	int status;

	pages_init(&pages, file, walk->debug->relocatable ? 0 : length);
	while ((status = dwarf_get_units(walk->debug->dwarf, unit, &unit, &version, &type, &die,
					 &split)) == 0) {
		pages_pass(&pages, die.addr);
		if (type == DW_UT_type || type == DW_UT_split_type)
			continue;
		if (type != DW_UT_skeleton) {
			walk_unit(walk, &die, version);
		} else if (split.cu != NULL && dwarf_tag(&split) == DW_TAG_compile_unit) {
			walk->ledger->strings_in.count = sections;
			ledger_note_sections(walk->ledger, dwarf_cu_getdwarf(split.cu));
			walk_unit(walk, &split, version);
		} else {
			note_absent(walk->ledger, &die);
		}
	}
	if (status < 0) {
		walk->ledger->damaged_units++;
		damage(walk, "a unit's header is damaged");
	}
}

/* How many bytes of function symbols are in functions that DWARF describes. */
static void add_coverage(struct walk *walk)
{
	struct debug *debug = walk->debug;
	const struct spans *functions =
	    debug->functions.count > 0 ? &debug->functions : &debug->code;
	uint64_t described = 0;
	size_t i;

	for (i = 0; i < functions->count && walk->levels[0].words != NULL; i++)
		described += taken_bytes(&walk->levels[0], &walk->index, functions->items[i].low,
					 functions->items[i].high);
	walk->ledger->described_bytes += described;
	walk->ledger->function_bytes += debug->functions.count > 0
					    ? spans_bytes(functions->items, functions->count)
					    : described;
}

void ledger_walk(struct ledger *ledger, struct debug *debug)
{
	struct walk walk = { .ledger = ledger, .debug = debug };
	size_t length = 0, i;

	elf_rawfile(dwarf_getelf(debug->dwarf), &length);
	ledger_note_sections(ledger, debug->dwarf);
	if (debug->alt_dwarf != NULL)
		ledger_note_sections(ledger, debug->alt_dwarf);
	walk.ranges_left = (UINT64_C(1) << 22) + length;
	taken_index_init(&walk.index, &debug->code);
	walk_units(&walk);
	ledger_find_folded(ledger, debug);
	add_coverage(&walk);
	for (i = 0; i <= DEEPEST_LEVEL; i++)
		taken_release(&walk.levels[i]);
	taken_index_release(&walk.index);
	spans_release(&walk.stack);
	spans_release(&walk.raw);
	spans_release(&walk.clipped);
}
