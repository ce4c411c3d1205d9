/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two profiles beside each other: see where.h. */
#include "commands/kernel/where.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "boot/where.h"
#include "commands/load_program.h"
#include "stats/order.h"

struct joining {
	struct arena *arena;
	struct where_row *rows;
	size_t count, capacity;
};

/* Instructions an operation for each that was counted; the counts themselves where the work has no
 * such figure. */
static double scale_of(const struct where_work *work)
{
	double figure =
	    work->figure_count == 0 ? NAN : order_median(work->figures, work->figure_count);

	return work->total > 0 && figure > 0 ? figure / (double)work->total : 1;
}

static const struct where_function *find(const struct where_function *functions, size_t count,
					 const char *name)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(functions[middle].name, name);

		if (order == 0)
			return &functions[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static double executed_in(const struct where_work *work, const char *name)
{
	size_t i;

	for (i = 0; i < work->function_count; i++)
		if (strcmp(work->functions[i].name, name) == 0)
			return (double)work->functions[i].executed * scale_of(work);
	return 0;
}

static double bytes_in(const struct where_profile *profile, const char *name)
{
	const struct where_function *found = find(profile->symbols, profile->symbol_count, name);

	return found == NULL ? NAN : (double)found->bytes;
}

static struct where_row *add(struct joining *joining, const struct where_work *work,
			     size_t candidate)
{
	struct where_row *row =
	    array_push(joining->arena, joining->rows, joining->count, joining->capacity);

	*row = (struct where_row){ .work = work->name,
				   .candidate = candidate,
				   .baseline_bytes = NAN,
				   .other_bytes = NAN };
	return row;
}

static void add_function(struct joining *joining, const struct where_profile *baseline,
			 const struct where_profile *other, size_t work, size_t candidate,
			 const char *name)
{
	struct where_row *row = add(joining, &baseline->works[work], candidate);

	row->function = name;
	row->baseline = executed_in(&baseline->works[work], name);
	row->other = executed_in(&other->works[work], name);
	row->baseline_bytes = bytes_in(baseline, name);
	row->other_bytes = bytes_in(other, name);
}

static int by_change(const void *left, const void *right)
{
	const struct where_row *a = left, *b = right;
	double one = fabs(a->other - a->baseline), other = fabs(b->other - b->baseline);

	if (one != other)
		return one < other ? 1 : -1;
	return strcmp(a->function, b->function);
}

/* The whole, the programs' part, and every function of either, by what it changed. */
static void join(struct joining *joining, const struct where_profile *baseline,
		 const struct where_profile *other, size_t work, size_t candidate)
{
	const struct where_work *a = &baseline->works[work], *b = &other->works[work];
	struct where_row *row = add(joining, a, candidate);
	size_t first, i;

	row->baseline = (double)a->total * scale_of(a);
	row->other = (double)b->total * scale_of(b);
	row = add(joining, a, candidate);
	row->programs = true;
	row->baseline = (double)a->programs * scale_of(a);
	row->other = (double)b->programs * scale_of(b);
	first = joining->count;
	for (i = 0; i < a->function_count; i++)
		add_function(joining, baseline, other, work, candidate, a->functions[i].name);
	for (i = 0; i < b->function_count; i++)
		if (executed_in(a, b->functions[i].name) == 0)
			add_function(joining, baseline, other, work, candidate,
				     b->functions[i].name);
	qsort(joining->rows + first, joining->count - first, sizeof *joining->rows, by_change);
}

/* .text is padded to steps of 2 MiB, which hides what a change does to it. */
static void remark_sizes(struct measuring *measuring, const struct where_profile *profiles,
			 struct recording *recording)
{
	size_t i;

	for (i = 1; i < recording->plan.subject_count; i++) {
		double a = (double)profiles[0].symbol_bytes;
		double b = (double)profiles[i].symbol_bytes;

		if (a > 0 && b > 0)
			recording_remark(
			    measuring->arena, recording,
			    "by its symbols the kernel's text, modules that are loaded "
			    "included, has %s bytes in %s and %s in %s (%s)",
			    units_count(measuring->arena, (int64_t)a),
			    recording->plan.subjects[0].label,
			    units_count(measuring->arena, (int64_t)b),
			    recording->plan.subjects[i].label,
			    units_change(measuring->arena, b / a - 1));
	}
}

bool kernel_where(struct measuring *measuring, const struct boot_settings *settings,
		  struct recording *recording, struct error *err)
{
	const struct plan *plan = &recording->plan;
	struct where_profile *profiles =
	    arena_alloc(measuring->arena, plan->subject_count, sizeof *profiles);
	struct joining joining = { .arena = measuring->arena };
	size_t i, j;
	char *plugin;

	if (!load_program_companion(measuring->arena, "worth-where.so",
				    "the counting plugin for QEMU", &plugin, err))
		return false;
	for (i = 0; i < plan->subject_count; i++) {
		if (!measuring->quiet)
			fprintf(stderr, "worth: counting by function in '%s'\n",
				plan->subjects[i].label);
		if (!where_boot(measuring->arena, measuring->spawner, measuring->interrupt.fd,
				settings, i, plugin, plan->timeout_ns, &profiles[i], err))
			return false;
	}
	for (i = 0; i < settings->work_count; i++)
		for (j = plan->subject_count > 1 ? 1 : 0; j < plan->subject_count; j++)
			join(&joining, &profiles[0], &profiles[j], i, j);
	remark_sizes(measuring, profiles, recording);
	recording->where = joining.rows;
	recording->where_count = joining.count;
	return true;
}
