/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running programs: see programs.h. */
#include "workloads/programs.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workloads/limits.h"

bool programs_possible(struct error *err)
{
	return access("/proc/self/environ", R_OK) == 0 ||
	       error_set(err, ERROR_SYSTEM,
			 "it needs /proc, where the programs that it runs are found when it is "
			 "killed; mount it");
}

bool program_start(char *const *argv, int *pid, struct error *err)
{
	posix_spawn_file_actions_t actions;
	int trouble;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	/* Written to, /dev/zero discards, too, and grep and git do not take it for /dev/null. */
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/zero", O_WRONLY, 0);
	trouble = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (trouble == ENOENT)
		return error_set(err, ERROR_SYSTEM,
				 "there is no program %s on PATH, or no /dev; install it", argv[0]);
	return trouble == 0 ||
	       error_set(err, ERROR_SYSTEM, "cannot run %s: %s", argv[0], strerror(trouble));
}

bool program_await(int *pid, int *status, struct error *err)
{
	int raw;

	while ((*pid = waitpid(-1, &raw, 0)) < 0)
		if (errno != EINTR)
			return error_set(err, ERROR_SYSTEM, "waiting for a program: %s",
					 limits_reason());
	*status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
	return true;
}

/* The word that says what is done: the second, or the one behind options of git like -c NAME=VALUE.
 */
static const char *second_word(char *const *argv)
{
	size_t i = 1;

	while (argv[i] != NULL && argv[i + 1] != NULL &&
	       (strcmp(argv[i], "-c") == 0 || strcmp(argv[i], "-C") == 0))
		i += 2;
	return argv[i] == NULL ? "" : argv[i];
}

bool program_run(char *const *argv, int expected, struct error *err)
{
	int pid, ended, status = 0;

	if (!program_start(argv, &pid, err))
		return false;
	do {
		if (!program_await(&ended, &status, err))
			return false;
	} while (ended != pid);
	return status == expected ||
	       error_set(err, ERROR_SYSTEM, "%s %s ended with status %d and not %d", argv[0],
			 second_word(argv), status, expected);
}
