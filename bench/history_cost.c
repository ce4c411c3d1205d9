/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What remembering costs: a round of two runs with 16 metrics saved while a
 * session measures, opening, beginning and closing, and, in a history of a
 * million runs, the list, a trend of the newest year of a session a day, and one
 * metric of them all (docs/decisions/
 * history-layout.md).
 *
 *	history_cost DIRECTORY [SESSIONS]
 *	history_cost postgresql://... [SESSIONS]
 *
 * DIRECTORY must be on the disk that is of interest; 10,000 sessions of 50
 * rounds make the million, and 200 MB. A server's database must be empty
 * (bench/history_server.py makes one).
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands/summaries.h"
#include "stats/change_points.h"
#include "store/history/series.h"

enum {
	METRICS = 16,
	SUBJECTS = 2,
	ROUNDS_TIMED = 2000,
	ROUNDS_A_SESSION = 50,
	SESSIONS = 10000,
	SESSIONS_IN_TREND = 365,
};

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static _Noreturn void give_up(const struct error *err)
{
	fprintf(stderr, "history_cost: %s\n", err->sentence);
	exit(2);
}

static struct recording recording_make(struct arena *arena)
{
	struct recording recording = { .origin = "measured", .order_known = true };
	size_t i;

	recording.plan.subjects = arena_alloc(arena, SUBJECTS, sizeof(struct subject));
	for (i = 0; i < SUBJECTS; i++) {
		struct subject *subject = &recording.plan.subjects[i];

		subject->label = subject->command = i == 0 ? "./sort.old" : "./sort.new";
		subject->argc = 1;
		subject->argv = arena_alloc(arena, 2, sizeof *subject->argv);
		subject->argv[0] = arena_strdup(arena, subject->command);
	}
	recording.plan.subject_count = SUBJECTS;
	recording.plan.rounds = 80;
	recording.plan.primary = "metric 0";
	recording.plan.margin_ratio = 0.01;
	recording.plan.confidence = 0.95;
	recording.plan.cpu = -1;
	for (i = 0; i < METRICS; i++)
		recording_add_metric(
		    arena, &recording,
		    &(struct metric){ .name = arena_printf(arena, "metric %zu", i), .unit = "s" });
	return recording;
}

static void add_round(struct arena *arena, struct recording *recording)
{
	uint32_t i;
	size_t j;

	for (i = 0; i < SUBJECTS; i++) {
		struct sample *sample = recording_add_sample(arena, recording);

		sample->round = (uint32_t)recording->rounds_done;
		sample->position = sample->subject = i;
		sample->exit_status = 0;
		for (j = 0; j < METRICS; j++)
			sample->values[j] = (double)(sample->round + j) / 3;
	}
	recording->rounds_done++;
}

/* One session of rounds rounds; each round's cost goes to costs_us where that is not NULL. */
static void measure_session(struct history *history, size_t rounds, double *costs_us)
{
	struct arena *arena = arena_open();
	struct recording recording = recording_make(arena);
	struct error err = { 0 };
	size_t i;

	if (!history_begin(history, arena, &recording, "./sort.old ./sort.new", &err))
		give_up(&err);
	for (i = 0; i < rounds; i++) {
		double started_us;

		add_round(arena, &recording);
		started_us = now_us();
		if (!history_add(history, &recording, SUBJECTS * i, &err))
			give_up(&err);
		if (costs_us != NULL)
			costs_us[i] = now_us() - started_us;
	}
	recording.end = END_COMPLETE;
	if (!history_end(history, &recording, &err) || !summaries_save(history, &recording, &err))
		give_up(&err);
	arena_close(arena);
}

