/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page faults, mappings, and the memory behind them: first touches of anonymous
 * pages, of pages of a file and of huge pages; map and unmap; a chain of
 * pointers through a working set in random order, so that nothing can be
 * fetched ahead (lmbench's lat_mem_rd); and copying.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/random.h"
#include "base/units.h"
#include "workloads/batches.h"
#include "workloads/clock.h"
#include "workloads/scratch.h"
#include "workloads/timing.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

enum { LINE_BYTES = 64 };

#define HUGE_PAGES "/sys/kernel/mm/transparent_hugepage/"
#define SIZE_LIMIT (UINT64_C(64) << 30)

enum kind { KIND_ANONYMOUS, KIND_FILE, KIND_HUGE, KIND_MMAP, KIND_CHASE, KIND_COPY };

static const char *const kind_names[] = { "fault-anonymous", "fault-file", "fault-huge", "mmap",
					  "chase",	     "copy",	   NULL };

struct memory_settings {
	struct work_settings work;
	int kind;
	const char *size;
	const char *directory;
};

/* What a loop goes over. */
struct range {
	char *memory;  /* NULL: every pass maps it anew */
	char *target;  /* of a copy */
	uint64_t size; /* a multiple of the step */
	uint64_t step;
	int fd;			  /* of a file to map, or -1 */
	uint64_t touched, faults; /* pages so far, and what the kernel counted meanwhile */
};

/* The first line of a file of the kernel; false if it cannot be read. */
static bool read_line(const char *path, char *line, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, line, size - 1);

	if (fd >= 0)
		close(fd);
	line[got > 0 ? got : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return got > 0;
}

/* Bytes of huge pages in the mapping that contains address; -1 if the kernel does not say. */
static int64_t huge_bytes_at(const void *address)
{
	FILE *smaps = fopen("/proc/self/smaps", "re");
	unsigned long long kib;
	uintptr_t start, end;
	bool inside = false;
	char line[512];

	while (smaps != NULL && fgets(line, sizeof line, smaps) != NULL) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &start, &end) == 2)
			inside = start <= (uintptr_t)address && (uintptr_t)address < end;
		else if (inside && sscanf(line, "AnonHugePages: %llu", &kib) == 1) {
			fclose(smaps);
			return (int64_t)kib * 1024;
		}
	}
	if (smaps != NULL)
		fclose(smaps);
	return -1;
}

/* The touched pages must have been huge, each: else the time is of something else. */
static bool check_were_huge(const char *memory, uint64_t pages, uint64_t step, struct error *err)
{
	int64_t huge = huge_bytes_at(memory);

	if (huge < 0)
		return error_set(
		    err, ERROR_SYSTEM,
		    "whether pages were huge cannot be seen: it needs /proc/self/smaps");
	return (uint64_t)huge >= pages * step ||
	       error_set(err, ERROR_SYSTEM,
			 "only %lld of %llu pages were huge: memory is fragmented (see "
			 "/proc/buddyinfo) or limited; ask for less with --size, or free some",
			 (long long)((uint64_t)huge / step), (unsigned long long)pages);
}

static void *map(const struct range *range, uint64_t size, int flags, struct error *err)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, range->fd, 0);

	if (memory != MAP_FAILED)
		return memory;
	error_set(err, ERROR_SYSTEM, "cannot map %llu bytes: %s", (unsigned long long)size,
		  limits_reason());
	return NULL;
}

/* Each page's first byte, read from a file or written to: a read of new memory would be a fault of
 * its own, which maps the page of zeros, and the write another one. The sum of the bytes read. */
static uint64_t touch_pages(char *memory, enum kind kind, uint64_t pages, uint64_t step)
{
	uint64_t sum = 0, i;

	for (i = 0; i < pages; i++) {
		volatile char *byte = memory + i * step;

		if (kind == KIND_FILE)
			sum += (unsigned char)*byte;
		else
			*byte = 1;
	}
	return sum;
}

/* What was not written to must be zeros: a look at the last byte of each page. */
static bool are_new(const char *memory, uint64_t pages, uint64_t step)
{
	uint64_t i;

	for (i = 0; i < pages; i++)
		if (memory[i * step] != 1 || memory[(i + 1) * step - 1] != 0)
			return false;
	return true;
}

