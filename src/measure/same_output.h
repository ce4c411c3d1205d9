/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_SAME_OUTPUT_H
#define MEASURE_SAME_OUTPUT_H

#include <stddef.h>

#include "model/recording.h"

/*
 * --same-output: marks samples[first..) whose output is not what their baseline
 * printed in its first good run, warm-up included. Only samples with a hash are
 * looked at. Call it when a round is over, so that the baseline has run.
 */
void same_output_mark(struct recording *recording, size_t first);

#endif
