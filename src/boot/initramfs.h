/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BOOT_INITRAMFS_H
#define BOOT_INITRAMFS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

/*
 * An initramfs in the format "newc" of cpio, as the kernel's
 * Documentation/driver-api/early-userspace/buffer-format.rst describes it, not
 * compressed: every kernel with CONFIG_BLK_DEV_INITRD reads it. Times, owners
 * and inode numbers are fixed, so that the same files give the same bytes.
 * The struct text holds the archive; zero it to start. Paths are without a
 * leading slash, and a directory comes before what is in it.
 */
void initramfs_directory(struct text *archive, const char *path);
void initramfs_file(struct text *archive, const char *path, unsigned mode, const char *bytes,
		    size_t length);
/* A program without what is not loaded (symbols, debugging information); other files as they are.
 */
void initramfs_program(struct text *archive, const char *path, const char *bytes, size_t length);
/* A file or a directory with all that is in it, from the host. */
bool initramfs_add(struct arena *arena, struct text *archive, const char *host_path,
		   const char *path, struct error *err);
/* The trailer; nothing may follow. */
void initramfs_end(struct text *archive);

#endif
