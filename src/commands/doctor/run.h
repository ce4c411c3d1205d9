/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_DOCTOR_RUN_H
#define COMMANDS_DOCTOR_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "commands/measured.h"
#include "model/recording.h"

/* The first word of `worth doctor --spin N`, the built-in workload: N steps of arithmetic. */
#define DOCTOR_SPIN "--spin"
void doctor_spin(uint64_t steps);

/* A command against itself for time_ns: argv, or the built-in workload where that is NULL. Sets the
 * recording's plan and runs it; measuring->spawner must be running. A session that was cut short
 * keeps what it has. */
bool doctor_run(struct measuring *measuring, char **argv, size_t argc, int64_t time_ns,
		struct recording *recording, struct error *err);

#endif
