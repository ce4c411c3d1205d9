/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels from revisions: see tree.h. */
#include "commands/kernel/tree.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/words.h"
#include "experiment/build.h"
#include "experiment/repository.h"
#include "experiment/snapshot.h"

extern const char tiny_config[];

enum { CONFIG_BYTES = 1 << 20 };

static bool is_revision(const char *word)
{
	return strncmp(word, KERNEL_TREE, strlen(KERNEL_TREE)) == 0;
}

static bool is_directory(const char *word)
{
	struct stat status;

	return stat(word, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool holds_sources(struct arena *arena, const char *directory, struct error *err)
{
	if (access(arena_printf(arena, "%s/arch/x86/Makefile", directory), R_OK) == 0)
		return true;
	return error_set(err, ERROR_USAGE,
			 "%s is a directory, and not one of a kernel's sources: there is no "
			 "arch/x86/Makefile in it",
			 directory);
}

/* What a kernel is built with, and where Debian has it; a sentence for the first that lacks. */
static bool check_tools(struct arena *arena, struct error *err)
{
	static const char *const tools[][2] = { { "make", "make" }, { "gcc", "gcc" },
						{ "flex", "flex" }, { "bison", "bison" },
						{ "bc", "bc" },	    { "git", "git" } };
	char *path;
	size_t i;

	for (i = 0; i < sizeof tools / sizeof *tools; i++)
		if (!file_find_program(arena, tools[i][0], NULL, &path, NULL))
			return error_set(err, ERROR_SYSTEM,
					 "a kernel is built with %s, which is not on PATH: apt "
					 "install %s (and libelf-dev)",
					 tools[i][0], tools[i][1]);
	return true;
}

/* The configuration as a part of the recipe, so that another one is another build. */
static bool make_recipe(struct arena *arena, const char *config, char **recipe, struct error *err)
{
	bool tiny = strcmp(config, "tiny") == 0;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	char *ccache, *given = arena_strdup(arena, tiny_config);
	size_t length;

	if (!tiny && !file_read(arena, config, CONFIG_BYTES, &given, &length, err))
		return error_prefix(err, "--config");
	*recipe = arena_printf(
	    arena,
	    "cat >.worth.config <<'END OF CONFIGURATION'\n%s\nEND OF CONFIGURATION\n"
	    "%s && make -j%ld %s vmlinux%s",
	    given,
	    tiny ? "make allnoconfig KCONFIG_ALLCONFIG=.worth.config"
		 : "cp .worth.config .config && make olddefconfig",
	    processors < 1 ? 1 : processors,
	    file_find_program(arena, "ccache", NULL, &ccache, NULL) ? "CC='ccache gcc'" : "",
	    tiny ? "" : " bzImage");
	return true;
}

/* What is told by a name alone: two builds of one revision differ in nothing. */
static const char *const environment[] = { "KBUILD_BUILD_TIMESTAMP=2020-01-01",
					   "KBUILD_BUILD_USER=worth", "KBUILD_BUILD_HOST=worth",
					   NULL };

static bool name_revision(struct arena *arena, const char *word, struct build *build,
			  struct error *err)
{
	const char *rest = word + strlen(KERNEL_TREE), *at = strrchr(rest, '@');
	const char *directory = at == NULL ? "." : arena_strndup(arena, rest, (size_t)(at - rest));
	char *top;

	if (*rest == '\0' || (at != NULL && (at == rest || at[1] == '\0')))
		return error_set(err, ERROR_USAGE,
				 "%s: write git:REVISION, or git:DIRECTORY@REVISION", word);
	if (!repository_find(arena, directory, &top, err))
		return error_prefix(err, "%s", word);
	build->repository = top;
	build->revision = at == NULL ? rest : at + 1;
	return true;
}

/* What a build leaves among the sources. */
static const char *const products[] = { "*.o",
					"*.a",
					"*.ko",
					"*.mod",
					"*.mod.c",
					"*.cmd",
					"*.order",
					"*.dwo",
					".tmp_*",
					"bzImage",
					"/vmlinux",
					"/System.map",
					"/Module.symvers",
					"/.config*",
					"/include/config",
					"/include/generated",
					"/arch/*/include/generated",
					NULL };

static bool name_directory(struct measuring *measuring, const char *word, struct build *build,
			   struct error *err)
{
	struct arena *arena = measuring->arena;
	struct snapshot snapshot;

	if (!measuring->quiet)
		fprintf(stderr, "worth: reading the sources in %s\n", word);
	if (!snapshot_make(arena, word, products, measuring->interrupt.fd, &snapshot, err))
		return false;
	build->repository = snapshot.repository;
	build->revision = snapshot.commit;
	return true;
}

static bool make_build(struct measuring *measuring, const char *word, const char *recipe,
		       struct build *build, struct error *err)
{
	*build = (struct build){ .name = word, .recipe = recipe, .environment = environment };
	return is_revision(word) ? name_revision(measuring->arena, word, build, err)
				 : name_directory(measuring, word, build, err);
}

static void told(void *context, const struct build *build)
{
	const bool *quiet = context;

	if (build->state == BUILD_RUNNING && !*quiet)
		fprintf(stderr, "worth: building the kernel %s (%.12s), which takes minutes\n",
			build->name, build->commit);
}

/* The file that QEMU boots: vmlinux itself if it can be entered by PVH, else the bzImage. */
static const char *image_of(struct arena *arena, const struct build *build)
{
	const char *packed = arena_printf(arena, "%s/arch/x86/boot/bzImage", build->tree);

	return access(packed, R_OK) == 0 ? packed : arena_printf(arena, "%s/vmlinux", build->tree);
}

static bool build_all(struct measuring *measuring, struct build *builds, size_t count,
		      struct error *err)
{
	struct build_events events = { .context = &measuring->quiet, .told = told };
	size_t i;

	if (!builds_make(measuring->arena, builds, count, 1, measuring->interrupt.fd, &events, err))
		return false;
	for (i = 0; i < count; i++)
		if (builds[i].state == BUILD_FAILED) {
			*err = builds[i].trouble;
			return false;
		}
	return true;
}

bool kernel_trees_build(struct measuring *measuring, const struct operands *operands,
			const char *config, const char **paths, struct error *err)
{
	struct arena *arena = measuring->arena;
	struct build *builds = arena_alloc(arena, operands->count, sizeof *builds);
	size_t *owners = arena_alloc(arena, operands->count, sizeof *owners);
	size_t count = 0, i;
	char *recipe = NULL;

	for (i = 0; i < operands->count; i++) {
		if (!is_revision(operands->items[i]) && !is_directory(operands->items[i]))
			continue;
		if (!is_revision(operands->items[i]) &&
		    !holds_sources(arena, operands->items[i], err))
			return false;
		if (config == NULL)
			return error_set(err, ERROR_USAGE,
					 "%s: with which configuration? --config tiny for the "
					 "smallest that boots, or --config FILE",
					 operands->items[i]);
		if ((recipe == NULL &&
		     (!check_tools(arena, err) || !make_recipe(arena, config, &recipe, err))) ||
		    !make_build(measuring, operands->items[i], recipe, &builds[count], err))
			return false;
		owners[count++] = i;
	}
	if (config != NULL && count == 0)
		return error_set(
		    err, ERROR_USAGE,
		    "--config is for kernels that are built: git:REVISION, or a directory "
		    "of sources");
	if (count > 0 && !build_all(measuring, builds, count, err))
		return false;
	for (i = 0; i < count; i++)
		paths[owners[i]] = image_of(arena, &builds[i]);
	return true;
}
