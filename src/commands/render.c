/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session of the history as a report. Findings are not stored: judging is
 * pure, so the same recording gives the same verdict again, and a worth that
 * judges better says so of old measurements too.
 */
#include "commands/render.h"

#include "commands/opened.h"
#include "judge/judge.h"

static bool render_recording(struct arena *arena, const struct recording *recording,
			     const struct sheet_settings *sheet,
			     const struct output_settings *output, struct error *err)
{
	struct findings findings = { 0 };
	struct document *document;
	bool good;

	judge_recording(arena, recording, &findings);
	document = sheet_make(arena, recording, &findings, sheet);
	good = output_write(output, document, err);
	json_release(document->data);
	return good;
}

bool render_session(struct arena *arena, const char *id, const struct sheet_settings *sheet,
		    const struct output_settings *output, struct error *err)
{
	struct history *history = opened_history(false, err);
	struct recording recording;
	bool good = history != NULL && history_load(history, arena, id, &recording, err);

	history_close(history);
	return good && render_recording(arena, &recording, sheet, output, err);
}
