/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How large frames are. While the canonical frame address is counted from the
 * stack pointer, its largest offset is the frame; a function that counts it
 * from a frame pointer, or changes the stack pointer by a register, says less
 * there than in its prologue.
 */
#include "binary/frames.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "binary/cfi.h"
#include "binary/diff/diff.h"
#include "binary/disassembly.h"
#include "binary/merge.h"
#include "binary/names.h"
#include "binary/objects.h"

enum { MOST_ROWS = 4096, PROLOGUE_INSTRUCTIONS = 40, MOST_REPORT_BYTES = 64 << 20 };

struct machine_frame {
	unsigned machine;
	unsigned stack_register; /* its DWARF number */
	uint64_t return_bytes;	 /* that a call pushes */
};

static const struct machine_frame machines[] = {
	{ EM_X86_64, 7, 8 }, { EM_386, 4, 4 },	 { EM_AARCH64, 31, 0 }, { EM_ARM, 13, 0 },
	{ EM_RISCV, 2, 0 },  { EM_S390, 15, 0 }, { EM_PPC64, 1, 0 },	{ EM_PPC, 1, 0 },
};

struct reading {
	struct arena *arena;
	struct code_image *image;
	const struct debug_settings *settings;
	struct debug debug;
	struct cfi cfi;
	const struct machine_frame *machine;
	const char *unit; /* of global functions: the archive's member; NULL: none */
	size_t capacity;
	size_t functions, unknown; /* seen, and those of them without a frame */
};

static const struct machine_frame *machine_of(const struct code_member *member)
{
	size_t i;

	for (i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].machine == member->machine)
			return &machines[i];
	return NULL;
}

/* The offset of the frame address from the stack pointer; false: it is counted otherwise. */
static bool stack_offset(const struct reading *reading, Dwarf_Frame *frame, uint64_t *offset)
{
	Dwarf_Op *operations;
	size_t count;

	if (dwarf_frame_cfa(frame, &operations, &count) != 0 || count != 1)
		return false;
	if (operations[0].atom == DW_OP_bregx) {
		*offset = operations[0].number2;
		return operations[0].number == reading->machine->stack_register;
	}
	*offset = operations[0].number;
	return operations[0].atom == DW_OP_breg0 + reading->machine->stack_register;
}

/* The largest frame by call frame information. False: there is none for all of the function. */
static bool frame_by_cfi(const struct reading *reading, uint64_t address, uint64_t bytes,
			 uint64_t *result)
{
	uint64_t at = address + reading->cfi.bias, end = at + bytes;
	int rows;

	*result = 0;
	for (rows = 0; at < end && rows < MOST_ROWS; rows++) {
		Dwarf_Frame *frame;
		Dwarf_Addr row_start, row_end;
		uint64_t offset;
		bool counted;

		if (dwarf_cfi_addrframe(reading->cfi.cfi, at, &frame) != 0)
			return false;
		counted = stack_offset(reading, frame, &offset);
		dwarf_frame_info(frame, &row_start, &row_end, NULL);
		free(frame);
		if (!counted || row_end <= at || offset > INT32_MAX)
			return false;
		if (offset > *result)
			*result = offset;
		at = row_end;
	}
	return at >= end;
}

static bool ends_with(const char *string, const char *end)
{
	size_t length = strlen(string), tail = strlen(end);

	return length >= tail && strcmp(string + length - tail, end) == 0;
}

/* The amount in "subq $0x18, %rsp" or "sub sp, sp, #0x20"; 0: another instruction. */
static uint64_t taken_by(const struct reading *reading, const char *key, bool *dynamic)
{
	const char *number;

	if (reading->machine->machine == EM_X86_64) {
		if (strncmp(key, "push", 4) == 0)
			return 8;
		*dynamic |= strncmp(key, "mov", 3) == 0 && ends_with(key, ", %rsp") &&
			    strstr(key, "%rbp") == NULL;
		if (strncmp(key, "sub", 3) != 0 || strstr(key, ", %rsp") == NULL)
			return 0;
		number = strchr(key, '$');
		*dynamic |= number == NULL;
		return number == NULL ? 0 : strtoull(number + 1, NULL, 0);
	}
	if (strncmp(key, "sub sp, sp, ", 12) == 0) {
		uint64_t amount = strtoull(key + 12 + (key[12] == '#'), NULL, 0);

		*dynamic |= key[12] != '#';
		return strstr(key, "lsl #12") != NULL ? amount << 12 : amount;
	}
	*dynamic |= strncmp(key, "mov sp, x", 9) == 0 && strncmp(key, "mov sp, x29", 11) != 0;
	number = strstr(key, "[sp, #-");
	return number != NULL && key[strlen(key) - 1] == '!' ? strtoull(number + 7, NULL, 0) : 0;
}

