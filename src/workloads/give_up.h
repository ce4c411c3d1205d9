/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_GIVE_UP_H
#define WORKLOADS_GIVE_UP_H

#include "base/error.h"

/*
 * Ways to end from where no caller can be told: a task beside the others, or a
 * handler of signals. The guard notices, and cleans up.
 */
enum { GIVE_UP_STATUS = 2 };

_Noreturn void give_up_with(const struct error *err);
/* The same where only write(2) is allowed. */
_Noreturn void give_up_in_handler(const char *sentence);

#endif
