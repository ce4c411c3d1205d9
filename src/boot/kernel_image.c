/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files are kernels. The setup header of a bzImage is that of the
 * kernel's Documentation/arch/x86/boot.rst, the note of a vmlinux that of Xen's
 * PVH (XEN_ELFNOTE_PHYS32_ENTRY in the kernel's xen/interface/elfnote.h).
 */
#include "boot/kernel_image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "measure/child.h"

enum {
	SETUP_MAGIC = 0x202,
	SETUP_VERSION = 0x206,
	SETUP_RELEASE = 0x20e,
	SETUP_LOAD_FLAGS = 0x236,
	LOADS_AT_64_BIT = 1,
	ARM64_MAGIC = 0x38,
	HEAD_BYTES = 0x10000,
	PVH_NOTE = 18,
	NOTES_BYTES = 1 << 16,
};

struct head {
	char bytes[HEAD_BYTES];
	size_t length;
};

/* The programs that unpack, by how a file begins. */
static const struct packer {
	const char *magic;
	size_t length;
	const char *program;
} packers[] = {
	{ "\x1f\x8b", 2, "gzip" },
	{ "\xfd"
	  "7zXZ",
	  5, "xz" },
	{ "\x28\xb5\x2f\xfd", 4, "zstd" },
	{ "BZh", 3, "bzip2" },
	{ "\x04\x22\x4d\x18", 4, "lz4" },
	{ "\x02\x21\x4c\x18", 4, "lz4" },
};

static uint32_t word_at(const struct head *head, size_t offset, size_t size)
{
	const unsigned char *bytes = (const unsigned char *)head->bytes + offset;
	uint32_t word = 0;

	while (size-- > 0)
		word = word << 8 | bytes[size];
	return word;
}

static bool has(const struct head *head, size_t offset, const char *magic, size_t length)
{
	return head->length >= offset + length && memcmp(head->bytes + offset, magic, length) == 0;
}

/* The release is a string behind the boot sector; its first word is "uname -r". */
static const char *setup_release(struct arena *arena, const struct head *head)
{
	size_t offset = word_at(head, SETUP_RELEASE, 2) + 0x200;
	size_t length;

	if (offset <= 0x200 || offset >= head->length)
		return NULL;
	length = strcspn(head->bytes + offset, " ");
	return text_clean(arena, head->bytes + offset, length);
}

static bool check_setup(struct arena *arena, const struct head *head, struct kernel_image *image,
			struct error *err)
{
	uint32_t version = word_at(head, SETUP_VERSION, 2);

	if (version < 0x020c || !(word_at(head, SETUP_LOAD_FLAGS, 2) & LOADS_AT_64_BIT))
		return error_set(err, ERROR_INPUT,
				 "it is a kernel for 32 bits, or older than Linux 3.8: worth boots "
				 "kernels for x86-64");
	image->kind = KERNEL_BZIMAGE;
	image->release = setup_release(arena, head);
	return true;
}

/* Whether the notes of a segment hold the entry for PVH. */
static bool has_pvh_note(const char *bytes, size_t length)
{
	size_t at = 0;
	Elf64_Nhdr note;

	while (at + sizeof note <= length) {
		memcpy(&note, bytes + at, sizeof note);
		at += sizeof note;
		if (note.n_type == PVH_NOTE && note.n_namesz == 4 && at + 4 <= length &&
		    memcmp(bytes + at, "Xen", 4) == 0)
			return true;
		at += ((size_t)note.n_namesz + 3) / 4 * 4 + ((size_t)note.n_descsz + 3) / 4 * 4;
	}
	return false;
}

static bool notes_have_pvh(struct arena *arena, int fd, const Elf64_Phdr *segment)
{
	size_t length = segment->p_filesz < NOTES_BYTES ? segment->p_filesz : NOTES_BYTES;
	char *bytes = arena_alloc(arena, length, 1);
	ssize_t got = pread(fd, bytes, length, (off_t)segment->p_offset);

	return got > 0 && has_pvh_note(bytes, (size_t)got);
}

static bool check_elf(struct arena *arena, int fd, const struct head *head,
		      struct kernel_image *image, struct error *err)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	size_t i;

	memcpy(&header, head->bytes, sizeof header);
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
		return error_set(err, ERROR_INPUT,
				 "it is an ELF file for another machine: worth boots kernels for "
				 "x86-64");
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return error_set(err, ERROR_INPUT, "it is an object file, not a kernel");
	for (i = 0; i < header.e_phnum; i++)
		if (pread(fd, &segment, sizeof segment,
			  (off_t)(header.e_phoff + i * sizeof segment)) == sizeof segment &&
		    segment.p_type == PT_NOTE && notes_have_pvh(arena, fd, &segment)) {
			image->kind = KERNEL_VMLINUX;
			return true;
		}
	return error_set(
	    err, ERROR_INPUT,
	    "it is an ELF file without an entry for PVH, so QEMU cannot start it: build "
	    "the kernel with CONFIG_PVH=y, or give its bzImage");
}

