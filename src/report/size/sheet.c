/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The size sheet: what a change does to code size. This file has its head (the
 * answer in a sentence, the files, what must be known) and what its tables
 * share; the tables are in tables.c and symbols.c.
 */
#include "report/size/sheet.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/quantity.h"
#include "report/size/parts.h"

static int64_t delta_of(struct size_bytes bytes)
{
	return (int64_t)(bytes.candidate - bytes.baseline);
}

const char *size_delta(struct arena *arena, struct size_bytes bytes)
{
	int64_t delta = delta_of(bytes);

	return arena_printf(arena, "%s%s", delta > 0 ? "+" : "", units_count(arena, delta));
}

static double ratio_of(struct size_bytes bytes)
{
	return bytes.baseline == 0 ? NAN : (double)delta_of(bytes) / (double)bytes.baseline;
}

static enum tone tone_of(struct size_bytes bytes)
{
	if (bytes.baseline == bytes.candidate)
		return TONE_FAINT;
	return bytes.candidate > bytes.baseline ? TONE_BAD : TONE_GOOD;
}

static void pair_cells(const struct size_sheet *sheet, struct cell *cells, struct size_bytes bytes)
{
	struct arena *arena = sheet->arena;
	double ratio = ratio_of(bytes);

	cells[0] = cell_number(units_count(arena, (int64_t)bytes.baseline), (double)bytes.baseline);
	cells[1] =
	    cell_number(units_count(arena, (int64_t)bytes.candidate), (double)bytes.candidate);
	cells[2] = cell_number(size_delta(arena, bytes), (double)delta_of(bytes));
	cells[2].tone = tone_of(bytes);
	if (bytes.baseline != 0 && bytes.candidate == 0)
		cells[3] = cell_number("-100%", -1);
	else if (delta_of(bytes) != 0 && bytes.baseline != 0)
		cells[3] = cell_number(change_cell(arena, ratio, true), ratio);
	else
		cells[3] = cell_number("", bytes.baseline == 0 ? NAN : 0);
}

void size_cells(const struct size_sheet *sheet, struct cell *cells, size_t first,
		struct size_bytes bytes, uint64_t whole)
{
	double share = whole == 0 ? NAN : (double)bytes.baseline / (double)whole;

	if (sheet->pair) {
		pair_cells(sheet, cells + first, bytes);
		return;
	}
	cells[first] =
	    cell_number(units_count(sheet->arena, (int64_t)bytes.baseline), (double)bytes.baseline);
	cells[first + 1] =
	    cell_number(whole == 0 ? "" : arena_printf(sheet->arena, "%.1f%%", share * 100), share);
}

struct table *size_table(const struct size_sheet *sheet, const char *id, const char *title,
			 const struct column *columns, size_t column_count, bool shown)
{
	static const struct column pair[] = {
		{ "baseline_bytes", "baseline", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "candidate_bytes", "candidate", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "delta_bytes", "delta", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "change_ratio", "change", ALIGN_RIGHT, AUDIENCE_ALL, false },
	};
	static const struct column alone[] = {
		{ "bytes", "bytes", ALIGN_RIGHT, AUDIENCE_ALL, false },
		{ "share", "share", ALIGN_RIGHT, AUDIENCE_ALL, false },
	};
	size_t more = sheet->pair ? 4 : 2;
	struct column *all = arena_alloc(sheet->arena, column_count + more, sizeof *all);
	struct table *table;

	memcpy(all, columns, column_count * sizeof *all);
	memcpy(all + column_count, sheet->pair ? pair : alone, more * sizeof *all);
	table = document_table(sheet->document, id, all, column_count + more);
	table->title = title;
	table->audience = shown ? AUDIENCE_ALL : AUDIENCE_DATA;
	return table;
}

struct table *size_people_table(const struct size_sheet *sheet, const char *id,
				const struct column *columns, size_t column_count)
{
	struct table *table = size_table(sheet, id, NULL, columns, column_count, true);

	table->audience = AUDIENCE_PEOPLE;
	return table;
}

bool size_wants(const struct size_sheet *sheet, const char *name, bool changed)
{
	const regex_t *filter = sheet->settings->filter;

	if (sheet->pair && !changed && !sheet->settings->all)
		return false;
	return filter == NULL || regexec(filter, name == NULL ? "" : name, 0, NULL, 0) == 0;
}

