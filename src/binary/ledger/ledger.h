/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_LEDGER_LEDGER_H
#define BINARY_LEDGER_LEDGER_H

#include "base/arena.h"
#include "base/error.h"
#include "binary/debug/debug.h"
#include "model/code.h"

/*
 * The inlining ledger: which functions were inlined how often, and what their
 * copies take. All objects of an archive go into one ledger.
 *
 *	struct ledger *ledger = ledger_open(arena, settings);
 *	for each object: ledger_add(ledger, &source, err)
 *	ledger_finish(ledger, image);	fills coverage, inlines, duplicates
 *	ledger_close(ledger);
 *
 * Two ledgers may be made by two threads at a time.
 */
struct ledger;

/* All of it for an image that image_read() has made. */
bool ledger_read(struct arena *arena, const struct debug_settings *settings,
		 struct code_image *image, struct error *err);

/* Strings and results go into the arena; settings must outlive the ledger. */
struct ledger *ledger_open(struct arena *arena, const struct debug_settings *settings);
void ledger_close(struct ledger *ledger);

/* Reads one object. Without debug information it succeeds, and coverage.partial says why. */
bool ledger_add(struct ledger *ledger, const struct debug_source *source, struct error *err);

/* Fills image->coverage, inlines and duplicates. */
void ledger_finish(struct ledger *ledger, struct code_image *image);

#endif
