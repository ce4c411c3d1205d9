/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that is written at run time around copies of a lock site: see spin_footprint.h. */
#include "workloads/spin_footprint.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/random.h"
#include "workloads/batches.h"
#include "workloads/clock.h"
#include "workloads/cycles.h"
#include "workloads/placement.h"
#include "workloads/tasks.h"

enum {
	SITE_BYTES_MOST = 512,
	CHUNK_MORE = 128, /* calls, constants, padding */
	OPERATIONS = 2000000,
	WARM_PASSES = 3,
	TIGHT_CALLS = 64, /* of the one site where there is no other code */
	SIMULATED_SITES = 32768,
	LINE_BYTES = 64,
	CALL_BYTES = 5,
};

/* The memory that is written, and where in it; and the same memory where it is run. */
struct code {
	unsigned char *bytes;
	const unsigned char *place;
	size_t size, used;
	struct random random;
};

/* What a chunk's call of its site needs. */
struct ground {
	_Alignas(SPECIMEN_APART) unsigned char lock[SPINLOCK_BYTES];
	_Alignas(SPECIMEN_APART) struct lock_thread thread;
	_Alignas(SPECIMEN_APART) struct lock_hold hold;
	_Alignas(SPECIMEN_APART) volatile uint64_t counter;
};

static void put(struct code *code, const void *bytes, size_t count)
{
	memcpy(code->bytes + code->used, bytes, count);
	code->used += count;
}

/* movabs of an address to a register: rdi 0xbf, rsi 0xbe, rdx 0xba. */
static void put_address(struct code *code, unsigned char reg, const volatile void *address)
{
	unsigned char prefix[] = { 0x48, reg };

	put(code, prefix, sizeof prefix);
	put(code, &address, sizeof address);
}

static void put_call(struct code *code, const unsigned char *target)
{
	unsigned char call = 0xe8;
	int32_t distance = (int32_t)(target - (code->place + code->used + 5));

	put(code, &call, 1);
	put(code, &distance, sizeof distance);
}

/* Instructions of 3 to 7 bytes on four registers that nobody else uses then; none waits long. */
static void put_filler(struct code *code, size_t count)
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

static void put_padding(struct code *code)
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
static const unsigned char *put_site(struct code *code, const struct lock_loops *loops)
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

static const unsigned char *put_chunk(struct code *code, const struct lock_loops *loops,
				      const struct ground *ground, size_t gap)
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
	put_address(code, 0xbf, ground->lock);
	put_address(code, 0xbe, &ground->hold);
	put_address(code, 0xba, &ground->counter);
	put_call(code, site);
	put_filler(code, gap - before);
	put(code, leave, sizeof leave);
	return chunk;
}

/* How many sites there are, and how many are run in a pass. */
struct extent {
	size_t gap, sites, calls;
};

static struct extent extent_of(const struct locking_settings *settings)
{
	size_t bytes = settings->footprint_bytes;
	struct extent extent = { .gap = settings->gap_bytes < bytes ? settings->gap_bytes : bytes };

	extent.sites = extent.gap == 0 ? 1 : bytes / extent.gap;
	extent.calls = extent.gap == 0 ? TIGHT_CALLS : extent.sites;
	return extent;
}

/* A function that calls all chunks once, in an order that is not that of their places; one chunk
 * alone many times. */
