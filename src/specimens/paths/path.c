/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the path caches: see path.h. */
#include "specimens/paths/path.h"

#include "specimens/paths/rcu.h"

#define ROW(name) extern const struct path_kind path_##name;
#include "specimens/paths/list.def"
#undef ROW

#define ROW(name) &path_##name,
const struct path_kind *const path_kinds[] = {
#include "specimens/paths/list.def"
	NULL
};
#undef ROW

void path_thread_enter(struct path_thread *thread)
{
	(void)thread;
	rcu_thread_enter();
}

void path_thread_leave(struct path_thread *thread)
{
	(void)thread;
	rcu_thread_leave();
}
