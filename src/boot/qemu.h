/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BOOT_QEMU_H
#define BOOT_QEMU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum boot_mode {
	BOOT_INSTRUCTIONS, /* emulated, the clock counts instructions */
	BOOT_TIME,	   /* under KVM, the clock is the host's */
};

/* Nanoseconds of the guest's time an instruction, as a power of two: at 5, a virtual second is
 * 31 million instructions, so that a boot is short and timer interrupts are 1/1000 of them. */
enum { QEMU_SHIFT = 5 };

/* One machine to boot. */
struct qemu {
	const char *program; /* as of qemu_find */
	enum boot_mode mode;
	const char *kernel_path;
	const char *initramfs_path;
	unsigned memory_mib;
	uint64_t seed;	    /* of the guest's randomness, in instructions mode */
	int report_fd;	    /* of QEMU's own descriptors: the results go there */
	bool fixed_layout;  /* no KASLR */
	const char *append; /* more words for the kernel's command line; NULL: none */
	const char *plugin; /* a TCG plugin with its arguments; NULL: none */
};

/* qemu-system-x86_64 on PATH, or what the user named. */
bool qemu_find(struct arena *arena, const char *given, char **program, struct error *err);
/* The command line. The kernel's messages go to stderr, with QEMU's own. */
char **qemu_argv(struct arena *arena, const struct qemu *qemu);

#endif
