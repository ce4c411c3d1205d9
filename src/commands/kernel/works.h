/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_KERNEL_WORKS_H
#define COMMANDS_KERNEL_WORKS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/options.h"
#include "boot/runner_boot.h"

/*
 * What is run in each boot: the bundled workloads that are named by --work (by
 * name, "all", or none given: the first five), and the user's commands by --run.
 */
bool kernel_works_make(struct arena *arena, const struct option_texts *names,
		       const struct option_texts *commands, struct boot_settings *settings,
		       struct error *err);

#endif
