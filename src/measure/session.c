/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan becomes a recording, round by round:
 *
 *	setup -> warm-up rounds -> rounds ... -> cleanup
 *	                           |  ^   \
 *	                           v  |    budget, look, interrupt, failure
 *	                         save, look
 *
 * A round is all or nothing for judging: one that was interrupted is thrown
 * away, one with a failed run is kept for whoever asks why, but not counted
 * unless failures are ignored.
 */
#include "measure/session.h"

#include <math.h>
#include <poll.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "measure/exec_hooks.h"
#include "measure/same_output.h"

enum { ROUNDS_WORTH_HAVING = 6 };

struct session {
	struct arena *arena;
	struct recording *recording;
	struct runner *runner;
	const struct session_events *events;
	int interrupt_fd;
	struct slot *slots;	 /* of the round under way */
	int64_t began_ns;	 /* on the runner's clock */
	int64_t earlier_ns;	 /* how long earlier parts of this session took, on --resume */
	int64_t rounds_began_ns; /* when the first judged round of this part began */
	size_t rounds_here;	 /* judged rounds completed in this part */
	int64_t round_ns;	 /* how long a round takes, as far as known; 0: unknown */
	double half_width_ratio;
	bool warned;
	bool over; /* recording->end says why */
};

/* How a round went. */
enum round_end { ROUND_COMPLETE, ROUND_FAILED, ROUND_INTERRUPTED, ROUND_TROUBLE };

static int64_t elapsed_ns(const struct session *session)
{
	return session->runner->ops->now_ns(session->runner) - session->began_ns;
}

static void end(struct session *session, enum session_end how)
{
	session->recording->end = how;
	session->over = true;
}

static bool is_interrupted(const struct session *session)
{
	struct pollfd polled = { .fd = session->interrupt_fd, .events = POLLIN };

	return session->interrupt_fd >= 0 && poll(&polled, 1, 0) > 0;
}

/* Till the rounds or the budget end, whichever is first; -1: unknown. */
static int64_t left_ns(const struct session *session)
{
	const struct plan *plan = &session->recording->plan;
	int64_t rounds = (int64_t)(plan_last_round(plan) - session->recording->rounds_done);
	int64_t left = -1, budget_left;

	if (session->round_ns > 0 && __builtin_mul_overflow(rounds, session->round_ns, &left))
		left = INT64_MAX;
	if (plan->budget_ns <= 0)
		return left;
	budget_left = plan->budget_ns - elapsed_ns(session);
	if (budget_left < 0)
		budget_left = 0;
	return left < 0 || budget_left < left ? budget_left : left;
}

static void show_progress(const struct session *session, bool warming_up)
{
	struct session_progress progress = {
		.rounds_done = session->recording->rounds_done,
		.rounds_planned = plan_last_round(&session->recording->plan),
		.warming_up = warming_up,
		.elapsed_ns = elapsed_ns(session),
		.left_ns = left_ns(session),
		.half_width_ratio = session->half_width_ratio,
	};

	if (session->events->progress != NULL)
		session->events->progress(session->events->context, &progress);
}

/* Label and command, where the label does not say which command it is. */
static const char *full_name(struct arena *arena, const struct subject *subject)
{
	const char *label = text_clean(arena, subject->label, strlen(subject->label));

	if (subject->command == NULL || strstr(subject->label, subject->command) != NULL)
		return label;
	return arena_printf(arena, "%s (%s)", label,
			    text_clean(arena, subject->command, strlen(subject->command)));
}

/* A run that failed, as a sentence with its command, its place, its status and its last words. */
static bool failure(struct session *session, const struct sample *sample, struct error *err)
{
	const struct plan *plan = &session->recording->plan;
	const char *tail = session->runner->ops->stderr_tail(session->runner);
	struct arena *arena = session->arena;
	const char *how =
	    sample->flags & SAMPLE_TIMED_OUT
		? arena_printf(arena, "did not end within %s",
			       units_duration(arena, plan->timeout_ns))
		: arena_printf(arena, "failed with %s",
			       exec_status(arena, sample->exit_status, sample->signal));

	return error_set(err, ERROR_COMMAND,
			 "%s %s in %sround %u%s%s%s; %zu rounds before it are kept. "
			 "--ignore-failure goes on after a failed run and counts it",
			 full_name(arena, &plan->subjects[sample->subject]), how,
			 sample->flags & SAMPLE_WARMUP ? "warm-up " : "", sample->round + 1,
			 *tail != '\0' ? ", and ended by writing to stderr: \"" : "", tail,
			 *tail != '\0' ? "\"" : "", session->recording->rounds_done);
}

static struct sample *add_sample(struct session *session, const struct slot *slot)
{
	struct sample *sample = recording_add_sample(session->arena, session->recording);

