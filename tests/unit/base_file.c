/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files whole or not at all: on full disks, behind links, to devices; and which program is meant.
 * Every test works in a fresh directory, which must hold nothing unexpected when it ends. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "unit.h"

struct place {
	struct arena *arena;
	char directory[64];
	char before[4096]; /* where the test program was */
};

static int enter(void **state)
{
	struct place *place = calloc(1, sizeof *place);

	if (place == NULL || getcwd(place->before, sizeof place->before) == NULL)
		return -1;
	place->arena = arena_open();
	strcpy(place->directory, "/tmp/worth-file-XXXXXX");
	*state = place;
	umask(022);
	return mkdtemp(place->directory) == NULL || chdir(place->directory) != 0 ? -1 : 0;
}

static int leave(void **state)
{
	struct place *place = *state;
	char command[100];
	int failed = chdir(place->before);

	snprintf(command, sizeof command, "rm -r %s", place->directory);
	failed |= system(command);
	arena_close(place->arena);
	free(place);
	return failed == 0 ? 0 : -1;
}

static struct arena *arena_of(void **state)
{
	return ((struct place *)*state)->arena;
}

static void put(const char *path, const char *content, mode_t mode)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(content, 1, strlen(content), file), strlen(content));
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static void expect(void **state, const char *path, const char *content)
{
	struct error err = { 0 };
	char *bytes;
	size_t length;

	if (!file_read(arena_of(state), path, 1 << 20, &bytes, &length, &err))
		fail_msg("%s", err.sentence);
	assert_int_equal(length, strlen(content));
	assert_string_equal(bytes, content);
}

static void expect_entries(const char *directory, int count)
{
	DIR *stream = opendir(directory);
	struct dirent *entry;
	int found = -2; /* . and .. */

	assert_non_null(stream);
	while ((entry = readdir(stream)) != NULL)
		found++;
	closedir(stream);
	assert_int_equal(found, count);
}

static mode_t mode_of(const char *path)
{
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	return status.st_mode;
}

static void files_are_read_whole(void **state)
{
	struct arena *arena = arena_of(state);
	struct error err = { 0 };
	char *bytes;
	size_t length, i;

	put("empty", "", 0600);
	expect(state, "empty", "");
	put("text", "hello\n", 0600);
	expect(state, "text", "hello\n");
	/* Large enough for several reads, with NULs. */
	{
		size_t size = 300001;
		char *large = arena_alloc(arena, size, 1);

		for (i = 0; i < size; i++)
			large[i] = (char)(i % 251);
		assert_true(file_write("large", large, size, &err));
		assert_true(file_read(arena, "large", size, &bytes, &length, &err));
		assert_int_equal(length, size);
		assert_memory_equal(bytes, large, size);
		assert_int_equal(bytes[length], '\0');
	}
	/* Files of /proc say that their size is 0. */
	assert_true(file_read(arena, "/proc/self/status", 1 << 20, &bytes, &length, &err));
	assert_non_null(strstr(bytes, "Pid:"));
}

static void the_limit_is_kept(void **state)
{
	struct arena *arena = arena_of(state);
	struct error err = { 0 };
	char *bytes;
	size_t length;

	put("five", "12345", 0600);
	assert_true(file_read(arena, "five", 5, &bytes, &length, &err));
	assert_string_equal(bytes, "12345");
	assert_false(file_read(arena, "five", 4, &bytes, &length, &err));
	assert_string_equal(err.sentence, "five is larger than the 4 bytes accepted here");
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_false(file_read(arena, "five", 0, &bytes, &length, &err));
	put("none", "", 0600);
	assert_true(file_read(arena, "none", 0, &bytes, &length, &err));
	assert_int_equal(length, 0);
	/* What never ends is not read for ever. */
	assert_false(file_read(arena, "/dev/zero", 100000, &bytes, &length, &err));
}

