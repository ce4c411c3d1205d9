/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_ELF_CHECK_H
#define BINARY_ELF_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Reads length bytes at offset of the object into bytes; false if they are not all there. */
typedef bool (*elf_reader)(void *context, uint64_t offset, void *bytes, size_t length);

/*
 * Whether an object's headers lie inside its size, so that libelf can be let
 * at it: libelf 0.188 allocates as many sections as the headers claim. The
 * sentence tells a truncated file from one that is damaged otherwise.
 */
bool elf_check(elf_reader read, void *context, uint64_t size, struct error *err);

/* The same of an open file, and of bytes in memory. */
bool elf_check_file(int fd, struct error *err);
bool elf_check_memory(const void *bytes, size_t length, struct error *err);

/* Reads length bytes at offset of a file; false if they are not all there. */
bool elf_read_file(int fd, uint64_t offset, void *bytes, size_t length);

#endif
