/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_CODEC_H
#define MODEL_CODEC_H

#include "base/json.h"
#include "model/recording.h"

/*
 * A recording, and its parts, as JSON and back: what history stores, what
 * --json writes, and what `worth judge` reads. The layout is documented in
 * docs/recording.md; its number rises when a reader of the old one would
 * misread the new one. Reading checks everything (types, ranges, indices, a
 * sample without a round) and names what is wrong.
 */
enum { RECORDING_FORMAT = 1 };

struct json *plan_to_json(const struct plan *plan);
bool plan_from_json(struct arena *arena, const struct json *json, struct plan *plan,
		    struct error *err);
struct json *environment_to_json(const struct environment *environment);
bool environment_from_json(struct arena *arena, const struct json *json,
			   struct environment *environment, struct error *err);
struct json *metric_to_json(const struct metric *metric);
bool metric_from_json(struct arena *arena, const struct json *json, struct metric *metric,
		      struct error *err);
struct json *recording_to_json(const struct recording *recording);
bool recording_from_json(struct arena *arena, const struct json *json, struct recording *recording,
			 struct error *err);

#endif
