/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots as boots. QEMU is a child like any other: it is started by the spawner,
 * dies with worth, and is killed at the timeout or the user's word; what the
 * guest reports comes through the report pipe, the kernel's messages through
 * the one that holds the tail of stderr.
 */
#include "boot/runner_boot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "base/random.h"
#include "base/text.h"
#include "boot/channel.h"
#include "boot/guest.h"
#include "measure/child.h"
#include "measure/environment.h"
#include "measure/exec_hooks.h"
#include "measure/self_report.h"

enum {
	TAIL_SHOWN_BYTES = 700,
	RESULTS_BYTES = 1 << 20,
	SENTENCE_BYTES = 512,
	/* Memory is varied by so many steps of 1 MiB below what was asked for. */
	MEMORY_STEPS = 24,
	PADDING_BYTES = 1 << 16,
};

/* Beside a work runs what it makes the kernel do later (RCU, work queues), which belongs to its
 * costs; the agent has seen that the guest was idle before and after. Above the first share the
 * report says so; above the second it is somebody else's work, such as a self test that started
 * meanwhile: it would have half of the processor. */
#define FOREIGN_TOLD_SHARE 0.02
#define FOREIGN_SHARE 0.2
/* The accounts of idle time have a step of 10 ms, at both ends. */
#define FOREIGN_STEP_NS 20000000

#define INSTRUCTIONS "insn"
#define PANIC "Kernel panic"

enum boot_metric { METRIC_BOOT, METRIC_MEMORY, METRIC_WALL, BOOT_METRICS };

struct boot {
	struct spawner *spawner;
	int interrupt_fd;
	const struct boot_settings *settings;
	struct arena *arena;
	const struct plan *plan;
	struct text files; /* of the guest */
	struct text results;
	struct self_report report;
	size_t columns[BOOT_METRICS];
	char sentence[SENTENCE_BYTES]; /* why the last boot failed, "": it did not, or the console
					  tells */
	bool came_up;		       /* so far that worth's program was started */
};

static bool boot_open(struct runner *runner, struct arena *arena, struct recording *recording,
		      struct error *err)
{
	static const struct metric metrics[2][BOOT_METRICS] = {
		[BOOT_INSTRUCTIONS] = {
			{ "boot", INSTRUCTIONS, BETTER_LOWER, SOURCE_EMULATED, 1, false, false },
			{ "kernel memory", "B", BETTER_LOWER, SOURCE_EMULATED, 1024, false, false },
			{ "wall", "s", BETTER_LOWER, SOURCE_CLOCK, 1e-9, false, true },
		},
		[BOOT_TIME] = {
			{ "boot", "s", BETTER_LOWER, SOURCE_REPORTED, 1e-9, false, false },
			{ "kernel memory", "B", BETTER_LOWER, SOURCE_REPORTED, 1024, false, false },
			{ "wall", "s", BETTER_LOWER, SOURCE_CLOCK, 1e-9, false, true },
		},
	};
	struct boot *boot = runner->state;
	size_t i;

	boot->arena = arena;
	boot->plan = &recording->plan;
	if (!guest_files(arena, boot->settings, &boot->files, err))
		return false;
	for (i = 0; i < BOOT_METRICS; i++)
		boot->columns[i] =
		    recording_add_metric(arena, recording, &metrics[boot->settings->mode][i]);
	return true;
}

static void boot_environment(struct runner *runner, struct arena *arena, bool again,
			     struct environment *environment)
{
	(void)runner;
	if (again)
		environment_read_again(arena, environment);
	else
		environment_read(arena, environment);
}

/* Hooks are for commands; a plan of boots has none. */
static bool boot_hook(struct runner *runner, const char *which, const char *command,
		      struct error *err)
{
	(void)runner;
	(void)command;
	return command == NULL || error_set(err, ERROR_USAGE, "a boot has no %s hook", which);
}

static void take_results(void *context, const char *bytes, size_t length)
{
	struct text *results = context;

	if (results->length + length <= RESULTS_BYTES)
		text_add_bytes(results, bytes, length);
}

