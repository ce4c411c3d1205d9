/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "build.h"

static struct fact facts[] = {
	{ "host", "tern" },
	{ "cpu model", "Intel(R) Xeon(R) Gold 6230" },
	{ "cpus online", "0-1" },
	{ "kernel", "6.1.0-18-amd64" },
	{ "env PATH", "/home/ann/bin:/usr/bin" },
};

static struct environment environment_at(int64_t taken_at_s, double load)
{
	return (struct environment){
		.taken_at_s = taken_at_s,
		.facts = facts,
		.fact_count = sizeof facts / sizeof *facts,
		.load_1min = load,
		.memory_available_bytes = NAN,
		.steal_s = NAN,
		.busy_s = NAN,
		.idle_s = NAN,
	};
}

static char **words_of(struct arena *arena, const char *command)
{
	char **argv = arena_alloc(arena, 2, sizeof *argv);

	argv[0] = arena_strdup(arena, command);
	return argv;
}

struct subject *made_subject(struct made *made, const char *label, const char *command)
{
	struct plan *plan = &made->recording.plan;
	struct subject *subject = &plan->subjects[plan->subject_count++];

	*subject = (struct subject){
		.label = label,
		.command = command,
		.argv = words_of(made->arena, command),
		.argc = 1,
	};
	return subject;
}

void made_init(struct made *made)
{
	enum { MOST_SUBJECTS = 16 };
	struct recording *recording = &made->recording;

	memset(made, 0, sizeof *made);
	made->arena = arena_open();
	made->random.state = 1;
	recording->origin = "measured";
	recording->order_known = true;
	recording->end = END_DECIDED;
	recording->before = environment_at(1782909200, 0.31);
	recording->after = environment_at(1782909258, 0.84);
	recording->plan = (struct plan){
		.subjects = arena_alloc(made->arena, MOST_SUBJECTS, sizeof(struct subject)),
		.rounds = 80,
		.warmup_rounds = 1,
		.peek = true,
		.seed = 20260701,
		.primary = "wall",
		.margin_ratio = 0.01,
		.confidence = 0.95,
		.cpu = -1,
		.environment_padding = true,
	};
	made_subject(made, "baseline", "./sort.old big.txt");
	made_subject(made, "candidate", "./sort.new big.txt");
}

void made_release(struct made *made)
{
	arena_close(made->arena);
}

size_t made_metric(struct made *made, const char *name, const char *unit, enum metric_source source)
{
	return recording_add_metric(
	    made->arena, &made->recording,
	    &(struct metric){
		.name = name, .unit = unit, .better = BETTER_LOWER, .source = source });
}

void made_rounds(struct made *made, size_t rounds, double round_s)
{
	struct recording *recording = &made->recording;
	size_t count = recording->plan.subject_count, flip, i, j;
	struct sample *sample;

	for (i = 0; i < rounds; i++) {
		flip = random_below(&made->random, count);
		for (j = 0; j < count; j++) {
			sample = recording_add_sample(made->arena, recording);
			sample->round = (uint32_t)i;
			sample->position = (uint32_t)j;
			sample->subject = (uint32_t)((j + flip) % count);
			sample->started_ns =
			    (int64_t)(1e9 * round_s * ((double)i + (double)j / (double)count));
		}
	}
	recording->rounds_done = rounds;
}

/* Roughly normal: the sum of twelve uniform numbers (Hammersley and Handscomb, 1964). */
static double normal(struct random *random)
{
	double sum = -6.0;
	int i;

	for (i = 0; i < 12; i++)
		sum += random_unit(random);
	return sum;
}

void made_values(struct made *made, size_t metric, size_t subject, double centre, double deviation,
		 double step)
{
	struct recording *recording = &made->recording;
	double value;
	size_t i;

	for (i = 0; i < recording->sample_count; i++) {
		if (recording->samples[i].subject != subject)
			continue;
		value = centre + deviation * normal(&made->random);
		recording->samples[i].values[metric] =
		    step > 0 ? round(value / step) * step : value;
	}
}

static int compare_doubles(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

static struct summary summarize(struct made *made, size_t metric, size_t subject)
{
	const struct recording *recording = &made->recording;
	double *values = arena_alloc(made->arena, recording->sample_count, sizeof *values);
	struct summary summary = {
		.mean = NAN, .deviation = NAN, .median = NAN, .lowest = NAN, .highest = NAN
	};
	double squares = 0;
	size_t n = 0, i;

	for (i = 0; i < recording->sample_count; i++)
		if (recording->samples[i].subject == subject &&
		    !(recording->samples[i].flags & SAMPLE_FAILED) &&
		    !isnan(recording->samples[i].values[metric]))
			values[n++] = recording->samples[i].values[metric];
	summary.count = n;
	if (n == 0)
		return summary;
	summary.mean = 0;
	for (i = 0; i < n; i++)
		summary.mean += values[i] / (double)n;
	for (i = 0; i < n; i++)
		squares += (values[i] - summary.mean) * (values[i] - summary.mean);
	if (n > 1)
		summary.deviation = sqrt(squares / (double)(n - 1));
	qsort(values, n, sizeof *values, compare_doubles);
	summary.median = (values[(n - 1) / 2] + values[n / 2]) / 2;
	summary.lowest = values[0];
	summary.highest = values[n - 1];
	return summary;
}

struct comparison *made_compare(struct made *made, size_t metric, size_t candidate,
				enum verdict verdict, double low, double high)
{
	struct findings *findings = &made->findings;
	const struct plan *plan = &made->recording.plan;
	struct comparison *comparison =
	    array_push(made->arena, findings->comparisons, findings->comparison_count,
		       made->comparison_capacity);

	*comparison = (struct comparison){
		.metric = metric,
		.candidate = candidate,
		.primary = plan->primary != NULL &&
			   strcmp(made->recording.metrics[metric].name, plan->primary) == 0,
		.paired = made->recording.order_known,
		.baseline = summarize(made, metric, plan->subjects[candidate].baseline),
		.other = summarize(made, metric, candidate),
		.change = (low + high) / 2,
		.change_low = low,
		.change_high = high,
		.level = 0.0125,
		.p = 0.001,
		.p_adjusted = 0.004,
		.method = "signed-rank",
		.welch_low = NAN,
		.welch_high = NAN,
		.welch_p = NAN,
		.margin_ratio = plan->margin_ratio,
		.verdict = verdict,
		.resolvable_ratio = NAN,
	};
	comparison->pairs = comparison->other.count;
	comparison->mean_change = comparison->other.mean / comparison->baseline.mean - 1;
	return comparison;
}

void made_warning(struct made *made, enum warning_kind kind, int metric, const char *sentence)
{
	struct findings *findings = &made->findings;

	*array_push(made->arena, findings->warnings, findings->warning_count,
		    findings->warning_capacity) =
	    (struct warning){ .kind = kind, .metric = metric, .sentence = sentence };
}

void made_verdict(struct made *made, enum verdict verdict)
{
	made->findings.verdict = verdict;
	made->findings.look =
	    (struct look){ .rounds = made->recording.rounds_done, .level = 0.0125, .z = 2.498 };
}
