/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles the same set of C files, several at a time, as "make -jN" does. The
 * files are made from a seed that never changes, so every run on every machine
 * compiles the same text.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/random.h"
#include "base/text.h"
#include "workloads/batches.h"
#include "workloads/clock.h"
#include "workloads/programs.h"
#include "workloads/scratch.h"
#include "workloads/workload.h"
#include "workloads/limits.h"

enum { FILES_MAXIMUM = 10000, JOBS_MAXIMUM = 1024, FUNCTIONS = 10, ROOM_BYTES = 64 << 10 };

struct build_settings {
	struct work_settings work;
	uint64_t files, jobs;
	const char *compiler, *directory;
};

/* Functions with a loop, a branch and a call of the one before: some work for every pass. */
static void write_source(struct text *text, uint64_t file)
{
	struct random random = { random_mix(file + 1) };
	int i;

	text_add(text, "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
		       "#include <string.h>\n\nstatic uint32_t f0(uint32_t x) { return x; }\n");
	for (i = 1; i <= FUNCTIONS; i++)
		text_printf(text,
			    "static uint32_t f%d(uint32_t x)\n{\n\tuint32_t t[%d], i, s = %uu;\n"
			    "\tfor (i = 0; i < %d; i++)\n\t\tt[i] = f%d(x * %uu + i) ^ (s >> 3);\n"
			    "\tfor (i = 1; i < %d; i++)\n\t\tif (t[i] %% %uu < t[i - 1])\n"
			    "\t\t\ts += t[i] << (i & 7);\n\t\telse\n\t\t\ts ^= t[i - 1];\n"
			    "\treturn s;\n}\n",
			    i, 8 + i % 5, (unsigned)random_below(&random, 1 << 30), 8 + i % 5,
			    i - 1, (unsigned)random_below(&random, 1 << 20) | 1, 8 + i % 5,
			    (unsigned)random_below(&random, 1000) + 2);
	text_printf(text, "uint32_t file_%llu(uint32_t x) { return f%d(x); }\n",
		    (unsigned long long)file, FUNCTIONS);
}

static bool make_sources(uint64_t count, struct error *err)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		struct text text = { 0 };
		char name[32];
		ssize_t wrote = -1;
		bool ok;
		int fd;

		snprintf(name, sizeof name, "s%llu.c", (unsigned long long)i);
		write_source(&text, i);
		fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
		if (fd >= 0)
			wrote = write(fd, text.bytes, text.length);
		ok = wrote == (ssize_t)text.length ||
		     error_set(err, ERROR_SYSTEM, "cannot write %s: %s", name,
			       limits_transfer_reason(wrote));
		text_release(&text);
		if (!ok)
			return false;
		close(fd);
	}
	return true;
}

static bool start_one(const struct build_settings *settings, uint64_t file, struct error *err)
{
	char source[32], object[32];
	char *argv[] = { (char *)settings->compiler,
			 (char *)"-O2",
			 (char *)"-c",
			 source,
			 (char *)"-o",
			 object,
			 NULL };
	int pid;

	snprintf(source, sizeof source, "s%llu.c", (unsigned long long)file);
	snprintf(object, sizeof object, "s%llu.o", (unsigned long long)file);
	return program_start(argv, &pid, err);
}

/* All files of a batch, so many at a time. */
static bool compile(const struct build_settings *settings, uint64_t count, struct error *err)
{
	uint64_t started = 0, ended = 0;

	while (ended < count) {
		int pid, status;

		if (started < count && started - ended < settings->jobs) {
			if (!start_one(settings, started % settings->files, err))
				return false;
			started++;
			continue;
		}
		if (!program_await(&pid, &status, err))
			return false;
		if (status != 0)
			return error_set(err, ERROR_SYSTEM,
					 "%s ended with status %d; its own words stand above",
					 settings->compiler, status);
		ended++;
	}
	return true;
}

/* Every object is there and an ELF file; gone for the next batch. */
static bool check_objects(uint64_t count, struct error *err)
{
	uint64_t i;

	for (i = 0; i < count; i++) {
		char name[32], magic[4] = "";
		int fd;

		snprintf(name, sizeof name, "s%llu.o", (unsigned long long)i);
		fd = open(name, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || read(fd, magic, sizeof magic) != sizeof magic ||
		    memcmp(magic, "\177ELF", 4) != 0)
			return error_set(err, ERROR_SYSTEM, "%s was not made, or is no ELF file",
					 name);
		close(fd);
		unlink(name);
	}
	return true;
}

static double system_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)usage.ru_stime.tv_sec * 1e9 + (double)usage.ru_stime.tv_usec * 1e3;
}

static bool measure(struct work *work, const struct build_settings *settings, struct error *err)
{
	struct batches batches;
	uint64_t count;

	batches_init_multiple(&batches, work, settings->files);
	while ((count = batches_next(&batches)) > 0) {
		double before_ns = system_ns();
		int64_t start_ns = clock_ns(), elapsed_ns;

		if (!compile(settings, count, err))
			return false;
		elapsed_ns = clock_ns() - start_ns;
		if (!check_objects(settings->files, err))
			return false;
		if (batches_end(&batches, elapsed_ns)) {
			report_value(work->report, "file", (double)elapsed_ns / (double)count, "ns",
				     REPORT_LOWER);
			report_value(work->report, "file-sys",
				     (system_ns() - before_ns) / (double)count, "ns", REPORT_LOWER);
		}
	}
	return true;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct build_settings *settings = pointer;

	report_remark(work->report, "%llu files, %llu at a time, by %s -O2",
		      (unsigned long long)settings->files, (unsigned long long)settings->jobs,
		      settings->compiler);
	return programs_possible(err) &&
	       scratch_enter(work, settings->directory, settings->files * ROOM_BYTES,
			     settings->files * 2 + settings->jobs * 4, err) &&
	       make_sources(settings->files, err) && measure(work, settings, err);
}

static const struct build_settings defaults = { .files = 8, .jobs = 1, .compiler = "cc" };

static const struct option options[] = {
	{ .kind = OPTION_COUNT,
	  .name = "jobs",
	  .letter = 'j',
	  .value = "N",
	  .help = "compile so many at a time (1)",
	  .offset = offsetof(struct build_settings, jobs),
	  .minimum = 1,
	  .maximum = JOBS_MAXIMUM },
	{ .kind = OPTION_COUNT,
	  .name = "files",
	  .value = "N",
	  .help = "files of the set (8)",
	  .offset = offsetof(struct build_settings, files),
	  .minimum = 1,
	  .maximum = FILES_MAXIMUM },
	{ OPTION_TEXT, "compiler", 0, "CC", "which one (cc)",
	  offsetof(struct build_settings, compiler) },
	SCRATCH_OPTION(struct build_settings, directory),
	WORK_OPTIONS(struct build_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_build = {
	.name = "build",
	.summary = "compile a fixed set of C files, several at a time",
	.operation = "one file compiled; all of the set make the least batch",
	.exercises = "a mix of computing, process starts, page faults and small files; with "
		     "--jobs the scheduler and whatever locks they share",
	.verified = "every object is an ELF file",
	.needs = "a C compiler",
	.examples = "# What a second and a fourth job bring\n"
		    "$ worth 'workload:build -j1' 'workload:build -j2' 'workload:build -j4'\n",
	.options = options,
	.settings_size = sizeof(struct build_settings),
	.defaults = &defaults,
	.operations = 8,
	.run = run,
};
