/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the bundled studies: see studies.h. */
#include "experiment/studies.h"

#include <string.h>

#include "base/text.h"

/* A row's file ends in a NUL behind its last byte (tools/embed). */
#define ROW(id, name) extern const char study_##id[];
#include "experiment/studies.def"
#undef ROW

static const struct {
	const char *name, *text;
} studies[] = {
#define ROW(id, name) { name, study_##id },
#include "experiment/studies.def"
#undef ROW
};

enum { STUDIES = sizeof studies / sizeof *studies };

size_t study_count(void)
{
	return STUDIES;
}

const char *study_name(size_t index)
{
	return studies[index].name;
}

const char *study_text(const char *name)
{
	size_t i;

	for (i = 0; i < STUDIES; i++)
		if (strcmp(studies[i].name, name) == 0)
			return studies[i].text;
	return NULL;
}

bool study_read(struct arena *arena, const char *name, struct experiment *experiment,
		struct error *err)
{
	const char *text = study_text(name), *names[STUDIES], *near;
	size_t i;

	if (text == NULL) {
		for (i = 0; i < STUDIES; i++)
			names[i] = studies[i].name;
		near = text_nearest(name, names, STUDIES);
		return error_set(
		    err, ERROR_USAGE, "there is no study '%s'%s; worth study lists them",
		    text_clean(arena, name, strlen(name)),
		    near == NULL ? "" : arena_printf(arena, ", did you mean '%s'?", near));
	}
	if (!experiment_parse(arena, arena_printf(arena, "study %s", name), text, strlen(text),
			      true, experiment, err))
		return false;
	experiment->study = arena_strdup(arena, name);
	return true;
}
