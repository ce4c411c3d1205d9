/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of worth workload --profile. */
#include "commands/profile.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/units.h"
#include "base/words.h"
#include "commands/load_program.h"
#include "measure/call_profile.h"
#include "report/document.h"

/* People see so many paths; JSON has all. */
enum { PATHS_SHOWN = 15 };

/* The words of the command, with its program found. */
static bool make_words(struct arena *arena, const char *command, char *const *arguments,
		       size_t argument_count, char ***argv, struct error *err)
{
	char **words, *path;
	size_t count, i;

	if (!words_split(arena, command, &words, &count, err))
		return error_prefix(err, "--profile");
	*argv = arena_alloc(arena, count + argument_count + 2, sizeof **argv);
	for (i = 0; i < count; i++)
		(*argv)[i] = words[i];
	for (i = 0; i < argument_count; i++)
		(*argv)[count++] = arguments[i];
	if (load_program_named((*argv)[0])) {
		if (!load_program_insert(arena, argv, &count, err))
			return false;
		(*argv)[count] = NULL;
	}
	return file_find_program(arena, (*argv)[0], NULL, &path, err);
}

static void add_head(struct document *document, const char *words,
		     const struct call_profile *profile)
{
	struct arena *arena = document->arena;
	struct block *block = document_sentence(document, NULL, "%s", words);

	block->verbatim = true;
	document_sentence(document, NULL, "%s system calls; processes and threads: %s.",
			  units_exact(arena, (double)profile->total, ""),
			  units_exact(arena, (double)profile->processes, ""));
	if (profile->signal != 0)
		document_note(document, "note", "It was ended by signal %d (%s).", profile->signal,
			      strsignal(profile->signal));
	else if (profile->exit_status != 0)
		document_note(document, "note", "It ended with exit status %d.",
			      profile->exit_status);
	if (profile->foreign > 0)
		document_note(document, "note",
			      "%s of these calls are of another architecture and not named.",
			      units_exact(arena, (double)profile->foreign, ""));
}

static void add_calls(struct document *document, const struct call_profile *profile)
{
	static const struct column columns[] = {
		{ .key = "call", .title = "system call" },
		{ .key = "count", .title = "calls", .align = ALIGN_RIGHT },
		{ .key = "share", .title = "share", .align = ALIGN_RIGHT },
		{ .key = "failed", .title = "failed", .align = ALIGN_RIGHT },
	};
	struct arena *arena = document->arena;
	struct table *table = document_table(document, "calls", columns, 4);
	size_t i;

	for (i = 0; i < profile->call_count; i++) {
		const struct call_count *call = &profile->calls[i];
		struct row *row = table_row(document, table);
		double share = (double)call->count / (double)profile->total;

		row->cells[0] = cell_text(call->name);
		row->cells[1] =
		    cell_number(units_exact(arena, (double)call->count, ""), (double)call->count);
		row->cells[2] = cell_number(
		    arena_printf(arena, "%s%%", units_decimal(arena, 100 * share, 1)), share);
		row->cells[3] = cell_number(
		    call->failed == 0 ? "" : units_exact(arena, (double)call->failed, ""),
		    (double)call->failed);
	}
}

static void fill_paths(struct document *document, struct table *table,
		       const struct call_profile *profile, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct row *row = table_row(document, table);

		row->cells[0] =
		    cell_number(units_exact(document->arena, (double)profile->paths[i].count, ""),
				(double)profile->paths[i].count);
		row->cells[1] = cell_text(profile->paths[i].path);
	}
}

static void add_paths(struct document *document, const struct call_profile *profile)
{
	static const struct column columns[] = {
		{ .key = "count", .title = "times", .align = ALIGN_RIGHT },
		{ .key = "path", .title = "path named" },
	};
	size_t shown = profile->path_count < PATHS_SHOWN ? profile->path_count : PATHS_SHOWN;
	struct table *table;

	if (profile->path_count == 0)
		return;
	table = document_table(document, "most_named_paths", columns, 2);
	table->audience = AUDIENCE_PEOPLE;
	fill_paths(document, table, profile, shown);
	table = document_table(document, "paths", columns, 2);
	table->audience = AUDIENCE_DATA;
	fill_paths(document, table, profile, profile->path_count);
	if (profile->path_count > shown)
		document_note(
		    document, "note", "%s other paths were named less often.",
		    units_exact(document->arena, (double)(profile->path_count - shown), ""));
}

bool profile_print(struct arena *arena, const char *command, char *const *arguments,
		   size_t argument_count, const struct output_settings *output, struct error *err)
{
	struct call_profile profile;
	struct document *document;
	char **argv;
	size_t count = 0;

	if (!make_words(arena, command, arguments, argument_count, &argv, err) ||
	    !call_profile_run(arena, argv, &profile, err))
		return false;
	while (argv[count] != NULL)
		count++;
	document = document_make(arena, "profile", "What it asks of the kernel");
	command = words_join(arena, argv, count);
	add_head(document, text_clean(arena, command, strlen(command)), &profile);
	add_calls(document, &profile);
	add_paths(document, &profile);
	document->csv_table = "calls";
	return output_write(output, document, err);
}
