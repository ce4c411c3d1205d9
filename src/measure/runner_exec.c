/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots as child processes. Around the measured child stand the subject's
 * prepare and conclude hooks; its input and output file are opened anew for
 * each run; what it prints is hashed where that was asked for; what it reports
 * on WORTH_FD becomes columns.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/monotonic.h"
#include "base/text.h"
#include "measure/child.h"
#include "measure/counters.h"
#include "measure/environment.h"
#include "measure/exec_hooks.h"
#include "measure/exec_metrics.h"
#include "measure/machine.h"
#include "measure/output_hash.h"
#include "measure/runner.h"
#include "measure/self_report.h"
#include "measure/together.h"

enum {
	TAIL_SHOWN_BYTES = 400,
	/* Opening two software events lengthens a run by 15 to 20 us (measured, Linux 6.18): too
	 * much for runs below this, whose columns stay empty. */
	EVENTS_WALL_NS = 1000000,
	TOGETHER_WALL_NS = 2000000,
};

struct exec {
	struct spawner *spawner;
	int interrupt_fd;
	struct arena *arena;
	const struct plan *plan;
	const char **programs; /* of each subject */
	const char **labels;   /* of each, clean, for sentences */
	size_t columns[EXEC_METRICS];
	struct counters counters;
	struct machine machine;
	struct self_report report;
	struct output_hash hash;
	int64_t shortest_warmup_ns; /* INT64_MAX: no warm-up yet */
	struct together together;
	bool opened_usual; /* events */
};

/* Programs, so that a misspelt one costs nothing. */
static bool find_programs(struct exec *exec, struct error *err)
{
	const struct plan *plan = exec->plan;
	size_t i;

	exec->programs = arena_alloc(exec->arena, plan->subject_count, sizeof *exec->programs);
	exec->labels = arena_alloc(exec->arena, plan->subject_count, sizeof *exec->labels);
	for (i = 0; i < plan->subject_count; i++) {
		const char *label = plan->subjects[i].label;
		char *path;

		exec->labels[i] = text_clean(exec->arena, label, strlen(label));
		if (!file_find_program(exec->arena, plan->subjects[i].argv[0],
				       plan->subjects[i].directory, &path, err))
			return false;
		exec->programs[i] = path;
	}
	return true;
}

static bool check_input(const char *path, struct error *err)
{
	struct stat status;

	if (path == NULL)
		return true;
	if (stat(path, &status) != 0 || access(path, R_OK) != 0)
		return error_set(err, ERROR_USAGE, "cannot read the input %s: %s", path,
				 strerror(errno));
	if (S_ISDIR(status.st_mode))
		return error_set(err, ERROR_USAGE, "the input %s is a directory", path);
	if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))
		return error_set(err, ERROR_USAGE,
				 "the input %s can be read only once, but every run needs it: "
				 "write it to a file first",
				 path);
	return true;
}

static bool check_output(const struct plan *plan, struct error *err)
{
	if (plan->same_output && (plan->output == OUTPUT_INHERIT || plan->show_output))
		return error_set(err, ERROR_USAGE,
				 "--same-output reads what the commands print, so it cannot be "
				 "shown too: leave out --show-output and --output inherit");
	return plan->output != OUTPUT_FILE || file_writable(plan->output_path, err);
}

static void open_usual(struct exec *exec, struct recording *recording)
{
	if (!exec->opened_usual)
		counters_open_usual(exec->arena, recording, &exec->counters);
	exec->opened_usual = true;
}

static bool exec_open(struct runner *runner, struct arena *arena, struct recording *recording,
		      struct error *err)
{
	struct exec *exec = runner->state;
	const struct plan *plan = &recording->plan;

	exec->arena = arena;
	exec->plan = plan;
	if (!find_programs(exec, err) || !check_input(plan->input_path, err) ||
	    !check_output(plan, err))
		return false;
	exec_metrics_open(arena, recording, exec->columns);
	counters_open(arena, recording, plan->counters, plan->counter_count, &exec->counters);
	if (plan->counter_count > 0)
		open_usual(exec, recording);
	machine_open(&exec->machine, plan, "/proc/stat");
	return true;
}

