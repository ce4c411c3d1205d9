/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting system calls by ptrace: see call_profile.h. Each task stops when it
 * enters a call and when it leaves it; new tasks are traced from their start.
 *
 *	fork --> child stops itself --> options set --> exec --> counted from here
 */
#include "measure/call_profile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/random.h"
#include "base/text.h"
#include "measure/call_names.h"

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#else
#define NATIVE_ARCH 0 /* unknown: every call is taken for native */
#endif

enum { PATH_BYTES = 4096, PAGE_MASK = 4095, EXEC_FAILED = 127, PATHS_MAXIMUM = 100000 };

/* A task that is traced, and the call that it is in. */
struct traced {
	pid_t pid;
	uint64_t number; /* CALL_NAMES: none that counts */
};

struct tracer {
	struct arena *arena;
	pid_t root;
	bool counting; /* from the exec of the command on */
	struct traced *tasks;
	size_t task_count, task_capacity;
	uint64_t counts[CALL_NAMES], failures[CALL_NAMES];
	struct call_path *slots; /* hash table by path, open addressing; path NULL: free */
	size_t slot_count, slots_used;
	struct call_profile *profile;
};

/* Where a call has a path among its arguments. */
static int path_argument(const char *name)
{
	static const struct {
		const char *name;
		int argument;
	} calls[] = {
		{ "open", 0 },	     { "openat", 1 },	  { "openat2", 1 },    { "stat", 0 },
		{ "lstat", 0 },	     { "newfstatat", 1 }, { "fstatat64", 1 },  { "statx", 1 },
		{ "access", 0 },     { "faccessat", 1 },  { "faccessat2", 1 }, { "readlink", 0 },
		{ "readlinkat", 1 }, { "execve", 0 },	  { "execveat", 1 },   { "unlink", 0 },
		{ "unlinkat", 1 },   { "statfs", 0 },
	};
	size_t i;

	for (i = 0; name != NULL && i < sizeof calls / sizeof *calls; i++)
		if (strcmp(calls[i].name, name) == 0)
			return calls[i].argument;
	return -1;
}

/* A string of the task, page by page, since the next page may not be there; its length. */
static size_t read_string(pid_t pid, uint64_t address, char *string)
{
	size_t used = 0;

	while (used < PATH_BYTES - 1) {
		size_t some = PAGE_MASK + 1 - ((address + used) & PAGE_MASK);
		struct iovec here = { string + used, 0 };
		struct iovec there = { (void *)(uintptr_t)(address + used), 0 };
		ssize_t got;

		if (some > PATH_BYTES - 1 - used)
			some = PATH_BYTES - 1 - used;
		here.iov_len = there.iov_len = some;
		got = process_vm_readv(pid, &here, 1, &there, 1, 0);
		if (got <= 0)
			return 0;
		if (memchr(string + used, '\0', (size_t)got) != NULL)
			return strlen(string);
		used += (size_t)got;
	}
	string[used] = '\0';
	return used;
}

static struct call_path *find_slot(struct call_path *slots, size_t count, const char *path)
{
	size_t i = random_hash(path, strlen(path)) & (count - 1);

	while (slots[i].path != NULL && strcmp(slots[i].path, path) != 0)
		i = (i + 1) & (count - 1);
	return &slots[i];
}

static void grow_slots(struct tracer *tracer)
{
	size_t count = tracer->slot_count == 0 ? 1024 : 2 * tracer->slot_count, i;
	struct call_path *slots = arena_alloc(tracer->arena, count, sizeof *slots);

	for (i = 0; i < tracer->slot_count; i++)
		if (tracer->slots[i].path != NULL)
			*find_slot(slots, count, tracer->slots[i].path) = tracer->slots[i];
	tracer->slots = slots;
	tracer->slot_count = count;
}

