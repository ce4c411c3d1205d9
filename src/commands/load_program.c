/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding worth-load, and commands that name it: see load_program.h. */
#include "commands/load_program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "base/words.h"

#define PREFIX "workload:"

/* The directory of this program; NULL where /proc does not tell. */
static char *own_directory(struct arena *arena)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	char *slash;

	if (length <= 0)
		return NULL;
	path[length] = '\0';
	slash = strrchr(path, '/');
	return slash == NULL ? NULL : arena_strndup(arena, path, (size_t)(slash - path));
}

bool load_program_companion(struct arena *arena, const char *name, const char *what, char **path,
			    struct error *err)
{
	char *directory = own_directory(arena);
	char *places[3] = { NULL };
	size_t count = 0, i;

	if (directory != NULL) {
		places[count++] = arena_printf(arena, "%s/%s", directory, name);
		places[count++] = arena_printf(arena, "%s/../libexec/worth/%s", directory, name);
	}
	places[count++] = arena_printf(arena, WORTH_LIBEXEC "/%s", name);
	for (i = 0; i < count; i++)
		if (access(places[i], R_OK) == 0) {
			*path = places[i];
			return true;
		}
	return error_set(err, ERROR_SYSTEM,
			 "%s, %s, is neither beside worth nor %s; install worth again, with it",
			 what, name, places[count - 1]);
}

bool load_program_find(struct arena *arena, char **path, struct error *err)
{
	return load_program_companion(arena, "worth-load", "the program of the workloads", path,
				      err);
}

bool load_program_named(const char *word)
{
	return strncmp(word, PREFIX, strlen(PREFIX)) == 0;
}

/* "  NAME   what it is", as worth-load prints for people. */
static struct load_entry read_entry(struct arena *arena, const char *line)
{
	const char *name = line + strspn(line, " ");
	size_t length = strcspn(name, " \n");
	const char *summary = name + length + strspn(name + length, " ");

	return (struct load_entry){ arena_strndup(arena, name, length),
				    arena_strndup(arena, summary, strcspn(summary, "\n")) };
}

bool load_program_list(struct arena *arena, struct load_entry **entries, size_t *count,
		       struct error *err)
{
	size_t capacity = 0;
	char line[256], *path;
	FILE *stream;

	*entries = NULL;
	*count = 0;
	if (!load_program_find(arena, &path, err))
		return false;
	stream = popen(arena_printf(arena, "%s list", words_quote(arena, path)), "r");
	if (stream == NULL)
		return error_set(err, ERROR_SYSTEM, "cannot run %s", path);
	while (fgets(line, sizeof line, stream) != NULL)
		*array_push(arena, *entries, *count, capacity) = read_entry(arena, line);
	pclose(stream);
	return true;
}

static bool no_such_workload(struct arena *arena, const char *name,
			     const struct load_entry *entries, size_t count, struct error *err)
{
	const char **names = arena_alloc(arena, count, sizeof *names), *nearest;
	size_t i;

	for (i = 0; i < count; i++)
		names[i] = entries[i].name;
	nearest = text_nearest(name, names, count);
	if (nearest == NULL)
		return error_set(err, ERROR_USAGE,
				 "there is no workload \"%s\"; \"worth workload\" lists those that "
				 "there are",
				 text_clean(arena, name, strlen(name)));
	return error_set(err, ERROR_USAGE,
			 "there is no workload \"%s\", did you mean %s? \"worth workload\" lists "
			 "those that there are",
			 text_clean(arena, name, strlen(name)), nearest);
}

/* The NAME of "workload:NAME ...", which must be there and known. */
static bool check_name(struct arena *arena, const char *line, struct error *err)
{
	const char *name = arena_strndup(arena, line, strcspn(line, " \t\n"));
	struct load_entry *entries;
	size_t count, i;

	if (*name == '\0' || *name == '-')
		return error_set(err, ERROR_USAGE,
				 "workload: must be followed by a workload's name, as in "
				 "workload:pipe-latency; \"worth workload\" lists them");
	if (!load_program_list(arena, &entries, &count, err))
		return false;
	for (i = 0; i < count; i++)
		if (strcmp(entries[i].name, name) == 0)
			return true;
	return no_such_workload(arena, name, entries, count, err);
}

bool load_program_insert(struct arena *arena, char ***argv, size_t *argc, struct error *err)
{
	char **words = arena_alloc(arena, *argc + 2, sizeof *words);
	char *name = (*argv)[0] + strlen(PREFIX);

	if (!check_name(arena, name, err) || !load_program_find(arena, &words[0], err))
		return false;
	words[1] = name;
	memcpy(words + 2, *argv + 1, (*argc - 1) * sizeof *words);
	*argv = words;
	*argc += 1;
	return true;
}

bool load_program_insert_text(struct arena *arena, char **line, struct error *err)
{
	char *path;

	if (!check_name(arena, *line + strlen(PREFIX), err) ||
	    !load_program_find(arena, &path, err))
		return false;
	*line = arena_printf(arena, "%s %s", words_quote(arena, path), *line + strlen(PREFIX));
	return true;
}
