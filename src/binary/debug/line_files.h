/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_DEBUG_LINE_FILES_H
#define BINARY_DEBUG_LINE_FILES_H

#include <elfutils/libdw.h>

/*
 * The file table in the header of a unit's line table, without running its
 * line program: dwarf_getsrcfiles() of elfutils 0.188 decodes all lines to
 * give the files, which for a kernel is 200 MB and a third of the time.
 */
struct line_file {
	const char *name;   /* borrowed from the section */
	uint64_t directory; /* index into directories */
};

/* Zero it to start. The table of one unit at a time is kept. */
struct line_files {
	Dwarf *dwarf; /* whose sections these are */
	const unsigned char *line, *line_end, *line_strings, *line_strings_end, *strings,
	    *strings_end;
	bool big_endian;
	bool plain; /* the sections are as the file has them, not to be relocated or split */

	bool known; /* the table of offset is in here */
	uint64_t offset;
	unsigned version;
	struct line_file *files;
	const char **directories;
	size_t file_count, file_capacity, directory_count, directory_capacity;
};

void line_files_release(struct line_files *files);

/* File index of the unit: its name, and its directory (NULL: the unit's own). False: unknown to
 * this reader; ask libdw. */
bool line_files_find(struct line_files *files, Dwarf_Die *unit, uint64_t index, const char **name,
		     const char **directory);

#endif
