/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hashing streams: see output_hash.h. */
#include "measure/output_hash.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"

enum { CHUNK_BYTES = 64 << 10 };

void output_hash_init(struct output_hash *hash)
{
	memset(hash, 0, sizeof *hash);
}

static void add_word(struct output_hash *hash, const void *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof word);
	hash->state = random_mix(hash->state ^ word);
}

void output_hash_take(void *context, const char *bytes, size_t length)
{
	struct output_hash *hash = context;
	size_t used = hash->length % sizeof hash->rest;
	size_t missing = sizeof hash->rest - used;

	hash->length += length;
	if (used > 0) {
		if (length < missing) {
			memcpy(hash->rest + used, bytes, length);
			return;
		}
		memcpy(hash->rest + used, bytes, missing);
		add_word(hash, hash->rest);
		bytes += missing;
		length -= missing;
	}
	for (; length >= sizeof hash->rest; bytes += 8, length -= 8)
		add_word(hash, bytes);
	memcpy(hash->rest, bytes, length);
}

uint64_t output_hash_value(const struct output_hash *hash)
{
	unsigned char last[8] = { 0 };
	struct output_hash copy = *hash;

	memcpy(last, hash->rest, hash->length % sizeof last);
	add_word(&copy, last);
	copy.state = random_mix(copy.state ^ copy.length);
	return copy.state == 0 ? 1 : copy.state;
}

bool output_hash_file(const char *path, uint64_t *value, struct error *err)
{
	char chunk[CHUNK_BYTES];
	struct output_hash hash;
	ssize_t length;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_set(err, ERROR_SYSTEM, "cannot read %s again: %s", path,
				 strerror(errno));
	output_hash_init(&hash);
	while ((length = read(fd, chunk, sizeof chunk)) > 0)
		output_hash_take(&hash, chunk, (size_t)length);
	if (length < 0)
		error_set(err, ERROR_SYSTEM, "cannot read %s again: %s", path, strerror(errno));
	close(fd);
	*value = output_hash_value(&hash);
	return length == 0;
}
