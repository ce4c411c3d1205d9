/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast large files of results are read, and in how much memory: a Google
 * Benchmark JSON of 100 MB and a column of 10 million numbers. Asked for are
 * 50 MB/s and 2 million numbers a second, and at most 64 MB plus three times
 * the numbers held. Then two such columns are read and judged, within the same
 * memory. Ends with status 1 where a target is missed.
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
#include "formats/results/gather.h"
#include "judge/judge.h"

static const double json_target_mb_per_s = 50, numbers_target_per_s = 2e6;

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

static void make_numbers(const char *path, size_t count, uint64_t first)
{
	FILE *file = create(path);
	size_t i;

	for (i = 0; i < count; i++)
		fprintf(file, "%.6f\n", value_at(first + i));
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

/* The peak of this process beside what is allowed; true if it is within. */
static bool report_peak(size_t numbers)
{
	double allowed = 64 + 3 * (double)numbers * sizeof(double) / 1e6, peak;
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	peak = (double)usage.ru_maxrss * 1024 / 1e6;
	printf("  peak %6.1f MB (at most %.1f)\n", peak, allowed);
	fflush(stdout);
	return peak <= allowed;
}

/* A file to be measured in a child. */
struct job {
	const char *what;
	const char *paths[2];
	double megabytes;
};

/* Reads twice, tells the second time. */
static bool measure_reading(const struct job *job)
{
	double started, seconds;
	size_t numbers;
	bool fast;

	read_file(job->paths[0]);
	started = now_s();
	numbers = read_file(job->paths[0]);
	seconds = now_s() - started;
	fast = job->megabytes / seconds >= json_target_mb_per_s ||
	       (double)numbers / seconds >= numbers_target_per_s;
	printf("%-18s %6.1f MB %9zu numbers %6.2f s %7.1f MB/s %6.2f M numbers/s", job->what,
	       job->megabytes, numbers, seconds, job->megabytes / seconds,
	       (double)numbers / seconds / 1e6);
	return report_peak(numbers) && fast;
}

static bool measure_judging(const struct job *job)
{
	struct arena *arena = arena_open();
	struct gather_file files[2];
	struct results *results[2];
	struct gather_settings settings = { 0 };
	struct recording recording = { .plan.confidence = 0.95, .plan.margin_ratio = 0.01 };
	struct findings findings;
	struct error err = { 0 };
	double started = now_s(), seconds;
	size_t numbers = 0, i;

	for (i = 0; i < 2; i++) {
		struct input *input = input_open(job->paths[i], &err);

		results[i] = results_open();
		files[i] = (struct gather_file){ .name = job->paths[i], .results = results[i] };
		if (input == NULL || !format_read(input, NULL, results[i], &files[i].format, &err))
			exit(2);
		input_close(input);
		numbers += results_column_at(results[i], 0)->count;
	}
	if (!gather(arena, files, 2, &settings, &recording, &err))
		exit(2);
	judge_recording(arena, &recording, &findings);
	seconds = now_s() - started;
	printf("%-18s %6.1f MB %9zu numbers %6.2f s  %s", job->what, job->megabytes, numbers,
	       seconds, verdict_name(findings.verdict));
	arena_close(arena);
	results_close(results[0]);
	results_close(results[1]);
	return report_peak(numbers);
}

static double megabytes_of(const char *path)
{
	FILE *file = fopen(path, "r");
	double megabytes;

	if (file == NULL || fseeko(file, 0, SEEK_END) != 0)
		exit(2);
	megabytes = (double)ftello(file) / 1e6;
	fclose(file);
	return megabytes;
}

/* In a process of its own, so that the peak is its own. */
static bool in_child(bool (*measure)(const struct job *job), struct job job)
{
	int status = -1;
	pid_t child;
	size_t i;

	for (i = 0; i < 2 && job.paths[i] != NULL; i++)
		job.megabytes += megabytes_of(job.paths[i]);
	fflush(stdout);
	child = fork();
	if (child == 0)
		_exit(measure(&job) ? 0 : 1);
	waitpid(child, &status, 0);
	return status == 0;
}

int main(int argc, char **argv)
{
	char json[4096], one[4096], other[4096];
	size_t megabytes = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
	size_t millions = argc > 3 ? strtoul(argv[3], NULL, 10) : 10;
	bool good;

	if (argc < 2) {
		fprintf(stderr, "usage: formats_speed DIRECTORY [MEGABYTES [MILLIONS]]\n");
		return 2;
	}
	snprintf(json, sizeof json, "%s/formats-speed.json", argv[1]);
	snprintf(one, sizeof one, "%s/formats-speed-1.txt", argv[1]);
	snprintf(other, sizeof other, "%s/formats-speed-2.txt", argv[1]);
	make_json(json, megabytes * 1000000);
	make_numbers(one, millions * 1000000, 0);
	make_numbers(other, millions * 1000000, millions * 1000000);
	good = in_child(measure_reading, (struct job){ "google-benchmark", { json }, 0 });
	good &= in_child(measure_reading, (struct job){ "numbers", { one }, 0 });
	good &= in_child(measure_judging, (struct job){ "numbers judged", { one, other }, 0 });
	unlink(json);
	unlink(one);
	unlink(other);
	return good ? 0 : 1;
}
