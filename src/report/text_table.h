/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_TEXT_TABLE_H
#define REPORT_TEXT_TABLE_H

#include "base/text.h"
#include "report/document.h"
#include "report/writer.h"

/* Append a table as lines no wider than look->width: in columns where they fit, else each row as
 * lines "title  value". Columns without a single value are left out. */
void text_table_add(struct text *text, const struct table *table, const struct look_settings *look);

/* Columns that the table takes if nothing gives way but names, those in its first column that are
 * longer than so many (SIZE_MAX: none), which then have lines of their own. */
size_t text_table_width(const struct table *table, size_t names);

/* The escape sequence that begins a tone, or NULL if it needs none. */
const char *text_tone_start(enum tone tone, const struct look_settings *look);
extern const char text_tone_end[];

#endif
