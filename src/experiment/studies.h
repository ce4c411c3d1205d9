/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPERIMENT_STUDIES_H
#define EXPERIMENT_STUDIES_H

#include "experiment/experiment.h"

/*
 * The bundled studies: experiment files in studies/, one row each in studies.def,
 * built into the program. Each has a [study] with its summary, and claims.
 */
size_t study_count(void);
/* The name of one, in the order of the list. */
const char *study_name(size_t index);
/* Read it; an error where the name is unknown, with the nearest known one. */
bool study_read(struct arena *arena, const char *name, struct experiment *experiment,
		struct error *err);
/* Its file, as it is in the sources; NULL: there is no such study. */
const char *study_text(const char *name);

#endif