static void exec_environment(struct runner *runner, struct arena *arena, bool again,
			     struct environment *environment)
{
	(void)runner;
	if (again)
		environment_read_again(arena, environment);
	else
		environment_read(arena, environment);
}

static bool exec_hook(struct runner *runner, const char *which, const char *command,
		      struct error *err)
{
	struct exec *exec = runner->state;
	struct exec_hook hook = {
		.spawner = exec->spawner,
		.kind = CHILD_SESSION_HOOK,
		.name = which,
		.command = command,
		.shell = exec->plan->shell,
		.interrupt_fd = exec->interrupt_fd,
	};
	bool done;

	/* What it starts inherits where worth may run. */
	if (command != NULL)
		together_end(&exec->together);
	hook.is_ending = strcmp(which, "cleanup") == 0;
	done = command == NULL || exec_hook_run(&hook, err);
	if (!hook.is_ending)
		return done;
	return child_end_hooks(exec->spawner, CHILD_SESSION_HOOK, done ? err : NULL) && done;
}

static bool subject_hook(struct exec *exec, const struct subject *subject, const char *name,
			 const char *command, bool is_ending, struct error *err)
{
	struct exec_hook hook = {
		.spawner = exec->spawner,
		.kind = CHILD_RUN_HOOK,
		.name = name,
		.command = command,
		.shell = exec->plan->shell,
		.directory = subject->directory,
		.environment = subject->environment,
		.interrupt_fd = exec->interrupt_fd,
		.limit_ns = exec->plan->budget_ns,
		.is_ending = is_ending,
	};

	return command == NULL || exec_hook_run(&hook, err);
}

/* The descriptors of one run; those that were opened are closed after it. */
struct files {
	int input, output; /* -1: not opened */
};

/* Opening never waits: a FIFO that nobody reads would take worth beyond the reach of its signals,
 * which come by a descriptor. The run gets the file in its usual mode. */
static bool open_file(const char *path, int flags, int *fd, struct error *err)
{
	*fd = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0666);
	if (*fd < 0 && errno == ENXIO)
		return error_set(err, ERROR_SYSTEM,
				 "cannot write to %s: it is a FIFO or a device that nobody reads; "
				 "start the reader first",
				 path);
	return (*fd >= 0 && fcntl(*fd, F_SETFL, flags & ~(O_CREAT | O_TRUNC)) == 0) ||
	       error_set(err, ERROR_SYSTEM, "cannot open %s for a run: %s", path, strerror(errno));
}

static void files_close(struct files *files)
{
	if (files->input >= 0)
		close(files->input);
	if (files->output >= 0)
		close(files->output);
}

/* Input and output as the plan wants them. */
static bool connect(struct exec *exec, struct child_request *request, struct files *files,
		    struct error *err)
{
	const struct plan *plan = exec->plan;
	bool hashed = plan->same_output && plan->output != OUTPUT_FILE;

	if (plan->input_path != NULL && !open_file(plan->input_path, O_RDONLY, &files->input, err))
		return false;
	if (plan->output == OUTPUT_FILE &&
	    !open_file(plan->output_path, O_WRONLY | O_CREAT | O_TRUNC, &files->output, err))
		return false;
	if (plan->output == OUTPUT_NULL && !hashed &&
	    !open_file("/dev/null", O_WRONLY, &files->output, err))
		return false;
	request->stdin_fd = files->input;
	request->stdout_fd = files->output;
	if (hashed || plan->output == OUTPUT_PIPE) {
		output_hash_init(&exec->hash);
		request->output = (struct child_sink){ output_hash_take, &exec->hash };
	}
	if (plan->output == OUTPUT_INHERIT)
		request->stdout_fd = STDOUT_FILENO;
	if (plan->show_output) {
		request->stderr_fd = STDERR_FILENO;
		request->stdout_to_stderr = plan->output == OUTPUT_DISCARD;
	}
	return true;
}

