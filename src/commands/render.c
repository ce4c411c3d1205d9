/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session of the history as a report. Findings are not stored: judging is
 * pure, so the same recording gives the same verdict again, and a worth that
 * judges better says so of old measurements too.
 */
#include "commands/render.h"

#include "commands/joined.h"
#include "commands/opened.h"
#include "judge/judge.h"

bool render_findings(struct arena *arena, const struct recording *recording,
		     const struct findings *findings, const struct sheet_settings *sheet,
		     const struct output_settings *output, struct error *err)
{
	struct document *document = sheet_make(arena, recording, findings, sheet);
	bool good = output_write(output, document, err);

	json_release(document->data);
	return good;
}

static bool load_all(struct history *history, struct arena *arena, char *const *ids, size_t count,
		     struct recording *recording, struct error *err)
{
	struct recording *sessions;
	size_t i;

	if (count == 1)
		return history_load(history, arena, ids[0], recording, err);
	sessions = arena_alloc(arena, count, sizeof *sessions);
	for (i = 0; i < count; i++)
		if (!history_load(history, arena, ids[i], &sessions[i], err))
			return false;
	return joined_make(arena, sessions, count, "session", recording, err);
}

bool render_sessions(struct arena *arena, const char *store, char *const *ids, size_t count,
		     const struct judge_questions *questions, const struct sheet_settings *sheet,
		     const struct output_settings *output, struct error *err)
{
	struct history *history = opened_history(store, false, err);
	struct findings findings = { 0 };
	struct recording recording;
	bool good = history != NULL && load_all(history, arena, ids, count, &recording, err);

	history_close(history);
	if (!good)
		return false;
	judge_recording(arena, &recording, &findings);
	return judge_answer(arena, &recording, questions, &findings, err) &&
	       render_findings(arena, &recording, &findings, sheet, output, err);
}
