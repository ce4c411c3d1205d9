/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

/* The files of report/page/, embedded; each ends in a NUL byte. */
extern const char page_style[], plot_style[], page_script[];

#endif
