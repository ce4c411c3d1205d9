/* SPDX-License-Identifier: GPL-2.0-or-later */
/* [blocks]: what a measurement is repeated over. */
#include "experiment/blocks.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "experiment/layout.h"

static const struct {
	const char *key, *word;
} names[] = {
	[BLOCKS_NONE] = { "", "" },
	[BLOCKS_REBUILDS] = { "rebuilds", "layout" },
	[BLOCKS_RELINKS] = { "relinks", "layout" },
	[BLOCKS_SESSIONS] = { "sessions", "session" },
	[BLOCKS_REBOOTS] = { "reboots", "boot" },
	[BLOCKS_HOSTS] = { "hosts", "host" },
};

const char *blocks_key(enum blocks_kind kind)
{
	return names[kind].key;
}

const char *blocks_word(enum blocks_kind kind)
{
	return names[kind].word;
}

static bool complain(const struct experiment *experiment, struct error *err, const char *sentence)
{
	return error_set(err, ERROR_USAGE, "%s:%u: %s", experiment->path, experiment->blocks.line,
			 sentence);
}

static bool take_count(struct arena *arena, const struct experiment *experiment,
		       struct experiment_blocks *blocks, struct error *err)
{
	const char *word = blocks->words[blocks->kind];
	uint64_t count;

	if (!units_parse_count(word, LAYOUTS_LEAST, LAYOUTS_MOST, &count, NULL))
		return complain(experiment, err,
				arena_printf(arena, "%s is a number from %d to %d, not '%s'",
					     names[blocks->kind].key, LAYOUTS_LEAST, LAYOUTS_MOST,
					     text_clean(arena, word, strlen(word))));
	blocks->count = (size_t)count;
	return true;
}

static bool take_pause(struct arena *arena, const struct experiment *experiment,
		       struct experiment_blocks *blocks, struct error *err)
{
	struct error wrong = { 0 };

	if (blocks->pause_word == NULL)
		return true;
	if (blocks->kind != BLOCKS_SESSIONS)
		return complain(experiment, err, "a pause is between sessions: sessions = N");
	return units_parse_duration(blocks->pause_word, &blocks->pause_ns, &wrong) ||
	       complain(experiment, err, arena_printf(arena, "pause: %s", wrong.sentence));
}

bool blocks_check(struct arena *arena, struct experiment *experiment, struct error *err)
{
	struct experiment_blocks *blocks = &experiment->blocks;
	enum blocks_kind kind;

	if (blocks->line == 0)
		return true;
	for (kind = BLOCKS_REBUILDS; kind <= BLOCKS_HOSTS; kind++) {
		if (blocks->words[kind] == NULL)
			continue;
		if (blocks->kind != BLOCKS_NONE)
			return complain(experiment, err,
					arena_printf(arena,
						     "blocks are %s or %s: only the outermost "
						     "level that is repeated counts, so choose one",
						     names[blocks->kind].key, names[kind].key));
		blocks->kind = kind;
	}
	if (blocks->kind == BLOCKS_NONE)
		return complain(experiment, err,
				"[blocks] needs one of rebuilds, relinks, sessions, reboots and "
				"hosts, as sessions = 5");
	return take_count(arena, experiment, blocks, err) &&
	       take_pause(arena, experiment, blocks, err);
}
