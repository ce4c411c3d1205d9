/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worth size: what a change does to code size. */
#include <regex.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "binary/diff/diff.h"
#include "binary/disassembly.h"
#include "binary/frames.h"
#include "binary/image.h"
#include "binary/layouts.h"
#include "binary/ledger/ledger.h"
#include "binary/ledger/diff.h"
#include "binary/ledger/outlining.h"
#include "binary/sides.h"
#include "binary/sources.h"
#include "commands/budget.h"
#include "commands/commands.h"
#include "commands/size/settings.h"
#include "report/size/sheet.h"

/* Everything between options and exit status. */
struct sizing {
	struct arena *arena;
	struct arena *arenas[2]; /* of each side: they may be read at the same time */
	const struct operands *operands;
	const struct size_settings *settings;
	struct budget *budgets;
	struct code_image images[2];
	struct code_diff diff;
	struct code_listing listing;
	regex_t filter;
	bool has_filter;
};

static bool compile_filter(struct sizing *sizing, struct error *err)
{
	const char *filter = sizing->settings->filter;
	char reason[256];
	int trouble;

	if (filter == NULL)
		return true;
	trouble = regcomp(&sizing->filter, filter, REG_EXTENDED | REG_NOSUB);
	if (trouble != 0) {
		regerror(trouble, &sizing->filter, reason, sizeof reason);
		return error_set(err, ERROR_USAGE,
				 "--filter: %s is no extended regular expression: %s",
				 text_clean(sizing->arena, filter, strlen(filter)), reason);
	}
	sizing->has_filter = true;
	return true;
}

static const struct code_member *first_object(const struct code_image *image)
{
	size_t i;

	for (i = 0; i < image->member_count; i++)
		if (image->members[i].machine != 0)
			return &image->members[i];
	return NULL;
}

/* Bytes of one machine say nothing about those of another. */
static bool check_machines(struct sizing *sizing, struct error *err)
{
	const struct code_member *before = first_object(&sizing->images[0]);
	const struct code_member *after = first_object(&sizing->images[1]);

	if (before == NULL || after == NULL ||
	    (before->machine == after->machine && before->wide == after->wide))
		return true;
	return error_set(
	    err, ERROR_USAGE,
	    "%s is %s code of %d bit and %s is %s code of %d bit: sizes of different "
	    "machines are not comparable; build both for one",
	    text_clean(sizing->arena, sizing->images[0].path, strlen(sizing->images[0].path)),
	    before->machine_name, before->wide ? 64 : 32,
	    text_clean(sizing->arena, sizing->images[1].path, strlen(sizing->images[1].path)),
	    after->machine_name, after->wide ? 64 : 32);
}

static struct debug_settings debug_settings(const struct sizing *sizing)
{
	const struct option_texts *directories = &sizing->settings->debug_directories;

	return (struct debug_settings){ directories->items, directories->count };
}

/* Of side number side, what the settings ask for beside sections and symbols. */
static bool read_more(void *context, size_t side, struct error *err)
{
	struct sizing *sizing = context;
	struct debug_settings debug = debug_settings(sizing);
	struct arena *arena = sizing->arenas[side];
	struct code_image *image = &sizing->images[side];

	if (sizing->settings->frames)
		return frames_read(arena, &debug, image, err);
	if (sizing->settings->structs)
		return layouts_read(arena, &debug, image, err);
	if (sizing->settings->by == SIZE_BY_UNIT && !sources_read(arena, &debug, image, err))
		return false;
	return !size_wants_inlines(sizing->settings) || ledger_read(arena, &debug, image, err);
}

static bool read_plain(void *context, size_t side, struct error *err)
{
	struct sizing *sizing = context;
	struct debug_settings debug = debug_settings(sizing);

	return image_read(sizing->arenas[side], sizing->operands->items[side], &debug,
			  &sizing->images[side], err);
}

