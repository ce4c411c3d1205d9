/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_PROGRAMS_H
#define WORKLOADS_PROGRAMS_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Programs that a workload runs. They find no terminal and no input, what they
 * print is discarded, and GUARD_MARK in their environment lets the guard find
 * them and what they start.
 */

/* Whether the guard could find them: it looks in /proc. For workloads to ask before they begin. */
bool programs_possible(struct error *err);
/* argv[0] is found on PATH; the error says what to install. */
bool program_start(char *const *argv, int *pid, struct error *err);
/* Waits for the end of any program that was started; its pid and exit status, 128 + n for a
 * signal. */
bool program_await(int *pid, int *status, struct error *err);
/* Both; false unless its status is the expected one. */
bool program_run(char *const *argv, int expected, struct error *err);

#endif
