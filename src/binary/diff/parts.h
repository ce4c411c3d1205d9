/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BINARY_DIFF_PARTS_H
#define BINARY_DIFF_PARTS_H

#include "binary/hash.h"
#include "model/code.h"

/* Private to the files that make a diff. */

/* A function with its clones and parts, or one object: what a row is about on one side. */
struct group {
	size_t *parts; /* indices of symbols, in their order */
	size_t part_count, part_capacity;
	size_t stem;	/* the symbol whose name is the base, or the first part */
	size_t largest; /* the largest part */
	uint64_t bytes;
	uint32_t name;	/* of the base and its class, as a number that both sides share */
	uint32_t place; /* unit and member, likewise */
	size_t partner; /* index of the other side's group, CODE_NONE: none */
};

struct groups {
	const struct code_image *image;
	struct group *items;
	size_t count, capacity;
};

/* What makes names and places of two images comparable. */
struct naming {
	struct arena *arena;
	struct strings names, places;
	/* Of each side, the number of each member; equal ones are paired. */
	uint32_t *member_places[2];
};

/* Members of archives, by name, then by what they define. */
void members_pair(struct arena *arena, const struct code_image *const images[2],
		  uint32_t *places[2]);
/* The groups of one side (0: baseline). */
void groups_make(struct naming *naming, const struct code_image *image, size_t side,
		 struct groups *groups);
/* Fills the partners. */
void groups_pair(struct naming *naming, struct groups *baseline, struct groups *candidate);
/* Fills diff->sections and the sentences about them. */
void diff_sections(struct arena *arena, struct code_diff *diff);

#endif
