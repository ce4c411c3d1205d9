/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ledgers of two builds compared, what linkers leave behind, and objects without a ledger. */
#include <math.h>

#include "binary/disassembly.h"
#include "binary/image.h"
#include "binary/layouts.h"
#include "binary/ledger/diff.h"
#include "binary/ledger/outlining.h"
#include "ledger_bench.h"

static struct ledger_bench bench;

/* helper stops being inlined, f gets a longer cold part, S is packed better. */
static const char before_source[] =
    "extern void cold(int) __attribute__((cold));\n"
    "extern int g(int);\n"
    "struct S { char a; int b; char c; long d; };\n"
    "static int helper(int x) { return g(x) * 3; }\n"
    "int f(int x, struct S *s) { if (x < 0) { cold(x); cold(x + 1); } s->b = x; return helper(x) + "
    "g(x); }\n"
    "int k(int x) { return helper(x) + helper(x + 1); }\n";
static const char after_source[] =
    "extern void cold(int) __attribute__((cold));\n"
    "extern int g(int);\n"
    "struct S { long d; int b; char a; char c; };\n"
    "static __attribute__((noinline)) int helper(int x) { return g(x) * 3; }\n"
    "int f(int x, struct S *s) { if (x < 0) { cold(x); cold(x + 1); cold(x + 2); cold(x + 3); }\n"
    "  s->b = x; return helper(x) + g(x); }\n"
    "int k(int x) { return helper(x) + helper(x + 1); }\n";

static void build_pair(struct code_image *before, struct code_image *after)
{
	assert_true(ledger_bench_run(&bench, "mkdir -p old new"));
	ledger_bench_write(&bench, "old/t.c", before_source);
	ledger_bench_write(&bench, "new/t.c", after_source);
	assert_true(ledger_bench_run(&bench, "(cd old && gcc -g -O2 -c t.c) && "
					     "(cd new && gcc -g -O2 -c t.c)"));
	*before = ledger_bench_read(&bench, "old/t.o");
	*after = ledger_bench_read(&bench, "new/t.o");
}

static const struct code_inline_change *change_of(const struct code_diff *diff, const char *name)
{
	size_t i;

	for (i = 0; i < diff->inline_count; i++)
		if (strcmp(diff->inlines[i].shown, name) == 0)
			return &diff->inlines[i];
	fail_msg("%s is not in the comparison", name);
	return NULL;
}

static void copies_become_a_body(void **state)
{
	struct code_image before, after;
	struct code_diff diff = { 0 }, mirror = { 0 };
	const struct code_inline_change *change, *other;

	(void)state;
	build_pair(&before, &after);
	ledger_compare(bench.arena, &before, &after, &diff);
	change = change_of(&diff, "helper");
	assert_int_equal(change->kind, CODE_REMOVED);
	assert_true(change->became_body);
	assert_int_equal(change->baseline->copies, 3);
	assert_int_equal(change->candidate->copies, 0);
	assert_int_equal(change->candidate->bodies, 1);
	assert_int_equal(change->candidate->calls, 3);
	assert_non_null(strstr(change->sentence, "3 copies"));
	assert_non_null(strstr(change->sentence, "1 body"));
	assert_non_null(strstr(change->sentence, "3 call sites"));
	ledger_compare(bench.arena, &after, &before, &mirror);
	other = change_of(&mirror, "helper");
	assert_true(other->became_copies);
	assert_int_equal(other->delta_bytes, -change->delta_bytes);
	assert_true(other->by_copies_bytes == -change->by_copies_bytes);
	assert_true(other->by_size_bytes == -change->by_size_bytes);
}

/* More copies and other sizes at once: the two parts add up, and mirror. */
static void growth_is_divided(void **state)
{
	struct code_inlined before = { .name = "f",
				       .shown = "f",
				       .copies = 10,
				       .copies_with_code = 10,
				       .exclusive_bytes = 200 };
	struct code_inlined after = { .name = "f",
				      .shown = "f",
				      .copies = 14,
				      .copies_with_code = 14,
				      .exclusive_bytes = 420 };
	struct code_image first = { .inlines = &before, .inline_count = 1 };
	struct code_image second = { .inlines = &after, .inline_count = 1 };
	struct code_diff diff = { 0 };

	(void)state;
	ledger_compare(bench.arena, &first, &second, &diff);
	assert_int_equal(diff.inline_count, 1);
	assert_int_equal(diff.inlines[0].delta_bytes, 220);
	assert_true(fabs(diff.inlines[0].by_copies_bytes - 4 * 25) < 1e-9);
	assert_true(fabs(diff.inlines[0].by_size_bytes - 10 * 12) < 1e-9);
}

