/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_ELF_FILE_H
#define BINARY_ELF_FILE_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * A file of machine code, opened: ELF itself, or an archive (System V, GNU,
 * BSD, thin) whose members come one after the other. Everything that libelf
 * would believe without asking, counts of sections above all, is held against
 * the size of the file first.
 */
struct elf_file;

/* An object of the file. The handle is good until the next one is asked for. */
struct elf_object {
	const char *name; /* of the member, raw, in the arena; NULL: the file itself */
	Elf *elf;	  /* NULL: the member is no ELF; see what */
	const char *what; /* "LLVM bitcode", "text", ...: what a member without elf seems to be */
	uint64_t offset;  /* in the file; 0 in a thin archive */
	uint64_t bytes;
	const void *content; /* of a member, all of it; NULL: only the file has it */
	struct elf_file *file;
};

/* Reads length bytes at offset of the object; false if they are not all there. */
bool elf_object_read(const struct elf_object *object, uint64_t offset, void *bytes, size_t length);

/* Fails on what is no regular file, is empty, or is neither ELF nor an archive: a sentence. */
bool elf_file_open(struct arena *arena, const char *path, struct elf_file **file,
		   struct error *err);
void elf_file_close(struct elf_file *file); /* NULL is accepted */

uint64_t elf_file_size(const struct elf_file *file);
bool elf_file_is_archive(const struct elf_file *file, bool *thin);
/* Of an archive: bytes of its own headers and names, and of its symbol tables. */
uint64_t elf_file_header_bytes(const struct elf_file *file);
uint64_t elf_file_index_bytes(const struct elf_file *file);

/* The next object; *more is false after the last. An error says what is damaged; the objects
 * before it were good. */
bool elf_file_next(struct elf_file *file, struct elf_object *object, bool *more, struct error *err);

#endif
