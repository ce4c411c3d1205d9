/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects in, the inlining ledger out: see ledger.h. */
#include "binary/ledger/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/units.h"
#include "binary/ledger/book.h"
#include "binary/names.h"

struct ledger *ledger_open(struct arena *arena, const struct debug_settings *settings)
{
	struct ledger *ledger = arena_alloc(arena, 1, sizeof *ledger);

	ledger->arena = arena;
	ledger->settings = settings;
	strings_init(&ledger->strings);
	return ledger;
}

void ledger_close(struct ledger *ledger)
{
	if (ledger == NULL)
		return;
	ledger_forget_origins(ledger);
	strings_release(&ledger->strings);
	table_release(&ledger->by_identity);
	table_release(&ledger->directories);
}

static void add_undescribed(struct ledger *ledger, const struct debug *debug)
{
	ledger->function_bytes += spans_bytes(debug->functions.items, debug->functions.count);
	if (ledger->objects_without_debug++ == 0)
		ledger->missing = debug->missing;
}

bool ledger_add(struct ledger *ledger, const struct debug_source *source, struct error *err)
{
	struct debug debug;

	if (!debug_open(ledger->arena, source, ledger->settings, &debug, err))
		return false;
	ledger->objects++;
	if (debug.dwarf == NULL) {
		add_undescribed(ledger, &debug);
	} else {
		uint64_t units = ledger->units;

		ledger_walk(ledger, &debug);
		if (ledger->units == units && debug.missing == NULL)
			debug.missing = "its debug information describes no code";
		if (ledger->missing == NULL)
			ledger->missing = debug.missing;
	}
	ledger_forget_origins(ledger);
	debug_close(&debug);
	return true;
}

/* What is missing, in one sentence; NULL: nothing. */
static const char *partial_sentence(const struct ledger *ledger)
{
	struct text text = { 0 };
	const char *result;

	if (ledger->objects_without_debug > 0 && ledger->objects > 1)
		text_printf(&text, "%zu of %zu objects: ", ledger->objects_without_debug,
			    ledger->objects);
	if (ledger->missing != NULL)
		text_add(&text, ledger->missing);
	if (ledger->absent_units > 0)
		text_printf(&text,
			    "%s%llu of %llu split units were not found (%s): name their directory "
			    "with --debug-dir",
			    text.length > 0 ? "; " : "", (unsigned long long)ledger->absent_units,
			    (unsigned long long)ledger->units, ledger->absent_unit);
	if (ledger->unmeasured_copies > 0)
		text_printf(&text,
			    "%sDWARF 2 has no place for the ranges of %llu of %llu copies: build "
			    "with -gdwarf-4 or later",
			    text.length > 0 ? "; " : "",
			    (unsigned long long)ledger->unmeasured_copies,
			    (unsigned long long)ledger->instances);
	if (ledger->damage != NULL)
		text_printf(&text,
			    "%sthe debug information of %llu units is damaged (%s), and what "
			    "could be read of it is shown",
			    text.length > 0 ? "; " : "", (unsigned long long)ledger->damaged_units,
			    ledger->damage);
	result = text.length == 0 ? NULL : arena_strdup(ledger->arena, text_string(&text));
	text_release(&text);
	return result;
}

static void fill_coverage(const struct ledger *ledger, struct code_coverage *coverage)
{
	*coverage = (struct code_coverage){
		.read = ledger->objects > ledger->objects_without_debug,
		.function_bytes = ledger->function_bytes,
		.described_bytes = ledger->described_bytes,
		.exclusive_bytes = ledger->exclusive_bytes,
		.outermost_bytes = ledger->outermost_bytes,
		.clipped_bytes = ledger->clipped_bytes,
		.instances = ledger->instances,
		.unreadable_units = ledger->damaged_units + ledger->absent_units,
		.partial = partial_sentence(ledger),
	};
}

/* Calls refer to the declaration in a header, bodies to the definition in a source file. Where a
 * name has one body, the calls are of that one. */
