/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions as blocks of one experiment: see blocks.h. */
#include "commands/run/blocks.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/monotonic.h"
#include "base/random.h"
#include "base/text.h"
#include "commands/commands.h"
#include "commands/joined.h"
#include "experiment/blocks.h"
#include "measure/environment.h"

/* Sessions of the history that are looked at. */
enum { MOST_LOOKED_AT = 500 };

struct blocks_run {
	struct measuring *measuring;
	const struct experiment *experiment;
	const struct judged_settings *judged;
	const char *word; /* "session", "boot", "host" */
	struct recording *sessions;
	size_t count, capacity;
};

static size_t wanted(const struct blocks_run *run)
{
	return run->experiment->blocks.count;
}

/* What tells one boot or one host from another; NULL: that is not known. */
static const char *place_of(const struct blocks_run *run, const struct recording *session)
{
	return environment_fact(&session->before,
				run->experiment->blocks.kind == BLOCKS_HOSTS ? "host" : "boot");
}

static bool is_placed(const struct blocks_run *run, const char *place)
{
	size_t i;

	for (i = 0; i < run->count; i++)
		if (strcmp(place_of(run, &run->sessions[i]), place) == 0)
			return true;
	return false;
}

/* Elsewhere the same source may have become other bytes. */
static bool same_builds(const struct plan *one, const struct plan *other)
{
	size_t i;

	for (i = 0; i < one->subject_count; i++) {
		const char *a = one->subjects[i].build_id, *b = other->subjects[i].build_id;

		if (a != NULL && b != NULL && strcmp(a, b) != 0)
			return false;
	}
	return true;
}

static bool belongs(const struct blocks_run *run, const struct recording *now,
		    const struct recording *session)
{
	bool ended = session->end == END_COMPLETE || session->end == END_DECIDED ||
		     session->end == END_BUDGET;
	const char *place = place_of(run, session);

	return ended && place != NULL && session->order_known && session->bulks == NULL &&
	       session->plan.block == NULL && joined_alike(now, session) &&
	       (run->experiment->blocks.kind == BLOCKS_HOSTS ||
		same_builds(&now->plan, &session->plan)) &&
	       !is_placed(run, place);
}

/* The newest session of each boot or host. */
static bool find_earlier(struct blocks_run *run, const struct recording *now, struct error *err)
{
	struct measuring *measuring = run->measuring;
	struct history_filter filter = { .variant = now->plan.subjects[0].label,
					 .limit = MOST_LOOKED_AT };
	struct history_entry *entries;
	size_t count, i;

	if (run->experiment->blocks.kind == BLOCKS_REBOOTS)
		filter.machine = environment_fact(&now->before, "host");
	if (!history_list(measuring->history, measuring->arena, &filter, &entries, &count, err))
		return false;
	for (i = 0; i < count && run->count < wanted(run); i++) {
		struct recording session;

		if (entries[i].subjects != now->plan.subject_count)
			continue;
		if (!history_load(measuring->history, measuring->arena, entries[i].id, &session,
				  err))
			return false;
		if (belongs(run, now, &session))
			*array_push(measuring->arena, run->sessions, run->count, run->capacity) =
			    session;
	}
	return true;
}

/* Over all blocks, or the one that there is. measured is the session of now, or any of them. */
static int finish(struct blocks_run *run, const struct recording *measured, bool good,
		  const struct error *trouble)
{
	struct measuring *measuring = run->measuring;
	struct recording joined;
	struct error err = { 0 };

	if (run->count < 2)
		return judged_finish(measuring, run->judged, measured, measured, good, trouble);
	if (!joined_make(measuring->arena, run->sessions, run->count, run->word, &joined, &err))
		return command_trouble(&err);
	joined.id = NULL;
	return judged_finish(measuring, run->judged, measured, &joined, good, trouble);
}

/* A session that gave an answer becomes a block; without a history it is known by its number. */
static void take(struct blocks_run *run, const struct recording *session)
{
	struct arena *arena = run->measuring->arena;
	struct recording *block = array_push(arena, run->sessions, run->count, run->capacity);

	*block = *session;
	if (block->id == NULL)
		block->id = arena_printf(arena, "%zu", run->count);
}

