/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that is written at run time around copies of a lock site: see written_code.h. */
#include "workloads/written_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/units.h"
#include "workloads/limits.h"

enum {
	SITE_BYTES_MOST = 512,
	CHUNK_MORE = 384, /* calls, constants, padding */
	LINE_BYTES = 64,
	CALL_BYTES = 5,
};

static void put(struct written_code *code, const void *bytes, size_t count)
{
	memcpy(code->bytes + code->used, bytes, count);
	code->used += count;
}

/* movabs of an address to a register: rdi 0xbf, rsi 0xbe, rdx 0xba. */
static void put_address(struct written_code *code, unsigned char reg, const volatile void *address)
{
	unsigned char prefix[] = { 0x48, reg };

	put(code, prefix, sizeof prefix);
	put(code, &address, sizeof address);
}

static void put_call(struct written_code *code, const unsigned char *target)
{
	unsigned char call = 0xe8;
	int32_t distance = (int32_t)(target - (code->place + code->used + 5));

	put(code, &call, 1);
	put(code, &distance, sizeof distance);
}

/* Instructions of 3 to 7 bytes on four registers that nobody else uses then; none waits long. */
static void put_filler(struct written_code *code, size_t count)
{
	static const struct {
		unsigned char length, bytes[7];
	} kinds[] = {
		{ 3, { 0x48, 0x01, 0xc8 } },			     /* add rax, rcx */
		{ 3, { 0x4d, 0x31, 0xc8 } },			     /* xor r8, r9 */
		{ 4, { 0x48, 0x83, 0xc1, 0x11 } },		     /* add rcx, 17 */
		{ 4, { 0x4d, 0x8d, 0x41, 0x08 } },		     /* lea r8, [r9 + 8] */
		{ 5, { 0x48, 0x8b, 0x44, 0x24, 0xf0 } },	     /* mov rax, [rsp - 16] */
		{ 7, { 0x49, 0x81, 0xc1, 0x5a, 0x01, 0x00, 0x00 } }, /* add r9, 346 */
	};
	size_t end = code->used + count, kind;

	while (code->used < end) {
		kind = (size_t)random_below(&code->random, sizeof kinds / sizeof *kinds);
		put(code, kinds[kind].bytes, kinds[kind].length);
	}
}

static void put_padding(struct written_code *code)
{
	size_t count = (size_t)random_below(&code->random, LINE_BYTES);

	memset(code->bytes + code->used, 0xcc, count);
	code->used += count;
}

/* Whether four bytes at an offset are the distance of a call or jump. */
static bool has_distance(const unsigned char *site, size_t at)
{
	if (at >= 1 && (site[at - 1] == 0xe8 || site[at - 1] == 0xe9))
		return true;
	return at >= 2 && site[at - 2] == 0x0f && (site[at - 1] & 0xf0) == 0x80;
}

/*
 * Copies a site and mends the distances to what lies outside of it, which is in
 * this program's text: no other four bytes behind such an opcode would.
 */
static const unsigned char *put_site(struct written_code *code, const struct lock_loops *loops)
{
	extern const char __executable_start[], etext[];
	unsigned char *copy = code->bytes + code->used;
	const unsigned char *place = code->place + code->used;
	size_t size = (size_t)(loops->site_end - loops->site), at;

	put(code, loops->site, size);
	for (at = 0; at + 4 <= size; at++) {
		int32_t distance;
		const unsigned char *target;

		memcpy(&distance, loops->site + at, sizeof distance);
		target = loops->site + at + 4 + distance;
		if (!has_distance(loops->site, at) ||
		    (target >= loops->site && target < loops->site_end) ||
		    target < (const unsigned char *)__executable_start ||
		    target >= (const unsigned char *)etext)
			continue;
		distance = (int32_t)(target - (place + at + 4));
		memcpy(copy + at, &distance, sizeof distance);
	}
	return place;
}