static void calls_to_bodies(struct ledger *ledger)
{
	uint32_t *body_of = calloc(ledger->strings.count, sizeof *body_of);
	size_t i;

	if (body_of == NULL)
		arena_out_of_memory();
	for (i = 0; i < ledger->function_count; i++) {
		const struct ledger_function *function = &ledger->functions[i];
		uint32_t *body = &body_of[function->name];

		if (function->bodies > 0 && function->external)
			*body = *body == 0 ? (uint32_t)i + 1 : UINT32_MAX;
	}
	for (i = 0; i < ledger->function_count; i++) {
		struct ledger_function *function = &ledger->functions[i];
		uint32_t body = body_of[function->name];

		if (function->bodies > 0 || function->copies > 0 || body == 0 || body == UINT32_MAX)
			continue;
		ledger->functions[body - 1].calls += function->calls;
		function->calls = 0;
	}
	free(body_of);
}

static int by_function(const void *left, const void *right)
{
	const struct ledger_copy *first = left, *second = right;

	if (first->function != second->function)
		return first->function < second->function ? -1 : 1;
	return first->caller < second->caller ? -1 : first->caller > second->caller;
}

static int by_caller_bytes(const void *left, const void *right)
{
	const struct code_caller *first = left, *second = right;

	if (first->bytes != second->bytes)
		return first->bytes > second->bytes ? -1 : 1;
	if (first->copies != second->copies)
		return first->copies > second->copies ? -1 : 1;
	return strcmp(first->name, second->name);
}

static int by_bytes(const void *left, const void *right)
{
	const struct code_inlined *first = left, *second = right;
	int order;

	if (first->exclusive_bytes != second->exclusive_bytes)
		return first->exclusive_bytes > second->exclusive_bytes ? -1 : 1;
	if (first->copies != second->copies)
		return first->copies > second->copies ? -1 : 1;
	order = strcmp(first->name, second->name);
	if (order != 0 || first->file == second->file)
		return order;
	return strcmp(first->file == NULL ? "" : first->file,
		      second->file == NULL ? "" : second->file);
}

/* qsort() may not be given NULL, not even with nothing to sort. */
static void sort(void *items, size_t count, size_t size, int (*order)(const void *, const void *))
{
	if (count > 1)
		qsort(items, count, size, order);
}

struct finish {
	struct ledger *ledger;
	struct file_shortener shortener;
	const char **shown; /* by function, as they are asked for */
	const char **files; /* by string number */
};

static const char *shown_of(struct finish *finish, uint32_t function)
{
	const struct ledger *ledger = finish->ledger;
	const char **shown = &finish->shown[function];

	if (*shown == NULL) {
		const char *name = ledger->strings.items[ledger->functions[function].name];

		*shown = name[0] == '\0' ? "(no name)" : name_shown(ledger->arena, name);
	}
	return *shown;
}

static const char *file_of(struct finish *finish, uint32_t function)
{
	uint32_t file = finish->ledger->functions[function].file;
	const char *path;

	if (file == 0)
		return NULL;
	if (finish->files[file] == NULL) {
		path = shortener_apply(&finish->shortener, finish->ledger, file);
		finish->files[file] = text_clean(finish->ledger->arena, path, strlen(path));
	}
	return finish->files[file];
}

/* The copies of one function (sorted by caller) as a list of callers. */
static void fill_callers(struct finish *finish, const struct ledger_copy *copies, size_t count,
			 struct code_inlined *inlined)
{
	size_t callers = 0, i;

	for (i = 0; i < count; i++)
		callers += i == 0 || copies[i].caller != copies[i - 1].caller;
	inlined->callers = arena_alloc(finish->ledger->arena, callers, sizeof *inlined->callers);
	for (i = 0; i < count; i++) {
		struct code_caller *caller;

		if (i == 0 || copies[i].caller != copies[i - 1].caller) {
			caller = &inlined->callers[inlined->caller_count++];
			caller->name = shown_of(finish, copies[i].caller);
			caller->file = file_of(finish, copies[i].caller);
		}
		caller = &inlined->callers[inlined->caller_count - 1];
		caller->copies++;
		caller->bytes += copies[i].bytes;
	}
	sort(inlined->callers, inlined->caller_count, sizeof *inlined->callers, by_caller_bytes);
}

