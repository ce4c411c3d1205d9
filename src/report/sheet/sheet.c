/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict sheet: first the answer in a sentence, then who was compared and
 * how, the figures, and what a reader should know besides. The words are those
 * of docs/method.md, section 6; the parts are the files of this folder.
 */
#include "report/sheet/parts.h"

struct document *sheet_make(struct arena *arena, const struct recording *recording,
			    const struct findings *findings, const struct sheet_settings *settings)
{
	struct sheet sheet = {
		.arena = arena,
		.recording = recording,
		.findings = findings,
		.all = settings->all,
	};
	struct recording *view = arena_alloc(arena, 1, sizeof *view);

	if (settings->redact) {
		sheet.hidden = recording;
		sheet.recording = redact_recording(arena, recording);
	}
	sheet.document = document_make(arena, "compare", "worth compare");
	sheet.whole = sheet.recording;
	sheet.recording = recording_compared(arena, sheet.whole, view);
	sheet_name_all(&sheet);
	sheet_add_question(&sheet);
	sheet_add_blocks(&sheet);
	sheet_add_answer(&sheet);
	sheet_add_head(&sheet);
	sheet_add_rows(&sheet);
	sheet_add_effects(&sheet);
	sheet_add_crossings(&sheet);
	sheet_add_beside(&sheet);
	sheet_add_rankings(&sheet);
	sheet_add_exchanged(&sheet);
	sheet_add_fronts(&sheet);
	sheet_add_where(&sheet);
	sheet_add_plots(&sheet);
	sheet_add_notes(&sheet);
	sheet_add_claims(&sheet);
	sheet_add_data(&sheet);
	return sheet.document;
}
