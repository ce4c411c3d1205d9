/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions and cache misses by simulation (valgrind manual, chapter "Cachegrind"). All
 * processes that a command starts are counted (--trace-children=yes), each writes a file of its
 * own, and their summaries are added up, so that a command under a shell is counted too. Two things
 * follow: a process that forks without executing another program starts with what its parent had
 * counted, and what runs between fork and exec is lost. Both are the same every time, and a remark
 * tells of the first.
 */
#include "measure/simulated.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "measure/exec_hooks.h"
#include "measure/proc.h"

/* cachegrind writes a line for every line of source that ran: a few MB for large programs. */
enum { FILE_LIMIT = 1 << 30 };

enum { WORDS_BYTES = 200 }; /* of stderr in a remark */

static const char *const metric_names[SIMULATED_METRICS] = { "sim instructions", "sim I1 misses",
							     "sim D1 misses", "sim LL misses",
							     "sim code lines" };

/* Which event of cachegrind belongs to which metric. */
static const struct {
	const char *event;
	size_t metric;
} events[] = { { "Ir", 0 },   { "I1mr", 1 }, { "D1mr", 2 }, { "D1mw", 2 },
	       { "ILmr", 3 }, { "ILmr", 4 }, { "DLmr", 3 }, { "DLmw", 3 } };

/* The number and place of an event's name among the blank-separated words of names; the words of
 * both lists go in step. */
static void add_events(const char *names, const char *values, struct simulated_counts *counts)
{
	while (*names != '\0' && *values != '\0') {
		size_t length = strcspn(names, " "), i;
		char *end;
		uint64_t value = strtoull(values, &end, 10);

		for (i = 0; i < sizeof events / sizeof *events; i++)
			if (strlen(events[i].event) == length &&
			    strncmp(events[i].event, names, length) == 0)
				counts->values[events[i].metric] += value;
		if (end == values)
			return;
		names += length;
		names += strspn(names, " ");
		values = end + strspn(end, " ");
	}
}

bool simulated_parse(const char *text, struct simulated_counts *counts)
{
	struct arena *arena = arena_open();
	const char *names = proc_field(arena, text, "events");
	const char *values = proc_field(arena, text, "summary");
	bool whole = names != NULL && values != NULL && strncmp(names, "Ir", 2) == 0;

	if (whole)
		add_events(names, values, counts);
	arena_close(arena);
	return whole;
}

/* One session of simulated runs. */
struct simulation {
	struct arena *arena;
	struct recording *recording;
	struct spawner *spawner;
	int interrupt_fd;
	char *valgrind;		  /* its path */
	char directory[PATH_MAX]; /* for cachegrind's files */
	int input_fd;		  /* the plan's input, -1: /dev/null */
	bool metrics_added;
	size_t metrics[SIMULATED_METRICS];
};

static bool directory_make(struct simulation *simulation)
{
	const char *temporary = getenv("TMPDIR");
	int length;

	if (temporary == NULL || *temporary != '/')
		temporary = "/tmp";
	length = snprintf(simulation->directory, sizeof simulation->directory,
			  "%s/worth-simulated-XXXXXX", temporary);
	return length < (int)sizeof simulation->directory && mkdtemp(simulation->directory) != NULL;
}

/* Only files of this directory's own making are in it. */
static void directory_empty(const char *directory)
{
	DIR *stream = opendir(directory);
	struct dirent *entry;

	while (stream != NULL && (entry = readdir(stream)) != NULL)
		unlinkat(dirfd(stream), entry->d_name, 0);
	if (stream != NULL)
		closedir(stream);
}

/* Whether some of the processes had the same command line: forks, or the same program twice. */
struct command_lines {
	uint64_t *hashes;
	size_t count, capacity;
	bool repeated;
};

static void command_line_add(struct arena *arena, struct command_lines *lines, const char *line)
{
	uint64_t hash = random_hash(line, strlen(line));
	size_t i;

	for (i = 0; i < lines->count; i++)
		lines->repeated = lines->repeated || lines->hashes[i] == hash;
	*array_push(arena, lines->hashes, lines->count, lines->capacity) = hash;
}

/* Adds up the files that a run left. False: none, or a process was killed before it wrote its
 * summary. */
static bool collect(struct simulation *simulation, struct simulated_counts *counts, bool *repeated)
{
	struct arena *arena = arena_open();
	DIR *stream = opendir(simulation->directory);
	struct command_lines lines = { 0 };
	struct dirent *entry;
	bool whole = true;

	while (stream != NULL && (entry = readdir(stream)) != NULL) {
		const char *line;
		char *text;
		size_t length;

		if (entry->d_name[0] == '.')
			continue;
		text = NULL;
		if (file_read(arena,
			      arena_printf(arena, "%s/%s", simulation->directory, entry->d_name),
			      FILE_LIMIT, &text, &length, NULL))
			whole = simulated_parse(text, counts) && whole;
		else
			whole = false;
		line = proc_field(arena, text, "cmd");
		command_line_add(arena, &lines, line == NULL ? "" : line);
	}
	if (stream != NULL)
		closedir(stream);
	*repeated = lines.repeated;
	whole = whole && lines.count > 0;
	arena_close(arena);
	return whole;
}

