/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every file below both directories, cut off at every byte (large ones at some), and
 * with single bytes replaced, neighbours swapped, twice over, behind another
 * file, with CR LF, in UTF-16, with NUL bytes and with huge numbers, in the
 * format that it is found in and with none given: the reader has results or one
 * sentence that names the file. A crash ends the program.
 *
 *	cut DIRECTORY SHARED_CASES
 */
#include <fts.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "formats/format.h"

enum { LARGEST_BYTES = 64 << 10, CUTS = 250 };

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

/* Each byte of the file becomes a word: itself, or what a kind of damage makes of it. */
enum damage {
	DAMAGE_CRLF,
	DAMAGE_UTF16,
	DAMAGE_NUL,
	DAMAGE_HUGE,
	DAMAGE_CR,
	DAMAGE_TWICE,
	DAMAGES
};

static void add_damaged(struct text *text, enum damage damage, char byte, size_t at)
{
	if (damage == DAMAGE_CRLF && byte == '\n')
		text_add_char(text, '\r');
	if (damage == DAMAGE_CR && byte == '\n')
		byte = '\r';
	if (damage == DAMAGE_HUGE && byte == '.')
		text_add(text, "999999999999999999999e300");
	text_add_char(text, byte);
	if (damage == DAMAGE_UTF16 || (damage == DAMAGE_NUL && at % 97 == 96))
		text_add_bytes(text, "", 1);
}

static void damage_file(struct tally *tally, const struct format *format, const char *bytes,
			size_t length)
{
	struct text text = { 0 };
	enum damage damage;
	size_t i;

	for (damage = 0; damage < DAMAGES; damage++) {
		text_clear(&text);
		if (damage == DAMAGE_UTF16)
			text_add(&text, "\xff\xfe");
		if (damage == DAMAGE_TWICE)
			text_add_bytes(&text, bytes, length);
		for (i = 0; i < length; i++)
			add_damaged(&text, damage, bytes[i], i);
		read_bytes(tally, format, text_string(&text), text.length);
		read_bytes(tally, NULL, text_string(&text), text.length);
	}
	text_release(&text);
}

/* Two formats in one file. */
static void read_behind(struct tally *tally, struct text *before, const char *bytes, size_t length)
{
	if (before->length > 0 && before->length + length < LARGEST_BYTES) {
		text_add_bytes(before, bytes, length);
		read_bytes(tally, NULL, text_string(before), before->length);
	}
	text_clear(before);
	text_add_bytes(before, bytes, length);
}

static void swap_bytes(char *bytes)
{
	char first = bytes[0];

	bytes[0] = bytes[1];
	bytes[1] = first;
}

static void cut_file(struct tally *tally, struct text *before, const char *path)
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
		for (i = 0; i + 1 < length; i += step) {
			swap_bytes(bytes + i);
			read_bytes(tally, format, bytes, length);
			swap_bytes(bytes + i);
		}
		damage_file(tally, format, bytes, length);
		read_behind(tally, before, bytes, length);
	}
	arena_close(arena);
}

static struct tally break_all(const char *directory)
{
	char *const roots[] = { (char *)directory, NULL };
	struct tally tally = { 0 };
	struct text before = { 0 };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;

	while (tree != NULL && (entry = fts_read(tree)) != NULL)
		if (entry->fts_info == FTS_F)
			cut_file(&tally, &before, entry->fts_path);
	if (tree != NULL)
		fts_close(tree);
	text_release(&before);
	printf("# %zu files, %zu readings, %zu refused\n", tally.files, tally.readings,
	       tally.refused);
	return tally;
}

int main(int argc, char **argv)
{
	const char *cases = getenv("WORTH_CASES");
	struct tally own, others = { 0 };
	char path[4096];

	if (argc != 3)
		return 2;
	own = break_all(argv[1]);
	printf("%s 1 - a cut or broken file gives results or one sentence\n",
	       own.bad == 0 ? "ok" : "not ok");
	printf("%s 2 - there are files, and some of their beginnings are refused\n",
	       own.files > 20 && own.refused > 100 ? "ok" : "not ok");
	snprintf(path, sizeof path, "%s/formats", cases != NULL ? cases : argv[2]);
	if (access(path, R_OK) == 0)
		others = break_all(path);
	printf("%s 3 - and so do broken files of the tools themselves%s\n1..3\n",
	       others.bad == 0 ? "ok" : "not ok",
	       others.files == 0 ? " # SKIP no shared cases" : "");
	return own.bad + others.bad == 0 ? 0 : 1;
}
