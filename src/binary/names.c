/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of symbols: what belongs together and what a reader is shown. The
 * suffixes are those of gcc 12 (clone_function_name in cgraphclones.cc,
 * lto_priv of lto-partition.cc) and of clang 14 (.llvm. of ThinLTO promotion,
 * .__uniq. of -funique-internal-linkage-names).
 */
#include "binary/names.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

#include "base/text.h"

enum {
	/* Longer names are shown as they are: libiberty's work may grow faster than its input. */
	MANGLED_LIMIT = 16384,
	SHOWN_LIMIT = 4096,
};

static const char *const suffixes[] = { "isra",	    "constprop", "part",       "cold",
					"lto_priv", "llvm",	 "localalias", "__uniq" };

static bool is_number(const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!isdigit((unsigned char)word[i]))
			return false;
	return length > 0;
}

static bool is_suffix(const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (strlen(suffixes[i]) == length && memcmp(suffixes[i], word, length) == 0)
			return true;
	return false;
}

/* Length of name without its suffixes. A dot at the start is no suffix: 64-bit PowerPC's code
 * symbols begin with one. */
static size_t stem_length(const char *name)
{
	size_t length = strlen(name);

	for (;;) {
		const char *dot = memrchr(name, '.', length);
		size_t tail;

		if (dot == NULL || dot == name)
			return length;
		tail = length - (size_t)(dot + 1 - name);
		if (!is_number(dot + 1, tail) && !is_suffix(dot + 1, tail))
			return length;
		length = (size_t)(dot - name);
	}
}

/* "17h" and 16 hexadecimal digits and "E" at the end. */
static size_t without_rust_hash(const char *name, size_t length)
{
	size_t i;

	if (length < 24 || strncmp(name, "_ZN", 3) != 0 || name[length - 1] != 'E' ||
	    memcmp(name + length - 20, "17h", 3) != 0)
		return length;
	for (i = length - 17; i < length - 1; i++)
		if (!isxdigit((unsigned char)name[i]))
			return length;
	return length - 20;
}

const char *name_base(struct arena *arena, const char *name)
{
	size_t length = without_rust_hash(name, stem_length(name));

	return name[length] == '\0' ? name : arena_strndup(arena, name, length);
}

bool name_is_cold(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return cold != NULL && cold != name && (cold[5] == '\0' || cold[5] == '.');
}

/* What a demangler printed so far, and the way out when it does not end: a name of a few hundred
 * bytes can ask for gigabytes by substitutions of substitutions. libiberty's callback interfaces
 * keep their state on the stack, so that leaving them by longjmp loses nothing. */
struct printing {
	struct text text;
	jmp_buf enough;
};

static void print_part(const char *part, size_t length, void *context)
{
	struct printing *printing = context;

	if (printing->text.length + length > SHOWN_LIMIT)
		longjmp(printing->enough, 1);
	text_add_bytes(&printing->text, part, length);
}

static bool demangle(const char *name, struct printing *printing)
{
	if (setjmp(printing->enough) != 0)
		return false;
	if (strncmp(name, "_R", 2) == 0 || strncmp(name, "_ZN", 3) == 0) {
		if (rust_demangle_callback(name, 0, print_part, printing))
			return true;
		text_clear(&printing->text);
	}
	return strncmp(name, "_Z", 2) == 0 &&
	       cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, print_part, printing);
}

/* Nearly all names; they need no copy. */
static bool is_plain(const char *name)
{
	while (*name >= ' ' && *name < 0x7f)
		name++;
	return *name == '\0';
}

const char *name_clean(struct arena *arena, const char *string)
{
	return is_plain(string) ? string : text_clean(arena, string, strlen(string));
}

const char *name_shown(struct arena *arena, const char *name)
{
	struct printing printing = { 0 };
	size_t length = strlen(name);
	const char *shown;

	if (name[0] == '_' && (name[1] == 'Z' || name[1] == 'R') && length <= MANGLED_LIMIT &&
	    demangle(name, &printing) && printing.text.length > 0)
		shown = is_plain(printing.text.bytes)
			    ? arena_strndup(arena, printing.text.bytes, printing.text.length)
			    : text_clean(arena, printing.text.bytes, printing.text.length);
	else
		shown = name_clean(arena, name);
	text_release(&printing.text);
	return shown;
}

const char *name_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}
