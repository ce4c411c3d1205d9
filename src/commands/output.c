/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the output options to bytes in files and on stdout: see output.h. */
#include "commands/output.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/units.h"

enum { WIDEST_COLUMNS = 80, NARROWEST_COLUMNS = 40 };

/* One place to write to; writer is found by option or by ending. */
struct target {
	const char *option;
	const char *path;
	const struct writer *writer;
};

struct targets {
	struct target *items;
	size_t count;
};

void output_settings_init(struct output_settings *settings)
{
	memset(settings, 0, sizeof *settings);
}

static bool is_stdout(const struct target *target)
{
	return strcmp(target->path, "-") == 0;
}

static void add_targets(struct targets *targets, const struct option_texts *texts,
			const char *option, const char *format)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		targets->items[targets->count++] =
		    (struct target){ .option = option,
				     .path = texts->items[i],
				     .writer = format ? writer_by_name(format) : NULL };
}

/* Plots on stdout are a part of the text there, not a file of their own. */
static void add_plot_targets(struct targets *targets, const struct option_texts *texts)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		if (strcmp(texts->items[i], "-") != 0)
			targets->items[targets->count++] =
			    (struct target){ .option = "--plot",
					     .path = texts->items[i],
					     .writer = writer_by_name("svg") };
}

/* The endings are looked up here, so that output_check and output_write agree. */
static bool find_writers(const struct targets *targets, struct error *err)
{
	size_t i;

	for (i = 0; i < targets->count; i++) {
		struct target *target = &targets->items[i];

		if (target->writer != NULL)
			continue;
		if (is_stdout(target))
			return error_set(err, ERROR_USAGE,
					 "-o - does not say which format: write --json -, --csv -, "
					 "--html - or --markdown -");
		target->writer = writer_by_ending(target->path, err);
		if (target->writer == NULL)
			return error_prefix(err, "-o");
	}
	return true;
}

static bool targets_make(struct arena *arena, const struct output_settings *settings,
			 struct targets *targets, struct error *err)
{
	size_t count = settings->files.count + settings->html.count + settings->plot.count +
		       settings->json.count + settings->csv.count + settings->markdown.count;

	targets->items = arena_alloc(arena, count, sizeof *targets->items);
	targets->count = 0;
	add_targets(targets, &settings->files, "-o", NULL);
	add_targets(targets, &settings->html, "--html", "html");
	add_plot_targets(targets, &settings->plot);
	add_targets(targets, &settings->markdown, "--markdown", "markdown");
	add_targets(targets, &settings->json, "--json", "json");
	add_targets(targets, &settings->csv, "--csv", "csv");
	return find_writers(targets, err);
}

/* The same directory entry, or the same file by two names. */
static bool is_same_place(const char *one, const char *other)
{
	char *folders[2] = { strdup(one), strdup(other) },
	     *names[2] = { strdup(one), strdup(other) };
	struct stat status[2];
	bool same = strcmp(one, other) == 0;

	if (!folders[0] || !folders[1] || !names[0] || !names[1])
		arena_out_of_memory();
	if (!same && stat(one, &status[0]) == 0 && stat(other, &status[1]) == 0)
		same = S_ISREG(status[0].st_mode) && status[0].st_dev == status[1].st_dev &&
		       status[0].st_ino == status[1].st_ino;
	else if (!same && stat(dirname(folders[0]), &status[0]) == 0 &&
		 stat(dirname(folders[1]), &status[1]) == 0)
		same = status[0].st_dev == status[1].st_dev &&
		       status[0].st_ino == status[1].st_ino &&
		       strcmp(basename(names[0]), basename(names[1])) == 0;
	free(folders[0]);
	free(folders[1]);
	free(names[0]);
	free(names[1]);
	return same;
}

static bool check_distinct(const struct targets *targets, struct error *err)
{
	size_t i, j;

	for (i = 0; i < targets->count; i++)
		for (j = 0; j < i; j++)
			if (is_same_place(targets->items[i].path, targets->items[j].path))
				return error_set(err, ERROR_USAGE,
						 "%s %s and %s %s would write to the same place; "
						 "give each its own file",
						 targets->items[j].option, targets->items[j].path,
						 targets->items[i].option, targets->items[i].path);
	return true;
}