static void unreadable_paths_say_why(void **state)
{
	struct arena *arena = arena_of(state);
	struct error err = { 0 };
	char *bytes;
	size_t length;

	assert_false(file_read(arena, "absent", 10, &bytes, &length, &err));
	assert_string_equal(err.sentence, "cannot open absent: No such file or directory");
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_false(file_read(arena, "", 10, &bytes, &length, &err));
	assert_false(file_read(arena, ".", 10, &bytes, &length, &err));
	assert_string_equal(err.sentence, ". is a directory: name a file in it");
	put("file", "", 0600);
	assert_false(file_read(arena, "file/x", 10, &bytes, &length, &err));
	assert_string_equal(err.sentence, "cannot open file/x: Not a directory");
	assert_false(file_read(arena, "absent", 10, &bytes, &length, NULL));
}

static void fifos_and_stdin_are_read(void **state)
{
	struct error err = { 0 };
	int saved = dup(STDIN_FILENO), status;
	char *bytes;
	size_t length;
	pid_t child;

	assert_int_equal(mkfifo("fifo", 0600), 0);
	child = fork();
	if (child == 0) {
		struct timespec pause = { 0, 20000000 };
		int fd = open("fifo", O_WRONLY);

		/* In two pieces, to see that a short read is not taken for the end. */
		if (write(fd, "one ", 4) != 4)
			_exit(1);
		nanosleep(&pause, NULL);
		_exit(write(fd, "two", 3) == 3 ? 0 : 1);
	}
	expect(state, "fifo", "one two");
	waitpid(child, &status, 0);
	put("in", "standard", 0600);
	assert_non_null(freopen("in", "r", stdin));
	assert_true(file_read(arena_of(state), "-", 100, &bytes, &length, &err));
	assert_string_equal(bytes, "standard");
	assert_non_null(freopen("in", "r", stdin));
	assert_false(file_read(arena_of(state), "-", 3, &bytes, &length, &err));
	assert_string_equal(err.sentence,
			    "standard input is larger than the 3 bytes accepted here");
	assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
	close(saved);
}

static void a_new_file_obeys_the_umask(void **state)
{
	struct error err = { 0 };

	umask(027);
	assert_true(file_write("new", "abc", 3, &err));
	umask(022);
	expect(state, "new", "abc");
	assert_int_equal(mode_of("new") & 07777, 0640);
	assert_true(file_write("empty", "", 0, &err));
	expect(state, "empty", "");
	expect_entries(".", 2);
}

static void an_existing_file_keeps_its_mode(void **state)
{
	static const mode_t modes[] = { 0600, 0644, 0666, 0755, 0640, 0200 };
	struct error err = { 0 };
	size_t i;

	for (i = 0; i < sizeof modes / sizeof *modes; i++) {
		put("file", "old", modes[i]);
		assert_true(file_write("file", "newer", 5, &err));
		assert_int_equal(mode_of("file") & 07777, modes[i]);
		assert_int_equal(chmod("file", 0600), 0);
		expect(state, "file", "newer");
	}
	expect_entries(".", 1);
}

/* A reader that has the old file open goes on reading the old one. */
static void a_reader_sees_old_or_new(void **state)
{
	struct error err = { 0 };
	char old[4] = "";
	int fd;

	put("file", "old", 0600);
	fd = open("file", O_RDONLY);
	assert_true(file_write("file", "new", 3, &err));
	assert_int_equal(read(fd, old, 3), 3);
	assert_string_equal(old, "old");
	close(fd);
	expect(state, "file", "new");
}

