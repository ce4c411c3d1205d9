/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan is to be held against, as JSON and back: see codec_study.h and docs/recording.md. */
#include "model/codec_study.h"

enum { MOST_CLAIMS = 1000 };

static struct json *claim_to_json(const struct claim *claim)
{
	struct json *json = json_object();

	json_set(json, "name", field_from_text(claim->name));
	json_set(json, "says", field_from_text(claim->says));
	json_set(json, "metric", field_from_text(claim->metric));
	json_set(json, "candidate", json_integer((int64_t)claim->candidate));
	json_set(json, "baseline", json_integer((int64_t)claim->baseline));
	json_set(json, "direction", json_string(claim_direction_name(claim->direction)));
	json_set(json, "least_ratio", json_number(claim->least_ratio));
	json_set(json, "published", field_from_text(claim->published));
	json_set(json, "source", field_from_text(claim->source));
	return json;
}

struct json *study_to_json(const struct study *study)
{
	struct json *json = json_object(), *claims;
	size_t i;

	json_set(json, "name", field_from_text(study->name));
	json_set(json, "summary", field_from_text(study->summary));
	json_set(json, "beside", field_from_text(study->beside));
	claims = json_set(json, "claims", json_array());
	for (i = 0; i < study->claim_count; i++)
		json_push(claims, claim_to_json(&study->claims[i]));
	return json;
}

static bool read_claim(const struct fields *fields, size_t subject_count, struct claim *claim)
{
	const char *direction;

	if (!field_object(fields) || !field_text(fields, "name", &claim->name) ||
	    !field_text(fields, "says", &claim->says) ||
	    !field_text_or_null(fields, "metric", &claim->metric) ||
	    !field_size(fields, "candidate", subject_count - 1, &claim->candidate) ||
	    !field_size(fields, "baseline", subject_count - 1, &claim->baseline) ||
	    !field_text(fields, "direction", &direction) ||
	    !field_number(fields, "least_ratio", 0, 1e6, &claim->least_ratio) ||
	    !field_text_or_null(fields, "published", &claim->published) ||
	    !field_text_or_null(fields, "source", &claim->source))
		return false;
	return claim_direction_parse(direction, &claim->direction) ||
	       error_set(fields->err, ERROR_INPUT,
			 "\"direction\" must be \"lower\", \"higher\" or \"same\"");
}

static bool read_study(const struct fields *fields, size_t subject_count, struct study *study)
{
	const struct json *claims;
	size_t i;

	if (!field_object(fields) || !field_text_or_null(fields, "name", &study->name) ||
	    !field_text_or_null(fields, "summary", &study->summary) ||
	    !field_text_or_null(fields, "beside", &study->beside) ||
	    !field_array(fields, "claims", false, MOST_CLAIMS, &claims))
		return false;
	study->claim_count = json_count(claims);
	study->claims = arena_alloc(fields->arena, study->claim_count, sizeof *study->claims);
	for (i = 0; i < study->claim_count; i++) {
		struct fields claim = { fields->arena, json_item(claims, i), fields->err };

		if (!read_claim(&claim, subject_count, &study->claims[i]))
			return error_prefix(fields->err, "claim %zu", i);
	}
	return true;
}

bool study_from_json(const struct fields *plan, size_t subject_count, const struct study **study)
{
	struct fields fields = { plan->arena, json_get(plan->object, "study"), plan->err };
	struct study *made;

	*study = NULL;
	if (fields.object == NULL)
		return true;
	made = arena_alloc(plan->arena, 1, sizeof *made);
	*study = made;
	return read_study(&fields, subject_count, made) || error_prefix(plan->err, "study");
}
