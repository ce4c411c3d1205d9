/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the lists: see list.h. */
#include "specimens/lists/list.h"

#define ROW(name) extern const struct list_kind list_##name;
#include "specimens/lists/list.def"
#undef ROW

#define ROW(name) &list_##name,
const struct list_kind *const list_kinds[] = {
#include "specimens/lists/list.def"
	NULL
};
#undef ROW