static void assert_no_change(const struct code_image *before, const struct code_image *after)
{
	struct code_diff diff = { 0 };
	size_t i;

	ledger_compare(bench.arena, before, after, &diff);
	assert_true(diff.inline_count > 0);
	for (i = 0; i < diff.inline_count; i++)
		assert_int_equal(diff.inlines[i].kind, CODE_SAME);
}

static void itself_is_no_difference(void **state)
{
	struct code_image image;

	(void)state;
	assert_true(ledger_bench_run(&bench, "gcc -g -O2 -c n.c -o n.o"));
	image = ledger_bench_read(&bench, "n.o");
	assert_no_change(&image, &image);
}

/* Other directories, and a header whose lines moved. */
static void lines_and_directories_are_no_difference(void **state)
{
	struct code_image before, after;

	(void)state;
	assert_true(ledger_bench_run(
	    &bench, "mkdir -p one/include two/include && head -8 n.c >one/include/n.h && "
		    "(seq -f '/* %g */' 5; head -8 n.c) >two/include/n.h && "
		    "(echo '#include \"include/n.h\"'; tail -n +9 n.c) | tee one/m.c >two/m.c && "
		    "(cd one && gcc -g -O2 -c m.c) && (cd two && gcc -g -O2 -c m.c)"));
	before = ledger_bench_read(&bench, "one/m.o");
	after = ledger_bench_read(&bench, "two/m.o");
	assert_string_equal(ledger_bench_function(&before, "inner")->file, "include/n.h");
	assert_no_change(&before, &after);
}

static const char collected_source[] =
    "volatile int s;\n"
    "static inline int hot(int x) { s = x; s = x + 1; s = x * 3; return s; }\n"
    "int used(int x) { return hot(x); }\n"
    "int dead1(int x) { return hot(x) + hot(x + 1); }\n"
    "int dead2(int x) { if (x) return hot(x); return 0; }\n"
    "int main(void) { return used(3); }\n";

/* Dead functions leave their DIEs at address 0 (gold: 0x10), and count nothing. */
static void collected_sections_do_not_count(void **state)
{
	static const char *const linkers[] = { "bfd", "gold", "lld" };
	size_t i;

	(void)state;
	ledger_bench_write(&bench, "gc.c", collected_source);
	for (i = 0; i < 3; i++) {
		char *command = arena_printf(bench.arena,
					     "gcc -g -O2 -ffunction-sections -Wl,--gc-sections "
					     "-fuse-ld=%s gc.c -o gc",
					     linkers[i]);
		struct code_image image;

		if (!ledger_bench_run(&bench, command)) {
			print_message("# no linker %s\n", linkers[i]);
			continue;
		}
		image = ledger_bench_read(&bench, "gc");
		assert_int_equal(ledger_bench_function(&image, "hot")->copies, 1);
		assert_true(image.coverage.exclusive_bytes < 60);
		assert_null(image.coverage.partial);
	}
}

static void folded_functions_count_once(void **state)
{
	struct code_image image;
	const struct code_inlined *copy;

	(void)state;
	ledger_bench_write(&bench, "icf.c",
			   "volatile int s;\n"
			   "static inline int h(int x) { s = x; s = x * 7; return s + x; }\n"
			   "__attribute__((noinline)) int f1(int x) { return h(x) + 1; }\n"
			   "__attribute__((noinline)) int f2(int x) { return h(x) + 1; }\n"
			   "__attribute__((noinline)) int f3(int x) { return h(x) + 1; }\n"
			   "int main(int c, char **v)\n"
			   "{ return f1(c) + f2(c) * 2 + f3(c) * 3; }\n");
	assert_true(ledger_bench_run(&bench, "gcc -g -O2 -fno-ipa-icf -fno-ipa-cp "
					     "-ffunction-sections -fuse-ld=lld -Wl,--icf=all "
					     "icf.c -o icf"));
	image = ledger_bench_read(&bench, "icf");
	copy = ledger_bench_function(&image, "h");
	assert_int_equal(copy->copies, 1);
	assert_true(copy->exclusive_bytes < 40);
}

/* Each has its sentence, and none an empty ledger that looks whole. */
static void what_has_no_ledger_says_why(void **state)
{
	struct code_image image;

	(void)state;
	assert_true(ledger_bench_run(&bench,
				     "gcc -O2 -c n.c -o plain.o && "
				     "gcc -g -O2 -flto -fno-fat-lto-objects -c n.c -o lto.o && "
				     "gcc -gdwarf-2 -gstrict-dwarf -O2 -c n.c -o strict.o"));
	image = ledger_bench_read(&bench, "plain.o");
	assert_false(image.coverage.read);
	assert_non_null(strstr(image.coverage.partial, "build with -g"));
	image = ledger_bench_read(&bench, "lto.o");
	assert_non_null(strstr(image.coverage.partial, "link it first"));
	image = ledger_bench_read(&bench, "strict.o");
	assert_non_null(strstr(image.coverage.partial, "DWARF 2"));
	assert_true(image.coverage.instances > 0);
}

