/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of a section, a window at a time: see content.h. */
#include "binary/content.h"

#include <stdlib.h>

#include "binary/filler.h"

enum { LONGEST_INSTRUCTION = 16 };

const unsigned char *content_at(struct content *content, uint64_t offset, uint64_t length)
{
	uint64_t wanted = CONTENT_WINDOW_BYTES;

	if (offset > content->bytes || length > content->bytes - offset ||
	    length > CONTENT_WINDOW_BYTES)
		return NULL;
	if (content->window != NULL && offset >= content->start &&
	    offset + length <= content->start + content->length)
		return content->window + (offset - content->start);
	if (content->window == NULL)
		content->window = malloc(CONTENT_WINDOW_BYTES);
	if (content->window == NULL)
		arena_out_of_memory();
	if (wanted > content->bytes - offset)
		wanted = content->bytes - offset;
	content->start = offset;
	content->length = 0;
	if (!elf_object_read(content->object, content->base + offset, content->window,
			     (size_t)wanted))
		return NULL;
	content->length = wanted;
	return content->window;
}

void content_release(struct content *content)
{
	free(content->window);
	content->window = NULL;
	content->length = 0;
}

static uint64_t at_most_window(uint64_t length)
{
	return length < CONTENT_WINDOW_BYTES ? length : CONTENT_WINDOW_BYTES;
}

/* An instruction that crosses the end of a part begins the next one. */
uint64_t content_filler_at_start(struct content *content, unsigned machine, uint64_t offset,
				 uint64_t length)
{
	uint64_t done = 0;

	while (done < length) {
		uint64_t part = at_most_window(length - done);
		const unsigned char *bytes = content_at(content, offset + done, part);
		uint64_t filler = bytes == NULL ? 0 : filler_at_start(machine, bytes, (size_t)part);

		done += filler;
		if (filler == 0 || part - filler >= LONGEST_INSTRUCTION)
			break;
	}
	return done;
}

uint64_t content_filler_at_end(struct content *content, unsigned machine, uint64_t offset,
			       uint64_t length)
{
	uint64_t done = 0;

	while (done < length) {
		uint64_t part = at_most_window(length - done);
		const unsigned char *bytes =
		    content_at(content, offset + length - done - part, part);
		uint64_t filler = bytes == NULL ? 0 : filler_at_end(machine, bytes, (size_t)part);

		done += filler;
		if (filler < part)
			break;
	}
	return done;
}
