/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of report formats, made from list.def. */
#include <string.h>
#include <strings.h>

#include "report/writer.h"

#define ROW(name) extern const struct writer writer_##name;
#include "report/list.def"
#undef ROW

static const struct writer *const writer_table[] = {
#define ROW(name) &writer_##name,
#include "report/list.def"
#undef ROW
	NULL,
};

const struct writer *const *writers(void)
{
	return writer_table;
}

const struct writer *writer_by_name(const char *name)
{
	size_t i;

	for (i = 0; writer_table[i] != NULL; i++)
		if (strcmp(writer_table[i]->name, name) == 0)
			return writer_table[i];
	return NULL;
}

static bool ends_with(const char *path, const char *ending)
{
	size_t path_length = strlen(path), ending_length = strlen(ending);

	/* A name that is nothing but the ending (".md") is a hidden file without one. */
	return path_length > ending_length &&
	       strcasecmp(path + path_length - ending_length, ending) == 0 &&
	       path[path_length - ending_length - 1] != '/';
}

static void list_endings(struct text *text)
{
	size_t i, j;

	for (i = 0; writer_table[i] != NULL; i++)
		for (j = 0; writer_table[i]->endings[j] != NULL; j++)
			text_printf(text, "%s%s", text->length > 0 ? ", " : "",
				    writer_table[i]->endings[j]);
}

const struct writer *writer_by_ending(const char *path, struct error *err)
{
	struct text endings = { 0 };
	size_t i, j;

	for (i = 0; writer_table[i] != NULL; i++)
		for (j = 0; writer_table[i]->endings[j] != NULL; j++)
			if (ends_with(path, writer_table[i]->endings[j]))
				return writer_table[i];
	list_endings(&endings);
	error_set(err, ERROR_USAGE, "the ending of '%s' names no report format; use one of %s",
		  path, text_string(&endings));
	text_release(&endings);
	return NULL;
}
