/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_CLOCK_H
#define WORKLOADS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Monotonic and not slewed by NTP; the vDSO serves it since Linux 5.3, also in static programs. */
static inline int64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

#endif
