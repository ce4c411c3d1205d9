/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of symbols, and the filler between functions. */
#include <elf.h>
#include <string.h>

#include "base/text.h"
#include "binary/filler.h"
#include "binary/names.h"
#include "unit.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static void suffixes_come_off(void **state)
{
	static const char *const cases[][2] = {
		{ "f", "f" },
		{ "f.constprop.0", "f" },
		{ "f.isra.0.cold", "f" },
		{ "f.part.0.constprop.12", "f" },
		{ "f.cold.3", "f" },
		{ "f.llvm.1234567890", "f" },
		{ "f.__uniq.99.llvm.7", "f" },
		{ "f.lto_priv.0", "f" },
		{ "cnt.1", "cnt" },
		{ ".f", ".f" },
		{ ".L.str.3", ".L.str" },
		{ "f.cold_path", "f.cold_path" },
		{ "f.", "f." },
		{ "f.x1", "f.x1" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "_ZN4core3fmt5write" },
		{ "_ZN4core3fmt5write17h0123456789abcdegE",
		  "_ZN4core3fmt5write17h0123456789abcdegE" },
	};
	struct arena *arena = arena_open();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(name_base(arena, cases[i][0]), cases[i][1]);
	/* Callers see by the address that nothing came off. */
	assert_ptr_equal(name_base(arena, cases[0][0]), cases[0][0]);
	arena_close(arena);
}

static void cold_parts_are_known(void **state)
{
	(void)state;
	assert_true(name_is_cold("f.cold"));
	assert_true(name_is_cold("f.isra.0.cold"));
	assert_true(name_is_cold("f.cold.1"));
	assert_false(name_is_cold("f"));
	assert_false(name_is_cold("f.coldish"));
	assert_false(name_is_cold(".cold"));
}

static void names_are_demangled(void **state)
{
	static const char *const cases[][2] = {
		{ "main", "main" },
		{ "_Z3addii", "add(int, int)" },
		{ "_ZN3foo3barEv", "foo::bar()" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
		{ "_Zgarbage", "_Zgarbage" },
		{ "with\nnewline", "with\\nnewline" },
	};
	struct arena *arena = arena_open();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		assert_string_equal(name_shown(arena, cases[i][0]), cases[i][1]);
	arena_close(arena);
}

/* Every parameter is a pair of the one before: its name doubles forty times. */
static void names_that_explode_stay_mangled(void **state)
{
	struct arena *arena = arena_open();
	struct text name = { 0 };
	int i;

	(void)state;
	text_add(&name, "_Z1fSt4pairIiiES_IS0_S0_E");
	for (i = 1; i < 36; i++)
		text_printf(&name, "S_IS%c_S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i],
			    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
	assert_string_equal(name_shown(arena, name.bytes), name.bytes);
	text_release(&name);
	arena_close(arena);
}

static void paths_have_last_components(void **state)
{
	(void)state;
	assert_string_equal(name_of_file("/tmp/build/a.c"), "a.c");
	assert_string_equal(name_of_file("a.c"), "a.c");
	assert_string_equal(name_of_file("directory/"), "directory/");
}

static void filler_is_told_from_code(void **state)
{
	static const unsigned char nops[] = { 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00,
					      0x00, 0x00, 0x00, 0x0f, 0x1f, 0x40, 0x00, 0x90 };
	static const unsigned char code[] = { 0xc3, 0xcc, 0xcc, 0x66, 0x90 };
	static const unsigned char lea[] = { 0x8d, 0xb4, 0x26, 0x00, 0x00,
					     0x00, 0x00, 0x8d, 0x76, 0x00 };
	static const unsigned char real_lea[] = { 0x8d, 0x76, 0x04 };
	static const unsigned char arm[] = { 0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6 };

	(void)state;
	assert_int_equal(filler_at_start(EM_X86_64, nops, sizeof nops), sizeof nops);
	assert_int_equal(filler_at_end(EM_X86_64, nops, sizeof nops), sizeof nops);
	assert_int_equal(filler_at_start(EM_X86_64, code, sizeof code), 0);
	assert_int_equal(filler_at_end(EM_X86_64, code, sizeof code), 4);
	assert_int_equal(filler_at_start(EM_386, lea, sizeof lea), sizeof lea);
	assert_int_equal(filler_at_start(EM_386, real_lea, sizeof real_lea), 0);
	assert_int_equal(filler_at_start(EM_X86_64, lea, sizeof lea), 0);
	assert_int_equal(filler_at_start(EM_AARCH64, arm, sizeof arm), 4);
	assert_int_equal(filler_at_end(EM_AARCH64, arm, sizeof arm), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suffixes_come_off),
		cmocka_unit_test(cold_parts_are_known),
		cmocka_unit_test(names_are_demangled),
		cmocka_unit_test(names_that_explode_stay_mangled),
		cmocka_unit_test(paths_have_last_components),
		cmocka_unit_test(filler_is_told_from_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
