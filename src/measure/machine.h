/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEASURE_MACHINE_H
#define MEASURE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/child.h"
#include "measure/schedule.h"
#include "model/recording.h"

/*
 * Watches what else the machine does while runs are measured, and marks the
 * samples SAMPLE_DISTURBED. A mark never removes a sample; reports count them.
 * The rule, per run:
 *
 *	its main thread stood runnable without a processor for more than 5% of
 *	its wall time (2% if it was also moved to another processor), at least
 *	100 us, and it was not its own threads that filled the machine;
 *
 * and per interval of /proc/stat, which steps by 10 ms:
 *
 *	the hypervisor stole more than 1% of the interval, at least 15 ms; or
 *	others used more than 10% of one processor, at least 30 ms
 *	(of the run's own processor where it is pinned).
 *
 * The interval is the run where it takes 100 ms or more, else the round, and
 * then the mark is on all its runs; rounds shorter than 30 ms show nothing. A
 * migration alone is no mark: the scheduler moves the processes of a pipeline
 * on an idle machine too.
 */
struct machine_ticks {
	double busy_s, steal_s; /* since boot; NAN: unknown */
};

struct machine {
	int stat_fd;	     /* /proc/stat; -1: absent, then only run delays mark */
	int cpu;	     /* the processor the runs are pinned to, -1: free */
	unsigned processors; /* that the runs may use */
	uint32_t last_position;
	bool each_run;	  /* hooks work between the runs: no interval may span them */
	bool open;	  /* an interval is open, its beginning is known */
	int64_t round_ns; /* wall time of the last round's runs; unlimited before the first */
	int64_t this_round_ns;
	int64_t interval_started_ns;
	uint32_t interval_position; /* of its first run */
	double interval_own_s;	    /* CPU time of its runs so far */
	double worth_s;		    /* CPU time of this process at its beginning */
	struct machine_ticks ticks; /* at its beginning */
};

/* Never fails: what cannot be watched is not. stat_path is "/proc/stat". */
void machine_open(struct machine *machine, const struct plan *plan, const char *stat_path);
void machine_close(struct machine *machine);

/* Around each run: 12 us a run on two processors where it reads, nothing measurable where rounds
 * are too short for it. after fills sample->flags, and those of the earlier samples of the same
 * round in recording; the sample may or may not be in there. migrations is the run's number, NAN:
 * not counted. */
void machine_before(struct machine *machine, const struct slot *slot);
void machine_after(struct machine *machine, const struct slot *slot,
		   const struct child_outcome *outcome, double migrations,
		   struct recording *recording, struct sample *sample);

/* The two halves of the rule, for themselves. */
bool machine_delay_disturbs(const struct child_outcome *outcome, double migrations,
			    unsigned processors);
bool machine_interval_disturbs(double span_s, double steal_s, double others_s);

#endif
