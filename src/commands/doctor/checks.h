/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_DOCTOR_CHECKS_H
#define COMMANDS_DOCTOR_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "measure/counters.h"
#include "model/environment.h"
#include "report/document.h"

/* What the checks are made from; inputs, so that a test can be any machine. */
struct doctor_machine {
	struct environment environment;
	double clock_step_ns;		      /* NAN: not seen */
	enum counter_fate hardware, software; /* of "instructions" and "task-clock" */
	bool has_valgrind;
};

/* One row: what was found, what it does to a measurement, what to do about it. */
struct doctor_check {
	const char *name;
	const char *found;  /* NULL: cannot be told here, the row is left out */
	enum tone tone;	    /* good, caution, bad; plain: worth knowing */
	const char *effect; /* full sentences, NULL where all is well */
	const char *advice; /* NULL: nothing can or need be done */
};

/* This machine. */
void doctor_machine_read(struct arena *arena, struct doctor_machine *machine);
/* All checks that say something of the machine, in the order of the report. */
struct doctor_check *doctor_checks(struct arena *arena, const struct doctor_machine *machine,
				   size_t *count);

#endif
