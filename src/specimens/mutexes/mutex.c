/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the mutexes: see mutex.h. */
#include "specimens/mutexes/mutex.h"

#define ROW(name) extern const struct mutex mutex_##name;
#include "specimens/mutexes/list.def"
#undef ROW

#define ROW(name) &mutex_##name,
const struct mutex *const mutexes[] = {
#include "specimens/mutexes/list.def"
	NULL
};
#undef ROW