static void links_are_followed(void **state)
{
	struct error err = { 0 };

	assert_int_equal(mkdir("d", 0700), 0);
	put("d/file", "old", 0640);
	assert_int_equal(symlink("d/file", "link"), 0);
	assert_int_equal(symlink("link", "link2"), 0);
	assert_int_equal(symlink("../link2", "d/link3"), 0);
	assert_true(file_write("d/link3", "new", 3, &err));
	expect(state, "d/file", "new");
	assert_true(S_ISLNK(mode_of("link")) && S_ISLNK(mode_of("link2")) &&
		    S_ISLNK(mode_of("d/link3")));
	assert_int_equal(mode_of("d/file") & 07777, 0640);
	/* A link to what is not there yet. */
	assert_int_equal(symlink("d/later", "dangling"), 0);
	assert_true(file_writable("dangling", &err));
	assert_true(file_write("dangling", "now", 3, &err));
	expect(state, "d/later", "now");
	assert_true(S_ISLNK(mode_of("dangling")));
	expect_entries("d", 3);
	/* Links that lead nowhere, round and round, or to a directory. */
	assert_int_equal(symlink("absent/file", "nowhere"), 0);
	assert_false(file_write("nowhere", "x", 1, &err));
	assert_string_equal(err.sentence,
			    "cannot write nowhere: directory absent: No such file or directory");
	assert_int_equal(symlink("round", "round"), 0);
	assert_false(file_write("round", "x", 1, &err));
	assert_string_equal(err.sentence, "cannot write round: Too many levels of symbolic links");
	assert_int_equal(symlink("d", "to-d"), 0);
	assert_false(file_write("to-d", "x", 1, &err));
	assert_string_equal(err.sentence,
			    "cannot write to-d: it is a directory, name a file in it");
	assert_true(file_write("to-d/file", "through", 7, &err));
	expect(state, "d/file", "through");
}

static void impossible_targets_are_refused_before_and_when_writing(void **state)
{
	static const struct {
		const char *path, *sentence;
	} cases[] = {
		{ "", "the name of the output file is empty" },
		{ "d", "cannot write d: it is a directory, name a file in it" },
		{ "d/", "cannot write d/: it is a directory, name a file in it" },
		{ "absent/", "cannot write absent/: it is a directory, name a file in it" },
		{ "/", "cannot write /: it is a directory, name a file in it" },
		{ ".", "cannot write .: it is a directory, name a file in it" },
		{ "absent/x",
		  "cannot write absent/x: directory absent: No such file or directory" },
		{ "file/x", "cannot write file/x: Not a directory" },
		{ "/dev/fd/777", "cannot write /dev/fd/777: Bad file descriptor" },
	};
	struct error err = { 0 };
	size_t i;

	(void)state;
	assert_int_equal(mkdir("d", 0700), 0);
	put("file", "old", 0600);
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_false(file_writable(cases[i].path, &err));
		assert_string_equal(err.sentence, cases[i].sentence);
		assert_false(file_write(cases[i].path, "x", 1, &err));
		assert_string_equal(err.sentence, cases[i].sentence);
		assert_false(file_writable(cases[i].path, NULL));
	}
	/* No descriptor has that number. */
	assert_false(file_write("/proc/self/fd/99999999999999999999", "x", 1, &err));
	expect_entries(".", 2);
	expect_entries("d", 0);
}

static void checking_creates_nothing(void **state)
{
	struct error err = { 0 };

	put("file", "old", 0600);
	assert_true(file_writable("new", &err));
	assert_true(file_writable("file", &err));
	assert_true(file_writable("/dev/null", &err));
	assert_true(file_writable("/dev/stdout", &err));
	expect_entries(".", 1);
	expect(state, "file", "old");
}

/* As another user, for whom permissions count. */
static void as_nobody(void (*check)(void))
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		if (setgid(65534) != 0 || setuid(65534) != 0)
			_exit(99);
		check();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

#define CHILD_EXPECTS(condition)                                                                   \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("# line %d: %s: %s\n", __LINE__, #condition, err.sentence);         \
			fflush(stdout);                                                            \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

