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
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "boot/unpack.h"

enum {
	SETUP_SECTORS = 0x1f1,
	SETUP_MAGIC = 0x202,
	SETUP_VERSION = 0x206,
	SETUP_RELEASE = 0x20e,
	SETUP_LOAD_FLAGS = 0x236,
	SETUP_PAYLOAD = 0x248,
	SETUP_PAYLOAD_LENGTH = 0x24c,
	SECTOR_BYTES = 512,
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

static bool copy(int from, off_t offset, size_t length, int to)
{
	while (length > 0) {
		ssize_t copied = sendfile(to, from, &offset, length);

		if (copied <= 0)
			return false;
		length -= (size_t)copied;
	}
	return true;
}

/* What a bzImage unpacks when it starts: the payload behind its own code, packed, and followed by
 * its length of 4 bytes unless it is gzip's, which has that itself. */
static bool unpack_payload(struct spawner *spawner, int fd, const struct head *head,
			   int interrupt_fd, int *elf_fd)
{
	size_t setup = (word_at(head, SETUP_SECTORS, 1) + 1) * SECTOR_BYTES;
	off_t offset = (off_t)(setup + word_at(head, SETUP_PAYLOAD, 4));
	size_t length = word_at(head, SETUP_PAYLOAD_LENGTH, 4);
	int packed = memfd_create("worth-payload", MFD_CLOEXEC);
	const char *program;
	char magic[8];
	bool ok;

	ok = packed >= 0 && pread(fd, magic, sizeof magic, offset) == sizeof magic;
	program = ok ? unpack_program(magic, sizeof magic) : NULL;
	ok = program != NULL && length > 4 &&
	     copy(fd, offset, length - (strcmp(program, "gzip") == 0 ? 0 : 4), packed) &&
	     unpack_file(spawner, program, packed, interrupt_fd, elf_fd, NULL);
	if (packed >= 0)
		close(packed);
	return ok;
}

/* The ELF file of the kernel proper, for its sizes; a kernel whose payload cannot be unpacked here
 * is booted all the same. */
static void find_elf(struct arena *arena, struct spawner *spawner, int fd, const struct head *head,
		     int interrupt_fd, struct kernel_image *image)
{
	if (image->kind == KERNEL_VMLINUX)
		image->elf_path = image->path;
	else if (unpack_payload(spawner, fd, head, interrupt_fd, &image->elf_fd))
		image->elf_path =
		    arena_printf(arena, "/proc/%ld/fd/%d", (long)getpid(), image->elf_fd);
}

bool kernel_image_open(struct arena *arena, struct spawner *spawner, const char *path,
		       int interrupt_fd, struct kernel_image *image, struct error *err)
{
	struct head *head = arena_alloc(arena, 1, sizeof *head);
	const char *program;
	bool ok;
	int fd;

	*image = (struct kernel_image){ .path = path, .fd = -1, .elf_fd = -1 };
	ok = open_file(path, &fd, err) && read_head(fd, head, err);
	program = ok ? unpack_program(head->bytes, head->length) : NULL;
	if (program != NULL) {
		ok = unpack_file(spawner, program, fd, interrupt_fd, &image->fd, err) &&
		     read_head(image->fd, head, err);
		image->path = arena_printf(arena, "/proc/%ld/fd/%d", (long)getpid(), image->fd);
	}
	ok = ok && check_head(arena, image->fd >= 0 ? image->fd : fd, head, image, err);
	if (ok)
		find_elf(arena, spawner, image->fd >= 0 ? image->fd : fd, head, interrupt_fd,
			 image);
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
	if (image->elf_fd >= 0)
		close(image->elf_fd);
	image->fd = image->elf_fd = -1;
}
