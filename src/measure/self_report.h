/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SELF_REPORT_H
#define MEASURE_SELF_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"
#include "model/recording.h"

/*
 * What a command says about itself on the descriptor in WORTH_FD, a line each:
 *
 *	NAME VALUE UNIT [lower|higher]
 *
 * separated by blanks; UNIT "-" is none. Without a direction lower is better,
 * except for units that end in "/s". Times (ns us ms min) are kept in s and
 * sizes (KiB MiB GiB kB MB GB) in B. A name that comes again in one run adds a
 * batch; the sample's value is the median of its batches. Lines that cannot be
 * read become remarks that quote them. At most 1 MiB and 10,000 values of one
 * run are taken; a remark says so when there was more.
 */
enum { SELF_REPORT_BYTES = 1 << 20, SELF_REPORT_VALUES = 10000, SELF_REPORT_METRICS = 256 };

struct self_report {
	struct text bytes;
	bool cut; /* there was more than SELF_REPORT_BYTES */
};

void self_report_clear(struct self_report *report);
void self_report_release(struct self_report *report);
/* A child_sink; context is the struct self_report. */
void self_report_take(void *context, const char *bytes, size_t length);

/* The lines into the sample, which must be recording's last; columns are added as needed. label
 * names the subject in remarks. */
void self_report_read(struct arena *arena, const struct self_report *report, const char *label,
		      struct recording *recording, struct sample *sample);

#endif
