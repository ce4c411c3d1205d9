/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_SITES_H
#define WORKLOADS_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/options.h"
#include "base/text.h"

/*
 * C source with many functions that use a lock, and the specimen's headers in
 * it, so that a compiler is all that is needed to see how many bytes a site
 * takes. "worth-load sites" writes it; compile it with -c, once with the lock
 * and once with none, and compare the objects (worth size). The parts of a lock
 * that are out of line are declared and not there: they exist once, whatever
 * the number of sites.
 */
struct sites_settings {
	const char *lock; /* a spinlock or a mutex */
	uint64_t count;
	uint64_t seed;
};

extern const struct sites_settings sites_defaults;
/* For parsing and --help; its settings are struct sites_settings. */
extern const struct command sites_command;

bool sites_write(struct arena *arena, const struct sites_settings *settings, struct text *text,
		 struct error *err);

/* The headers of the specimens, embedded by the build; ends with a NULL name. */
struct site_header {
	const char *name; /* "specimens/step.h" */
	const char *text;
};
extern const struct site_header site_headers[];

#endif
