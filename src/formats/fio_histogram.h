/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMATS_FIO_HISTOGRAM_H
#define FORMATS_FIO_HISTOGRAM_H

#include <math.h>

/*
 * The step of a percentile that fio printed, in the unit of its histogram
 * (nanoseconds from fio 3 on, microseconds before): fio counts latencies in
 * groups a 64th of the power of two below them wide, exact below 128
 * (FIO_IO_U_PLAT_BITS in its stat.h), and prints the middle of one.
 */
static inline double fio_histogram_step(double latency)
{
	return latency >= 128 ? exp2(floor(log2(latency)) - 6) : 1;
}

#endif
