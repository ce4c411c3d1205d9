/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BOOT_DEBIAN_H
#define BOOT_DEBIAN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "measure/spawner.h"

/* Where a Debian package's kernel is. */
struct debian_kernel {
	const char *image;     /* .../boot/vmlinuz-RELEASE */
	const char *directory; /* the unpacked package */
};

/*
 * The kernel of a Debian package, without installing it or being root: word is
 * the path of a .deb file (it has a slash, or ends in .deb), or a package as
 * apt knows it, NAME or NAME=VERSION. It is downloaded and unpacked once, below
 * the cache directory:
 *
 *	kernels/FILE.deb.d/	the package's files
 *	kernels/tmp.XXXXXX/	one in the making; removed whatever happens
 *
 * The sentences of apt and dpkg-deb are passed on.
 */
bool debian_kernel_fetch(struct arena *arena, struct spawner *spawner, int interrupt_fd,
			 const char *word, struct debian_kernel *kernel, struct error *err);

#endif