static const unsigned char *put_chunk(struct written_code *code, const struct lock_loops *loops,
				      const struct written_operands *operands, size_t gap)
{
	static const unsigned char enter[] = { 0x48, 0x83, 0xec, 0x08 }; /* sub rsp, 8 */
	static const unsigned char leave[] = { 0x48, 0x83, 0xc4, 0x08, 0xc3 };
	size_t before = (size_t)random_below(&code->random, gap + 1);
	const unsigned char *site, *chunk;

	put_padding(code);
	site = put_site(code, loops);
	put_padding(code);
	chunk = code->place + code->used;
	put(code, enter, sizeof enter);
	put_filler(code, before);
	put_address(code, 0xbf, operands->lock);
	put_address(code, 0xbe, operands->hold);
	put_address(code, 0xba, operands->counter);
	put_call(code, site);
	put_filler(code, gap - before);
	put(code, leave, sizeof leave);
	return chunk;
}

/* A function that calls all chunks once, in an order that is not that of their places; one chunk
 * alone many times. */
const void *written_code_pass(struct arena *arena, struct written_code *code,
			      const struct lock_loops *loops,
			      const struct written_operands *operands,
			      const struct written_extent *extent)
{
	static const unsigned char enter[] = { 0x48, 0x83, 0xec, 0x08 };
	static const unsigned char leave[] = { 0x48, 0x83, 0xc4, 0x08, 0xc3 };
	const unsigned char **chunks = arena_alloc(arena, extent->sites, sizeof *chunks);
	size_t *order = arena_alloc(arena, extent->sites, sizeof *order), i;
	const void *pass;

	for (i = 0; i < extent->sites; i++) {
		chunks[i] = put_chunk(code, loops, operands, extent->gap);
		order[i] = i;
	}
	random_shuffle(&code->random, order, extent->sites);
	put_padding(code);
	pass = code->place + code->used;
	put(code, enter, sizeof enter);
	for (i = 0; i < extent->calls; i++)
		put_call(code, chunks[order[i % extent->sites]]);
	put(code, leave, sizeof leave);
	return pass;
}

/*
 * A file in memory, mapped twice: to be written, and to be run, near the text of this program for
 * distances of 32 bits. So it has small pages as the text of programs has, and what is run was
 * never data, which would be in caches of both (a simulator counts the lines of code that are
 * touched).
 */
bool written_code_map(struct written_code *code, const struct written_extent *extent, uint64_t seed,
		      struct error *err)
{
	size_t size = extent->sites * (extent->gap + SITE_BYTES_MOST + CHUNK_MORE) +
		      extent->calls * CALL_BYTES + CHUNK_MORE;
	int fd = memfd_create("worth-code", MFD_CLOEXEC);
	void *bytes = MAP_FAILED, *place = MAP_FAILED;

	*code = (struct written_code){ .size = size, .random = { .state = random_mix(seed) } };
#ifdef MAP_32BIT
	if (fd >= 0 && ftruncate(fd, (off_t)size) == 0) {
		bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		place = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_32BIT, fd, 0);
	}
#else
	errno = ENOTSUP;
#endif
	if (bytes == MAP_FAILED || place == MAP_FAILED)
		error_set(err, ERROR_SYSTEM,
			  "cannot get %zu bytes for code that is written at run time: %s", size,
			  limits_reason());
	if (fd >= 0)
		close(fd);
	code->bytes = bytes;
	code->place = place;
	return bytes != MAP_FAILED && place != MAP_FAILED;
}

void written_code_unmap(struct written_code *code)
{
	munmap(code->bytes, code->size);
	munmap((void *)code->place, code->size);
}

bool written_code_can(const struct lock_loops *loops, struct error *err)
{
	if (loops->site != NULL && loops->site_end - loops->site <= SITE_BYTES_MOST)
		return true;
	return error_set(err, ERROR_SYSTEM,
			 "layouts are made of copies of code, which this build has not in a form "
			 "for it: it needs x86-64, a static program, and no sanitizers");
}

bool written_code_round(uint64_t *layout, struct error *err)
{
	const char *round = getenv("WORTH_ROUND");

	if (round != NULL && units_parse_count(round, 1, UINT32_MAX, layout, NULL))
		return true;
	return error_set(err, ERROR_USAGE,
			 "--layouts needs rounds: worth compare, run and study tell their number "
			 "in WORTH_ROUND; else give --layout");
}
