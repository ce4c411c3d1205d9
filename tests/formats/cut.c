/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every file below a directory, cut off at every byte (large ones at some), and
 * with single bytes replaced, in the format that it is found in: the reader has
 * results or one sentence that names the file. A crash ends the program.
 *
 *	cut DIRECTORY...
 */
#include <fts.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "formats/format.h"

enum { LARGEST_BYTES = 64 << 10, CUTS = 600 };

struct tally {
	size_t files, readings, refused, bad;
};

static void read_bytes(struct tally *tally, const struct format *format, const char *bytes,
		       size_t length)
{
	struct results *results = results_open();
	struct input *input = input_from_bytes("the file", bytes, length);
	const struct format *found = NULL;
	struct error err = { 0 };
	bool good = format_read(input, format, results, &found, &err);

	tally->readings++;
	tally->refused += !good;
	if (!good && (err.kind != ERROR_INPUT || strncmp(err.sentence, "the file", 8) != 0 ||
		      strchr(err.sentence, '\n') != NULL)) {
		printf("# at %zu bytes: %s\n", length, err.sentence);
		tally->bad++;
	}
	input_close(input);
	results_close(results);
}

static const struct format *format_of(const char *bytes, size_t length)
{
	struct arena *arena = arena_open();
	struct page page = { 0 };
	struct head head = { .bytes = bytes, .length = length, .whole = true, .page = &page };
	const struct format *format;

	page_from_bytes(arena, bytes, length, &page);
	format = format_detect("the file", &head, NULL);
	arena_close(arena);
	return format;
}

static void cut_file(struct tally *tally, const char *path)
{
	static const char replacements[] = { '\0', '"', '}', '9', '\xff', ',', '\n', '-' };
	struct arena *arena = arena_open();
	char *bytes;
	size_t length, step, i;

	if (file_read(arena, path, LARGEST_BYTES, &bytes, &length, NULL)) {
		const struct format *format = format_of(bytes, length);

		tally->files++;
		step = length / CUTS + 1;
		for (i = 0; i <= length; i += step)
			read_bytes(tally, format, bytes, i);
		for (i = 0; i < length; i += step) {
			char kept = bytes[i];

			bytes[i] = replacements[(i / step) % sizeof replacements];
			read_bytes(tally, format, bytes, length);
			bytes[i] = kept;
		}
	}
	arena_close(arena);
}

int main(int argc, char **argv)
{
	struct tally tally = { 0 };
	FTSENT *entry;
	FTS *tree;

	if (argc < 2)
		return 2;
	tree = fts_open(argv + 1, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	while (tree != NULL && (entry = fts_read(tree)) != NULL)
		if (entry->fts_info == FTS_F)
			cut_file(&tally, entry->fts_path);
	if (tree != NULL)
		fts_close(tree);
	printf("# %zu files, %zu readings, %zu refused\n", tally.files, tally.readings,
	       tally.refused);
	printf("%s 1 - a cut or broken file gives results or one sentence\n",
	       tally.bad == 0 ? "ok" : "not ok");
	printf("%s 2 - there are files, and some of their beginnings are refused\n1..2\n",
	       tally.files > 20 && tally.refused > 100 ? "ok" : "not ok");
	return tally.bad == 0 ? 0 : 1;
}