/* valgrind's words before the command's own. */
static char **command_line(struct simulation *simulation, const struct subject *subject)
{
	struct arena *arena = simulation->arena;
	const char *const first[] = {
		"valgrind",
		"-q",
		"--tool=cachegrind",
		"--cache-sim=yes",
		"--trace-children=yes",
		arena_printf(arena, "--cachegrind-out-file=%s/%%p", simulation->directory),
		"--",
	};
	size_t first_count = sizeof first / sizeof *first;
	char **argv = arena_alloc(arena, first_count + subject->argc + 1, sizeof *argv);
	size_t i;

	for (i = 0; i < first_count; i++)
		argv[i] = arena_strdup(arena, first[i]);
	for (i = 0; i < subject->argc; i++)
		argv[first_count + i] = subject->argv[i];
	return argv;
}

static bool hook_run(struct simulation *simulation, const struct subject *subject,
		     const char *which, const char *command, bool is_ending, struct error *err)
{
	struct exec_hook hook = {
		.spawner = simulation->spawner,
		.kind = CHILD_RUN_HOOK,
		.name = which,
		.command = command,
		.shell = simulation->recording->plan.shell,
		.directory = subject->directory,
		.environment = subject->environment,
		.interrupt_fd = simulation->interrupt_fd,
		.limit_ns = simulation->recording->plan.budget_ns,
		.is_ending = is_ending,
	};

	return command == NULL || exec_hook_run(&hook, err);
}

/* What valgrind or the program wrote last to stderr. */
static const char *last_words(struct simulation *simulation)
{
	size_t length;
	const char *tail = child_stderr_tail(simulation->spawner, CHILD_MEASURED, &length);

	return exec_tail(simulation->arena, tail, length, WORDS_BYTES);
}

/* Why a run is of no use, as a remark. */
static void remark_failure(struct simulation *simulation, const struct subject *subject,
			   const struct child_outcome *outcome)
{
	struct arena *arena = simulation->arena;
	const char *label = text_clean(arena, subject->label, strlen(subject->label));
	const char *words = last_words(simulation);
	const char *reason;

	if (outcome->exec_error != 0)
		reason = strerror(outcome->exec_error);
	else if (outcome->timed_out)
		reason = "it took more than a hundred times the timeout";
	else if (WIFSIGNALED(outcome->wait_status))
		reason =
		    arena_printf(arena, "it died of signal %d", WTERMSIG(outcome->wait_status));
	else if (outcome->wait_status != 0)
		reason = exec_status(
		    arena, WIFEXITED(outcome->wait_status) ? WEXITSTATUS(outcome->wait_status) : 0,
		    WIFSIGNALED(outcome->wait_status) ? WTERMSIG(outcome->wait_status) : 0);
	else
		reason = "it left no counts";
	recording_remark(
	    arena, simulation->recording,
	    "Not simulated: %s under valgrind: %s%s%s; its simulated counts are missing.", label,
	    reason, *words == '\0' ? "" : "; its last words: ", words);
}

static void sample_add(struct simulation *simulation, uint32_t subject, uint32_t run,
		       const struct simulated_counts *counts)
{
	struct recording *recording = simulation->recording;
	struct sample *sample;
	size_t i;

	if (!simulation->metrics_added)
		for (i = 0; i < SIMULATED_METRICS; i++)
			simulation->metrics[i] = recording_add_metric(
			    simulation->arena, recording, metric_known(metric_names[i]));
	simulation->metrics_added = true;
	sample = recording_add_sample(simulation->arena, recording);
	sample->round = SIMULATED_ROUND + run;
	sample->position = subject;
	sample->subject = subject;
	sample->exit_status = 0;
	for (i = 0; i < SIMULATED_METRICS; i++)
		sample->values[simulation->metrics[i]] = (double)counts->values[i];
}

/* A program that reports its own numbers finds the descriptor it expects; what it says about times
 * under simulation is worth nothing. */
static void take_nothing(void *context, const char *bytes, size_t length)
{
	(void)context;
	(void)bytes;
	(void)length;
}

static const char *const *simulated_environment(struct simulation *simulation,
						const struct subject *subject)
{
	size_t count = 0, i;
	const char **environment;

	while (subject->environment != NULL && subject->environment[count] != NULL)
		count++;
	environment = arena_alloc(simulation->arena, count + 2, sizeof *environment);
	for (i = 0; i < count; i++)
		environment[i] = subject->environment[i];
	environment[count] = "WORTH_SIMULATED=1";
	return environment;
}

