/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the things measured here belong to. */
#include "commands/project.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* The folder at path, or one above it, that holds .git; path itself if none does. */
static char *top_of(struct arena *arena, const char *path)
{
	char *top = arena_strdup(arena, path);

	while (*top != '\0') {
		if (access(arena_printf(arena, "%s/.git", top), F_OK) == 0)
			return top;
		*strrchr(top, '/') = '\0';
	}
	return arena_strdup(arena, path);
}

const char *project_name(struct arena *arena)
{
	const char *given = getenv("WORTH_PROJECT");
	char here[PATH_MAX];
	const char *name;

	if (given != NULL && *given != '\0')
		return text_clean(arena, given, strlen(given));
	if (getcwd(here, sizeof here) == NULL || *here != '/')
		return NULL;
	name = strrchr(top_of(arena, here), '/') + 1;
	return *name == '\0' ? NULL : text_clean(arena, name, strlen(name));
}
