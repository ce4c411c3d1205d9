/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_MARK_H
#define BASE_MARK_H

#include <stdint.h>

/*
 * Marks in the stream of instructions, for whoever counts them from outside
 * (src/boot/plugin/where.c): a NOP of seven bytes whose displacement, which no
 * processor looks at, says what begins or ends here. The agent marks its jobs,
 * the harness its batches. Elsewhere than on x86-64 there are none.
 */
enum mark {
	MARK_JOB_BEGIN = 0x57480001,
	MARK_JOB_END,
	MARK_BATCH_BEGIN,
	MARK_BATCH_END,
};

#if defined(__x86_64__)
#define MARK(kind) __asm__ volatile(".byte 0x0f, 0x1f, 0x80\n\t.long %c0" ::"i"(kind) : "memory")
#else
#define MARK(kind) ((void)(kind))
#endif

#endif
