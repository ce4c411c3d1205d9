/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_CFI_H
#define BINARY_CFI_H

#include "binary/debug/debug.h"

/* The call frame information of an object whose debug information is open. */
struct cfi {
	Dwarf_CFI *cfi; /* NULL: there is none */
	uint64_t bias;	/* an address of debug plus this is one of cfi */
	bool owned;	/* to be ended by cfi_close; otherwise libdw or libdwfl does */
};

/* .eh_frame first, then .debug_frame, which describes no less. Borrows debug. */
struct cfi cfi_open(struct debug *debug);
void cfi_close(struct cfi *cfi);

#endif
