/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_CODEC_WHERE_H
#define MODEL_CODEC_WHERE_H

#include "base/json.h"
#include "model/recording.h"

/* The recording's where as JSON and back, apart from the rest of it: for the codec and for stores.
 * Null, or NULL, is none; the plan must be there already. */
struct json *where_to_json(const struct recording *recording);
bool where_from_json(struct arena *arena, const struct json *json, struct recording *recording,
		     struct error *err);

#endif
