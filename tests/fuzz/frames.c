/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as an object whose stack frames are read, by call frame information or by the first
 * instructions of its functions: each frame has a name and an origin, and frames are no different
 * from themselves. */
#include "binary/frames.h"
#include "fuzz_image.h"

static void check_same(struct arena *arena, const struct code_image *image)
{
	struct code_diff diff = { 0 };
	size_t i;

	frames_compare(arena, image, image, &diff);
	FUZZ_CHECK(diff.frame_count == image->frame_count);
	for (i = 0; i < diff.frame_count; i++)
		FUZZ_CHECK(diff.frames[i].kind == CODE_SAME);
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

	if (image_read(arena, path, NULL, &image, &err) && frames_read(arena, &settings, &image, &err)) {
		for (i = 0; i < image.frame_count; i++) {
			fuzz_check_text(arena, image.frames[i].shown);
			FUZZ_CHECK(image.frames[i].origin != NULL);
		}
		check_same(arena, &image);
	} else {
		fuzz_check_text(arena, err.sentence);
	}
	close(fd);
	arena_close(arena);
	return 0;
}
