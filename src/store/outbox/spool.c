/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of rounds that are not in the database yet: see spool.h. */
#include "store/outbox/spool.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"

struct spool_head {
	uint64_t hash; /* of what follows in the head; the blobs' lengths are in it */
	int64_t numbers[RUN_NUMBERS];
	int64_t sizes[RUN_BLOBS]; /* -1: none */
};

static uint64_t hash_of(const struct spool_head *head)
{
	return random_hash((const char *)head + sizeof head->hash,
			   sizeof *head - sizeof head->hash);
}

struct spool spool_none(void)
{
	return (struct spool){ .fd = -1 };
}

static char *spool_path(struct arena *arena, const char *history_path, int64_t session)
{
	return arena_printf(arena, "%s-spool-%" PRId64, history_path, session);
}

bool spool_begin(struct spool *spool, struct arena *arena, const char *history_path,
		 int64_t session)
{
	spool_end(spool);
	spool->path = spool_path(arena, history_path, session);
	spool->fd = open(spool->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	return spool->fd >= 0;
}

void spool_add(struct spool *spool, const struct run_row *row)
{
	struct spool_head head = { 0 };
	uint64_t length = 0;
	int i;

	if (spool->batch.length == 0)
		text_add_bytes(&spool->batch, (const char *)&length, sizeof length);
	memcpy(head.numbers, row->numbers, sizeof head.numbers);
	for (i = 0; i < RUN_BLOBS; i++)
		head.sizes[i] = row->blobs[i] == NULL ? -1 : (int64_t)row->sizes[i];
	head.hash = hash_of(&head);
	text_add_bytes(&spool->batch, (const char *)&head, sizeof head);
	for (i = 0; i < RUN_BLOBS; i++)
		if (row->blobs[i] != NULL)
			text_add_bytes(&spool->batch, row->blobs[i], row->sizes[i]);
}

bool spool_write(struct spool *spool)
{
	uint64_t length = spool->batch.length - sizeof length;
	bool good;

	if (spool->batch.length == 0)
		return true;
	memcpy(spool->batch.bytes, &length, sizeof length);
	good = spool->fd >= 0 && write(spool->fd, spool->batch.bytes, spool->batch.length) ==
				     (ssize_t)spool->batch.length;
	text_clear(&spool->batch);
	return good;
}

void spool_empty(struct spool *spool)
{
	/* Rows that stay are recognised by their keys, so a failure costs nothing. */
	if (spool->fd >= 0 && ftruncate(spool->fd, 0) != 0)
		spool_end(spool);
}

void spool_close(struct spool *spool)
{
	text_release(&spool->batch);
	if (spool->fd >= 0)
		close(spool->fd);
	spool->fd = -1;
}

void spool_end(struct spool *spool)
{
	if (spool->fd >= 0)
		unlink(spool->path);
	spool_close(spool);
}

void spool_each(struct arena *arena, const char *history_path, void *context,
		void (*take)(void *context, int64_t session, const char *path))
{
	const char *folder = dirname(arena_strdup(arena, history_path));
	const char *prefix =
	    arena_printf(arena, "%s-spool-", basename(arena_strdup(arena, history_path)));
	DIR *directory = opendir(folder);
	const struct dirent *entry;

	while (directory != NULL && (entry = readdir(directory)) != NULL) {
		char *end;
		int64_t session;

		if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
			continue;
		session = strtoll(entry->d_name + strlen(prefix), &end, 10);
		if (*end == '\0' && session > 0)
			take(context, session, arena_printf(arena, "%s/%s", folder, entry->d_name));
	}
	if (directory != NULL)
		closedir(directory);
}

/* The beginning of the next whole batch. */
static bool next_batch(struct spool_reader *reader)
{
	uint64_t length;

	if (reader->length - reader->at < sizeof length)
		return false;
	memcpy(&length, reader->bytes + reader->at, sizeof length);
	reader->at += sizeof length;
	reader->batch_end = reader->at + length;
	return length > 0 && length <= reader->length - reader->at;
}

bool spool_next(struct spool_reader *reader, struct run_row *row)
{
	struct spool_head head;
	int i;

	if (reader->at == reader->batch_end && !next_batch(reader))
		return false;
	if (reader->batch_end - reader->at < sizeof head)
		return false;
	memcpy(&head, reader->bytes + reader->at, sizeof head);
	if (head.hash != hash_of(&head))
		return false;
	reader->at += sizeof head;
	memcpy(row->numbers, head.numbers, sizeof head.numbers);
	for (i = 0; i < RUN_BLOBS; i++) {
		row->blobs[i] = head.sizes[i] < 0 ? NULL : reader->bytes + reader->at;
		row->sizes[i] = head.sizes[i] < 0 ? 0 : (size_t)head.sizes[i];
		if (row->sizes[i] > reader->batch_end - reader->at)
			return false;
		reader->at += row->sizes[i];
	}
	return true;
}