static bool read_sides(struct sizing *sizing, side_reader read, struct error *err)
{
	return sides_read(sizing->operands->count, sizing->settings->jobs > 1, read, sizing, err);
}

static void compare_ledgers(struct sizing *sizing, size_t count)
{
	if (count == 2)
		ledger_compare(sizing->arena, &sizing->images[0], &sizing->images[1],
			       &sizing->diff);
	if (sizing->settings->candidates)
		outlining_rank(sizing->arena, &sizing->images[count - 1], &sizing->diff);
}

/* One image alone is compared with itself: every row is the same. */
static void compare_layouts(struct sizing *sizing, size_t count)
{
	size_t i;

	layouts_compare(sizing->arena, &sizing->images[0], &sizing->images[count - 1],
			&sizing->diff);
	for (i = 0; count == 1 && i < sizing->diff.layout_count; i++)
		sizing->diff.layouts[i].candidate = NULL;
}

static void compare_frames(struct sizing *sizing, size_t count)
{
	size_t i;

	frames_compare(sizing->arena, &sizing->images[0], &sizing->images[count - 1],
		       &sizing->diff);
	for (i = 0; count == 1 && i < sizing->diff.frame_count; i++)
		sizing->diff.frames[i].candidate = NULL;
}

static bool read_function(struct sizing *sizing, size_t count, struct error *err)
{
	const char *name = sizing->settings->function;
	const char *shown = text_clean(sizing->arena, name, strlen(name));
	struct disassembly sides[2] = { 0 };
	size_t i;

	for (i = 0; i < count; i++)
		if (!disassemble(sizing->arena, &sizing->images[i], name, &sides[i], err))
			return false;
	if (sides[0].count == 0 && sides[1].count == 0)
		return error_set(err, ERROR_INPUT,
				 "there is no function %s; --by symbol --filter NAME shows what is "
				 "named like it",
				 shown);
	listing_make(sizing->arena, shown, &sides[0], count == 2 ? &sides[1] : NULL,
		     &sizing->listing);
	return true;
}

static bool read_images(struct sizing *sizing, const struct operands *operands, struct error *err)
{
	const struct size_settings *settings = sizing->settings;

	if (operands->has_rest || operands->count < 1 || operands->count > 2)
		return error_set(err, ERROR_USAGE,
				 "worth size takes two files of machine code, the baseline and the "
				 "candidate, or one alone");
	sizing->operands = operands;
	if (!size_settings_check(settings, err) || !read_sides(sizing, read_plain, err) ||
	    (operands->count == 2 && !check_machines(sizing, err)))
		return false;
	diff_make(sizing->arena, &sizing->images[0],
		  operands->count == 2 ? &sizing->images[1] : NULL, &sizing->diff);
	if (settings->function != NULL)
		return read_function(sizing, operands->count, err);
	if (!read_sides(sizing, read_more, err))
		return false;
	if (settings->frames)
		compare_frames(sizing, operands->count);
	else if (settings->structs)
		compare_layouts(sizing, operands->count);
	else if (size_wants_inlines(settings))
		compare_ledgers(sizing, operands->count);
	if (!settings->frames && !settings->structs)
		diff_show_names(sizing->arena, &sizing->diff, size_names_wanted(settings));
	return true;
}

static bool write_sheet(struct sizing *sizing, struct error *err)
{
	const struct size_settings *settings = sizing->settings;
	struct size_sheet_settings sheet = {
		.by = (enum size_by)settings->by,
		.top = (size_t)settings->top,
		.filter = sizing->has_filter ? &sizing->filter : NULL,
		.all = settings->all,
		.listing = settings->function != NULL ? &sizing->listing : NULL,
		.frames = settings->frames && settings->function == NULL,
		.structures = settings->structs && settings->function == NULL,
		.candidates = settings->candidates,
		.inlines = size_wants_inlines(settings) && settings->function == NULL,
	};
	struct document *document = size_sheet_make(sizing->arena, &sizing->diff, &sheet);
	bool good;

	budgets_report(document, sizing->budgets, settings->budgets.count);
	good = output_write(&settings->output, document, err);
	json_release(document->data);
	return good;
}

