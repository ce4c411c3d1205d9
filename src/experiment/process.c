/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting programs by posix_spawn, and waiting for many of them at once by pidfds. */
#include "experiment/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"

extern char **environ;

static size_t name_length(const char *setting)
{
	return strcspn(setting, "=");
}

static bool is_replaced(const char *setting, const char *const *environment)
{
	size_t i;

	for (i = 0; environment != NULL && environment[i] != NULL; i++)
		if (name_length(environment[i]) == name_length(setting) &&
		    strncmp(environment[i], setting, name_length(setting)) == 0)
			return true;
	return false;
}

/* A git hook's variables, with which git would look at its repository instead of the one named. */
static bool is_gits_own(const char *setting)
{
	static const char *const names[] = {
		"GIT_DIR",    "GIT_WORK_TREE",	      "GIT_INDEX_FILE",
		"GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"
	};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == name_length(setting) &&
		    strncmp(names[i], setting, name_length(setting)) == 0)
			return true;
	return false;
}

static char **join_environment(struct arena *arena, const char *const *environment)
{
	size_t count = 0, capacity = 0, i;
	char **joined = NULL;

	for (i = 0; environ[i] != NULL; i++)
		if (!is_replaced(environ[i], environment) && !is_gits_own(environ[i]))
			*array_push(arena, joined, count, capacity) = environ[i];
	for (i = 0; environment != NULL && environment[i] != NULL; i++)
		*array_push(arena, joined, count, capacity) = arena_strdup(arena, environment[i]);
	*array_push(arena, joined, count, capacity) = NULL;
	return joined;
}

/* stdout and stderr to the descriptors given; no signal is blocked or ignored in the child. */
static int spawn(pid_t *pid, const char *const *argv, const char *directory, char **environment,
		 int out, int problems)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int failure;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, problems, STDERR_FILENO);
	if (directory != NULL)
		posix_spawn_file_actions_addchdir_np(&actions, directory);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
						  POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	failure = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)(uintptr_t)argv,
			       environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failure;
}

bool process_start(struct process *process, const char *const *argv, const char *directory,
		   const char *const *environment, const char *log_path, struct error *err)
{
	int log = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600), failure;
	struct arena *arena;

	if (log < 0)
		return error_set(err, ERROR_SYSTEM, "cannot write %s: %s", log_path,
				 strerror(errno));
	arena = arena_open();
	failure =
	    spawn(&process->pid, argv, directory, join_environment(arena, environment), log, log);
	arena_close(arena);
	close(log);
	if (failure != 0)
		return error_set(err, ERROR_SYSTEM, "cannot start %s: %s", argv[0],
				 strerror(failure));
	process->fd = (int)syscall(SYS_pidfd_open, process->pid, 0);
	return true;
}

void process_finish(struct process *process, int *status)
{
	int raw = 0;

	while (waitpid(process->pid, &raw, 0) < 0 && errno == EINTR)
		continue;
	*status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
	/* What it left behind in its group would go on writing into the tree. */
	kill(-process->pid, SIGKILL);
	if (process->fd >= 0)
		close(process->fd);
	process->fd = -1;
}

void process_kill(struct process *process)
{
	int status;

	kill(-process->pid, SIGKILL);
	process_finish(process, &status);
}

const char *process_log_tail(struct arena *arena, const char *log_path)
{
	enum { LONGEST_LOG = 1 << 24, TAIL_LINES = 3 };
	size_t length, start, lines = 0;
	char *bytes;

	if (!file_read(arena, log_path, LONGEST_LOG, &bytes, &length, NULL))
		length = 0;
	while (length > 0 && bytes[length - 1] == '\n')
		length--;
	if (length == 0)
		return file_has_room(log_path)
			   ? "nothing was said"
			   : "no space is left there; XDG_CACHE_HOME names another place";
	for (start = length; start > 0; start--)
		if (bytes[start - 1] == '\n' && ++lines == TAIL_LINES)
			break;
	for (lines = start; lines < length; lines++)
		if (bytes[lines] == '\n')
			bytes[lines] = ' ';
	return text_clean(arena, bytes + start, length - start);
}

/* Everything from two pipes; whichever has something is read. */
static void drain(int fds[2], struct text texts[2])
{
	struct pollfd polls[2] = { { fds[0], POLLIN, 0 }, { fds[1], POLLIN, 0 } };
	char bytes[4096];
	int open_count = 2, i;

	while (open_count > 0) {
		if (poll(polls, 2, -1) < 0 && errno != EINTR)
			return;
		for (i = 0; i < 2; i++) {
			ssize_t got;

			if (polls[i].fd < 0 || polls[i].revents == 0)
				continue;
			got = read(polls[i].fd, bytes, sizeof bytes);
			if (got > 0) {
				text_add_bytes(&texts[i], bytes, (size_t)got);
			} else if (got == 0 || errno != EINTR) {
				polls[i].fd = -1;
				open_count--;
			}
		}
	}
}

static char *last_line(struct arena *arena, const struct text *text)
{
	const char *bytes = text_string(text);
	size_t end = text->length, start;

	while (end > 0 && bytes[end - 1] == '\n')
		end--;
	for (start = end; start > 0 && bytes[start - 1] != '\n'; start--)
		continue;
	return text_clean(arena, bytes + start, end - start);
}

static bool run_piped(struct arena *arena, const char *const *argv, struct text texts[2],
		      int *status, struct error *err)
{
	struct process process = { .fd = -1 };
	int pipes[2][2], ends[2], failure;

	if (pipe2(pipes[0], O_CLOEXEC) != 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
	if (pipe2(pipes[1], O_CLOEXEC) != 0) {
		close(pipes[0][0]);
		close(pipes[0][1]);
		return error_set(err, ERROR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
	}
	failure = spawn(&process.pid, argv, NULL, join_environment(arena, NULL), pipes[0][1],
			pipes[1][1]);
	close(pipes[0][1]);
	close(pipes[1][1]);
	ends[0] = pipes[0][0];
	ends[1] = pipes[1][0];
	if (failure == 0) {
		drain(ends, texts);
		process_finish(&process, status);
	}
	close(ends[0]);
	close(ends[1]);
	return failure == 0 ||
	       error_set(err, ERROR_SYSTEM, "cannot start %s: %s", argv[0], strerror(failure));
}

bool process_read(struct arena *arena, const char *const *argv, char **output, struct error *err)
{
	struct text texts[2] = { { 0 }, { 0 } };
	int status = 0;
	bool good = run_piped(arena, argv, texts, &status, err);

	while (texts[0].length > 0 && texts[0].bytes[texts[0].length - 1] == '\n')
		texts[0].bytes[--texts[0].length] = '\0';
	*output = arena_strndup(arena, text_string(&texts[0]), texts[0].length);
	if (good && status != 0)
		good = error_set(err, ERROR_COMMAND, "%s failed: %s", argv[0],
				 last_line(arena, &texts[1]));
	text_release(&texts[0]);
	text_release(&texts[1]);
	return good;
}
