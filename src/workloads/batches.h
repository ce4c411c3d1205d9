/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef WORKLOADS_BATCHES_H
#define WORKLOADS_BATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/workload.h"

/*
 * How many operations are timed together. The first batches grow until one
 * lasts long enough for the clock not to matter; each later one is a figure.
 * The growing ones are part of the fixed amount of work, so that every process
 * does the same; the last of them is the first figure. Most workloads leave the
 * loop below to timing.h. How long a batch would
 * last is taken from the quickest one so far: on a busy machine any single one
 * may have been interrupted for longer than it should last.
 *
 *	batches_init(&batches, work);
 *	while ((count = batches_next(&batches)) > 0) {
 *		start_ns = clock_ns();
 *		... count operations ...
 *		if (batches_end(&batches, clock_ns() - start_ns))
 *			report_value(...);
 *	}
 *
 * The way to grow is that of lmbench's benchmp (3.0-a9): tenfold in the dark,
 * then in proportion with a tenth more.
 */
struct batches {
	int64_t batch_ns;
	int64_t end_ns;	    /* 0: none */
	uint64_t remaining; /* operations */
	uint64_t done;	    /* operations, for verification */
	uint64_t count;	    /* of the current batch */
	uint64_t multiple;
	bool grown;
	double best_ns; /* of one operation, in the batches so far */
	int tried;	/* batches since the first that seemed long enough */
};

void batches_init(struct batches *batches, const struct work *work);
/* Only whole multiples, for workloads whose operations come in groups. */
void batches_init_multiple(struct batches *batches, const struct work *work, uint64_t multiple);
/* Operations of the next batch; 0 when all is done. */
uint64_t batches_next(struct batches *batches);
/* How long it took; whether it is to be reported. */
bool batches_end(struct batches *batches, int64_t elapsed_ns);

#endif
