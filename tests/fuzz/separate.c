/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a stripped object and its debug file, which has its symbols, too: of what is read
 * every byte has one label and the ledger's sums agree. */
#include "fuzz_pair.h"

static void check_image(struct arena *arena, const char *path,
			const struct debug_settings *settings)
{
	struct code_image image;
	struct error err = { 0 };
	uint64_t memory = 0;
	size_t i;

	if (!image_read(arena, path, settings, &image, &err)) {
		fuzz_check_text(arena, err.sentence);
		return;
	}
	for (i = 0; i < CODE_LABELS; i++)
		memory += image.map.memory_bytes[i];
	FUZZ_CHECK(memory == image.map.memory_total);
	for (i = 0; i < image.section_count; i++)
		FUZZ_CHECK(image.sections[i].symbol_bytes <= image.sections[i].address_bytes);
	for (i = 0; i < image.member_count; i++)
		if (image.members[i].symbols_from != NULL)
			fuzz_check_text(arena, image.members[i].symbols_from);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct debug_settings settings = { 0 };
	struct arena *arena = arena_open();
	char *directory = fuzz_pair_write(arena, data, size, "object.debug");
	struct debug_source source = { .path = arena_printf(arena, "%s/object", directory) };

	check_image(arena, source.path, &settings);
	fuzz_ledger(arena, &source, &settings);
	fuzz_pair_remove(arena, directory, "object.debug");
	arena_close(arena);
	return 0;
}
