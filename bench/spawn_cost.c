/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one run costs beyond the run itself. A bare vfork+execve+wait4 loop and
 * a session take turns in blocks, so that both see the same machine. Printed
 * are, per run, the mean of everything (session wall time over runs, which is
 * what the target is about) and the median from one start to the next, which a
 * busy machine disturbs less; and the wall time as reported beside the loop's
 * own. Peers that are on PATH run the same program as often, in turn with both.
 *
 *	spawn_cost [-h FILE] [-n RUNS] PROGRAM
 *
 * -h writes every round into a history, as worth does by default. PROGRAM is
 * an empty static program as a rule. Targets: cost at most 1.15, wall within
 * 5%, below the peers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure/session.h"
#include "measure/spawner.h"
#include "store/history/history.h"

enum {
	BLOCK_RUNS = 500, /* long enough that opening and closing a session does not count */
	PEER_BLOCKS = 5,  /* the same for starting a peer */
};

/* One way of running, over all blocks. */
struct tally {
	double *intervals_us; /* from one start to the next */
	double *walls_us;
	size_t interval_count, wall_count;
	double total_us;
	size_t runs;
};

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

static void tally_init(struct tally *tally, size_t runs)
{
	*tally = (struct tally){ .intervals_us = calloc(runs, sizeof(double)),
				 .walls_us = calloc(runs, sizeof(double)) };
	if (tally->intervals_us == NULL || tally->walls_us == NULL)
		exit(2);
}

/* In a function of its own, as what vfork returns into twice should be. */
static double bare_run(char *const *argv)
{
	int64_t started_ns = now_ns();
	struct rusage usage;
	int status;
	pid_t pid = vfork();

	if (pid == 0) {
		execve(argv[0], argv, environ);
		_exit(127);
	}
	wait4(pid, &status, 0, &usage);
	return (double)(now_ns() - started_ns) / 1e3;
}

static void bare_block(struct tally *tally, char *const *argv)
{
	int64_t began_ns = now_ns(), before_ns = began_ns;
	int i;

	for (i = 0; i < BLOCK_RUNS; i++) {
		int64_t after_ns;

		tally->walls_us[tally->wall_count++] = bare_run(argv);
		after_ns = now_ns();
		tally->intervals_us[tally->interval_count++] = (double)(after_ns - before_ns) / 1e3;
		before_ns = after_ns;
	}
	tally->total_us += (double)(now_ns() - began_ns) / 1e3;
	tally->runs += BLOCK_RUNS;
}

static bool save_round(void *context, const struct recording *recording, size_t first,
		       struct error *err)
{
	return history_keep(context, recording, first, err);
}

static void check(bool good, const struct error *err)
{
	if (good)
		return;
	fprintf(stderr, "spawn_cost: %s\n", err->sentence);
	exit(2);
}

/* A session of one block: the same program on both sides, and one round of warm-up. */
static void session_block(struct tally *tally, struct spawner *spawner, struct history *history,
			  char **argv, uint64_t seed)
{
	struct arena *arena = arena_open();
	struct subject subjects[2] = {
		{ .label = "baseline", .command = argv[0], .argv = argv, .argc = 1 },
		{ .label = "candidate", .command = argv[0], .argv = argv, .argc = 1 },
	};
	struct recording recording = {
		.origin = "measured",
		.order_known = true,
		.plan = { .subjects = subjects,
			  .subject_count = 2,
			  .rounds = BLOCK_RUNS / 2,
			  .warmup_rounds = 1,
			  .seed = seed,
			  .primary = "wall",
			  .margin_ratio = 0.01,
			  .confidence = 0.95,
			  .cpu = -1,
			  .environment_padding = true },
	};
	struct session_events events = { .context = history,
					 .round_done = history != NULL ? save_round : NULL };
	struct runner runner = runner_exec(spawner, -1);
	struct error err = { 0 };
	int64_t began_ns;
	size_t wall, i;

	recording.before.taken_at_s = 1; /* reading the machine is no part of a run */
	if (history != NULL)
		check(history_begin(history, arena, &recording, "spawn_cost", &err), &err);
	began_ns = now_ns();
	check(session_run(arena, &recording, &runner, &events, -1, &err), &err);
	tally->total_us += (double)(now_ns() - began_ns) / 1e3;
	tally->runs += recording.sample_count;
	if (history != NULL)
		check(history_end(history, &recording, &err), &err);
	wall = (size_t)recording_metric(&recording, "wall");
	for (i = 2; i < recording.sample_count; i++) {
		const struct sample *sample = &recording.samples[i];

		tally->walls_us[tally->wall_count++] = sample->values[wall] * 1e6;
		if (i > 2)
			tally->intervals_us[tally->interval_count++] =
			    (double)(sample->started_ns - sample[-1].started_ns) / 1e3;
	}
	arena_close(arena);
}