/* The machine of one slot. */
static struct qemu make_qemu(const struct boot *boot, const struct slot *slot,
			     const char *initramfs_path, uint64_t random)
{
	const struct boot_settings *settings = boot->settings;
	bool varied = boot->plan->environment_padding;

	return (struct qemu){
		.program = settings->qemu,
		.mode = settings->mode,
		.kernel_path = settings->kernels[slot->subject].path,
		.initramfs_path = initramfs_path,
		.memory_mib =
		    settings->memory_mib - (varied ? (unsigned)(random % MEMORY_STEPS) : 0),
		.seed = varied ? random >> 32 : 1,
		.report_fd = CHILD_REPORT_FD,
		.fixed_layout = !varied,
		.append = settings->append,
	};
}

static void mark_failed(struct sample *sample, const struct child_outcome *outcome)
{
	sample->flags |= SAMPLE_FAILED;
	if (outcome->timed_out)
		sample->flags |= SAMPLE_TIMED_OUT;
	sample->exit_status =
	    WIFEXITED(outcome->wait_status) ? WEXITSTATUS(outcome->wait_status) : -1;
	sample->signal = WIFSIGNALED(outcome->wait_status) ? WTERMSIG(outcome->wait_status) : 0;
	/* QEMU ends well when a guest panics; the run has not. */
	if (sample->exit_status == 0)
		sample->exit_status = 1;
}

/* The first work that failed or was disturbed, as a sentence. */
static bool works_are_good(struct boot *boot, const struct boot_result *result)
{
	size_t i;

	for (i = 0; i < result->job_count; i++) {
		const struct boot_job *job = &result->jobs[i];
		double limit_ns = FOREIGN_SHARE * (double)job->cpu_ns + FOREIGN_STEP_NS;

		if (job->status != 0) {
			snprintf(boot->sentence, sizeof boot->sentence,
				 "the workload %s ended with status %d", job->name, job->status);
			return false;
		}
		if ((double)job->foreign_ns > limit_ns) {
			snprintf(boot->sentence, sizeof boot->sentence,
				 "beside the workload %s, which took %.3g s, others used the "
				 "processor for %.3g s%s%s: its figure would contain them",
				 job->name, (double)job->cpu_ns / 1e9,
				 (double)job->foreign_ns / 1e9,
				 strcmp(job->busiest, "-") == 0 ? "" : ", most of it ",
				 strcmp(job->busiest, "-") == 0 ? "" : job->busiest);
			return false;
		}
	}
	return true;
}

/* Whether a boot went as it should; else sentence says why, as far as the results tell. */
static bool is_good(struct boot *boot, const struct child_outcome *outcome,
		    const struct boot_result *result)
{
	char *sentence = boot->sentence;

	*sentence = '\0';
	boot->came_up = result->hello;
	if (result->busy != NULL)
		snprintf(sentence, SENTENCE_BYTES, "the guest never became idle, kept busy by %s",
			 strcmp(result->busy, "-") == 0 ? "an unknown task" : result->busy);
	else if (result->running != NULL)
		snprintf(sentence, SENTENCE_BYTES, "the workload %s did not end", result->running);
	else if (!result->hello)
		snprintf(sentence, SENTENCE_BYTES,
			 "the kernel did not come to start worth's program in %u MiB (--memory "
			 "gives it more, --show-output shows what it prints)",
			 boot->settings->memory_mib);
	else if (!result->done)
		snprintf(sentence, SENTENCE_BYTES, "the guest stopped before its work was done");
	else if (result->clocksource != NULL && strcmp(result->clocksource, "jiffies") == 0)
		snprintf(sentence, SENTENCE_BYTES,
			 "the guest's only clock is the jiffies, whose step is milliseconds: its "
			 "figures would mean nothing");
	return *sentence == '\0' && works_are_good(boot, result) && !outcome->timed_out;
}

/* Figures of an emulated machine: boots are no pairs, since each draws its own variation, and
 * equal ones are exact. */
