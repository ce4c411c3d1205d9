/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts by address and a guest's symbols, put together: see where.h. */
#include "boot/where.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "boot/channel.h"
#include "boot/guest.h"
#include "boot/initramfs.h"
#include "measure/child.h"
#include "measure/exec_hooks.h"

/* No function is as large: what is further away lies behind padding. */
enum { PADDING_BYTES = 1 << 16 };

enum { RESULTS_BYTES = 1 << 25, COUNTS_BYTES = 1 << 28, TAIL_SHOWN_BYTES = 300, NAME_BYTES = 256 };

/* The clock is read a little before the first mark and behind the last one. */
#define COUNTS_APART 0.01

struct symbol {
	uint64_t address;
	const char *name;
	size_t function; /* its place among the profile's symbols */
};

struct symbols {
	struct symbol *items; /* by address */
	size_t count, capacity;
};

/* What the agent says of each text symbol: "symbol ADDRESS NAME", in hexadecimal. */
static void read_symbols(struct arena *arena, const char *results, size_t length,
			 struct symbols *symbols)
{
	static const char begin[] = "symbol ";
	char *copy = arena_strndup(arena, results, length), *rest = copy, *line;
	unsigned long long address;
	char name[NAME_BYTES];

	while ((line = strsep(&rest, "\n")) != NULL)
		if (strncmp(line, begin, strlen(begin)) == 0 &&
		    sscanf(line + strlen(begin), "%llx %255s", &address, name) == 2)
			*array_push(arena, symbols->items, symbols->count, symbols->capacity) =
			    (struct symbol){ address, text_clean(arena, name, strlen(name)), 0 };
}

