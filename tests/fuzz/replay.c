/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a fuzz target over the files of its corpus, as a regression test
 * without libFuzzer: replay DIRECTORY. TAP, one test a file; an input that
 * breaks a property ends the program, and the last remark names the file.
 */
#include <dirent.h>
#include <string.h>

#include "base/file.h"
#include "fuzz.h"

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	int count = argc == 2 ? scandir(argv[1], &entries, is_visible, alphasort) : -1, i;

	if (count <= 0) {
		fprintf(stderr, "replay: needs a directory with files\n");
		return 1;
	}
	for (i = 0; i < count; i++) {
		struct arena *arena = arena_open();
		struct error err = { 0 };
		char *path = arena_printf(arena, "%s/%s", argv[1], entries[i]->d_name), *bytes;
		size_t length;

		printf("# %s\n", entries[i]->d_name);
		fflush(stdout);
		if (!file_read(arena, path, 1 << 20, &bytes, &length, &err)) {
			printf("Bail out! %s\n", err.sentence);
			return 1;
		}
		LLVMFuzzerTestOneInput((const uint8_t *)bytes, length);
		printf("ok %d - %s\n", i + 1, entries[i]->d_name);
		free(entries[i]);
		arena_close(arena);
	}
	free(entries);
	printf("1..%d\n", count);
	return 0;
}
