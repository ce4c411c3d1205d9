/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two files of a comparison in two threads. libdw is not built for threads
 * in Debian, but keeps what it knows with its handles, and its error numbers
 * per thread: two files are two handles.
 */
#include "binary/sides.h"

#include <pthread.h>

struct side {
	side_reader read;
	void *context;
	size_t number;
	bool good;
	struct error err;
};

static void *read_side(void *context)
{
	struct side *side = context;

	side->good = side->read(side->context, side->number, &side->err);
	return NULL;
}

bool sides_read(size_t count, bool at_once, side_reader read, void *context, struct error *err)
{
	struct side other = { .read = read, .context = context, .number = 1 };
	pthread_t thread;
	bool started =
	    count == 2 && at_once && pthread_create(&thread, NULL, read_side, &other) == 0;
	bool good = read(context, 0, err);

	if (started)
		pthread_join(thread, NULL);
	else if (count == 2 && good)
		read_side(&other);
	if (!good || count < 2)
		return good;
	if (!other.good)
		*err = other.err;
	return other.good;
}
