/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One file written, rewritten, read and sought in, in the phases of bonnie++:
 *
 *	write    chunks in order into a new file; then fsync, timed on its own
 *	rewrite  read a chunk, change a byte, write it back; then fsync
 *	read     chunks in order
 *	seek     chunks in random order by several seekers, every tenth is changed
 *	byte     one-byte system calls; bonnie++ calls them "per char"
 *
 * A phase goes over the file as often as it takes, so nothing is too quick to
 * be measured, and single chunks are timed for percentiles, where bonnie++ has
 * one maximum. Every chunk carries its number, which reading checks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/random.h"
#include "base/units.h"
#include "workloads/batches.h"
#include "workloads/clock.h"
#include "workloads/latency.h"
#include "workloads/scratch.h"
#include "workloads/tasks.h"
#include "workloads/team.h"
#include "workloads/timing.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

enum { CHUNK_MAXIMUM = 1 << 20, SEEKERS_MAXIMUM = 256, UPDATE_EVERY = 10, SHARE = 1 };

#define SIZE_LIMIT (UINT64_C(1) << 46)

enum phase { PHASE_WRITE, PHASE_REWRITE, PHASE_READ, PHASE_SEEK, PHASE_BYTE, PHASE_ALL };

static const char *const phase_names[] = {
	"write", "rewrite", "read", "seek", "byte", "all", NULL
};

struct io_settings {
	struct work_settings work;
	int phase;
	const char *size, *chunk;
	uint64_t seekers;
	bool cold;
	const char *directory;
};

/* The file under test. */
struct subject {
	int fd;
	uint64_t chunk_bytes, chunks;
	bool cold;
	double cached; /* the greatest share that stayed in the page cache when it was dropped */
	uint64_t seed; /* of the seekers */
	struct latency *latency; /* one each seeker; in shared memory */
	char *buffers;		 /* of a chunk, one each seeker: the stack may be small */
};

static bool failed(const char *what, ssize_t got, struct error *err)
{
	return error_set(err, ERROR_SYSTEM, "%s: %s", what, limits_transfer_reason(got));
}

static bool put_chunk(const struct subject *file, char *buffer, uint64_t i, struct error *err)
{
	ssize_t wrote = pwrite(file->fd, buffer, file->chunk_bytes, (off_t)(i * file->chunk_bytes));

	return wrote == (ssize_t)file->chunk_bytes || failed("writing a chunk", wrote, err);
}

/* The number that each chunk begins with must be its own. */
static bool get_chunk(const struct subject *file, char *buffer, uint64_t i, struct error *err)
{
	ssize_t got = pread(file->fd, buffer, file->chunk_bytes, (off_t)(i * file->chunk_bytes));
	uint64_t number;

	if (got != (ssize_t)file->chunk_bytes)
		return failed("reading a chunk", got, err);
	memcpy(&number, buffer, sizeof number);
	return number == i || error_set(err, ERROR_SYSTEM, "chunk %llu came back as chunk %llu",
					(unsigned long long)i, (unsigned long long)number);
}

static bool change_chunk(const struct subject *file, char *buffer, uint64_t i, struct error *err)
{
	if (!get_chunk(file, buffer, i, err))
		return false;
	buffer[sizeof(uint64_t) + i % (file->chunk_bytes - sizeof(uint64_t))] ^= 1;
	return put_chunk(file, buffer, i, err);
}

static bool write_chunk(const struct subject *file, char *buffer, uint64_t i, struct error *err)
{
	memcpy(buffer, &i, sizeof i);
	return put_chunk(file, buffer, i, err);
}

/* Count chunks in order, each timed. */
static bool pass(struct subject *file, enum phase phase, uint64_t count, struct error *err)
{
	static bool (*const acts[])(const struct subject *, char *, uint64_t,
				    struct error *) = { write_chunk, change_chunk, get_chunk };
	char *buffer = file->buffers;
	int64_t before_ns = clock_ns();
	uint64_t i;

	for (i = 0; i < count; i++) {
		int64_t now_ns;

		if (!acts[phase](file, buffer, i % file->chunks, err))
			return false;
		now_ns = clock_ns();
		latency_add(&file->latency[0], now_ns - before_ns);
		before_ns = now_ns;
	}
	return true;
}

