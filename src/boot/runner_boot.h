/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BOOT_RUNNER_BOOT_H
#define BOOT_RUNNER_BOOT_H

#include <stdbool.h>
#include <stddef.h>

#include "boot/kernel_image.h"
#include "boot/qemu.h"
#include "measure/runner.h"

/* One workload in the guest. */
struct boot_work {
	const char *name;  /* one word; the metric's name */
	char *const *argv; /* NULL-terminated, in the guest: "/init" is worth-load */
};

/* What every boot of a session has in common. */
struct boot_settings {
	const char *qemu; /* as of qemu_find */
	enum boot_mode mode;
	unsigned memory_mib;
	const char *append;		    /* NULL: none */
	const struct kernel_image *kernels; /* by subject of the plan */
	const char *load_program;
	const struct boot_work *works;
	size_t work_count;
	const char *const *added; /* files for the guest's root; added_count of them */
	size_t added_count;
	bool show; /* the guests' messages go to stderr */
};

/*
 * Booted guests behind the interface of measure/: a slot is one boot of its
 * subject's kernel, which does all the works. Their figures become columns
 * (instructions an operation in instructions mode), beside "boot" (to the
 * agent's start), "kernel memory" and "wall" (the host's, hidden). A boot that
 * panics, hangs until the plan's timeout, never becomes idle, or in which
 * somebody else took more than 2% of a work's time, is a failed run.
 *
 * Under the plan's environment_padding each boot differs by what must not
 * matter: memory, the length of the initramfs and the guest's randomness, from
 * the slot's seed; without it all boots of a kernel are the same machine.
 *
 * Nothing is written to any disk: images are in memory, results and messages
 * in pipes. settings must outlive the runner.
 */
struct runner runner_boot(struct spawner *spawner, int interrupt_fd,
			  const struct boot_settings *settings);

#endif
