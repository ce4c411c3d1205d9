/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_SHEET_LAYOUT_H
#define REPORT_SHEET_LAYOUT_H

#include "report/sheet/parts.h"

/*
 * The table that people read, in its layouts; rows.c chooses one. A
 * layout makes an empty table and fills it, again with fewer digits where it
 * came out too wide (sheet.compact).
 */

/* figures.c: what stands in the cells. */
bool figures_exist(const struct summary *summary);
/* What a row's scale is chosen by: the mean, or the spread of values about 0. */
double figures_magnitude(const struct summary *summary);
/* NAN where there is none. */
double figures_deviation(const struct summary *summary);
/* The smaller of those that are positive. */
double figures_smaller(double one, double other);
/* The scale of one value within its row: the row's, unless that is far too large for it. */
struct quantity figures_scale(const struct sheet *sheet, const struct metric *metric,
			      double row_magnitude, double row_deviation,
			      const struct summary *summary);
struct cell figures_value(const struct sheet *sheet, const struct metric *metric, bool exact,
			  const struct quantity *quantity, const struct summary *summary);
struct cell figures_change(const struct sheet *sheet, const struct comparison *comparison);
struct cell figures_interval(const struct sheet *sheet, const struct comparison *comparison);
/* "95% interval" */
const char *figures_interval_title(const struct sheet *sheet);
/* The comparison has a row of its own in the table. */
bool figures_is_row(const struct sheet *sheet, const struct comparison *comparison);

/* rows.c: baseline and one candidate; rules that all layouts have. */
void layout_rule_before(struct sheet *sheet, struct table *table,
			const struct comparison *comparison, bool *ruled);
void layout_set_rule(struct sheet *sheet, struct table *table);
/* "of 10 in B/s", "of 9 of 10 counts" */
struct cell layout_set_count(const struct sheet *sheet, const struct set_mean *mean);
/* Cells 3 to 5 of a row of geometric means. */
void layout_set_cells(struct sheet *sheet, const struct set_mean *mean, struct cell *cells);

/* alone.c */
struct table *layout_alone_make(struct sheet *sheet);
void layout_alone_fill(struct sheet *sheet, struct table *table);

/* variants.c */
struct table *layout_variants_make(struct sheet *sheet);
void layout_variants_fill(struct sheet *sheet, struct table *table);

/* besides.c: where there are too many variants for a row each, the secondary metrics have
 * one together: how often each verdict came out. */
void layout_add_besides(struct sheet *sheet);

#endif
