/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are no history, older and newer ones, disks and directories that refuse. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

#include "base/file.h"
#include <sqlite3.h>

#include "store/database/sqlite.h"
#include "store/history/internal.h"
#include "store/database/schema.h"
#include "store_fixture.h"

static struct arena *arena;
static char *directory;
static char *path;
static struct error err;

static int prepare(void **state)
{
	(void)state;
	arena = arena_open();
	directory = fixture_directory(arena);
	path = arena_printf(arena, "%s/history.db", directory);
	err = (struct error){ 0 };
	return 0;
}

static int clear(void **state)
{
	(void)state;
	fixture_remove(arena, directory);
	arena_close(arena);
	return 0;
}

static void put_file(const char *bytes, size_t length)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static void assert_refused(bool create, enum error_kind kind, const char *words)
{
	assert_null(history_open(path, create, &err));
	assert_int_equal(err.kind, kind);
	assert_says(err, words);
	assert_says(err, path);
}

static void run_sql(const char *sql)
{
	sqlite3 *handle;

	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_exec(handle, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(handle);
}

static unsigned mode_of(const char *name)
{
	struct stat status;

	assert_int_equal(stat(name, &status), 0);
	return status.st_mode & 07777;
}

/* A history with one ended session of rounds rounds. */
static void make_history(size_t rounds)
{
	struct recording recording = fixture_recording(arena, 2, rounds);
	struct history *history = history_open(path, true, &err);
	size_t i;

	assert_good(history != NULL, err);
	assert_good(history_begin(history, arena, &recording, "worth a b", &err), err);
	for (i = 0; i < rounds; i++)
		fixture_round(arena, &recording, (uint32_t)i, 2, 0);
	recording.end = END_COMPLETE;
	assert_good(history_end(history, &recording, &err), err);
	history_close(history);
}

static void a_missing_history_is_said(void **state)
{
	(void)state;
	assert_refused(false, ERROR_INPUT, "there is no history yet");
	assert_int_equal(access(path, F_OK), -1);
}

static void what_is_no_history_is_left_alone(void **state)
{
	char text[8192];
	char *bytes;
	size_t length;

	(void)state;
	memset(text, 'x', sizeof text);
	put_file(text, sizeof text);
	assert_refused(true, ERROR_INPUT, "is no SQLite file");
	assert_good(file_read(arena, path, 1 << 20, &bytes, &length, &err), err);
	assert_int_equal(length, sizeof text);
	assert_memory_equal(bytes, text, length);

	assert_int_equal(unlink(path), 0);
	run_sql("CREATE TABLE mail (subject); PRAGMA user_version = 1");
	assert_refused(true, ERROR_INPUT, "of another program");

	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_refused(true, ERROR_INPUT, "not a regular file");
}

static void a_newer_history_is_refused(void **state)
{
	(void)state;
	make_history(1);
	run_sql("PRAGMA user_version = 99");
	assert_refused(true, ERROR_INPUT, "newer worth");
	assert_refused(false, ERROR_INPUT, "newer worth");
}

static void a_damaged_session_gives_a_sentence(void **state)
{
	static const char *const damages[] = {
		"UPDATE run SET subject = 7 WHERE position = 1",
		"UPDATE run SET amounts = zeroblob(8000)",
		"UPDATE run SET batches = x'ffffffff0000000000000000'",
		"UPDATE session SET ending = 'sold'",
		"UPDATE session SET plan = '{'",
		"UPDATE session SET plan = '[]'",
		"UPDATE session SET extension_bases = '[-1]'",
		"UPDATE metric SET place = place + 5",
	};
	struct recording recording;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof damages / sizeof *damages; i++) {
		struct history *history;

		make_history(2);
		run_sql(damages[i]);
		history = history_open(path, false, &err);
		assert_good(history != NULL, err);
		err = (struct error){ 0 };
		assert_false(history_load(history, arena, "last", &recording, &err));
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_says(err, "session ");
		history_close(history);
		assert_int_equal(unlink(path), 0);
	}
}

