/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_MARKUP_H
#define REPORT_MARKUP_H

#include "base/text.h"

/* A clean string as text or attribute value of HTML, XML and SVG: the five characters that mean
 * something there are escaped. */
void markup_add(struct text *text, const char *string);

#endif
