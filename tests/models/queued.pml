/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queue in four bytes (src/specimens/spinlocks/queued.c) with three
 * processes: no two are inside, and all come through. The word's parts are
 * variables of their own, and each step of the algorithm on the whole word is
 * one atomic block. Memory is sequentially consistent here; the order of
 * memory is for ThreadSanitizer. BROKEN lets the last of the queue clear the
 * tail without looking whether it is still its own.
 */
#define NONE 0

bool locked = false;
bool pending = false;
byte tail = NONE; /* process + 1 */
byte next[4];
bool ready[4];
byte inside = 0;

#define me (_pid + 1)

active [3] proctype user()
{
	byte before;
	bool mine;
	bool was_pending;
	byte rounds = 0;

	do
	:: rounds < 2 ->
		rounds++;
		mine = false;
		/* The fast path, and the decision whether to try pending at all. */
		atomic {
			was_pending = pending || tail != NONE;
			if
			:: !locked && !was_pending -> locked = true; mine = true
			:: else -> skip
			fi
		}
		if
		:: !mine && !was_pending ->
			atomic {
				was_pending = pending;
				before = tail;
				pending = true
			}
			if
			:: !was_pending && before == NONE ->
				!locked;
				atomic { assert(!locked); locked = true; pending = false; mine = true }
			:: !was_pending && before != NONE ->
				pending = false
			:: else -> skip
			fi
		:: else -> skip
		fi;
		if
		:: !mine ->
			next[me] = NONE;
			ready[me] = false;
			atomic { before = tail; tail = me }
			if
			:: before != NONE -> next[before] = me; ready[me]
			:: else -> skip
			fi;
			!locked && !pending;
#ifdef BROKEN
			before = tail;
			if
			:: before == me -> atomic { locked = true; tail = NONE }
			:: else -> locked = true; next[me] != NONE; ready[next[me]] = true
			fi
#else
			atomic {
				if
				:: tail == me -> locked = true; tail = NONE; before = me
				:: else -> before = NONE
				fi
			}
			if
			:: before == me -> skip
			:: else -> locked = true; next[me] != NONE; ready[next[me]] = true
			fi
#endif
		:: else -> skip
		fi;
		inside++;
		assert(inside == 1);
		inside--;
		locked = false
	:: else -> break
	od
}
