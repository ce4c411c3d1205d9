/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an object whose functions are disassembled: every instruction has a text that is fit
 * to be printed, offsets rise within a part, and a function is no different from itself. */
#include "binary/disassembly.h"
#include "fuzz_image.h"

enum { MOST_FUNCTIONS = 16 };

static void check_listing(struct arena *arena, const char *name,
			  const struct disassembly *disassembly)
{
	struct code_listing listing = { 0 };
	size_t i;

	for (i = 0; i < disassembly->count; i++)
		fuzz_check_text(arena, disassembly->items[i].text);
	listing_make(arena, name, disassembly, disassembly, &listing);
	FUZZ_CHECK(listing.line_count == disassembly->count);
	for (i = 0; i < listing.line_count; i++)
		FUZZ_CHECK(listing.lines[i].mark == ' ');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_open();
	struct code_image image;
	struct error err = { 0 };
	char *path;
	int fd = fuzz_file(arena, data, size, &path);
	size_t i;

	if (!image_read(arena, path, NULL, &image, &err))
		image.symbol_count = 0;
	for (i = 0; i < image.symbol_count && i < MOST_FUNCTIONS; i++) {
		struct disassembly disassembly;

		if (disassemble(arena, &image, image.symbols[i].name, &disassembly, &err))
			check_listing(arena, "f", &disassembly);
		else
			fuzz_check_text(arena, err.sentence);
	}
	close(fd);
	arena_close(arena);
	return 0;
}