static void count_path(struct tracer *tracer, pid_t pid, uint64_t address)
{
	char path[PATH_BYTES];
	struct call_path *slot;

	/* fstat is newfstatat with an empty path. */
	if (tracer->slots_used >= PATHS_MAXIMUM || read_string(pid, address, path) == 0)
		return;
	if (2 * (tracer->slots_used + 1) > tracer->slot_count)
		grow_slots(tracer);
	slot = find_slot(tracer->slots, tracer->slot_count, path);
	if (slot->path == NULL) {
		slot->path = arena_strdup(tracer->arena, path);
		tracer->slots_used++;
	}
	slot->count++;
}

static struct traced *find_task(struct tracer *tracer, pid_t pid)
{
	size_t i;

	for (i = 0; i < tracer->task_count; i++)
		if (tracer->tasks[i].pid == pid)
			return &tracer->tasks[i];
	return NULL;
}

/* The task, which is entered into the list if it is new. */
static struct traced *meet_task(struct tracer *tracer, pid_t pid, bool *is_new)
{
	struct traced *task = find_task(tracer, pid);

	*is_new = task == NULL;
	if (task != NULL)
		return task;
	task = array_push(tracer->arena, tracer->tasks, tracer->task_count, tracer->task_capacity);
	*task = (struct traced){ .pid = pid, .number = CALL_NAMES };
	tracer->profile->processes++;
	return task;
}

static void forget_task(struct tracer *tracer, pid_t pid)
{
	struct traced *task = find_task(tracer, pid);

	if (task != NULL)
		*task = tracer->tasks[--tracer->task_count];
}

static void enter_call(struct tracer *tracer, struct traced *task,
		       const struct __ptrace_syscall_info *info)
{
	int argument;

	tracer->profile->total++;
	if ((NATIVE_ARCH != 0 && info->arch != NATIVE_ARCH) || info->entry.nr >= CALL_NAMES) {
		tracer->profile->foreign++;
		return;
	}
	task->number = info->entry.nr;
	tracer->counts[task->number]++;
	argument = path_argument(call_names[task->number]);
	if (argument >= 0)
		count_path(tracer, task->pid, info->entry.args[argument]);
}

