/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * work COUNT: a known amount of work, COUNT steps of one dependent chain each,
 * so that 5% more of them are 5% more instructions and 5% more time. It touches
 * no memory and makes no system calls meanwhile.
 */
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0, i;
	uint64_t state = 88172645463325252;

	for (i = 0; i < count; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
	}
	/* Never so, but the compiler cannot know. */
	return state == 0;
}