static bool valgrind_run(struct simulation *simulation, const struct subject *subject,
			 struct child_outcome *outcome, struct error *err)
{
	const struct plan *plan = &simulation->recording->plan;
	struct child_request request = child_request(command_line(simulation, subject));

	if (simulation->input_fd >= 0 && lseek(simulation->input_fd, 0, SEEK_SET) < 0)
		return error_set(
		    err, ERROR_INPUT,
		    "cannot read %s again for a simulated run: %s; give a regular file",
		    plan->input_path, strerror(errno));
	request.program = simulation->valgrind;
	request.environment = simulated_environment(simulation, subject);
	request.round_number = 1;
	request.directory = subject->directory;
	request.stdin_fd = simulation->input_fd;
	request.cpu = plan->cpu;
	request.report.take = take_nothing;
	if (plan->timeout_ns > 0 && plan->timeout_ns < INT64_MAX / 100)
		request.timeout_ns = plan->timeout_ns * 100;
	return child_run(simulation->spawner, &request, simulation->interrupt_fd, outcome, err);
}

/* One run of one subject. *useful: counts hold; otherwise a remark says why not. */
static bool run_once(struct simulation *simulation, const struct subject *subject,
		     struct simulated_counts *counts, bool *useful, struct error *err)
{
	struct child_outcome outcome;
	bool repeated = false, ended_well, done;

	*counts = (struct simulated_counts){ 0 };
	directory_empty(simulation->directory);
	done = hook_run(simulation, subject, "prepare", subject->prepare, false, err) &&
	       valgrind_run(simulation, subject, &outcome, err);
	/* What was prepared is concluded, whatever came between. */
	done =
	    hook_run(simulation, subject, "conclude", subject->conclude, true, done ? err : NULL) &&
	    done;
	if (!child_end_hooks(simulation->spawner, CHILD_RUN_HOOK, done ? err : NULL) || !done)
		return false;
	ended_well = outcome.exec_error == 0 && !outcome.timed_out &&
		     (outcome.wait_status == 0 || (simulation->recording->plan.ignore_failure &&
						   WIFEXITED(outcome.wait_status)));
	*useful = ended_well && collect(simulation, counts, &repeated);
	if (!*useful)
		remark_failure(simulation, subject, &outcome);
	else if (repeated)
		recording_remark(
		    simulation->arena, simulation->recording,
		    "Simulated counts add up all processes of a command; one that forks "
		    "without executing another program starts with its parent's counts.");
	return true;
}

/* Both runs of a subject, or none: one alone could not show whether they agree. */
static bool run_subject(struct simulation *simulation, uint32_t index, struct error *err)
{
	const struct subject *subject = &simulation->recording->plan.subjects[index];
	struct simulated_counts counts[2];
	bool useful = true;
	uint32_t run;

	for (run = 0; run < 2 && useful; run++)
		if (!run_once(simulation, subject, &counts[run], &useful, err))
			return false;
	for (run = 0; run < 2 && useful; run++)
		sample_add(simulation, index, run, &counts[run]);
	return true;
}

static bool was_simulated(const struct recording *recording)
{
	size_t i;

	for (i = 0; i < recording->sample_count; i++)
		if (recording->samples[i].round >= SIMULATED_ROUND)
			return true;
	return false;
}

bool simulated_measure(struct arena *arena, struct recording *recording, struct spawner *spawner,
		       int interrupt_fd, struct error *err)
{
	const struct plan *plan = &recording->plan;
	struct simulation simulation = { .arena = arena,
					 .recording = recording,
					 .spawner = spawner,
					 .interrupt_fd = interrupt_fd,
					 .input_fd = -1 };
	struct error absent;
	bool succeeded = true;
	uint32_t i;

	if (was_simulated(recording))
		return true;
	if (!file_find_program(arena, "valgrind", NULL, &simulation.valgrind, &absent)) {
		recording_remark(arena, recording,
				 "Not simulated: %s; install valgrind, on Debian with 'apt install "
				 "valgrind'.",
				 absent.sentence);
		return true;
	}
	if (!directory_make(&simulation)) {
		recording_remark(arena, recording,
				 "Not simulated: no directory for cachegrind's files can be made "
				 "(%s); set TMPDIR to a writable one.",
				 strerror(errno));
		return true;
	}
	if (plan->input_path != NULL) {
		simulation.input_fd = open(plan->input_path, O_RDONLY | O_CLOEXEC);
		if (simulation.input_fd < 0)
			succeeded = error_set(err, ERROR_INPUT, "cannot open %s: %s",
					      plan->input_path, strerror(errno));
	}
	for (i = 0; succeeded && i < plan_compared_count(plan); i++)
		succeeded = run_subject(&simulation, i, err);
	if (simulation.input_fd >= 0)
		close(simulation.input_fd);
	directory_empty(simulation.directory);
	rmdir(simulation.directory);
	return succeeded || error_prefix(err, "simulating");
}
