/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pointer lists, built and walked, as a C front end does with its lists of
 * symbols and statements. What the size of a node costs is memory, and memory
 * is page faults: so each pass builds in fresh pages, as a compiler does that
 * runs once, and gives them back.
 */
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>

#include "base/text.h"
#include "specimens/lists/list.h"
#include "workloads/batches.h"
#include "workloads/clock.h"
#include "workloads/list_lengths.h"
#include "workloads/placement.h"
#include "workloads/timing.h"
#include "workloads/workload.h"

enum { DEFAULT_PASSES = 10, ELEMENT_LIMIT = 1 << 26 };

struct ptrlist_settings {
	struct work_settings work;
	const char *list;
	const char *lengths;
	uint64_t nr, walks;
	bool malloc;
};

/* Everything that a pass works on. */
struct heap {
	const struct list_kind *kind;
	struct list_pool pool;
	struct list_lengths lengths;
	void **elements; /* what each list gets: the first ones */
	uintptr_t *sums; /* of the first elements, by their number */
	char *handles;	 /* of all lists */
	uint64_t walks;
};

/* What a pass took. */
struct pass {
	int64_t build_ns, walk_ns;
	uint64_t bytes, faults;
};

static bool refuse(struct work *work, const char *name, struct error *err)
{
	const struct list_kind *const *kind;
	struct text there = { 0 };

	for (kind = list_kinds; *kind != NULL; kind++)
		text_printf(&there, "%s%s%s", there.length == 0 ? "" : ", ", (*kind)->name,
			    (*kind)->absent == NULL ? "" : " (absent)");
	error_set(err, ERROR_USAGE, "there is no list \"%s\"; there are %s",
		  text_clean(work->arena, name, strlen(name)), text_string(&there));
	text_release(&there);
	return false;
}

/* Nodes are compiled for the size, where there are such; else they read it from the pool. */
static bool choose(struct work *work, const struct ptrlist_settings *settings,
		   const struct list_kind **chosen, struct error *err)
{
	const struct list_kind *const *kind = list_kinds;

	while (*kind != NULL && strcmp((*kind)->name, settings->list) != 0)
		kind++;
	if (*kind == NULL)
		return refuse(work, settings->list, err);
	if ((*kind)->absent != NULL)
		return error_set(err, ERROR_SYSTEM, "%s is not in this build: %s", settings->list,
				 (*kind)->absent);
	*chosen = *kind;
	if (*kind == &list_nodes && list_nodes_of((uint32_t)settings->nr) != NULL)
		*chosen = list_nodes_of((uint32_t)settings->nr);
	return true;
}

/* Numbers that are no two alike and could be addresses; sums tell whether a walk met all. */
static void make_elements(struct arena *arena, struct heap *heap)
{
	size_t count = heap->lengths.longest, i;

	heap->elements = arena_alloc(arena, count, sizeof *heap->elements);
	heap->sums = arena_alloc(arena, count + 1, sizeof *heap->sums);
	for (i = 0; i < count; i++) {
		heap->elements[i] = (void *)((i * i + 1) * 8);
		heap->sums[i + 1] = heap->sums[i] + (uintptr_t)heap->elements[i];
	}
}

static uint64_t faults_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)(usage.ru_minflt + usage.ru_majflt);
}

static bool has_own_blocks(const struct heap *heap)
{
	return heap->kind->own_memory || heap->pool.memory == LIST_MEMORY_MALLOC;
}

/*
 * What all lists have in memory, without the handles, which are their users'. A library that keeps
 * what it is given back does not tell: then it is not reported.
 */
