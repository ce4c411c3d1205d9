/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report as plain text of a given width (80 columns: fit for a mail).
 * Labels of consecutive sentences, or notes, stand in one column. Plots are
 * drawn only where that was asked for. Colour is the only thing that a terminal gets and a file
 * does not.
 */
#include "report/plot/svg.h"
#include "report/plot/text.h"
#include "report/text_table.h"
#include "report/wrap.h"
#include "report/writer.h"

/* Narrower than this nothing is readable anyhow; wider lines are left to the terminal. */
enum { NARROWEST = 20, WIDEST_LABEL = 24 };

static bool is_shown(const struct block *block, const struct look_settings *look)
{
	enum audience audience =
	    block->kind == BLOCK_TABLE ? block->table->audience : block->audience;

	if (block->kind == BLOCK_TABLE && block->table->row_count == 0)
		return false;
	if (block->kind == BLOCK_PLOT)
		return look->plots && plot_has_marks(block->plot);
	return audience != AUDIENCE_DATA && block->audience != AUDIENCE_DATA;
}

static bool is_prose(const struct block *block)
{
	return block->kind == BLOCK_SENTENCE || block->kind == BLOCK_NOTE;
}

/* Whether a block goes on where the shown block before it ended, without an empty line. */
static bool continues(const struct block *before, const struct block *block)
{
	return before != NULL && is_prose(block) && before->kind == block->kind && !block->apart;
}

static size_t label_width(const struct block *block, const struct look_settings *look)
{
	size_t limit = look->width / 3 < WIDEST_LABEL ? look->width / 3 : WIDEST_LABEL;
	size_t width = block->label == NULL ? 0 : text_width(block->label);

	return width > limit ? 0 : width;
}

/* The widest label among the blocks of a paragraph that begins with blocks[first]. */
static size_t paragraph_label_width(const struct document *document, size_t first,
				    const struct look_settings *look)
{
	const struct block *before = NULL, *block;
	size_t widest = 0, i;

	for (i = first; i < document->block_count; i++) {
		block = &document->blocks[i];
		if (!is_shown(block, look))
			continue;
		if (before != NULL && !continues(before, block))
			break;
		if (label_width(block, look) > widest)
			widest = label_width(block, look);
		before = block;
	}
	return widest;
}

static void add_prose(struct text *text, const struct block *block, size_t labels,
		      const struct look_settings *look)
{
	const char *start = text_tone_start(block->tone, look);
	size_t indent = 0;

	if (start != NULL)
		text_add(text, start);
	if (block->label != NULL && label_width(block, look) == 0) {
		/* Too wide for the column of labels: on a line of its own. */
		wrap_add(text, block->label, 0, 0, look->width);
		indent = labels > 0 ? labels + 2 : 2;
		wrap_end_line(text);
		text_add_repeat(text, ' ', indent);
	} else if (block->label != NULL) {
		wrap_pad(text, block->label, labels + 2);
		indent = labels + 2;
	}
	wrap_add(text, block->text, indent, indent, look->width);
	if (start != NULL)
		text_add(text, text_tone_end);
	wrap_end_line(text);
}

static void write_text(const struct document *document, const struct look_settings *given,
		       struct text *text)
{
	struct look_settings look = *given;
	const struct block *before = NULL, *block;
	size_t labels = 0, i;

	if (look.width < NARROWEST)
		look.width = NARROWEST;
	for (i = 0; i < document->block_count; i++) {
		block = &document->blocks[i];
		if (!is_shown(block, &look))
			continue;
		if (!continues(before, block)) {
			if (before != NULL)
				wrap_end_line(text);
			labels = paragraph_label_width(document, i, &look);
		}
		if (block->kind == BLOCK_TABLE)
			text_table_add(text, block->table, &look);
		else if (block->kind == BLOCK_PLOT)
			plot_text(block->plot, look.width, text);
		else if (block->kind == BLOCK_HEADING) {
			wrap_add(text, block->text, 0, 0, look.width);
			wrap_end_line(text);
		} else
			add_prose(text, block, labels, &look);
		before = block;
	}
}

static const char *const text_endings[] = { ".txt", ".text", NULL };

const struct writer writer_text = {
	.name = "text",
	.endings = text_endings,
	.write = write_text,
};