static void a_damaged_file_gives_a_sentence(void **state)
{
	struct recording recording;
	struct history *history;
	char junk[4096];
	char *bytes;
	size_t length;

	(void)state;
	make_history(200);
	assert_good(file_read(arena, path, 1 << 24, &bytes, &length, &err), err);
	memset(junk, 0xa5, sizeof junk);
	/* The first page stays: it is still a history by its marks. */
	for (size_t at = sizeof junk; at < length; at += sizeof junk)
		memcpy(bytes + at, junk, sizeof junk);
	put_file(bytes, length);
	history = history_open(path, false, &err);
	assert_true(history == NULL || !history_load(history, arena, "last", &recording, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_says(err, "is damaged");
	assert_says(err, ".recover");
	history_close(history);
}

/* An artificial history of history formats: the third step cannot work. */
static const char *const artificial[] = {
	"CREATE TABLE session (id); INSERT INTO session VALUES ('old');",
	"ALTER TABLE session ADD COLUMN mood; UPDATE session SET mood = 'kept';",
	"CREATE TABLE extra (a); CREATE TABLE extra (a);",
};

static bool bring(size_t version, int64_t *found)
{
	struct schema schema = { .steps = artificial, .count = version };
	struct database database;
	bool good;

	assert_good(database_open(&database, path, true, &err), err);
	good = schema_bring(&database, &schema, &err);
	assert_good(database_integer(&database, "PRAGMA user_version", found, &err), err);
	database_close(&database);
	return good;
}

static int64_t ask(const char *sql)
{
	struct database database;
	int64_t value = -1;

	assert_good(database_open(&database, path, true, &err), err);
	assert_good(database_integer(&database, sql, &value, &err), err);
	database_close(&database);
	return value;
}

static void an_older_history_is_updated_whole_or_not(void **state)
{
	int64_t version;

	(void)state;
	put_file("", 0);
	assert_good(bring(1, &version), err);
	assert_int_equal(version, 1);
	assert_good(bring(2, &version), err);
	assert_int_equal(version, 2);
	assert_int_equal(ask("SELECT count(*) FROM session WHERE id = 'old' AND mood = 'kept'"), 1);
	assert_false(bring(3, &version));
	assert_says(err, "updating it to version 3");
	assert_int_equal(version, 2);
	assert_int_equal(ask("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'"), 0);
	assert_false(bring(1, &version));
	assert_says(err, "newer worth");
	/* From nothing over two versions at once. */
	assert_int_equal(unlink(path), 0);
	put_file("", 0);
	assert_good(bring(2, &version), err);
	assert_int_equal(ask("SELECT count(*) FROM session WHERE mood = 'kept'"), 1);
}

static void a_history_is_private(void **state)
{
	const char *remark;
	char *home = arena_printf(arena, "%s/worth", directory);
	struct history *history;

	(void)state;
	assert_int_equal(setenv("XDG_DATA_HOME", directory, 1), 0);
	umask(0);
	history = history_open(NULL, true, &err);
	assert_good(history != NULL, err);
	assert_null(history_remark(history));
	history_close(history);
	path = arena_printf(arena, "%s/history.db", home);
	assert_int_equal(mode_of(home), 0700);
	assert_int_equal(mode_of(path), 0600);

	assert_int_equal(chmod(home, 0755) | chmod(path, 0644) | chmod(directory, 0755), 0);
	history = history_open(NULL, false, &err);
	assert_good(history != NULL, err);
	remark = history_remark(history);
	assert_non_null(remark);
	assert_non_null(strstr(remark, "0755"));
	assert_non_null(strstr(remark, "0644"));
	assert_null(history_remark(history)); /* once */
	assert_int_equal(mode_of(home), 0700);
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(mode_of(arena_printf(arena, "%s-wal", path)), 0600);
	history_close(history);

	/* A directory that worth did not make stays as it is. */
	assert_int_equal(chmod(home, 0755), 0);
	history = history_open(path, true, &err);
	assert_good(history != NULL, err);
	assert_int_equal(mode_of(home), 0755);
	assert_int_equal(mode_of(directory), 0755);
	history_close(history);
	assert_int_equal(unsetenv("XDG_DATA_HOME"), 0);
	umask(022);
}

static void a_foreign_file_keeps_its_mode(void **state)
{
	(void)state;
	run_sql("CREATE TABLE mail (subject)");
	assert_int_equal(chmod(path, 0644), 0);
	assert_refused(true, ERROR_INPUT, "of another program");
	assert_int_equal(mode_of(path), 0644);
}

static void a_lock_is_waited_for_and_then_said(void **state)
{
	struct recording recording = fixture_recording(arena, 2, 10);
	struct history *history = history_open(path, true, &err);
	sqlite3 *other;

	(void)state;
	assert_good(history != NULL, err);
	assert_good(history_begin(history, arena, &recording, "worth a b", &err), err);
	assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_busy_timeout(history->database.handle, 20);
	fixture_round(arena, &recording, 0, 2, 0);
	assert_false(history_add(history, &recording, 0, &err));
	assert_says(err, "is locked by another program");
	assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(other);
	/* What could not be saved goes along with the next round. */
	fixture_round(arena, &recording, 1, 2, 0);
	assert_good(history_add(history, &recording, 2, &err), err);
	history_close(history);
	assert_int_equal(ask("SELECT count(*) FROM run"), 4);
}

static void write_file(const char *name, const char *words)
{
	int fd = open(name, O_WRONLY);

	if (fd >= 0 && write(fd, words, strlen(words)) < 0)
		print_message("%s: %s\n", name, strerror(errno));
	if (fd >= 0)
		close(fd);
}

/* A small tmpfs at directory that only this process sees; as a user if need be in a user namespace
 * of its own. */
static bool mount_small(const char *options)
{
	char map[64];

	snprintf(map, sizeof map, "0 %d 1", (int)geteuid());
	if (unshare(CLONE_NEWNS) != 0) {
		if (unshare(CLONE_NEWNS | CLONE_NEWUSER) != 0)
			return false;
		write_file("/proc/self/uid_map", map);
	}
	return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("tmpfs", directory, "tmpfs", 0, options) == 0;
}

/* Rounds until the disk is full; returns how many were saved. */
static size_t fill_disk(struct history *history, struct recording *recording)
{
	size_t rounds;

	for (rounds = 0; rounds < 100000; rounds++) {
		size_t first = recording->sample_count;

		fixture_round(arena, recording, (uint32_t)rounds, 2, 0);
		if (!history_add(history, recording, first, &err))
			return rounds;
	}
	return rounds;
}

static void a_full_disk_costs_only_what_came_later(void **state)
{
	struct recording recording = fixture_recording(arena, 2, 100000), loaded;
	struct history *history;
	size_t saved;

	(void)state;
	if (!mount_small("size=256k"))
		skip();
	history = history_open(path, true, &err);
	assert_good(history != NULL, err);
	assert_good(history_begin(history, arena, &recording, "worth a b", &err), err);
	saved = fill_disk(history, &recording);
	assert_in_range(saved, 2, 99999);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_says(err, "is full");
	assert_int_equal(recording.sample_count, 2 * (saved + 1));
	assert_false(history_end(history, &recording, &err));
	assert_says(err, "is full");
	history_close(history);

	history = history_open(path, false, &err);
	assert_good(history != NULL, err);
	assert_good(history_load(history, arena, "last", &loaded, &err), err);
	assert_int_equal(loaded.rounds_done, saved);
	assert_int_equal(loaded.sample_count, 2 * saved);
	history_close(history);
	assert_int_equal(ask("SELECT count(*) FROM pragma_integrity_check"
			     " WHERE integrity_check <> 'ok'"),
			 0);
	umount(directory);
}

/* Takes all space that is left in directory. */
static void take_space(const char *name)
{
	static const char zeroes[4096];
	int fd = open(name, O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0);
	while (write(fd, zeroes, sizeof zeroes) > 0)
		;
	close(fd);
}

static void a_disk_full_from_the_start_is_said(void **state)
{
	char *ballast;
	struct history *history;

	(void)state;
	if (!mount_small("size=256k"))
		skip();
	ballast = arena_printf(arena, "%s/ballast", directory);
	take_space(ballast);
	assert_refused(true, ERROR_SYSTEM, "is full");
	assert_int_equal(unlink(ballast), 0);
	/* The empty file that was left is a history to be. */
	history = history_open(path, true, &err);
	assert_good(history != NULL, err);
	history_close(history);
	umount(directory);
}

static void a_write_protected_history_can_be_read(void **state)
{
	struct recording loaded;
	struct history_entry *entries;
	struct history *history;
	size_t count;

	(void)state;
	if (!mount_small("size=1m"))
		skip();
	make_history(3);
	if (mount("none", directory, NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0)
		skip();
	assert_refused(true, ERROR_SYSTEM, "write-protected");
	history = history_open(path, false, &err);
	assert_good(history != NULL, err);
	assert_good(history_list(history, arena, NULL, &entries, &count, &err), err);
	assert_int_equal(count, 1);
	assert_good(history_load(history, arena, "last", &loaded, &err), err);
	assert_int_equal(loaded.sample_count, 6);
	assert_false(history_delete(history, arena, "last", NULL, &err));
	assert_says(err, "write-protected");
	history_close(history);
	assert_int_equal(unlink(path), -1);
	path = arena_printf(arena, "%s/deep/history.db", directory);
	assert_null(history_open(path, true, &err));
	umount(directory);
}

static void an_unreadable_history_is_said(void **state)
{
	(void)state;
	make_history(1);
	assert_int_equal(chmod(path, 0), 0);
	if (geteuid() == 0) {
		assert_int_equal(chmod(directory, 0755), 0);
		assert_int_equal(seteuid(65534), 0);
	}
	assert_null(history_open(path, false, &err));
	assert_says(err, "Permission denied");
	assert_null(history_open(path, true, &err));
	assert_says(err, "write-protected");
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
}

/* The session as another program left it: the end must not be taken for saved. */
static void what_vanished_is_not_saved(void **state)
{
	struct recording recording = { .origin = "measured", .order_known = true };
	struct history *history = history_open(path, true, &err);

	(void)state;
	assert_non_null(history);
	recording.plan = fixture_plan(arena, 2, 1);
	assert_good(history_begin(history, arena, &recording, "worth a b", &err), err);
	run_sql("DELETE FROM session");
	assert_false(history_end(history, &recording, &err));
	assert_says(err, "deleted");
	assert_says(err, recording.id);
	assert_int_equal(unlink(path), 0);
	assert_false(history_end(history, &recording, &err));
	assert_says(err, "while it was in use");
	history_close(history);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_missing_history_is_said),
		TEST(what_is_no_history_is_left_alone),
		TEST(a_newer_history_is_refused),
		TEST(a_damaged_session_gives_a_sentence),
		TEST(a_damaged_file_gives_a_sentence),
		TEST(an_older_history_is_updated_whole_or_not),
		TEST(a_history_is_private),
		TEST(a_foreign_file_keeps_its_mode),
		TEST(a_lock_is_waited_for_and_then_said),
		TEST(an_unreadable_history_is_said),
		TEST(a_full_disk_costs_only_what_came_later),
		TEST(a_disk_full_from_the_start_is_said),
		TEST(a_write_protected_history_can_be_read),
		TEST(what_vanished_is_not_saved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
