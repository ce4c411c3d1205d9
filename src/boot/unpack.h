/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BOOT_UNPACK_H
#define BOOT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "measure/spawner.h"

/* The program that unpacks what begins with these bytes: gzip, xz, zstd, bzip2, lz4; NULL: it is
 * packed by none of them. */
const char *unpack_program(const char *bytes, size_t length);
/* The file from fd's begin on into memory, so that nothing is left behind whatever happens:
 * *unpacked is a new descriptor, the caller's also on failure (-1: none). */
bool unpack_file(struct spawner *spawner, const char *program, int fd, int interrupt_fd,
		 int *unpacked, struct error *err);

#endif
