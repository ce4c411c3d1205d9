/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STORE_HISTORY_INTERNAL_H
#define STORE_HISTORY_INTERNAL_H

#include "store/database/database.h"
#include "store/history/history.h"
#include "store/owner.h"
#include "store/outbox/spool.h"

/*
 * What the files behind history.h share. A handle writes at most one session;
 * the counts say how much of that session's recording is in the database.
 */
struct history {
	struct arena *arena;
	const char *path;
	const char *remark;  /* what opening changed, or NULL */
	const char *project; /* of sessions that begin; NULL: none */
	struct database database;
	bool is_server;		/* PostgreSQL: sessions are measured into the outbox */
	struct history *outbox; /* a server's, see store/outbox/outbox.h; NULL: there is none yet */
	struct owner owner;

	int64_t session;    /* under measurement by this handle; 0: none */
	int64_t next_place; /* of the next run in it */
	int64_t saved_ns;   /* when history_keep last saved; 0: not yet */
	size_t samples_saved;
	size_t samples_spooled; /* in the database or in the spool */
	struct spool spool;
	size_t metrics_saved;
	size_t remarks_saved;
	char *blob; /* reused for encoding one run, so that a round allocates nothing */
	size_t blob_size;
};

/* Put what killed programs left in spools into the database. What cannot be is left for later. */
void history_recover(struct history *history);

/* run.key: a session's runs are the keys from history_key(s, 0) to history_key(s, LAST_PLACE). */
enum { KEY_PLACE_BITS = 32 };
static inline int64_t history_key(int64_t session, int64_t place)
{
	return (int64_t)((uint64_t)session << KEY_PLACE_BITS) | place;
}
#define HISTORY_LAST_PLACE ((int64_t)UINT32_MAX)

/* The session that a user's word means (see history_load), its number and full id (in arena). */
bool history_find(struct history *history, struct arena *arena, const char *word, int64_t *session,
		  const char **id, struct error *err);

/* Parameters 1 to 6 of a statement: project, host, label, metric, since, limit (-1: none). */
void history_bind_filter(struct statement *statement, const struct history_filter *filter);
/* A column's text in arena, NULL for NULL. */
const char *history_column_text(struct arena *arena, struct statement *statement, int column);

/* Adds to what history_remark says. */
void history_note(struct history *history, const char *sentence);
/* As history_load, here and not where a server's outbox has it. */
bool history_load_here(struct history *history, struct arena *arena, const char *id,
		       struct recording *recording, struct error *err);

/* The list, and a session's verdict for it: here and not where a server's outbox has it. */
bool history_list_here(struct history *history, struct arena *arena,
		       const struct history_filter *filter, struct history_entry **entries,
		       size_t *count, struct error *err);
bool history_mark_verdict(struct history *history, const char *id, const char *verdict,
			  const char *change, struct error *err);

/* Whose session a handle measures: taken, dropped with its spool, and as before the first. */
bool history_own(struct history *history, const char *id, struct error *err);
void history_forget(struct history *history);
void history_begin_anew(struct history *history);

/* Says which process measures the session; returns false. */
bool history_fail_live(struct history *history, int64_t session, const char *id, struct error *err);

/* Which samples belong to complete rounds (each subject ran in it), in keep (sample_count of
 * them; may be NULL); returns how many judged rounds are complete. */
size_t history_complete_rounds(const struct recording *recording, bool *keep);

/* One run's values as they lie in the file; blob has count * 8 (4, 12) bytes. The coverage of a
 * metric beyond what was stored is 1, its value NAN. */
enum { VALUE_BYTES = 8, COVERAGE_BYTES = 4, BATCH_BYTES = 12 };
void run_encode_values(char *blob, const double *values, size_t count);
void run_encode_coverage(char *blob, const float *coverage, size_t count);
void run_encode_batches(char *blob, const struct batch *batches, size_t count);
void run_decode_values(const char *blob, double *values, size_t count);
void run_decode_coverage(const char *blob, float *coverage, size_t count);
void run_decode_batches(const char *blob, struct batch *batches, size_t count);

#endif
