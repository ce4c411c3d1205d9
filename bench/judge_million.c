/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judging a million pairs: time and peak memory of the Hodges-Lehmann estimate
 * with both bounds, on values without ties and on those of a coarse clock; then
 * of a whole recording of so many rounds, with looks, summaries and warnings.
 *
 *	judge_million [PAIRS]
 *
 * Ends with status 1 where a target is missed. The peak is that of this
 * process, with the pairs (8 bytes each) and the recording (160 bytes a round).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/random.h"
#include "judge/judge.h"
#include "stats/location.h"

static const double target_s = 3, target_mb = 300;

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Log ratios with a deviation of about 2 %, and a stall in one run of twenty. */
static void fill(double *d, size_t n, double step)
{
	struct random random = { .state = 1 };
	size_t i;

	for (i = 0; i < n; i++) {
		double radius = sqrt(-2 * log(1 - random_unit(&random)));

		d[i] = 0.02 * radius * cos(2 * M_PI * random_unit(&random));
		if (random_unit(&random) < 0.05)
			d[i] += 0.5 * random_unit(&random);
		if (step > 0)
			d[i] = step * round(d[i] / step);
	}
}

static double measure(const char *name, double *d, size_t n, double step)
{
	struct interval interval;
	double seconds;

	fill(d, n, step);
	seconds = seconds_now();
	interval = location_paired(d, n, 0.05);
	seconds = seconds_now() - seconds;
	printf("%-22s %9zu pairs  %6.3f s   %+.6f [%+.6f, %+.6f]\n", name, n, seconds,
	       interval.estimate, interval.low, interval.high);
	return seconds;
}

static void fill_round(struct recording *recording, struct random *random, double *values, size_t i,
		       double ratio)
{
	uint32_t first = (uint32_t)random_below(random, 2), place;

	for (place = 0; place < 2; place++) {
		struct sample *sample = &recording->samples[2 * i + place];

		sample->round = (uint32_t)i;
		sample->position = place;
		sample->subject = place ^ first;
		sample->values = &values[2 * i + place];
		*sample->values = round(1e7 * (sample->subject == 0 ? 1 : exp(ratio))) * 1e-9;
	}
}

/* d as log ratios of rounds of 10 ms, to the ns. */
static struct recording record(struct arena *arena, const double *d, size_t n)
{
	struct recording recording = {
		.origin = "measured", .order_known = true, .end = END_COMPLETE, .rounds_done = n
	};
	struct random random = { .state = 2 };
	double *values = arena_alloc(arena, 2 * n, sizeof *values);
	size_t i;

	recording.plan = (struct plan){ .subjects = arena_alloc(arena, 2, sizeof(struct subject)),
					.subject_count = 2,
					.rounds = n,
					.peek = true,
					.primary = "wall",
					.margin_ratio = 0.01,
					.confidence = 0.95 };
	recording_add_metric(arena, &recording,
			     &(struct metric){ .name = "wall", .unit = "s", .quantum = 1e-9 });
	recording.samples = arena_alloc(arena, 2 * n, sizeof *recording.samples);
	recording.sample_count = recording.sample_capacity = 2 * n;
	for (i = 0; i < n; i++)
		fill_round(&recording, &random, values, i, d[i]);
	return recording;
}

static double measure_recording(double *d, size_t n)
{
	struct arena *arena = arena_open();
	struct recording recording;
	struct findings findings;
	double seconds;

	fill(d, n, 0);
	recording = record(arena, d, n);
	seconds = seconds_now();
	judge_recording(arena, &recording, &findings);
	seconds = seconds_now() - seconds;
	printf("%-22s %9zu rounds %6.3f s   %+.6f [%+.6f, %+.6f] %s\n", "a whole recording", n,
	       seconds, findings.comparisons->change, findings.comparisons->change_low,
	       findings.comparisons->change_high, verdict_name(findings.verdict));
	arena_close(arena);
	return seconds;
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
	double *d = calloc(n, sizeof *d), slowest, peak_mb;
	struct rusage usage;

	if (d == NULL || n == 0) {
		fprintf(stderr, "judge_million: give a number of pairs that fits into memory\n");
		return 2;
	}
	slowest = measure("all different", d, n, 0);
	slowest = fmax(slowest, measure("steps of a tenth of sd", d, n, 0.002));
	slowest = fmax(slowest, measure("steps of 2 sd", d, n, 0.04));
	slowest = fmax(slowest, measure_recording(d, n));
	getrusage(RUSAGE_SELF, &usage);
	peak_mb = (double)usage.ru_maxrss / 1024;
	printf("slowest   %6.3f s   %.2f of the %.0f s allowed\n", slowest, slowest / target_s,
	       target_s);
	printf("peak      %6.1f MiB  %.2f of the %.0f MiB allowed\n", peak_mb, peak_mb / target_mb,
	       target_mb);
	free(d);
	return slowest > target_s || peak_mb > target_mb;
}