/* What the first instructions take from the stack, up to the first call or branch. */
static bool frame_by_prologue(const struct reading *reading, const struct code_symbol *symbol,
			      struct code_frame *frame)
{
	struct disassembly code;
	size_t i;

	if (reading->machine->machine != EM_X86_64 && reading->machine->machine != EM_AARCH64)
		return false;
	if (!disassemble_symbol(reading->arena, reading->image, symbol, reading->debug.elf,
				PROLOGUE_INSTRUCTIONS, &code) ||
	    code.stated != NULL)
		return false;
	frame->bytes = reading->machine->return_bytes;
	for (i = 0; i < code.count && i < PROLOGUE_INSTRUCTIONS; i++) {
		const char *key = code.items[i].key;

		if (strncmp(key, "call", 4) == 0 || key[0] == 'j' || strncmp(key, "ret", 3) == 0 ||
		    strncmp(key, "bl ", 3) == 0 || strncmp(key, "b ", 2) == 0 ||
		    strncmp(key, "b.", 2) == 0 || strncmp(key, "cb", 2) == 0)
			break;
		frame->bytes += taken_by(reading, key, &frame->dynamic);
	}
	return true;
}

static void add_frame(struct reading *reading, struct code_frame frame)
{
	*array_push(reading->arena, reading->image->frames, reading->image->frame_count,
		    reading->capacity) = frame;
}

static void read_function(struct reading *reading, const struct code_symbol *symbol)
{
	struct code_frame frame = { .function = symbol->name,
				    .shown = name_shown(reading->arena, symbol->name),
				    .unit = symbol->unit != NULL ? symbol->unit : reading->unit };
	uint64_t address;

	if (reading->cfi.cfi != NULL &&
	    object_symbol_address(&reading->debug, reading->image, symbol, &address) &&
	    frame_by_cfi(reading, address, symbol->bytes, &frame.bytes))
		frame.origin = "CFI";
	else if (frame_by_prologue(reading, symbol, &frame))
		frame.origin = "prologue";
	reading->functions++;
	if (frame.origin == NULL)
		reading->unknown++;
	else
		add_frame(reading, frame);
}

/* "n.c:5:12:f<TAB>48<TAB>dynamic,bounded" */
static void read_report_line(struct reading *reading, char *line)
{
	char *bytes = strchr(line, '\t'), *kind, *end;
	const char *name;
	struct code_frame frame = { .origin = "stack-usage" };

	if (bytes == NULL)
		return;
	*bytes++ = '\0';
	frame.bytes = strtoull(bytes, &end, 10);
	kind = end;
	if (end == bytes)
		return;
	name = strrchr(line, ':');
	name = name == NULL ? line : name + 1;
	frame.function = arena_strdup(reading->arena, name);
	frame.shown = text_clean(reading->arena, name, strlen(name));
	frame.dynamic = strstr(kind, "dynamic") != NULL;
	frame.bounded = strstr(kind, "bounded") != NULL;
	add_frame(reading, frame);
}