static bool check_touched(const char *memory, enum kind kind, uint64_t pages, uint64_t step,
			  uint64_t sum, struct error *err)
{
	if (kind == KIND_FILE ? sum != pages : !are_new(memory, pages, step))
		return error_set(err, ERROR_SYSTEM, "new pages did not hold what they must");
	return kind != KIND_HUGE || check_were_huge(memory, pages, step, err);
}

static long faults_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

/* The first touch of pages, one operation each; mapping and unmapping are outside the time. */
static bool touch(struct range *range, enum kind kind, uint64_t count, int64_t *elapsed_ns,
		  struct error *err)
{
	int flags = kind == KIND_FILE ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
	/* A huge page is at a multiple of its size, where mmap need not map before Linux 6.7. */
	uint64_t spare = kind == KIND_HUGE ? range->step : 0;

	*elapsed_ns = 0;
	while (count > 0) {
		uint64_t pages = range->size / range->step, sum;
		char *mapping = map(range, range->size + spare, flags, err), *memory;
		int64_t start_ns;
		long faults;
		bool ok;

		if (mapping == NULL)
			return false;
		memory = mapping + (spare - (uintptr_t)mapping % range->step) % range->step;
		if (count < pages)
			pages = count;
		madvise(memory, range->size, kind == KIND_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
		faults = faults_so_far();
		start_ns = clock_ns();
		sum = touch_pages(memory, kind, pages, range->step);
		*elapsed_ns += clock_ns() - start_ns;
		range->faults += (uint64_t)(faults_so_far() - faults);
		range->touched += pages;
		ok = check_touched(memory, kind, pages, range->step, sum, err);
		munmap(mapping, range->size + spare);
		if (!ok)
			return false;
		count -= pages;
	}
	return true;
}

static bool map_and_unmap(struct range *range, uint64_t count, int64_t *elapsed_ns,
			  struct error *err)
{
	int64_t start_ns = clock_ns();
	uint64_t i;