static uint64_t bytes_in_use(const struct heap *heap)
{
	struct mallinfo2 info;

	if (!has_own_blocks(heap))
		return heap->pool.used_bytes;
	info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

static void *list_at(const struct heap *heap, size_t index)
{
	return heap->handles + index * heap->kind->handle_bytes;
}

static bool build(struct heap *heap, struct error *err)
{
	size_t i;

	for (i = 0; i < heap->lengths.count; i++) {
		heap->kind->init(list_at(heap, i));
		if (!heap->kind->fill(list_at(heap, i), &heap->pool, heap->elements,
				      heap->lengths.lengths[i]))
			return error_set(err, ERROR_SYSTEM,
					 "there is no memory for so many lists: give fewer or "
					 "shorter ones");
	}
	return true;
}

static bool walk(struct heap *heap, struct error *err)
{
	size_t wrong = 0, i;
	uint64_t turn;

	for (turn = 0; turn < heap->walks; turn++)
		for (i = 0; i < heap->lengths.count; i++)
			wrong += heap->kind->sum(list_at(heap, i)) !=
				 heap->sums[heap->lengths.lengths[i]];
	return wrong == 0 || error_set(err, ERROR_SYSTEM,
				       "%zu walks over %s did not meet the elements that were put "
				       "in",
				       wrong, heap->kind->name);
}

static void give_back(struct heap *heap)
{
	size_t i;

	for (i = 0; has_own_blocks(heap) && i < heap->lengths.count; i++)
		heap->kind->release(list_at(heap, i), &heap->pool);
	list_pool_reset(&heap->pool);
}

static bool run_pass(struct heap *heap, struct pass *pass, struct error *err)
{
	uint64_t bytes = bytes_in_use(heap), faults = faults_so_far();
	int64_t start_ns = clock_ns();

	if (!build(heap, err))
		return false;
	pass->build_ns += clock_ns() - start_ns;
	pass->bytes = bytes_in_use(heap) - bytes;
	start_ns = clock_ns();
	if (!walk(heap, err))
		return false;
	pass->walk_ns += clock_ns() - start_ns;
	pass->faults = faults_so_far() - faults;
	give_back(heap);
	return true;
}

static void report_pass(struct work *work, const struct heap *heap, const struct pass *pass,
			uint64_t count)
{
	double elements = (double)count;

	report_value(work->report, "list", (double)(pass->build_ns + pass->walk_ns) / elements,
		     "ns", REPORT_LOWER);
	report_value(work->report, "build", (double)pass->build_ns / elements, "ns", REPORT_LOWER);
	if (heap->walks > 0)
		report_value(work->report, "walk",
			     (double)pass->walk_ns / elements / (double)heap->walks, "ns",
			     REPORT_LOWER);
	/* An allocator that does not count, such as a sanitizer's, says 0. */
	if (!heap->kind->own_memory && pass->bytes > 0)
		report_value(work->report, "list-bytes", (double)pass->bytes, "B", REPORT_LOWER);
	report_value(work->report, "list-faults", (double)pass->faults, "faults", REPORT_LOWER);
}

static bool run_passes(struct work *work, struct heap *heap, struct error *err)
{
	uint64_t each = heap->lengths.elements, count, i;
	struct batches batches;

	batches_init_multiple(&batches, work, each);
	while ((count = batches_next(&batches)) > 0) {
		struct pass pass = { 0 };

		for (i = 0; i < count / each; i++)
			if (!run_pass(heap, &pass, err))
				return false;
		if (batches_end(&batches, pass.build_ns + pass.walk_ns))
			report_pass(work, heap, &pass, count);
	}
	return true;
}

static bool run(struct work *work, const void *pointer, struct error *err)
{
	const struct ptrlist_settings *settings = pointer;
	struct heap heap = { .walks = settings->walks };
	char label[128];
	int cpus[2];
	bool ok;

	if (!choose(work, settings, &heap.kind, err) ||
	    !list_lengths_make(work->arena, settings->lengths, ELEMENT_LIMIT, &heap.lengths, err) ||
	    !placement_pair(PLACEMENT_ONE, cpus, label, sizeof label, err) ||
	    !placement_enter(cpus[0], err))
		return false;
	if (work->is_default)
		work->operations = DEFAULT_PASSES * heap.lengths.elements;
	make_elements(work->arena, &heap);
	heap.handles = arena_alloc(work->arena, heap.lengths.count, heap.kind->handle_bytes);
	list_pool_init(&heap.pool, settings->malloc ? LIST_MEMORY_MALLOC : LIST_MEMORY_ARENA,
		       (uint32_t)settings->nr);
	report_remark(work->report, "%s in %s: %zu lists with %llu elements a pass, on %s",
		      heap.kind->name,
		      settings->malloc || heap.kind->own_memory ? "malloc" : "an arena",
		      heap.lengths.count, (unsigned long long)heap.lengths.elements, label);
	ok = run_passes(work, &heap, err);
	list_pool_release(&heap.pool);
	return ok;
}

static const struct ptrlist_settings defaults = {
	.list = "nodes", .lengths = "front-end", .nr = 13, .walks = 1
};

static const struct option options[] = {
	{ .kind = OPTION_TEXT,
	  .name = "list",
	  .value = "NAME",
	  .help = "which variant (nodes); \"list\" shows them",
	  .offset = offsetof(struct ptrlist_settings, list) },
	{ .kind = OPTION_COUNT,
	  .name = "nr",
	  .value = "N",
	  .help = "pointers in a node (13)",
	  .offset = offsetof(struct ptrlist_settings, nr),
	  .minimum = LIST_NR_MINIMUM,
	  .maximum = LIST_NR_MAXIMUM },
	{ .kind = OPTION_TEXT,
	  .name = "lengths",
	  .value = "WHICH",
	  .help = "how long the lists are: those of a C front end (front-end), a number, or a file "
		  "(its name has a '/') with lines LENGTH LISTS",
	  .offset = offsetof(struct ptrlist_settings, lengths) },
	{ .kind = OPTION_COUNT,
	  .name = "walks",
	  .value = "K",
	  .help = "walks over each list after all are built (1)",
	  .offset = offsetof(struct ptrlist_settings, walks),
	  .maximum = 1000 },
	{ .kind = OPTION_FLAG,
	  .name = "malloc",
	  .help = "with malloc instead of an arena in fresh pages",
	  .offset = offsetof(struct ptrlist_settings, malloc) },
	WORK_OPTIONS(struct ptrlist_settings, work),
	OPTION_TABLE_END,
};

const struct workload workload_ptrlist = {
	.name = "ptrlist",
	.summary = "lists of pointers, built and walked",
	.operation = "an element, put into a list and met on each walk",
	.exercises = "page faults and the caches of data. Figures: list (ns an element, building "
		     "and all walks), build and walk (ns an element each), list-bytes (of all "
		     "lists of a pass, without the handles) and list-faults (page faults of a "
		     "pass)",
	.verified = "each walk must meet the elements that were put in",
	.examples = "# What nodes of 29 pointers cost over those of 13\n"
		    "$ worth 'workload:ptrlist --nr 13' 'workload:ptrlist --nr 29'\n"
		    "# The lists of your own program: a line LENGTH LISTS for each length\n"
		    "$ worth workload ptrlist --lengths ./lengths.txt\n",
	.options = options,
	.settings_size = sizeof(struct ptrlist_settings),
	.defaults = &defaults,
	.run = run,
};
