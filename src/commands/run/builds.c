/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variants from revisions: what is built, what the user is told meanwhile. */
#include "commands/run/builds.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "experiment/build.h"
#include "experiment/layout.h"
#include "experiment/repository.h"

/* The directory that a relative path in the file starts from: the file's own. */
static char *file_directory(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return arena_strdup(arena, ".");
	return slash == path ? arena_strdup(arena, "/")
			     : arena_strndup(arena, path, (size_t)(slash - path));
}

static const char *repository_directory(struct arena *arena, const struct experiment *experiment,
					const struct variant *variant)
{
	const char *start = file_directory(arena, experiment->path);

	if (variant->repository == NULL)
		return start;
	return variant->repository[0] == '/'
		   ? variant->repository
		   : arena_printf(arena, "%s/%s", start, variant->repository);
}

/* What is in no commit is in no build: that is said, since it surprises. */
static void warn_of_changes(struct arena *arena, const char *top)
{
	bool dirty = false;

	if (repository_is_dirty(arena, top, &dirty, NULL) && dirty)
		fprintf(stderr,
			"worth: %s has changes that are in no commit; revisions are built without "
			"them\n",
			text_clean(arena, top, strlen(top)));
}

static void told(void *context, const struct build *build)
{
	const struct run_builds *settings = context;

	if (build->state == BUILD_FAILED)
		fprintf(stderr, "worth: %s\n", build->trouble.sentence);
	else if (build->state == BUILD_RUNNING && !settings->quiet)
		fprintf(stderr, "worth: building '%s' (%.12s)\n", build->name, build->commit);
}

static const char **environment_of(struct arena *arena, const struct variant *variant)
{
	const char **environment =
	    arena_alloc(arena, variant->environment.count + 1, sizeof *environment);
	size_t i;

	for (i = 0; i < variant->environment.count; i++)
		environment[i] = variant->environment.items[i];
	return environment;
}

/* What a layout is made from, and how: the whole recipe again, or a copy of what was built (times
 * kept, so that make links and no more) and the link. */
static const char *recipe_of(struct arena *arena, const struct experiment *experiment,
			     const struct variant *variant)
{
	if (!experiment->relinked || variant->tree == NULL)
		return variant->build;
	return arena_printf(arena, "cp -a %s/. . && %s", words_quote(arena, variant->tree),
			    variant->link);
}

/* One, or one for each layout. bin: where the compilers of layouts are. */
static void add_builds(struct arena *arena, const struct experiment *experiment,
		       struct variant *variant, const char *top, const char *bin, size_t layouts,
		       struct build *builds, struct variant **owners, size_t *count)
{
	const char *const *environment = environment_of(arena, variant);
	size_t i;

	for (i = 0; i < (layouts > 0 ? layouts : 1); i++) {
		owners[*count] = variant;
		builds[(*count)++] = (struct build){
			.name = layouts == 0
				    ? variant->name
				    : arena_printf(arena, "%s layout=%zu", variant->name, i + 1),
			.repository = top,
			.revision = variant->revision,
			.recipe = recipe_of(arena, experiment, variant),
			.environment = bin == NULL ? environment
						   : layout_environment(arena, environment, bin,
									layouts == 0 ? 0 : i + 1),
		};
	}
}

/* The builds of all variants that have a revision; owners tells whose each is. */
static bool gather(struct arena *arena, struct experiment *experiment, struct run_builds *settings,
		   size_t layouts, struct build *builds, struct variant **owners, size_t *count,
		   struct error *err)
{
	const char *last = NULL, *bin = NULL;
	size_t i;

	*count = 0;
	if (experiment->layouts > 0 && !layout_prepare(arena, &bin, err))
		return false;
	for (i = 0; i < experiment->variant_count; i++) {
		struct variant *variant = &experiment->variants[i];
		char *top;

		if (variant->revision == NULL || variant->missing)
			continue;
		if (!repository_find(arena, repository_directory(arena, experiment, variant), &top,
				     err))
			return error_prefix(err, "variant '%s'", variant->name);
		if (!settings->changes_told && (last == NULL || strcmp(last, top) != 0))
			warn_of_changes(arena, top);
		last = top;
		add_builds(arena, experiment, variant, top, bin, layouts, builds, owners, count);
	}
	settings->changes_told = true;
	return true;
}

/* One step: builds of all variants, or of all layouts of all. */
static bool make_all(struct arena *arena, struct experiment *experiment,
		     struct run_builds *settings, size_t layouts, size_t *missing,
		     struct error *err)
{
	size_t most = experiment->variant_count * (layouts > 0 ? layouts : 1);
	struct build *builds = arena_alloc(arena, most, sizeof *builds);
	struct variant **owners = arena_alloc(arena, most, sizeof *owners);
	struct build_events events = { .context = settings, .told = told };
	size_t count, i;

	if (!gather(arena, experiment, settings, layouts, builds, owners, &count, err))
		return false;
	if (count > 0 && !builds_make(arena, builds, count, settings->jobs, settings->interrupt_fd,
				      &events, err))
		return false;
	for (i = 0; i < count; i++) {
		owners[i]->tree = builds[i].tree;
		owners[i]->commit = builds[i].commit;
		if (layouts > 0)
			owners[i]->layout_trees[i % layouts] = builds[i].tree;
		*missing += builds[i].state == BUILD_FAILED && !owners[i]->missing;
		owners[i]->missing = owners[i]->missing || builds[i].state == BUILD_FAILED;
	}
	if (count > 0 && experiment->variants[0].missing)
		return error_set(err, ERROR_COMMAND,
				 "the baseline '%s' could not be had: there is nothing to compare "
				 "with",
				 experiment->variants[0].name);
	return true;
}

bool run_builds_make(struct arena *arena, struct experiment *experiment,
		     struct run_builds *settings, size_t *missing, struct error *err)
{
	*missing = 0;
	/* What is linked again is built first, once. */
	if (experiment->relinked && !make_all(arena, experiment, settings, 0, missing, err))
		return false;
	return make_all(arena, experiment, settings, experiment->layouts, missing, err);
}