/* x.su of x.o: whether it was there. */
static bool read_report(struct reading *reading)
{
	const char *path = reading->image->path;
	size_t length = strlen(path), bytes_length;
	char *report, *bytes, *line, *rest;
	struct stat status;

	if (length < 2 || strcmp(path + length - 2, ".o") != 0)
		return false;
	report = arena_printf(reading->arena, "%.*s.su", (int)length - 2, path);
	/* Not everything of that name is a file: a FIFO would be waited for. */
	if (stat(report, &status) != 0 || !S_ISREG(status.st_mode) ||
	    !file_read(reading->arena, report, MOST_REPORT_BYTES, &bytes, &bytes_length, NULL))
		return false;
	for (line = strtok_r(bytes, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
		read_report_line(reading, line);
	return true;
}

static int by_name(const void *left, const void *right)
{
	const struct code_frame *first = left, *second = right;
	int order = strcmp(first->function, second->function);

	if (order != 0)
		return order;
	return strcmp(first->unit == NULL ? "" : first->unit,
		      second->unit == NULL ? "" : second->unit);
}

static bool read_object(void *context, const struct debug_source *source, size_t member,
			struct error *err)
{
	struct reading *reading = context;
	const struct code_image *image = reading->image;
	size_t i;

	reading->machine = machine_of(&image->members[member]);
	if (reading->machine == NULL)
		return error_set(err, ERROR_INPUT,
				 "%s: frames of this machine are known only from -fstack-usage: "
				 "build with it, and name the objects",
				 image->path);
	if (!debug_open(reading->arena, source, reading->settings, &reading->debug, err))
		return false;
	reading->unit = source->name;
	reading->cfi = cfi_open(&reading->debug);
	for (i = 0; i < image->symbol_count; i++)
		if (image->symbols[i].member == member &&
		    image->symbols[i].kind == CODE_SYMBOL_FUNCTION &&
		    image->symbols[i].section != CODE_NONE && image->symbols[i].bytes > 0)
			read_function(reading, &image->symbols[i]);
	cfi_close(&reading->cfi);
	debug_close(&reading->debug);
	return true;
}

static void state_unknown(const struct reading *reading)
{
	struct code_image *image = reading->image;

	if (image->frame_count == 0 && image->coverage.partial == NULL)
		image->coverage.partial =
		    reading->functions == 0
			? "no symbols of functions: frames are not known"
			: "no frame is known: build with -fstack-usage and name the objects, or "
			  "with -funwind-tables";
	else if (reading->unknown > 0 && image->stated == NULL)
		image->stated =
		    arena_printf(reading->arena, "Of %zu of %zu functions the frame is not known.",
				 reading->unknown, reading->functions);
}

bool frames_read(struct arena *arena, const struct debug_settings *settings,
		 struct code_image *image, struct error *err)
{
	struct reading reading = { .arena = arena, .image = image, .settings = settings };

	if (!read_report(&reading) &&
	    !objects_visit(arena, image, read_object, &reading, &image->coverage.partial, err))
		return false;
	state_unknown(&reading);
	if (image->frame_count > 1)
		qsort(image->frames, image->frame_count, sizeof *image->frames, by_name);
	return true;
}

static int64_t delta_of(const struct code_frame_change *change)
{
	return (change->candidate == NULL ? 0 : (int64_t)change->candidate->bytes) -
	       (change->baseline == NULL ? 0 : (int64_t)change->baseline->bytes);
}

static int by_change(const void *left, const void *right)
{
	const struct code_frame_change *first = left, *second = right;
	int64_t one = llabs(delta_of(first)), other = llabs(delta_of(second));

	if ((first->kind == CODE_SAME) != (second->kind == CODE_SAME))
		return first->kind == CODE_SAME ? 1 : -1;
	if (one != other)
		return one > other ? -1 : 1;
	if (first->kind == CODE_SAME && first->baseline->bytes != second->baseline->bytes)
		return first->baseline->bytes > second->baseline->bytes ? -1 : 1;
	return strcmp(first->function, second->function);
}

static void add_change(struct arena *arena, struct code_diff *diff, size_t *capacity,
		       const struct code_frame *before, const struct code_frame *after)
{
	const struct code_frame *shown = after != NULL ? after : before;
	bool as_dynamic = before != NULL && after != NULL && before->dynamic == after->dynamic;

	*array_push(arena, diff->frames, diff->frame_count, *capacity) = (struct code_frame_change){
		.function = shown->shown,
		.unit = shown->unit,
		.kind = diff_kind(before != NULL, after != NULL, before == NULL ? 0 : before->bytes,
				  after == NULL ? 0 : after->bytes,
				  as_dynamic ? CODE_SAME : CODE_CHANGED),
		.baseline = before,
		.candidate = after,
	};
}

void frames_compare(struct arena *arena, const struct code_image *baseline,
		    const struct code_image *candidate, struct code_diff *diff)
{
	struct merge merge = { baseline->frames,
			       candidate->frames,
			       baseline->frame_count,
			       candidate->frame_count,
			       sizeof *baseline->frames,
			       by_name,
			       0,
			       0 };
	const void *before, *after;
	size_t capacity = 0;

	while (merge_next(&merge, &before, &after))
		add_change(arena, diff, &capacity, before, after);
	if (diff->frame_count > 1)
		qsort(diff->frames, diff->frame_count, sizeof *diff->frames, by_change);
}