/* A part is not the whole: whoever asked gets the figures and trouble. */
static bool check_whole(const struct sizing *sizing, struct error *err)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		const struct code_image *image = &sizing->images[i];

		if (image->partial != NULL)
			return error_set(
			    err, ERROR_INPUT, "%s could be read only in part: %s",
			    text_clean(sizing->arena, image->path, strlen(image->path)),
			    image->partial);
		if (image->coverage.partial != NULL)
			return error_set(
			    err, ERROR_INPUT, "%s: %s",
			    text_clean(sizing->arena, image->path, strlen(image->path)),
			    image->coverage.partial);
	}
	return true;
}

static bool size(struct sizing *sizing, const struct operands *operands, bool *exceeded,
		 struct error *err)
{
	const struct option_texts *texts = &sizing->settings->budgets;

	return budgets_parse(sizing->arena, texts->items, texts->count, &sizing->budgets, err) &&
	       compile_filter(sizing, err) && output_check(&sizing->settings->output, err) &&
	       read_images(sizing, operands, err) &&
	       budgets_apply(sizing->arena, sizing->budgets, texts->count, &sizing->diff, exceeded,
			     err) &&
	       write_sheet(sizing, err) && check_whole(sizing, err);
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct size_settings settings;
	struct sizing sizing = { .arena = arena,
				 .arenas = { arena_open(), arena_open() },
				 .settings = &settings };
	struct operands operands;
	struct error err = { 0 };
	bool exceeded = false;
	int status;

	(void)program;
	size_settings_init(&settings);
	if (command_begins(arena, &command_size, argc, argv, &settings, &operands, &status)) {
		if (!size(&sizing, &operands, &exceeded, &err))
			status = command_trouble(&err);
		else if (exceeded)
			status = EXIT_WORSE;
	}
	if (sizing.has_filter)
		regfree(&sizing.filter);
	arena_close(sizing.arenas[1]);
	arena_close(sizing.arenas[0]);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = { "size [OPTION...] BASELINE CANDIDATE",
					"size [OPTION...] FILE", NULL };

const struct command command_size = {
	.name = "size",
	.summary = "what a change does to code size",
	.synopsis = synopsis,
	.description =
	    "Compares two ELF files - programs, libraries, objects, kernel modules, vmlinux - or "
	    "archives of them, or shows what one consists of. Every byte is counted once: a "
	    "function with several names, folded functions and labels of assembler code included. "
	    "A function's clones and parts (f.constprop.0, f.cold) belong to it, and static "
	    "functions of one name are told apart by their source file.\n"
	    "\n"
	    "text, data and bss are those of size(1). functions are the bytes that symbols cover "
	    "in executable sections; where a section and its functions disagree, a sentence says "
	    "what absorbed the difference.\n"
	    "\n"
	    "The exit status is 0, or 1 if a budget was exceeded, or 2 when there was trouble.",
	.examples = "# What does inlining this cost?\n"
		    "$ worth size vmlinux.old vmlinux\n"
		    "# In continuous integration\n"
		    "$ worth size main.so branch.so --fail-if 'text > +1%' --markdown size.md\n"
		    "# What is in it\n"
		    "$ worth size --by symbol --top 50 /usr/bin/git\n"
		    "# What became of one function's code?\n"
		    "$ worth size --function main main.so branch.so\n"
		    "# Where are the copies of one inlined function?\n"
		    "$ worth size --by inline --filter '^nla_put_u32$' vmlinux.old vmlinux\n",
	.operands = COMPLETES_FILE,
	.options = size_options,
	.settings_size = sizeof(struct size_settings),
	.run = run,
};
