/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_LEDGER_BENCH_H
#define TESTS_LEDGER_BENCH_H

/*
 * A directory in which tests compile small sources, and the ledgers of what
 * comes out. Commands run in the directory by the shell.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "binary/ledger/ledger.h"
#include "unit.h"

struct ledger_bench {
	char directory[64];
	struct arena *arena;
	const char *debug_directories[1];
	struct debug_settings settings;
};

/* Nested inlining, three call sites of outer, one in a loop, one in two lexical blocks; a cold
 * branch, so that functions are split and copies have several ranges. */
static const char nested_source[] =
    "volatile int sink;\n"
    "extern void slow(int) __attribute__((cold));\n"
    "static inline __attribute__((always_inline)) int inner(int x)\n"
    "{ sink = x * 7; sink = x + 3; return x * x + sink; }\n"
    "static inline __attribute__((always_inline)) int outer(int x)\n"
    "{ int r = inner(x); if (__builtin_expect(r == 42, 0)) { slow(r); slow(r + 1); }\n"
    "  sink = r; return r; }\n"
    "int a1(int x) { return outer(x) + 1; }\n"
    "int a2(int x, int y) { return outer(x) + outer(y); }\n"
    "int a3(int *p) { int s = 0; for (int i = 0; i < p[0]; i++) s += inner(p[i]); return s; }\n"
    "int a4(int x) { { int q = x + 1; if (q > 5) { int z = q * 3; return inner(z); } } return 0; "
    "}\n";

static inline bool ledger_bench_run(const struct ledger_bench *bench, const char *command)
{
	char *line;
	int status;

	if (asprintf(&line, "cd %s && { %s ; } >log 2>&1", bench->directory, command) < 0)
		arena_out_of_memory();
	status = system(line);
	free(line);
	return status == 0;
}

static inline void ledger_bench_write(const struct ledger_bench *bench, const char *name,
				      const char *content)
{
	char *path = arena_printf(bench->arena, "%s/%s", bench->directory, name);
	struct error err = { 0 };

	if (!file_write(path, content, strlen(content), &err))
		fail_msg("%s", err.sentence);
}

static inline void ledger_bench_open(struct ledger_bench *bench)
{
	*bench =
	    (struct ledger_bench){ .directory = "/tmp/worth-ledger-XXXXXX", .arena = arena_open() };
	if (mkdtemp(bench->directory) == NULL)
		arena_out_of_memory();
}

static inline void ledger_bench_close(struct ledger_bench *bench)
{
	char *line = arena_printf(bench->arena, "rm -rf %s", bench->directory);

	if (system(line) != 0)
		print_message("%s is left\n", bench->directory);
	arena_close(bench->arena);
}

/* The ledger of one file in the directory. */
static inline struct code_image ledger_bench_read(struct ledger_bench *bench, const char *file)
{
	struct code_image image = { .path = arena_printf(bench->arena, "%s/%s", bench->directory,
							 file) };
	struct debug_source source = { .path = image.path };
	struct ledger *ledger = ledger_open(bench->arena, &bench->settings);
	struct error err = { 0 };

	if (!ledger_add(ledger, &source, &err))
		fail_msg("%s", err.sentence);
	ledger_finish(ledger, &image);
	ledger_close(ledger);
	return image;
}

/* A function of the ledger by its name; fails the test if it is not there. */
static inline const struct code_inlined *ledger_bench_function(const struct code_image *image,
							       const char *name)
{
	size_t i;

	for (i = 0; i < image->inline_count; i++)
		if (strcmp(image->inlines[i].name, name) == 0)
			return &image->inlines[i];
	fail_msg("%s is not in the ledger of %s", name, image->path);
	return NULL;
}

static inline bool ledger_bench_has_tool(const char *tool)
{
	char *line;
	int status;

	if (asprintf(&line, "command -v %s >/dev/null 2>&1", tool) < 0)
		arena_out_of_memory();
	status = system(line);
	free(line);
	return status == 0;
}

#endif