	for (i = 0; i < count; i++) {
		void *memory = map(range, range->size, MAP_PRIVATE | MAP_ANONYMOUS, err);

		if (memory == NULL)
			return false;
		if (munmap(memory, range->size) < 0)
			return error_set(err, ERROR_SYSTEM, "unmapping: %s", limits_reason());
	}
	*elapsed_ns = clock_ns() - start_ns;
	return true;
}

/* One cycle through all lines (Sattolo's shuffle), each holding the address of the next. */
static void chain(struct work *work, struct range *range)
{
	uint64_t lines = range->size / LINE_BYTES, i;
	struct random random = { random_seed() };
	uint32_t *order = arena_alloc(work->arena, lines, sizeof *order);

	for (i = 0; i < lines; i++)
		order[i] = (uint32_t)i;
	for (i = lines - 1; i > 0; i--) {
		uint64_t k = random_below(&random, i);
		uint32_t swapped = order[i];

		order[i] = order[k];
		order[k] = swapped;
	}
	for (i = 0; i < lines; i++)
		*(void **)(void *)(range->memory + (uint64_t)order[i] * LINE_BYTES) =
		    range->memory + (uint64_t)order[(i + 1) % lines] * LINE_BYTES;
}

/* Rounded to whole cycles by the caller, so that it must end where it began. */
static bool chase(struct range *range, uint64_t count, int64_t *elapsed_ns, struct error *err)
{
	void *const *place = (void *const *)(void *)range->memory;
	int64_t start_ns = clock_ns();
	uint64_t i;

	for (i = 0; i < count; i++)
		place = (void *const *)*place;
	/* The time is taken when the last address is known. */
	__asm__ volatile("" ::"r"(place) : "memory");
	*elapsed_ns = clock_ns() - start_ns;
	return (const char *)place == range->memory ||
	       error_set(err, ERROR_SYSTEM, "the chain of pointers is broken");
}

static bool copy(struct range *range, uint64_t count, int64_t *elapsed_ns, struct error *err)
{
	int64_t start_ns = clock_ns();
	uint64_t i;

	for (i = 0; i < count; i++) {
		range->memory[i % range->size] ^= (char)i;
		memcpy(range->target, range->memory, range->size);
		__asm__ volatile("" ::"r"(range->target) : "memory");
	}
	*elapsed_ns = clock_ns() - start_ns;
	return memcmp(range->target, range->memory, range->size) == 0 ||
	       error_set(err, ERROR_SYSTEM, "a copy is not equal to its source");
}

static bool once(struct range *range, enum kind kind, uint64_t count, int64_t *elapsed_ns,
		 struct error *err)
{
	switch (kind) {
	case KIND_MMAP:
		return map_and_unmap(range, count, elapsed_ns, err);
	case KIND_CHASE:
		return chase(range, count, elapsed_ns, err);
	case KIND_COPY:
		return copy(range, count, elapsed_ns, err);
	default:
		return touch(range, kind, count, elapsed_ns, err);
	}
}

static bool measure(struct work *work, struct range *range, enum kind kind, struct error *err)
{
	uint64_t multiple = kind == KIND_CHASE ? range->size / LINE_BYTES : 1, count, last = 1;
	struct batches batches;
	int64_t elapsed_ns = 0;

	batches_init_multiple(&batches, work, multiple);
	while ((count = batches_next(&batches)) > 0) {
		if (!once(range, kind, count, &elapsed_ns, err))
			return false;
		last = count;
		if (!batches_end(&batches, elapsed_ns))
			continue;
		if (kind == KIND_COPY)
			report_value(work->report, "copy",
				     (double)range->size * (double)count * 1e9 / (double)elapsed_ns,
				     "B/s", REPORT_HIGHER);
		else
			report_value(work->report, kind_names[kind],
				     (double)elapsed_ns / (double)count, "ns", REPORT_LOWER);
	}
	/* The loop that touches starts its clock with each mapping. */
	if (kind <= KIND_HUGE && last > range->size / range->step)
		last = range->size / range->step;
	timing_remark_loop(work, last);
	if (range->touched > 0)
		report_remark(work->report, "%.3f page faults an operation",
			      (double)range->faults / (double)range->touched);
	return true;
}

/* A file whose every page begins with 1, in the page cache. */
static bool make_file(struct work *work, const char *directory, struct range *range,
		      struct error *err)
{
	char page[65536] = { 1 };
	uint64_t done;

