/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EXPERIMENT_CELLS_H
#define EXPERIMENT_CELLS_H

#include "experiment/experiment.h"

/* Fills cells: those listed, or every combination of levels (the first factor varies slowest). */
bool cells_make(struct arena *arena, struct experiment *experiment, bool many, struct error *err);

#endif
