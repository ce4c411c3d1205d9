/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worth judge --convert: what was read, as worth's own recording or as CSV. */
#include "commands/judge/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "model/codec.h"
#include "report/sheet/sheet.h"
#include "report/writer.h"

static bool write_bytes(const char *path, const struct text *text, struct error *err)
{
	if (strcmp(path, "-") != 0)
		return file_write(path, text_string(text), text->length, err);
	if (fwrite(text_string(text), 1, text->length, stdout) == text->length &&
	    fflush(stdout) == 0)
		return true;
	return error_set(err, ERROR_SYSTEM, "cannot write to standard output");
}

static bool write_json(const struct recording *recording, const char *path, struct error *err)
{
	struct json *json = recording_to_json(recording);
	struct text text = { 0 };
	bool good;

	json_print(json, true, &text);
	json_release(json);
	good = write_bytes(path, &text, err);
	text_release(&text);
	return good;
}

/* As few digits as give the same number. */
static const char *shortest(struct arena *arena, double number)
{
	const char *digits = arena_printf(arena, "%.15g", number);

	return strtod(digits, NULL) == number ? digits : arena_printf(arena, "%.17g", number);
}

/* The name with what a reader must know of the metric to judge it alike:
 * "put_block [B/s; higher; step 1024]". */
static const char *described(struct arena *arena, const struct metric *metric)
{
	const char *step = "";

	if (metric->quantum > 0)
		step = arena_printf(arena, "; step %s", shortest(arena, metric->quantum));
	return arena_printf(arena, "%s [%s; %s%s%s%s]", metric->name, metric->unit,
			    better_name(metric->better), step, metric->exact ? "; exact" : "",
			    metric->hidden ? "; besides" : "");
}

/* A copy whose metrics are described by their names, since CSV has no other place for it. */
static struct recording describe(struct arena *arena, const struct recording *recording)
{
	struct recording copy = *recording;
	bool one_decides = recording->plan.primary != NULL && !recording->plan.all_decide;
	size_t i;

	copy.metrics = arena_copy(arena, recording->metrics,
				  recording->metric_count * sizeof *recording->metrics);
	for (i = 0; i < copy.metric_count; i++) {
		if (one_decides)
			copy.metrics[i].hidden =
			    strcmp(copy.metrics[i].name, recording->plan.primary) != 0;
		copy.metrics[i].name = described(arena, &copy.metrics[i]);
	}
	return copy;
}

static bool write_csv(struct arena *arena, const struct recording *recording, const char *path,
		      struct error *err)
{
	struct findings findings = { 0 };
	struct sheet_settings settings = { .all = true };
	struct recording copy = describe(arena, recording);
	struct document *document;
	struct look_settings look = { .width = 80 };
	struct text text = { 0 };
	bool good;

	if (recording->mean_count > 0)
		return error_set(err, ERROR_INPUT,
				 "CSV has a line for each run, and some of these figures are means "
				 "without their runs; convert to JSON");
	document = sheet_make(arena, &copy, &findings, &settings);
	writer_by_name("csv")->write(document, &look, &text);
	json_release(document->data);
	good = write_bytes(path, &text, err);
	text_release(&text);
	return good;
}

static bool write_by_ending(struct arena *arena, const struct recording *recording,
			    const char *path, struct error *err)
{
	const struct writer *writer = writer_by_ending(path, err);

	if (writer == NULL)
		return false;
	if (strcmp(writer->name, "json") == 0)
		return write_json(recording, path, err);
	if (strcmp(writer->name, "csv") == 0)
		return write_csv(arena, recording, path, err);
	return error_set(err, ERROR_USAGE,
			 "--convert writes JSON or CSV, not what '%s' ends in; leave --convert out "
			 "for a report",
			 path);
}

bool judge_convert(struct arena *arena, const struct recording *recording,
		   const struct output_settings *output, struct error *err)
{
	size_t i;

	if (output->markdown.count + output->html.count + output->plot.count > 0)
		return error_set(err, ERROR_USAGE,
				 "--convert writes JSON or CSV; leave it out for a report in "
				 "Markdown or HTML, or for plots");
	if (output->files.count + output->json.count + output->csv.count == 0)
		return write_json(recording, "-", err);
	for (i = 0; i < output->json.count; i++)
		if (!write_json(recording, output->json.items[i], err))
			return false;
	for (i = 0; i < output->csv.count; i++)
		if (!write_csv(arena, recording, output->csv.items[i], err))
			return false;
	for (i = 0; i < output->files.count; i++)
		if (!write_by_ending(arena, recording, output->files.items[i], err))
			return false;
	return true;
}
