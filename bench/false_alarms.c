/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * False alarms and coverage on real run times: both sides are the same
 * command's consecutive runs, so that every "faster" and "slower" is wrong.
 *
 *	false_alarms [DRAWS [SEED]]
 *
 * The runs stand in $WORTH_CASES/noise/ (or ../shared/cases/noise/), one CSV a
 * condition. Each command's runs are cut into windows of two a round. A window
 * is judged DRAWS times (20), each time with fresh coins for who of a pair is
 * the candidate, by the whole pipeline: planned looks, stop at the first that
 * decides, the verdict of that recording. Given the runs, the draws are
 * independent, so the binomial intervals are about these runs.
 *
 * Coverage: the candidate's runs are made 2% longer; the interval shown at the
 * stop must contain 2%. Beside it, on the same windows, what others do: first
 * half against second half (all runs of one, then all of the other), Welch's t
 * on the times and the rank-sum test (Mann-Whitney), each at 5%.
 *
 * Ends with status 1 where a target is missed (false alarms at most 5% on
 * average, coverage at least 94%), 77 without the data.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/random.h"
#include "judge/judge.h"
#include "stats/rank.h"
#include "stats/tests.h"

enum { ROUNDS = 80, ROUNDS_LEAST = 20, METRICS = 2, FIELDS = 17 };
static const double injected = 0.02, level = 0.05;
static const double alarms_most = 0.05, coverage_least = 0.94;
static const char *const metric_names[METRICS] = { "wall", "cpu" };
static const double metric_quanta[METRICS] = { 1e-9, 1e-6 };

/* One command's runs under one condition, in the order they were made. */
struct history_of_runs {
	const char *command;
	double *values[METRICS]; /* s */
	size_t count, capacities[METRICS], counts[METRICS];
};

struct condition {
	const char *name; /* of the file */
	struct history_of_runs *commands;
	size_t count, capacity;
};

/* Successes of so many trials. */
struct share {
	size_t hits, trials;
};

struct rates {
	struct share alarms;	  /* same command: faster or slower */
	struct share covered;	  /* 2% injected: the interval has it */
	struct share wrong;	  /* 2% injected: faster or equivalent */
	struct share welch, rank; /* blocked */
	size_t rounds;		  /* spent, of all experiments on the same command */
};

static const char *cases_directory(void)
{
	const char *directory = getenv("WORTH_CASES");

	return directory != NULL ? directory : "../shared/cases";
}

static struct history_of_runs *command_of(struct arena *arena, struct condition *condition,
					  const char *command)
{
	struct history_of_runs *added;
	size_t i;

	for (i = 0; i < condition->count; i++)
		if (strcmp(condition->commands[i].command, command) == 0)
			return &condition->commands[i];
	added = array_push(arena, condition->commands, condition->count, condition->capacity);
	*added = (struct history_of_runs){ .command = arena_strdup(arena, command) };
	return added;
}

static void push(struct arena *arena, struct history_of_runs *runs, size_t metric, double value)
{
	*array_push(arena, runs->values[metric], runs->counts[metric], runs->capacities[metric]) =
	    value;
}

/* seq,round,pos,cmd,t_start_ns,wall_ns,user_us,sys_us,... */
static void read_line(struct arena *arena, struct condition *condition, char *line)
{
	char *fields[FIELDS];
	struct history_of_runs *runs;
	size_t i;

	for (i = 0; i < FIELDS; i++) {
		fields[i] = strsep(&line, ",");
		if (fields[i] == NULL)
			return;
	}
	runs = command_of(arena, condition, fields[3]);
	push(arena, runs, 0, atof(fields[5]) * 1e-9);
	push(arena, runs, 1, (atof(fields[6]) + atof(fields[7])) * 1e-6);
	runs->count++;
}

static bool read_condition(struct arena *arena, const char *directory, const char *name,
			   struct condition *condition)
{
	FILE *file = fopen(arena_printf(arena, "%s/noise/%s", directory, name), "r");
	char *line = NULL;
	size_t capacity = 0;
	bool heading = true;