static void mark_emulated(struct recording *recording)
{
	size_t i;

	for (i = 0; i < recording->metric_count; i++)
		if (strcmp(recording->metrics[i].unit, INSTRUCTIONS) == 0)
			recording->metrics[i].source = SOURCE_EMULATED;
}

static void remark_foreign(struct boot *boot, const struct boot_result *result,
			   struct recording *recording)
{
	size_t i;

	for (i = 0; i < result->job_count; i++) {
		const struct boot_job *job = &result->jobs[i];

		if ((double)job->foreign_ns >
		    FOREIGN_TOLD_SHARE * (double)job->cpu_ns + FOREIGN_STEP_NS)
			recording_remark(
			    boot->arena, recording,
			    "%s contains what it makes the kernel do later, in threads "
			    "of its own: more than 2%% of the time",
			    job->name);
	}
}

static void read_values(struct boot *boot, const struct slot *slot,
			const struct child_outcome *outcome, const struct boot_result *result,
			struct recording *recording, struct sample *sample)
{
	const char *label = boot->plan->subjects[slot->subject].label;
	bool instructions = boot->settings->mode == BOOT_INSTRUCTIONS;
	double boot_ns = result->boot_ns < 0 ? (double)NAN : (double)result->boot_ns;

	sample->values[boot->columns[METRIC_BOOT]] =
	    instructions ? ldexp(boot_ns, -QEMU_SHIFT) : boot_ns / 1e9;
	sample->values[boot->columns[METRIC_MEMORY]] = result->memory_bytes;
	sample->values[boot->columns[METRIC_WALL]] = (double)outcome->wall_ns / 1e9;
	self_report_clear(&boot->report);
	self_report_take(&boot->report, text_string(&result->reports), result->reports.length);
	self_report_read(boot->arena, &boot->report, text_clean(boot->arena, label, strlen(label)),
			 recording, sample);
	mark_emulated(recording);
	remark_foreign(boot, result, recording);
	if (result->kernel != NULL)
		recording_remark(boot->arena, recording, "%s is Linux %s", label, result->kernel);
}

static bool read_outcome(struct boot *boot, const struct slot *slot,
			 const struct child_outcome *outcome, struct recording *recording,
			 struct sample *sample, struct error *err)
{
	struct boot_result result;

	if (outcome->exec_error != 0)
		return error_set(err, ERROR_SYSTEM, "cannot start %s: %s", boot->settings->qemu,
				 strerror(outcome->exec_error));
	channel_read(boot->arena, text_string(&boot->results), boot->results.length,
		     boot->settings->mode == BOOT_INSTRUCTIONS, QEMU_SHIFT, &result);
	sample->started_ns = outcome->started_ns;
	sample->exit_status = 0;
	if (!is_good(boot, outcome, &result))
		mark_failed(sample, outcome);
	read_values(boot, slot, outcome, &result, recording, sample);
	boot_result_release(&result);
	return true;
}

static bool boot_run(struct runner *runner, struct recording *recording, const struct slot *slot,
		     struct sample *sample, struct error *err)
{
	struct boot *boot = runner->state;
	struct random random = { slot->seed };
	uint64_t drawn;
	size_t padding_bytes;
	const char *initramfs_path;
	struct child_outcome outcome;
	struct child_request request;
	struct qemu qemu;
	bool ok;
	int fd;

	drawn = random_next(&random);
	padding_bytes = boot->plan->environment_padding ? random_next(&random) % PADDING_BYTES : 0;
	ok = guest_initramfs(boot->arena, &boot->files, padding_bytes, &fd, &initramfs_path, err);
	if (ok) {
		qemu = make_qemu(boot, slot, initramfs_path, drawn);
		request = child_request(qemu_argv(boot->arena, &qemu));
		request.program = qemu.program;
		request.timeout_ns = boot->plan->timeout_ns;
		request.report = (struct child_sink){ take_results, &boot->results };
		if (boot->settings->show)
			request.stderr_fd = STDERR_FILENO;
		text_clear(&boot->results);
		ok = child_run(boot->spawner, &request, boot->interrupt_fd, &outcome, err) &&
		     read_outcome(boot, slot, &outcome, recording, sample, err);
	}
	if (fd >= 0)
		close(fd);
	return ok;
}

