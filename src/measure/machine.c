/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Company: steal time, other processes' CPU time and waiting for a processor, around each run. One
 * pread of an open /proc/stat takes 3 us on two processors but grows with processors and interrupt
 * lines, so that it is read at most twice a round where runs are short, and not at all where a
 * round is over before three of its steps have passed.
 */
#include "measure/machine.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/monotonic.h"

enum {
	LONG_RUN_NS = 100000000,
	SHORTEST_ROUND_NS = 30000000,
	LEAST_DELAY_NS = 100000,
};

static double usage_cpu_s(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e-6;
}

static double worth_cpu_s(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage_cpu_s(&usage) : 0;
}

/* The line of one processor ("cpu3") or of all ("cpu"); guest time is already in user. */
static struct machine_ticks ticks_read(const struct machine *machine)
{
	struct machine_ticks ticks = { NAN, NAN };
	double per_s = (double)sysconf(_SC_CLK_TCK);
	unsigned long long t[8];
	char bytes[16384], key[32] = "cpu ";
	const char *line = bytes;
	ssize_t length = pread(machine->stat_fd, bytes, sizeof bytes - 1, 0);

	if (length <= 0)
		return ticks;
	bytes[length] = '\0';
	if (machine->cpu >= 0) {
		snprintf(key, sizeof key, "\ncpu%d ", machine->cpu);
		line = strstr(bytes, key);
	}
	if (line == NULL || sscanf(line + strlen(key), "%llu %llu %llu %llu %llu %llu %llu %llu",
				   &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 8)
		return ticks;
	ticks.busy_s = (double)(t[0] + t[1] + t[2] + t[5] + t[6]) / per_s;
	ticks.steal_s = (double)t[7] / per_s;
	return ticks;
}

static unsigned processors_allowed(void)
{
	cpu_set_t *set = CPU_ALLOC(8192);
	size_t size = CPU_ALLOC_SIZE(8192);
	unsigned count = 1;

	if (set != NULL && sched_getaffinity(0, size, set) == 0)
		count = (unsigned)CPU_COUNT_S(size, set);
	CPU_FREE(set);
	return count;
}

void machine_open(struct machine *machine, const struct plan *plan, const char *stat_path)
{
	size_t i;

	*machine = (struct machine){
		.stat_fd = open(stat_path, O_RDONLY | O_CLOEXEC),
		.cpu = plan->cpu,
		.processors = plan->cpu >= 0 ? 1 : processors_allowed(),
		.last_position = (uint32_t)plan->subject_count - 1,
		.round_ns = INT64_MAX,
	};
	for (i = 0; i < plan->subject_count; i++)
		machine->each_run = machine->each_run || plan->subjects[i].prepare != NULL ||
				    plan->subjects[i].conclude != NULL;
}

void machine_close(struct machine *machine)
{
	if (machine->stat_fd > 0)
		close(machine->stat_fd);
	machine->stat_fd = -1;
}

void machine_before(struct machine *machine, const struct slot *slot)
{
	bool short_rounds = machine->round_ns < SHORTEST_ROUND_NS;

	if (slot->position == 0) {
		machine->this_round_ns = 0;
		machine->open = false;
	}
	if (machine->open || machine->stat_fd < 0 || (short_rounds && !machine->each_run))
		return;
	machine->open = true;
	machine->interval_position = slot->position;
	machine->interval_own_s = 0;
	machine->worth_s = worth_cpu_s();
	machine->ticks = ticks_read(machine);
	machine->interval_started_ns = monotonic_ns();
}

bool machine_delay_disturbs(const struct child_outcome *outcome, double migrations,
			    unsigned processors)
{
	double wall_ns = (double)outcome->wall_ns, delay_ns = (double)outcome->run_delay_ns;
	double own_ns = usage_cpu_s(&outcome->usage) * 1e9;
	double limit = migrations > 0 ? 0.02 : 0.05; /* NAN compares false */
	/* Where the run alone wants all there is, and more ran meanwhile than one thread can have
	 * run, it stood in its own way. */
	bool fills = own_ns >= 0.8 * processors * wall_ns && own_ns + delay_ns > 1.05 * wall_ns;

	return delay_ns >= LEAST_DELAY_NS && delay_ns > limit * wall_ns && !fills;
}

bool machine_interval_disturbs(double span_s, double steal_s, double others_s)
{
	return steal_s > fmax(0.01 * span_s, 0.015) || others_s > fmax(0.1 * span_s, 0.03);
}

static bool interval_close(struct machine *machine)
{
	double span_s = (double)(monotonic_ns() - machine->interval_started_ns) * 1e-9;
	struct machine_ticks ticks = ticks_read(machine);
	double own_s = machine->interval_own_s;

	/* On one processor this process is company; among all of them it is known and left out. */
	if (machine->cpu < 0)
		own_s += worth_cpu_s() - machine->worth_s;
	machine->open = false;
	return machine_interval_disturbs(span_s, ticks.steal_s - machine->ticks.steal_s,
					 ticks.busy_s - machine->ticks.busy_s - own_s);
}

/* All runs of this round from the interval's first on. */
static void mark_interval(const struct machine *machine, struct recording *recording,
			  struct sample *sample)
{
	size_t i;

	sample->flags |= SAMPLE_DISTURBED;
	for (i = recording->sample_count; i > 0; i--) {
		struct sample *other = &recording->samples[i - 1];

		if (other->round != sample->round ||
		    (other->flags & SAMPLE_WARMUP) != (sample->flags & SAMPLE_WARMUP))
			break;
		if (other->position >= machine->interval_position)
			other->flags |= SAMPLE_DISTURBED;
	}
}

void machine_after(struct machine *machine, const struct slot *slot,
		   const struct child_outcome *outcome, double migrations,
		   struct recording *recording, struct sample *sample)
{
	bool round_ends = slot->position == machine->last_position;

	machine->this_round_ns += outcome->wall_ns;
	machine->interval_own_s += usage_cpu_s(&outcome->usage);
	if (machine->open && (machine->each_run || outcome->wall_ns >= LONG_RUN_NS || round_ends) &&
	    interval_close(machine))
		mark_interval(machine, recording, sample);
	if (round_ends)
		machine->round_ns = machine->this_round_ns;
	if (machine_delay_disturbs(outcome, migrations, machine->processors))
		sample->flags |= SAMPLE_DISTURBED;
}
