/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sections compressed by zstd (ELFCOMPRESS_ZSTD, value 2): elfutils 0.188 does
 * not know them. The object is copied into a memory file with the inflated
 * sections behind it, and section headers that point there.
 *
 * The sum of what all compressed sections claim to inflate to is held against
 * the file's size first. DWARF shrinks to a third or a fifth; a claim beyond
 * 64 times the file is no compiler's.
 */
#include "binary/debug/inflate.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "base/arena.h"

/* Debian's elf.h of 2022 has no name for it. */
enum { COMPRESSED_BY_ZSTD = 2 };

static const uint64_t always_allowed_bytes = UINT64_C(256) << 20;
static const uint64_t allowed_factor = 64;

/* The bytes that a section says it inflates to; 0: not compressed. */
static uint64_t claimed_bytes(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, bool *zstd)
{
	GElf_Chdr compression;
	size_t names, i;
	const char *name;

	if (header->sh_flags & SHF_COMPRESSED) {
		if (gelf_getchdr(section, &compression) == NULL)
			return 0;
		*zstd |= compression.ch_type == COMPRESSED_BY_ZSTD;
		return compression.ch_size;
	}
	if (elf_getshdrstrndx(elf, &names) != 0)
		return 0;
	name = elf_strptr(elf, names, header->sh_name);
	if (name != NULL && strncmp(name, ".zdebug", 7) == 0) {
		Elf_Data *data = elf_rawdata(section, NULL);
		const unsigned char *bytes = data == NULL ? NULL : data->d_buf;
		uint64_t claimed = 0;

		if (bytes == NULL || data->d_size < 12 || memcmp(bytes, "ZLIB", 4) != 0)
			return 0;
		for (i = 0; i < 8; i++)
			claimed = claimed << 8 | bytes[4 + i];
		return claimed;
	}
	return 0;
}

enum inflate_need inflate_needed(Elf *elf, struct error *err)
{
	Elf_Scn *section = NULL;
	uint64_t claimed = 0;
	size_t file_bytes = 0;
	bool zstd = false;

	elf_rawfile(elf, &file_bytes);
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_NOBITS)
			continue;
		if (__builtin_add_overflow(claimed, claimed_bytes(elf, section, &header, &zstd),
					   &claimed))
			claimed = UINT64_MAX;
		if (claimed > always_allowed_bytes && claimed / allowed_factor > file_bytes) {
			error_set(err, ERROR_INPUT,
				  "its compressed sections claim to inflate to %llu bytes, more "
				  "than %llu times the file: damaged or hostile",
				  (unsigned long long)claimed, (unsigned long long)allowed_factor);
			return INFLATE_REFUSED;
		}
	}
	return zstd ? INFLATE_ZSTD : INFLATE_NOTHING;
}

static bool write_all(int fd, const void *bytes, size_t length, off_t offset)
{
	const char *next = bytes;

	while (length > 0) {
		ssize_t put = pwrite(fd, next, length, offset);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		next += put;
		offset += put;
		length -= (size_t)put;
	}
	return true;
}

/* The header of section index, changed in the copy: where it is now, and plain. */
static bool write_header(Elf *elf, int fd, size_t index, GElf_Shdr header)
{
	GElf_Ehdr file_header;
	unsigned char encoding;
	Elf64_Shdr wide;
	Elf32_Shdr narrow;
	Elf_Data plain = { .d_version = EV_CURRENT, .d_type = ELF_T_SHDR }, file = plain;
	unsigned char encoded[sizeof wide];

	if (gelf_getehdr(elf, &file_header) == NULL)
		return false;
	encoding = file_header.e_ident[EI_DATA];
	if (gelf_getclass(elf) == ELFCLASS64) {
		memcpy(&wide, &header, sizeof wide);
		plain.d_buf = &wide;
		plain.d_size = sizeof wide;
	} else {
		narrow = (Elf32_Shdr){ .sh_name = header.sh_name,
				       .sh_type = header.sh_type,
				       .sh_flags = (Elf32_Word)header.sh_flags,
				       .sh_addr = (Elf32_Addr)header.sh_addr,
				       .sh_offset = (Elf32_Off)header.sh_offset,
				       .sh_size = (Elf32_Word)header.sh_size,
				       .sh_link = header.sh_link,
				       .sh_info = header.sh_info,
				       .sh_addralign = (Elf32_Word)header.sh_addralign,
				       .sh_entsize = (Elf32_Word)header.sh_entsize };
		plain.d_buf = &narrow;
		plain.d_size = sizeof narrow;
	}
	file.d_buf = encoded;
	file.d_size = plain.d_size;
	return gelf_xlatetof(elf, &file, &plain, encoding) != NULL &&
	       write_all(fd, encoded, file.d_size,
			 (off_t)(file_header.e_shoff + index * file_header.e_shentsize));
}

static bool inflate_section(Elf *elf, Elf_Scn *section, GElf_Shdr *header, int fd, off_t *end,
			    struct error *err)
{
	size_t header_bytes = gelf_fsize(elf, ELF_T_CHDR, 1, EV_CURRENT), inflated;
	Elf_Data *data = elf_rawdata(section, NULL);
	GElf_Chdr compression;
	void *bytes;
	bool ok;

	if (gelf_getchdr(section, &compression) == NULL || data == NULL ||
	    data->d_size < header_bytes)
		return error_set(err, ERROR_INPUT, "a compressed section has no header");
	if (compression.ch_type != COMPRESSED_BY_ZSTD)
		return true;
	bytes = malloc(compression.ch_size == 0 ? 1 : compression.ch_size);
	if (bytes == NULL)
		return error_set(err, ERROR_SYSTEM, "no memory to inflate a section");
	inflated =
	    ZSTD_decompress(bytes, compression.ch_size, (const char *)data->d_buf + header_bytes,
			    data->d_size - header_bytes);
	if (inflated != compression.ch_size) {
		free(bytes);
		return error_set(err, ERROR_INPUT, "a section compressed by zstd is damaged");
	}
	header->sh_offset = (GElf_Off)*end;
	header->sh_size = inflated;
	header->sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	header->sh_addralign = compression.ch_addralign;
	ok = write_all(fd, bytes, inflated, *end) &&
	     write_header(elf, fd, elf_ndxscn(section), *header);
	*end += (off_t)((inflated + 15) / 16 * 16);
	free(bytes);
	return ok ||
	       error_set(err, ERROR_SYSTEM, "cannot write to a memory file: %s", strerror(errno));
}

bool inflate_zstd(Elf *elf, int *fd, struct error *err)
{
	size_t length;
	const char *bytes = elf_rawfile(elf, &length);
	Elf_Scn *section = NULL;
	off_t end = (off_t)((length + 15) / 16 * 16);
	int copy = memfd_create("worth-inflated", MFD_CLOEXEC);

	if (copy < 0 || bytes == NULL || !write_all(copy, bytes, length, 0)) {
		if (copy >= 0)
			close(copy);
		return error_set(err, ERROR_SYSTEM, "cannot make a memory file: %s",
				 strerror(errno));
	}
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) == NULL || header.sh_type == SHT_NOBITS ||
		    !(header.sh_flags & SHF_COMPRESSED))
			continue;
		if (!inflate_section(elf, section, &header, copy, &end, err)) {
			close(copy);
			return false;
		}
	}
	*fd = copy;
	return true;
}