static void check_permissions(void)
{
	struct error err = { 0 };

	CHILD_EXPECTS(!file_writable("closed/new", &err));
	CHILD_EXPECTS(strcmp(err.sentence, "cannot write closed/new: directory closed: Permission "
					   "denied") == 0);
	CHILD_EXPECTS(!file_write("closed/new", "x", 1, &err));
	CHILD_EXPECTS(!file_write("closed/file", "x", 1, &err));
	CHILD_EXPECTS(!file_writable("open/read-only", &err));
	CHILD_EXPECTS(strcmp(err.sentence, "cannot write open/read-only: Permission denied") == 0);
	CHILD_EXPECTS(!file_write("open/read-only", "x", 1, &err));
	CHILD_EXPECTS(file_write("open/new", "x", 1, &err));
	CHILD_EXPECTS(file_write("open/shared", "x", 1, &err));
	CHILD_EXPECTS(!file_make_directory("closed/a/b", 0700, &err));
	CHILD_EXPECTS(file_make_directory("closed/inner", 0700, &err)); /* there already */
}

static void permissions_are_respected(void **state)
{
	assert_int_equal(chmod(".", 0755), 0);
	assert_int_equal(mkdir("closed", 0755), 0);
	assert_int_equal(mkdir("closed/inner", 0755), 0);
	assert_int_equal(mkdir("open", 0700), 0);
	assert_int_equal(chmod("open", 0777), 0);
	put("closed/file", "old", 0666);
	put("open/read-only", "old", 0444);
	put("open/shared", "old", 0666);
	as_nobody(check_permissions);
	expect(state, "closed/file", "old");
	expect(state, "open/read-only", "old");
	expect(state, "open/shared", "x");
	expect_entries("open", 3);
	expect_entries("closed", 2);
}

/* Root that writes into a user's file leaves it the user's. */
static void root_leaves_the_owner(void **state)
{
	struct error err = { 0 };
	struct stat status;

	(void)state;
	put("file", "old", 0640);
	assert_int_equal(chown("file", 1234, 4321), 0);
	assert_true(file_write("file", "new", 3, &err));
	assert_int_equal(stat("file", &status), 0);
	assert_int_equal(status.st_uid, 1234);
	assert_int_equal(status.st_gid, 4321);
	assert_int_equal(status.st_mode & 07777, 0640);
}

static bool mount_small(void)
{
	return mkdir("small", 0700) == 0 &&
	       mount("worth-test", "small", "tmpfs", 0, "size=64k") == 0;
}

static bool can_mount(void)
{
	char directory[] = "/tmp/worth-mount-XXXXXX";
	bool mounted = geteuid() == 0 && mkdtemp(directory) != NULL &&
		       mount("worth-test", directory, "tmpfs", 0, "size=64k") == 0;

	if (mounted)
		umount(directory);
	rmdir(directory);
	return mounted;
}

static void a_full_disk_costs_nothing_that_was_there(void **state)
{
	enum { TOO_MUCH = 1 << 20 };
	struct error err = { 0 };
	char *bytes = arena_alloc(arena_of(state), TOO_MUCH, 1);
	bool on_old, on_new;

	assert_true(mount_small());
	put("small/file", "old", 0600);
	on_old = file_write("small/file", bytes, TOO_MUCH, &err);
	on_new = file_write("small/new", bytes, TOO_MUCH, NULL);
	expect(state, "small/file", "old");
	expect_entries("small", 1);
	/* There is room again for what fits. */
	assert_true(file_write("small/file", "new", 3, NULL));
	expect(state, "small/file", "new");
	assert_int_equal(umount("small"), 0);
	assert_false(on_old);
	assert_false(on_new);
	assert_string_equal(err.sentence, "cannot write small/file: No space left on device");
	assert_int_equal(err.kind, ERROR_SYSTEM);
}

