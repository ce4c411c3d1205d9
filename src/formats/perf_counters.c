/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of perf stat: see perf_counters.h. */
#include "formats/perf_counters.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "formats/input/number.h"
#include "formats/input/unit.h"

/* One event at one place: what its intervals sum up to. */
struct sum {
	size_t measure;
	double value, quantum;
	size_t intervals, uncounted;
	size_t line;
};

struct perf_counters {
	struct results *results;
	struct arena *arena;
	struct sum *sums;
	size_t sum_count, sum_capacity;
	size_t intervals; /* different times seen */
	char *last_interval;
	bool averaged;
	double least_running;
};

struct perf_counters *perf_counters_open(struct results *results)
{
	struct arena *arena = arena_open();
	struct perf_counters *counters = arena_alloc(arena, 1, sizeof *counters);

	counters->results = results;
	counters->arena = arena;
	counters->least_running = 100;
	return counters;
}

void perf_counters_close(struct perf_counters *counters)
{
	if (counters != NULL)
		arena_close(counters->arena);
}

/* Times are what a user looks at first; the other events explain them. */
static bool is_time(const char *event)
{
	static const char *const times[] = { "duration_time", "task-clock", "cpu-clock" };
	size_t i;

	for (i = 0; i < sizeof times / sizeof *times; i++)
		if (strcmp(times[i], event) == 0)
			return true;
	return false;
}

static size_t counter_measure(struct perf_counters *counters, const struct perf_counter *counter,
			      const struct unit **unit)
{
	struct measure measure = { .scope = counter->place,
				   .metric = counter->event,
				   .better = BETTER_LOWER,
				   .secondary = !is_time(counter->event) };

	*unit = unit_find(counter->unit, strlen(counter->unit));
	measure.unit = *unit == NULL ? counter->unit : (*unit)->base;
	if (measure.scope != NULL && measure.scope[0] == '\0')
		measure.scope = NULL;
	return results_measure(counters->results, &measure);
}

static struct sum *sum_of(struct perf_counters *counters, size_t measure, size_t line)
{
	size_t i;

	for (i = 0; i < counters->sum_count; i++)
		if (counters->sums[i].measure == measure)
			return &counters->sums[i];
	*array_push(counters->arena, counters->sums, counters->sum_count, counters->sum_capacity) =
	    (struct sum){ .measure = measure, .line = line };
	return &counters->sums[counters->sum_count - 1];
}

static void add_interval(struct perf_counters *counters, size_t measure,
			 const struct perf_counter *counter, bool counted, struct number number)
{
	struct sum *sum = sum_of(counters, measure, counter->line);

	if (counters->last_interval == NULL ||
	    strcmp(counters->last_interval, counter->interval) != 0) {
		counters->intervals++;
		counters->last_interval = arena_strdup(counters->arena, counter->interval);
	}
	sum->intervals++;
	sum->uncounted += !counted;
	sum->value += counted ? number.value : 0;
	sum->quantum = fmax(sum->quantum, number.quantum);
}

bool perf_counters_add(struct perf_counters *counters, const struct perf_counter *counter,
		       const char **expected)
{
	bool counted = counter->value[0] != '<';
	struct number number = { NAN, 0 };
	const struct unit *unit;
	struct reading reading = { .line = counter->line };
	size_t measure;

	*expected = "a number, <not supported> or <not counted>";
	if (counted && !number_parse_local(counter->value, strlen(counter->value), true, &number))
		return false;
	measure = counter_measure(counters, counter, &unit);
	if (unit != NULL)
		number = unit_base(unit, number);
	if (counted && isfinite(counter->running) && counter->running < counters->least_running)
		counters->least_running = counter->running;
	if (counter->interval != NULL) {
		add_interval(counters, measure, counter, counted, number);
		return true;
	}
	if (counted && counter->averaged) {
		counters->averaged = true;
		results_summary(counters->results, 0, measure, number.value, NAN, 0, counter->line);
		return true;
	}
	reading.value = number.value;
	reading.quantum = number.quantum;
	reading.state = counted ? READING_GOOD : READING_MISSING;
	results_add(counters->results, 0, measure, &reading);
	return true;
}

void perf_counters_finish(struct perf_counters *counters)
{
	size_t i;

	for (i = 0; i < counters->sum_count; i++) {
		const struct sum *sum = &counters->sums[i];
		struct reading reading = { .value = sum->value,
					   .quantum = sum->quantum,
					   .line = sum->line };

		if (sum->uncounted > 0)
			reading.state = READING_MISSING;
		results_add(counters->results, 0, sum->measure, &reading);
	}
	if (counters->intervals > 1)
		results_remark(counters->results,
			       "the %zu intervals of perf stat -I are parts of one run: they were "
			       "added up",
			       counters->intervals);
	if (counters->averaged)
		results_remark(counters->results,
			       "perf stat -r printed means without the runs or their number: run "
			       "perf once for each run and append (-o FILE --append)");
	if (counters->least_running < 100)
		results_remark(counters->results,
			       "events shared the counters (down to %.4g%% of the time): their "
			       "values are estimates",
			       counters->least_running);
}
