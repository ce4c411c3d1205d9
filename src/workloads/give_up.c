/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last words of a task: see give_up.h. */
#include "workloads/give_up.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define NAME "worth-load: "

_Noreturn void give_up_with(const struct error *err)
{
	struct arena *arena = arena_open();

	dprintf(STDERR_FILENO, NAME "%s\n",
		text_clean(arena, err->sentence, strlen(err->sentence)));
	_exit(GIVE_UP_STATUS);
}

_Noreturn void give_up_in_handler(const char *sentence)
{
	if (write(STDERR_FILENO, NAME, strlen(NAME)) >= 0 &&
	    write(STDERR_FILENO, sentence, strlen(sentence)) >= 0 &&
	    write(STDERR_FILENO, "\n", 1) >= 0)
		_exit(GIVE_UP_STATUS);
	_exit(GIVE_UP_STATUS);
}
