/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks measured alone and contended: see locking.h. */
#include "workloads/locking/locking.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "workloads/batches.h"
#include "workloads/clock.h"
#include "workloads/cycles.h"
#include "workloads/locking/parts.h"
#include "workloads/placement.h"
#include "workloads/tasks.h"
#include "workloads/team.h"
#include "workloads/limits.h"

enum {
	SHARE = 32,
	ALONE_OPERATIONS = 30000000,
	TEAM_OPERATIONS = 2000000,
	TEAM_WAITS_NS = 50000000,
};

/* A bystander sleeps until its pipe is closed. */
struct bystander {
	struct task task;
	int pipe[2];
};

static bool stand_by(void *context, struct error *err)
{
	struct bystander *bystander = context;
	char byte;

	(void)err;
	while (read(bystander->pipe[0], &byte, 1) > 0)
		continue;
	return true;
}

bool locking_bystander_start(struct task **task, struct error *err)
{
	struct bystander *bystander = tasks_share(sizeof *bystander, err);

	if (bystander == NULL)
		return false;
	if (pipe(bystander->pipe) < 0)
		return error_set(err, ERROR_SYSTEM, "cannot make a pipe: %s", limits_reason());
	bystander->task = (struct task){ .thread = true,
					 .cpu = PLACEMENT_FLOATING,
					 .function = stand_by,
					 .context = bystander };
	*task = &bystander->task;
	return task_start(*task, err);
}

bool locking_bystander_end(struct task *task, struct error *err)
{
	struct bystander *bystander = task->context;
	bool ok;

	close(bystander->pipe[1]);
	ok = task_join(task, err);
	close(bystander->pipe[0]);
	tasks_unshare(bystander, sizeof *bystander);
	return ok;
}

static void *aligned(struct arena *arena, size_t bytes)
{
	uintptr_t memory = (uintptr_t)arena_alloc(arena, 1, bytes + SPECIMEN_APART);

	return (void *)((memory + SPECIMEN_APART - 1) / SPECIMEN_APART * SPECIMEN_APART);
}

static struct place *place_make(struct work *work, const struct locking *locking,
				const struct locking_settings *settings)
{
	uint32_t count = (uint32_t)settings->tasks, i;
	struct place *place = aligned(work->arena, sizeof *place);
	struct lock_thread *threads = aligned(work->arena, count * sizeof *threads);

	lock_threads_init(threads, count);
	place->seats = aligned(work->arena, count * sizeof *place->seats);
	for (i = 0; i < count; i++)
		place->seats[i].hold.thread = &threads[i];
	place->locking = locking;
	place->count = count;
	place->wants_waits = settings->waits;
	place->contest = settings->apart ? &place->apart : &place->beside;
	place->work = (struct lock_work){ .inside = (uint32_t)settings->inside,
					  .outside = (uint32_t)settings->outside };
	locking->init(place->lock);
	return place;
}

/* Twice with a calibration before and after: a step of the clock within a batch shows in both. */
static bool report_batch(struct work *work, struct batches *batches, int64_t elapsed_ns,
			 double cycle_ns)
{
	double each_ns = (double)elapsed_ns / (double)batches->count;

	if (!batches_end(batches, elapsed_ns))
		return false;
	report_value(work->report, "lock", each_ns, "ns", REPORT_LOWER);
	if (!isnan(cycle_ns))
		report_value(work->report, "lock-cycles", each_ns / cycle_ns, "cycles",
			     REPORT_LOWER);
	return true;
}

bool locking_check_counter(const struct place *place, uint64_t done, struct error *err)
{
	if (!place->locking->excludes || place->contest->counter == done)
		return true;
	return error_set(err, ERROR_SYSTEM,
			 "the counter under %s is %llu after %llu additions: it did not exclude",
			 place->locking->name, (unsigned long long)place->contest->counter,
			 (unsigned long long)done);
}

static bool run_alone(struct work *work, struct place *place, struct error *err)
{
	struct batches batches;
	uint64_t count;

	batches_init(&batches, work);
	while ((count = batches_next(&batches)) > 0) {
		double cycle_ns = cycles_length_ns();
		int64_t start_ns = clock_ns(), elapsed_ns;

		place->locking->loops.pairs(place->lock, &place->seats[0].hold,
					    &place->contest->counter, count);
		elapsed_ns = clock_ns() - start_ns;
		cycle_ns = (cycle_ns + cycles_length_ns()) / 2;
		report_batch(work, &batches, elapsed_ns, cycle_ns);
	}
	return locking_check_counter(place, batches.done, err);
}

