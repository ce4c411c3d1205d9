/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BOOT_WHERE_H
#define BOOT_WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "boot/runner_boot.h"

/*
 * Where a kernel's instructions are executed: one more boot of it in
 * instructions mode, nothing varied and no KASLR, under a plugin of QEMU that
 * counts by address (plugin/where.c), with the guest's own table of symbols
 * (/proc/kallsyms). Counts are of the batches of a work, or of the whole of it
 * where it has none.
 */
struct where_function {
	const char *name;  /* "link_path_walk.part.0"; clean */
	uint64_t bytes;	   /* to the next symbol, alignment included, 0 where that is far away; of
			      several of one name all */
	uint64_t executed; /* instructions */
};

struct where_work {
	const char *name;
	double *figures; /* its first one in that boot, of each batch: instructions an operation */
	size_t figure_count; /* 0: none */
	uint64_t total;	     /* executed, of kernel and programs */
	uint64_t programs;   /* of these outside of the kernel */
	uint64_t unknown;    /* in the kernel where no symbol is */
	uint64_t counted;    /* from the work's start to its end */
	double elapsed;	     /* the same by the guest's clock, which also advances in sleep; NAN */
	struct where_function *functions; /* those with any, the most first */
	size_t function_count;
};

struct where_profile {
	struct where_work *works; /* in the order of the settings */
	size_t work_count;
	struct where_function *symbols; /* all of the kernel's text, by name; executed is 0 */
	size_t symbol_count;
	uint64_t symbol_bytes; /* of all together */
};

/* settings as of runner_boot; plugin is the path of worth-where.so. timeout_ns: 0 for none. Errors:
 * the boot failed, QEMU cannot load plugins, the kernel has no symbols. */
bool where_boot(struct arena *arena, struct spawner *spawner, int interrupt_fd,
		const struct boot_settings *settings, size_t subject, const char *plugin,
		int64_t timeout_ns, struct where_profile *profile, struct error *err);

/* The same from what came: the results of a guest, and what the plugin wrote. */
bool where_read(struct arena *arena, const char *results, size_t results_length, const char *counts,
		size_t counts_length, const struct boot_settings *settings,
		struct where_profile *profile, struct error *err);

#endif