bool output_check(const struct output_settings *settings, struct error *err)
{
	struct arena *arena = arena_open();
	struct targets targets;
	bool good = targets_make(arena, settings, &targets, err) && check_distinct(&targets, err);
	size_t i;

	for (i = 0; good && i < targets.count; i++)
		if (!is_stdout(&targets.items[i]) && !file_writable(targets.items[i].path, err))
			good = error_prefix(err, "%s", targets.items[i].option);
	arena_close(arena);
	return good;
}

static bool any_stdout(const struct option_texts *texts)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		if (strcmp(texts->items[i], "-") == 0)
			return true;
	return false;
}

bool output_takes_stdout(const struct output_settings *settings)
{
	return any_stdout(&settings->json) || any_stdout(&settings->csv) ||
	       any_stdout(&settings->html) || any_stdout(&settings->markdown);
}

static bool write_stdout(const struct text *text, struct error *err)
{
	size_t done = 0;

	while (done < text->length) {
		ssize_t written = write(STDOUT_FILENO, text->bytes + done, text->length - done);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return error_set(err, ERROR_SYSTEM, "cannot write to standard output: %s",
					 strerror(errno));
		done += (size_t)written;
	}
	return true;
}

/* What is shown where nothing else goes to stdout. */
static bool write_screen(const struct output_settings *settings, const struct document *document,
			 struct error *err)
{
	struct look_settings look = output_look(STDOUT_FILENO);
	struct text text = { 0 };
	bool good;

	look.plots = any_stdout(&settings->plot);
	writer_by_name("text")->write(document, &look, &text);
	good = write_stdout(&text, err);
	text_release(&text);
	return good;
}

static bool write_target(const struct target *target, const struct document *document,
			 struct error *err)
{
	struct text text = { 0 };
	struct look_settings look = is_stdout(target)
					? output_look(STDOUT_FILENO)
					: (struct look_settings){ .width = WIDEST_COLUMNS };
	bool good;

	target->writer->write(document, &look, &text);
	good = is_stdout(target) ? write_stdout(&text, err)
				 : file_write(target->path, text_string(&text), text.length, err);
	text_release(&text);
	return good;
}

/* Write one kind of target; only the first failure is kept in err. */
static bool write_targets(const struct targets *targets, bool to_stdout,
			  const struct document *document, bool good, struct error *err)
{
	size_t i;

	for (i = 0; i < targets->count; i++)
		if (is_stdout(&targets->items[i]) == to_stdout &&
		    !write_target(&targets->items[i], document, good ? err : NULL))
			good = false;
	return good;
}

bool output_write(const struct output_settings *settings, const struct document *document,
		  struct error *err)
{
	struct arena *arena = arena_open();
	struct targets targets;
	bool good = targets_make(arena, settings, &targets, err);

	if (good) {
		if (!output_takes_stdout(settings))
			good = write_screen(settings, document, err);
		good = write_targets(&targets, true, document, good, err);
		good = write_targets(&targets, false, document, good, err);
	}
	arena_close(arena);
	return good;
}

static unsigned terminal_columns(int fd)
{
	const char *word = getenv("COLUMNS");
	struct winsize size;
	uint64_t columns;

	if (word != NULL && units_parse_count(word, 1, 100000, &columns, NULL))
		return (unsigned)columns;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return WIDEST_COLUMNS;
}

struct look_settings output_look(int fd)
{
	const char *refused = getenv("NO_COLOR");
	const char *kind = getenv("TERM");
	unsigned columns = terminal_columns(fd);

	if (columns > WIDEST_COLUMNS)
		columns = WIDEST_COLUMNS;
	if (columns < NARROWEST_COLUMNS)
		columns = NARROWEST_COLUMNS;
	return (struct look_settings){
		.width = columns,
		.colour = isatty(fd) && (refused == NULL || *refused == '\0') && kind != NULL &&
			  strcmp(kind, "dumb") != 0,
	};
}
