/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filler between functions. x86 no-operations are those that gas chooses from
 * (alt_patt and the i386 patterns in gas/config/tc-i386.c, binutils 2.40) and
 * LLVM's X86AsmBackend; int3 is what linkers and the kernel fill with. Other
 * machines have one word each. A machine that is not in the table has zeros.
 */
#include "binary/filler.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST_X86_FILL = 63 };

static const struct pattern {
	unsigned machine;
	size_t length;
	unsigned char bytes[4];
} patterns[] = {
	{ EM_AARCH64, 4, { 0x1f, 0x20, 0x03, 0xd5 } },
	{ EM_ARM, 4, { 0x00, 0x00, 0xa0, 0xe1 } },
	{ EM_ARM, 4, { 0x00, 0xf0, 0x20, 0xe3 } },
	{ EM_ARM, 2, { 0x00, 0xbf } },
	{ EM_ARM, 2, { 0xc0, 0x46 } },
	{ EM_PPC, 4, { 0x60, 0x00, 0x00, 0x00 } },
	{ EM_PPC64, 4, { 0x60, 0x00, 0x00, 0x00 } },
	{ EM_PPC64, 4, { 0x00, 0x00, 0x00, 0x60 } },
	{ EM_RISCV, 4, { 0x13, 0x00, 0x00, 0x00 } },
	{ EM_RISCV, 2, { 0x01, 0x00 } },
	{ EM_S390, 2, { 0x07, 0x07 } },
	{ EM_S390, 2, { 0x07, 0x00 } },
	{ EM_LOONGARCH, 4, { 0x00, 0x00, 0x40, 0x03 } },
};

static bool is_x86(unsigned machine)
{
	return machine == EM_X86_64 || machine == EM_386;
}

static bool all_zero(const unsigned char *bytes, size_t length)
{
	while (length > 0 && bytes[length - 1] == 0)
		length--;
	return length == 0;
}

/* Bytes of a ModRM operand in memory, with SIB and displacement; 0: it does not fit or names a
 * register. */
static size_t operand_length(const unsigned char *bytes, size_t length)
{
	size_t total = 1;
	unsigned mode, base;

	if (length == 0)
		return 0;
	mode = bytes[0] >> 6;
	base = bytes[0] & 7;
	if (mode == 3)
		return 0;
	total += base == 4;
	total += mode == 1 ? 1 : mode == 2 || (mode == 0 && base == 5) ? 4 : 0;
	return total <= length ? total : 0;
}

/* lea 0(%esi),%esi and its longer forms: i386 code's no-operations. */
static size_t lea_length(const unsigned char *bytes, size_t length)
{
	size_t operand = operand_length(bytes + 1, length - 1);
	unsigned base;
	size_t displacement;

	if (operand == 0)
		return 0;
	base = bytes[1] & 7;
	displacement = base == 4 ? 3 : 2;
	if (base == 4 && operand >= 2)
		base = bytes[2] & 7;
	if (base != ((bytes[1] >> 3) & 7u) ||
	    !all_zero(bytes + displacement, operand + 1 - displacement))
		return 0;
	return 1 + operand;
}

/* Length of the no-operation at bytes, 0 if there is none. */
static size_t x86_step(unsigned machine, const unsigned char *bytes, size_t length)
{
	size_t prefix = 0;
	size_t operand;

	if (bytes[0] == 0xcc || bytes[0] == 0)
		return 1;
	while (prefix < length && prefix < 14 && (bytes[prefix] == 0x66 || bytes[prefix] == 0x2e))
		prefix++;
	if (prefix == length)
		return 0;
	bytes += prefix;
	length -= prefix;
	if (bytes[0] == 0x90)
		return prefix + 1;
	if (length >= 3 && bytes[0] == 0x0f && bytes[1] == 0x1f) {
		operand = operand_length(bytes + 2, length - 2);
		return operand > 0 ? prefix + 2 + operand : 0;
	}
	if (machine != EM_386 || length < 2)
		return 0;
	if (bytes[0] == 0x89 && bytes[1] == 0xf6)
		return prefix + 2;
	if (bytes[0] != 0x8d)
		return 0;
	operand = lea_length(bytes, length);
	return operand > 0 ? prefix + operand : 0;
}

static size_t word_step(unsigned machine, const unsigned char *bytes, size_t length)
{
	size_t i;

	if (bytes[0] == 0 && machine != EM_RISCV)
		return 1;
	for (i = 0; i < sizeof patterns / sizeof *patterns; i++)
		if (patterns[i].machine == machine && patterns[i].length <= length &&
		    memcmp(patterns[i].bytes, bytes, patterns[i].length) == 0)
			return patterns[i].length;
	return bytes[0] == 0 ? 1 : 0;
}

size_t filler_at_start(unsigned machine, const unsigned char *bytes, size_t length)
{
	size_t done = 0;

	while (done < length) {
		size_t step = is_x86(machine) ? x86_step(machine, bytes + done, length - done)
					      : word_step(machine, bytes + done, length - done);

		if (step == 0)
			break;
		done += step;
	}
	return done;
}

/* Bytes at the end that are all the same filler byte: holes are megabytes of them. */
static size_t uniform_at_end(unsigned machine, const unsigned char *bytes, size_t length)
{
	unsigned char last = bytes[length - 1];
	size_t count = 0;

	if (last != 0 && !(is_x86(machine) && (last == 0xcc || last == 0x90)))
		return 0;
	while (count < length && bytes[length - 1 - count] == last)
		count++;
	return count;
}

size_t filler_at_end(unsigned machine, const unsigned char *bytes, size_t length)
{
	size_t uniform, start;

	if (length == 0)
		return 0;
	uniform = uniform_at_end(machine, bytes, length);
	if (uniform > LONGEST_X86_FILL)
		return uniform;
	/* Instructions cannot be read backwards: the earliest start from which only filler follows.
	 */
	start = length > LONGEST_X86_FILL ? length - LONGEST_X86_FILL : 0;
	for (; start < length - uniform; start++)
		if (filler_at_start(machine, bytes + start, length - start) == length - start)
			break;
	return length - start;
}
