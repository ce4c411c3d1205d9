/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STATS_ORDER_H
#define STATS_ORDER_H

#include <stddef.h>

/* Order statistics and simple summaries; none changes its input. n >= 1 unless said otherwise. */
double order_mean(const double *x, size_t n);	   /* compensated; NAN for n = 0 */
double order_deviation(const double *x, size_t n); /* sample sd, two passes; NAN below 2 */
double order_median(const double *x, size_t n);
double order_quantile(const double *x, size_t n, double probability); /* R's type 7 */
double order_mad(const double *x, size_t n); /* median |x - median|, times 1.4826 */
/* k-th smallest (0-based) by quickselect; permutes x so that nothing left of k is larger than x[k]
 * and nothing right of it smaller. */
double order_select(double *x, size_t n, size_t k);
void order_sort(double *x, size_t n);

#endif
