/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The error struct: see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A sentence that was too long ends in "...", and not in the middle of a character of UTF-8. */
static void end_cleanly(struct error *err, size_t wanted)
{
	static const char end[] = "...";
	size_t last = sizeof err->sentence - sizeof end;

	if (wanted < sizeof err->sentence)
		return;
	while (last > 0 && ((unsigned char)err->sentence[last] & 0xc0) == 0x80)
		last--;
	memcpy(err->sentence + last, end, sizeof end);
}

bool error_set(struct error *err, enum error_kind kind, const char *format, ...)
{
	va_list arguments;
	int wanted;

	if (err == NULL)
		return false;
	err->kind = kind;
	va_start(arguments, format);
	wanted = vsnprintf(err->sentence, sizeof err->sentence, format, arguments);
	va_end(arguments);
	end_cleanly(err, wanted < 0 ? 0 : (size_t)wanted);
	return false;
}

bool error_prefix(struct error *err, const char *format, ...)
{
	char rest[ERROR_SENTENCE_BYTES];
	va_list arguments;
	size_t used;
	int wanted;

	if (err == NULL)
		return false;
	memcpy(rest, err->sentence, sizeof rest);
	va_start(arguments, format);
	vsnprintf(err->sentence, sizeof err->sentence, format, arguments);
	va_end(arguments);
	used = strlen(err->sentence);
	wanted = snprintf(err->sentence + used, sizeof err->sentence - used, ": %s", rest);
	end_cleanly(err, used + (wanted < 0 ? 0 : (size_t)wanted));
	return false;
}
