/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BOOT_CANARY_H
#define BOOT_CANARY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "boot/runner_boot.h"

/*
 * Whether KVM works: the first kernel is booted under it, and must come to
 * start the agent within 10 s. A /dev/kvm that can be opened proves nothing:
 * hypervisors that only emulate some of it exist, in which a kernel hangs or
 * breaks. The error says what happened and what to do instead.
 */
bool canary_boot(struct arena *arena, struct spawner *spawner, int interrupt_fd,
		 const struct boot_settings *settings, struct error *err);

#endif
