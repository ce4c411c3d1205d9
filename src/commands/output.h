/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef COMMANDS_OUTPUT_H
#define COMMANDS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/options.h"
#include "judge/judge.h"
#include "report/document.h"
#include "report/writer.h"

/*
 * Where a report goes: the same options for every command. Without any of
 * them the text goes to stdout; files come in addition to it; "-" for a file
 * is stdout, and then the text is left out.
 */
struct output_settings {
	struct option_texts files; /* -o: format by the name's ending */
	struct option_texts html, plot, json, csv, markdown;
};

/* The rows for a command's option table; member is the struct output_settings in type. */
#define OUTPUT_OPTIONS(type, member)                                                               \
	{ .kind = OPTION_GROUP, .help = "Report" },                                                \
	    { .kind = OPTION_TEXTS,                                                                \
	      .name = "write",                                                                     \
	      .letter = 'o',                                                                       \
	      .value = "FILE",                                                                     \
	      .help = "into FILE too, by its ending: .html .md .json .csv .svg .txt",              \
	      .offset = offsetof(type, member.files),                                              \
	      .completes = COMPLETES_FILE },                                                       \
	    OUTPUT_OPTION("html", "as one HTML page with plots; - is stdout", type, member.html),  \
	    OUTPUT_OPTION("plot", "the plots alone, as SVG; - draws them as text on stdout", type, \
			  member.plot),                                                            \
	    OUTPUT_OPTION("markdown", "as Markdown; - is stdout", type, member.markdown),          \
	    OUTPUT_OPTION("json", "as JSON, with everything measured; - is stdout", type,          \
			  member.json),                                                            \
	    OUTPUT_OPTION("csv", "as CSV; - is stdout", type, member.csv)

/* The rows of what a reader asks besides; member is the struct judge_questions in type. */
#define QUESTION_OPTIONS(type, member)                                                             \
	{ .kind = OPTION_TEXT,                                                                     \
	  .name = "pareto",                                                                        \
	  .value = "METRIC,METRIC",                                                                \
	  .help = "which variants are worth anything by two metrics: text,wall",                   \
	  .offset = offsetof(type, member.pareto) },                                               \
	{                                                                                          \
		.kind = OPTION_TEXT, .name = "worth", .value = "RATE",                             \
		.help = "one answer from several metrics, as '1% wall = 2% text'",                 \
		.offset = offsetof(type, member.worth)                                             \
	}

#define OUTPUT_OPTION(option_name, option_help, type, field)                                       \
	{                                                                                          \
		.kind = OPTION_TEXTS, .name = option_name, .value = "FILE", .help = option_help,   \
		.offset = offsetof(type, field), .completes = COMPLETES_FILE                       \
	}

/* No options given. */
void output_settings_init(struct output_settings *settings);

/* Before a long measurement: formats known, files distinct and writable, stdout asked for at most
 * once. Creates and changes nothing. */
bool output_check(const struct output_settings *settings, struct error *err);

/* Whether something other than the text report goes to stdout. */
bool output_takes_stdout(const struct output_settings *settings);

/* Write the document everywhere it was asked for: stdout first, then each file whole or not at
 * all. One that fails does not keep the others from being written; the error is the first one. */
bool output_write(const struct output_settings *settings, const struct document *document,
		  struct error *err);

/* How text on this descriptor is to look. Width: COLUMNS, or the terminal's, at most 80. Colour:
 * only on a terminal that is not "dumb", and not if NO_COLOR is set (https://no-color.org). */
struct look_settings output_look(int fd);

#endif
