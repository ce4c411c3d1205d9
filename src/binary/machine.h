/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_MACHINE_H
#define BINARY_MACHINE_H

/* "x86-64" of EM_X86_64; "unknown machine" of what the table lacks. Never NULL. */
const char *machine_name(unsigned machine);

#endif
