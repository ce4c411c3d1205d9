/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of worth size, and which go together. */
#include "commands/size/settings.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>

#include "report/size/sheet.h"

#define AT(field) .offset = offsetof(struct size_settings, field)

enum { USUAL_TOP = 20 };

/* In the order of enum size_by. */
static const char *const by_names[] = { "everything", "total", "section", "symbol",
					"file",	      "unit",  "inline",  NULL };

const struct option size_options[] = {
	{ OPTION_GROUP, .help = "What is shown" },
	{ OPTION_CHOICE, "by", 0, "WHAT", "the table to show; files are members of archives",
	  AT(by), .choices = by_names },
	{ OPTION_COUNT, "top", 0, "N", "rows of a table, 0: all (20)", AT(top) },
	{ OPTION_TEXT, "filter", 0, "REGEX",
	  "only rows whose name matches the extended regular expression", AT(filter) },
	{ OPTION_FLAG, "all", 0, NULL, "what did not change, too", AT(all) },
	{ OPTION_TEXT, "function", 0, "NAME",
	  "the instructions of this function, aligned, with names and offsets instead of addresses",
	  AT(function) },
	{ OPTION_GROUP, .help = "Debug information" },
	{ OPTION_FLAG, "inlines", 0, NULL,
	  "which functions were inlined how often, and what their copies take; --by inline shows "
	  "this alone",
	  AT(inlines) },
	{ OPTION_FLAG, "candidates", 0, NULL,
	  "inlined functions worth un-inlining, by an estimate of what it would save; half of the "
	  "rebuilt ones were off by a fifth of their copies' bytes or less",
	  AT(candidates) },
	{ OPTION_FLAG, "structs", 0, NULL,
	  "structures instead of code: sizes, members, holes; with --filter the members of a few",
	  AT(structs) },
	{ OPTION_FLAG, "frames", 0, NULL,
	  "stack frames instead of code: from x.su beside x.o, call frame information or the "
	  "first instructions of each function",
	  AT(frames) },
	{ OPTION_TEXTS, "debug-dir", 0, "DIRECTORY",
	  "look for separate debug information here, too; may be repeated", AT(debug_directories),
	  .completes = COMPLETES_DIRECTORY },
	{ OPTION_COUNT, "jobs", 'j', "N",
	  "files read at a time, 1 or 2; 1 takes half the memory (as many as there are processors)",
	  AT(jobs), .minimum = 1, .maximum = 2 },
	{ OPTION_GROUP, .help = "Budgets" },
	{ OPTION_TEXTS, "fail-if", 0, "'NAME > N'",
	  "exit with 1 if it holds; may be repeated. NAME: functions, text, data, bss, common, "
	  "file, section NAME or symbol NAME; N: +1% or +512 of change, or 64k in all",
	  AT(budgets) },
	OUTPUT_OPTIONS(struct size_settings, output),
	OPTION_TABLE_END,
};

bool size_wants_inlines(const struct size_settings *settings)
{
	return settings->inlines || settings->candidates || settings->by == SIZE_BY_INLINE;
}

/* Demangling all symbols of a large C++ library takes longer than all the rest, so it is left out
 * where only the first rows are read. */
size_t size_names_wanted(const struct size_settings *settings)
{
	const struct output_settings *output = &settings->output;
	size_t files =
	    output->files.count + output->json.count + output->csv.count + output->markdown.count;

	return files > 0 || settings->filter != NULL || settings->budgets.count > 0 ||
		       settings->top == 0
		   ? SIZE_MAX
		   : (size_t)settings->top;
}

/* Each of these is a sheet of its own. */
static bool check_one(const struct size_settings *settings, struct error *err)
{
	int own = (settings->function != NULL) + settings->frames + settings->structs;

	if (own > 1)
		return error_set(err, ERROR_USAGE,
				 "--function, --frames and --structs are reports of their own: "
				 "name one of them");
	if (own == 1 &&
	    (settings->inlines || settings->candidates || settings->by != SIZE_BY_EVERYTHING))
		return error_set(err, ERROR_USAGE,
				 "--by, --inlines and --candidates have no part in %s, which is a "
				 "report of its own: ask for one at a time",
				 settings->function != NULL ? "--function"
				 : settings->frames	    ? "--frames"
							    : "--structs");
	return true;
}

/* A place that is not there would look like debug information that is not. */
static bool check_directories(const struct option_texts *directories, struct error *err)
{
	struct stat status;
	size_t i;

	for (i = 0; i < directories->count; i++) {
		if (stat(directories->items[i], &status) != 0)
			return error_set(err, ERROR_USAGE, "--debug-dir: cannot look into %s: %s",
					 directories->items[i], strerror(errno));
		if (!S_ISDIR(status.st_mode))
			return error_set(err, ERROR_USAGE, "--debug-dir: %s is no directory",
					 directories->items[i]);
	}
	return true;
}

bool size_settings_check(const struct size_settings *settings, struct error *err)
{
	return check_one(settings, err) && check_directories(&settings->debug_directories, err);
}

static uint64_t usual_jobs(void)
{
	cpu_set_t allowed;

	return sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) == 1 ? 1
											       : 2;
}

void size_settings_init(struct size_settings *settings)
{
	*settings = (struct size_settings){ .top = USUAL_TOP, .jobs = usual_jobs() };
	output_settings_init(&settings->output);
}