static int compare_costs(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void time_rounds(const char *path)
{
	static double costs_us[ROUNDS_TIMED];
	struct error err = { 0 };
	double started_us = now_us(), total_us = 0, opened_us, measured_us;
	struct history *history = history_open(path, true, &err);
	size_t i;

	if (history == NULL)
		give_up(&err);
	opened_us = now_us();
	measure_session(history, ROUNDS_TIMED, costs_us);
	measured_us = now_us();
	history_close(history);
	printf("open              %8.0f us\n", opened_us - started_us);
	printf("close             %8.0f us\n", now_us() - measured_us);
	for (i = 0; i < ROUNDS_TIMED; i++)
		total_us += costs_us[i];
	qsort(costs_us, ROUNDS_TIMED, sizeof *costs_us, compare_costs);
	printf("a round of %d     %8.1f us mean, %.1f median, %.0f worst\n", SUBJECTS,
	       total_us / ROUNDS_TIMED, costs_us[ROUNDS_TIMED / 2], costs_us[ROUNDS_TIMED - 1]);
}

static void fill(const char *path, size_t sessions)
{
	struct error err = { 0 };
	struct history *history = history_open(path, true, &err);
	double started_us;
	size_t i;

	if (history == NULL)
		give_up(&err);
	started_us = now_us();
	for (i = 0; i < sessions; i++)
		measure_session(history, ROUNDS_A_SESSION, NULL);
	printf("a run of %-5zu    %8.1f us, its session's beginning and end included\n",
	       sessions * ROUNDS_A_SESSION * SUBJECTS,
	       (now_us() - started_us) / (double)(sessions * ROUNDS_A_SESSION * SUBJECTS));
	history_close(history);
}

static void time_list(const char *path)
{
	struct arena *arena = arena_open();
	struct error err = { 0 };
	double started_us = now_us();
	struct history *history = history_open(path, false, &err);
	struct history_entry *entries;
	size_t count;

	if (history == NULL || !history_list(history, arena, NULL, &entries, &count, &err))
		give_up(&err);
	printf("list              %8.3f s of %zu sessions\n", (now_us() - started_us) / 1e6, count);
	history_close(history);
	arena_close(arena);
}

/* One metric over all sessions, as a trend reads it; the column is looked up in each session. */
static void time_metric(const char *path)
{
	static const char sql[] =
	    "SELECT m.place, r.amounts FROM metric m CROSS JOIN run r ON r.key"
	    " BETWEEN m.session << 32 AND (m.session << 32) + 4294967295"
	    " WHERE m.name = 'metric 3' AND r.flags = 0";
	double started_us = now_us(), sum = 0, value;
	sqlite3 *database;
	sqlite3_stmt *statement = NULL;
	size_t count = 0;

	if (sqlite3_open(path, &database) != SQLITE_OK ||
	    sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) {
		fprintf(stderr, "history_cost: %s\n", sqlite3_errmsg(database));
		exit(2);
	}
	for (; sqlite3_step(statement) == SQLITE_ROW; count++) {
		const char *amounts = sqlite3_column_blob(statement, 1);

		memcpy(&value, amounts + 8 * sqlite3_column_int(statement, 0), sizeof value);
		sum += value;
	}
	printf("one metric        %8.3f s of %zu runs (mean %g)\n", (now_us() - started_us) / 1e6,
	       count, sum / (double)count);
	sqlite3_finalize(statement);
	sqlite3_close(database);
}

/* What worth history trend does: the medians of the newest sessions, and where they changed. */
static void time_trend(const char *path)
{
	static const struct change_settings settings = {
		.level = 0.05, .permutations = 199, .least = 3, .seed = 1
	};
	struct history_filter filter = { .metric = "metric 3", .limit = SESSIONS_IN_TREND };
	struct arena *arena = arena_open();
	struct error err = { 0 };
	double started_us = now_us(), *values;
	struct history *history = history_open(path, false, &err);
	struct history_point *points;
	struct change_point *changes;
	size_t count, taken = 0, i;

	if (history == NULL || !summaries_complete(history, &err) ||
	    !history_series(history, arena, &filter, &points, &count, &err))
		give_up(&err);
	values = arena_alloc(arena, count, sizeof *values);
	changes = arena_alloc(arena, count + 1, sizeof *changes);
	for (i = 0; i < count; i++)
		if (points[i].summary.subject == 0)
			values[taken++] = points[i].summary.median;
	i = change_points_find(values, taken, &settings, changes);
	printf("trend             %8.3f s of %zu sessions (%zu changes)\n",
	       (now_us() - started_us) / 1e6, taken, i);
	history_close(history);
	arena_close(arena);
}

int main(int argc, char **argv)
{
	size_t sessions = argc > 2 ? strtoul(argv[2], NULL, 10) : SESSIONS;
	char directory[4096], path[4200];

	if (argc < 2) {
		fprintf(stderr, "usage: history_cost DIRECTORY|ADDRESS [SESSIONS]\n");
		return 2;
	}
	if (strstr(argv[1], "://") != NULL) {
		time_rounds(argv[1]);
		fill(argv[1], sessions);
		time_list(argv[1]);
		time_trend(argv[1]);
		return 0;
	}
	snprintf(directory, sizeof directory, "%s/history-cost-XXXXXX", argv[1]);
	if (mkdtemp(directory) == NULL) {
		perror(directory);
		return 2;
	}
	snprintf(path, sizeof path, "%s/history.db", directory);
	time_rounds(path);
	fill(path, sessions);
	time_list(path);
	time_trend(path);
	time_metric(path);
	unlink(path);
	snprintf(path, sizeof path, "%s/history.db-owners", directory);
	unlink(path);
	rmdir(directory);
	return 0;
}
