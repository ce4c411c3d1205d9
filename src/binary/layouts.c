/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layouts of structures. A hole is what lies between a member's end and the
 * next one's start, padding what is behind the last. The members of a union
 * all start at 0 and leave no holes. Types refer to types by references that
 * may be damaged, so every chain is followed a bounded number of steps.
 */
#include "binary/layouts.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "binary/diff/diff.h"
#include "binary/ledger/ledger.h"
#include "binary/ledger/book.h"
#include "binary/pairing.h"
#include "binary/objects.h"

enum { LONGEST_CHAIN = 32, DEEPEST_SCOPE = 64, MOST_MEMBERS = 1 << 16 };

struct reading {
	struct arena *arena;
	const struct debug_settings *settings;
	struct ledger *ledger; /* for names and files */
	struct code_image *image;
	struct table known; /* name and file -> 1 */
	size_t capacity;
};

static bool referred_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute found;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_type, &found), type) != NULL;
}

static bool number_of(Dwarf_Die *die, unsigned attribute, uint64_t *number)
{
	Dwarf_Attribute found;
	Dwarf_Word value;

	if (dwarf_attr(die, attribute, &found) == NULL || dwarf_formudata(&found, &value) != 0)
		return false;
	*number = value;
	return true;
}

/* Clean, in the arena; NULL for none, and for one without letters. */
static const char *name_of(struct ledger *ledger, Dwarf_Die *die)
{
	const char *name = ledger_string(ledger, dwarf_diename(die));

	return name == NULL || name[0] == '\0'
		   ? NULL
		   : text_clean(ledger->arena, name, strnlen(name, 4096));
}

/* Elements of an array, all dimensions; 0: unknown, as of a flexible member. */
static uint64_t element_count(Dwarf_Die *array)
{
	uint64_t count = 1, bound;
	const void *mark = NULL;
	Dwarf_Die child;

	if (dwarf_child(array, &child) != 0)
		return 0;
	do {
		if (child.addr <= mark)
			return 0;
		mark = child.addr;
		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		if (!number_of(&child, DW_AT_count, &bound)) {
			if (!number_of(&child, DW_AT_upper_bound, &bound))
				return 0;
			bound++;
		}
		if (__builtin_mul_overflow(count, bound, &count))
			return 0;
	} while (dwarf_siblingof(&child, &child) == 0);
	return count;
}

static bool is_transparent(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* Bytes of the type of a member; 0: unknown, or none. */
static uint64_t type_bytes(Dwarf_Die *member)
{
	Dwarf_Die type;
	uint64_t factor = 1, bytes;
	int steps;

	if (!referred_type(member, &type))
		return 0;
	for (steps = 0; steps < LONGEST_CHAIN; steps++) {
		uint8_t address_bytes = 8, offset_bytes;
		Dwarf_Die unit;
		int tag = dwarf_tag(&type);

		if (number_of(&type, DW_AT_byte_size, &bytes))
			return __builtin_mul_overflow(factor, bytes, &bytes) ? 0 : bytes;
		if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
		    tag == DW_TAG_rvalue_reference_type) {
			dwarf_diecu(&type, &unit, &address_bytes, &offset_bytes);
			return factor * address_bytes;
		}
		if (tag == DW_TAG_array_type) {
			if (__builtin_mul_overflow(factor, element_count(&type), &factor))
				return 0;
		} else if (!is_transparent(tag)) {
			return 0;
		}
		if (!referred_type(&type, &type))
			return 0;
	}
	return 0;
}

