/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which file execvp(3) would run: a word with a slash is a path, any other is
 * looked for on PATH, where the first regular executable file wins and what
 * stands in its way (a directory, a file without x) is passed by, but named
 * when nothing else is found.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum found { FOUND_PROGRAM, FOUND_NOTHING, FOUND_DIRECTORY, FOUND_NOT_EXECUTABLE, FOUND_TROUBLE };

/* errno tells of FOUND_TROUBLE. */
static enum found look_at(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return errno == ENOENT ? FOUND_NOTHING : FOUND_TROUBLE;
	if (S_ISDIR(status.st_mode))
		return FOUND_DIRECTORY;
	if (!S_ISREG(status.st_mode) || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) != 0)
		return FOUND_NOT_EXECUTABLE;
	return FOUND_PROGRAM;
}

/* path as seen from directory. */
static char *seen_from(struct arena *arena, const char *directory, const char *path)
{
	if (directory == NULL || path[0] == '/')
		return arena_strdup(arena, path);
	return arena_printf(arena, "%s/%s", directory, path);
}

static bool report(const char *path, enum found found, struct error *err)
{
	switch (found) {
	case FOUND_PROGRAM:
		return true;
	case FOUND_NOTHING:
		return error_set(err, ERROR_COMMAND, "%s: not found", path);
	case FOUND_DIRECTORY:
		return error_set(err, ERROR_COMMAND, "%s is a directory, not a program", path);
	case FOUND_NOT_EXECUTABLE:
		return error_set(err, ERROR_COMMAND,
				 "%s is not executable: 'chmod +x' makes a program of it", path);
	case FOUND_TROUBLE:
		break;
	}
	return error_set(err, ERROR_COMMAND, "%s: %s", path, strerror(errno));
}

/* The path for word under the entry of PATH that begins at entry; *rest is set to the next one,
 * or NULL. An empty entry is the directory itself. */
static char *on_entry(struct arena *arena, const char *entry, const char *word,
		      const char *directory, const char **rest)
{
	size_t length = strcspn(entry, ":");
	char *path = length == 0 ? arena_printf(arena, "./%s", word)
				 : arena_printf(arena, "%.*s/%s", (int)length, entry, word);

	*rest = entry[length] == ':' ? entry + length + 1 : NULL;
	return seen_from(arena, directory, path);
}

static bool not_on_path(struct arena *arena, const char *word, const char *directory,
			struct error *err)
{
	char *here = seen_from(arena, directory, arena_printf(arena, "./%s", word));

	if (look_at(here) == FOUND_PROGRAM)
		return error_set(err, ERROR_COMMAND,
				 "%s: not found on PATH; write ./%s for the one in this directory",
				 word, word);
	return error_set(err, ERROR_COMMAND, "%s: not found on PATH", word);
}

static bool search_path(struct arena *arena, const char *word, const char *directory, char **path,
			struct error *err)
{
	const char *entry = getenv("PATH"), *rest;
	enum found blocked = FOUND_NOTHING;
	char *blocked_path = NULL;

	/* What execvp takes where there is no PATH (confstr _CS_PATH in glibc). */
	if (entry == NULL)
		entry = "/bin:/usr/bin";
	for (; entry != NULL; entry = rest) {
		char *candidate = on_entry(arena, entry, word, directory, &rest);
		enum found found = look_at(candidate);

		if (found == FOUND_PROGRAM) {
			*path = candidate;
			return true;
		}
		if (blocked == FOUND_NOTHING &&
		    (found == FOUND_DIRECTORY || found == FOUND_NOT_EXECUTABLE)) {
			blocked = found;
			blocked_path = candidate;
		}
	}
	if (blocked != FOUND_NOTHING)
		return report(blocked_path, blocked, err);
	return not_on_path(arena, word, directory, err);
}

bool file_find_program(struct arena *arena, const char *word, const char *directory, char **path,
		       struct error *err)
{
	char *candidate;

	if (*word == '\0')
		return error_set(err, ERROR_COMMAND, "the name of the program is empty");
	if (strchr(word, '/') == NULL)
		return search_path(arena, word, directory, path, err);
	candidate = seen_from(arena, directory, word);
	if (!report(candidate, look_at(candidate), err))
		return false;
	*path = candidate;
	return true;
}
