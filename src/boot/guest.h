/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BOOT_GUEST_H
#define BOOT_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "boot/runner_boot.h"

/* The agent as it is called in a guest. */
#define GUEST_LOAD "/init"
/* Where this is, the agent tells the kernel's symbols after its last job. */
#define GUEST_WHERE "worth/where"

/* The guest's file system, without its end: see guest_initramfs. */
bool guest_files(struct arena *arena, const struct boot_settings *settings, struct text *archive,
		 struct error *err);
/* The whole of it with padding, in memory: a descriptor, and the path by which QEMU can open it
 * while this process has it open. */
bool guest_initramfs(struct arena *arena, const struct text *files, size_t padding_bytes, int *fd,
		     const char **path, struct error *err);

#endif
