/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_REPORT_H
#define WORKLOADS_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The figures of a run, kept until its end, so that nothing is written while
 * something is measured. Where WORTH_FD names a descriptor, every batch goes
 * there as a line "NAME VALUE UNIT lower|higher"; without it, stdout gets a
 * line of that form for each name, with the median. Remarks, such as where the
 * tasks were placed, are lines that begin with "# " on stdout.
 */
struct report;

enum report_better { REPORT_LOWER, REPORT_HIGHER };

/* Reads WORTH_FD; an error if it is set and names nothing that can be written to. */
struct report *report_open(struct arena *arena, struct error *err);

/* Name and unit are constants without blanks; a name always has the same unit. */
void report_value(struct report *report, const char *name, double value, const char *unit,
		  enum report_better better);
void report_remark(struct report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How many values there are of a name so far. */
size_t report_count(const struct report *report, const char *name);

/* Writes all of it; every_batch: on stdout, too. */
bool report_write(struct report *report, bool every_batch, struct error *err);

#endif
