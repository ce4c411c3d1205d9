/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Performance events: name -> perf_event_attr through libpfm4, tried on this process, opened in the
 * child by the spawner, read into the sample. Kernel and user mode are both counted unless the name
 * says otherwise or the kernel refuses (perf_event_paranoid, admin-guide/sysctl/kernel.rst). When
 * there are more events than the processor has counters the kernel runs them in turns
 * (perf_event_open(2), "time_enabled"): values are then scaled, with the share in coverage.
 */
#include "measure/counters.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "measure/proc.h"

/* perf writes "cycles:uk", libpfm4 "cycles:u:k". Only a last part made of these letters alone is
 * taken for modifiers. */
static char *pfm_name(struct arena *arena, const char *name)
{
	const char *colon = strrchr(name, ':');
	char *spelled;

	if (colon == NULL || colon[1] == '\0' || colon[2] == '\0' ||
	    colon[1 + strspn(colon + 1, "ukh")] != '\0')
		return arena_strdup(arena, name);
	spelled = arena_strndup(arena, name, (size_t)(colon - name));
	for (colon++; *colon != '\0'; colon++)
		spelled = arena_printf(arena, "%s:%c", spelled, *colon);
	return spelled;
}

/* A pfm error code, PFM_SUCCESS when attr is filled. */
static int encode(struct arena *arena, const char *name, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t request = { .attr = attr, .size = sizeof request };
	int status = pfm_initialize();

	*attr = (struct perf_event_attr){ .size = sizeof *attr };
	if (status != PFM_SUCCESS)
		return status;
	status = pfm_get_os_event_encoding(pfm_name(arena, name), PFM_PLM0 | PFM_PLM3,
					   PFM_OS_PERF_EVENT, &request);
	attr->disabled = 1;
	attr->inherit = 1;
	attr->enable_on_exec = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return status;
}

/* libpfm4 compares names without regard to case, and lists most in capitals. */
static char *lower(struct arena *arena, const char *word)
{
	char *copy = arena_strdup(arena, word), *byte;

	for (byte = copy; *byte != '\0'; byte++)
		if (*byte >= 'A' && *byte <= 'Z')
			*byte = (char)(*byte - 'A' + 'a');
	return copy;
}

/* The names of all events of the units that are present, for "did you mean". */
static const char **known_names(struct arena *arena, size_t *count)
{
	const char **names = NULL;
	size_t capacity = 0;
	int unit, event;

	*count = 0;
	for (unit = PFM_PMU_NONE; unit < PFM_PMU_MAX; unit++) {
		pfm_pmu_info_t about = { .size = sizeof about };

		if (pfm_get_pmu_info((pfm_pmu_t)unit, &about) != PFM_SUCCESS || !about.is_present)
			continue;
		for (event = about.first_event; event != -1; event = pfm_get_event_next(event)) {
			pfm_event_info_t info = { .size = sizeof info };

			if (pfm_get_event_info(event, PFM_OS_PERF_EVENT, &info) != PFM_SUCCESS)
				continue;
			*array_push(arena, names, *count, capacity) = lower(arena, info.name);
			if (info.equiv != NULL)
				*array_push(arena, names, *count, capacity) =
				    lower(arena, info.equiv);
		}
	}
	return names;
}

/* The sentence for a name that libpfm4 does not know, or knows but not so. */
static bool refuse_name(struct arena *arena, const char *name, int status, struct error *err)
{
	const char *near;
	size_t count;
	const char **names;

	if (status == PFM_ERR_UMASK)
		return error_set(err, ERROR_USAGE,
				 "the counter '%s' needs a unit mask that fits, as in NAME:MASK; "
				 "'perf list' shows the masks",
				 name);
	if (status == PFM_ERR_ATTR || status == PFM_ERR_ATTR_VAL)
		return error_set(
		    err, ERROR_USAGE,
		    "the counter '%s' has a modifier that it does not take; u, k and h "
		    "are known, as in cycles:u",
		    name);
	names = known_names(arena, &count);
	near = text_nearest(lower(arena, name), names, count);
	if (near != NULL)
		return error_set(err, ERROR_USAGE, "unknown counter '%s'; did you mean '%s'?", name,
				 near);
	return error_set(
	    err, ERROR_USAGE,
	    "unknown counter '%s'; known are the names of 'perf list', such as cycles, "
	    "instructions, cache-misses, branch-misses, page-faults",
	    name);
}

