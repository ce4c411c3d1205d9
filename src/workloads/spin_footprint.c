/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that is written at run time around copies of a lock site: see spin_footprint.h. */
#include "workloads/spin_footprint.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

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
	LINE_BYTES = 64,
};

/* The memory that is written, and where in it. */
struct code {
	unsigned char *bytes;
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
	int32_t distance = (int32_t)(target - (code->bytes + code->used + 5));

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
		distance = (int32_t)(target - (copy + at + 4));
		memcpy(copy + at, &distance, sizeof distance);
	}
	return copy;
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
	chunk = code->bytes + code->used;
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

/* A function that calls all chunks once, in an order that is not that of their places. */
static void *put_pass(struct work *work, struct code *code, const struct lock_loops *loops,
		      const struct ground *ground, size_t gap, size_t sites)
{
	static const unsigned char enter[] = { 0x48, 0x83, 0xec, 0x08 };
	static const unsigned char leave[] = { 0x48, 0x83, 0xc4, 0x08, 0xc3 };
	const unsigned char **chunks = arena_alloc(work->arena, sites, sizeof *chunks);
	size_t *order = arena_alloc(work->arena, sites, sizeof *order), i;
	void *pass;

	for (i = 0; i < sites; i++) {
		chunks[i] = put_chunk(code, loops, ground, gap);
		order[i] = i;
	}
	random_shuffle(&code->random, order, sites);
	put_padding(code);
	pass = code->bytes + code->used;
	put(code, enter, sizeof enter);
	for (i = 0; i < sites; i++)
		put_call(code, chunks[order[i]]);
	put(code, leave, sizeof leave);
	return pass;
}

/* Near the text of this program, for distances of 32 bits; written now, run later. */
static bool code_map(struct code *code, size_t size, uint64_t seed, struct error *err)
{
	*code = (struct code){ .size = size, .random = { .state = random_mix(seed) } };
#ifdef MAP_32BIT
	code->bytes = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
#else
	code->bytes = MAP_FAILED;
	errno = ENOTSUP;
#endif
	return code->bytes != MAP_FAILED ||
	       error_set(err, ERROR_SYSTEM, "cannot get %zu bytes for code: %s", size,
			 strerror(errno));
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
	size_t gap = settings->gap_bytes < settings->footprint_bytes ? settings->gap_bytes
								     : settings->footprint_bytes;
	size_t sites = settings->footprint_bytes / gap;
	union {
		void *bytes;
		void (*function)(void);
	} pass;

	pass.bytes = put_pass(work, code, &spinlock->loops, ground, gap, sites);
	if (mprotect(code->bytes, code->size, PROT_READ | PROT_EXEC) < 0)
		return error_set(err, ERROR_SYSTEM,
				 "this system runs no code that was written at run time: %s",
				 strerror(errno));
	report_remark(
	    work->report, "%s, %zu sites of %zu bytes, %zu bytes of other code each, layout %llu",
	    spinlock->name, sites, (size_t)(spinlock->loops.site_end - spinlock->loops.site), gap,
	    (unsigned long long)settings->layout);
	return check_once(spinlock, ground, pass.function, sites, err) &&
	       timed_passes(work, pass.function, sites, err);
}

bool spin_footprint_run(struct work *work, const struct spinlock *spinlock,
			const struct locking_settings *settings, struct error *err)
{
	size_t sites = settings->footprint_bytes / settings->gap_bytes + 1;
	size_t size = settings->footprint_bytes + sites * (SITE_BYTES_MOST + CHUNK_MORE + 256);
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
	munmap(code.bytes, code.size);
	tasks_unshare(ground, sizeof *ground);
	return ok;
}
