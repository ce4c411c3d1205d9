/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger of a whole file: an object, or all objects of an archive. */
#include <string.h>

#include "base/text.h"
#include "binary/elf_file.h"
#include "binary/ledger.h"
#include "binary/ledger_book.h"

/* A member that cannot be read is said, and the others are read all the same. */
static void add_member(struct ledger *ledger, const struct code_image *image,
		       const struct elf_object *object)
{
	struct debug_source source = { .path = image->path, .name = object->name };
	struct error err = { 0 };

	source.bytes = elf_rawfile(object->elf, &source.length);
	if (source.bytes != NULL && ledger_add(ledger, &source, &err))
		return;
	ledger->objects++;
	if (ledger->objects_without_debug++ == 0)
		ledger->missing = text_clean(ledger->arena, err.sentence, strlen(err.sentence));
}

static bool add_members(struct ledger *ledger, const struct code_image *image, struct error *err)
{
	struct elf_file *file;
	struct elf_object object;
	bool more = true, good;

	if (!elf_file_open(ledger->arena, image->path, &file, err))
		return false;
	/* Where the archive ends too early the image is partial, and said so already. */
	while ((good = elf_file_next(file, &object, &more, err)) && more)
		if (object.elf != NULL)
			add_member(ledger, image, &object);
	elf_file_close(file);
	return good || image->partial != NULL;
}

bool ledger_read(struct arena *arena, const struct debug_settings *settings,
		 struct code_image *image, struct error *err)
{
	struct ledger *ledger = ledger_open(arena, settings);
	struct debug_source source = { .path = image->path };
	bool good =
	    image->archive ? add_members(ledger, image, err) : ledger_add(ledger, &source, err);

	if (good)
		ledger_finish(ledger, image);
	ledger_close(ledger);
	return good;
}
