/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding worth-load, and commands that name it: see load_program.h. */
#include "commands/load_program.h"

#include <string.h>
#include <unistd.h>

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

bool load_program_find(struct arena *arena, char **path, struct error *err)
{
	char *directory = own_directory(arena);
	char *places[3] = { NULL };
	size_t count = 0, i;

	if (directory != NULL) {
		places[count++] = arena_printf(arena, "%s/worth-load", directory);
		places[count++] = arena_printf(arena, "%s/../libexec/worth/worth-load", directory);
	}
	places[count++] = arena_strdup(arena, WORTH_LIBEXEC "/worth-load");
	for (i = 0; i < count; i++)
		if (access(places[i], X_OK) == 0) {
			*path = places[i];
			return true;
		}
	return error_set(err, ERROR_SYSTEM,
			 "the program of the workloads, worth-load, is neither beside worth nor "
			 "%s; install worth again, with it",
			 places[count - 1]);
}

bool load_program_named(const char *word)
{
	return strncmp(word, PREFIX, strlen(PREFIX)) == 0;
}

/* The NAME of "workload:NAME ...", which must be there. */
static bool check_name(const char *name, struct error *err)
{
	if (*name != '\0' && *name != '-' && *name != ' ')
		return true;
	return error_set(err, ERROR_USAGE,
			 "workload: must be followed by a workload's name, as in "
			 "workload:pipe-latency; \"worth workload\" lists them");
}

bool load_program_insert(struct arena *arena, char ***argv, size_t *argc, struct error *err)
{
	char **words = arena_alloc(arena, *argc + 2, sizeof *words);
	char *name = (*argv)[0] + strlen(PREFIX);

	if (!check_name(name, err) || !load_program_find(arena, &words[0], err))
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

	if (!check_name(*line + strlen(PREFIX), err) || !load_program_find(arena, &path, err))
		return false;
	*line = arena_printf(arena, "%s %s", words_quote(arena, path), *line + strlen(PREFIX));
	return true;
}
