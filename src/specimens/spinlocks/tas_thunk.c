/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test and set, lock by a call that keeps the registers, unlock inline. */
#include "specimens/spinlocks/tas_thunk.h"

#include "specimens/spinlocks/spinlock.h"

#if defined(__x86_64__)
#define THUNK_ABSENT NULL
/* The lock is in rdi. An exchange with memory is locked, and acquires. */
__asm__(".pushsection .text.specimens, \"ax\", @progbits\n"
	".balign 16\n"
	".global tas_thunk_take\n"
	".hidden tas_thunk_take\n"
	".type tas_thunk_take, @function\n"
	"tas_thunk_take:\n"
	"	push %rax\n"
	"1:	mov $1, %eax\n"
	"	xchg %eax, (%rdi)\n"
	"	test %eax, %eax\n"
	"	jne 2f\n"
	"	pop %rax\n"
	"	ret\n"
	"2:	pause\n"
	"	cmpl $0, (%rdi)\n"
	"	jne 2b\n"
	"	jmp 1b\n"
	".size tas_thunk_take, . - tas_thunk_take\n"
	".popsection\n");
#else
#define THUNK_ABSENT "its call that keeps all registers is written for x86-64 only"
#endif

SPINLOCK_FUNCTIONS(tas_thunk, struct tas)

const struct spinlock spinlock_tas_thunk = {
	.name = "tas-thunk",
	.summary = "test and set, lock by a call that keeps the registers, unlock inline",
	.excludes = true,
	.opaque = true,
	.absent = THUNK_ABSENT,
	SPINLOCK_FUNCTIONS_OF(tas_thunk, struct tas),
};
