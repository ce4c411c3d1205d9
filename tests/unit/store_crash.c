/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that write a history are killed at random moments, or write it at once. */
#include <signal.h>
#include <sys/wait.h>

#include "store/database/sqlite.h"
#include "store_fixture.h"

enum { KILLS = 60, WRITERS = 3, WRITERS_ROUNDS = 200 };

typedef bool save_function(struct history *history, const struct recording *recording, size_t first,
			   struct error *err);

/* Measures a session of any number of rounds; writes a byte to acknowledge after each. */
static _Noreturn void write_rounds(const char *path, uint32_t rounds, int acknowledge,
				   save_function *save)
{
	struct arena *arena = arena_open();
	struct recording recording = fixture_recording(arena, 2, 1 << 20);
	struct error err = { 0 };
	struct history *history = history_open(path, true, &err);
	uint32_t i;
	bool good = history != NULL && history_begin(history, arena, &recording, "worth a b", &err);

	for (i = 0; good && i < rounds; i++) {
		size_t first = recording.sample_count;

		fixture_round(arena, &recording, i, 2, 0);
		good = save(history, &recording, first, &err) &&
		       (acknowledge < 0 || write(acknowledge, "+", 1) == 1);
	}
	recording.end = END_COMPLETE;
	good = good && history_end(history, &recording, &err);
	history_close(history);
	if (!good)
		fprintf(stderr, "%s\n", err.sentence);
	_exit(good ? 0 : 1);
}

static pid_t start_writer(const char *path, uint32_t rounds, int acknowledge, save_function *save)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		write_rounds(path, rounds, acknowledge, save);
	return pid;
}

static size_t count_bytes(int fd)
{
	char bytes[4096];
	size_t total = 0;
	ssize_t got;

	while ((got = read(fd, bytes, sizeof bytes)) > 0)
		total += (size_t)got;
	return total;
}

/* A file is; a server looks after its own. */
static void assert_whole(const char *path)
{
	struct database database;
	struct error err = { 0 };
	int64_t bad = -1;

	if (getenv("WORTH_TEST_SERVER") != NULL)
		return;
	assert_good(database_open(&database, path, false, &err), err);
	assert_good(database_integer(&database,
				     "SELECT count(*) FROM pragma_integrity_check"
				     " WHERE integrity_check <> 'ok'",
				     &bad, &err),
		    err);
	assert_int_equal(bad, 0);
	database_close(&database);
}

/* Rounds 0, 1, 2, ... each with its two runs and their values. */
static void assert_contiguous(const struct recording *recording)
{
	size_t i;

	assert_int_equal(recording->sample_count % 2, 0);
	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];

		assert_int_equal(sample->round, i / 2);
		assert_int_equal(sample->subject, i % 2);
		assert_true(sample->values[0] == sample->round + sample->subject / 10.0);
	}
	assert_int_equal(recording->rounds_done, recording->sample_count / 2);
}

/* The session that was killed has every round that was acknowledged, and at most one more. */
static void check_killed(const char *path, size_t acknowledged)
{
	struct arena *arena = arena_open();
	struct error err = { 0 };
	struct recording recording;
	struct history *history = history_open(path, true, &err);

	assert_good(history != NULL, err);
	assert_good(history_load(history, arena, "last", &recording, &err), err);
	assert_int_equal(recording.end, END_RUNNING);
	assert_contiguous(&recording);
	assert_in_range(recording.rounds_done, acknowledged, acknowledged + 1);
	/* And it can be gone on with. */
	assert_good(history_reopen(history, &recording, &err), err);
	history_close(history);
	arena_close(arena);
}

/* With every round in a transaction, and with rounds that go through the spool. */
static void a_kill_loses_at_most_the_round_under_way(void **state)
{
	static save_function *const saves[] = { history_add, history_keep };
	struct arena *arena = arena_open();
	char *directory = fixture_directory(arena);
	char *path = fixture_history(arena, directory);
	struct random random = { .state = 99 };
	/* On the way to a server the same code saves the rounds; each kill sends them all. */
	const int kills = getenv("WORTH_TEST_SERVER") == NULL ? KILLS : 4;
	size_t total = 0;
	int i;

	(void)state;
	for (i = 0; i < kills; i++) {
		int ends[2], status;
		size_t acknowledged;
		char byte;
		pid_t pid;

		assert_int_equal(pipe(ends), 0);
		pid = start_writer(path, UINT32_MAX, ends[1], saves[i % 2]);
		close(ends[1]);
		assert_int_equal(read(ends[0], &byte, 1), 1);
		usleep((useconds_t)random_below(&random, i % 4 == 1 ? 80000 : 8000));
		kill(pid, SIGKILL);
		acknowledged = 1 + count_bytes(ends[0]);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		close(ends[0]);
		check_killed(path, acknowledged);
		total += acknowledged;
	}
	assert_true(total > (size_t)kills);
	assert_whole(path);
	fixture_remove(arena, directory);
	arena_close(arena);
}

static void several_write_at_once(void **state)
{
	struct arena *arena = arena_open();
	char *directory = fixture_directory(arena);
	char *path = fixture_history(arena, directory);
	struct error err = { 0 };
	struct history_entry *entries;
	struct history *history;
	pid_t pids[WRITERS];
	size_t count;
	int i, status;

	(void)state;
	/* The file does not exist yet: they make it at once, too. */
	for (i = 0; i < WRITERS; i++)
		pids[i] =
		    start_writer(path, WRITERS_ROUNDS, -1, i % 2 == 0 ? history_add : history_keep);
	for (i = 0; i < WRITERS; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	history = history_open(path, false, &err);
	assert_good(history != NULL, err);
	assert_good(history_list(history, arena, NULL, &entries, &count, &err), err);
	assert_int_equal(count, WRITERS);
	for (i = 0; i < WRITERS; i++) {
		struct recording recording;

		assert_good(history_load(history, arena, entries[i].id, &recording, &err), err);
		assert_int_equal(recording.rounds_done, WRITERS_ROUNDS);
		assert_contiguous(&recording);
	}
	history_close(history);
	assert_whole(path);
	fixture_remove(arena, directory);
	arena_close(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kill_loses_at_most_the_round_under_way),
		cmocka_unit_test(several_write_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
