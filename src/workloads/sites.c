/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions around locks, written out as C: see sites.h. They have arguments and
 * sums that live across the lock, for what a call costs a site is most of all
 * the registers that must be saved around it. Three quarters call another function
 * besides, as most functions that lock do, and save some anyway; a quarter leaves early and a
 * quarter locks twice, so a thousand functions have about 1250 places that lock
 * and 1500 that unlock. All differ in their constants, so that no linker or
 * compiler makes one of two.
 */
#include "workloads/sites.h"

#include <string.h>

#include "base/random.h"
#include "specimens/mutexes/mutex.h"
#include "specimens/spinlocks/spinlock.h"

/* Of either kind. */
struct site_lock {
	const char *name, *folder, *prefix, *type, *absent;
};

enum { HEADERS_MOST = 64 };

/* The headers that are in the text already, by their place in the table. */
struct writing {
	struct text *text;
	bool written[HEADERS_MOST];
};

static bool find_lock(const char *name, struct site_lock *lock)
{
	const struct spinlock *const *spinlock;
	const struct mutex *const *mutex;

	for (spinlock = spinlocks; *spinlock != NULL; spinlock++)
		if (strcmp((*spinlock)->name, name) == 0) {
			*lock = (struct site_lock){ name, "spinlocks", (*spinlock)->prefix,
						    (*spinlock)->type, (*spinlock)->absent };
			return true;
		}
	for (mutex = mutexes; *mutex != NULL; mutex++)
		if (strcmp((*mutex)->name, name) == 0) {
			*lock = (struct site_lock){ name, "mutexes", (*mutex)->prefix,
						    (*mutex)->type, (*mutex)->absent };
			return true;
		}
	return false;
}

static void write_header(struct writing *writing, const char *name);

/* One line; an include of the specimens' own becomes that header's text, once. */
static void write_line(struct writing *writing, const char *line, size_t length)
{
	static const char own[] = "#include \"specimens/";
	char name[128];
	const char *end;

	if (strncmp(line, own, sizeof own - 1) != 0) {
		text_printf(writing->text, "%.*s\n", (int)length, line);
		return;
	}
	line += sizeof "#include \"" - 1;
	end = strchr(line, '"');
	if (end == NULL || (size_t)(end - line) >= sizeof name)
		return;
	memcpy(name, line, (size_t)(end - line));
	name[end - line] = 0;
	write_header(writing, name);
}

static void write_header(struct writing *writing, const char *name)
{
	const char *line, *end;
	size_t i = 0;

	while (site_headers[i].name != NULL && strcmp(site_headers[i].name, name) != 0)
		i++;
	if (site_headers[i].name == NULL || i >= HEADERS_MOST || writing->written[i])
		return;
	writing->written[i] = true;
	for (line = site_headers[i].text; *line != 0; line = end + 1) {
		end = strchr(line, '\n');
		if (end == NULL)
			break;
		write_line(writing, line, (size_t)(end - line));
	}
}

static void write_function(struct text *text, const struct site_lock *lock, uint64_t number,
			   struct random *random)
{
	unsigned first = (unsigned)random_below(random, 97) + 3;
	unsigned second = (unsigned)random_below(random, 8191) + 9;
	const char *p = lock->prefix;

