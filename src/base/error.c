/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The error struct: see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *err, enum error_kind kind, const char *format, ...)
{
	va_list arguments;

	if (err == NULL)
		return false;
	err->kind = kind;
	va_start(arguments, format);
	vsnprintf(err->sentence, sizeof err->sentence, format, arguments);
	va_end(arguments);
	return false;
}

bool error_prefix(struct error *err, const char *format, ...)
{
	char rest[ERROR_SENTENCE_BYTES];
	va_list arguments;
	size_t used;

	if (err == NULL)
		return false;
	memcpy(rest, err->sentence, sizeof rest);
	va_start(arguments, format);
	vsnprintf(err->sentence, sizeof err->sentence, format, arguments);
	va_end(arguments);
	used = strlen(err->sentence);
	snprintf(err->sentence + used, sizeof err->sentence - used, ": %s", rest);
	return false;
}
