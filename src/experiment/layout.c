/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layouts as replication (Mytkowicz and others, ASPLOS 2009; Curtsinger and
 * Berger, ASPLOS 2013): the same sources, built so that functions lie
 * elsewhere. Compilers of the usual names stand first on the builds' PATH and
 * call the real ones with a few words more, so that no recipe needs a change.
 */
#include "experiment/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"

/*
 * Layout 0 is what is linked again later: a section for each function, and nothing else.
 * Compiling: a section for each function, and another alignment of them.
 * Linking besides: an object with 0 to 4,080 bytes of nothing in front, the
 * object files in another order, and with linkers that can (lld, mold) the
 * sections of functions too. A link is a call without -c, -S, -E and the like
 * that names an output or an input file.
 */
static const char wrapper[] =
    "#!/bin/sh\n"
    "# Made by worth: a compiler that places functions as WORTH_LAYOUT says.\n"
    "name=${0##*/}\n"
    "PATH=${PATH#\"$WORTH_LAYOUT_BIN\":}; export PATH\n"
    "real=$(command -v \"$name\") || { echo \"$name: not found\" >&2; exit 127; }\n"
    "n=$WORTH_LAYOUT\n"
    "align=$((16 << (n * 7 % 3)))\n"
    "linking=no inputs=no linker=\n"
    "for word; do\n"
    "\tcase $word in\n"
    "\t-c|-S|-E|-M|-MM|-fsyntax-only|-r|--version|-v|-dump*|-print*|--print*|-###|-V|--help)\n"
    "\t\tlinking=never ;;\n"
    "\t-fuse-ld=*) linker=${word#-fuse-ld=} ;;\n"
    "\t-) linking=never ;;\n"
    "\t-*) ;;\n"
    "\t*) inputs=yes ;;\n"
    "\tesac\n"
    "done\n"
    "[ $linking = no ] && [ $inputs = yes ] && linking=yes\n"
    "[ $n = 0 ] && exec \"$real\" \"$@\" -ffunction-sections\n"
    "[ $linking != yes ] && exec \"$real\" \"$@\" -ffunction-sections "
    "-falign-functions=$align\n"
    "pad=$(mktemp -d) || exit 1\n"
    "trap 'rm -rf \"$pad\"' EXIT\n"
    "printf '.text\\n.skip %d\\n.section .note.GNU-stack,\"\",%%progbits\\n' "
    "$((n * 2711 % 256 * 16)) > \"$pad/pad.s\"\n"
    "\"$real\" -c \"$pad/pad.s\" -o \"$pad/pad.o\" || exit 1\n"
    "# The places of object files stay where they are; who stands in them changes. What follows "
    "-o\n"
    "# is an output.\n"
    "count=0 last=\n"
    "for word; do\n"
    "\tcase $last:$word in\n"
    "\t-o:*) ;;\n"
    "\t*.o) count=$((count + 1)); eval \"object_$count=\\$word\" ;;\n"
    "\tesac\n"
    "\tlast=$word\n"
    "done\n"
    "order=$(awk -v n=\"$n\" -v count=\"$count\" 'BEGIN { srand(n); for (i = 1; i <= count; i++) "
    "p[i] = i; for (i = count; i > 1; i--) { j = 1 + int(rand() * i); t = p[i]; p[i] = p[j]; "
    "p[j] = t } for (i = 1; i <= count; i++) printf \"%d \", p[i] }')\n"
    "last=\n"
    "for word; do\n"
    "\tshift\n"
    "\twas=$word\n"
    "\tcase $last:$word in\n"
    "\t-o:*) ;;\n"
    "\t*.o) eval \"word=\\$object_${order%% *}\"; order=${order#* } ;;\n"
    "\tesac\n"
    "\tset -- \"$@\" \"$word\"\n"
    "\tlast=$was\n"
    "done\n"
    "case $linker in\n"
    "lld*|*/ld.lld) set -- \"$@\" \"-Wl,--shuffle-sections=.text*=$n\" ;;\n"
    "mold*) set -- \"$@\" \"-Wl,--shuffle-sections=$n\" ;;\n"
    "gold|bfd|'') [ $((n % 2)) = 0 ] && set -- \"$@\" -Wl,--sort-section=name ;;\n"
    "esac\n"
    "\"$real\" \"$pad/pad.o\" \"$@\" -ffunction-sections -falign-functions=$align\n";

static bool link_name(struct arena *arena, const char *directory, const char *name,
		      struct error *err)
{
	const char *path = arena_printf(arena, "%s/%s", directory, name);

	if (symlink("compiler", path) == 0 || errno == EEXIST)
		return true;
	return error_set(err, ERROR_SYSTEM, "cannot make %s: %s", path, strerror(errno));
}

