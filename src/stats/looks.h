/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_LOOKS_H
#define STATS_LOOKS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Planned looks with alpha spending (Lan & DeMets 1983; boundaries by the
 * recursion of Armitage, McPherson & Rowe 1969 on Brownian motion, 400 Simpson
 * intervals). method.md 3.6: n_k = round(10 * 2^(k/2)) up to N, then N, then 2N,
 * 4N, ...; spent by n: 0.8(1-c) n/N up to N, beyond it 0.8(1-c) + 0.2(1-c)(1 - N/n).
 */
struct stats_look {
	size_t n;
	double alpha; /* two-sided level of the interval at this look */
	double z;
};

enum { LOOKS_MAXIMUM = 64 };

struct looks {
	struct stats_look items[LOOKS_MAXIMUM];
	size_t count;
};

/* The looks of a plan over asked pairs at confidence c; with extended > asked (2N, 4N, ...) also
 * those beyond. share divides all alpha (1 for one candidate, k-1 for several). peek false: one
 * look at asked at 1-c (extensions then spend nothing more: none are given). */
struct looks looks_plan(size_t asked, size_t extended, double confidence, double share, bool peek);

/* A plan that the clock cut at n < asked: the looks before n, then a last one at n that spends up
 * to 0.8(1-c). */
struct looks looks_truncate(const struct looks *planned, size_t n, double confidence, double share);

#endif