void size_left_out(const struct size_sheet *sheet, const char *what, size_t shown, size_t wanted)
{
	if (wanted > shown)
		document_note(sheet->document, "note", "%s of %s %s are shown; --top 0 shows all.",
			      units_count(sheet->arena, (int64_t)shown),
			      units_count(sheet->arena, (int64_t)wanted), what)
		    ->audience = AUDIENCE_PEOPLE;
}

static const char *clean_path(const struct size_sheet *sheet, const struct code_image *image)
{
	return text_clean(sheet->arena, image->path, strlen(image->path));
}

/* "functions shrank by 2,568 bytes (-0.06%)"; NULL for no change. */
static const char *movement(const struct size_sheet *sheet, const char *what, uint64_t baseline,
			    uint64_t candidate)
{
	struct size_bytes bytes = { baseline, candidate };
	int64_t delta = delta_of(bytes);
	uint64_t size = delta < 0 ? -(uint64_t)delta : (uint64_t)delta;
	const char *share = "";

	if (delta == 0)
		return NULL;
	if (baseline > 0)
		share = arena_printf(sheet->arena, " (%s)",
				     change_cell(sheet->arena, ratio_of(bytes), true));
	return arena_printf(sheet->arena, "%s %s by %s byte%s%s", what,
			    delta > 0 ? "grew" : "shrank", units_count(sheet->arena, (int64_t)size),
			    size == 1 ? "" : "s", share);
}

/* "of 12 functions and objects that changed" needs the count. */
static size_t changed_symbols(const struct code_diff *diff)
{
	size_t count = 0, i;

	for (i = 0; i < diff->symbol_count; i++)
		count += diff->symbols[i].kind != CODE_SAME;
	return count;
}

static void add_answer(const struct size_sheet *sheet)
{
	const struct code_totals *before = &sheet->diff->baseline->totals;
	const struct code_totals *after = &sheet->diff->candidate->totals;
	const char *parts[] = {
		movement(sheet, "functions", before->function_bytes, after->function_bytes),
		movement(sheet, "text", before->text_bytes, after->text_bytes),
		movement(sheet, "data", before->data_bytes, after->data_bytes),
		movement(sheet, "bss", before->bss_bytes, after->bss_bytes),
		movement(sheet, "common", before->common_bytes, after->common_bytes),
	};
	size_t changed = changed_symbols(sheet->diff), count = 0, i;
	struct text text = { 0 };
	struct block *block;

	text_printf(&text, "%s", "From baseline to candidate ");
	for (i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i] != NULL)
			text_printf(&text, "%s%s", count++ > 0 ? ", " : "", parts[i]);
	if (count == 0)
		text_add(&text, changed == 0 ? "nothing changed in size" : "no total changed");
	text_add_char(&text, '.');
	if (changed > 0)
		text_printf(&text, " %s function%s and object%s changed.",
			    units_count(sheet->arena, (int64_t)changed), changed == 1 ? "" : "s",
			    changed == 1 ? "" : "s");
	block = document_sentence(sheet->document, NULL, "%s", text_string(&text));
	block->id = "answer";
	block->tone = after->function_bytes > before->function_bytes   ? TONE_BAD
		      : after->function_bytes < before->function_bytes ? TONE_GOOD
								       : TONE_PLAIN;
	text_release(&text);
}

static const char *type_word(const struct code_image *image)
{
	static const char *const types[] = { "object", "object", "executable", "shared object",
					     "core dump" };
	unsigned type = image->member_count > 0 ? image->members[0].type : 0;

	if (image->archive)
		return image->thin ? "thin archive" : "archive";
	return type < sizeof types / sizeof *types ? types[type] : "object";
}

/* "path: x86-64 shared object, 64 bit, stripped, build id ab12". */
static void add_file(const struct size_sheet *sheet, const char *label,
		     const struct code_image *image)
{
	const struct code_member *first = NULL;
	struct text text = { 0 };
	size_t i;

	for (i = 0; i < image->member_count && first == NULL; i++)
		if (image->members[i].machine != 0)
			first = &image->members[i];
	text_printf(&text, "%s (", clean_path(sheet, image));
	if (first != NULL)
		text_printf(&text, "%s %s, %s bit%s", first->machine_name, type_word(image),
			    first->wide ? "64" : "32", first->big_endian ? ", big-endian" : "");
	else
		text_add(&text, type_word(image));
	if (image->archive)
		text_printf(&text, ", %zu member%s", image->member_count,
			    image->member_count == 1 ? "" : "s");
	else if (first != NULL && first->symbols_from != NULL)
		text_printf(&text, ", symbols from %s", first->symbols_from);
	else if (first != NULL && first->stripped)
		text_add(&text, image->symbol_count > 0 ? ", stripped: dynamic symbols only"
							: ", stripped: without symbols");
	if (!image->archive && first != NULL && first->build_id != NULL)
		text_printf(&text, ", build id %.12s", first->build_id);
	text_add_char(&text, ')');
	document_sentence(sheet->document, label, "%s", text_string(&text))->id = label;
	text_release(&text);
}

