/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worth report: the verdict sheet of an earlier session, in any format. */
#include <string.h>

#include "commands/commands.h"
#include "commands/output.h"
#include "commands/opened.h"
#include "commands/render.h"

struct report_settings {
	struct sheet_settings sheet;
	const char *store;
	struct judge_questions questions;
	struct output_settings output;
};

#define AT(field) .offset = offsetof(struct report_settings, field)

static const struct option options[] = {
	{ OPTION_FLAG, "all", 0, NULL, "show metrics that the sheet leaves out, too",
	  AT(sheet.all) },
	QUESTION_OPTIONS(struct report_settings, questions),
	{ OPTION_FLAG, "redact", 0, NULL, "leave out host name and paths", AT(sheet.redact) },
	STORE_OPTION(struct report_settings, store),
	OUTPUT_OPTIONS(struct report_settings, output),
	OPTION_TABLE_END,
};

static bool report(struct arena *arena, const struct report_settings *settings,
		   const struct operands *operands, struct error *err)
{
	if (operands->has_rest || operands->count == 0)
		return error_set(err, ERROR_USAGE,
				 "worth report takes a session, or several of one comparison: an "
				 "id (worth history lists "
				 "them), the beginning of one, or last");
	return judge_questions_check(&settings->questions, err) &&
	       output_check(&settings->output, err) &&
	       render_sessions(arena, settings->store, operands->items, operands->count,
			       &settings->questions, &settings->sheet, &settings->output, err);
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct report_settings settings = { 0 };
	struct operands operands;
	struct error err = { 0 };
	int status;

	(void)program;
	output_settings_init(&settings.output);
	if (command_begins(arena, &command_report, argc, argv, &settings, &operands, &status) &&
	    !report(arena, &settings, &operands, &err))
		status = command_trouble(&err);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = { "report [OPTION...] ID...", NULL };

const struct command command_report = {
	.name = "report",
	.summary = "show an earlier session again, in any format",
	.synopsis = synopsis,
	.description =
	    "Judges what a session measured and writes its sheet, as worth did when it ended. ID "
	    "is an id of worth history, its beginning if no other id begins so, or last. The text "
	    "goes to standard output; --markdown, --json, --csv and -o write the same report to "
	    "files, whole or not at all.\n"
	    "\n"
	    "Several sessions of the same comparison, from other days, boots or machines, are "
	    "joined: "
	    "each is a block, and the answer is over the blocks, because runs of one session share "
	    "what it brought along.\n"
	    "\n"
	    "The exit status is 0 when the report was written, whatever its verdict, and 2 when "
	    "there was trouble.",
	.examples = "# The latest session, to be pasted into a mail\n"
		    "$ worth report last\n"
		    "# Everything measured, one row a run\n"
		    "$ worth report k4 --csv runs.csv\n"
		    "# For a pull request, without host name and paths\n"
		    "$ worth report last --redact --markdown -\n",
	.operands = COMPLETES_SESSION,
	.options = options,
	.settings_size = sizeof(struct report_settings),
	.run = run,
};
