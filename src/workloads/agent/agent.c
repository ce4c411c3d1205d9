/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent in a guest: it waits until nothing else runs, runs one job after
 * the other, and writes what they report and what the machine did meanwhile.
 * Nothing is judged here: the host has the clock's scale and the limits.
 *
 *	hello VERSION
 *	fact NAME VALUE...		kernel, clocksource, boot-ns, memory-bytes
 *	busy NAME			the guest never became idle
 *	begin JOB
 *	value JOB LINE			a line that the job wrote to WORTH_FD
 *	end JOB STATUS WALL_NS CPU_NS FOREIGN_NS BUSIEST
 *	symbol ADDRESS NAME		of the kernel's text, where they are asked for
 *	done
 *
 * A job's name is one word. STATUS is an exit status, or 128 and a signal's
 * number; FOREIGN_NS -1: unknown; BUSIEST "-": nobody.
 */
#include "workloads/agent/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "workloads/agent/guest.h"
#include "workloads/agent/load.h"
#include "workloads/clock.h"
#include "base/mark.h"

enum { JOBS_BYTES = 1 << 16, AGENT_TROUBLE = 2, REPORT_FD = 8, NOT_STARTED = 127 };

/* A guest's self tests take seconds of its time, not minutes. */
#define IDLE_LIMIT_NS INT64_C(60000000000)

struct agent {
	struct arena *arena;
	int results;
	bool is_guest;
	struct load *before, *after;
};

struct job {
	const char *name;
	char **argv;
};

static bool write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0 && errno != EINTR)
			return false;
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
	return true;
}

__attribute__((format(printf, 2, 3))) static void say(const struct agent *agent, const char *format,
						      ...)
{
	char line[4096];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(line, sizeof line - 1, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	if (length > (int)sizeof line - 2)
		length = (int)sizeof line - 2;
	line[length] = '\n';
	write_all(agent->results, line, (size_t)length + 1);
}

/* The words of one line: the job's name, and its command. NULL: an empty line. */
static struct job *read_job(struct arena *arena, char *line)
{
	struct job *job = arena_alloc(arena, 1, sizeof *job);
	size_t count = 0, capacity = 0;
	char *word, *rest = line;

	while ((word = strsep(&rest, "\t")) != NULL)
		*array_push(arena, job->argv, count, capacity) = word;
	*array_push(arena, job->argv, count, capacity) = NULL;
	job->name = job->argv[0];
	if (job->argv[0] == NULL || job->argv[1] == NULL)
		return NULL;
	job->argv++;
	return job;
}

static _Noreturn void become(const struct job *job, int report)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(report, REPORT_FD);
	fcntl(REPORT_FD, F_SETFD, 0);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	setenv("WORTH_FD", "8", 1);
	setenv("TMPDIR", "/tmp", 0);
	setsid();
	execvp(job->argv[0], job->argv);
	dprintf(STDERR_FILENO, "worth-load: cannot run %s: %s\n", job->argv[0], strerror(errno));
	_exit(NOT_STARTED);
}

/* Everything that the job writes, until it has ended; what it left running holds nothing up. */
static int collect(int pid, int fd, struct text *lines)
{
	struct pollfd polled[2] = { { .fd = fd, .events = POLLIN },
				    { .fd = (int)syscall(SYS_pidfd_open, pid, 0),
				      .events = POLLIN } };
	/* Kernels before 5.3 have no such descriptor. */
	int timeout_ms = polled[1].fd < 0 ? 100 : -1, status = 0;
	bool ended = false;
	char bytes[4096];
	ssize_t length;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (!ended) {
		poll(polled, 2, timeout_ms);
		ended = waitpid(pid, &status, WNOHANG) == pid;
		while ((length = read(fd, bytes, sizeof bytes)) > 0)
			text_add_bytes(lines, bytes, (size_t)length);
		if (length == 0)
			polled[0].fd = -1;
	}
	if (polled[1].fd >= 0)
		close(polled[1].fd);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* A guest has nobody else; outside of one, only the job's own session is ended. */
static void end_strays(const struct agent *agent, int pid)
{
	kill(agent->is_guest ? -1 : -pid, SIGKILL);
	if (agent->is_guest)
		while (waitpid(-1, NULL, 0) > 0)
			continue;
}

static void say_values(const struct agent *agent, const struct job *job, struct text *lines)
{
	char *rest = lines->bytes, *line;

	while (rest != NULL && (line = strsep(&rest, "\n")) != NULL)
		if (*line != '\0')
			say(agent, "value %s %s", job->name, line);
}

static bool run_job(struct agent *agent, const struct job *job)
{
	struct text lines = { 0 };
	bool known;
	const char *busiest;
	int ends[2], pid, status;

	say(agent, "begin %s", job->name);
	if (agent->is_guest)
		tcdrain(agent->results);
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	known = load_read(agent->before);
	agent->before->now_ns = clock_ns();
	MARK(MARK_JOB_BEGIN);
	pid = fork();
	if (pid == 0)
		become(job, ends[1]);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return false;
	}
	status = collect(pid, ends[0], &lines);
	MARK(MARK_JOB_END);
	close(ends[0]);
	agent->after->now_ns = clock_ns();
	known = load_read(agent->after) && known;
	end_strays(agent, pid);
	say_values(agent, job, &lines);
	busiest = known ? load_busiest(agent->before, agent->after) : NULL;
	say(agent, "end %s %d %lld %lld %lld %s", job->name, status,
	    (long long)(agent->after->now_ns - agent->before->now_ns),
	    (long long)(agent->after->own_cpu_ns - agent->before->own_cpu_ns),
	    known ? (long long)load_foreign_ns(agent->before, agent->after) : -1LL,
	    busiest == NULL ? "-" : busiest);
	text_release(&lines);
	return true;
}