/* "const struct list_head *": what stands before the stars, and one star a pointer. */
static const char *type_name(struct ledger *ledger, Dwarf_Die *member)
{
	struct arena *arena = ledger->arena;
	char stars[LONGEST_CHAIN + 1] = "";
	Dwarf_Die type;
	size_t count = 0;
	int steps;

	if (!referred_type(member, &type))
		return "void";
	for (steps = 0; steps < LONGEST_CHAIN; steps++) {
		const char *name = name_of(ledger, &type), *kind = "";
		int tag = dwarf_tag(&type);

		if (tag == DW_TAG_pointer_type)
			stars[count++] = '*';
		else if (tag == DW_TAG_structure_type)
			kind = "struct ";
		else if (tag == DW_TAG_union_type)
			kind = "union ";
		else if (tag == DW_TAG_enumeration_type)
			kind = "enum ";
		else if (tag == DW_TAG_subroutine_type)
			name = "function";
		if (name != NULL || kind[0] != '\0')
			return arena_printf(arena, "%s%s%s%s", kind, name == NULL ? "{...}" : name,
					    count > 0 ? " " : "", stars);
		if (!referred_type(&type, &type))
			return arena_printf(arena, "void%s%s", count > 0 ? " " : "", stars);
	}
	return "?";
}

static bool member_place(Dwarf_Die *member, struct code_layout_member *result)
{
	uint64_t bits;

	if (number_of(member, DW_AT_data_bit_offset, &bits)) {
		result->offset_bytes = bits / 8;
		result->bits = true;
		return true;
	}
	result->bits = dwarf_hasattr(member, DW_AT_bit_size);
	/* Members of unions have no place: they start at 0. A virtual base has an expression. */
	return number_of(member, DW_AT_data_member_location, &result->offset_bytes) ||
	       !dwarf_hasattr(member, DW_AT_data_member_location);
}

static int by_offset(const void *left, const void *right)
{
	const struct code_layout_member *first = left, *second = right;

	return first->offset_bytes < second->offset_bytes
		   ? -1
		   : first->offset_bytes > second->offset_bytes;
}

static void find_holes(struct code_layout *layout, bool is_union)
{
	uint64_t end = 0;
	size_t i;

	if (is_union)
		return;
	for (i = 0; i < layout->member_count; i++) {
		struct code_layout_member *member = &layout->members[i];
		uint64_t next = i + 1 < layout->member_count ? layout->members[i + 1].offset_bytes
							     : layout->bytes;

		/* Damaged: a member beyond the structure's end. */
		if (next > layout->bytes)
			next = layout->bytes;
		if (member->offset_bytes + member->bytes > end)
			end = member->offset_bytes + member->bytes;
		if (member->bits || next <= end || end > layout->bytes)
			continue;
		if (i + 1 == layout->member_count) {
			layout->padding_bytes = next - end;
		} else {
			member->hole_bytes = next - end;
			layout->hole_bytes += next - end;
			layout->holes++;
		}
	}
}

static void read_members(struct reading *reading, Dwarf_Die *die, struct code_layout *layout)
{
	size_t capacity = 0;
	const void *mark = NULL;
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return;
	do {
		struct code_layout_member member = { 0 };
		int tag = dwarf_tag(&child);
		const char *name;

		if (child.addr <= mark || layout->member_count >= MOST_MEMBERS)
			break;
		mark = child.addr;
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    dwarf_hasattr(&child, DW_AT_external) || !member_place(&child, &member))
			continue;
		name = name_of(reading->ledger, &child);
		member.name = tag == DW_TAG_inheritance ? "(base)"
			      : name == NULL		? "(anonymous)"
							: name;
		member.type = type_name(reading->ledger, &child);
		member.bytes = type_bytes(&child);
		*array_push(reading->arena, layout->members, layout->member_count, capacity) =
		    member;
	} while (dwarf_siblingof(&child, &child) == 0);
	if (layout->member_count > 1)
		qsort(layout->members, layout->member_count, sizeof *layout->members, by_offset);
	find_holes(layout, dwarf_tag(die) == DW_TAG_union_type);
}