bool layout_prepare(struct arena *arena, const char **bin, struct error *err)
{
	static const char *const names[] = { "cc", "gcc", "clang", "c++", "g++", "clang++" };
	static const char *const variables[] = { "CC", "CXX" };
	const char *path;
	char *cache;
	size_t i;

	if (!file_cache_directory(arena, &cache, err))
		return false;
	*bin = arena_printf(arena, "%s/layout-bin", cache);
	path = arena_printf(arena, "%s/compiler", *bin);
	if (!file_make_directory(*bin, 0700, err) ||
	    !file_write(path, wrapper, strlen(wrapper), err))
		return false;
	if (chmod(path, 0700) != 0)
		return error_set(err, ERROR_SYSTEM, "cannot make %s executable: %s", path,
				 strerror(errno));
	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (!link_name(arena, *bin, names[i], err))
			return false;
	for (i = 0; i < 2; i++) {
		const char *own = getenv(variables[i]);

		if (own != NULL && *own != '\0' && strpbrk(own, "/ ") == NULL &&
		    !link_name(arena, *bin, own, err))
			return false;
	}
	return true;
}

const char *const *layout_environment(struct arena *arena, const char *const *base, const char *bin,
				      size_t layout)
{
	const char *path = getenv("PATH");
	const char **environment;
	size_t count = 0, i;

	while (base != NULL && base[count] != NULL)
		count++;
	environment = arena_alloc(arena, count + 4, sizeof *environment);
	for (i = 0; i < count; i++) {
		environment[i] = base[i];
		if (strncmp(base[i], "PATH=", 5) == 0)
			path = base[i] + 5;
	}
	environment[count] = arena_printf(arena, "WORTH_LAYOUT=%zu", layout);
	environment[count + 1] = arena_printf(arena, "WORTH_LAYOUT_BIN=%s", bin);
	environment[count + 2] =
	    arena_printf(arena, "PATH=%s:%s", bin, path == NULL ? "/usr/bin:/bin" : path);
	return environment;
}

static bool check(const struct experiment *experiment, bool relinked, struct error *err)
{
	const char *option = relinked ? "--relink" : "--rebuild";
	size_t i;

	for (i = 0; i < experiment->variant_count; i++) {
		const struct variant *variant = &experiment->variants[i];

		if (variant->revision == NULL || variant->build == NULL)
			return error_set(err, ERROR_USAGE,
					 "%s: variant '%s' has no revision and build command, so "
					 "worth cannot build it in other layouts",
					 option, variant->name);
		if (relinked && variant->link == NULL)
			return error_set(err, ERROR_USAGE,
					 "--relink: variant '%s' does not say how it is linked: "
					 "link = rm -f prog && make prog, or --link with --rev",
					 variant->name);
	}
	for (i = 0; i < experiment->factor_count; i++)
		if (strcmp(experiment->factors[i].name, "layout") == 0)
			return error_set(err, ERROR_USAGE,
					 "%s:%u: under %s a factor cannot be called 'layout'",
					 experiment->path, experiment->factors[i].line, option);
	return true;
}

/* Every cell in every layout. */
static void multiply(struct arena *arena, struct experiment *experiment, const char **names,
		     size_t count)
{
	size_t factors = experiment->factor_count, i, j;
	struct experiment_cell *cells =
	    arena_alloc(arena, experiment->cell_count * count, sizeof *cells);

	for (i = 0; i < experiment->cell_count; i++)
		for (j = 0; j < count; j++) {
			const char **levels = arena_alloc(arena, factors, sizeof *levels);

			if (factors > 1)
				memcpy(levels, experiment->cells[i].levels,
				       (factors - 1) * sizeof *levels);
			levels[factors - 1] = names[j];
			cells[i * count + j].levels = levels;
		}
	experiment->cells = cells;
	experiment->cell_count *= count;
}

bool layout_add(struct arena *arena, struct experiment *experiment, size_t count, bool relinked,
		struct error *err)
{
	struct factor *factors;
	size_t old = experiment->factor_count, i;

	if (!check(experiment, relinked, err))
		return false;
	factors = arena_alloc(arena, old + 1, sizeof *factors);
	if (old > 0)
		memcpy(factors, experiment->factors, old * sizeof *factors);
	factors[old] = (struct factor){ .name = "layout" };
	for (i = 0; i < count; i++)
		*array_push(arena, factors[old].levels.items, factors[old].levels.count,
			    factors[old].levels.capacity) = arena_printf(arena, "%zu", i + 1);
	experiment->factors = factors;
	experiment->factor_count = old + 1;
	experiment->factor_capacity = old + 1;
	experiment->layouts = count;
	experiment->relinked = relinked;
	if (experiment->cell_count > 0)
		multiply(arena, experiment, factors[old].levels.items, count);
	for (i = 0; i < experiment->variant_count; i++)
		experiment->variants[i].layout_trees =
		    arena_alloc(arena, count, sizeof(const char *));
	return true;
}
