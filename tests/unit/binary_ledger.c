/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inlining ledger of one source, in every form that compilers, linkers and dwz give to debug
 * information: it is the same ledger each time. */
#include "ledger_bench.h"

#define SHARED "-O2 -shared -fPIC -Wl,--unresolved-symbols=ignore-all n.c -o out "

struct form {
	const char *name;
	const char *tool; /* what it needs besides gcc; NULL: nothing */
	const char *command;
};

static const struct form forms[] = {
	{ "dwarf-2", NULL, "gcc -gdwarf-2 " SHARED },
	{ "dwarf-3", NULL, "gcc -gdwarf-3 " SHARED },
	{ "dwarf-4", NULL, "gcc -gdwarf-4 " SHARED },
	{ "dwarf-5", NULL, "gcc -gdwarf-5 " SHARED },
	{ "dwarf-4, 64 bit", NULL, "gcc -gdwarf-4 -gdwarf64 " SHARED },
	{ "dwarf-5, 64 bit", NULL, "gcc -gdwarf-5 -gdwarf64 " SHARED },
	{ "without types and variables", NULL, "gcc -g1 " SHARED },
	{ "type units", NULL, "gcc -g -fdebug-types-section " SHARED },
	{ "reduced structures", NULL, "gcc -g -femit-struct-debug-baseonly " SHARED },
	{ "link-time optimisation", NULL, "gcc -g -flto " SHARED },
	{ "zlib", NULL, "gcc -g -gz=zlib " SHARED },
	{ "old zlib", NULL, "gcc -g -gz=zlib-gnu " SHARED },
	{ "zstd", NULL, "gcc -g " SHARED "&& objcopy --compress-debug-sections=zstd out" },
	{ "split, dwarf-4", NULL, "gcc -gdwarf-4 -gsplit-dwarf " SHARED },
	{ "split, dwarf-5", NULL, "gcc -gdwarf-5 -gsplit-dwarf " SHARED },
	{ "split units in a debug directory, dwarf-4", NULL,
	  "gcc -gdwarf-4 -gsplit-dwarf " SHARED "&& mkdir -p found && mv *.dwo found" },
	{ "split units in a debug directory, dwarf-5", NULL,
	  "gcc -gdwarf-5 -gsplit-dwarf " SHARED "&& mkdir -p found && mv *.dwo found" },
	{ "a package of split units, dwarf-4", "llvm-dwp",
	  "gcc -gdwarf-4 -gsplit-dwarf " SHARED
	  "&& llvm-dwp -e out -o out.dwp && rm -rf found *.dwo" },
	{ "a package of split units, dwarf-5", "llvm-dwp",
	  "gcc -gdwarf-5 -gsplit-dwarf " SHARED
	  "&& llvm-dwp -e out -o out.dwp && rm -rf found *.dwo" },
	{ "a package by another tool, in a debug directory", "dwp",
	  "gcc -gdwarf-4 -gsplit-dwarf " SHARED
	  "&& mkdir -p found && dwp -e out -o found/out.dwp && rm -f out.dwp *.dwo" },
	{ "dwz", "dwz", "gcc -g " SHARED "&& dwz out" },
	{ "debug link", NULL,
	  "gcc -g -Wl,--build-id=none " SHARED
	  "&& objcopy --only-keep-debug out out.debug && objcopy -g out && "
	  "objcopy --add-gnu-debuglink=out.debug out" },
	{ "debug link in .debug", NULL,
	  "gcc -g " SHARED "&& mkdir -p .debug && objcopy --only-keep-debug out .debug/x.debug && "
	  "objcopy -g out && cd .debug && objcopy --add-gnu-debuglink=x.debug ../out" },
	{ "build id", NULL,
	  "gcc -g -Wl,--build-id=0xabcdef0123456789 " SHARED
	  "&& mkdir -p found/.build-id/ab && objcopy --only-keep-debug out "
	  "found/.build-id/ab/cdef0123456789.debug && objcopy -g out" },
	{ "debug file alone", NULL, "gcc -g " SHARED "&& objcopy --only-keep-debug out" },
};

static struct ledger_bench bench;

static void check_sums(const struct code_image *image)
{
	uint64_t exclusive = 0, copies = 0, callers = 0, caller_bytes = 0;
	size_t i, j;

	for (i = 0; i < image->inline_count; i++) {
		const struct code_inlined *one = &image->inlines[i];

		exclusive += one->exclusive_bytes;
		copies += one->copies;
		assert_true(one->inclusive_bytes >= one->exclusive_bytes);
		assert_true(one->copies >= one->copies_with_code);
		assert_true(one->least_bytes <= one->most_bytes);
		assert_true(one->cold_bytes <= one->exclusive_bytes);
		for (j = 0; j < one->caller_count; j++) {
			callers += one->callers[j].copies;
			caller_bytes += one->callers[j].bytes;
		}
	}
	assert_int_equal(exclusive, image->coverage.exclusive_bytes);
	assert_int_equal(exclusive, image->coverage.outermost_bytes);
	assert_true(exclusive <= image->coverage.function_bytes);
	assert_int_equal(copies, image->coverage.instances);
	assert_int_equal(callers, copies);
	assert_int_equal(caller_bytes, exclusive);
}

