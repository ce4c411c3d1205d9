/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_INTERRUPT_H
#define COMMANDS_INTERRUPT_H

#include <stdbool.h>

#include "base/error.h"

/*
 * SIGINT, SIGTERM and SIGHUP as a descriptor that becomes readable, so that
 * whoever waits can notice them and nothing happens in the middle of a write.
 * The signals stay blocked from interrupt_open on.
 */
struct interrupt {
	int fd;
};

bool interrupt_open(struct interrupt *interrupt, struct error *err);
/* The signal that has arrived, or 0. */
int interrupt_taken(struct interrupt *interrupt);
void interrupt_close(struct interrupt *interrupt);

#endif
