/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of a run: see report.h. */
#include "workloads/report.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"
#include "workloads/limits.h"

/* All batches of one name. */
struct figure {
	const char *name;
	const char *unit;
	enum report_better better;
	double *values;
	size_t count, capacity;
};

struct report {
	struct arena *arena;
	int fd; /* of WORTH_FD, or -1 */
	struct figure *figures;
	size_t count, capacity;
	const char **remarks;
	size_t remark_count, remark_capacity;
};

struct report *report_open(struct arena *arena, struct error *err)
{
	struct report *report = arena_alloc(arena, 1, sizeof *report);
	const char *word = getenv("WORTH_FD");
	uint64_t fd;
	int flags;

	report->arena = arena;
	report->fd = -1;
	if (word == NULL)
		return report;
	if (!units_parse_count(word, 0, 1 << 20, &fd, err)) {
		error_prefix(err, "WORTH_FD, which names the descriptor for the figures");
		return NULL;
	}
	flags = fcntl((int)fd, F_GETFL);
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
		error_set(err, ERROR_SYSTEM,
			  "WORTH_FD is %s, which is no descriptor open for writing; unset it to "
			  "see the figures on standard output",
			  word);
		return NULL;
	}
	report->fd = (int)fd;
	if (fd > STDERR_FILENO)
		fcntl(report->fd, F_SETFD, FD_CLOEXEC);
	return report;
}

static struct figure *find_figure(const struct report *report, const char *name)
{
	size_t i;

	for (i = 0; i < report->count; i++)
		if (strcmp(report->figures[i].name, name) == 0)
			return &report->figures[i];
	return NULL;
}

void report_value(struct report *report, const char *name, double value, const char *unit,
		  enum report_better better)
{
	struct figure *figure = find_figure(report, name);

	if (figure == NULL) {
		figure =
		    array_push(report->arena, report->figures, report->count, report->capacity);
		*figure = (struct figure){ .name = arena_strdup(report->arena, name),
					   .unit = unit,
					   .better = better };
	}
	*array_push(report->arena, figure->values, figure->count, figure->capacity) = value;
}

void report_remark(struct report *report, const char *format, ...)
{
	char line[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	*array_push(report->arena, report->remarks, report->remark_count, report->remark_capacity) =
	    text_clean(report->arena, line, strlen(line));
}

size_t report_count(const struct report *report, const char *name)
{
	const struct figure *figure = find_figure(report, name);

	return figure == NULL ? 0 : figure->count;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void add_line(struct text *text, const struct figure *figure, double value)
{
	text_printf(text, "%s %.9g %s %s\n", figure->name, value, figure->unit,
		    figure->better == REPORT_LOWER ? "lower" : "higher");
}

static void add_batches(struct text *text, const struct figure *figure)
{
	size_t i;

	for (i = 0; i < figure->count; i++)
		add_line(text, figure, figure->values[i]);
}

/* The median, and in a remark what it is of. */
static void add_median(struct arena *arena, struct text *text, const struct figure *figure)
{
	size_t count = figure->count;
	double *sorted = arena_copy(arena, figure->values, count * sizeof *sorted);

	qsort(sorted, count, sizeof *sorted, compare_doubles);
	add_line(text, figure, (sorted[(count - 1) / 2] + sorted[count / 2]) / 2);
	if (count > 1)
		text_printf(text, "# %s: the median of %zu batches from %.6g to %.6g %s\n",
			    figure->name, count, sorted[0], sorted[count - 1], figure->unit);
}

static bool write_all(int fd, const char *where, const struct text *text, struct error *err)
{
	size_t done = 0;

	while (done < text->length) {
		ssize_t wrote = write(fd, text->bytes + done, text->length - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return error_set(err, ERROR_SYSTEM, "cannot write the figures to %s: %s",
					 where, wrote < 0 ? limits_reason() : "nothing was taken");
		done += (size_t)wrote;
	}
	return true;
}

bool report_write(struct report *report, bool every_batch, struct error *err)
{
	struct text figures = { 0 }, screen = { 0 };
	bool ok;
	size_t i;

	for (i = 0; i < report->count; i++) {
		add_batches(&figures, &report->figures[i]);
		if (report->fd >= 0)
			continue;
		if (every_batch)
			add_batches(&screen, &report->figures[i]);
		else
			add_median(report->arena, &screen, &report->figures[i]);
	}
	for (i = 0; i < report->remark_count; i++)
		text_printf(&screen, "# %s\n", report->remarks[i]);
	ok = report->fd < 0 || write_all(report->fd, "the descriptor in WORTH_FD", &figures, err);
	ok = ok && write_all(STDOUT_FILENO, "standard output", &screen, err);
	text_release(&figures);
	text_release(&screen);
	return ok;
}
