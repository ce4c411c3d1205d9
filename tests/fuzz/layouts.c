/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an object whose structures are read: holes and padding are within the structure,
 * members are in order, and the structures are no different from themselves. */
#include "binary/layouts.h"
#include "fuzz_image.h"

static void check_layout(struct arena *arena, const struct code_layout *layout)
{
	uint64_t holes = 0;
	size_t i;

	fuzz_check_text(arena, layout->name);
	if (layout->file != NULL)
		fuzz_check_text(arena, layout->file);
	for (i = 0; i < layout->member_count; i++) {
		const struct code_layout_member *member = &layout->members[i];

		fuzz_check_text(arena, member->name);
		fuzz_check_text(arena, member->type);
		FUZZ_CHECK(i == 0 || member->offset_bytes >= member[-1].offset_bytes);
		holes += member->hole_bytes;
	}
	FUZZ_CHECK(holes == layout->hole_bytes);
	FUZZ_CHECK(layout->hole_bytes <= layout->bytes);
	FUZZ_CHECK(layout->padding_bytes <= layout->bytes - layout->hole_bytes);
}

static void check_same(struct arena *arena, const struct code_image *image)
{
	struct code_diff diff = { 0 };
	size_t i;

	layouts_compare(arena, image, image, &diff);
	FUZZ_CHECK(diff.layout_count == image->layout_count);
	for (i = 0; i < diff.layout_count; i++)
		FUZZ_CHECK(diff.layouts[i].kind == CODE_SAME);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct debug_settings settings = { 0 };
	struct arena *arena = arena_open();
	struct code_image image;
	struct error err = { 0 };
	char *path;
	int fd = fuzz_file(arena, data, size, &path);
	size_t i;

	if (image_read(arena, path, NULL, &image, &err) && layouts_read(arena, &settings, &image, &err)) {
		for (i = 0; i < image.layout_count; i++)
			check_layout(arena, &image.layouts[i]);
		check_same(arena, &image);
		if (image.coverage.partial != NULL)
			fuzz_check_text(arena, image.coverage.partial);
	} else {
		fuzz_check_text(arena, err.sentence);
	}
	close(fd);
	arena_close(arena);
	return 0;
}
