/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_LOOKS_H
#define STATS_LOOKS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Planned looks with alpha spending (Lan & DeMets 1983; boundaries by the
 * recursion of Armitage, McPherson & Rowe 1969 on Brownian motion, 400 Simpson
 * intervals). Looks at n_k = round(10 * 2^(k/2)) below N, then N, then 2N,
 * 4N, ...; spent by n: 0.8(1-c) n/N up to N, beyond it 0.8(1-c) + 0.2(1-c)(1 - N/n).
 *
 * An n_k nearer to N than 0.15 N is left out. So is one at which even the most
 * extreme signs could not be told from chance (2^(1-n) >= alpha_k): its alpha
 * passes on to the next look. The last look of a plan is always kept, so that a
 * session ends with one; where it has too few pairs, its level is what is left
 * to spend, no finite interval exists at it, and its alpha passes on as well.
 */
struct stats_look {
	size_t n;
	double alpha; /* two-sided level of the interval at this look */
	double z;     /* alpha = 2 (1 - Phi(z)) */
};

enum { LOOKS_MAXIMUM = 64 };

struct looks {
	struct stats_look items[LOOKS_MAXIMUM];
	size_t count;
	bool peek; /* as asked for */
};

/* The looks of a plan over asked pairs (1 to 1e9) at confidence c; with extended > asked also
 * those of 2N, 4N, ... that do not exceed it. share divides all alpha (1 for one candidate, k-1
 * for several). peek false: one look at asked at (1-c)/share (extensions then spend nothing more:
 * none are given). */
struct looks looks_plan(size_t asked, size_t extended, double confidence, double share, bool peek);

/* A plan that the clock cut at n < asked, n >= 1: the looks before n, then a last one at n that
 * spends up to 0.8(1-c) (without peeking: at 1-c). Valid because the clock stopped it and not the
 * result. */
struct looks looks_truncate(const struct looks *planned, size_t n, double confidence, double share);

/* Looks that were made, the last of them at N pairs with all of 0.8(1-c) spent, and those of 2N,
 * 4N, ... up to extended behind them: how a truncated plan is extended, spending from its own N.
 * Without peeking none are added. */
struct looks looks_extend(const struct looks *made, size_t extended, double confidence,
			  double share);

/* One look more, at n pairs, behind those made of a plan that spent 0.8(1-c) over asked pairs:
 * where the clock cut an extension. n lies beyond asked and beyond the last look. */
struct looks looks_extend_at(const struct looks *made, size_t asked, size_t n, double confidence,
			     double share);

#endif
