/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Escaping for HTML and SVG. Strings of a document are clean UTF-8 already: see document.h. */
#include "report/markup.h"

#include <string.h>

static const char *replacement(char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	default:
		return "&#39;";
	}
}

void markup_add(struct text *text, const char *string)
{
	size_t plain;

	for (; *string != '\0'; string += plain) {
		plain = strcspn(string, "&<>\"'");
		text_add_bytes(text, string, plain);
		if (string[plain] != '\0')
			text_add(text, replacement(string[plain++]));
	}
}
