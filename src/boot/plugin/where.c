/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A TCG plugin of QEMU: which instructions a guest of one processor executes in
 * its jobs, and within their batches, by address.
 *
 *	-plugin worth-where.so,out=FILE
 *
 * Every instruction adds one to the counter of the 16 bytes that it begins in,
 * which belong to one function where functions are aligned so. All programs
 * have one counter together. The marks of src/base/mark.h are found when
 * they are translated, and read the counters when they are executed. Written:
 *
 *	job N			the Nth one has ended; what follows is of it
 *	ADDRESS WHOLE BATCHES	in hexadecimal, and twice decimal; 0: programs
 *
 * Memory that is lacking ends the counting, and the file then lacks its "end".
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mark.h"
#include "boot/plugin/qemu_plugin.h"

enum { CHUNK_PLACES = 4096, BUCKETS = 1 << 18, PLACE_SHIFT = 4 };

struct place {
	uint64_t count; /* since the machine started */
	uint64_t at_job, at_batch;
	uint64_t in_batches;
	uint64_t address;
	struct place *next, *older;
};

static struct state {
	struct place *buckets[BUCKETS];
	struct place *newest; /* of all */
	struct place *room;
	size_t left;
	struct place programs;
	FILE *out;
	unsigned jobs;
	bool failed;
} state;

static struct place *make_place(uint64_t address)
{
	struct place *place;

	if (state.left == 0) {
		state.room = calloc(CHUNK_PLACES, sizeof *state.room);
		if (state.room == NULL) {
			state.failed = true;
			return NULL;
		}
		state.left = CHUNK_PLACES;
	}
	place = &state.room[--state.left];
	place->address = address;
	place->older = state.newest;
	state.newest = place;
	return place;
}

static struct place *place_of(uint64_t address)
{
	uint64_t key = address >> PLACE_SHIFT;
	struct place **bucket = &state.buckets[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 46], *place;

	if (address >> 63 == 0)
		return &state.programs;
	for (place = *bucket; place != NULL; place = place->next)
		if (place->address >> PLACE_SHIFT == key)
			return place;
	place = make_place(key << PLACE_SHIFT);
	if (place == NULL)
		return &state.programs;
	place->next = *bucket;
	*bucket = place;
	return place;
}

static void begin_job(void)
{
	struct place *place;

	for (place = state.newest; place != NULL; place = place->older) {
		place->at_job = place->count;
		place->in_batches = 0;
	}
}

static void begin_batch(void)
{
	struct place *place;

	for (place = state.newest; place != NULL; place = place->older)
		place->at_batch = place->count;
}

static void end_batch(void)
{
	struct place *place;

	for (place = state.newest; place != NULL; place = place->older)
		place->in_batches += place->count - place->at_batch;
}

static void end_job(void)
{
	struct place *place;

	fprintf(state.out, "job %u\n", state.jobs++);
	for (place = state.newest; place != NULL; place = place->older)
		if (place->count != place->at_job)
			fprintf(state.out, "%llx %llu %llu\n", (unsigned long long)place->address,
				(unsigned long long)(place->count - place->at_job),
				(unsigned long long)place->in_batches);
}

static void marked(unsigned vcpu, void *context)
{
	(void)vcpu;
	switch ((enum mark)(uintptr_t)context) {
	case MARK_JOB_BEGIN:
		begin_job();
		break;
	case MARK_JOB_END:
		end_job();
		break;
	case MARK_BATCH_BEGIN:
		begin_batch();
		break;
	case MARK_BATCH_END:
		end_batch();
		break;
	}
}

/* 0: no mark. */
static uint32_t mark_of(const struct qemu_plugin_insn *insn)
{
	const unsigned char *bytes = qemu_plugin_insn_data(insn);
	uint32_t kind;

	if (qemu_plugin_insn_size(insn) != 7 || bytes[0] != 0x0f || bytes[1] != 0x1f ||
	    bytes[2] != 0x80)
		return 0;
	memcpy(&kind, bytes + 3, sizeof kind);
	return kind >= MARK_JOB_BEGIN && kind <= MARK_BATCH_END ? kind : 0;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t count = qemu_plugin_tb_n_insns(tb), i;

	(void)id;
	for (i = 0; i < count; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		struct place *place = place_of(qemu_plugin_insn_vaddr(insn));
		uint32_t mark = place == &state.programs ? mark_of(insn) : 0;

		qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64,
							   &place->count, 1);
		if (mark != 0)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, marked, QEMU_PLUGIN_CB_NO_REGS,
							       (void *)(uintptr_t)mark);
	}
}

static void ended(qemu_plugin_id_t id, void *context)
{
	(void)id;
	(void)context;
	if (!state.failed)
		fputs("end\n", state.out);
	fclose(state.out);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info,
					   int argc, char **argv)
{
	static const char option[] = "out=";

	(void)info;
	if (argc != 1 || strncmp(argv[0], option, strlen(option)) != 0)
		return -1;
	state.out = fopen(argv[0] + strlen(option), "a");
	if (state.out == NULL)
		return -1;
	state.programs.older = NULL;
	state.newest = &state.programs;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
