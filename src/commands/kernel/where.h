/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_KERNEL_WHERE_H
#define COMMANDS_KERNEL_WHERE_H

#include "boot/runner_boot.h"
#include "commands/measured.h"

/*
 * --where: one more boot of each kernel that counts by function, and what each
 * candidate executes beside the baseline. The figures are an operation's, as
 * the workload itself reports them in that boot, divided among the functions
 * as the counts are. The kernels' text by
 * their symbols becomes a remark of the recording, the rows its where. False with an error;
 * everything is made in the measuring's arena.
 */
bool kernel_where(struct measuring *measuring, const struct boot_settings *settings,
		  struct recording *recording, struct error *err);

#endif