static void report(const char *label, double bare, double worth)
{
	printf("%-34s bare %8.1f us   worth %8.1f us   ratio %.3f\n", label, bare, worth,
	       worth / bare);
}

/* A program that runs another, and what it took so far; absent if it is not there. */
struct peer {
	const char *name;
	const char *argv[8]; /* the count and the program follow */
	double total_us;
	size_t runs;
	bool absent;
};

static void peer_block(struct peer *peer, char *program, size_t runs)
{
	const char *argv[10] = { NULL };
	int64_t began_ns = now_ns();
	char count[24];
	int status, i;
	pid_t pid;

	snprintf(count, sizeof count, "%zu", runs);
	for (i = 0; peer->argv[i] != NULL; i++)
		argv[i] = peer->argv[i];
	argv[i] = count;
	argv[i + 1] = program;
	pid = fork();
	if (pid == 0) {
		if (freopen("/dev/null", "w", stdout) != NULL &&
		    freopen("/dev/null", "w", stderr) != NULL)
			execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	peer->absent = peer->absent || status != 0;
	peer->total_us += (double)(now_ns() - began_ns) / 1e3;
	peer->runs += runs;
}

static void peer_report(const struct peer *peer, double worth_us)
{
	double each_us = peer->total_us / (double)peer->runs;

	if (peer->absent)
		printf("%-34s absent\n", peer->name);
	else
		printf("%-34s peer %8.1f us   worth %8.1f us   ratio %.3f\n", peer->name, each_us,
		       worth_us, worth_us / each_us);
}

int main(int argc, char **argv)
{
	struct peer peers[] = { { "hyperfine -N", { "hyperfine", "-N", "-w", "2", "-r" } },
				{ "perf stat --null -r", { "perf", "stat", "--null", "-r" } } };
	struct history *history = NULL;
	struct error err = { 0 };
	struct tally bare, worth;
	struct spawner *spawner;
	size_t blocks = 30, block, i;
	int option;

	while ((option = getopt(argc, argv, "h:n:")) != -1) {
		if (option == 'h')
			check((history = history_open(optarg, true, &err)) != NULL, &err);
		else if (option == 'n')
			blocks = strtoul(optarg, NULL, 10) / BLOCK_RUNS;
		else
			return 2;
	}
	if (argc <= optind || blocks == 0) {
		fputs("usage: spawn_cost [-h FILE] [-n RUNS] PROGRAM\n", stderr);
		return 2;
	}
	argv[optind + 1] = NULL;
	spawner = spawner_start(&err);
	check(spawner != NULL, &err);
	tally_init(&bare, blocks * BLOCK_RUNS);
	tally_init(&worth, blocks * BLOCK_RUNS);
	for (block = 0; block < blocks; block++) {
		bare_block(&bare, argv + optind);
		session_block(&worth, spawner, history, argv + optind, block);
		for (i = 0; i < 2 && block % PEER_BLOCKS == PEER_BLOCKS - 1; i++)
			peer_block(&peers[i], argv[optind], PEER_BLOCKS * BLOCK_RUNS);
	}
	report("cost of a run, mean", bare.total_us / (double)bare.runs,
	       worth.total_us / (double)worth.runs);
	report("cost of a run, median", median(bare.intervals_us, bare.interval_count),
	       median(worth.intervals_us, worth.interval_count));
	report("wall as reported, median", median(bare.walls_us, bare.wall_count),
	       median(worth.walls_us, worth.wall_count));
	for (i = 0; i < 2 && peers[i].runs > 0; i++)
		peer_report(&peers[i], worth.total_us / (double)worth.runs);
	spawner_stop(spawner);
	history_close(history);
	return 0;
}
