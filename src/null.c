/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The empty program: what is left of a run when the program does nothing (worth --null). */
#ifdef NULL_IS_BARE
#include <sys/syscall.h>

_Noreturn void _start(void);

_Noreturn void _start(void)
{
#if defined(__x86_64__)
	register long number __asm__("rax") = SYS_exit_group;
	register long status __asm__("rdi") = 0;

	__asm__ volatile("syscall" : : "r"(number), "r"(status));
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_exit_group;
	register long status __asm__("x0") = 0;

	__asm__ volatile("svc 0" : : "r"(number), "r"(status));
#endif
	__builtin_unreachable();
}
#else
int main(void)
{
	return 0;
}
#endif
