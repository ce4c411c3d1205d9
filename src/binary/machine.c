/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines by their number in ELF headers. */
#include "binary/machine.h"

#include <elf.h>
#include <stddef.h>

static const struct machine {
	unsigned number;
	const char *name;
} machines[] = {
	{ EM_X86_64, "x86-64" },    { EM_386, "i386" },
	{ EM_AARCH64, "AArch64" },  { EM_ARM, "Arm" },
	{ EM_RISCV, "RISC-V" },	    { EM_PPC64, "64-bit PowerPC" },
	{ EM_PPC, "PowerPC" },	    { EM_MIPS, "MIPS" },
	{ EM_S390, "S/390" },	    { EM_SPARC, "SPARC" },
	{ EM_SPARCV9, "SPARC V9" }, { EM_SPARC32PLUS, "SPARC V8+" },
	{ EM_68K, "m68k" },	    { EM_SH, "SuperH" },
	{ EM_PARISC, "PA-RISC" },   { EM_ALPHA, "Alpha" },
	{ EM_IA_64, "IA-64" },	    { EM_LOONGARCH, "LoongArch" },
	{ EM_BPF, "BPF" },	    { EM_AVR, "AVR" },
	{ EM_MSP430, "MSP430" },    { EM_XTENSA, "Xtensa" },
	{ EM_CSKY, "C-SKY" },	    { EM_ARC_COMPACT, "ARC" },
	{ EM_ARCV2, "ARC v2" },	    { EM_MICROBLAZE, "MicroBlaze" },
	{ EM_QDSP6, "Hexagon" },    { EM_NONE, "no machine" },
};

const char *machine_name(unsigned machine)
{
	size_t i;

	for (i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].number == machine)
			return machines[i].name;
	return "unknown machine";
}
