/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REPORT_WRITER_H
#define REPORT_WRITER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "report/document.h"

/* How a document is to look; inputs, so that transcripts are exact. */
struct look_settings {
	unsigned width; /* columns for text; 80 unless the terminal is narrower */
	bool colour;
	bool plots; /* text: with the plots, drawn with letters */
};

/* One report format: one file, one row in list.def. The descriptor stands last in its file. */
struct writer {
	const char *name;	    /* "text", "markdown", "html" */
	const char *const *endings; /* of file names: ".md", ".markdown"; NULL-terminated */
	void (*write)(const struct document *document, const struct look_settings *look,
		      struct text *text);
};

const struct writer *const *writers(void); /* NULL-terminated */
const struct writer *writer_by_name(const char *name);
/* By the ending of path; the error lists the known endings. */
const struct writer *writer_by_ending(const char *path, struct error *err);

#endif
