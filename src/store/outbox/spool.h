/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_OUTBOX_SPOOL_H
#define STORE_OUTBOX_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

/*
 * Rounds of short runs on their way into the database. Internal to store/. A
 * transaction between two runs of 0.2 ms costs the second one its caches; a
 * plain write(2) does not, and survives the death of the program as well (not
 * that of the machine, as little as a transaction with synchronous=NORMAL).
 * So such rounds go to FILE-spool-SESSION at once and to the database
 * together, which empties the spool. What a killed program left in one is put
 * into the database by the next that opens the history.
 *
 * A file of batches in this machine's byte order: the length of the batch, then
 * its rows, each a spool_head and its three blobs. A batch that is cut off, as
 * by a kill in the middle of its write, ends the file, so that no part of a
 * round is taken for a round.
 */
enum { RUN_NUMBERS = 9, RUN_BLOBS = 3 };

/* A row of the table run: key, round, position, subject, flags, started_ns, exit_status, signal,
 * output_hash; then amounts, coverage, batches (NULL: none). */
struct run_row {
	int64_t numbers[RUN_NUMBERS];
	const char *blobs[RUN_BLOBS];
	size_t sizes[RUN_BLOBS];
};

struct spool {
	int fd; /* -1: not open */
	char *path;
	struct text batch; /* rows that are not written yet */
};

struct spool spool_none(void);
/* Begun anew for a session. False where it cannot be written: then there is none. */
bool spool_begin(struct spool *spool, struct arena *arena, const char *history_path,
		 int64_t session);
/* A row for the batch, and all of the batch with one write; false if it could not be written. */
void spool_add(struct spool *spool, const struct run_row *row);
bool spool_write(struct spool *spool);
/* The database has it all. */
void spool_empty(struct spool *spool);
/* Closed, and the file removed. */
void spool_end(struct spool *spool);
/* Closed; what is in the file stays for whoever opens the history next. */
void spool_close(struct spool *spool);

/* The spools beside a history: calls take for each with its session and whole content. */
void spool_each(struct arena *arena, const char *history_path, void *context,
		void (*take)(void *context, int64_t session, const char *path));
/* A spool's content, row by row; false at its end. Zeroed positions to start; blobs point into
 * bytes. */
struct spool_reader {
	const char *bytes;
	size_t length, at, batch_end;
};
bool spool_next(struct spool_reader *reader, struct run_row *row);

#endif
