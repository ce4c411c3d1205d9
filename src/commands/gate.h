/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_GATE_H
#define COMMANDS_GATE_H

#include <stdbool.h>

#include "judge/judge.h"

/* The choices of --require, in the order of enum requirement; NULL-terminated. */
extern const char *const gate_requirements[];

/* The exit status that findings have, for every command that judges. */
int gate_status(const struct findings *findings, enum requirement requirement, bool bisect);

#endif