	if (file == NULL)
		return false;
	*condition = (struct condition){ .name = arena_strndup(arena, name, strlen(name) - 4) };
	while (getline(&line, &capacity, file) > 0) {
		if (!heading)
			read_line(arena, condition, line);
		heading = false;
	}
	free(line);
	fclose(file);
	return true;
}

/* A recording of the rounds at values[0..2 rounds), with coins for who is the candidate. */
static struct recording record(struct arena *arena, struct random *random, const double *values,
			       size_t rounds, size_t metric, double factor)
{
	struct recording recording = { .origin = "measured",
				       .order_known = true,
				       .end = END_RUNNING };
	double quantum = metric_quanta[metric];
	size_t i;

	recording.plan = (struct plan){ .subjects = arena_alloc(arena, 2, sizeof(struct subject)),
					.subject_count = 2,
					.rounds = rounds,
					.peek = true,
					.seed = random_next(random),
					.primary = metric_names[metric],
					.margin_ratio = 0.01,
					.confidence = 0.95 };
	recording.plan.subjects[0].label = "baseline";
	recording.plan.subjects[1].label = "candidate";
	recording_add_metric(arena, &recording,
			     &(struct metric){ .name = metric_names[metric],
					       .unit = "s",
					       .source = SOURCE_RUSAGE,
					       .quantum = quantum });
	for (i = 0; i < 2 * rounds; i++) {
		struct sample *sample = recording_add_sample(arena, &recording);

		sample->round = (uint32_t)(i / 2);
		sample->position = i % 2;
		sample->subject = i % 2 == 0 ? (uint32_t)random_below(random, 2)
					     : !recording.samples[i - 1].subject;
		sample->exit_status = 0;
		sample->values[0] = sample->subject == 0
					? values[i]
					: round(values[i] * factor / quantum) * quantum;
	}
	return recording;
}

/* Run the looks as a session would, then judge what it left. */
static struct comparison experiment(struct arena *arena, struct random *random,
				    const double *values, size_t rounds, size_t metric,
				    double factor)
{
	struct recording recording = record(arena, random, values, rounds, metric, factor);
	struct judge_look look = { 0 };
	struct findings findings;
	size_t n = 0;

	while (n < rounds && !look.stop)
		look = judge_look(&recording, ++n);
	recording.rounds_done = n;
	recording.end = look.stop ? END_DECIDED : END_COMPLETE;
	judge_recording(arena, &recording, &findings);
	return findings.comparisons[0];
}

static void count(struct share *share, bool hit)
{
	share->hits += hit;
	share->trials++;
}

static void judge_window(struct random *random, const double *values, size_t rounds, size_t metric,
			 struct rates *rates)
{
	struct arena *arena = arena_open();
	struct comparison same = experiment(arena, random, values, rounds, metric, 1);
	struct comparison longer = experiment(arena, random, values, rounds, metric, 1 + injected);

	count(&rates->alarms, same.verdict == VERDICT_BETTER || same.verdict == VERDICT_WORSE);
	rates->rounds += same.pairs;
	count(&rates->covered, longer.change_low <= injected && longer.change_high >= injected);
	count(&rates->wrong,
	      longer.verdict == VERDICT_BETTER || longer.verdict == VERDICT_EQUIVALENT);
	arena_close(arena);
}

static void judge_blocked(const double *values, size_t rounds, struct rates *rates)
{
	count(&rates->welch, test_welch(values, rounds, values + rounds, rounds, level).p < level);
	count(&rates->rank, rank_sum_p(values, rounds, values + rounds, rounds) < level);
}

/* Disjoint windows of 80 rounds; a short series is one window of all it has. */
static void judge_runs(struct random *random, const struct history_of_runs *runs, size_t metric,
		       size_t draws, struct rates *rates)
{
	size_t rounds = runs->count / 2 < ROUNDS ? runs->count / 2 : ROUNDS;
	size_t first, draw;

	if (rounds < ROUNDS_LEAST)
		return;
	for (first = 0; first + 2 * rounds <= runs->count; first += 2 * rounds) {
		const double *values = runs->values[metric] + first;

		judge_blocked(values, rounds, rates);
		for (draw = 0; draw < draws; draw++)
			judge_window(random, values, rounds, metric, rates);
	}
}

static double per_cent(struct share share)
{
	return 100 * (double)share.hits / (double)share.trials;
}