static void add_image_notes(const struct size_sheet *sheet, const char *label,
			    const struct code_image *image)
{
	const struct code_member *without = NULL;
	size_t i, count = 0;

	if (image->partial != NULL) {
		struct block *block =
		    document_note(sheet->document, "partial",
				  "%s%s could be read only in part: %s. The figures are of what "
				  "could be read.",
				  label, clean_path(sheet, image), image->partial);

		block->tone = TONE_BAD;
		block->id = "partial";
	}
	if (image->stated != NULL)
		document_note(sheet->document, "note", "%s%s: %s", label, clean_path(sheet, image),
			      image->stated);
	for (i = 0; i < image->member_count; i++)
		if (image->members[i].no_code != NULL && image->archive) {
			without = without == NULL ? &image->members[i] : without;
			count++;
		}
	if (without != NULL)
		document_note(sheet->document, "note",
			      "%s%s: %zu of %zu members have no code; of %s, %s.", label,
			      clean_path(sheet, image), count, image->member_count,
			      text_clean(sheet->arena, without->name, strlen(without->name)),
			      without->no_code);
}

static void add_notes(const struct size_sheet *sheet)
{
	const struct code_diff *diff = sheet->diff;
	size_t i;

	for (i = 0; i < diff->sentence_count; i++)
		document_note(sheet->document, "note", "%s", diff->sentences[i]);
	add_image_notes(sheet, sheet->pair ? "baseline " : "", diff->baseline);
	if (sheet->pair)
		add_image_notes(sheet, "candidate ", diff->candidate);
}

static const char *csv_table(enum size_by by)
{
	static const char *const tables[] = {
		[SIZE_BY_EVERYTHING] = "symbols", [SIZE_BY_TOTAL] = "totals",
		[SIZE_BY_SECTION] = "sections",	  [SIZE_BY_SYMBOL] = "symbols",
		[SIZE_BY_FILE] = "files",	  [SIZE_BY_UNIT] = "units",
		[SIZE_BY_INLINE] = "inlines",
	};

	return tables[by];
}

static void add_head(const struct size_sheet *sheet)
{
	if (sheet->pair) {
		add_answer(sheet);
		add_file(sheet, "baseline", sheet->diff->baseline);
		add_file(sheet, "candidate", sheet->diff->candidate);
		sheet->document->blocks[sheet->document->block_count - 2].apart = true;
	} else {
		add_file(sheet, "file", sheet->diff->baseline);
	}
}

struct document *size_sheet_make(struct arena *arena, const struct code_diff *diff,
				 const struct size_sheet_settings *settings)
{
	enum size_by by = settings->by;
	bool all = by == SIZE_BY_EVERYTHING;
	struct size_sheet *sheet = arena_alloc(arena, 1, sizeof *sheet);

	*sheet = (struct size_sheet){
		.arena = arena,
		.diff = diff,
		.settings = settings,
		.document = document_make(arena, "size", "code size"),
		.pair = diff->candidate != NULL,
	};
	sheet->document->csv_table = csv_table(by);
	add_head(sheet);
	if (settings->listing != NULL) {
		size_add_listing(sheet, settings->listing);
		sheet->document->csv_table = "code";
		return sheet->document;
	}
	if (settings->frames) {
		size_add_frames(sheet);
		sheet->document->csv_table = "frames";
		return sheet->document;
	}
	if (settings->structures) {
		size_add_layouts(sheet);
		sheet->document->csv_table = "structures";
		return sheet->document;
	}
	size_add_totals(sheet);
	size_add_map(sheet, all || by == SIZE_BY_TOTAL);
	size_add_sections(sheet, all || by == SIZE_BY_SECTION);
	size_add_files(sheet, by == SIZE_BY_FILE);
	size_add_units(sheet, by == SIZE_BY_UNIT);
	size_add_symbols(sheet, all || by == SIZE_BY_SYMBOL);
	if (settings->inlines)
		size_add_inlines(sheet, all || by == SIZE_BY_INLINE);
	if (settings->candidates)
		size_add_candidates(sheet);
	add_notes(sheet);
	return sheet->document;
}
