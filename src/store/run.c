/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run's values as bytes: little-endian IEEE numbers, so that a history can
 * be carried to another machine. NAN keeps its bits: not measured stays so.
 */
#include <endian.h>
#include <string.h>

#include "store/history/internal.h"

static void put_64(char *at, const void *number)
{
	uint64_t bits;

	memcpy(&bits, number, sizeof bits);
	bits = htole64(bits);
	memcpy(at, &bits, sizeof bits);
}

static void get_64(const char *at, void *number)
{
	uint64_t bits;

	memcpy(&bits, at, sizeof bits);
	bits = le64toh(bits);
	memcpy(number, &bits, sizeof bits);
}

static void put_32(char *at, const void *number)
{
	uint32_t bits;

	memcpy(&bits, number, sizeof bits);
	bits = htole32(bits);
	memcpy(at, &bits, sizeof bits);
}

static void get_32(const char *at, void *number)
{
	uint32_t bits;

	memcpy(&bits, at, sizeof bits);
	bits = le32toh(bits);
	memcpy(number, &bits, sizeof bits);
}

void run_encode_values(char *blob, const double *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		put_64(blob + i * VALUE_BYTES, &values[i]);
}

void run_decode_values(const char *blob, double *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		get_64(blob + i * VALUE_BYTES, &values[i]);
}

void run_encode_coverage(char *blob, const float *coverage, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		put_32(blob + i * COVERAGE_BYTES, &coverage[i]);
}

void run_decode_coverage(const char *blob, float *coverage, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		get_32(blob + i * COVERAGE_BYTES, &coverage[i]);
}

void run_encode_batches(char *blob, const struct batch *batches, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		put_32(blob + i * BATCH_BYTES, &batches[i].metric);
		put_64(blob + i * BATCH_BYTES + sizeof(uint32_t), &batches[i].value);
	}
}

void run_decode_batches(const char *blob, struct batch *batches, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		get_32(blob + i * BATCH_BYTES, &batches[i].metric);
		get_64(blob + i * BATCH_BYTES + sizeof(uint32_t), &batches[i].value);
	}
}