static void fill_inlined(struct finish *finish, uint32_t index, struct code_inlined *inlined)
{
	const struct ledger_function *function = &finish->ledger->functions[index];

	*inlined = (struct code_inlined){
		.name = finish->ledger->strings.items[function->name],
		.shown = shown_of(finish, index),
		.file = file_of(finish, index),
		.copies = function->copies,
		.copies_with_code = function->copies_with_code,
		.exclusive_bytes = function->exclusive_bytes,
		.inclusive_bytes = function->inclusive_bytes,
		.least_bytes = function->least_bytes,
		.most_bytes = function->most_bytes,
		.cold_bytes = function->cold_bytes,
		.bodies = function->bodies,
		.body_bytes = function->body_bytes,
		.calls = function->calls,
	};
}

/* All functions with copies or bodies; those without copies are there for the other side of a
 * comparison, in which they may have some. */
static void fill_inlines(struct finish *finish, struct code_image *image)
{
	struct ledger *ledger = finish->ledger;
	size_t next = 0, i, capacity = 0;

	sort(ledger->copies, ledger->copy_count, sizeof *ledger->copies, by_function);
	for (i = 0; i < ledger->function_count; i++) {
		const struct ledger_function *function = &ledger->functions[i];
		struct code_inlined *inlined;
		size_t first = next;

		while (next < ledger->copy_count && ledger->copies[next].function == i)
			next++;
		if (function->copies == 0 && function->bodies == 0)
			continue;
		inlined = array_push(ledger->arena, image->inlines, image->inline_count, capacity);
		fill_inlined(finish, (uint32_t)i, inlined);
		if (next > first)
			fill_callers(finish, ledger->copies + first, next - first, inlined);
	}
	sort(image->inlines, image->inline_count, sizeof *image->inlines, by_bytes);
}

static int by_waste(const void *left, const void *right)
{
	const struct code_duplicate *first = left, *second = right;

	if (first->body_bytes != second->body_bytes)
		return first->body_bytes > second->body_bytes ? -1 : 1;
	return strcmp(first->name, second->name);
}

static void fill_duplicates(struct finish *finish, struct code_image *image)
{
	const struct ledger *ledger = finish->ledger;
	size_t capacity = 0, i;

	for (i = 0; i < ledger->function_count; i++) {
		const struct ledger_function *function = &ledger->functions[i];
		struct code_duplicate one = {
			.name = ledger->strings.items[function->name],
			.shown = shown_of(finish, (uint32_t)i),
			.file = file_of(finish, (uint32_t)i),
			.bodies = function->bodies,
			.body_bytes = function->body_bytes,
		};

		if (function->bodies > 1)
			*array_push(ledger->arena, image->duplicates, image->duplicate_count,
				    capacity) = one;
		if (function->folded > 0) {
			one.folded = true;
			one.bodies = function->folded;
			one.body_bytes = function->folded_bytes;
			*array_push(ledger->arena, image->duplicates, image->duplicate_count,
				    capacity) = one;
		}
		if (function->dead > 0) {
			one.folded = false;
			one.dead = true;
			one.bodies = function->dead;
			one.body_bytes = function->dead_bytes;
			*array_push(ledger->arena, image->duplicates, image->duplicate_count,
				    capacity) = one;
		}
	}
	sort(image->duplicates, image->duplicate_count, sizeof *image->duplicates, by_waste);
}

void ledger_finish(struct ledger *ledger, struct code_image *image)
{
	struct finish finish = { .ledger = ledger };

	calls_to_bodies(ledger);
	shortener_init(&finish.shortener, ledger);
	finish.shown = calloc(ledger->function_count + 1, sizeof *finish.shown);
	finish.files = calloc(ledger->strings.count, sizeof *finish.files);
	if (finish.shown == NULL || finish.files == NULL)
		arena_out_of_memory();
	fill_coverage(ledger, &image->coverage);
	fill_inlines(&finish, image);
	fill_duplicates(&finish, image);
	free(finish.shown);
	free(finish.files);
}