static void see_call(struct tracer *tracer, struct traced *task)
{
	struct __ptrace_syscall_info info;

	if (!tracer->counting ||
	    ptrace(PTRACE_GET_SYSCALL_INFO, task->pid, sizeof info, &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		enter_call(tracer, task, &info);
	if (info.op == PTRACE_SYSCALL_INFO_EXIT && task->number < CALL_NAMES) {
		tracer->failures[task->number] += info.exit.is_error;
		task->number = CALL_NAMES;
	}
}

/* What a stop means, and the signal that the task gets when it goes on. */
static int see_stop(struct tracer *tracer, pid_t pid, int status)
{
	bool is_new;
	struct traced *task = meet_task(tracer, pid, &is_new);
	int number = WSTOPSIG(status), event = status >> 16;

	if (number == (SIGTRAP | 0x80)) {
		see_call(tracer, task);
		return 0;
	}
	if (event == PTRACE_EVENT_EXEC && !tracer->counting) {
		tracer->counting = true;
		/* The exec itself began before anything was counted. */
		return 0;
	}
	if (event != 0 || (is_new && number == SIGSTOP))
		return 0;
	return number;
}

static void see_end(struct tracer *tracer, pid_t pid, int status)
{
	forget_task(tracer, pid);
	if (pid != tracer->root)
		return;
	tracer->profile->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	tracer->profile->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static bool follow(struct tracer *tracer, struct error *err)
{
	for (;;) {
		int status;
		pid_t pid = waitpid(-1, &status, __WALL);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0 && errno == ECHILD)
			return true;
		if (pid < 0)
			return error_set(err, ERROR_SYSTEM, "waiting for the command: %s",
					 strerror(errno));
		if (!WIFSTOPPED(status))
			see_end(tracer, pid, status);
		else /* it may have been killed meanwhile, which waitpid will say */
			ptrace(PTRACE_SYSCALL, pid, NULL,
			       (void *)(uintptr_t)see_stop(tracer, pid, status));
	}
}

static _Noreturn void become_command(char *const *argv)
{
	int input = open("/dev/null", O_RDONLY), output = open("/dev/zero", O_WRONLY);

	if (input >= 0)
		dup2(input, STDIN_FILENO);
	if (output >= 0)
		dup2(output, STDOUT_FILENO);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0) {
		raise(SIGSTOP);
		execvp(argv[0], argv);
	}
	_exit(EXEC_FAILED);
}

/* Stopped before its exec, with all that it will start to be traced, too. */
static bool start(struct tracer *tracer, char *const *argv, struct error *err)
{
	const unsigned long wanted = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK |
				     PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
				     PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	bool is_new;
	int status;

	tracer->root = fork();
	if (tracer->root == 0)
		become_command(argv);
	if (tracer->root < 0)
		return error_set(err, ERROR_SYSTEM, "cannot start a process: %s", strerror(errno));
	if (waitpid(tracer->root, &status, 0) < 0 || !WIFSTOPPED(status))
		return error_set(err, ERROR_SYSTEM,
				 "tracing is not permitted here: ptrace is refused (by seccomp, as "
				 "in some containers, or by /proc/sys/kernel/yama/ptrace_scope)");
	meet_task(tracer, tracer->root, &is_new);
	if (ptrace(PTRACE_SETOPTIONS, tracer->root, NULL, (void *)wanted) < 0 ||
	    ptrace(PTRACE_SYSCALL, tracer->root, NULL, NULL) < 0) {
		error_set(err, ERROR_SYSTEM, "cannot trace the command: %s", strerror(errno));
		kill(tracer->root, SIGKILL);
		waitpid(tracer->root, &status, 0);
		return false;
	}
	return true;
}

static int compare_calls(const void *left, const void *right)
{
	const struct call_count *a = left, *b = right;

	return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
				    : strcmp(a->name, b->name);
}

static int compare_paths(const void *left, const void *right)
{
	const struct call_path *a = left, *b = right;

	return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
				    : strcmp(a->path, b->path);
}

static void summarize(struct tracer *tracer)
{
	struct call_profile *profile = tracer->profile;
	struct arena *arena = tracer->arena;
	size_t call_capacity = 0, path_capacity = 0, i;

	for (i = 0; i < CALL_NAMES; i++)
		if (tracer->counts[i] > 0)
			*array_push(arena, profile->calls, profile->call_count,
				    call_capacity) = (struct call_count){
				.name = call_names[i] != NULL ? call_names[i]
							      : arena_printf(arena, "call %zu", i),
				.count = tracer->counts[i],
				.failed = tracer->failures[i],
			};
	for (i = 0; i < tracer->slot_count; i++)
		if (tracer->slots[i].path != NULL)
			*array_push(arena, profile->paths, profile->path_count, path_capacity) =
			    (struct call_path){
				    .path = text_clean(arena, tracer->slots[i].path,
						       strlen(tracer->slots[i].path)),
				    .count = tracer->slots[i].count,
			    };
	if (profile->call_count > 0)
		qsort(profile->calls, profile->call_count, sizeof *profile->calls, compare_calls);
	if (profile->path_count > 0)
		qsort(profile->paths, profile->path_count, sizeof *profile->paths, compare_paths);
}

bool call_profile_run(struct arena *arena, char *const *argv, struct call_profile *profile,
		      struct error *err)
{
	struct tracer tracer = { .arena = arena, .profile = profile };

	*profile = (struct call_profile){ .exit_status = -1 };
	if (!start(&tracer, argv, err) || !follow(&tracer, err))
		return false;
	if (!tracer.counting)
		return error_set(err, ERROR_COMMAND, "%s cannot be run", argv[0]);
	summarize(&tracer);
	return true;
}
