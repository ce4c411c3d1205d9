/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CONFORMANCE_HARNESS_PARTS_H
#define CONFORMANCE_HARNESS_PARTS_H

#include "harness.h"

/* How long a check may go without progress. */
uint64_t harness_patience_ns(void);
/* Ends the process of a check: nobody made progress for so long. */
_Noreturn void harness_hang(const struct trial *trial, double seconds);

#endif
