/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_SIZED_H
#define COMMANDS_SIZED_H

#include "base/arena.h"
#include "measure/runner.h"
#include "model/plan.h"

/*
 * A runner that runs what inner runs, and gives each sample the sizes of its
 * subject's program: the exact metrics text, data and bss (hidden), so that
 * speed can be weighed against size. Only where subjects run different
 * programs and all of them are ELF files; else it is inner. Closing it closes
 * inner, which must live as long.
 */
struct runner runner_sized(struct arena *arena, struct runner *inner);
/* Whether there are such sizes: the subjects' programs differ and are all ELF files. */
bool sized_applies(const struct plan *plan);

#endif