	text_printf(
	    text,
	    "\nint site_%llu(struct object *object, struct lock_thread *self, int x, int y);\n"
	    "int site_%llu(struct object *object, struct lock_thread *self, int x, int y)\n"
	    "{\n"
	    "\tstruct lock_hold hold;\n"
	    "\tint sum = object->a * %u + x, rest = object->b - y;\n\n"
	    "\thold.thread = self;\n"
	    "%s"
	    "\t%s_lock(&object->lock, &hold);\n"
	    "\tobject->c += sum ^ %u;\n",
	    (unsigned long long)number, (unsigned long long)number, first,
	    random_below(random, 4) == 0 ? "" : "\tsum += other(object, x);\n", p, second);
	if (random_below(random, 4) == 0)
		text_printf(text,
			    "\tif (object->d > %u) {\n"
			    "\t\t%s_unlock(&object->lock, &hold);\n"
			    "\t\treturn rest + y;\n"
			    "\t}\n",
			    second, p);
	text_printf(text, "\tobject->d = rest;\n\t%s_unlock(&object->lock, &hold);\n", p);
	if (random_below(random, 4) == 0)
		text_printf(text,
			    "\tobject = object->next;\n"
			    "\t%s_lock(&object->lock, &hold);\n"
			    "\tobject->a -= rest + %u;\n"
			    "\t%s_unlock(&object->lock, &hold);\n",
			    p, first, p);
	text_printf(text, "\treturn sum * %u + rest + x + y;\n}\n", first);
}

bool sites_write(struct arena *arena, const struct sites_settings *settings, struct text *text,
		 struct error *err)
{
	struct writing writing = { .text = text };
	struct random random = { .state = random_mix(settings->seed) };
	struct site_lock lock;
	uint64_t i;

	if (!find_lock(settings->lock, &lock))
		return error_set(err, ERROR_USAGE,
				 "there is no such lock; \"worth workload spin --lock list\" and "
				 "\"worth workload mutex --lock list\" name them");
	if (lock.absent != NULL)
		return error_set(err, ERROR_SYSTEM, "%s is not in this build: %s", lock.name,
				 lock.absent);
	text_printf(text,
		    "/* %llu functions that use %s; compile with -c -mno-red-zone, gcc also with "
		    "-fno-ipa-icf. */\n",
		    (unsigned long long)settings->count, lock.name);
	write_header(&writing, arena_printf(arena, "specimens/%s/%s.h", lock.folder, lock.prefix));
	text_printf(text,
		    "\nstruct object {\n\t%s lock;\n\tint a, b, c, d;\n"
		    "\tstruct object *next;\n};\n\nint other(struct object *object, int x);\n",
		    lock.type);
	for (i = 0; i < settings->count; i++)
		write_function(text, &lock, i, &random);
	return true;
}

const struct sites_settings sites_defaults = { .lock = "tas-inline", .count = 1000 };

static const struct option options[] = {
	{ .kind = OPTION_TEXT,
	  .name = "lock",
	  .value = "NAME",
	  .help = "a spinlock or a mutex of the specimens (tas-inline)",
	  .offset = offsetof(struct sites_settings, lock) },
	{ .kind = OPTION_COUNT,
	  .name = "count",
	  .value = "N",
	  .help = "how many functions (1000)",
	  .offset = offsetof(struct sites_settings, count),
	  .minimum = 1,
	  .maximum = 1e6 },
	{ .kind = OPTION_COUNT,
	  .name = "seed",
	  .value = "S",
	  .help = "which of the random sets of functions (0)",
	  .offset = offsetof(struct sites_settings, seed) },
	OPTION_TABLE_END,
};

static const char *const synopsis[] = { "workload sites [OPTION...] >FILE.c", NULL };

const struct command sites_command = {
	.name = "workload sites",
	.summary = "C source with many places that use a lock",
	.synopsis = synopsis,
	.description = "Writes functions that use a lock of the specimens, with its headers, so "
		       "that a compiler is all that is needed to see how many bytes a place that "
		       "locks takes. What a lock has out of line is declared only.\n",
	.examples = "# Bytes of 1000 functions, inline and by calls\n"
		    "$ worth workload sites --lock tas-inline >inline.c\n"
		    "$ worth workload sites --lock tas-cool >cool.c\n"
		    "$ cc -Os -mno-red-zone -fno-ipa-icf -c inline.c cool.c\n"
		    "$ worth size inline.o cool.o\n",
	.options = options,
	.settings_size = sizeof(struct sites_settings),
};