static bool measure(struct blocks_run *run, struct recording *recording, struct error *err)
{
	*recording = (struct recording){ .origin = "measured",
					 .order_known = true,
					 .plan = recording->plan };
	if (!measured_run(run->measuring, recording, false, err))
		return false;
	judged_remember(run->measuring, recording);
	take(run, recording);
	if (!run->measuring->quiet)
		fprintf(stderr, "worth: %s %zu of %zu is measured%s%s\n", run->word, run->count,
			wanted(run), recording->id == NULL ? "" : ": session ",
			recording->id == NULL ? "" : recording->id);
	return true;
}

/* false: interrupted. */
static bool pause_between(const struct blocks_run *run)
{
	struct pollfd polled = { .fd = run->measuring->interrupt.fd, .events = POLLIN };
	int64_t due_ns = monotonic_ns() + run->experiment->blocks.pause_ns, left_ns;

	while ((left_ns = due_ns - monotonic_ns()) > 0) {
		int64_t left_ms = left_ns / 1000000 + 1;

		if (poll(&polled, 1, left_ms < 1000 ? (int)left_ms : 1000) > 0)
			return false;
	}
	return true;
}

static int run_sessions(struct blocks_run *run, struct recording *recording, struct error *err)
{
	bool good = true;

	while (good && run->count < wanted(run)) {
		/* Other orders, and the same ones again for the same seed. */
		if (run->count > 0)
			recording->plan.seed = random_mix(recording->plan.seed + run->count);
		if (run->count > 0 && !pause_between(run))
			good = error_set(err, ERROR_INTERRUPTED, "interrupted");
		good = good && measure(run, recording, err);
	}
	return finish(run, recording, good, err);
}

/* Nothing counts twice: the session of now takes the place of an earlier one of this boot or host.
 */
static void leave_out(struct blocks_run *run, const char *place)
{
	size_t i;

	for (i = 0; i < run->count; i++)
		if (strcmp(place_of(run, &run->sessions[i]), place) == 0)
			break;
	if (i == run->count)
		return;
	fprintf(stderr,
		"worth: this %s has its session already, %s: the one that begins now counts "
		"instead of it\n",
		run->word, run->sessions[i].id);
	run->sessions[i] = run->sessions[--run->count];
}

static void tell_what_is_next(const struct blocks_run *run)
{
	if (run->count < wanted(run))
		fprintf(stderr,
			run->experiment->blocks.kind == BLOCKS_REBOOTS
			    ? "worth: reboot, and run the same again, for the next\n"
			    : "worth: run the same on another host for the next, and bring its "
			      "session here by worth history export and import\n");
}

/* One boot or host a call. */
static int run_places(struct blocks_run *run, struct recording *recording, struct error *err)
{
	const char *place;
	int status;

	environment_read(run->measuring->arena, &recording->before);
	place = place_of(run, recording);
	if (run->measuring->history == NULL || place == NULL) {
		error_set(err, ERROR_USAGE, "%s:%u: %s", run->experiment->path,
			  run->experiment->blocks.line,
			  place == NULL ? "the kernel does not tell one boot or host from another"
					: "earlier sessions are in the history: leave out "
					  "--no-save");
		return command_trouble(err);
	}
	if (!find_earlier(run, recording, err))
		return command_trouble(err);
	if (run->count >= wanted(run))
		return finish(run, &run->sessions[0], true, err);
	leave_out(run, place);
	if (!measure(run, recording, err))
		return judged_finish(run->measuring, run->judged, recording, recording, false, err);
	status = finish(run, recording, true, err);
	tell_what_is_next(run);
	return status;
}

int run_blocks(struct measuring *measuring, const struct experiment *experiment,
	       const struct judged_settings *judged, struct recording *recording, struct error *err)
{
	struct blocks_run run = {
		.measuring = measuring,
		.experiment = experiment,
		.judged = judged,
		.word = blocks_word(experiment->blocks.kind),
	};

	return experiment->blocks.kind == BLOCKS_SESSIONS ? run_sessions(&run, recording, err)
							  : run_places(&run, recording, err);
}
