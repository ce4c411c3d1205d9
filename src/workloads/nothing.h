/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_NOTHING_H
#define WORKLOADS_NOTHING_H

/* "worth-load (nothing)" ends at once with this status: the program that process starts. */
#define NOTHING_WORD "(nothing)"
#define NOTHING_STATUS_WORD "42"
enum { NOTHING_STATUS = 42 };

#endif