static void check_same(const struct code_image *image, const struct code_image *plain,
		       const char *name)
{
	const struct code_inlined *one = ledger_bench_function(image, name),
				  *other = ledger_bench_function(plain, name);

	assert_int_equal(one->copies, other->copies);
	assert_int_equal(one->copies_with_code, other->copies_with_code);
	assert_int_equal(one->exclusive_bytes, other->exclusive_bytes);
	assert_int_equal(one->inclusive_bytes, other->inclusive_bytes);
	assert_int_equal(one->least_bytes, other->least_bytes);
	assert_int_equal(one->most_bytes, other->most_bytes);
	assert_int_equal(one->cold_bytes, other->cold_bytes);
	assert_string_equal(one->file, "n.c");
	assert_int_equal(one->caller_count, other->caller_count);
}

static void same_ledger(void **state)
{
	const struct form *form = *state;
	struct code_image plain, image;

	assert_true(ledger_bench_run(&bench, "gcc -g " SHARED "&& mv out plain"));
	if (!ledger_bench_run(&bench, form->command))
		fail_msg("%s: the command failed", form->name);
	plain = ledger_bench_read(&bench, "plain");
	image = ledger_bench_read(&bench, "out");
	if (image.coverage.partial != NULL)
		fail_msg("%s: %s", form->name, image.coverage.partial);
	check_sums(&image);
	check_same(&image, &plain, "inner");
	check_same(&image, &plain, "outer");
	assert_int_equal(image.coverage.function_bytes, image.coverage.described_bytes);
	assert_int_equal(ledger_bench_function(&image, "inner")->copies, 5);
	assert_int_equal(ledger_bench_function(&image, "outer")->copies, 3);
}

/* What one compiler made of it, counted by hand from its DWARF. */
static void known_figures(void **state)
{
	struct code_image image;
	const struct code_inlined *inner, *outer;

	(void)state;
	assert_true(ledger_bench_run(&bench, "gcc -g -O2 -c n.c -o n.o && gcc -g " SHARED));
	image = ledger_bench_read(&bench, "n.o");
	inner = ledger_bench_function(&image, "inner");
	outer = ledger_bench_function(&image, "outer");
	assert_int_equal(inner->exclusive_bytes, 173);
	assert_int_equal(outer->exclusive_bytes, 145);
	assert_int_equal(outer->inclusive_bytes, 251);
	assert_int_equal(image.coverage.exclusive_bytes, 318);
	assert_int_equal(image.coverage.function_bytes, 409);
	image = ledger_bench_read(&bench, "out");
	assert_int_equal(ledger_bench_function(&image, "inner")->exclusive_bytes, 140);
	assert_int_equal(ledger_bench_function(&image, "outer")->exclusive_bytes, 134);
	assert_int_equal(ledger_bench_function(&image, "outer")->inclusive_bytes, 224);
	assert_int_equal(image.coverage.function_bytes, 379);
}

int main(void)
{
	enum { FORMS = sizeof forms / sizeof *forms };
	bool known = system("test \"$(gcc -dumpversion)-$(gcc -dumpmachine)\" = "
			    "12-x86_64-linux-gnu") == 0;
	struct CMUnitTest tests[FORMS + 1] = { unit_test_if(known, known_figures,
							    "figures are of gcc 12") };
	size_t i;
	int failed;

	ledger_bench_open(&bench);
	ledger_bench_write(&bench, "n.c", nested_source);
	bench.debug_directories[0] = arena_printf(bench.arena, "%s/found", bench.directory);
	bench.settings = (struct debug_settings){ bench.debug_directories, 1 };
	for (i = 0; i < FORMS; i++) {
		bool able = forms[i].tool == NULL || ledger_bench_has_tool(forms[i].tool);

		tests[i + 1] = (struct CMUnitTest){
			.name = able ? forms[i].name
				     : arena_printf(bench.arena, "%s # SKIP needs %s",
						    forms[i].name, forms[i].tool),
			.test_func = able ? same_ledger : unit_skipped,
			.initial_state = (void *)(uintptr_t)&forms[i],
		};
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	ledger_bench_close(&bench);
	return failed;
}