/* Wilson 1927: the 95% interval of a share. */
static void print_share(struct share share)
{
	double n = (double)share.trials, p = (double)share.hits / n, z = 1.959964;
	double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
	double reach = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));

	printf("  %5.1f [%4.1f, %5.1f]", 100 * p, 100 * fmax(0, centre - reach),
	       100 * fmin(1, centre + reach));
}

static void print_rates(const char *name, const char *metric, const struct rates *rates)
{
	printf("%-19s %-4s", name, metric);
	print_share(rates->alarms);
	print_share(rates->covered);
	printf("  %4.1f  %4.0f", per_cent(rates->wrong),
	       (double)rates->rounds / (double)rates->alarms.trials);
	print_share(rates->welch);
	print_share(rates->rank);
	putchar('\n');
	fflush(stdout);
}

static void print_heading(void)
{
	printf("%-24s  %-19s  %-19s  %-5s  %-5s %-19s  %-19s\n", "per cent [95% interval]",
	       "false alarms", "2% covered", "wrong", "rounds", "blocked Welch",
	       "blocked rank-sum");
}

static void merge(struct share *into, struct share from)
{
	into->hits += from.hits;
	into->trials += from.trials;
}

static void merge_rates(struct rates *into, const struct rates *from)
{
	merge(&into->alarms, from->alarms);
	merge(&into->covered, from->covered);
	merge(&into->wrong, from->wrong);
	merge(&into->welch, from->welch);
	merge(&into->rank, from->rank);
	into->rounds += from->rounds;
}

static int by_name(const void *one, const void *other)
{
	return strcmp(((const struct condition *)one)->name,
		      ((const struct condition *)other)->name);
}

static size_t read_all(struct arena *arena, struct condition **conditions)
{
	const char *directory = cases_directory();
	DIR *listing = opendir(arena_printf(arena, "%s/noise", directory));
	size_t total = 0, capacity = 0;
	const struct dirent *entry;

	while (listing != NULL && (entry = readdir(listing)) != NULL) {
		size_t length = strlen(entry->d_name);
		struct condition condition;

		if (length > 4 && strcmp(entry->d_name + length - 4, ".csv") == 0 &&
		    read_condition(arena, directory, entry->d_name, &condition))
			*array_push(arena, *conditions, total, capacity) = condition;
	}
	if (listing != NULL)
		closedir(listing);
	if (total > 0)
		qsort(*conditions, total, sizeof **conditions, by_name);
	return total;
}

static bool judge_conditions(struct random *random, const struct condition *conditions,
			     size_t total, size_t draws)
{
	struct rates all[METRICS] = { 0 };
	bool missed = false;
	size_t i, k, metric;

	print_heading();
	for (i = 0; i < total; i++)
		for (metric = 0; metric < METRICS; metric++) {
			struct rates rates = { 0 };

			for (k = 0; k < conditions[i].count; k++)
				judge_runs(random, &conditions[i].commands[k], metric, draws,
					   &rates);
			if (rates.alarms.trials == 0)
				continue;
			print_rates(conditions[i].name, metric_names[metric], &rates);
			merge_rates(&all[metric], &rates);
		}
	for (metric = 0; metric < METRICS; metric++) {
		print_rates("all", metric_names[metric], &all[metric]);
		missed = missed || per_cent(all[metric].alarms) > 100 * alarms_most ||
			 per_cent(all[metric].covered) < 100 * coverage_least;
	}
	return missed;
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct condition *conditions = NULL;
	size_t draws = argc > 1 ? strtoull(argv[1], NULL, 10) : 20;
	struct random random = { .state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1 };
	size_t total = read_all(arena, &conditions);
	bool missed;

	if (total == 0 || draws == 0) {
		printf("skipped: no CSV files in %s/noise; set WORTH_CASES\n", cases_directory());
		arena_close(arena);
		return 77;
	}
	missed = judge_conditions(&random, conditions, total, draws);
	printf("targets: false alarms at most %.0f%% on average, coverage at least %.0f%%: %s\n",
	       100 * alarms_most, 100 * coverage_least, missed ? "MISSED" : "met");
	arena_close(arena);
	return missed;
}
