/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libelf takes on trust: see check.h. Layout by the System V ABI, chapter 4. */
#include "binary/elf/check.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The few header fields that matter, of either class. */
struct header {
	bool wide, big;
	uint64_t program_offset, section_offset;
	uint64_t program_count, section_count;
	uint64_t program_size, section_size;
};

static uint64_t number(const struct header *header, const unsigned char *bytes, size_t length)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < length; i++)
		value = value << 8 | bytes[header->big ? i : length - 1 - i];
	return value;
}

static void parse(struct header *header, const unsigned char *bytes)
{
	size_t word = header->wide ? 8 : 4;
	const unsigned char *offsets = bytes + (header->wide ? 32 : 28);
	const unsigned char *counts = bytes + (header->wide ? 54 : 42);

	header->program_offset = number(header, offsets, word);
	header->section_offset = number(header, offsets + word, word);
	header->program_size = number(header, counts, 2);
	header->program_count = number(header, counts + 2, 2);
	header->section_size = number(header, counts + 4, 2);
	header->section_count = number(header, counts + 6, 2);
}

static bool check_table(const char *what, uint64_t offset, uint64_t count, uint64_t entry,
			uint64_t size, struct error *err)
{
	if (count == 0)
		return true;
	if (offset > size || count > (size - offset) / entry)
		return error_set(err, ERROR_INPUT,
				 "its %s headers (%llu of them at %llu) lie beyond its end at "
				 "%llu: it is truncated or damaged; make or copy it again",
				 what, (unsigned long long)count, (unsigned long long)offset,
				 (unsigned long long)size);
	return true;
}

static bool wrong_entry(const char *what, uint64_t entry, struct error *err)
{
	return error_set(err, ERROR_INPUT,
			 "its header is damaged: %s headers of %llu bytes do not exist", what,
			 (unsigned long long)entry);
}

/* Counts that do not fit into the header are in section 0. */
static bool extend_counts(struct header *header, elf_reader read, void *context, uint64_t size,
			  struct error *err)
{
	unsigned char bytes[sizeof(Elf64_Shdr)];
	size_t entry = header->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	if (header->section_offset == 0 ||
	    (header->section_count != 0 && header->program_count != PN_XNUM))
		return true;
	if (!check_table("section", header->section_offset, 1, entry, size, err))
		return false;
	if (!read(context, header->section_offset, bytes, entry))
		return error_set(err, ERROR_INPUT, "it became shorter while it was read");
	if (header->section_count == 0)
		header->section_count =
		    header->wide ? number(header, bytes + 32, 8) : number(header, bytes + 20, 4);
	if (header->program_count == PN_XNUM)
		header->program_count = number(header, bytes + (header->wide ? 44 : 28), 4);
	return true;
}

static bool check_identification(const unsigned char *bytes, uint64_t size, struct header *header,
				 struct error *err)
{
	if (size < EI_NIDENT || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return error_set(err, ERROR_INPUT, "it is not an ELF file");
	header->wide = bytes[EI_CLASS] == ELFCLASS64;
	header->big = bytes[EI_DATA] == ELFDATA2MSB;
	if ((!header->wide && bytes[EI_CLASS] != ELFCLASS32) ||
	    (!header->big && bytes[EI_DATA] != ELFDATA2LSB))
		return error_set(err, ERROR_INPUT,
				 "its ELF header is damaged: class %u and byte order %u do not "
				 "exist",
				 bytes[EI_CLASS], bytes[EI_DATA]);
	if (size < (header->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return error_set(err, ERROR_INPUT, "it ends inside its ELF header: truncated");
	return true;
}

bool elf_check(elf_reader read, void *context, uint64_t size, struct error *err)
{
	unsigned char bytes[sizeof(Elf64_Ehdr)] = { 0 };
	struct header header = { 0 };
	size_t length = size < sizeof bytes ? (size_t)size : sizeof bytes;

	if (!read(context, 0, bytes, length))
		return error_set(err, ERROR_INPUT, "it became shorter while it was read");
	if (!check_identification(bytes, size, &header, err))
		return false;
	parse(&header, bytes);
	if (!extend_counts(&header, read, context, size, err))
		return false;
	if (header.section_offset != 0 && header.section_count > 0 &&
	    header.section_size != (header.wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)))
		return wrong_entry("section", header.section_size, err);
	if (header.program_offset != 0 && header.program_count > 0 &&
	    header.program_size != (header.wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return wrong_entry("program", header.program_size, err);
	return check_table("section", header.section_offset,
			   header.section_offset == 0 ? 0 : header.section_count,
			   header.wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), size, err) &&
	       check_table("program", header.program_offset,
			   header.program_offset == 0 ? 0 : header.program_count,
			   header.wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), size, err);
}

bool elf_read_file(int fd, uint64_t offset, void *bytes, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t got =
		    pread(fd, (char *)bytes + done, length - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

static bool read_descriptor(void *context, uint64_t offset, void *bytes, size_t length)
{
	const int *fd = context;

	return elf_read_file(*fd, offset, bytes, length);
}

bool elf_check_file(int fd, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return error_set(err, ERROR_SYSTEM, "cannot look at it: %s", strerror(errno));
	if (!S_ISREG(status.st_mode))
		return error_set(err, ERROR_INPUT, "it is not a regular file");
	return elf_check(read_descriptor, &fd, (uint64_t)status.st_size, err);
}

struct memory {
	const char *bytes;
	size_t length;
};

static bool read_memory(void *context, uint64_t offset, void *bytes, size_t length)
{
	const struct memory *memory = context;

	if (offset > memory->length || length > memory->length - offset)
		return false;
	memcpy(bytes, memory->bytes + offset, length);
	return true;
}

bool elf_check_memory(const void *bytes, size_t length, struct error *err)
{
	struct memory memory = { bytes, length };

	return elf_check(read_memory, &memory, length, err);
}
