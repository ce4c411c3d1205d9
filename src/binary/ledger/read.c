/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger of a whole file: an object, or all objects of an archive. */
#include "binary/ledger/ledger.h"
#include "binary/ledger/book.h"
#include "binary/objects.h"

static bool add_object(void *context, const struct debug_source *source, size_t member,
		       struct error *err)
{
	(void)member;
	return ledger_add(context, source, err);
}

bool ledger_read(struct arena *arena, const struct debug_settings *settings,
		 struct code_image *image, struct error *err)
{
	struct ledger *ledger = ledger_open(arena, settings);
	const char *left_out;
	bool good = objects_visit(arena, image, add_object, ledger, &left_out, err);

	if (good && left_out != NULL)
		ledger->missing = ledger->missing == NULL
				      ? left_out
				      : arena_printf(arena, "%s; %s", ledger->missing, left_out);
	if (good)
		ledger_finish(ledger, image);
	ledger_close(ledger);
	return good;
}
