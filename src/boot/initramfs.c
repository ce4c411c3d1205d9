/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing an archive for the kernel's first file system: see initramfs.h. */
#include "boot/initramfs.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum { ADDED_BYTES = 1 << 28 };

static void pad(struct text *archive)
{
	text_add_repeat(archive, '\0', (4 - archive->length % 4) % 4);
}

static void entry(struct text *archive, const char *path, unsigned mode, const char *bytes,
		  size_t length)
{
	/* The number tells hard links apart, so it must differ between entries: where the entry
	 * begins does. */
	unsigned inode = (unsigned)archive->length + 1;
	size_t name_length = strlen(path) + 1;

	text_printf(archive, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", inode,
		    mode, 0U, 0U, 1U, 0U, (unsigned)length, 0U, 0U, 0U, 0U, (unsigned)name_length,
		    0U);
	text_add_bytes(archive, path, name_length);
	pad(archive);
	text_add_bytes(archive, bytes, length);
	pad(archive);
}

void initramfs_directory(struct text *archive, const char *path)
{
	entry(archive, path, S_IFDIR | 0755, "", 0);
}

void initramfs_file(struct text *archive, const char *path, unsigned mode, const char *bytes,
		    size_t length)
{
	entry(archive, path, S_IFREG | (mode & 07777), bytes, length);
}

/* Where the last loaded segment ends; 0: not an ELF file of this kind. */
static size_t loaded_bytes(const char *bytes, size_t length)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	size_t end = 0, i;

	if (length < sizeof header)
		return 0;
	memcpy(&header, bytes, sizeof header);
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof segment ||
	    header.e_phoff > length || header.e_phnum > (length - header.e_phoff) / sizeof segment)
		return 0;
	for (i = 0; i < header.e_phnum; i++) {
		memcpy(&segment, bytes + header.e_phoff + i * sizeof segment, sizeof segment);
		if (segment.p_offset > length || segment.p_filesz > length - segment.p_offset)
			return 0;
		if (segment.p_offset + segment.p_filesz > end)
			end = segment.p_offset + segment.p_filesz;
	}
	return end;
}

void initramfs_program(struct text *archive, const char *path, const char *bytes, size_t length)
{
	size_t loaded = loaded_bytes(bytes, length);
	Elf64_Ehdr header;
	size_t start;

	initramfs_file(archive, path, 0755, bytes, loaded > sizeof header ? loaded : length);
	if (loaded <= sizeof header)
		return;
	start = archive->length - (loaded + 3) / 4 * 4;
	memcpy(&header, bytes, sizeof header);
	header.e_shoff = 0;
	header.e_shnum = 0;
	header.e_shstrndx = SHN_UNDEF;
	memcpy(archive->bytes + start, &header, sizeof header);
}

static bool add_link(struct arena *arena, struct text *archive, const char *host_path,
		     const char *path, struct error *err)
{
	char target[4096];
	ssize_t length = readlink(host_path, target, sizeof target);

	(void)arena;
	if (length < 0)
		return error_set(err, ERROR_SYSTEM, "cannot read the link %s: %s", host_path,
				 strerror(errno));
	entry(archive, path, S_IFLNK | 0777, target, (size_t)length);
	return true;
}

static bool add_directory(struct arena *arena, struct text *archive, const char *host_path,
			  const char *path, struct error *err)
{
	struct dirent **names;
	int count = scandir(host_path, &names, NULL, alphasort), i;
	bool ok = true;

	if (count < 0)
		return error_set(err, ERROR_SYSTEM, "cannot read the directory %s: %s", host_path,
				 strerror(errno));
	initramfs_directory(archive, path);
	for (i = 0; i < count; i++) {
		const char *name = names[i]->d_name;

		if (ok && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			ok = initramfs_add(arena, archive,
					   arena_printf(arena, "%s/%s", host_path, name),
					   arena_printf(arena, "%s/%s", path, name), err);
		free(names[i]);
	}
	free(names);
	return ok;
}

bool initramfs_add(struct arena *arena, struct text *archive, const char *host_path,
		   const char *path, struct error *err)
{
	struct stat status;
	char *bytes;
	size_t length;

	if (lstat(host_path, &status) != 0)
		return error_set(err, ERROR_USAGE, "cannot add %s to the guest: %s", host_path,
				 strerror(errno));
	if (S_ISDIR(status.st_mode))
		return add_directory(arena, archive, host_path, path, err);
	if (S_ISLNK(status.st_mode))
		return add_link(arena, archive, host_path, path, err);
	if (!S_ISREG(status.st_mode))
		return error_set(err, ERROR_USAGE,
				 "cannot add %s to the guest: only files, links and directories "
				 "can be",
				 host_path);
	if (!file_read(arena, host_path, ADDED_BYTES, &bytes, &length, err))
		return error_prefix(err, "adding %s to the guest", host_path);
	initramfs_file(archive, path, status.st_mode, bytes, length);
	return true;
}

void initramfs_end(struct text *archive)
{
	entry(archive, "TRAILER!!!", 0, "", 0);
	/* Some boot loaders want whole blocks. */
	text_add_repeat(archive, '\0', (512 - archive->length % 512) % 512);
}