	if (!scratch_enter(work, directory, range->size, 1, err))
		return false;
	range->fd = open("pages", O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	if (range->fd < 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a file: %s", limits_reason());
	for (done = 0; done < range->size; done += range->step) {
		ssize_t wrote = write(range->fd, page, range->step);

		if (wrote != (ssize_t)range->step)
			return error_set(err, ERROR_SYSTEM, "cannot write a file of %llu bytes: %s",
					 (unsigned long long)range->size,
					 limits_transfer_reason(wrote));
	}
	return true;
}

/* Whether the kernel gives huge pages to those that ask. */
static bool check_huge(struct error *err)
{
	char mode[64];

	if (read_line(HUGE_PAGES "enabled", mode, sizeof mode) && strstr(mode, "[never]") == NULL)
		return true;
	return error_set(err, ERROR_SYSTEM,
			 "this kernel gives no huge pages (see " HUGE_PAGES "enabled)");
}

/* 2 MiB unless the kernel says otherwise, as on arm64 with pages of 64 KiB. */
static uint64_t huge_page_bytes(void)
{
	uint64_t bytes = 0;
	char digits[64];

	if (read_line(HUGE_PAGES "hpage_pmd_size", digits, sizeof digits))
		bytes = strtoull(digits, NULL, 10);
	return bytes > 0 ? bytes : UINT64_C(2) << 20;
}

static bool parse_size(const char *word, struct range *range, struct error *err)
{
	if (word != NULL && !units_parse_bytes(word, &range->size, err))
		return error_prefix(err, "--size");
	if (range->size < range->step || range->size > SIZE_LIMIT)
		return error_set(err, ERROR_USAGE, "--size must be from %llu bytes to 64 GiB",
				 (unsigned long long)range->step);
	range->size -= range->size % range->step;
	return true;
}

static bool check_memory(const struct range *range, enum kind kind, struct error *err)
{
	uint64_t needed = kind == KIND_COPY ? 2 * range->size : range->size;
	double available = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

	if (kind == KIND_MMAP || (double)needed < 0.8 * available)
		return true;
	return error_set(err, ERROR_SYSTEM,
			 "it needs %.0f MiB of memory and %.0f MiB are free; ask for less with "
			 "--size",
			 (double)needed / 0x1p20, available / 0x1p20);
}

static bool prepare(struct work *work, const struct memory_settings *settings, enum kind kind,
		    struct range *range, struct error *err)
{
	struct range anonymous = { .size = range->size, .fd = -1 };

	if (kind == KIND_FILE)
		return make_file(work, settings->directory, range, err);
	if (kind == KIND_HUGE && !check_huge(err))
		return false;
	if (kind != KIND_CHASE && kind != KIND_COPY)
		return true;
	range->memory = map(&anonymous, range->size, MAP_PRIVATE | MAP_ANONYMOUS, err);
	if (range->memory == NULL)
		return false;
	memset(range->memory, 1, range->size);
	if (kind == KIND_CHASE) {
		chain(work, range);
		return true;
	}
	range->target = map(&anonymous, range->size, MAP_PRIVATE | MAP_ANONYMOUS, err);
	return range->target != NULL;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	static const struct {
		uint64_t operations, size;
	} usual[] = { { 500000, 16 << 20 }, { 500000, 16 << 20 },  { 2000, 64 << 20 },
		      { 500000, 4096 },	    { 20000000, 1 << 20 }, { 500, 16 << 20 } };
	const struct memory_settings *settings = pointer;
	enum kind kind = (enum kind)settings->kind;
	struct range range = { .size = usual[kind].size, .fd = -1 };
	bool ok;

	range.step = kind == KIND_HUGE	  ? huge_page_bytes()
		     : kind == KIND_CHASE ? LINE_BYTES
					  : (uint64_t)sysconf(_SC_PAGESIZE);
	if (work->is_default)
		work->operations = usual[kind].operations;
	if (!parse_size(settings->size, &range, err) || !check_memory(&range, kind, err))
		return false;
	report_remark(work->report, "over %llu bytes", (unsigned long long)range.size);
	ok = prepare(work, settings, kind, &range, err) && measure(work, &range, kind, err);
	if (range.fd >= 0)
		close(range.fd);
	return ok;
}

static const struct memory_settings defaults = { .kind = KIND_ANONYMOUS };

static const struct option options[] = {
	{ .kind = OPTION_CHOICE,
	  .name = "kind",
	  .value = "KIND",
	  .help = "what is done",
	  .offset = offsetof(struct memory_settings, kind),
	  .choices = kind_names },
	{ OPTION_TEXT, "size", 0, "SIZE", "of the mapping, or of the working set (by kind)",
	  offsetof(struct memory_settings, size) },
	SCRATCH_OPTION(struct memory_settings, directory),
	WORK_OPTIONS(struct memory_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_memory = {
	.name = "memory",
	.summary = "page faults, mappings, pointer chains and copies",
	.operation =
	    "the first touch of a page (a huge one for fault-huge), a mapping and its undoing, "
	    "one step of a chain, or a copy of the whole size",
	.exercises = "the fault path, page tables, the page allocator and what clears pages; for "
		     "chase and copy the caches, the TLB and the memory",
	.verified = "new pages hold zeros or the file's bytes, and for fault-huge "
		    "/proc/self/smaps says that all were huge; a chain ends where it began, a copy "
		    "equals its source",
	.needs = "the memory; for fault-huge /sys, /proc and huge pages",
	.examples =
	    "# The step from one level of cache to the next\n"
	    "$ worth -L size 16k,256k,4M,64M 'workload:memory --kind chase --size {size}'\n",
	.options = options,
	.settings_size = sizeof(struct memory_settings),
	.defaults = &defaults,
	.run = run,
};
