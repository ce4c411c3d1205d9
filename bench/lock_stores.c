/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a lock whose unlock is called can be quicker than one whose unlock is
 * inline, alone and with its data on another line of cache: the loop of
 *
 *	exchange; stores to 0 to 3 other lines; unlock
 *
 * with the unlock inline and called, and with another store (push, pop) inline in
 * place of the call, which stores its return address. Printed are cycles a time
 * round, the median and quartiles of rounds in which all forms take turns; a cycle
 * is a third of a step of a chain of multiplications. x86-64 alone.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 101, TURNS = 20000, STEPS = 16, CHAINS = 6000, LINE = 128 };

/* The lock, data on its line, and lines of other data. */
struct ground {
	_Alignas(LINE) uint32_t lock;
	uint64_t near;
	_Alignas(LINE) uint64_t far[4 * LINE / sizeof(uint64_t)];
};

#define TAKE "mov $1, %%eax\n xchg %%eax, (%0)\n test %%eax, %%eax\n jne 9f\n"
#define INLINE "movl $0, (%0)\n"
#define CALLED "call 7f\n jmp 8f\n 7: movl $0, (%0)\n ret\n 8:\n"
#define PUSHED "push %%rax\n movl $0, (%0)\n pop %%rax\n"
#define STORES_0 ""
#define STORES_1 "addq $1, (%1)\n"
#define STORES_2 STORES_1 "addq $1, 128(%1)\n"
#define STORES_3 STORES_2 "addq $1, 256(%1)\n"

/* Built without a red zone, as the stack is used. */
#define FORM(name, stores, drop)                                                                   \
	static __attribute__((noinline)) void name(uint32_t *lock, uint64_t *data, uint64_t turns) \
	{                                                                                          \
		__asm__ volatile(".p2align 5\n 1:\n" TAKE stores drop "sub $1, %2\n jne 1b\n 9:\n" \
				 : "+r"(lock), "+r"(data), "+r"(turns)                             \
				 :                                                                 \
				 : "eax", "memory", "cc");                                         \
	}

FORM(inline_0, STORES_0, INLINE)
FORM(called_0, STORES_0, CALLED)
FORM(pushed_0, STORES_0, PUSHED)
FORM(inline_1, STORES_1, INLINE)
FORM(called_1, STORES_1, CALLED)
FORM(pushed_1, STORES_1, PUSHED)
FORM(inline_2, STORES_2, INLINE)
FORM(called_2, STORES_2, CALLED)
FORM(pushed_2, STORES_2, PUSHED)
FORM(inline_3, STORES_3, INLINE)
FORM(called_3, STORES_3, CALLED)
FORM(pushed_3, STORES_3, PUSHED)

static const struct form {
	const char *stores, *unlock;
	void (*run)(uint32_t *lock, uint64_t *data, uint64_t turns);
} forms[] = {
	{ "none", "inline", inline_0 },	 { "none", "called", called_0 },
	{ "none", "pushed", pushed_0 },	 { "one", "inline", inline_1 },
	{ "one", "called", called_1 },	 { "one", "pushed", pushed_1 },
	{ "two", "inline", inline_2 },	 { "two", "called", called_2 },
	{ "two", "pushed", pushed_2 },	 { "three", "inline", inline_3 },
	{ "three", "called", called_3 }, { "three", "pushed", pushed_3 },
};

enum { FORMS = sizeof forms / sizeof *forms };

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double cycle_ns(void)
{
	double start_ns = now_ns();
	uint64_t value = 1, i;

	for (i = 0; i < CHAINS; i++)
		__asm__ volatile(".rept 16\n imul %0, %0\n .endr\n" : "+r"(value));
	return (now_ns() - start_ns) / (CHAINS * STEPS * 3.0);
}

static double turn_cycles(const struct form *form, struct ground *ground)
{
	double cycle = cycle_ns(), start_ns = now_ns();

	form->run(&ground->lock, ground->far, TURNS);
	return (now_ns() - start_ns) / TURNS / cycle;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	static double cycles[FORMS][ROUNDS];
	static struct ground ground;
	size_t round, i;

	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < FORMS; i++)
			cycles[i][round] = turn_cycles(&forms[i], &ground);
	puts("stores  unlock  cycles [quartiles]");
	for (i = 0; i < FORMS; i++) {
		qsort(cycles[i], ROUNDS, sizeof cycles[i][0], compare);
		printf("%-7s %-7s %6.2f [%.2f, %.2f]\n", forms[i].stores, forms[i].unlock,
		       cycles[i][ROUNDS / 2], cycles[i][ROUNDS / 4], cycles[i][3 * ROUNDS / 4]);
	}
	return 0;
}