/* Whether this run counts events. Those that nobody asked for are left out where the warm-up
 * showed runs too short for them, and of the first warm-up run, which shows whether they are. */
static bool counts_events(const struct exec *exec, const struct slot *slot)
{
	bool measured = exec->shortest_warmup_ns < INT64_MAX;

	return exec->plan->counter_count > 0 ||
	       ((measured || !slot->warmup) && exec->shortest_warmup_ns >= EVENTS_WALL_NS);
}

static struct child_request make_request(struct exec *exec, struct recording *recording,
					 const struct slot *slot)
{
	const struct subject *subject = &exec->plan->subjects[slot->subject];
	struct child_request request = child_request(subject->argv);

	request.program = exec->programs[slot->subject];
	request.environment = subject->environment;
	request.padding_bytes = slot->padding_bytes;
	request.round_number = (uint32_t)slot->round + 1;
	request.directory = subject->directory;
	request.cpu = exec->plan->cpu;
	request.timeout_ns = exec->plan->timeout_ns;
	request.keep_strays = exec->plan->keep_strays;
	request.report = (struct child_sink){ self_report_take, &exec->report };
	if (counts_events(exec, slot)) {
		open_usual(exec, recording);
		request.events = exec->counters.attributes;
		request.event_count = exec->counters.count;
	}
	return request;
}

static bool refuse_program(const char *program, int exec_error, struct error *err)
{
	if (exec_error == ENOEXEC)
		return error_set(err, ERROR_COMMAND,
				 "%s is neither a program for this machine nor a script with a "
				 "#! line; add one (#!/bin/sh), or run it by its interpreter",
				 program);
	if (exec_error == ENOENT)
		return error_set(err, ERROR_COMMAND,
				 "%s cannot be executed: it is gone, or the interpreter that it "
				 "names does not exist",
				 program);
	return error_set(err, ERROR_COMMAND, "%s cannot be executed: %s", program,
			 strerror(exec_error));
}

static void remark_strays(struct exec *exec, const struct slot *slot,
			  const struct child_outcome *outcome, struct recording *recording)
{
	char name[sizeof outcome->stray_names[0]];

	/* Without the pid, so that the same stray of each run is one remark. */
	snprintf(name, sizeof name, "%s", outcome->stray_names[0]);
	if (strstr(name, " (pid ") != NULL)
		*strstr(name, " (pid ") = '\0';
	recording_remark(exec->arena, recording,
			 "%s leaves processes behind when it ends (%s): its time does not contain "
			 "theirs; they %s",
			 exec->labels[slot->subject], text_clean(exec->arena, name, strlen(name)),
			 exec->plan->keep_strays ? "are left running"
						 : "are killed before the next run");
}

static bool hash_output(struct exec *exec, struct sample *sample, struct error *err)
{
	if (!exec->plan->same_output)
		return true;
	if (exec->plan->output == OUTPUT_FILE)
		return output_hash_file(exec->plan->output_path, &sample->output_hash, err);
	sample->output_hash = output_hash_value(&exec->hash);
	return true;
}

/* Everything that an outcome says, into the sample. */
static bool read_outcome(struct exec *exec, const struct child_request *request,
			 const struct child_outcome *outcome, const struct slot *slot,
			 struct recording *recording, struct sample *sample, struct error *err)
{
	int migrations;