	sample->round = slot->round;
	sample->position = slot->position;
	sample->subject = slot->subject;
	sample->flags = slot->warmup ? SAMPLE_WARMUP : 0;
	return sample;
}

static enum round_end run_slot(struct session *session, const struct slot *slot, struct error *err)
{
	const struct runner_ops *ops = session->runner->ops;
	struct sample *sample;

	if (is_interrupted(session))
		return ROUND_INTERRUPTED;
	sample = add_sample(session, slot);
	if (!ops->run(session->runner, session->recording, slot, sample, err))
		return err->kind == ERROR_INTERRUPTED ? ROUND_INTERRUPTED : ROUND_TROUBLE;
	if (sample->started_ns >= 0)
		sample->started_ns += session->earlier_ns - session->began_ns;
	if (!(sample->flags & SAMPLE_FAILED) || session->recording->plan.ignore_failure)
		return ROUND_COMPLETE;
	failure(session, sample, err);
	return ROUND_FAILED;
}

static enum round_end run_slots(struct session *session, size_t round, bool warmup,
				struct error *err)
{
	const struct plan *plan = &session->recording->plan;
	enum round_end how = ROUND_COMPLETE;
	size_t i;

	schedule_round(plan, round, warmup, session->slots);
	for (i = 0; i < plan->subject_count && how == ROUND_COMPLETE; i++) {
		how = run_slot(session, &session->slots[i], err);
		show_progress(session, warmup);
	}
	return how;
}

static bool save(struct session *session, size_t first, struct error *err)
{
	if (session->events->round_done == NULL)
		return true;
	if (session->events->round_done(session->events->context, session->recording, first, err))
		return true;
	end(session, END_INTERRUPTED);
	return false;
}

/* One round and what follows from its end. False: the session ends with an error. */
static bool run_round(struct session *session, size_t round, bool warmup, struct error *err)
{
	struct recording *recording = session->recording;
	size_t first = recording->sample_count;
	int64_t began_ns = elapsed_ns(session);

	switch (run_slots(session, round, warmup, err)) {
	case ROUND_COMPLETE:
		break;
	case ROUND_FAILED:
		end(session, END_FAILED);
		same_output_mark(recording, first);
		save(session, first, NULL); /* the failure is the error to tell */
		session->recording->end = END_FAILED;
		return false;
	case ROUND_INTERRUPTED:
		recording->sample_count = first;
		end(session, END_INTERRUPTED);
		return true;
	case ROUND_TROUBLE:
		recording->sample_count = first;
		end(session, END_FAILED);
		return false;
	}
	if (!warmup) {
		recording->rounds_done++;
		session->rounds_here++;
		session->round_ns = (elapsed_ns(session) - session->rounds_began_ns) /
				    (int64_t)session->rounds_here;
	} else {
		session->round_ns = elapsed_ns(session) - began_ns;
	}
	same_output_mark(recording, first);
	return save(session, first, err);
}

/* Once the length of a round is known: whether enough of them fit to say anything. */
static void warn_of_few_rounds(struct session *session)
{
	const struct plan *plan = &session->recording->plan;
	size_t planned = plan_last_round(plan);
	int64_t left = plan->budget_ns - elapsed_ns(session);
	struct arena *arena = session->arena;
	size_t fit;

	if (session->warned || plan->budget_ns <= 0 || session->round_ns <= 0 ||
	    planned < ROUNDS_WORTH_HAVING || session->events->warn == NULL)
		return;
	session->warned = true;
	fit = session->recording->rounds_done + (left > 0 ? (size_t)(left / session->round_ns) : 0);
	if (fit < ROUNDS_WORTH_HAVING)
		session->events->warn(
		    session->events->context,
		    arena_printf(arena,
				 "fewer than %d rounds will fit into the budget of %s, since a "
				 "round takes about %s: give a larger --budget or a smaller input",
				 ROUNDS_WORTH_HAVING, units_duration(arena, plan->budget_ns),
				 units_duration(arena, session->round_ns)));
}

/* A planned look; true if it ends the session. */
static bool look(struct session *session)
{
	const struct session_events *events = session->events;
	size_t rounds_done = session->recording->rounds_done;
	struct session_advice advice;

	if (events->look == NULL || rounds_done == 0)
		return false;
	advice = events->look(events->context, session->recording, rounds_done);
	if (!advice.is_look)
		return false;
	session->half_width_ratio = advice.half_width_ratio;
	return advice.stop;
}

/* No new round would end within the budget. The first one is run in any case. */
static bool budget_is_spent(const struct session *session)
{
	int64_t budget_ns = session->recording->plan.budget_ns;

	return budget_ns > 0 && session->rounds_here > 0 &&
	       elapsed_ns(session) + session->round_ns > budget_ns;
}

