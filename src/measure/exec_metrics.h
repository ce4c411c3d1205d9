/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_EXEC_METRICS_H
#define MEASURE_EXEC_METRICS_H

#include "base/arena.h"
#include "measure/child.h"
#include "model/recording.h"

/* The metrics that every run of a child gives: clock and wait4. Units as in model/metric.c. */
enum { EXEC_METRICS = 12 };

/* Add the columns; columns[i] is where metric i of the table in exec_metrics.c went. */
void exec_metrics_open(struct arena *arena, struct recording *recording,
		       size_t columns[EXEC_METRICS]);
/* Values, status and flags of one run. */
void exec_metrics_read(const struct child_outcome *outcome, const size_t columns[EXEC_METRICS],
		       struct sample *sample);

#endif
