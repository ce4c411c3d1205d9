/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_LEDGER_BOOK_H
#define BINARY_LEDGER_BOOK_H

#include <elfutils/libdw.h>

#include "base/arena.h"
#include "binary/debug/debug.h"
#include "binary/hash.h"
#include "binary/debug/line_files.h"

/*
 * Between the files of the ledger: the book that the walk over the DWARF
 * writes (walk.c), the names in it (names.c), and what is made
 * of it at the end (ledger.c).
 */

/* A function under its identity: linkage name and declaring file. */
struct ledger_function {
	uint32_t name; /* string numbers; the linkage name, else the name */
	uint32_t file; /* absolute until ledger_finish; 0: unknown */
	bool external; /* visible outside of its unit */
	uint64_t copies, copies_with_code;
	uint64_t exclusive_bytes, inclusive_bytes;
	uint64_t least_bytes, most_bytes;
	uint64_t cold_bytes;
	uint64_t bodies, body_bytes;
	uint64_t folded, folded_bytes; /* bodies that share all bytes with an earlier function */
	uint64_t dead, dead_bytes; /* of bodies: no symbol is left of them, another was linked */
	uint64_t calls;		   /* call sites of the body, where DWARF lists them */
};

/* One copy, for the list of callers. */
struct ledger_copy {
	uint32_t function, caller;
	uint32_t bytes;
};

struct ledger {
	struct arena *arena;
	const struct debug_settings *settings;
	struct strings strings;
	struct ledger_function *functions;
	size_t function_count, function_capacity;
	struct table by_identity; /* name and file -> function + 1 */
	struct ledger_copy *copies;
	size_t copy_count, copy_capacity;
	struct table directories; /* compilation directory -> units in it */

	/* Of the object that is being read: pointers are valid only as long as it is open. */
	struct table by_origin; /* address of a DIE -> function + 1 */
	struct line_files line_files;
	struct spans strings_in; /* memory of the debug sections: where strings may end */
	uint32_t *lost;		 /* functions whose DIE has an address at which there is no code */
	size_t lost_count, lost_capacity;
	struct table by_file; /* unit and file index -> string number + 1 */

	/* Sums over all objects. */
	size_t objects, objects_without_debug;
	const char *missing; /* of the first such object */
	uint64_t function_bytes, described_bytes, symbolless_bytes;
	uint64_t exclusive_bytes, outermost_bytes, clipped_bytes, instances;
	uint64_t units, damaged_units, absent_units, unmeasured_copies;
	const char *absent_unit; /* name of the first split unit that was not found; clean */
	const char *damage;	 /* what was wrong first; clean */
};

/* The function that a DIE (a subprogram, or what DW_AT_abstract_origin refers to) stands for. */
uint32_t ledger_function_of(struct ledger *ledger, Dwarf_Die *die);
/* The same for a DIE that refers to it by DW_AT_abstract_origin or DW_AT_call_origin; false: it
 * refers to nothing that can be read. */
bool ledger_origin_of(struct ledger *ledger, Dwarf_Die *die, unsigned attribute,
		      uint32_t *function);
/* The number of directory/file without detours; directory may be NULL. */
uint32_t ledger_intern_path(struct ledger *ledger, const char *directory, const char *file);
/* Notes where the debug sections of an object are in memory; those of a .dwo file only until the
 * next one, by setting the count back. */
void ledger_note_sections(struct ledger *ledger, Dwarf *dwarf);
/* A string of libdw, which does not look for its end: cut where its section ends, or at 64 KiB;
 * NULL for NULL, and for what is in none of the sections. */
const char *ledger_string(struct ledger *ledger, const char *string);
/* The file that declares what a DIE stands for; 0: unknown. */
uint32_t ledger_file_of(struct ledger *ledger, Dwarf_Die *die);
/* Counts the directory that a unit was compiled in. */
void ledger_note_directory(struct ledger *ledger, Dwarf_Die *unit);
/* Before the next object: forgets what points into the last. */
void ledger_forget_origins(struct ledger *ledger);

/* Paths without what differs between two build directories: the directory that the units were
 * compiled in. Made once all objects were read. */
struct file_shortener {
	const char *prefix;
	size_t length;
};
void shortener_init(struct file_shortener *shortener, const struct ledger *ledger);
const char *shortener_apply(const struct file_shortener *shortener, const struct ledger *ledger,
			    uint32_t file);

/* Which of the lost functions were folded into others; forgets them. */
void ledger_find_folded(struct ledger *ledger, struct debug *debug);

/* Walks over all units of one object. */
void ledger_walk(struct ledger *ledger, struct debug *debug);

#endif