/* Warm-up rounds count on when a session goes on, so that no round is there twice. */
static size_t next_warmup_round(const struct recording *recording)
{
	size_t next = 0, i;

	for (i = 0; i < recording->sample_count; i++)
		if (recording->samples[i].flags & SAMPLE_WARMUP &&
		    recording->samples[i].round >= next)
			next = recording->samples[i].round + (size_t)1;
	return next;
}

static bool warm_up(struct session *session, struct error *err)
{
	size_t first = next_warmup_round(session->recording), i;

	for (i = 0; i < session->recording->plan.warmup_rounds && !session->over; i++) {
		show_progress(session, true);
		if (!run_round(session, first + i, true, err))
			return false;
	}
	return true;
}

static bool run_rounds(struct session *session, struct error *err)
{
	struct recording *recording = session->recording;
	size_t last = plan_last_round(&recording->plan);

	session->rounds_began_ns = elapsed_ns(session);
	while (!session->over) {
		warn_of_few_rounds(session);
		if (recording->rounds_done >= last)
			end(session, END_COMPLETE);
		else if (budget_is_spent(session))
			end(session, END_BUDGET);
		else if (!run_round(session, recording->rounds_done, false, err))
			return false;
		else if (!session->over && look(session) && recording->rounds_done < last)
			end(session, END_DECIDED);
	}
	show_progress(session, false);
	return true;
}

/* A look that was due when the earlier part of this session ended; not the one that was extended.
 */
static bool is_decided_already(struct session *session)
{
	const struct recording *recording = session->recording;

	if (recording->rounds_done == 0 ||
	    (recording->extension_count > 0 &&
	     recording->extension_bases[recording->extension_count - 1] == recording->rounds_done))
		return false;
	if (!look(session) || recording->rounds_done >= plan_last_round(&recording->plan))
		return false;
	end(session, END_DECIDED);
	return true;
}

/* What an earlier part left: no samples of rounds that were not completed, and time goes on. */
static void go_on(struct session *session)
{
	struct recording *recording = session->recording;
	int wall = recording_metric(recording, "wall");
	size_t kept = 0, i;

	for (i = 0; i < recording->sample_count; i++) {
		const struct sample *sample = &recording->samples[i];
		double wall_s = wall == METRIC_NONE ? 0 : sample->values[wall];
		int64_t ended_ns = sample->started_ns + (wall_s > 0 ? (int64_t)(wall_s * 1e9) : 0);

		if (!(sample->flags & SAMPLE_WARMUP) && sample->round >= recording->rounds_done)
			continue;
		if (ended_ns > session->earlier_ns)
			session->earlier_ns = ended_ns;
		recording->samples[kept++] = *sample;
	}
	recording->sample_count = kept;
}

static bool run_between_hooks(struct session *session, struct error *err)
{
	const struct plan *plan = &session->recording->plan;
	const struct runner_ops *ops = session->runner->ops;

	if (plan->setup != NULL && !ops->hook(session->runner, "setup", plan->setup, err)) {
		end(session, err->kind == ERROR_INTERRUPTED ? END_INTERRUPTED : END_FAILED);
		return err->kind == ERROR_INTERRUPTED;
	}
	if (!warm_up(session, err) || !run_rounds(session, err))
		return false;
	return session->recording->end == END_INTERRUPTED ||
	       session->events->before_cleanup == NULL ||
	       session->events->before_cleanup(session->events->context, session->recording, err);
}

static bool run_opened(struct session *session, struct error *err)
{
	struct recording *recording = session->recording;
	const struct runner_ops *ops = session->runner->ops;
	bool done;

	session->began_ns = ops->now_ns(session->runner);
	recording->end = END_RUNNING;
	if (recording->before.taken_at_s == 0)
		ops->environment(session->runner, session->arena, false, &recording->before);
	go_on(session);
	if (is_decided_already(session))
		return true;
	done = run_between_hooks(session, err);
	/* What was set up is cleaned up, whatever came between. */
	done = ops->hook(session->runner, "cleanup", recording->plan.cleanup, done ? err : NULL) &&
	       done;
	ops->environment(session->runner, session->arena, true, &recording->after);
	return done;
}

bool session_run(struct arena *arena, struct recording *recording, struct runner *runner,
		 const struct session_events *events, int interrupt_fd, struct error *err)
{
	static const struct session_events none = { 0 };
	struct error unwanted = { 0 };
	struct session session = {
		.arena = arena,
		.recording = recording,
		.runner = runner,
		.events = events == NULL ? &none : events,
		.interrupt_fd = interrupt_fd,
		.half_width_ratio = (double)INFINITY,
		.slots = arena_alloc(arena, recording->plan.subject_count, sizeof(struct slot)),
	};
	bool done;

	if (err == NULL)
		err = &unwanted; /* its kind is looked at */
	done = runner->ops->open(runner, arena, recording, err) && run_opened(&session, err);
	runner->ops->close(runner);
	return done;
}
