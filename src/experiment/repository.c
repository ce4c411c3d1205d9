/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * git as a program, told to take no lock, run no hook and ask nobody: the
 * user's checkout, index and configuration stay as they are.
 */
#include "experiment/repository.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "experiment/process.h"

/* git -C top --no-optional-locks WORDS... */
static bool ask(struct arena *arena, const char *top, const char *const *words, char **answer,
		struct error *err)
{
	const char *argv[16] = { "git", "-C" };
	size_t count = 0, i;

	argv[2] = arena_strdup(arena, top);
	argv[3] = "--no-optional-locks";
	argv[4] = "-c";
	argv[5] = "core.hooksPath=/dev/null";
	for (i = 0; words[i] != NULL; i++)
		argv[6 + i] = arena_strdup(arena, words[i]);
	count = 6 + i;
	argv[count] = NULL;
	return process_read(arena, argv, answer, err);
}

bool repository_find(struct arena *arena, const char *directory, char **top, struct error *err)
{
	static const char *const words[] = { "rev-parse", "--show-toplevel", NULL };

	return ask(arena, directory, words, top, err) ||
	       error_prefix(err, "%s is in no git repository", directory);
}

bool repository_resolve(struct arena *arena, const char *top, const char *revision, char **commit,
			char **tree, struct error *err)
{
	const char *words[] = { "rev-parse",
				"--verify",
				"--quiet",
				"--end-of-options",
				arena_printf(arena, "%s^{commit}", revision),
				NULL };

	if (!ask(arena, top, words, commit, NULL))
		return error_set(err, ERROR_USAGE, "there is no revision '%s' in %s",
				 text_clean(arena, revision, strlen(revision)), top);
	words[4] = arena_printf(arena, "%s^{tree}", *commit);
	return ask(arena, top, words, tree, err);
}

static char **split_lines(struct arena *arena, char *text, size_t *count)
{
	size_t capacity = 0;
	char **lines = NULL, *save = NULL, *line;

	*count = 0;
	for (line = strtok_r(text, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save))
		*array_push(arena, lines, *count, capacity) = line;
	return lines;
}

bool repository_range(struct arena *arena, const char *top, const char *range, char ***commits,
		      size_t *count, struct error *err)
{
	const char *words[] = {
		"rev-list", "--reverse", "--first-parent", "--end-of-options", range, "--", NULL
	};
	char *answer;

	if (!ask(arena, top, words, &answer, err))
		return error_prefix(err, "range '%s'", text_clean(arena, range, strlen(range)));
	*commits = split_lines(arena, answer, count);
	return true;
}

bool repository_is_dirty(struct arena *arena, const char *top, bool *dirty, struct error *err)
{
	static const char *const words[] = { "status", "--porcelain", "--untracked-files=no",
					     NULL };
	char *answer;

	if (!ask(arena, top, words, &answer, err))
		return false;
	*dirty = *answer != '\0';
	return true;
}

bool repository_describe(struct arena *arena, const char *top, const char *commit, char **words,
			 struct error *err)
{
	const char *question[] = {
		"log", "-1", "--format=%h %s", "--end-of-options", commit, NULL
	};
	char *answer;

	if (!ask(arena, top, question, &answer, err))
		return false;
	*words = text_clean(arena, answer, strlen(answer));
	return true;
}
