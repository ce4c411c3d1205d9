/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_CALL_NAMES_H
#define MEASURE_CALL_NAMES_H

/* Names of system calls by number, made when worth is built (tools/syscall-names); NULL where a
 * number has none. */
enum { CALL_NAMES = 1024 };
extern const char *const call_names[CALL_NAMES];

#endif
