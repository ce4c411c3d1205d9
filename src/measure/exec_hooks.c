/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's shell commands around session and runs. Their output is shown only when they fail. */
#include "measure/exec_hooks.h"

#include <ctype.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>

#include "base/text.h"
#include "base/units.h"

#define ENDING_LIMIT_NS INT64_C(10000000000)

enum { SHOWN_BYTES = 600 };

char *exec_tail(struct arena *arena, const char *bytes, size_t length, size_t limit)
{
	const char *newline;

	while (length > 0 && isspace((unsigned char)bytes[length - 1]))
		length--;
	if (length > limit) {
		bytes += length - limit;
		length = limit;
		newline = memchr(bytes, '\n', length); /* whole lines, if there are any */
		if (newline != NULL) {
			length -= (size_t)(newline + 1 - bytes);
			bytes = newline + 1;
		}
	}
	return text_clean(arena, bytes, length);
}

char *exec_status(struct arena *arena, int exit_status, int signal)
{
	if (signal != 0)
		return arena_printf(arena, "signal %d (%s)", signal, strsignal(signal));
	return arena_printf(arena, "exit status %d", exit_status);
}

static bool hook_failed(const struct exec_hook *hook, const struct child_outcome *outcome,
			int64_t limit_ns, struct error *err)
{
	struct arena *arena = arena_open();
	int status = outcome->wait_status;
	size_t length;
	const char *bytes = child_stderr_tail(hook->spawner, hook->kind, &length);
	const char *tail = exec_tail(arena, bytes, length, SHOWN_BYTES);
	const char *how =
	    outcome->timed_out
		? arena_printf(
		      arena, "did not end within %s%s", units_duration(arena, limit_ns),
		      limit_ns == ENDING_LIMIT_NS ? "" : ", the session's whole time (--budget)")
		: arena_printf(arena, "failed with %s",
			       exec_status(arena, WIFEXITED(status) ? WEXITSTATUS(status) : 0,
					   WIFSIGNALED(status) ? WTERMSIG(status) : 0));

	error_set(err, ERROR_COMMAND, "the --%s command %s: %s%s%s%s", hook->name, how,
		  text_clean(arena, hook->command, strlen(hook->command)),
		  *tail != '\0' ? "; it ended by printing: \"" : "", tail,
		  *tail != '\0' ? "\"" : "");
	arena_close(arena);
	return false;
}

static bool is_interrupted(int interrupt_fd)
{
	struct pollfd polled = { .fd = interrupt_fd, .events = POLLIN };

	return poll(&polled, 1, 0) > 0;
}

bool exec_hook_run(const struct exec_hook *hook, struct error *err)
{
	bool is_late = hook->is_ending && is_interrupted(hook->interrupt_fd);
	char shell[] = "sh", option[] = "-c";
	char *argv[] = { shell, option, (char *)hook->command, NULL };
	struct child_request request = child_request(argv);
	struct child_outcome outcome;

	if (hook->shell != NULL)
		argv[0] = (char *)hook->shell;
	request.kind = hook->kind;
	request.directory = hook->directory;
	request.environment = hook->environment;
	request.stdout_to_stderr = true;
	request.timeout_ns = is_late ? ENDING_LIMIT_NS : hook->limit_ns;
	request.patience_ns = hook->is_ending ? ENDING_LIMIT_NS : 0;
	if (!child_run(hook->spawner, &request, is_late ? -1 : hook->interrupt_fd, &outcome, err))
		return err != NULL && err->kind != ERROR_INTERRUPTED
			   ? error_prefix(err, "the --%s command", hook->name)
			   : false;
	if (outcome.exec_error != 0)
		return error_set(err, ERROR_COMMAND, "the --%s command cannot run: %s: %s",
				 hook->name, argv[0], strerror(outcome.exec_error));
	return outcome.wait_status == 0 || hook_failed(hook, &outcome, request.timeout_ns, err);
}
