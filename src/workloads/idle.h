/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_IDLE_H
#define WORKLOADS_IDLE_H

#include <stdint.h>

/* The loop around operations that do nothing: what every workload's loop takes at least. */
void idle_operations(uint64_t count);

#endif