static void read_structure(struct reading *reading, Dwarf_Die *die, const char *scope)
{
	const char *name = name_of(reading->ledger, die);
	struct code_layout layout = { 0 };
	uint32_t number, file;
	bool added;

	if (name == NULL || !number_of(die, DW_AT_byte_size, &layout.bytes))
		return;
	if (scope[0] != '\0')
		name = arena_printf(reading->arena, "%s::%s", scope, name);
	number = strings_intern(&reading->ledger->strings, reading->arena, name);
	file = ledger_file_of(reading->ledger, die);
	table_at(&reading->known, (uint64_t)number << 32 | (file + UINT64_C(1)), &added);
	if (!added)
		return;
	layout.name = reading->ledger->strings.items[number];
	/* A number until all units were read, and the directory of the project is known. */
	layout.file = file == 0 ? NULL : reading->ledger->strings.items[file];
	read_members(reading, die, &layout);
	*array_push(reading->arena, reading->image->layouts, reading->image->layout_count,
		    reading->capacity) = layout;
}

static void read_scope(struct reading *reading, Dwarf_Die *parent, const char *scope, int depth)
{
	const void *mark = parent->addr;
	Dwarf_Die child;

	if (depth > DEEPEST_SCOPE || dwarf_child(parent, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);
		const char *name;

		if (child.addr <= mark)
			return;
		mark = child.addr;
		if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		    tag == DW_TAG_union_type)
			read_structure(reading, &child, scope);
		if (tag != DW_TAG_namespace && tag != DW_TAG_class_type)
			continue;
		name = name_of(reading->ledger, &child);
		if (name == NULL)
			name = "(anonymous)";
		read_scope(reading, &child,
			   scope[0] == '\0' ? name
					    : arena_printf(reading->arena, "%s::%s", scope, name),
			   depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static int by_identity(const void *left, const void *right)
{
	const struct code_layout *first = left, *second = right;
	int order = strcmp(first->name, second->name);

	return order != 0 ? order
			  : strcmp(first->file == NULL ? "" : first->file,
				   second->file == NULL ? "" : second->file);
}

static void read_units(struct reading *reading, struct debug *debug)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die, split;
	size_t sections = reading->ledger->strings_in.count;

	while (dwarf_get_units(debug->dwarf, unit, &unit, &version, &type, &die, &split) == 0) {
		Dwarf_Die *root = type == DW_UT_skeleton && split.cu != NULL ? &split : &die;

		if (type == DW_UT_skeleton && split.cu == NULL &&
		    reading->image->coverage.partial == NULL)
			reading->image->coverage.partial =
			    "split units were not found: name their directory with --debug-dir";
		reading->ledger->strings_in.count = sections;
		ledger_note_sections(reading->ledger, dwarf_cu_getdwarf(root->cu));
		ledger_note_directory(reading->ledger, root);
		read_scope(reading, root, "", 0);
	}
}

static void finish(struct reading *reading)
{
	struct file_shortener shortener;
	size_t i;

	shortener_init(&shortener, reading->ledger);
	for (i = 0; i < reading->image->layout_count; i++) {
		struct code_layout *layout = &reading->image->layouts[i];
		uint32_t file;

		if (layout->file == NULL)
			continue;
		file = strings_intern(&reading->ledger->strings, reading->arena, layout->file);
		layout->file = shortener_apply(&shortener, reading->ledger, file);
		layout->file = text_clean(reading->arena, layout->file, strlen(layout->file));
	}
	if (reading->image->layout_count > 1)
		qsort(reading->image->layouts, reading->image->layout_count,
		      sizeof *reading->image->layouts, by_identity);
}

static bool read_object(void *context, const struct debug_source *source, size_t member,
			struct error *err)
{
	struct reading *reading = context;
	size_t sections = reading->ledger->strings_in.count;
	struct debug debug;

	(void)member;
	if (!debug_open(reading->arena, source, reading->settings, &debug, err))
		return false;
	if (debug.missing != NULL && reading->image->coverage.partial == NULL)
		reading->image->coverage.partial = debug.missing;
	if (debug.dwarf != NULL) {
		ledger_note_sections(reading->ledger, debug.dwarf);
		if (debug.alt_dwarf != NULL)
			ledger_note_sections(reading->ledger, debug.alt_dwarf);
		read_units(reading, &debug);
	}
	ledger_forget_origins(reading->ledger);
	reading->ledger->strings_in.count = sections;
	debug_close(&debug);
	return true;
}

bool layouts_read(struct arena *arena, const struct debug_settings *settings,
		  struct code_image *image, struct error *err)
{
	struct reading reading = { .arena = arena, .image = image, .settings = settings };
	const char *left_out;
	bool good;

	reading.ledger = ledger_open(arena, settings);
	good = objects_visit(arena, image, read_object, &reading, &left_out, err);
	if (left_out != NULL && image->coverage.partial == NULL)
		image->coverage.partial = left_out;
	if (good)
		finish(&reading);
	ledger_close(reading.ledger);
	table_release(&reading.known);
	return good;
}

static bool same_members(const struct code_layout *first, const struct code_layout *second)
{
	size_t i;

	if (first->member_count != second->member_count)
		return false;
	for (i = 0; i < first->member_count; i++)
		if (strcmp(first->members[i].name, second->members[i].name) != 0 ||
		    first->members[i].offset_bytes != second->members[i].offset_bytes ||
		    first->members[i].bytes != second->members[i].bytes)
			return false;
	return true;
}

static uint64_t unused_bytes(const struct code_layout_change *change)
{
	const struct code_layout *shown =
	    change->candidate != NULL ? change->candidate : change->baseline;

	return shown->hole_bytes + shown->padding_bytes;
}

/* Changed ones by name; of the others those come first where rearranging gives most. */
static int by_change(const void *left, const void *right)
{
	const struct code_layout_change *first = left, *second = right;

	if ((first->kind == CODE_SAME) != (second->kind == CODE_SAME))
		return first->kind == CODE_SAME ? 1 : -1;
	if (first->kind == CODE_SAME && unused_bytes(first) != unused_bytes(second))
		return unused_bytes(first) > unused_bytes(second) ? -1 : 1;
	return strcmp(first->name, second->name);
}

struct comparing {
	struct arena *arena;
	struct code_diff *diff;
	size_t capacity;
};

static void add_change(void *context, const void *left, const void *right)
{
	struct comparing *comparing = context;
	const struct code_layout *before = left, *after = right;
	const struct code_layout *shown = after != NULL ? after : before;
	bool same = before != NULL && after != NULL && same_members(before, after);

	*array_push(comparing->arena, comparing->diff->layouts, comparing->diff->layout_count,
		    comparing->capacity) = (struct code_layout_change){
		.name = shown->name,
		.file = shown->file,
		.kind =
		    diff_kind(before != NULL, after != NULL, before == NULL ? 0 : before->bytes,
			      after == NULL ? 0 : after->bytes, same ? CODE_SAME : CODE_CHANGED),
		.baseline = before,
		.candidate = after,
	};
}

/* One that moved to a file of another name is still known by its members. */
static unsigned likeness(const struct pairing_item *first, const struct pairing_item *second)
{
	unsigned alike = pairing_by_file(first, second);

	return alike > 0 ? alike : same_members(first->what, second->what);
}

static struct pairing_side side_of(struct arena *arena, const struct code_image *image)
{
	struct pairing_side side = pairing_side(arena, image->layout_count);
	size_t i;

	for (i = 0; i < side.count; i++)
		side.items[i] = (struct pairing_item){ image->layouts[i].name,
						       image->layouts[i].file, &image->layouts[i] };
	return side;
}

void layouts_compare(struct arena *arena, const struct code_image *baseline,
		     const struct code_image *candidate, struct code_diff *diff)
{
	struct comparing comparing = { .arena = arena, .diff = diff };
	struct pairing pairing = { &comparing, likeness, add_change };
	struct pairing_side first = side_of(arena, baseline), second = side_of(arena, candidate);

	pairing_run(&pairing, &first, &second);
	if (diff->layout_count > 1)
		qsort(diff->layouts, diff->layout_count, sizeof *diff->layouts, by_change);
}
