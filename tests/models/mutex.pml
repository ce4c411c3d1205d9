/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mutex of three states (src/specimens/mutexes/futex.h) with three
 * processes: no two are inside, and who sleeps is woken. The futex is one
 * atomic step, as in the kernel: sleeping only while the state is the expected
 * one. BROKEN takes it as held after a sleep, and spin must find the sleeper
 * that nobody wakes.
 */
#define FREE 0
#define HELD 1
#define WAITED 2

byte state = FREE;
byte inside = 0;
bool asleep[3];

inline wake_one()
{
	/* Whichever of those that sleep. */
	atomic {
		if
		:: asleep[0] -> asleep[0] = false
		:: asleep[1] -> asleep[1] = false
		:: asleep[2] -> asleep[2] = false
		:: else -> skip
		fi
	}
}

active [3] proctype user()
{
	byte old;
	byte rounds = 0;

	do
	:: rounds < 2 ->
		rounds++;
		atomic { old = state; if :: old == FREE -> state = HELD :: else -> skip fi }
		do
		:: old == FREE -> break
		:: else ->
#ifdef BROKEN
			atomic { if :: state == HELD -> state = WAITED :: else -> skip fi }
#else
			atomic { old = state; state = WAITED }
			if :: old == FREE -> break :: else -> skip fi;
#endif
			atomic { if :: state == WAITED -> asleep[_pid] = true :: else -> skip fi }
			!asleep[_pid];
#ifdef BROKEN
			atomic { old = state; if :: old == FREE -> state = HELD :: else -> skip fi }
#endif
		od;
		inside++;
		assert(inside == 1);
		inside--;
		atomic { old = state; state = FREE }
		if :: old == WAITED -> wake_one() :: else -> skip fi
	:: else -> break
	od
}