static void a_read_only_file_system_is_refused_before(void **state)
{
	struct error err = { 0 };
	bool before, made;

	(void)state;
	assert_true(mount_small());
	assert_int_equal(mkdir("small/there", 0700), 0);
	assert_int_equal(mount(NULL, "small", NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
	before = file_writable("small/x", &err);
	made = file_make_directory("small/there", 0700, NULL);
	assert_int_equal(umount("small"), 0);
	assert_false(before);
	assert_string_equal(err.sentence,
			    "cannot write small/x: directory small: Read-only file system");
	assert_true(made);
}

/* Runs write in a child whose stdout is fd; false is not an outcome. */
static void write_in_child(int fd, const char *path)
{
	struct error err = { 0 };
	int status;
	pid_t child = fork();

	if (child == 0) {
		dup2(fd, STDOUT_FILENO);
		if (!file_writable(path, &err) || !file_write(path, "middle ", 7, &err)) {
			fprintf(stderr, "# %s\n", err.sentence);
			_exit(1);
		}
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* A redirected stdout goes on where it was: neither replaced, nor cut, nor written over. */
static void stdout_is_written_where_it_stands(void **state)
{
	static const char *const names[] = { "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
					     "alias" };
	size_t i;

	assert_int_equal(symlink("/dev/stdout", "alias"), 0);
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		int fd = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		char got[20] = "";
		int ends[2];

		assert_int_equal(write(fd, "begin ", 6), 6);
		write_in_child(fd, names[i]);
		assert_int_equal(write(fd, "end", 3), 3);
		close(fd);
		expect(state, "out", "begin middle end");
		/* A pipe, and a socket, which cannot be opened by name. */
		assert_int_equal(pipe(ends), 0);
		write_in_child(ends[1], names[i]);
		assert_int_equal(read(ends[0], got, sizeof got), 7);
		assert_string_equal(got, "middle ");
		close(ends[0]);
		close(ends[1]);
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
		write_in_child(ends[1], names[i]);
		assert_int_equal(read(ends[0], got, sizeof got), 7);
		close(ends[0]);
		close(ends[1]);
	}
	expect_entries(".", 2);
}

static void devices_and_fifos_are_written_directly(void **state)
{
	struct error err = { 0 };
	char got[4] = "";
	int fd;

	(void)state;
	assert_true(file_write("/dev/null", "abc", 3, &err));
	assert_true(S_ISCHR(mode_of("/dev/null")));
	assert_false(file_write("/dev/full", "abc", 3, &err));
	assert_string_equal(err.sentence, "cannot write /dev/full: No space left on device");
	assert_int_equal(mkfifo("fifo", 0600), 0);
	fd = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_true(file_write("fifo", "abc", 3, &err));
	assert_int_equal(read(fd, got, 3), 3);
	assert_string_equal(got, "abc");
	close(fd);
	assert_true(S_ISFIFO(mode_of("fifo")));
	fd = open("/dev/null", O_RDONLY);
	assert_false(file_writable(arena_printf(arena_of(state), "/dev/fd/%d", fd), &err));
	assert_non_null(strstr(err.sentence, "open for reading only"));
	close(fd);
	expect_entries(".", 1);
}

static void directories_are_made(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_true(file_make_directory("a/b/c", 0700, &err));
	assert_int_equal(mode_of("a") & 07777, 0700);
	assert_int_equal(mode_of("a/b/c") & 07777, 0700);
	assert_int_equal(chmod("a", 0755), 0);
	assert_true(file_make_directory("a/b/c", 0700, &err));
	assert_true(file_make_directory("a//b/d/", 0750, &err));
	assert_int_equal(mode_of("a") & 07777, 0755); /* was there */
	assert_int_equal(mode_of("a/b/d") & 07777, 0750);
	assert_true(file_make_directory("/", 0700, &err));
	assert_true(file_make_directory(".", 0700, &err));
	assert_true(file_make_directory("a/../e", 0700, &err));
	assert_int_equal(symlink("a/b", "link"), 0);
	assert_true(file_make_directory("link/f", 0700, &err));
	assert_true(S_ISDIR(mode_of("a/b/f")));
	put("file", "", 0600);
	assert_false(file_make_directory("file/x", 0700, &err));
	assert_string_equal(err.sentence, "cannot make the directory file: Not a directory");
	assert_false(file_make_directory("file", 0700, &err));
	assert_string_equal(err.sentence, "cannot make the directory file: Not a directory");
	assert_false(file_make_directory("", 0700, &err));
}

static void directories_follow_the_xdg_specification(void **state)
{
	struct arena *arena = arena_of(state);
	struct error err = { 0 };
	char *path;

	setenv("HOME", "/home/u", 1);
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_CACHE_HOME");
	assert_true(file_data_directory(arena, &path, &err));
	assert_string_equal(path, "/home/u/.local/share/worth");
	assert_true(file_cache_directory(arena, &path, &err));
	assert_string_equal(path, "/home/u/.cache/worth");
	setenv("XDG_DATA_HOME", "/data", 1);
	setenv("XDG_CACHE_HOME", "/cache", 1);
	assert_true(file_data_directory(arena, &path, &err));
	assert_string_equal(path, "/data/worth");
	assert_true(file_cache_directory(arena, &path, &err));
	assert_string_equal(path, "/cache/worth");
	setenv("XDG_DATA_HOME", "relative", 1);
	assert_true(file_data_directory(arena, &path, &err));
	assert_string_equal(path, "/home/u/.local/share/worth");
	setenv("XDG_DATA_HOME", "", 1);
	assert_true(file_data_directory(arena, &path, &err));
	assert_string_equal(path, "/home/u/.local/share/worth");
	unsetenv("HOME");
	assert_false(file_data_directory(arena, &path, &err));
	assert_string_equal(err.sentence, "no place for files: neither XDG_DATA_HOME nor HOME is "
					  "set to an absolute path");
	setenv("HOME", "here", 1);
	assert_false(file_data_directory(arena, &path, &err));
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_CACHE_HOME");
}

struct program_case {
	const char *word, *directory, *path, *sentence;
};

static void check_programs(void **state, const struct program_case *cases, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct error err = { 0 };
		char *path = NULL;
		bool found = file_find_program(arena_of(state), cases[i].word, cases[i].directory,
					       &path, &err);

		if (found != (cases[i].path != NULL))
			fail_msg("'%s': %s", cases[i].word, found ? path : err.sentence);
		if (found) {
			assert_string_equal(path, cases[i].path);
			continue;
		}
		assert_null(path);
		assert_string_equal(err.sentence, cases[i].sentence);
		assert_int_equal(err.kind, ERROR_COMMAND);
	}
}

static void programs_are_found_as_execvp_would(void **state)
{
	static const struct program_case cases[] = {
		{ "tool", NULL, "two/tool", NULL },	/* not executable in one/ */
		{ "twice", NULL, "one/twice", NULL },	/* the first wins */
		{ "dir", NULL, "two/dir", NULL },	/* a directory in one/ is passed by */
		{ "linked", NULL, "one/linked", NULL }, /* a link to a program */
		{ "data", NULL, NULL,
		  "one/data is not executable: 'chmod +x' makes a program of it" },
		{ "blocked", NULL, NULL,
		  "one/blocked is a directory, not a program" }, /* the first */
		{ "only-dir", NULL, NULL, "one/only-dir is a directory, not a program" },
		{ "dangling", NULL, NULL, "dangling: not found on PATH" },
		{ "absent", NULL, NULL, "absent: not found on PATH" },
		{ "here", NULL, NULL,
		  "here: not found on PATH; write ./here for the one in this directory" },
		{ "", NULL, NULL, "the name of the program is empty" },
		{ "./here", NULL, "./here", NULL },
		{ "./absent", NULL, NULL, "./absent: not found" },
		{ "./one/data", NULL, NULL,
		  "./one/data is not executable: 'chmod +x' makes a program of it" },
		{ "./one", NULL, NULL, "./one is a directory, not a program" },
		{ "./", NULL, NULL, "./ is a directory, not a program" },
		{ "here/x", NULL, NULL, "here/x: Not a directory" },
		{ "./fifo", NULL, NULL,
		  "./fifo is not executable: 'chmod +x' makes a program of it" },
		{ "/bin/sh", NULL, "/bin/sh", NULL },
		/* Seen from another directory. */
		{ "./tool", "two", "two/./tool", NULL },
		{ "./here", "two", NULL, "two/./here: not found" },
		{ "/bin/sh", "two", "/bin/sh", NULL },
		{ "twice", "nested", "nested/two/twice", NULL },
		{ "tool", "nested", NULL, "tool: not found on PATH" },
	};

	assert_int_equal(mkdir("one", 0700) | mkdir("two", 0700) | mkdir("nested", 0700) |
			     mkdir("nested/two", 0700) | mkdir("one/dir", 0700) |
			     mkdir("one/only-dir", 0700) | mkdir("one/blocked", 0700),
			 0);
	put("one/tool", "", 0644);
	put("two/tool", "", 0755);
	put("one/twice", "", 0755);
	put("two/twice", "", 0755);
	put("two/dir", "", 0755);
	put("two/blocked", "", 0644);
	put("one/data", "", 0644);
	put("here", "", 0755);
	put("nested/two/twice", "", 0755);
	assert_int_equal(symlink("../here", "one/linked"), 0);
	assert_int_equal(symlink("../absent", "one/dangling"), 0);
	assert_int_equal(mkfifo("fifo", 0755), 0);
	setenv("PATH", "one:/nonexistent:two", 1);
	check_programs(state, cases, sizeof cases / sizeof *cases);
	/* An empty entry of PATH is the directory itself. */
	setenv("PATH", "one::two", 1);
	check_programs(state, (const struct program_case[]){ { "here", NULL, "./here", NULL } }, 1);
	setenv("PATH", "one:", 1);
	check_programs(state, (const struct program_case[]){ { "here", NULL, "./here", NULL } }, 1);
	setenv("PATH", "", 1);
	check_programs(state, (const struct program_case[]){ { "here", NULL, "./here", NULL } }, 1);
	/* Without PATH, execvp has a default. */
	unsetenv("PATH");
	check_programs(state, (const struct program_case[]){ { "sh", NULL, "/bin/sh", NULL } }, 1);
}

/* leave() needs rm. */
static int leave_with_path(void **state)
{
	setenv("PATH", "/bin:/usr/bin", 1);
	return leave(state);
}

#define IN_PLACE(function)                                                                         \
	{                                                                                          \
#function, function, enter, leave_with_path, NULL                                  \
	}
#define IN_PLACE_IF(condition, function, reason)                                                   \
	(condition) ? (struct CMUnitTest)IN_PLACE(function) : unit_test_if(false, function, reason)

int main(void)
{
	bool root = geteuid() == 0, mounts = can_mount();
	const struct CMUnitTest tests[] = {
		IN_PLACE(files_are_read_whole),
		IN_PLACE(the_limit_is_kept),
		IN_PLACE(unreadable_paths_say_why),
		IN_PLACE(fifos_and_stdin_are_read),
		IN_PLACE(a_new_file_obeys_the_umask),
		IN_PLACE(an_existing_file_keeps_its_mode),
		IN_PLACE(a_reader_sees_old_or_new),
		IN_PLACE(links_are_followed),
		IN_PLACE(impossible_targets_are_refused_before_and_when_writing),
		IN_PLACE(checking_creates_nothing),
		IN_PLACE_IF(root, permissions_are_respected, "needs root to become another user"),
		IN_PLACE_IF(root, root_leaves_the_owner, "needs root"),
		IN_PLACE_IF(mounts, a_full_disk_costs_nothing_that_was_there, "cannot mount"),
		IN_PLACE_IF(mounts, a_read_only_file_system_is_refused_before, "cannot mount"),
		IN_PLACE(stdout_is_written_where_it_stands),
		IN_PLACE(devices_and_fifos_are_written_directly),
		IN_PLACE(directories_are_made),
		IN_PLACE(directories_follow_the_xdg_specification),
		IN_PLACE(programs_are_found_as_execvp_would),
	};

	return cmocka_run_group_tests_name("base_file", tests, NULL, NULL);
}
