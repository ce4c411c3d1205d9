/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plots of a report alone, one below the other with their titles, as one SVG file. */
#include "report/markup.h"
#include "report/page.h"
#include "report/plot/svg.h"
#include "report/writer.h"

enum { TITLE_HEIGHT = 30, TITLE_BASELINE = 20 };

static bool is_drawn(const struct block *block)
{
	return block->kind == BLOCK_PLOT && plot_has_marks(block->plot);
}

static double total_height(const struct document *document)
{
	double height = 0;
	size_t i;

	for (i = 0; i < document->block_count; i++)
		if (is_drawn(&document->blocks[i]))
			height += TITLE_HEIGHT + plot_svg_height(document->blocks[i].plot);
	return height > 0 ? height : TITLE_HEIGHT;
}

static void add_heading(struct text *text, double y, const char *title)
{
	text_printf(text, "<text x=\"4\" y=\"%.0f\" font-weight=\"600\">", y + TITLE_BASELINE);
	markup_add(text, title);
	text_add(text, "</text>\n");
}

static void write_svg(const struct document *document, const struct look_settings *look,
		      struct text *text)
{
	double height = total_height(document), y = 0;
	size_t i;

	(void)look;
	text_printf(text,
		    "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		    "height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n<title>",
		    PLOT_SVG_WIDTH, height, PLOT_SVG_WIDTH, height);
	markup_add(text, document->title);
	text_printf(text, "</title>\n<style>\n%s:root { --ground: #fff }\n", plot_style);
	text_add(text, "@media (prefers-color-scheme: dark) { :root { --ground: #14171b; "
		       "--ink: #e4e8ec; --faint: #98a2ad; --line: #353c44 } }\n</style>\n");
	text_add(text, "<rect width=\"100%\" height=\"100%\" style=\"fill: var(--ground)\"/>\n");
	for (i = 0; i < document->block_count; i++) {
		if (!is_drawn(&document->blocks[i]))
			continue;
		add_heading(text, y, document->blocks[i].plot->title);
		y += TITLE_HEIGHT;
		plot_svg(document->blocks[i].plot, y, text);
		y += plot_svg_height(document->blocks[i].plot);
	}
	if (y == 0)
		add_heading(text, 0, "nothing to draw");
	text_add(text, "</svg>\n");
}

static const char *const svg_endings[] = { ".svg", NULL };

const struct writer writer_svg = {
	.name = "svg",
	.endings = svg_endings,
	.write = write_svg,
};
