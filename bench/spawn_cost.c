/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one run costs beyond the run itself. A bare vfork+execve+wait4 loop and
 * child_run() take turns in blocks, so that both see the same machine; printed
 * are the medians over the blocks and their ratio. Peers that are on PATH run
 * the same program the same number of times.
 *
 *	spawn_cost [-e] [-n RUNS] PROGRAM
 *
 * -e adds the events that a session counts by default (task-clock and
 * migrations). PROGRAM is an empty static program as a rule.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure/child.h"

enum { BLOCK_RUNS = 50 };

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int compare(const void *first, const void *second)
{
	double a = *(const double *)first, b = *(const double *)second;

	return (a > b) - (a < b);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof *values, compare);
	return values[count / 2];
}

static void ignore_report(void *context, const char *bytes, size_t length)
{
	(void)context;
	(void)bytes;
	(void)length;
}

static void bare_run(char *const *argv, double *wall_us)
{
	int64_t started_ns = now_ns();
	struct rusage usage;
	pid_t pid = vfork();
	int status;

	if (pid == 0) {
		execve(argv[0], argv, environ);
		_exit(127);
	}
	wait4(pid, &status, 0, &usage);
	*wall_us = (double)(now_ns() - started_ns) / 1e3;
}

static void child_run_or_exit(struct spawner *spawner, char **argv, size_t event_count,
			      double *wall_us)
{
	static const struct perf_event_attr events[] = {
		{ .type = PERF_TYPE_SOFTWARE,
		  .size = sizeof *events,
		  .config = PERF_COUNT_SW_TASK_CLOCK,
		  .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		  .disabled = 1,
		  .inherit = 1,
		  .enable_on_exec = 1 },
		{ .type = PERF_TYPE_SOFTWARE,
		  .size = sizeof *events,
		  .config = PERF_COUNT_SW_CPU_MIGRATIONS,
		  .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		  .disabled = 1,
		  .inherit = 1,
		  .enable_on_exec = 1 },
	};
	struct child_request request = child_request(argv);
	struct child_outcome outcome;
	struct error err = { 0 };

	request.program = argv[0];
	request.report.take = ignore_report;
	request.events = events;
	request.event_count = event_count;
	request.padding_bytes = 2048;
	if (!child_run(spawner, &request, -1, &outcome, &err)) {
		fprintf(stderr, "spawn_cost: %s\n", err.sentence);
		exit(2);
	}
	*wall_us = (double)outcome.wall_ns / 1e3;
}

static void report(const char *label, double bare, double worth)
{
	printf("%-28s bare %8.1f us   worth %8.1f us   ratio %.3f\n", label, bare, worth,
	       worth / bare);
}

int main(int argc, char **argv)
{
	size_t event_count = 0, blocks = 40, block, i;
	double *bare_walls, *worth_walls, *bare_costs, *worth_costs;
	struct error err = { 0 };
	struct spawner *spawner;
	int option;

	while ((option = getopt(argc, argv, "en:")) != -1) {
		if (option == 'e')
			event_count = 2;
		else if (option == 'n')
			blocks = strtoul(optarg, NULL, 10) / BLOCK_RUNS;
		else
			return 2;
	}
	if (argc <= optind || blocks == 0) {
		fputs("usage: spawn_cost [-e] [-n RUNS] PROGRAM\n", stderr);
		return 2;
	}
	spawner = spawner_start(&err);
	if (spawner == NULL) {
		fprintf(stderr, "spawn_cost: %s\n", err.sentence);
		return 2;
	}
	bare_walls = calloc(blocks * BLOCK_RUNS, sizeof *bare_walls);
	worth_walls = calloc(blocks * BLOCK_RUNS, sizeof *worth_walls);
	bare_costs = calloc(blocks, sizeof *bare_costs);
	worth_costs = calloc(blocks, sizeof *worth_costs);
	for (block = 0; block < blocks; block++) {
		int64_t started_ns = now_ns();

		for (i = 0; i < BLOCK_RUNS; i++)
			bare_run(argv + optind, &bare_walls[block * BLOCK_RUNS + i]);
		bare_costs[block] = (double)(now_ns() - started_ns) / 1e3 / BLOCK_RUNS;
		started_ns = now_ns();
		for (i = 0; i < BLOCK_RUNS; i++)
			child_run_or_exit(spawner, argv + optind, event_count,
					  &worth_walls[block * BLOCK_RUNS + i]);
		worth_costs[block] = (double)(now_ns() - started_ns) / 1e3 / BLOCK_RUNS;
	}
	report("cost of a run", median(bare_costs, blocks), median(worth_costs, blocks));
	report("wall as reported", median(bare_walls, blocks * BLOCK_RUNS),
	       median(worth_walls, blocks * BLOCK_RUNS));
	spawner_stop(spawner);
	return 0;
}
