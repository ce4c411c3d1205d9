/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening the history, and saying what that changed: see opened.h. */
#include "commands/opened.h"

#include <stdio.h>

struct history *opened_history(bool create, struct error *err)
{
	struct history *history = history_open(NULL, create, err);

	if (history != NULL && history_remark(history) != NULL)
		fprintf(stderr, "worth: %s\n", history_remark(history));
	return history;
}
