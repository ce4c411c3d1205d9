/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a file to its code image, one object after the other: see image.h. */
#include "binary/image.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "binary/reading.h"

void reading_partial(struct reading *reading, const char *format, ...)
{
	char sentence[ERROR_SENTENCE_BYTES];
	const struct code_image *image = reading->image;
	const struct code_member *member =
	    image->member_count > 0 ? &image->members[image->member_count - 1] : NULL;
	va_list list;

	if (image->partial != NULL)
		return;
	va_start(list, format);
	vsnprintf(sentence, sizeof sentence, format, list);
	va_end(list);
	reading->image->partial =
	    member == NULL || member->name == NULL
		? arena_strdup(reading->arena, sentence)
		: arena_printf(reading->arena, "in %s, %s",
			       text_clean(reading->arena, member->name, strlen(member->name)),
			       sentence);
}

static struct code_member *push_member(struct reading *reading, const struct elf_object *object)
{
	struct code_image *image = reading->image;
	struct code_member *member = array_push(reading->arena, image->members, image->member_count,
						reading->member_capacity);

	*member = (struct code_member){
		.name = object->name,
		.machine_name = "no machine",
		.file_offset = object->offset,
		.file_bytes = object->bytes,
	};
	return member;
}

/* A member that is no ELF: its bytes are counted, and why it has no code is said. */
static void add_foreign(struct reading *reading, const struct elf_object *object,
			struct code_member *member)
{
	member->stripped = true;
	member->no_code =
	    strcmp(object->what, "LLVM bitcode") == 0
		? "it is LLVM bitcode, which has no machine code yet; link it first"
		: arena_printf(reading->arena, "it is no ELF object (%s)", object->what);
	reading->image->map.file_bytes[CODE_LABEL_OTHER] += object->bytes;
}

static bool add_object(struct reading *reading, const struct elf_object *object, bool symbols,
		       struct error *err)
{
	struct code_member *member = push_member(reading, object);

	reading->first_section = reading->image->section_count;
	if (object->elf == NULL) {
		add_foreign(reading, object, member);
		return true;
	}
	if (!sections_read(reading, object, member, err))
		return false;
	if (!symbols)
		return true;
	if (!symbols_read(reading, object, member, err))
		return false;
	map_add(reading, object, member);
	return true;
}

/* A first object that fails is an error; later ones make the image partial. */
static bool add_objects(struct reading *reading, struct elf_file *file, bool symbols,
			struct error *err)
{
	struct elf_object object;
	bool more = true;

	while (more) {
		struct error trouble = { 0 };

		if (elf_file_next(file, &object, &more, &trouble) &&
		    (!more || add_object(reading, &object, symbols, &trouble)))
			continue;
		if (reading->image->section_count == 0) {
			*err = trouble;
			return false;
		}
		if (reading->image->partial == NULL)
			reading->image->partial = arena_strdup(reading->arena, trouble.sentence);
		return true;
	}
	return true;
}

/* The archive's own bytes, and those that a damaged one does not account for. */
static void finish_map(struct code_image *image, const struct elf_file *file)
{
	struct code_map *map = &image->map;
	uint64_t sum = 0;
	size_t i;

	map->file_bytes[CODE_LABEL_HEADERS] += elf_file_header_bytes(file);
	map->file_bytes[CODE_LABEL_SYMBOLS] += elf_file_index_bytes(file);
	map->file_total = elf_file_size(file);
	for (i = 0; image->thin && i < image->member_count; i++)
		map->file_total += image->members[i].file_bytes;
	for (i = 0; i < CODE_LABELS; i++)
		sum += map->file_bytes[i];
	if (sum < map->file_total)
		map->file_bytes[CODE_LABEL_GAP] += map->file_total - sum;
}

static void finish_totals(struct code_image *image)
{
	size_t i;

	sections_sum(image, &image->totals);
	for (i = 0; i < image->section_count; i++)
		image->totals.function_bytes += image->sections[i].function_bytes;
	for (i = 0; i < image->symbol_count; i++)
		if (image->symbols[i].kind == CODE_SYMBOL_COMMON &&
		    image->symbols[i].section == CODE_NONE)
			image->totals.common_bytes += image->symbols[i].bytes;
	image->map.memory_bytes[CODE_LABEL_COMMON] += image->totals.common_bytes;
	image->map.memory_total += image->totals.common_bytes;
}

/* Where nothing has code, the file has none, and a reader wants to know why. */
static bool check_code(const struct code_image *image, struct error *err)
{
	const char *path;
	size_t i, without = 0;

	for (i = 0; i < image->member_count; i++)
		without += image->members[i].no_code != NULL;
	if (without == 0 || without < image->member_count)
		return true;
	path = image->path;
	if (!image->archive)
		return error_set(err, ERROR_INPUT, "%s: %s", path, image->members[0].no_code);
	return error_set(err, ERROR_INPUT, "%s: none of its %zu members has code; of the first, %s",
			 path, image->member_count, image->members[0].no_code);
}

static void state_strays(struct reading *reading)
{
	if (reading->stray_symbols > 0 && reading->image->stated == NULL)
		reading->image->stated = arena_printf(
		    reading->arena, "%llu symbols lie outside their section and are left out.",
		    (unsigned long long)reading->stray_symbols);
}

static bool read_image(struct arena *arena, const char *path, bool symbols,
		       const struct debug_settings *debug, struct code_image *image,
		       struct error *err)
{
	struct reading reading = { .arena = arena, .image = image, .debug = debug };
	struct elf_file *file;
	bool good;

	*image = (struct code_image){ .path = path };
	if (!elf_file_open(arena, path, &file, err))
		return false;
	image->archive = elf_file_is_archive(file, &image->thin);
	good = add_objects(&reading, file, symbols, err);
	if (good) {
		finish_map(image, file);
		finish_totals(image);
		state_strays(&reading);
		good = check_code(image, err);
	}
	elf_file_close(file);
	return good;
}

bool image_read(struct arena *arena, const char *path, const struct debug_settings *debug,
		struct code_image *image, struct error *err)
{
	return read_image(arena, path, true, debug, image, err);
}

bool image_totals(const char *path, struct code_totals *totals, struct error *err)
{
	struct arena *arena = arena_open();
	struct code_image image;
	bool good = read_image(arena, path, false, NULL, &image, err);

	if (good && image.partial != NULL)
		good = error_set(err, ERROR_INPUT, "%s: %s", path, image.partial);
	*totals = good ? image.totals : (struct code_totals){ 0 };
	arena_close(arena);
	return good;
}
