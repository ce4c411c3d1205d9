/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine: one processor of QEMU's oldest PC, since every kernel has its
 * drivers, with two serial lines and virtio-serial. In instructions mode the
 * guest's clock advances by a fixed step an instruction (-icount, which skips
 * sleeping), the date is fixed, the processor has no RDRAND, and the crypto
 * self tests, which may go on for as long as virtual time does, are off. The
 * words are those of QEMU 7.2.
 */
#include "boot/qemu.h"

#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"

#define PROGRAM "qemu-system-x86_64"

bool qemu_find(struct arena *arena, const char *given, char **program, struct error *err)
{
	if (file_find_program(arena, given == NULL ? PROGRAM : given, NULL, program, err))
		return true;
	return given != NULL
		   ? error_prefix(err, "--qemu")
		   : error_set(
			 err, ERROR_SYSTEM,
			 "kernels are booted by " PROGRAM ", which is not installed (Debian "
			 "has it in qemu-system-x86), or not on PATH: name it by --qemu FILE");
}

struct words {
	struct arena *arena;
	char **items;
	size_t count, capacity;
};

static void add(struct words *words, const char *word)
{
	*array_push(words->arena, words->items, words->count, words->capacity) =
	    word == NULL ? NULL : arena_strdup(words->arena, word);
}

static void add_two(struct words *words, const char *option, const char *value)
{
	add(words, option);
	add(words, value);
}

static void add_clock(struct words *words, const struct qemu *qemu)
{
	if (qemu->mode == BOOT_TIME) {
		add_two(words, "-accel", "kvm");
		add_two(words, "-cpu", "host");
		return;
	}
	add_two(words, "-accel", "tcg");
	add_two(words, "-cpu", "qemu64");
	add_two(words, "-icount", arena_printf(words->arena, "shift=%d,sleep=off", QEMU_SHIFT));
	add_two(words, "-rtc", "base=2020-01-01T00:00:00,clock=vm");
	add_two(words, "-seed",
		arena_printf(words->arena, "%llu", (unsigned long long)qemu->seed % UINT32_MAX));
}

/* The descriptors are opened again by their names, for appending: what is behind them may be a pipe
 * or a file of the user's. Both ways of the results lead to the same place, and the agent takes
 * one. */
static void add_channels(struct words *words, const struct qemu *qemu)
{
	add_two(words, "-chardev", "file,id=console,path=/dev/fd/2,append=on");
	add_two(words, "-serial", "chardev:console");
	add_two(words, "-chardev",
		arena_printf(words->arena, "file,id=serial,path=/dev/fd/%d,append=on",
			     qemu->report_fd));
	add_two(words, "-serial", "chardev:serial");
	add_two(words, "-chardev",
		arena_printf(words->arena, "file,id=results,path=/dev/fd/%d,append=on",
			     qemu->report_fd));
	add_two(words, "-device", "virtio-serial-pci");
	add_two(words, "-device", "virtserialport,chardev=results,name=results");
}

static const char *kernel_words(struct arena *arena, const struct qemu *qemu)
{
	return arena_printf(
	    arena, "console=ttyS0 panic=-1 reboot=t quiet%s%s%s%s",
	    qemu->fixed_layout ? " nokaslr" : "",
	    qemu->mode == BOOT_INSTRUCTIONS ? " random.trust_cpu=off random.trust_bootloader=off "
					      "cryptomgr.notests norandmaps"
					    : "",
	    qemu->append == NULL ? "" : " ", qemu->append == NULL ? "" : qemu->append);
}

char **qemu_argv(struct arena *arena, const struct qemu *qemu)
{
	struct words words = { .arena = arena };

	add(&words, qemu->program);
	add_clock(&words, qemu);
	add_two(&words, "-M", "pc");
	add_two(&words, "-m", arena_printf(arena, "%u", qemu->memory_mib));
	add_two(&words, "-smp", "1");
	add(&words, "-nodefaults");
	add(&words, "-no-user-config");
	add_two(&words, "-display", "none");
	add(&words, "-no-reboot");
	add_channels(&words, qemu);
	if (qemu->plugin != NULL)
		add_two(&words, "-plugin", qemu->plugin);
	add_two(&words, "-kernel", qemu->kernel_path);
	add_two(&words, "-initrd", qemu->initramfs_path);
	add_two(&words, "-append", kernel_words(arena, qemu));
	add(&words, NULL);
	return words.items;
}