/* That worth ended QEMU is no news of the guest. */
static size_t without_end_of_qemu(char *plain, size_t length)
{
	static const char words[] = ": terminating on signal ";
	char *found = memmem(plain, length, words, sizeof words - 1);

	if (found == NULL)
		return length;
	while (found > plain && found[-1] != '\n')
		found--;
	*found = '\0';
	return (size_t)(found - plain);
}

/* A console ends its lines by carriage returns, too. What a kernel says when it panics comes before
 * the trace that would push it out. */
static const char *console_tail(struct boot *boot, const char *tail, size_t length)
{
	char *plain = arena_alloc(boot->arena, length + 1, 1), *panic, *next;
	size_t count = 0, i;

	for (i = 0; i < length; i++)
		if (tail[i] != '\r')
			plain[count++] = tail[i];
	count = without_end_of_qemu(plain, count);
	panic = NULL;
	for (next = strstr(plain, PANIC); next != NULL; next = strstr(next + 1, PANIC))
		panic = next;
	if (panic != NULL)
		return text_clean(boot->arena, panic, strcspn(panic, "\n"));
	return exec_tail(boot->arena, plain, count, TAIL_SHOWN_BYTES);
}

/* What a kernel lacks by what it says for want of it. */
static const char *what_lacks(const char *tail, size_t length)
{
	static const char *const signs[][2] = {
		{ "No working init found", "CONFIG_BLK_DEV_INITRD" },
		{ "Unable to mount root fs", "CONFIG_BLK_DEV_INITRD" },
		{ "/init failed (error -8)", "CONFIG_BINFMT_ELF and CONFIG_64BIT" },
		{ "/init exists but couldn't execute it", "CONFIG_BINFMT_ELF and CONFIG_64BIT" },
	};
	size_t i;

	for (i = 0; i < sizeof signs / sizeof *signs; i++)
		if (memmem(tail, length, signs[i][0], strlen(signs[i][0])) != NULL)
			return signs[i][1];
	return NULL;
}

/* Why, and what the kernel said last. */
static const char *boot_stderr_tail(struct runner *runner)
{
	struct boot *boot = runner->state;
	size_t length;
	const char *tail = child_stderr_tail(boot->spawner, CHILD_MEASURED, &length);
	const char *lacks = what_lacks(tail, length);

	if (lacks != NULL)
		snprintf(boot->sentence, sizeof boot->sentence,
			 "the kernel cannot start a program from an initramfs: build it with %s",
			 lacks);
	tail = console_tail(boot, tail, length);
	if (*boot->sentence == '\0')
		return tail;
	if (*tail == '\0' && boot->came_up)
		return boot->sentence;
	if (*tail == '\0')
		return arena_printf(boot->arena,
				    "%s; its console is silent (a serial one needs "
				    "CONFIG_SERIAL_8250_CONSOLE)",
				    boot->sentence);
	return arena_printf(boot->arena, "%s; the console's last lines: %s", boot->sentence, tail);
}

static int64_t boot_now_ns(struct runner *runner)
{
	(void)runner;
	return monotonic_ns();
}

static void boot_close(struct runner *runner)
{
	struct boot *boot = runner->state;

	if (boot == NULL)
		return;
	text_release(&boot->files);
	text_release(&boot->results);
	self_report_release(&boot->report);
	free(boot);
	runner->state = NULL;
}

struct runner runner_boot(struct spawner *spawner, int interrupt_fd,
			  const struct boot_settings *settings)
{
	static const struct runner_ops ops = {
		.open = boot_open,
		.environment = boot_environment,
		.hook = boot_hook,
		.run = boot_run,
		.stderr_tail = boot_stderr_tail,
		.now_ns = boot_now_ns,
		.close = boot_close,
	};
	struct boot *boot = calloc(1, sizeof *boot);

	if (boot == NULL)
		arena_out_of_memory();
	boot->spawner = spawner;
	boot->interrupt_fd = interrupt_fd;
	boot->settings = settings;
	return (struct runner){ .ops = &ops, .state = boot };
}
