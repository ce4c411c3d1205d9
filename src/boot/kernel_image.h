/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BOOT_KERNEL_IMAGE_H
#define BOOT_KERNEL_IMAGE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "measure/spawner.h"

enum kernel_kind {
	KERNEL_BZIMAGE, /* with a setup header: what distributions install */
	KERNEL_VMLINUX, /* an ELF file with an entry for PVH */
};

/* A kernel that QEMU can load. */
struct kernel_image {
	enum kernel_kind kind;
	const char *path; /* of a file, or below /proc of an unpacked one, valid while fd is open */
	int fd;		  /* of an unpacked image; -1: none */
	const char *elf_path; /* of the ELF file that is in it, as long as elf_fd is open; NULL: it
				 could not be unpacked */
	int elf_fd;	      /* -1: none */
	const char *release;  /* as the image tells it; NULL: it does not */
};

/*
 * Looks at a file: a bzImage or a vmlinux for x86-64, or one of these packed
 * by gzip, xz, zstd, bzip2 or lz4, which the program of that name unpacks into
 * memory. Anything else is refused with a sentence that says what it is
 * instead.
 */
bool kernel_image_open(struct arena *arena, struct spawner *spawner, const char *path,
		       int interrupt_fd, struct kernel_image *image, struct error *err);
void kernel_image_close(struct kernel_image *image);

#endif