static bool alone(struct work *work, struct place *place, struct error *err)
{
	struct task *bystander = NULL;
	char label[128];
	int cpus[2];
	bool ok;

	if (!placement_pair(PLACEMENT_ONE, cpus, label, sizeof label, err) ||
	    !placement_enter(cpus[0], err) || !locking_bystander_start(&bystander, err))
		return false;
	report_remark(work->report, "%s, one thread on %s, a second one sleeps",
		      place->locking->name, label);
	ok = run_alone(work, place, err);
	return locking_bystander_end(bystander, ok ? err : NULL) && ok;
}

static bool member(struct team *team, size_t index, void *context, struct error *err)
{
	struct place *place = context;
	uint64_t first, count;

	(void)err;
	if (place->waits != NULL)
		return locking_wait_member(place, index);
	while ((count = team_take(team, index, &first)) > 0)
		place->locking->loops.contend(place->lock, &place->seats[index].hold,
					      place->contest, place->work, count);
	return true;
}

static bool run_team(struct work *work, struct place *place, struct team *team, struct error *err)
{
	struct batches batches;
	uint64_t count, hand_offs;

	batches_init(&batches, work);
	while ((count = batches_next(&batches)) > 0) {
		double cycle_ns = cycles_length_ns();
		int64_t elapsed_ns;

		hand_offs = place->contest->hand_offs;
		elapsed_ns = team_batch(team, count);
		cycle_ns = (cycle_ns + cycles_length_ns()) / 2;
		if (!report_batch(work, &batches, elapsed_ns, cycle_ns))
			continue;
		report_value(work->report, "hand-off",
			     (double)(place->contest->hand_offs - hand_offs) / (double)count, "-",
			     REPORT_HIGHER);
		report_value(work->report, "fairness", team_fairness(team), "-", REPORT_HIGHER);
	}
	return locking_check_counter(
	    place, batches.done + locking_waits(work, place, team, TEAM_WAITS_NS), err);
}

/* Each on a CPU of its own while there are any, then round again. */
static bool spread(struct work *work, size_t count, int *cpus, bool *crowded, struct error *err)
{
	int allowed[PLACEMENT_CPUS];
	size_t there = placement_allowed(allowed), i;

	*crowded = count > there;
	if (!*crowded) {
		report_remark(work->report, "%zu threads, each on its own CPU", count);
		return placement_spread(count, true, cpus, err);
	}
	for (i = 0; i < count; i++)
		cpus[i] = allowed[i % there];
	report_remark(work->report,
		      "%zu threads on %zu CPUs: a holder or the next in a queue may "
		      "not be running",
		      count, there);
	return true;
}

static bool contended(struct work *work, struct place *place, size_t count, struct error *err)
{
	struct team_plan plan = { .count = count,
				  .threads = true,
				  .function = member,
				  .context = place,
				  .share = SHARE };
	int cpus[PLACEMENT_CPUS];
	struct team *team;
	bool ok, crowded;

	if (!spread(work, count, cpus, &crowded, err))
		return false;
	plan.cpus = cpus;
	if (crowded)
		plan.function = locking_crowd_member;
	team = team_start(&plan, err);
	if (team == NULL)
		return false;
	ok = crowded ? locking_run_crowd(work, place, team, err) : run_team(work, place, team, err);
	return team_end(team, ok ? err : NULL) && ok;
}

/* --crowd as a number of tasks. */
static bool set_crowd(const struct locking_settings *settings, struct locking_settings *chosen,
		      struct error *err)
{
	int allowed[PLACEMENT_CPUS];

	*chosen = *settings;
	if (settings->crowd == 0)
		return true;
	if (settings->tasks != 1)
		return error_set(err, ERROR_USAGE,
				 "--tasks and --crowd both say how many threads; give one");
	chosen->tasks = settings->crowd * placement_allowed(allowed);
	return chosen->tasks <= PLACEMENT_CPUS ||
	       error_set(err, ERROR_USAGE, "--crowd %llu would be more than %d threads here",
			 (unsigned long long)settings->crowd, PLACEMENT_CPUS);
}

bool locking_run(struct work *work, const struct locking *locking,
		 const struct locking_settings *settings, struct error *err)
{
	struct locking_settings chosen;
	struct place *place;

	if (!set_crowd(settings, &chosen, err))
		return false;
	place = place_make(work, locking, &chosen);
	if (work->is_default)
		work->operations = chosen.tasks == 1 ? ALONE_OPERATIONS : TEAM_OPERATIONS;
	return chosen.tasks == 1 ? alone(work, place, err)
				 : contended(work, place, chosen.tasks, err);
}
