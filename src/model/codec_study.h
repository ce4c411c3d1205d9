/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MODEL_CODEC_STUDY_H
#define MODEL_CODEC_STUDY_H

#include "model/codec_fields.h"
#include "model/study.h"

/* The member "study" of a plan, and back: *study is NULL where there is none. Claims name subjects
 * below subject_count. */
struct json *study_to_json(const struct study *study);
bool study_from_json(const struct fields *plan, size_t subject_count, const struct study **study);

#endif
