/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening the history, and saying what that changed: see opened.h. */
#include "commands/opened.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

struct history *opened_history(const char *store, bool create, struct error *err)
{
	const char *named = store != NULL ? store : getenv("WORTH_STORE");
	struct history *history =
	    history_open(named == NULL || *named == '\0' ? NULL : named, create, err);

	opened_say(history);
	return history;
}

void opened_say(struct history *history)
{
	const char *remark = history == NULL ? NULL : history_remark(history);

	if (remark != NULL)
		fprintf(stderr, "worth: %s\n", remark);
}

const char *opened_title(struct arena *arena, char *const *words, size_t count)
{
	char **kept = arena_alloc(arena, count, sizeof *kept);
	size_t kept_count = 0, i;

	for (i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
		if (strcmp(words[i], "--store") == 0 && i + 1 < count)
			i++;
		else if (strncmp(words[i], "--store=", strlen("--store=")) != 0)
			kept[kept_count++] = words[i];
	}
	for (; i < count; i++)
		kept[kept_count++] = words[i];
	return words_join(arena, kept, kept_count);
}
