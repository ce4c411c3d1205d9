/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The client library of PostgreSQL, when it is asked for: see libpq.h. */
#include "store/database/libpq.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* The number is that of its interface, which has been the same since PostgreSQL 8. */
#define LIBRARY "libpq.so.5"

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define ROW(name) { #name, offsetof(struct libpq, name) },
	LIBPQ_FUNCTIONS(ROW)
#undef ROW
};

bool libpq_load(struct libpq *libpq, struct error *err)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	size_t i;

	if (library == NULL)
		return error_set(err, ERROR_SYSTEM,
				 "a history on a server needs PostgreSQL's client library (%s): "
				 "apt install libpq5",
				 dlerror());
	for (i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *function = dlsym(library, functions[i].name);

		if (function == NULL)
			return error_set(err, ERROR_SYSTEM,
					 "a history on a server needs a newer PostgreSQL client "
					 "library (14 or later): %s has no %s",
					 LIBRARY, functions[i].name);
		memcpy((char *)libpq + functions[i].offset, &function, sizeof function);
	}
	return true;
}
