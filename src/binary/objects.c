/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The objects of a file, one after the other, for those who read debug information. */
#include "binary/objects.h"

#include <gelf.h>
#include <string.h>

#include "base/text.h"
#include "binary/elf/file.h"

struct visit {
	struct arena *arena;
	object_visitor visitor;
	void *context;
	size_t failed;
	const char *first; /* what the first of them said */
};

static void visit_member(struct visit *visit, const char *path, const struct elf_object *object,
			 size_t member)
{
	struct debug_source source = { .path = path, .name = object->name };
	struct error err = { 0 };

	source.bytes = elf_rawfile(object->elf, &source.length);
	if (source.bytes == NULL)
		error_set(&err, ERROR_INPUT, "its bytes cannot be read");
	else if (visit->visitor(visit->context, &source, member, &err))
		return;
	if (visit->failed++ == 0)
		visit->first = text_clean(visit->arena, err.sentence, strlen(err.sentence));
}

static bool visit_members(struct visit *visit, const struct code_image *image, struct error *err)
{
	struct elf_file *file;
	struct elf_object object;
	size_t member = 0;
	bool more = true, good;

	if (!elf_file_open(visit->arena, image->path, &file, err))
		return false;
	/* Where the archive ends too early the image is partial, and said so already. */
	for (; (good = elf_file_next(file, &object, &more, err)) && more; member++)
		if (object.elf != NULL)
			visit_member(visit, image->path, &object, member);
	elf_file_close(file);
	return good || image->partial != NULL;
}

bool objects_visit(struct arena *arena, const struct code_image *image, object_visitor visitor,
		   void *context, const char **left_out, struct error *err)
{
	struct visit visit = { .arena = arena, .visitor = visitor, .context = context };
	struct debug_source source = { .path = image->path };

	*left_out = NULL;
	if (!image->archive)
		return visitor(context, &source, 0, err);
	if (!visit_members(&visit, image, err))
		return false;
	if (visit.failed > 0)
		*left_out =
		    visit.failed == 1
			? visit.first
			: arena_printf(arena, "%zu members cannot be read; of the first, %s",
				       visit.failed, visit.first);
	return true;
}

bool object_symbol_address(const struct debug *debug, const struct code_image *image,
			   const struct code_symbol *symbol, uint64_t *address)
{
	Elf_Scn *section;
	GElf_Shdr header;

	*address = symbol->address + debug->elf_bias;
	if (!debug->relocatable)
		return true;
	section = elf_getscn(debug->elf, image->sections[symbol->section].elf_index);
	if (section == NULL || gelf_getshdr(section, &header) == NULL)
		return false;
	*address = header.sh_addr + symbol->offset + debug->elf_bias;
	return true;
}
