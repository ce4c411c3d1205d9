/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast large files of results are read, and in how much memory: a Google
 * Benchmark JSON of 100 MB and a column of 10 million numbers. Asked for are
 * 50 MB/s and 2 million numbers a second, and at most 64 MB plus three times
 * the numbers held.
 *
 *	formats_speed DIRECTORY [MEGABYTES [MILLIONS]]
 *
 * The files are made in DIRECTORY and removed. Each is read in a process of its
 * own, once to warm the page cache and once to be timed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "formats/format.h"

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static FILE *create(const char *path)
{
	FILE *file = fopen(path, "w");

	if (file == NULL) {
		perror(path);
		exit(2);
	}
	return file;
}

/* A value near 100 with as many digits as tools print. */
static double value_at(uint64_t index)
{
	return 100 + (double)(random_mix(index) >> 11) * 0x1p-53;
}

/* Entries of the library's own layout, 10 repetitions of each benchmark. */
static void make_json(const char *path, size_t bytes)
{
	FILE *file = create(path);
	size_t i;

	fprintf(file, "{\n  \"context\": {\n    \"num_cpus\": 8,\n"
		      "    \"library_build_type\": \"release\"\n  },\n  \"benchmarks\": [\n");
	for (i = 0; (size_t)ftello(file) < bytes; i++)
		fprintf(file,
			"%s    {\n      \"name\": \"BM_example/%zu\",\n      \"family_index\": 0,\n"
			"      \"per_family_instance_index\": 0,\n"
			"      \"run_name\": \"BM_example/%zu\",\n"
			"      \"run_type\": \"iteration\",\n      \"repetitions\": 10,\n"
			"      \"repetition_index\": %zu,\n      \"threads\": 1,\n"
			"      \"iterations\": 123456,\n      \"real_time\": %.16e,\n"
			"      \"cpu_time\": %.16e,\n      \"time_unit\": \"ns\"\n    }",
			i == 0 ? "" : ",\n", i / 10, i / 10, i % 10, value_at(2 * i),
			value_at(2 * i + 1));
	fprintf(file, "\n  ]\n}\n");
	fclose(file);
}

static void make_numbers(const char *path, size_t count)
{
	FILE *file = create(path);
	size_t i;

	for (i = 0; i < count; i++)
		fprintf(file, "%.6f\n", value_at(i));
	fclose(file);
}

static size_t read_file(const char *path)
{
	struct results *results = results_open();
	const struct format *format = NULL;
	struct error err = { 0 };
	struct input *input = input_open(path, &err);
	size_t numbers = 0, i;

	if (input == NULL || !format_read(input, NULL, results, &format, &err)) {
		fprintf(stderr, "formats_speed: %s\n", err.sentence);
		exit(2);
	}
	for (i = 0; i < results_column_count(results); i++)
		numbers += results_column_at(results, i)->count;
	input_close(input);
	results_close(results);
	return numbers;
}

/* In the child: reads twice, tells the second time and the peak. */
static void report(const char *what, const char *path, double megabytes)
{
	struct rusage usage;
	double started, seconds, allowed;
	size_t numbers;

	read_file(path);
	started = now_s();
	numbers = read_file(path);
	seconds = now_s() - started;
	getrusage(RUSAGE_SELF, &usage);
	allowed = 64 + 3 * (double)numbers * sizeof(double) / 1e6;
	printf("%-18s %6.1f MB %9zu numbers %6.2f s %7.1f MB/s %6.2f M numbers/s  "
	       "peak %6.1f MB (at most %.1f)\n",
	       what, megabytes, numbers, seconds, megabytes / seconds,
	       (double)numbers / seconds / 1e6, (double)usage.ru_maxrss * 1024 / 1e6, allowed);
	fflush(stdout);
}

static void measure(const char *what, const char *path)
{
	FILE *file = fopen(path, "r");
	double megabytes;
	pid_t child;

	if (file == NULL || fseeko(file, 0, SEEK_END) != 0)
		exit(2);
	megabytes = (double)ftello(file) / 1e6;
	fclose(file);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		report(what, path, megabytes);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	unlink(path);
}

int main(int argc, char **argv)
{
	char path[4096];
	size_t megabytes = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
	size_t millions = argc > 3 ? strtoul(argv[3], NULL, 10) : 10;

	if (argc < 2) {
		fprintf(stderr, "usage: formats_speed DIRECTORY [MEGABYTES [MILLIONS]]\n");
		return 2;
	}
	snprintf(path, sizeof path, "%s/formats-speed.json", argv[1]);
	make_json(path, megabytes * 1000000);
	measure("google-benchmark", path);
	snprintf(path, sizeof path, "%s/formats-speed.txt", argv[1]);
	make_numbers(path, millions * 1000000);
	measure("numbers", path);
	return 0;
}
