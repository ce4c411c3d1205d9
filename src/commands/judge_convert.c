/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worth judge --convert: what was read, as worth's own recording or as CSV. */
#include "commands/judge_convert.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "model/codec.h"
#include "report/sheet.h"
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

static bool write_csv(struct arena *arena, const struct recording *recording, const char *path,
		      struct error *err)
{
	struct findings findings = { 0 };
	struct sheet_settings settings = { .all = true };
	struct document *document = sheet_make(arena, recording, &findings, &settings);
	struct look_settings look = { .width = 80 };
	struct text text = { 0 };
	bool good;

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

	if (output->markdown.count > 0)
		return error_set(err, ERROR_USAGE,
				 "--convert writes JSON or CSV; leave it out for a report in "
				 "Markdown");
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
