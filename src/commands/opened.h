/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_OPENED_H
#define COMMANDS_OPENED_H

#include <stdbool.h>

#include "base/error.h"
#include "store/history.h"

/* The user's history, as history_open(NULL, ...); what opening it changed (modes that were too
 * wide) is said on stderr. */
struct history *opened_history(bool create, struct error *err);

#endif