/* One byte a call, within the first chunk's length. */
static bool pass_bytes(void *context, uint64_t count, struct error *err)
{
	const struct subject *file = context;
	uint64_t span = file->chunk_bytes - sizeof(uint64_t), i;
	char byte;

	for (i = 0; i < count; i++)
		if (pread(file->fd, &byte, 1, (off_t)(sizeof(uint64_t) + i % span)) != 1)
			return failed("reading a byte", -1, err);
	return true;
}

static bool seeker(struct team *team, size_t index, void *context, struct error *err)
{
	struct subject *file = context;
	char *buffer = file->buffers + index * file->chunk_bytes;
	uint64_t first;

	while (team_take(team, index, &first) > 0) {
		uint64_t ticket = random_mix(file->seed + first);
		uint64_t i = ticket % file->chunks;
		int64_t start_ns = clock_ns();

		if (!(ticket / file->chunks % UPDATE_EVERY == 0 ? change_chunk
								: get_chunk)(file, buffer, i, err))
			return false;
		latency_add(&file->latency[index], clock_ns() - start_ns);
	}
	return true;
}

/* How much of the file is in the page cache, 0 to 1; -1 if it cannot be seen. */
static double cached_share(const struct subject *file)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = file->chunks * file->chunk_bytes, pages = (size + page - 1) / page;
	unsigned char state[4096];
	void *memory = mmap(NULL, size, PROT_READ, MAP_SHARED, file->fd, 0);
	size_t first, cached = 0, i;

	if (memory == MAP_FAILED)
		return -1;
	for (first = 0; first < pages; first += sizeof state) {
		size_t some = pages - first < sizeof state ? pages - first : sizeof state;

		if (mincore((char *)memory + first * page, some * page, state) < 0) {
			munmap(memory, size);
			return -1;
		}
		for (i = 0; i < some; i++)
			cached += state[i] & 1;
	}
	munmap(memory, size);
	return (double)cached / (double)pages;
}

/* Of this file alone: drop_caches would take everybody's. Written pages cannot be dropped. */
static bool make_cold(struct subject *file, struct error *err)
{
	double share;

	if (fdatasync(file->fd) < 0)
		return failed("fdatasync", -1, err);
	posix_fadvise(file->fd, 0, 0, POSIX_FADV_DONTNEED);
	share = cached_share(file);
	if (share > 0.5)
		return error_set(err, ERROR_SYSTEM,
				 "%.0f%% of the file stay in the page cache: this file system "
				 "cannot be read cold; leave out --cold",
				 100 * share);
	if (share > file->cached)
		file->cached = share;
	return true;
}

/*
 * The operations of the next batch; 0 at the end or on trouble, which *ok tells.
 * A cold one reads no chunk twice on purpose: the second time it would be hot.
 */
static uint64_t next_batch(struct subject *file, enum phase phase, struct batches *batches,
			   bool *ok, struct error *err)
{
	uint64_t count = batches_next(batches);

	*ok = true;
	if (count == 0 || !file->cold || phase == PHASE_WRITE)
		return count;
	count = batches->remaining < file->chunks ? batches->remaining : file->chunks;
	batches->count = count;
	batches->grown = true;
	*ok = make_cold(file, err);
	return *ok ? count : 0;
}