static bool check_head(struct arena *arena, int fd, const struct head *head,
		       struct kernel_image *image, struct error *err)
{
	if (has(head, SETUP_MAGIC, "HdrS", 4) && head->length > 0x250)
		return check_setup(arena, head, image, err);
	if (head->length >= sizeof(Elf64_Ehdr) && has(head, 0, ELFMAG, SELFMAG))
		return check_elf(arena, fd, head, image, err);
	if (has(head, ARM64_MAGIC, "ARM\x64", 4))
		return error_set(err, ERROR_INPUT,
				 "it is a kernel for arm64: worth boots kernels for x86-64");
	if (has(head, 0, "!<arch>\ndebian-binary", 21))
		return error_set(err, ERROR_INPUT,
				 "it is a Debian package: write deb: in front of its path");
	return error_set(err, ERROR_INPUT,
			 "it is no kernel: give a bzImage (such as /boot/vmlinuz-*), a vmlinux, or "
			 "deb: and a package");
}

static bool read_head(int fd, struct head *head, struct error *err)
{
	ssize_t length = pread(fd, head->bytes, sizeof head->bytes, 0);

	if (length < 0)
		return error_set(err, ERROR_SYSTEM, "cannot read it: %s", strerror(errno));
	head->length = (size_t)length;
	return true;
}

static const struct packer *packer_of(const struct head *head)
{
	size_t i;

	for (i = 0; i < sizeof packers / sizeof *packers; i++)
		if (has(head, 0, packers[i].magic, packers[i].length))
			return &packers[i];
	return NULL;
}

/* Into memory, so that nothing is left behind whatever happens. */
static bool unpack(struct spawner *spawner, const char *program, int fd, int interrupt_fd,
		   int *unpacked, struct error *err)
{
	char *argv[] = { (char *)program, (char *)"-dc", NULL };
	struct child_request request = child_request(argv);
	struct child_outcome outcome;

	*unpacked = memfd_create("worth-kernel", MFD_CLOEXEC);
	if (*unpacked < 0)
		return error_set(err, ERROR_SYSTEM, "cannot unpack it: %s", strerror(errno));
	lseek(fd, 0, SEEK_SET);
	request.stdin_fd = fd;
	request.stdout_fd = *unpacked;
	if (!child_run(spawner, &request, interrupt_fd, &outcome, err))
		return false;
	if (outcome.exec_error != 0)
		return error_set(err, ERROR_SYSTEM, "it is packed by %s, which is not installed",
				 program);
	if (!WIFEXITED(outcome.wait_status) || WEXITSTATUS(outcome.wait_status) != 0)
		return error_set(err, ERROR_INPUT,
				 "%s cannot unpack it: it is damaged, or "
				 "memory has run out",
				 program);
	return true;
}

static bool open_file(const char *path, int *fd, struct error *err)
{
	struct stat status;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0 || fstat(*fd, &status) != 0)
		return error_set(err, ERROR_USAGE, "cannot open it: %s", strerror(errno));
	if (S_ISDIR(status.st_mode))
		return error_set(err, ERROR_USAGE, "it is a directory");
	return true;
}

bool kernel_image_open(struct arena *arena, struct spawner *spawner, const char *path,
		       int interrupt_fd, struct kernel_image *image, struct error *err)
{
	struct head *head = arena_alloc(arena, 1, sizeof *head);
	const struct packer *packer;
	bool ok;
	int fd;

	*image = (struct kernel_image){ .path = path, .fd = -1 };
	ok = open_file(path, &fd, err) && read_head(fd, head, err);
	packer = ok ? packer_of(head) : NULL;
	if (packer != NULL) {
		ok = unpack(spawner, packer->program, fd, interrupt_fd, &image->fd, err) &&
		     read_head(image->fd, head, err);
		image->path = arena_printf(arena, "/proc/%ld/fd/%d", (long)getpid(), image->fd);
	}
	ok = ok && check_head(arena, image->fd >= 0 ? image->fd : fd, head, image, err);
	if (fd >= 0)
		close(fd);
	if (ok)
		return true;
	kernel_image_close(image);
	if (err != NULL && err->kind == ERROR_INTERRUPTED)
		return false;
	return error_prefix(err, "%s", path);
}

void kernel_image_close(struct kernel_image *image)
{
	if (image->fd >= 0)
		close(image->fd);
	image->fd = -1;
}
