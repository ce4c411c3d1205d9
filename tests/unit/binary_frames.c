/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stack frames: what gcc -fstack-usage says of a source is what call frame information and
 * prologues give, in objects, archives and linked files, of both compilers. */
#include "binary/frames.h"
#include "binary/image.h"
#include "ledger_bench.h"

static struct ledger_bench bench;

static const char frames_source[] =
    "extern void sinkp(char *);\n"
    "extern int g(int);\n"
    "int big(int x) { char b[300]; sinkp(b); return b[x]; }\n"
    "int vla(int n) { char b[n]; sinkp(b); return b[n - 1]; }\n"
    "int leaf(int x) { return x * 3; }\n"
    "static int __attribute__((noinline)) st(int x) { return g(x) + g(x + 1); }\n"
    "int call(int x) { if (x < 0) return g(leaf(x)); return st(x) + x; }\n";

static struct code_image read_frames(const char *name)
{
	char *path = arena_printf(bench.arena, "%s/%s", bench.directory, name);
	struct code_image image;
	struct error err = { 0 };

	if (!image_read(bench.arena, path, NULL, &image, &err) ||
	    !frames_read(bench.arena, &bench.settings, &image, &err))
		fail_msg("%s", err.sentence);
	return image;
}

static const struct code_frame *frame_of(const struct code_image *image, const char *function)
{
	size_t i;

	for (i = 0; i < image->frame_count; i++)
		if (strcmp(image->frames[i].function, function) == 0)
			return &image->frames[i];
	fail_msg("%s: no frame of %s", image->path, function);
	return NULL;
}

struct form {
	const char *name, *command;
	const char *origin; /* of leaf and big */
	size_t bodies;	    /* of each function in it */
};

static const struct form forms[] = {
	{ "an object", "gcc -O2 -c f.c -o out", "CFI", 1 },
	{ "an object with debug information alone",
	  "gcc -g -O2 -fno-asynchronous-unwind-tables -c f.c -o out", "CFI", 1 },
	{ "an object without either", "gcc -O2 -fno-asynchronous-unwind-tables -c f.c -o out",
	  "prologue", 1 },
	{ "a shared object", "gcc -O2 -shared -fPIC -nostdlib f.c -o out", "CFI", 1 },
	{ "a kernel module", "gcc -O2 -c f.c -o f.o && ld -r f.o -o out", "CFI", 1 },
	{ "sections of functions", "gcc -O2 -ffunction-sections -c f.c -o out", "CFI", 1 },
	{ "an archive",
	  "gcc -O2 -c f.c -o one.o && gcc -O2 -c f.c -o two.o && rm -f out && "
	  "ar rc out one.o two.o",
	  "CFI", 2 },
};

/* report.su stays beside report.o alone, so that no other form is read from it. */
static void as_the_compiler_says(void **state)
{
	const struct form *form = *state;
	static const char *const names[] = { "big", "leaf", "st", "call" };
	struct code_image said, image;
	size_t i;

	assert_true(ledger_bench_run(&bench, "gcc -O2 -fstack-usage -c f.c -o report.o"));
	said = read_frames("report.o");
	assert_string_equal(frame_of(&said, "big")->origin, "stack-usage");
	assert_true(frame_of(&said, "vla")->dynamic);
	if (!ledger_bench_run(&bench, form->command))
		fail_msg("%s: the command failed", form->name);
	image = read_frames("out");
	assert_int_equal(image.frame_count, form->bodies * said.frame_count);
	for (i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(frame_of(&image, names[i])->bytes,
				 frame_of(&said, names[i])->bytes);
	assert_string_equal(frame_of(&image, "leaf")->origin, form->origin);
	assert_string_equal(frame_of(&image, "big")->origin, form->origin);
	assert_true(frame_of(&image, "vla")->dynamic);
}

static void other_machines(void **state)
{
	static const char *const targets[] = { "aarch64", "i386",	 "riscv64",
					       "powerpc", "powerpc64le", "s390x" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof targets / sizeof *targets; i++) {
		struct code_image image;

		if (!ledger_bench_run(&bench, arena_printf(bench.arena,
							   "clang --target=%s-linux-gnu -O1 "
							   "-funwind-tables -c f.c -o out",
							   targets[i])))
			continue;
		image = read_frames("out");
		assert_string_equal(frame_of(&image, "leaf")->origin, "CFI");
		assert_true(frame_of(&image, "big")->bytes >= 300);
		assert_true(frame_of(&image, "st")->bytes <= 400);
	}
}

static void unknown_is_said(void **state)
{
	struct code_image image;

	(void)state;
	assert_true(ledger_bench_run(&bench, "clang --target=armv7-linux-gnueabi -O1 -c f.c "
					     "-o out"));
	image = read_frames("out");
	assert_int_equal(image.frame_count, 0);
	assert_non_null(strstr(image.coverage.partial, "-fstack-usage"));
}

static void differences(void **state)
{
	struct code_image before, after;
	struct code_diff diff = { 0 }, same = { 0 };
	size_t i;

	(void)state;
	assert_true(ledger_bench_run(&bench, "gcc -O2 -c f.c -o before.o && mkdir new && "
					     "sed 's/b.300./b[600]/; s/int leaf/int tail/; "
					     "s/leaf(x)/tail(x)/' f.c >new/f.c && "
					     "gcc -O2 -c new/f.c -o after.o"));
	before = read_frames("before.o");
	after = read_frames("after.o");
	frames_compare(bench.arena, &before, &after, &diff);
	assert_int_equal(diff.frame_count, 6);
	assert_string_equal(diff.frames[0].function, "big");
	assert_int_equal(diff.frames[0].kind, CODE_GROWN);
	for (i = 1; i < diff.frame_count; i++) {
		const char *name = diff.frames[i].function;
		enum code_change_kind kind = strcmp(name, "leaf") == 0	 ? CODE_REMOVED
					     : strcmp(name, "tail") == 0 ? CODE_ADDED
									 : diff.frames[i].kind;

		assert_int_equal(diff.frames[i].kind, kind);
	}
	frames_compare(bench.arena, &before, &before, &same);
	for (i = 0; i < same.frame_count; i++)
		assert_int_equal(same.frames[i].kind, CODE_SAME);
}

int main(void)
{
	enum { FORMS = sizeof forms / sizeof *forms };
	bool clang, known = system("test \"$(gcc -dumpmachine)\" = x86_64-linux-gnu") == 0;
	struct CMUnitTest tests[FORMS + 3] = { 0 };
	size_t i;
	int failed;

	ledger_bench_open(&bench);
	ledger_bench_write(&bench, "f.c", frames_source);
	clang = ledger_bench_has_tool("clang");
	for (i = 0; i < FORMS; i++)
		tests[i] = (struct CMUnitTest){
			.name = known ? forms[i].name
				      : arena_printf(bench.arena, "%s # SKIP prologues of x86-64",
						     forms[i].name),
			.test_func = known ? as_the_compiler_says : unit_skipped,
			.initial_state = (void *)(uintptr_t)&forms[i],
		};
	tests[FORMS] = unit_test_if(clang, other_machines, "needs clang");
	tests[FORMS + 1] = unit_test_if(clang, unknown_is_said, "needs clang");
	tests[FORMS + 2] = (struct CMUnitTest)cmocka_unit_test(differences);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	ledger_bench_close(&bench);
	return failed;
}
