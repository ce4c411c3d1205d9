/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening and closing a history: where it is, whose modes it has, which schema.
 * Sessions are written in write.c, read back in load.c, found
 * and listed in list.c.
 *
 * Before SQLite opens the file it is looked at by name only (stat, access):
 * see database.c for why no descriptor of it may be closed.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "store/database/postgres.h"
#include "store/database/sqlite.h"
#include "store/outbox/outbox.h"
#include "store/database/schema.h"

/*
 * A checkpoint copies the log into the file and syncs both, milliseconds on a
 * slow disk; every 4000 pages (16 MB, some 3000 rounds) makes that less than
 * the cost of the rounds themselves.
 */
static const char connection_settings[] = "PRAGMA synchronous = NORMAL;"
					  "PRAGMA wal_autocheckpoint = 4000;"
					  "PRAGMA trusted_schema = OFF;";

static bool default_path(struct history *history, bool create, struct error *err)
{
	char *directory;

	if (!file_data_directory(history->arena, &directory, err))
		return false;
	history->path = arena_printf(history->arena, "%s/history.db", directory);
	return !create || file_make_directory(directory, 0700, err);
}

static bool given_path(struct history *history, const char *path, bool create, struct error *err)
{
	history->path = arena_strdup(history->arena, path);
	return !create ||
	       file_make_directory(dirname(arena_strdup(history->arena, path)), 0700, err);
}

/* The file exists afterwards, with mode 0600 if it was made here. */
static bool make_file(const struct history *history, bool create, struct error *err)
{
	struct stat status;
	int fd;

	if (stat(history->path, &status) == 0) {
		if (S_ISREG(status.st_mode))
			return true;
		return error_set(err, ERROR_INPUT,
				 "the history %s is not a regular file; move it away, or set "
				 "XDG_DATA_HOME to keep the history elsewhere",
				 history->path);
	}
	if (errno != ENOENT)
		return error_set(err, ERROR_SYSTEM, "cannot open the history %s: %s", history->path,
				 strerror(errno));
	if (!create)
		return error_set(err, ERROR_INPUT,
				 "there is no history yet: it will be in %s after the first "
				 "comparison",
				 history->path);
	fd = open(history->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 && errno != EEXIST)
		return error_set(err, ERROR_SYSTEM,
				 "cannot create the history %s: %s; use --no-save, or set "
				 "XDG_DATA_HOME to keep the history elsewhere",
				 history->path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return true;
}

/* Take away what group and others may do with a path of ours. Returns the mode it had, 0 if it was
 * private already or is not ours to change. */
static unsigned tighten(const char *path, unsigned mode)
{
	struct stat status;

	if (stat(path, &status) != 0 || status.st_uid != geteuid() ||
	    (status.st_mode & 0777 & ~mode) == 0)
		return 0;
	return chmod(path, status.st_mode & mode) == 0 ? status.st_mode & 0777 : 0;
}

static void note_tightened(struct history *history, const char *path, unsigned mode)
{
	unsigned before = tighten(path, mode);

	if (before == 0)
		return;
	history_note(history, arena_printf(history->arena,
					   "%s was open to others (mode %04o); it is private now",
					   path, before));
}

/* SQLite gives the log and its index the mode that the database has; ones left from before are
 * tightened too. Only now is it known that the file is a history. */
static void make_private(struct history *history, bool default_place)
{
	static const char *const endings[] = { "", "-wal", "-shm", "-owners" };
	size_t i;

	if (default_place)
		note_tightened(history, dirname(arena_strdup(history->arena, history->path)), 0700);
	for (i = 0; i < sizeof endings / sizeof *endings; i++)
		note_tightened(
		    history, arena_printf(history->arena, "%s%s", history->path, endings[i]), 0600);
}

static bool open_database(struct history *history, bool create, struct error *err)
{
	struct schema schema = schema_current();
	struct database *database = &history->database;

	return database_open(database, history->path, create, err) &&
	       schema_bring(database, &schema, err) &&
	       (database->read_only || (database_set_journal(database, err) &&
					database_execute(database, connection_settings, err)));
}

static struct history *make_handle(void)
{
	struct arena *arena = arena_open();
	struct history *history = arena_alloc(arena, 1, sizeof *history);

	history->arena = arena;
	history->owner = owner_none();
	history->spool = spool_none();
	return history;
}

static struct history *open_file(const char *path, bool create, struct error *err)
{
	struct history *history = make_handle();

	if (!(path == NULL ? default_path(history, create, err)
			   : given_path(history, path, create, err)) ||
	    !make_file(history, create, err) || !open_database(history, create, err)) {
		history_close(history);
		return NULL;
	}
	make_private(history, path == NULL);
	if (!history->database.read_only)
		history_recover(history);
	return history;
}

static struct history *open_server(const char *address, bool create, struct error *err)
{
	struct history *history;

	if (!postgres_check_address(address, err))
		return NULL;
	history = make_handle();
	history->path = arena_strdup(history->arena, address);
	if (outbox_open(history, create, err))
		return history;
	history_close(history);
	return NULL;
}

struct history *history_open(const char *path, bool create, struct error *err)
{
	if (path != NULL && strstr(path, "://") != NULL && !postgres_is_address(path)) {
		error_set(
		    err, ERROR_USAGE,
		    "a history is a file or postgresql://USER@HOST/DATABASE, no other address");
		return NULL;
	}
	return path != NULL && postgres_is_address(path) ? open_server(path, create, err)
							 : open_file(path, create, err);
}

void history_close(struct history *history)
{
	if (history == NULL)
		return;
	history_close(history->outbox);
	/* One that is still open holds what could not be saved: for whoever opens this next. */
	spool_close(&history->spool);
	database_close(&history->database);
	owner_release(&history->owner);
	free(history->blob);
	arena_close(history->arena);
}

void history_set_project(struct history *history, const char *project)
{
	history->project = project == NULL ? NULL : arena_strdup(history->arena, project);
	if (history->outbox != NULL)
		history_set_project(history->outbox, project);
}

void history_note(struct history *history, const char *sentence)
{
	history->remark =
	    arena_printf(history->arena, "%s%s%s", history->remark != NULL ? history->remark : "",
			 history->remark != NULL ? "; " : "", sentence);
}

const char *history_remark(struct history *history)
{
	const char *remark = history->remark;

	history->remark = NULL;
	return remark;
}
