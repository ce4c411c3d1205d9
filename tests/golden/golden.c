/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the sheets of the cases, in every format, with the files kept in
 * the given directory, byte by byte.
 *
 *	golden DIRECTORY		TAP: a line per case and format
 *	golden --accept DIRECTORY	writes the files anew; look at the diff
 *	golden --show NAME [FORMAT]	prints one sheet
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cases.h"
#include "report/sheet/sheet.h"
#include "report/writer.h"

static struct document *make_document(struct made *made, const struct golden_case *kept)
{
	struct sheet_settings settings = { .redact = kept->redact };

	made_init(made);
	kept->make(made);
	return sheet_make(made->arena, &made->recording, &made->findings, &settings);
}

static void render(const struct golden_case *kept, const struct writer *writer, struct text *text)
{
	struct look_settings look = { .width = kept->width == 0 ? 80 : kept->width,
				      .colour = kept->colour,
				      .plots = kept->drawn };
	struct document *document;
	struct made made;

	document = make_document(&made, kept);
	writer->write(document, &look, text);
	json_release(document->data);
	made_release(&made);
}

static bool accept(const char *path, const struct text *text)
{
	struct error err;

	if (file_write(path, text_string(text), text->length, &err))
		return true;
	fprintf(stderr, "golden: %s\n", err.sentence);
	return false;
}

/* Says where the two differ first; a reader then runs diff. */
static bool is_kept(struct arena *arena, const char *path, const struct text *text)
{
	size_t length, line = 1, i;
	struct error err;
	char *bytes;

	if (!file_read(arena, path, 1 << 26, &bytes, &length, &err)) {
		printf("# %s\n", err.sentence);
		return false;
	}
	for (i = 0; i < length && i < text->length && bytes[i] == text->bytes[i]; i++)
		line += bytes[i] == '\n';
	if (i == length && i == text->length)
		return true;
	printf("# %s differs from line %zu on; build/tests/golden/golden --accept tests/golden "
	       "writes it anew\n",
	       path, line);
	return false;
}

/* Those that are drawn are kept in the formats that draw, the others in those that do not. */
static bool is_kept_as(const struct golden_case *kept, const struct writer *writer)
{
	bool picture = strcmp(writer->name, "html") == 0 || strcmp(writer->name, "svg") == 0;

	if (strcmp(writer->name, "text") == 0)
		return true;
	return picture == kept->drawn;
}

static int run_all(const char *directory, bool accepting)
{
	struct arena *arena = arena_open();
	const struct writer *const *writer;
	size_t count = 0, failed = 0, i;
	struct text text = { 0 };
	const char *path;
	bool good;

	for (i = 0; i < golden_case_count; i++)
		for (writer = writers(); *writer != NULL; writer++) {
			if (!is_kept_as(&golden_cases[i], *writer))
				continue;
			path = arena_printf(arena, "%s/%s%s", directory, golden_cases[i].name,
					    (*writer)->endings[0]);
			text_clear(&text);
			render(&golden_cases[i], *writer, &text);
			good = accepting ? accept(path, &text) : is_kept(arena, path, &text);
			failed += !good;
			printf("%sok %zu - %s as %s\n", good ? "" : "not ", ++count,
			       golden_cases[i].name, (*writer)->name);
		}
	printf("1..%zu\n", count);
	text_release(&text);
	arena_close(arena);
	return failed > 0;
}

static int show(const char *name, const char *format)
{
	const struct writer *writer = writer_by_name(format);
	struct text text = { 0 };
	size_t i;

	for (i = 0; writer != NULL && i < golden_case_count; i++)
		if (strcmp(golden_cases[i].name, name) == 0) {
			render(&golden_cases[i], writer, &text);
			fputs(text_string(&text), stdout);
			text_release(&text);
			return 0;
		}
	fprintf(stderr, "golden: there is no case or format of that name\n");
	return 2;
}

int main(int argc, char **argv)
{
	if (argc >= 3 && strcmp(argv[1], "--show") == 0)
		return show(argv[2], argc > 3 ? argv[3] : "text");
	if (argc == 3 && strcmp(argv[1], "--accept") == 0)
		return run_all(argv[2], true);
	if (argc == 2)
		return run_all(argv[1], false);
	fprintf(stderr, "usage: golden [--accept] DIRECTORY | golden --show NAME [FORMAT]\n");
	return 2;
}