static const void *put_pass(struct work *work, struct code *code, const struct lock_loops *loops,
			    const struct ground *ground, const struct extent *extent)
{
	static const unsigned char enter[] = { 0x48, 0x83, 0xec, 0x08 };
	static const unsigned char leave[] = { 0x48, 0x83, 0xc4, 0x08, 0xc3 };
	const unsigned char **chunks = arena_alloc(work->arena, extent->sites, sizeof *chunks);
	size_t *order = arena_alloc(work->arena, extent->sites, sizeof *order), i;
	const void *pass;

	for (i = 0; i < extent->sites; i++) {
		chunks[i] = put_chunk(code, loops, ground, extent->gap);
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
static bool code_map(struct code *code, size_t size, uint64_t seed, struct error *err)
{
	int fd = memfd_create("worth-code", MFD_CLOEXEC);
	void *bytes = MAP_FAILED, *place = MAP_FAILED;

	*code = (struct code){ .size = size, .random = { .state = random_mix(seed) } };
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
			  strerror(errno));
	if (fd >= 0)
		close(fd);
	code->bytes = bytes;
	code->place = place;
	return bytes != MAP_FAILED && place != MAP_FAILED;
}

static void code_unmap(struct code *code)
{
	munmap(code->bytes, code->size);
	munmap((void *)code->place, code->size);
}

static bool timed_passes(struct work *work, void (*pass)(void), size_t sites, struct error *err)
{
	struct batches batches;
	uint64_t count, i;

	(void)err;
	batches_init_multiple(&batches, work, sites);
	while ((count = batches_next(&batches)) > 0) {
		double cycle_ns = cycles_length_ns(), each_ns;
		int64_t start_ns, elapsed_ns;

		pass();
		start_ns = clock_ns();
		for (i = 0; i < count / sites; i++)
			pass();
		elapsed_ns = clock_ns() - start_ns;
		cycle_ns = (cycle_ns + cycles_length_ns()) / 2;
		each_ns = (double)elapsed_ns / (double)count;
		if (!batches_end(&batches, elapsed_ns))
			continue;
		report_value(work->report, "site", each_ns, "ns", REPORT_LOWER);
		if (!isnan(cycle_ns))
			report_value(work->report, "site-cycles", each_ns / cycle_ns, "cycles",
				     REPORT_LOWER);
	}
	return true;
}

/* Under a simulator time means nothing, and it is slow: the same number of sites for all. */
static bool is_simulated(void)
{
	const char *value = getenv("WORTH_SIMULATED");

	return value != NULL && strcmp(value, "1") == 0;
}

static void counted_passes(void (*pass)(void), size_t sites)
{
	size_t left = SIMULATED_SITES;

	do {
		pass();
		left = left > sites ? left - sites : 0;
	} while (left > 0);
}

static bool check_once(const struct spinlock *spinlock, struct ground *ground, void (*pass)(void),
		       size_t sites, struct error *err)
{
	int i;

	for (i = 0; i < WARM_PASSES; i++)
		pass();
	if (ground->counter == WARM_PASSES * (uint64_t)sites)
		return true;
	return error_set(err, ERROR_SYSTEM, "%zu sites of %s counted to %llu in %d passes", sites,
			 spinlock->name, (unsigned long long)ground->counter, (int)WARM_PASSES);
}

static bool run_code(struct work *work, const struct spinlock *spinlock,
		     const struct locking_settings *settings, struct ground *ground,
		     struct code *code, struct error *err)
{
	struct extent extent = extent_of(settings);
	union {
		const void *bytes;
		void (*function)(void);
	} pass;

	pass.bytes = put_pass(work, code, &spinlock->loops, ground, &extent);
	report_remark(
	    work->report, "%s, %zu sites of %zu bytes, %zu bytes of other code each, layout %llu",
	    spinlock->name, extent.sites, (size_t)(spinlock->loops.site_end - spinlock->loops.site),
	    extent.gap, (unsigned long long)settings->layout);
	if (!check_once(spinlock, ground, pass.function, extent.calls, err))
		return false;
	if (is_simulated()) {
		counted_passes(pass.function, extent.calls);
		return true;
	}
	return timed_passes(work, pass.function, extent.calls, err);
}

bool spin_footprint_run(struct work *work, const struct spinlock *spinlock,
			const struct locking_settings *settings, struct error *err)
{
	struct extent extent = extent_of(settings);
	size_t size = settings->footprint_bytes + extent.calls * CALL_BYTES +
		      (extent.sites + 1) * (SITE_BYTES_MOST + CHUNK_MORE + 256);
	const struct lock_loops *loops = &spinlock->loops;
	struct task *bystander;
	struct ground *ground;
	struct code code;
	bool ok;

	if (loops->site == NULL || loops->site_end - loops->site > SITE_BYTES_MOST)
		return error_set(err, ERROR_SYSTEM,
				 "--footprint copies code, which this build has not in a form for "
				 "it: it needs x86-64, a static program, and no sanitizers");
	if (settings->tasks > 1)
		return error_set(err, ERROR_USAGE,
				 "--footprint is for one thread; leave out --tasks");
	if (work->is_default)
		work->operations = OPERATIONS;
	ground = tasks_share(sizeof *ground, err);
	if (ground == NULL || !code_map(&code, size, settings->layout, err) ||
	    !locking_bystander_start(&bystander, err))
		return false;
	lock_threads_init(&ground->thread, 1);
	ground->hold.thread = &ground->thread;
	spinlock->init(ground->lock);
	ok = run_code(work, spinlock, settings, ground, &code, err);
	ok = locking_bystander_end(bystander, ok ? err : NULL) && ok;
	code_unmap(&code);
	tasks_unshare(ground, sizeof *ground);
	return ok;
}
