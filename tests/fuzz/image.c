/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a file of machine code: what is refused has a sentence that is fit to be printed; of
 * what is read every byte has one label, symbols lie in their sections and cover nothing twice, and
 * an image is no different from itself. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "binary/diff/diff.h"
#include "binary/image.h"
#include "fuzz.h"

static void check_text(struct arena *arena, const char *text)
{
	FUZZ_CHECK(text[0] != '\0' && strchr(text, '\n') == NULL);
	FUZZ_CHECK(strcmp(text_clean(arena, text, strlen(text)), text) == 0);
}

static void check_map(const struct code_map *map)
{
	uint64_t file = 0, memory = 0;
	size_t i;

	for (i = 0; i < CODE_LABELS; i++) {
		file += map->file_bytes[i];
		memory += map->memory_bytes[i];
	}
	FUZZ_CHECK(file == map->file_total);
	FUZZ_CHECK(memory == map->memory_total);
}

static void check_sections(const struct code_image *image)
{
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const struct code_section *section = &image->sections[i];
		uint64_t sum = section->function_bytes + section->unnamed_bytes +
			       section->padding_bytes + section->hole_bytes;

		FUZZ_CHECK(section->member < image->member_count);
		FUZZ_CHECK(sum == (section->executable ? section->address_bytes : 0));
		FUZZ_CHECK(section->symbol_bytes <= section->address_bytes);
	}
}

static void check_symbols(const struct code_image *image)
{
	size_t i;

	for (i = 0; i < image->symbol_count; i++) {
		const struct code_symbol *symbol = &image->symbols[i];

		FUZZ_CHECK(symbol->name[0] != '\0' && symbol->base[0] != '\0');
		if (symbol->section == CODE_NONE)
			continue;
		FUZZ_CHECK(symbol->section < image->section_count);
		FUZZ_CHECK(symbol->bytes > 0);
		FUZZ_CHECK(symbol->bytes <= image->sections[symbol->section].address_bytes);
	}
}

static void check_same(struct arena *arena, const struct code_image *image)
{
	struct code_diff diff;
	size_t i;

	diff_make(arena, image, image, &diff);
	diff_show_names(arena, &diff, 100);
	FUZZ_CHECK(diff.sentence_count == 0);
	for (i = 0; i < diff.symbol_count; i++)
		FUZZ_CHECK(diff.symbols[i].kind == CODE_SAME);
	for (i = 0; i < diff.section_count; i++)
		FUZZ_CHECK(diff.sections[i].kind == CODE_SAME);
	for (i = 0; i < diff.symbol_count && i < 100; i++)
		check_text(arena, diff.symbols[i].name);
}

static int make_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	FUZZ_CHECK(fd >= 0);
	FUZZ_CHECK(write(fd, data, size) == (ssize_t)size);
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open();
	int fd = make_file(data, size);
	char *path = arena_printf(arena, "/proc/self/fd/%d", fd);
	struct code_totals totals;
	struct code_image image;
	struct error err = { 0 };

	if (image_read(arena, path, NULL, &image, &err)) {
		check_map(&image.map);
		check_sections(&image);
		check_symbols(&image);
		check_same(arena, &image);
		if (image.partial != NULL)
			check_text(arena, image.partial);
		else
			FUZZ_CHECK(image_totals(path, &totals, &err) &&
				   totals.text_bytes == image.totals.text_bytes);
	} else {
		check_text(arena, err.sentence);
	}
	close(fd);
	arena_close(arena);
	return 0;
}
