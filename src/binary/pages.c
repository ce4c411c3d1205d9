/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MADV_DONTNEED would turn memory from malloc() into zeros, and libelf falls
 * back to malloc() where it cannot map a file. So the mapping is looked up in
 * /proc/self/maps: it must be of a file.
 */
#include "binary/pages.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Less is not worth the system calls. */
static const size_t least_mapping_bytes = (size_t)64 << 20;
static const size_t step_bytes = (size_t)8 << 20;

void pages_init(struct pages *pages, const void *bytes, size_t length)
{
	uintptr_t first = (uintptr_t)bytes, last = first + length;
	FILE *maps;
	char line[512];

	*pages = (struct pages){ 0 };
	if (bytes == NULL || length < least_mapping_bytes)
		return;
	maps = fopen("/proc/self/maps", "re");
	if (maps == NULL)
		return;
	while (fgets(line, sizeof line, maps) != NULL) {
		uintptr_t low, high;
		unsigned long inode;

		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %lu", &low, &high,
			   &inode) == 3 &&
		    inode != 0 && low <= first && last <= high) {
			pages->start = pages->given_back = bytes;
			pages->end = pages->start + length;
		}
	}
	fclose(maps);
}

void pages_pass(struct pages *pages, const void *position)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from, to;
	const char *now = position;

	if (now < pages->given_back || now >= pages->end ||
	    (size_t)(now - pages->given_back) < step_bytes)
		return;
	from = ((uintptr_t)pages->given_back + page - 1) / page * page;
	to = (uintptr_t)now / page * page;
	madvise((void *)from, to - from, MADV_DONTNEED);
	pages->given_back = (const char *)to;
}