	if (outcome->exec_error != 0)
		return refuse_program(request->program, outcome->exec_error, err);
	sample->started_ns = outcome->started_ns;
	exec_metrics_read(outcome, exec->columns, sample);
	if (request->event_count > 0)
		counters_read(exec->arena, &exec->counters, outcome, recording, sample);
	self_report_read(exec->arena, &exec->report, exec->labels[slot->subject], recording,
			 sample);
	migrations = recording_metric(recording, "migrations");
	machine_after(&exec->machine, slot, outcome,
		      migrations == METRIC_NONE ? (double)NAN : sample->values[migrations],
		      recording, sample);
	if (outcome->stray_count > 0)
		remark_strays(exec, slot, outcome, recording);
	if (slot->warmup && outcome->wall_ns < exec->shortest_warmup_ns)
		exec->shortest_warmup_ns = outcome->wall_ns;
	return hash_output(exec, sample, err);
}

/* Runs so short that handing over is a part of what they cost; hooks would inherit the place. */
static bool goes_together(const struct exec *exec, const struct slot *slot)
{
	const struct subject *subject = &exec->plan->subjects[slot->subject];

	return !slot->warmup && exec->shortest_warmup_ns < TOGETHER_WALL_NS &&
	       exec->plan->cpu < 0 && subject->prepare == NULL && subject->conclude == NULL;
}

static bool run_child(struct exec *exec, struct recording *recording, const struct slot *slot,
		      struct sample *sample, struct error *err)
{
	struct child_request request = make_request(exec, recording, slot);
	struct files files = { -1, -1 };
	struct child_outcome outcome;
	bool done = false;

	self_report_clear(&exec->report);
	if (!connect(exec, &request, &files, err))
		goto out;
	if (goes_together(exec, slot))
		together_begin(&exec->together, exec->spawner);
	machine_before(&exec->machine, slot);
	done = child_run(exec->spawner, &request, exec->interrupt_fd, &outcome, err) &&
	       read_outcome(exec, &request, &outcome, slot, recording, sample, err);
out:
	together_check(&exec->together);
	files_close(&files);
	return done;
}

static bool exec_run(struct runner *runner, struct recording *recording, const struct slot *slot,
		     struct sample *sample, struct error *err)
{
	struct exec *exec = runner->state;
	const struct subject *subject = &exec->plan->subjects[slot->subject];
	bool hooked = subject->prepare != NULL || subject->conclude != NULL;
	bool done;

	if (!hooked)
		return run_child(exec, recording, slot, sample, err);
	done = subject_hook(exec, subject, "prepare", subject->prepare, false, err) &&
	       run_child(exec, recording, slot, sample, err);
	/* What was prepared is concluded, whatever came between. */
	done =
	    subject_hook(exec, subject, "conclude", subject->conclude, true, done ? err : NULL) &&
	    done;
	return child_end_hooks(exec->spawner, CHILD_RUN_HOOK, done ? err : NULL) && done;
}

static const char *exec_stderr_tail(struct runner *runner)
{
	struct exec *exec = runner->state;
	size_t length;
	const char *tail = child_stderr_tail(exec->spawner, CHILD_MEASURED, &length);

	return exec_tail(exec->arena, tail, length, TAIL_SHOWN_BYTES);
}

static int64_t exec_now_ns(struct runner *runner)
{
	(void)runner;
	return monotonic_ns();
}

static void exec_close(struct runner *runner)
{
	struct exec *exec = runner->state;

	if (exec == NULL)
		return;
	together_end(&exec->together);
	machine_close(&exec->machine);
	self_report_release(&exec->report);
	free(exec);
	runner->state = NULL;
}

struct runner runner_exec(struct spawner *spawner, int interrupt_fd)
{
	static const struct runner_ops ops = {
		.open = exec_open,
		.environment = exec_environment,
		.hook = exec_hook,
		.run = exec_run,
		.stderr_tail = exec_stderr_tail,
		.now_ns = exec_now_ns,
		.close = exec_close,
	};
	struct exec *exec = calloc(1, sizeof *exec);

	if (exec == NULL)
		arena_out_of_memory();
	exec->spawner = spawner;
	exec->interrupt_fd = interrupt_fd;
	exec->shortest_warmup_ns = INT64_MAX;
	exec->machine.stat_fd = -1;
	return (struct runner){ .ops = &ops, .state = exec };
}