static int by_address(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int by_name(const void *left, const void *right)
{
	return strcmp(((const struct where_function *)left)->name,
		      ((const struct where_function *)right)->name);
}

static int by_executed(const void *left, const void *right)
{
	const struct where_function *a = left, *b = right;

	if (a->executed != b->executed)
		return a->executed < b->executed ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* Of several names of one address the first stays. What has no successor has no size. */
static void drop_aliases(struct symbols *symbols)
{
	size_t kept = 0, i;

	qsort(symbols->items, symbols->count, sizeof *symbols->items, by_address);
	for (i = 0; i < symbols->count; i++)
		if (kept == 0 || symbols->items[kept - 1].address != symbols->items[i].address)
			symbols->items[kept++] = symbols->items[i];
	symbols->count = kept;
}

/* One function a name: statics of one name are counted together. */
static void name_functions(struct arena *arena, struct symbols *symbols,
			   struct where_profile *profile)
{
	struct where_function *all = arena_alloc(arena, symbols->count, sizeof *all);
	size_t count = 0, i;

	for (i = 0; i < symbols->count; i++) {
		uint64_t end = i + 1 < symbols->count ? symbols->items[i + 1].address
						      : symbols->items[i].address;
		uint64_t bytes = end - symbols->items[i].address;

		all[i] = (struct where_function){ .name = symbols->items[i].name,
						  .bytes = bytes > PADDING_BYTES ? 0 : bytes };
		profile->symbol_bytes += all[i].bytes;
	}
	qsort(all, symbols->count, sizeof *all, by_name);
	for (i = 0; i < symbols->count; i++)
		if (count > 0 && strcmp(all[count - 1].name, all[i].name) == 0)
			all[count - 1].bytes += all[i].bytes;
		else
			all[count++] = all[i];
	profile->symbols = all;
	profile->symbol_count = count;
	for (i = 0; i < symbols->count; i++) {
		struct where_function key = { .name = symbols->items[i].name };

		symbols->items[i].function = (size_t)((struct where_function *)bsearch(
							  &key, all, count, sizeof *all, by_name) -
						      all);
	}
}

/* The last symbol that is not behind the address; NULL: none. */
static const struct symbol *symbol_at(const struct symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? NULL : &symbols->items[low - 1];
}

/* What the plugin wrote of one job. */
struct count {
	uint64_t address, whole, batches;
};

struct counts {
	struct count *items;
	size_t count, capacity;
	bool has_batches;
};

static void add_up(struct arena *arena, const struct symbols *symbols, const struct counts *counts,
		   const struct where_profile *profile, struct where_work *work)
{
	uint64_t *executed = arena_alloc(arena, profile->symbol_count, sizeof *executed);
	size_t i;

	for (i = 0; i < counts->count; i++) {
		const struct count *count = &counts->items[i];
		uint64_t number = counts->has_batches ? count->batches : count->whole;
		const struct symbol *symbol = symbol_at(symbols, count->address);

		work->counted += count->whole;
		work->total += number;
		if (count->address == 0)
			work->programs += number;
		else if (symbol == NULL)
			work->unknown += number;
		else
			executed[symbol->function] += number;
	}
	work->functions = arena_alloc(arena, profile->symbol_count, sizeof *work->functions);
	for (i = 0; i < profile->symbol_count; i++)
		if (executed[i] > 0) {
			work->functions[work->function_count] = profile->symbols[i];
			work->functions[work->function_count++].executed = executed[i];
		}
	qsort(work->functions, work->function_count, sizeof *work->functions, by_executed);
}

static bool read_counts(struct arena *arena, char *text, const struct symbols *symbols,
			struct where_profile *profile, struct error *err)
{
	struct counts counts = { .items = NULL };
	unsigned long long address, whole, batches;
	size_t job = SIZE_MAX, number;
	bool ended = false;
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		bool is_job = sscanf(line, "job %zu", &number) == 1;

		ended = ended || strcmp(line, "end") == 0;
		if ((is_job || ended) && job < profile->work_count) {
			add_up(arena, symbols, &counts, profile, &profile->works[job]);
			counts.count = 0;
			counts.has_batches = false;
		}
		if (is_job)
			job = number;
		if (ended)
			break;
		if (!is_job && sscanf(line, "%llx %llu %llu", &address, &whole, &batches) == 3) {
			*array_push(arena, counts.items, counts.count, counts.capacity) =
			    (struct count){ address, whole, batches };
			counts.has_batches = counts.has_batches || batches > 0;
		}
	}
	return (ended && job + 1 == profile->work_count) ||
	       error_set(err, ERROR_SYSTEM,
			 "--where: QEMU's plugin has not counted to the end of the last workload");
}

/* Who counts more than the guest's clock says was executed counts wrongly; less is sleep. */
static bool counts_agree(const struct where_profile *profile, struct error *err)
{
	size_t i;

	for (i = 0; i < profile->work_count; i++) {
		const struct where_work *work = &profile->works[i];

		if ((double)work->counted > work->elapsed * (1 + COUNTS_APART))
			return error_set(err, ERROR_SYSTEM,
					 "--where: %.0f instructions were counted in %s, and the "
					 "guest's clock had time for %.0f",
					 (double)work->counted, work->name, work->elapsed);
	}
	return true;
}

/* What the work reported as its own, in the lines of the channel. */
static void read_figures(struct arena *arena, char *reports, struct where_work *work)
{
	size_t capacity = 0, length = strlen(work->name);
	char *line, unit[16];
	double value;

	while ((line = strsep(&reports, "\n")) != NULL)
		if (strncmp(line, work->name, length) == 0 && line[length] == ' ' &&
		    sscanf(line + length, "%lf %15s", &value, unit) == 2 &&
		    strcmp(unit, "insn") == 0)
			*array_push(arena, work->figures, work->figure_count, capacity) = value;
}

bool where_read(struct arena *arena, const char *results, size_t results_length, const char *counts,
		size_t counts_length, const struct boot_settings *settings,
		struct where_profile *profile, struct error *err)
{
	struct symbols symbols = { .items = NULL };
	struct boot_result result;
	size_t i;

	*profile = (struct where_profile){
		.works = arena_alloc(arena, settings->work_count, sizeof *profile->works),
		.work_count = settings->work_count,
	};
	read_symbols(arena, results, results_length, &symbols);
	if (symbols.count == 0)
		return error_set(err, ERROR_COMMAND,
				 "--where: the kernel tells no symbols (/proc/kallsyms, "
				 "CONFIG_KALLSYMS)");
	drop_aliases(&symbols);
	name_functions(arena, &symbols, profile);
	channel_read(arena, results, results_length, true, QEMU_SHIFT, &result);
	for (i = 0; i < settings->work_count; i++) {
		profile->works[i].name = settings->works[i].name;
		profile->works[i].elapsed =
		    i < result.job_count ? ldexp((double)result.jobs[i].wall_ns, -QEMU_SHIFT) : NAN;
		read_figures(arena, arena_strdup(arena, text_string(&result.reports)),
			     &profile->works[i]);
	}
	boot_result_release(&result);
	return read_counts(arena, arena_strndup(arena, counts, counts_length), &symbols, profile,
			   err) &&
	       counts_agree(profile, err);
}

static void take(void *context, const char *bytes, size_t length)
{
	struct text *results = context;

	if (results->length + length <= RESULTS_BYTES)
		text_add_bytes(results, bytes, length);
}

/* A boot that has not done its work, in its own words if it has some. */
static bool refuse(struct arena *arena, struct spawner *spawner,
		   const struct child_outcome *outcome, struct error *err)
{
	size_t length;
	const char *tail = child_stderr_tail(spawner, CHILD_MEASURED, &length);
	const char *words = exec_tail(arena, tail, length, TAIL_SHOWN_BYTES);

	return error_set(err, ERROR_COMMAND, "--where: the boot that counts %s%s%s%s",
			 outcome->timed_out ? "did not end in time" : "failed",
			 *words == '\0' ? "" : " (\"", words, *words == '\0' ? "" : "\")");
}

static bool boot(struct arena *arena, struct spawner *spawner, int interrupt_fd,
		 const struct text *files, struct qemu *qemu, int64_t timeout_ns,
		 struct text *results, struct error *err)
{
	struct boot_result result;
	struct child_outcome outcome;
	struct child_request request;
	bool ok;
	int fd;

	ok = guest_initramfs(arena, files, 0, &fd, &qemu->initramfs_path, err);
	if (ok) {
		request = child_request(qemu_argv(arena, qemu));
		request.program = qemu->program;
		request.timeout_ns = timeout_ns;
		request.report = (struct child_sink){ take, results };
		ok = child_run(spawner, &request, interrupt_fd, &outcome, err);
	}
	if (fd >= 0)
		close(fd);
	if (!ok)
		return false;
	channel_read(arena, text_string(results), results->length, true, QEMU_SHIFT, &result);
	boot_result_release(&result);
	return result.done || refuse(arena, spawner, &outcome, err);
}

/* The plugin opens it again by its name. */
static bool open_counts(struct arena *arena, int *fd, const char **path, struct error *err)
{
	*fd = memfd_create("worth-where", MFD_CLOEXEC);
	if (*fd < 0)
		return error_set(err, ERROR_SYSTEM, "--where: cannot hold counts: %s",
				 strerror(errno));
	*path = arena_printf(arena, "/proc/%ld/fd/%d", (long)getpid(), *fd);
	return true;
}

bool where_boot(struct arena *arena, struct spawner *spawner, int interrupt_fd,
		const struct boot_settings *settings, size_t subject, const char *plugin,
		int64_t timeout_ns, struct where_profile *profile, struct error *err)
{
	struct qemu qemu = { .program = settings->qemu,
			     .mode = BOOT_INSTRUCTIONS,
			     .kernel_path = settings->kernels[subject].path,
			     .memory_mib = settings->memory_mib,
			     .seed = 1,
			     .report_fd = CHILD_REPORT_FD,
			     .fixed_layout = true,
			     .append = settings->append };
	struct text files = { 0 }, results = { 0 };
	const char *path = "";
	char *counts;
	size_t length;
	int fd = -1;
	bool ok = guest_files(arena, settings, &files, err) && open_counts(arena, &fd, &path, err);

	if (ok) {
		initramfs_file(&files, GUEST_WHERE, 0644, "", 0);
		qemu.plugin = arena_printf(arena, "%s,out=%s", plugin, path);
		ok = boot(arena, spawner, interrupt_fd, &files, &qemu, timeout_ns, &results, err) &&
		     file_read(arena, path, COUNTS_BYTES, &counts, &length, err) &&
		     where_read(arena, text_string(&results), results.length, counts, length,
				settings, profile, err);
	}
	if (fd >= 0)
		close(fd);
	text_release(&files);
	text_release(&results);
	return ok;
}
