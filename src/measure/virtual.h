/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_VIRTUAL_H
#define MEASURE_VIRTUAL_H

#include "base/arena.h"

/* What stands between the programs and the hardware. root as in proc.h; the processor itself is
 * asked only for root "". */

/* "no", the name of the hypervisor, or "yes" where there is one without a known name; NULL:
 * cannot be told. */
const char *virtual_machine(struct arena *arena, const char *root);
/* "no", or the kind of container by the marks that its engine leaves. */
const char *virtual_container(struct arena *arena, const char *root);

#endif
