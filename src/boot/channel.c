/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent's lines: see channel.h. */
#include "boot/channel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { NAME_BYTES = 128 };

/* The first figure of the job under way, which has the job's name. */
struct reading {
	struct arena *arena;
	struct boot_result *result;
	bool instructions;
	double per_ns;
	const char *first_figure;
};

/* What follows a word and a blank; NULL: the line begins otherwise. */
static const char *after(const char *line, const char *word)
{
	size_t length = strlen(word);

	return strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

static const char *clean(const struct reading *reading, const char *text)
{
	return text_clean(reading->arena, text, strlen(text));
}

static void read_fact(struct reading *reading, const char *fact)
{
	struct boot_result *result = reading->result;
	const char *value;
	double total, used;

	if ((value = after(fact, "kernel")) != NULL)
		result->kernel = clean(reading, value);
	else if ((value = after(fact, "clocksource")) != NULL)
		result->clocksource = clean(reading, value);
	else if ((value = after(fact, "boot-ns")) != NULL)
		result->boot_ns = atoll(value);
	else if ((value = after(fact, "memory-bytes")) != NULL &&
		 sscanf(value, "%lf %lf", &total, &used) == 2)
		result->memory_bytes = used;
}

/* "JOB STATUS WALL CPU FOREIGN BUSIEST" */
static void read_end(struct reading *reading, const char *text)
{
	struct boot_result *result = reading->result;
	char name[NAME_BYTES], busiest[NAME_BYTES];
	long long wall_ns, cpu_ns, foreign_ns;
	int status;

	if (sscanf(text, "%127s %d %lld %lld %lld %127[^\n]", name, &status, &wall_ns, &cpu_ns,
		   &foreign_ns, busiest) != 6)
		return;
	*array_push(reading->arena, result->jobs, result->job_count, result->job_capacity) =
	    (struct boot_job){ clean(reading, name),   status, wall_ns, cpu_ns, foreign_ns,
			       clean(reading, busiest) };
	result->running = NULL;
}

/* Times an operation become instructions; what else there is stays as it is. */
static void add_report(struct reading *reading, const char *name, double value, const char *rest)
{
	struct text *reports = &reading->result->reports;
	char unit[NAME_BYTES];

	if (reading->instructions && sscanf(rest, "%127s", unit) == 1 && strcmp(unit, "ns") == 0)
		text_printf(reports, "%s %.9g insn lower\n", name, value * reading->per_ns);
	else
		text_printf(reports, "%s %.9g %s\n", name, value, rest);
}

/* "JOB FIGURE VALUE UNIT [DIRECTION]" */
static void read_value(struct reading *reading, const char *text)
{
	char job[NAME_BYTES], figure[NAME_BYTES];
	int value_at, rest_at = 0;
	double value;

	if (sscanf(text, "%127s %127s %n%lf %n", job, figure, &value_at, &value, &rest_at) != 3 ||
	    rest_at == 0) {
		/* Not to be read as a figure: the reader of reports says so to the user. */
		if (strchr(text, ' ') != NULL)
			text_printf(&reading->result->reports, "%s\n", strchr(text, ' ') + 1);
		return;
	}
	if (reading->first_figure == NULL)
		reading->first_figure = arena_strdup(reading->arena, figure);
	add_report(reading,
		   strcmp(figure, reading->first_figure) == 0
		       ? job
		       : arena_printf(reading->arena, "%s.%s", job, figure),
		   value, text + rest_at);
}

static void read_line(struct reading *reading, const char *line)
{
	struct boot_result *result = reading->result;
	const char *rest;

	if ((rest = after(line, "value")) != NULL) {
		read_value(reading, rest);
	} else if ((rest = after(line, "fact")) != NULL) {
		read_fact(reading, rest);
	} else if ((rest = after(line, "begin")) != NULL) {
		result->running = clean(reading, rest);
		reading->first_figure = NULL;
	} else if ((rest = after(line, "end")) != NULL) {
		read_end(reading, rest);
	} else if ((rest = after(line, "busy")) != NULL) {
		result->busy = clean(reading, rest);
	} else if (after(line, "hello") != NULL) {
		result->hello = true;
	} else if (strcmp(line, "done") == 0) {
		result->done = true;
	}
}

void channel_read(struct arena *arena, const char *bytes, size_t length, bool instructions,
		  unsigned shift, struct boot_result *result)
{
	struct reading reading = { .arena = arena,
				   .result = result,
				   .instructions = instructions,
				   .per_ns = ldexp(1, -(int)shift) };
	char *copy = arena_strndup(arena, bytes, length), *rest = copy, *line;

	*result = (struct boot_result){ .boot_ns = -1, .memory_bytes = NAN };
	while ((line = strsep(&rest, "\n")) != NULL) {
		line[strcspn(line, "\r")] = '\0';
		read_line(&reading, line);
	}
}

void boot_result_release(struct boot_result *result)
{
	text_release(&result->reports);
}
