/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_FILLER_H
#define BINARY_FILLER_H

#include <stddef.h>
#include <stdint.h>

/*
 * What assemblers and linkers put between functions: no-operations of the
 * machine (EM_*), traps, zeros. How many bytes at the start, and at the end,
 * are nothing but filler.
 */
size_t filler_at_start(unsigned machine, const unsigned char *bytes, size_t length);
size_t filler_at_end(unsigned machine, const unsigned char *bytes, size_t length);

#endif