/* What another reader of DWARF counts. */
static void sums_are_those_of_llvm(void **state)
{
	static const char *const compilers[] = { "gcc -g", "gcc -gdwarf-4", "clang -g",
						 "clang -gdwarf-4" };
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		char *text;
		size_t length;
		struct code_image image;
		struct error err = { 0 };
		char *command = arena_printf(
		    bench.arena,
		    "%s -O2 -c n.c -o s.o && llvm-dwarfdump --statistics s.o | tr , '\\n' | "
		    "sed -n 's/.*\"#bytes within inlined functions\": *//p' >expected",
		    compilers[i]);

		assert_true(ledger_bench_run(&bench, command));
		image = ledger_bench_read(&bench, "s.o");
		assert_true(file_read(bench.arena,
				      arena_printf(bench.arena, "%s/expected", bench.directory),
				      4096, &text, &length, &err));
		assert_int_equal(strtoull(text, NULL, 10), image.coverage.outermost_bytes);
	}
}

static void structures_are_compared(void **state)
{
	struct code_image before, after;
	struct code_diff diff = { 0 };
	struct error err = { 0 };

	(void)state;
	build_pair(&before, &after);
	assert_true(layouts_read(bench.arena, &bench.settings, &before, &err));
	assert_true(layouts_read(bench.arena, &bench.settings, &after, &err));
	layouts_compare(bench.arena, &before, &after, &diff);
	assert_int_equal(diff.layout_count, 1);
	assert_int_equal(diff.layouts[0].kind, CODE_SHRUNK);
	assert_int_equal(diff.layouts[0].baseline->bytes, 24);
	assert_int_equal(diff.layouts[0].baseline->hole_bytes, 10);
	assert_int_equal(diff.layouts[0].baseline->holes, 2);
	assert_int_equal(diff.layouts[0].candidate->bytes, 16);
	assert_int_equal(diff.layouts[0].candidate->hole_bytes, 0);
	assert_int_equal(diff.layouts[0].candidate->padding_bytes, 2);
}

/* The same, whatever the path to it is called; another of that name is another. */
static void a_structure_is_known_in_another_file(void **state)
{
	static const char moved[] = "struct moved { long a; char b; } %s;\n";
	struct code_image before, after;
	struct code_diff diff = { 0 };
	struct error err = { 0 };
	size_t i;

	(void)state;
	assert_true(ledger_bench_run(&bench, "mkdir -p one/x two/y"));
	ledger_bench_write(&bench, "one/x/s.h", "struct headed { long a; char b; };\n");
	ledger_bench_write(&bench, "two/y/s.h", "struct headed { long a; char b, c; };\n");
	ledger_bench_write(&bench, "one/m.c", arena_printf(bench.arena, moved, "m"));
	ledger_bench_write(&bench, "two/n.c", arena_printf(bench.arena, moved, "n"));
	ledger_bench_write(&bench, "one/t.c",
			   "#include \"x/s.h\"\nstruct headed h;\nstruct own { int a; } o;\n");
	ledger_bench_write(&bench, "two/u.c",
			   "#include \"y/s.h\"\nstruct headed h;\nstruct own { char a[9]; } o;\n");
	assert_true(ledger_bench_run(&bench, "gcc -g -r -nostdlib -o one.o one/t.c one/m.c && "
					     "gcc -g -r -nostdlib -o two.o two/u.c two/n.c"));
	before = ledger_bench_read(&bench, "one.o");
	after = ledger_bench_read(&bench, "two.o");
	assert_true(layouts_read(bench.arena, &bench.settings, &before, &err));
	assert_true(layouts_read(bench.arena, &bench.settings, &after, &err));
	layouts_compare(bench.arena, &before, &after, &diff);
	assert_int_equal(diff.layout_count, 4);
	for (i = 0; i < diff.layout_count; i++) {
		const struct code_layout_change *change = &diff.layouts[i];

		if (strcmp(change->name, "headed") == 0)
			assert_int_equal(change->kind, CODE_CHANGED);
		else if (strcmp(change->name, "moved") == 0)
			assert_int_equal(change->kind, CODE_SAME);
		else
			assert_true(change->kind == CODE_ADDED || change->kind == CODE_REMOVED);
	}
}

static struct disassembly code_of(const char *file, const char *function)
{
	struct code_image image;
	struct disassembly result;
	struct error err = { 0 };
	char *path = arena_printf(bench.arena, "%s/%s", bench.directory, file);