static void report_latency(struct work *work, struct subject *file, size_t count, const char *name)
{
	static const struct {
		const char *name;
		double share;
	} quantiles[] = { { "p50", 0.5 }, { "p99", 0.99 }, { "p99.9", 0.999 }, { "max", 1 } };
	size_t i;

	for (i = 1; i < count; i++)
		latency_merge(&file->latency[0], &file->latency[i]);
	for (i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
		report_value(
		    work->report, arena_printf(work->arena, "%s-%s", name, quantiles[i].name),
		    latency_quantile(&file->latency[0], quantiles[i].share), "ns", REPORT_LOWER);
	memset(file->latency, 0, count * sizeof *file->latency);
}

static void report_rate(struct work *work, const struct subject *file, const char *name,
			uint64_t count, int64_t elapsed_ns)
{
	report_value(work->report, name,
		     (double)count * (double)file->chunk_bytes * 1e9 / (double)elapsed_ns, "B/s",
		     REPORT_HIGHER);
}

/* Write, rewrite and read: a batch is whole passes over the file. */
static bool in_order(struct work *work, struct subject *file, enum phase phase, struct error *err)
{
	const char *name = phase_names[phase];
	struct batches batches;
	uint64_t count;
	bool ok;

	batches_init_multiple(&batches, work, file->chunks);
	while ((count = next_batch(file, phase, &batches, &ok, err)) > 0) {
		int64_t start_ns = clock_ns(), written_ns;

		if (!pass(file, phase, count, err))
			return false;
		written_ns = clock_ns();
		if (phase != PHASE_READ && fsync(file->fd) < 0)
			return failed("fsync", -1, err);
		if (!batches_end(&batches, clock_ns() - start_ns))
			continue;
		report_rate(work, file, name, count, written_ns - start_ns);
		if (phase != PHASE_READ)
			report_value(work->report, arena_printf(work->arena, "%s-fsync", name),
				     (double)(clock_ns() - written_ns), "ns", REPORT_LOWER);
	}
	report_latency(work, file, 1, name);
	return ok;
}

static bool seeks(struct work *work, struct subject *file, size_t seekers, struct error *err)
{
	struct team_plan plan = {
		.count = seekers, .function = seeker, .context = file, .share = SHARE
	};
	struct team *team = team_start(&plan, err);
	struct batches batches;
	uint64_t count;
	bool ok;

	if (team == NULL)
		return false;
	batches_init(&batches, work);
	while ((count = next_batch(file, PHASE_SEEK, &batches, &ok, err)) > 0) {
		int64_t elapsed_ns = team_batch(team, count);

		file->seed += count;
		if (batches_end(&batches, elapsed_ns))
			report_value(work->report, "seeks",
				     (double)count * 1e9 / (double)elapsed_ns, "/s", REPORT_HIGHER);
	}
	if (!team_end(team, ok ? err : NULL) || !ok)
		return false;
	report_latency(work, file, seekers, "seek");
	return true;
}

static bool bytes(struct work *work, struct subject *file, struct error *err)
{
	struct timing timing = { .name = "byte", .act = pass_bytes, .context = file };

	return timing_run(work, &timing, err);
}

static bool one_phase(struct work *work, const struct io_settings *settings, struct subject *file,
		      enum phase phase, struct error *err)
{
	if (phase == PHASE_SEEK)
		return seeks(work, file, settings->seekers, err);
	if (phase == PHASE_BYTE)
		return bytes(work, file, err);
	return in_order(work, file, phase, err);
}

static bool phases(struct work *work, const struct io_settings *settings, struct subject *file,
		   struct error *err)
{
	int phase;

	/* What is not to be measured, but read later, must still be written. */
	if (settings->phase != PHASE_WRITE && settings->phase != PHASE_ALL) {
		if (!pass(file, PHASE_WRITE, file->chunks, err))
			return false;
		memset(file->latency, 0, sizeof *file->latency);
		return one_phase(work, settings, file, (enum phase)settings->phase, err);
	}
	for (phase = PHASE_WRITE; phase < PHASE_ALL; phase++)
		if ((settings->phase == PHASE_ALL || settings->phase == phase) &&
		    !one_phase(work, settings, file, (enum phase)phase, err))
			return false;
	return true;
}

static bool parse_sizes(const struct io_settings *settings, struct subject *file, struct error *err)
{
	uint64_t size;

	if (!units_parse_bytes(settings->chunk, &file->chunk_bytes, err))
		return error_prefix(err, "--chunk");
	if (!units_parse_bytes(settings->size, &size, err))
		return error_prefix(err, "--size");
	if (file->chunk_bytes < 512 || file->chunk_bytes > CHUNK_MAXIMUM)
		return error_set(err, ERROR_USAGE, "--chunk must be from 512 bytes to 1 MiB");
	if (size < file->chunk_bytes || size > SIZE_LIMIT)
		return error_set(err, ERROR_USAGE, "--size must be from one chunk to 64 TiB");
	file->chunks = size / file->chunk_bytes;
	return true;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct io_settings *settings = pointer;
	struct subject file = { .fd = -1, .seed = random_seed(), .cold = settings->cold };
	bool ok;

	if (!parse_sizes(settings, &file, err) ||
	    !scratch_enter(work, settings->directory, file.chunks * file.chunk_bytes, 1, err))
		return false;
	file.latency = tasks_share(settings->seekers * sizeof *file.latency, err);
	if (file.latency != NULL)
		file.buffers = tasks_share(settings->seekers * file.chunk_bytes, err);
	if (file.latency == NULL || file.buffers == NULL)
		return false;
	file.fd = open("file", O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	if (file.fd < 0)
		return failed("making a file", -1, err);
	report_remark(work->report, "%llu chunks of %llu bytes, %llu seekers, %s page cache",
		      (unsigned long long)file.chunks, (unsigned long long)file.chunk_bytes,
		      (unsigned long long)settings->seekers, settings->cold ? "cold" : "hot");
	ok = phases(work, settings, &file, err);
	if (settings->phase != PHASE_BYTE)
		timing_remark_clock(work, "each chunk");
	if (settings->cold)
		report_remark(work->report,
			      "before each pass of rewrite, read and seek it was dropped from the "
			      "page cache; at most %.1f%% stayed",
			      100 * file.cached);
	close(file.fd);
	tasks_unshare(file.latency, settings->seekers * sizeof *file.latency);
	tasks_unshare(file.buffers, settings->seekers * file.chunk_bytes);
	return ok;
}

static const struct io_settings defaults = {
	.phase = PHASE_ALL, .size = "32M", .chunk = "8k", .seekers = 5
};

static const struct option options[] = {
	{ .kind = OPTION_CHOICE,
	  .name = "phase",
	  .value = "PHASE",
	  .help = "which is measured (all)",
	  .offset = offsetof(struct io_settings, phase),
	  .choices = phase_names },
	{ OPTION_TEXT, "size", 0, "SIZE", "of the file (32M)", offsetof(struct io_settings, size) },
	{ OPTION_TEXT, "chunk", 0, "SIZE", "of what is read and written at once (8k)",
	  offsetof(struct io_settings, chunk) },
	{ .kind = OPTION_COUNT,
	  .name = "seekers",
	  .value = "N",
	  .help = "processes that seek at the same time (5)",
	  .offset = offsetof(struct io_settings, seekers),
	  .minimum = 1,
	  .maximum = SEEKERS_MAXIMUM },
	{ OPTION_FLAG, "cold", 0, NULL,
	  "drop the file from the page cache before rewrite, read and seek",
	  offsetof(struct io_settings, cold) },
	SCRATCH_OPTION(struct io_settings, directory),
	WORK_OPTIONS(struct io_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_file_io = {
	.name = "file-io",
	.summary = "write, rewrite, read and seek in a file",
	.operation = "one chunk (one byte in the phase byte); each phase does all of them",
	.exercises = "the page cache, the write path of a file system and what is below it; with a "
		     "file that fits into memory and without --cold, reading is copying",
	.verified = "every chunk that is read carries its number",
	.needs = "room for the file, of which it leaves a fifth free",
	.examples = "# Two places for the same files\n"
		    "$ worth 'workload:file-io --directory /tmp' \\\n"
		    "        'workload:file-io --directory /var/tmp'\n",
	.options = options,
	.settings_size = sizeof(struct io_settings),
	.defaults = &defaults,
	.operations = 20000,
	.run = run,
};
