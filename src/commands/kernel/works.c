/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workloads that make sense in a guest of one processor, with as many
 * operations as an emulated one does in about a second. What it counts repeats
 * from boot to boot, so that more operations would not say more.
 */
#include "commands/kernel/works.h"

#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "boot/guest.h"

enum { USUAL_WORKS = 5, WORDS_MAXIMUM = 8 };

static const struct work_row {
	const char *name;
	const char *words[WORDS_MAXIMUM];
} rows[] = {
	{ "getppid", { "syscall", "--call", "getppid", "--operations", "100000" } },
	{ "path-walk", { "path-walk", "--operations", "15000" } },
	{ "pipe", { "pipe-latency", "--operations", "5000" } },
	{ "fork", { "process", "--kind", "fork", "--memory", "1M", "--operations", "300" } },
	{ "fault", { "memory", "--kind", "fault-anonymous", "--operations", "20000" } },
	{ "pipe-threads", { "pipe-latency", "--threads", "--operations", "5000" } },
	{ "switch", { "context-switch", "--operations", "8000" } },
	{ "lstat", { "lstat-storm", "--files", "500", "--operations", "15000" } },
	{ "stat", { "syscall", "--call", "stat", "--operations", "15000" } },
	{ "read", { "syscall", "--call", "read", "--operations", "50000" } },
	{ "open-close", { "syscall", "--call", "open-close", "--operations", "10000" } },
	{ "files", { "file-metadata", "--files", "500", "--operations", "3000" } },
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool unknown_work(struct arena *arena, const char *name, struct error *err)
{
	struct text names = { 0 };
	size_t i;

	for (i = 0; i < ROWS; i++)
		text_printf(&names, "%s, ", rows[i].name);
	error_set(err, ERROR_USAGE,
		  "--work %s: there is no such workload for a guest; there are: %s"
		  "or all. --run runs a command of your own",
		  text_clean(arena, name, strlen(name)), text_string(&names));
	text_release(&names);
	return false;
}

static bool is_taken(const struct boot_settings *settings, const char *name)
{
	size_t i;

	for (i = 0; i < settings->work_count; i++)
		if (strcmp(settings->works[i].name, name) == 0)
			return true;
	return false;
}

static void add(struct boot_settings *settings, struct boot_work *works, const char *name,
		char *const *argv)
{
	works[settings->work_count] = (struct boot_work){ .name = name, .argv = argv };
	settings->works = works;
	settings->work_count++;
}

/* The program's own name stands before the words of a row. */
static void add_row(struct arena *arena, struct boot_settings *settings, struct boot_work *works,
		    const struct work_row *row)
{
	char **argv = arena_alloc(arena, WORDS_MAXIMUM + 2, sizeof *argv);
	size_t i;

	if (is_taken(settings, row->name))
		return;
	argv[0] = arena_strdup(arena, GUEST_LOAD);
	for (i = 0; i < WORDS_MAXIMUM && row->words[i] != NULL; i++)
		argv[i + 1] = arena_strdup(arena, row->words[i]);
	add(settings, works, row->name, argv);
}

static bool add_named(struct arena *arena, struct boot_settings *settings, struct boot_work *works,
		      const char *name, struct error *err)
{
	bool all = strcmp(name, "all") == 0, found = all;
	size_t i;

	for (i = 0; i < ROWS; i++)
		if (all || strcmp(rows[i].name, name) == 0) {
			add_row(arena, settings, works, &rows[i]);
			found = true;
		}
	return found || unknown_work(arena, name, err);
}

/* The last part of the program's path, and a number if that is taken. */
static const char *command_name(struct arena *arena, const struct boot_settings *settings,
				const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *base = slash == NULL ? program : slash + 1, *name = base;
	size_t number = 1;

	while (is_taken(settings, name))
		name = arena_printf(arena, "%s-%zu", base, ++number);
	return name;
}

static bool add_command(struct arena *arena, struct boot_settings *settings,
			struct boot_work *works, const char *command, struct error *err)
{
	char **argv;
	size_t count, i;

	if (!words_split(arena, command, &argv, &count, err))
		return error_prefix(err, "--run");
	for (i = 0; i < count; i++)
		if (strpbrk(argv[i], "\t\n") != NULL)
			return error_set(
			    err, ERROR_USAGE,
			    "--run: a word with a tab or a line's end cannot be told to "
			    "the guest; put it into a script, and add that");
	if (strpbrk(argv[0], " ") != NULL)
		return error_set(err, ERROR_USAGE,
				 "--run: the name of a program in the guest has no blanks");
	add(settings, works, command_name(arena, settings, argv[0]), argv);
	return true;
}

bool kernel_works_make(struct arena *arena, const struct option_texts *names,
		       const struct option_texts *commands, struct boot_settings *settings,
		       struct error *err)
{
	struct boot_work *works =
	    arena_alloc(arena, ROWS + names->count + commands->count, sizeof *works);
	size_t i;

	for (i = 0; i < names->count; i++)
		if (!add_named(arena, settings, works, names->items[i], err))
			return false;
	for (i = 0; i < USUAL_WORKS && names->count == 0 && commands->count == 0; i++)
		add_row(arena, settings, works, &rows[i]);
	for (i = 0; i < commands->count; i++)
		if (!add_command(arena, settings, works, commands->items[i], err))
			return false;
	return true;
}
