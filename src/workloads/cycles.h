/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_CYCLES_H
#define WORKLOADS_CYCLES_H

/*
 * The length of a cycle, without counters: a chain of multiplications, each
 * waiting for the one before, takes 3 cycles a step on x86-64 (Intel since
 * Nehalem, AMD since Zen) and is not shortened by renaming, as a chain of
 * additions is on some. Taken in the same batch as what is measured, it removes
 * the steps of the clock, which differ by several per cent.
 */

/* ns a cycle now, the best of some chains of about 10 us; NAN where the latency of a
 * multiplication is not known (other machines than x86-64). */
double cycles_length_ns(void);

#endif
