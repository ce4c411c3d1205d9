/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_AGENT_GUEST_H
#define WORKLOADS_AGENT_GUEST_H

#include <stdbool.h>

/* /proc, /sys, /dev and /tmp of a guest that has nothing yet, and a console for 0, 1 and 2. */
void guest_prepare(void);
/* The port of results: virtio-serial where the kernel has it, else the second serial line. -1 where
 * there is neither. Never creates a file: a plain file in devtmpfs would swallow the results. */
int guest_open_results(void);
/* What was written has left the guest, and the machine stops. */
_Noreturn void guest_stop(int results);

#endif