bool counters_check(const char *name, struct error *err)
{
	struct arena *arena = arena_open();
	struct perf_event_attr attr;
	int status = encode(arena, name, &attr);
	bool known = status == PFM_SUCCESS || refuse_name(arena, name, status, err);

	arena_close(arena);
	return known;
}

/* 0 or the errno with which the kernel refuses the event on this process. */
static int try_event(const struct perf_event_attr *attr)
{
	long fd = syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

static bool is_refusal(int error)
{
	return error == EACCES || error == EPERM || error == ENOSYS;
}

/* The scheduler's own events happen in kernel mode: without that they would count 0 for ever, and
 * a number that was not measured is no 0. */
static bool lives_in_kernel(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		attr->config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

/* A clock counts time, whatever mode is excluded. */
static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static enum counter_fate event_open(struct arena *arena, const char *name,
				    struct perf_event_attr *attr)
{
	int error;

	if (encode(arena, name, attr) != PFM_SUCCESS)
		return COUNTER_UNKNOWN;
	error = try_event(attr);
	if (error == 0)
		return COUNTER_OPEN;
	if (!is_refusal(error))
		return COUNTER_ABSENT;
	if (attr->exclude_kernel || attr->exclude_user || lives_in_kernel(attr))
		return COUNTER_REFUSED;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	error = try_event(attr);
	if (error == 0)
		return is_clock(attr) ? COUNTER_OPEN : COUNTER_USER_ONLY;
	return is_refusal(error) ? COUNTER_REFUSED : COUNTER_ABSENT;
}

enum counter_fate counters_try(const char *name)
{
	struct arena *arena = arena_open();
	struct perf_event_attr attr;
	enum counter_fate fate = event_open(arena, name, &attr);

	arena_close(arena);
	return fate;
}

/* One more column; a name given twice is one column. */
static void counters_add(struct arena *arena, struct recording *recording, const char *name,
			 const struct perf_event_attr *attr, bool hidden, struct counters *counters)
{
	const struct metric *known = metric_known(name);
	struct metric metric = { .name = arena_strdup(arena, name),
				 .unit = is_clock(attr) ? "s" : "",
				 .better = BETTER_LOWER,
				 .source = SOURCE_COUNTER };
	size_t column, i;

	if (known != NULL && known->source == SOURCE_COUNTER)
		metric = *known;
	metric.hidden = hidden;
	column = recording_add_metric(arena, recording, &metric);
	if (!hidden)
		recording->metrics[column].hidden = false;
	for (i = 0; i < counters->count; i++)
		if (counters->metrics[i] == column)
			return;
	counters->attributes[counters->count] = *attr;
	counters->metrics[counters->count++] = column;
}

/* One sentence for all names of one fate; list is "a, b and c". */
static void remark(struct arena *arena, struct recording *recording, enum counter_fate fate,
		   const char *list)
{
	const char *paranoid = proc_line(arena, "", "/proc/sys/kernel/perf_event_paranoid");

	if (paranoid == NULL)
		paranoid = "unknown";
	switch (fate) {
	case COUNTER_OPEN:
		break;
	case COUNTER_USER_ONLY:
		recording_remark(
		    arena, recording,
		    "Counted in user mode only: %s; the kernel (perf_event_paranoid %s) "
		    "keeps its own part from you. Set kernel.perf_event_paranoid to 1 "
		    "or run as root to count both.",
		    list, paranoid);
		break;
	case COUNTER_REFUSED:
		recording_remark(
		    arena, recording,
		    "Not measured: %s; the kernel refuses (perf_event_paranoid %s). Set "
		    "kernel.perf_event_paranoid to 1 or run as root; in a container, "
		    "allow the system call perf_event_open.",
		    list, paranoid);
		break;
	case COUNTER_ABSENT:
		recording_remark(
		    arena, recording,
		    "Not measured: %s; this machine does not count that, as is usual in "
		    "virtual machines. --simulate gives simulated instructions and "
		    "cache misses instead.",
		    list);
		break;
	case COUNTER_UNKNOWN:
		recording_remark(arena, recording,
				 "Not measured: %s; no such event is known here. 'perf list' shows "
				 "the names.",
				 list);
		break;
	}
}

/* The names with one fate as "a, b and c", NULL if there is none. */
static const char *join(struct arena *arena, const char *const *names,
			const enum counter_fate *fates, size_t count, enum counter_fate fate)
{
	const char *list = NULL, *last = NULL;
	size_t i;

	for (i = 0; i < count; i++) {
		if (fates[i] != fate)
			continue;
		if (last != NULL)
			list = list == NULL ? last : arena_printf(arena, "%s, %s", list, last);
		last = text_clean(arena, names[i], strlen(names[i]));
	}
	return list == NULL ? last : arena_printf(arena, "%s and %s", list, last);
}

/* task-clock checks the accounted CPU time, migrations tell of company. */
static const char *const usual[] = { "task-clock", "migrations" };
enum { USUAL_COUNT = 2 };

void counters_open_usual(struct arena *arena, struct recording *recording,
			 struct counters *counters)
{
	struct perf_event_attr attr;
	size_t i;

	for (i = 0; i < USUAL_COUNT; i++)
		if (event_open(arena, usual[i], &attr) == COUNTER_OPEN)
			counters_add(arena, recording, usual[i], &attr, true, counters);
}

void counters_open(struct arena *arena, struct recording *recording, const char *const *names,
		   size_t name_count, struct counters *counters)
{
	size_t room = CHILD_EVENTS_MAXIMUM - USUAL_COUNT;
	size_t count = name_count < room ? name_count : room;
	enum counter_fate *fates = arena_alloc(arena, count, sizeof *fates);
	struct perf_event_attr attr;
	size_t i;
	int fate;

	*counters = (struct counters){
		.attributes = arena_alloc(arena, CHILD_EVENTS_MAXIMUM, sizeof attr),
		.metrics = arena_alloc(arena, CHILD_EVENTS_MAXIMUM, sizeof *counters->metrics),
	};
	for (i = 0; i < count; i++) {
		const char *name = names[i];

		fates[i] = event_open(arena, name, &attr);
		if (fates[i] == COUNTER_USER_ONLY)
			name = arena_printf(arena, "%s:u", name);
		if (fates[i] == COUNTER_OPEN || fates[i] == COUNTER_USER_ONLY)
			counters_add(arena, recording, name, &attr, false, counters);
	}
	for (fate = COUNTER_USER_ONLY; fate <= COUNTER_UNKNOWN; fate++) {
		const char *list = join(arena, names, fates, count, (enum counter_fate)fate);

		if (list != NULL)
			remark(arena, recording, (enum counter_fate)fate, list);
	}
	if (count < name_count)
		recording_remark(
		    arena, recording,
		    "Only the first %zu of %zu counters are measured; give the others to "
		    "a run of their own.",
		    count, name_count);
}

/* Fills the sample's share of a counter; the array is made when the first share below 1 appears. */
static void set_coverage(struct arena *arena, const struct recording *recording,
			 struct sample *sample, size_t metric, double share)
{
	size_t i;

	if (sample->coverage == NULL) {
		sample->coverage =
		    arena_alloc(arena, recording->metric_capacity, sizeof *sample->coverage);
		for (i = 0; i < recording->metric_capacity; i++)
			sample->coverage[i] = 1;
	}
	sample->coverage[metric] = (float)share;
}

void counters_read(struct arena *arena, const struct counters *counters,
		   const struct child_outcome *outcome, const struct recording *recording,
		   struct sample *sample)
{
	size_t i;

	for (i = 0; i < counters->count; i++) {
		const struct child_event_value *event = &outcome->events[i];
		size_t metric = counters->metrics[i];
		double scale = is_clock(&counters->attributes[i]) ? 1e-9 : 1;

		if (!event->opened || event->running_ns == 0)
			continue;
		sample->values[metric] = (double)event->value * scale;
		if (event->running_ns < event->enabled_ns) {
			double share = (double)event->running_ns / (double)event->enabled_ns;

			sample->values[metric] /= share;
			set_coverage(arena, recording, sample, metric, share);
		}
	}
}
