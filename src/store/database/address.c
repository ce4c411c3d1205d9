/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What names a server; and what a worth that was built without libpq says to it. */
#include <string.h>

#include "store/database/postgres.h"

bool postgres_is_address(const char *word)
{
	return strncmp(word, "postgresql://", 13) == 0 || strncmp(word, "postgres://", 11) == 0;
}

#ifndef WORTH_LIBPQ

bool postgres_check_address(const char *address, struct error *err)
{
	(void)address;
	return error_set(err, ERROR_USAGE,
			 "this worth was built without PostgreSQL; build it with libpq-dev, or "
			 "leave out --store and WORTH_STORE");
}

bool postgres_open(struct database *database, const char *address, bool must_write,
		   struct error *err)
{
	(void)must_write;
	memset(database, 0, sizeof *database);
	return postgres_check_address(address, err);
}

#endif