/* The first line of a small file, or the word "unknown". */
static const char *first_line(struct arena *arena, const char *path)
{
	char *bytes;
	size_t length;

	if (!file_read(arena, path, 4096, &bytes, &length, NULL) || length == 0)
		return "unknown";
	bytes[strcspn(bytes, "\n")] = '\0';
	return bytes;
}

/* MemTotal less MemAvailable: what the kernel and its tables take. */
static void say_memory(const struct agent *agent)
{
	char *bytes, *total, *available;
	size_t length;

	if (!file_read(agent->arena, "/proc/meminfo", 1 << 16, &bytes, &length, NULL))
		return;
	total = strstr(bytes, "MemTotal:");
	available = strstr(bytes, "MemAvailable:");
	if (total != NULL && available != NULL)
		say(agent, "fact memory-bytes %lld %lld", atoll(total + 9) * 1024,
		    (atoll(total + 9) - atoll(available + 13)) * 1024);
}

static void say_facts(const struct agent *agent, int64_t started_ns)
{
	struct utsname names;

	uname(&names);
	say(agent, "hello " WORTH_VERSION);
	say(agent, "fact kernel %s", names.release);
	say(agent, "fact boot-ns %lld", (long long)started_ns);
	say(agent, "fact clocksource %s",
	    first_line(agent->arena,
		       "/sys/devices/system/clocksource/clocksource0/current_clocksource"));
	say_memory(agent);
}

static bool await_idle(const struct agent *agent)
{
	char busy[LOAD_NAME_BYTES];

	if (load_await_idle(IDLE_LIMIT_NS, busy))
		return true;
	say(agent, "busy %s", *busy == '\0' ? "-" : busy);
	return false;
}

/* The kernel's text symbols, many in one write: a serial line is slow. */
static void say_symbols(const struct agent *agent)
{
	enum { TOGETHER_BYTES = 1 << 16 };
	FILE *symbols = access(AGENT_WHERE, F_OK) == 0 ? fopen("/proc/kallsyms", "re") : NULL;
	struct text lines = { 0 };
	unsigned long long address;
	char line[1024], kind, name[512];

	if (symbols == NULL)
		return;
	while (fgets(line, sizeof line, symbols) != NULL) {
		if (sscanf(line, "%llx %c %511s", &address, &kind, name) == 3 && address != 0 &&
		    strchr("tTwW", kind) != NULL)
			text_printf(&lines, "symbol %llx %s\n", address, name);
		if (lines.length > TOGETHER_BYTES) {
			write_all(agent->results, lines.bytes, lines.length);
			text_clear(&lines);
		}
	}
	write_all(agent->results, text_string(&lines), lines.length);
	text_release(&lines);
	fclose(symbols);
}

static bool run_jobs(struct agent *agent, const char *path, struct error *err)
{
	char *bytes, *line;
	size_t length;

	if (!file_read(agent->arena, path, JOBS_BYTES, &bytes, &length, err))
		return false;
	agent->before = arena_alloc(agent->arena, 1, sizeof *agent->before);
	agent->after = arena_alloc(agent->arena, 1, sizeof *agent->after);
	while ((line = strsep(&bytes, "\n")) != NULL) {
		struct job *job = read_job(agent->arena, line);

		if (job != NULL && !run_job(agent, job))
			return error_set(err, ERROR_SYSTEM, "cannot start the job %s: %s",
					 job->name, strerror(errno));
		/* What the job left to do in the kernel belongs to no other job; what never ends
		 * was in its figures. */
		if (job != NULL && agent->is_guest && !await_idle(agent))
			return true;
	}
	if (agent->is_guest)
		say_symbols(agent);
	say(agent, "done");
	return true;
}

bool agent_is_init(void)
{
	return getpid() == 1 && access(AGENT_JOBS, F_OK) == 0;
}

_Noreturn void agent_init(void)
{
	struct agent agent = { .arena = arena_open(), .is_guest = true };
	int64_t started_ns = clock_ns();
	struct error err = { 0 };

	guest_prepare();
	agent.results = guest_open_results();
	if (agent.results < 0) {
		dprintf(STDERR_FILENO, "worth-load: this kernel has neither virtio-serial nor a "
				       "second serial line for the results\n");
		guest_stop(-1);
	}
	say_facts(&agent, started_ns);
	if (await_idle(&agent) && !run_jobs(&agent, AGENT_JOBS, &err))
		dprintf(STDERR_FILENO, "worth-load: %s\n", err.sentence);
	guest_stop(agent.results);
}

int agent_run(int argc, char **argv)
{
	struct agent agent = { .arena = arena_open() };
	int64_t started_ns = clock_ns();
	struct error err = { 0 };
	bool ok;

	if (argc != 3) {
		fputs("Usage: worth-load agent JOBS RESULTS\n", stderr);
		return AGENT_TROUBLE;
	}
	agent.results = open(argv[2], O_WRONLY | O_CLOEXEC);
	ok = agent.results >= 0 ||
	     error_set(&err, ERROR_SYSTEM, "cannot open %s: %s", argv[2], strerror(errno));
	if (ok) {
		say_facts(&agent, started_ns);
		ok = run_jobs(&agent, argv[1], &err);
		close(agent.results);
	}
	if (!ok)
		fprintf(stderr, "worth-load: agent: %s\n", err.sentence);
	arena_close(agent.arena);
	return ok ? 0 : AGENT_TROUBLE;
}
