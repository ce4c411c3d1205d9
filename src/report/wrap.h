/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_WRAP_H
#define REPORT_WRAP_H

#include <stddef.h>

#include "base/text.h"

/*
 * Append string to text, broken at spaces so that no line is wider than width
 * columns. The first line begins in column `first` (already filled by the
 * caller), the others after `indent` spaces. A word longer than a line is
 * broken where the line is full. Ends without a newline. Strings are clean
 * UTF-8; widths are columns, not bytes. indent + 2 <= width.
 */
void wrap_add(struct text *text, const char *string, size_t first, size_t indent, size_t width);

/* Append string and spaces up to columns; the string may be wider, then no spaces follow. */
void wrap_pad(struct text *text, const char *string, size_t columns);

/* End a line: without spaces at its end, which mail programs show as breaks or flow away. */
void wrap_end_line(struct text *text);

/* Bytes and columns of the character at string (which is not empty): what may not be torn apart.
 * A combining character counts to the one before it. */
size_t wrap_character(const char *string, size_t *columns);

#endif
