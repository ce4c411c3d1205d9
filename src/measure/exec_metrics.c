/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What wait4 and the clock say, as columns of a recording. */
#include "measure/exec_metrics.h"

#include <assert.h>
#include <math.h>
#include <sys/wait.h>

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static double wall(const struct child_outcome *outcome)
{
	return (double)outcome->wall_ns * 1e-9;
}

/* Of the microseconds, so that the sum has no rounding of its own. */
static double cpu(const struct child_outcome *outcome)
{
	const struct rusage *usage = &outcome->usage;

	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e-6;
}

static double user(const struct child_outcome *outcome)
{
	return seconds(outcome->usage.ru_utime);
}

static double sys(const struct child_outcome *outcome)
{
	return seconds(outcome->usage.ru_stime);
}

static double max_rss(const struct child_outcome *outcome)
{
	return (double)outcome->usage.ru_maxrss * 1024;
}

static double minor_faults(const struct child_outcome *outcome)
{
	return (double)outcome->usage.ru_minflt;
}

static double major_faults(const struct child_outcome *outcome)
{
	return (double)outcome->usage.ru_majflt;
}

static double voluntary_switches(const struct child_outcome *outcome)
{
	return (double)outcome->usage.ru_nvcsw;
}

static double involuntary_switches(const struct child_outcome *outcome)
{
	return (double)outcome->usage.ru_nivcsw;
}

static double block_input(const struct child_outcome *outcome)
{
	return (double)outcome->usage.ru_inblock;
}

static double block_output(const struct child_outcome *outcome)
{
	return (double)outcome->usage.ru_oublock;
}

static double run_delay(const struct child_outcome *outcome)
{
	return outcome->run_delay_ns < 0 ? (double)NAN : (double)outcome->run_delay_ns * 1e-9;
}

static const struct {
	const char *name;
	double (*value)(const struct child_outcome *outcome);
} table[EXEC_METRICS] = {
	{ "wall", wall },
	{ "cpu", cpu },
	{ "user", user },
	{ "sys", sys },
	{ "max rss", max_rss },
	{ "minor faults", minor_faults },
	{ "major faults", major_faults },
	{ "voluntary switches", voluntary_switches },
	{ "involuntary switches", involuntary_switches },
	{ "block input", block_input },
	{ "block output", block_output },
	{ "run delay", run_delay },
};

void exec_metrics_open(struct arena *arena, struct recording *recording,
		       size_t columns[EXEC_METRICS])
{
	size_t i;

	for (i = 0; i < EXEC_METRICS; i++) {
		const struct metric *metric = metric_known(table[i].name);

		assert(metric != NULL);
		columns[i] = recording_add_metric(arena, recording, metric);
	}
}

static void read_status(const struct child_outcome *outcome, struct sample *sample)
{
	int status = outcome->wait_status;

	sample->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	sample->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (outcome->timed_out)
		sample->flags |= SAMPLE_TIMED_OUT | SAMPLE_FAILED;
	if (status != 0)
		sample->flags |= SAMPLE_FAILED;
	if (outcome->stray_count > 0)
		sample->flags |= SAMPLE_STRAYS;
}

void exec_metrics_read(const struct child_outcome *outcome, const size_t columns[EXEC_METRICS],
		       struct sample *sample)
{
	size_t i;

	for (i = 0; i < EXEC_METRICS; i++)
		sample->values[columns[i]] = table[i].value(outcome);
	read_status(outcome, sample);
}