	assert_true(image_read(bench.arena, path, NULL, &image, &err));
	assert_true(disassemble(bench.arena, &image, function, &result, &err));
	return result;
}

static size_t count_marks(const struct code_listing *listing, char mark)
{
	size_t count = 0, i;

	for (i = 0; i < listing->line_count; i++)
		count += listing->lines[i].mark == mark;
	return count;
}

/* A function that only moved has no changed line; one that grew has its new lines. */
static void code_is_aligned(void **state)
{
	struct disassembly before, after;
	struct code_listing listing;

	(void)state;
	ledger_bench_write(&bench, "p.c",
			   "int x(int a) { return a * 3; }\n"
			   "int y(int *p, int a) { for (int i = 0; i < a; i++) "
			   "p[i] += x(a); return a; }\n");
	assert_true(ledger_bench_run(
	    &bench, "(echo 'int w(int a) { return a / 7 + a % 5; }'; cat p.c) >q.c && "
		    "sed 's/p.i. += /p[i] += 5 + i * /' p.c >r.c && for f in p q r; do "
		    "gcc -O2 -fno-inline -shared -fPIC $f.c -o $f.so; done"));
	before = code_of("p.so", "y");
	after = code_of("q.so", "y");
	assert_true(before.count > 5);
	listing_make(bench.arena, "y", &before, &after, &listing);
	assert_int_equal(count_marks(&listing, '+') + count_marks(&listing, '-'), 0);
	after = code_of("r.so", "y");
	listing_make(bench.arena, "y", &before, &after, &listing);
	assert_true(count_marks(&listing, '+') > 0);
	assert_int_equal(count_marks(&listing, ' ') + count_marks(&listing, '-'), before.count);
	assert_int_equal(count_marks(&listing, ' ') + count_marks(&listing, '+'), after.count);
	assert_int_equal(code_of("p.so", "absent").count, 0);
}

static void estimates_are_ordered(void **state)
{
	struct code_inlined inlines[] = {
		{ .name = "big", .copies_with_code = 10, .exclusive_bytes = 5000, .bodies = 1 },
		{ .name = "tiny", .copies_with_code = 100, .exclusive_bytes = 510, .bodies = 1 },
		{ .name = "once", .copies_with_code = 1, .exclusive_bytes = 5000 },
		{ .name = "without",
		  .copies_with_code = 10,
		  .exclusive_bytes = 5000,
		  .most_bytes = 600 },
	};
	struct code_image image = { .inlines = inlines, .inline_count = 4 };
	struct code_diff diff = { 0 };
	size_t i;

	(void)state;
	/* docs/size.md and --help name these figures. */
	assert_int_equal(outlining_count(), 33);
	assert_true(fabs(outlining_error().median_share - 0.19) < 0.005);
	assert_int_equal(outlining_error().in_range, 19);
	assert_int_equal(outlining_error().grew, 3);
	outlining_rank(bench.arena, &image, &diff);
	assert_non_null(strstr(diff.calibration, "19 of 33"));
	assert_int_equal(diff.candidate_count, 3);
	assert_string_equal(diff.candidates[0].inlined->name, "big");
	assert_string_equal(diff.candidates[1].inlined->name, "without");
	assert_string_equal(diff.candidates[2].inlined->name, "tiny");
	assert_true(diff.candidates[0].central_bytes - diff.candidates[1].central_bytes == 600);
	assert_true(diff.candidates[2].high_bytes <= 10);
	for (i = 0; i < 3; i++) {
		assert_true(diff.candidates[i].low_bytes <= diff.candidates[i].central_bytes);
		assert_true(diff.candidates[i].central_bytes <= diff.candidates[i].high_bytes);
	}
}

int main(void)
{
	bool lld = ledger_bench_has_tool("ld.lld");
	bool llvm = ledger_bench_has_tool("llvm-dwarfdump") && ledger_bench_has_tool("clang");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_become_a_body),
		cmocka_unit_test(growth_is_divided),
		cmocka_unit_test(itself_is_no_difference),
		cmocka_unit_test(lines_and_directories_are_no_difference),
		cmocka_unit_test(collected_sections_do_not_count),
		unit_test_if(lld, folded_functions_count_once, "needs lld"),
		cmocka_unit_test(what_has_no_ledger_says_why),
		unit_test_if(llvm, sums_are_those_of_llvm, "needs llvm-dwarfdump and clang"),
		cmocka_unit_test(structures_are_compared),
		cmocka_unit_test(a_structure_is_known_in_another_file),
		cmocka_unit_test(code_is_aligned),
		cmocka_unit_test(estimates_are_ordered),
	};
	int failed;

	ledger_bench_open(&bench);
	ledger_bench_write(&bench, "n.c", nested_source);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	ledger_bench_close(&bench);
	return failed;
}
