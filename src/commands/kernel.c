/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worth kernel BASELINE CANDIDATE...: kernels booted in QEMU in random order, a
 * boot being one run of the plan. From the plan on it is what worth compare
 * does, with boots for children (boot/runner_boot.h).
 */
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "boot/canary.h"
#include "boot/debian.h"
#include "boot/qemu.h"
#include "boot/runner_boot.h"
#include "commands/commands.h"
#include "commands/compare/plan.h"
#include "commands/fingerprint.h"
#include "commands/judged.h"
#include "commands/kernel/tree.h"
#include "commands/kernel/where.h"
#include "commands/kernel/works.h"
#include "commands/load_program.h"
#include "commands/measured.h"
#include "commands/opened.h"
#include "commands/sized.h"

enum { KERNEL_ROUNDS = 6, KERNELS_MAXIMUM = 16, MEMORY_MIB = 256 };

#define DEBIAN "deb:"
#define BOOT_TIMEOUT_NS INT64_C(120000000000)

/* Half the usual one: figures that hardly spread can say so. */
#define MARGIN_RATIO 0.005

static const char *const modes[] = { "instructions", "time", NULL };

struct kernel_settings {
	struct plan_settings plan;
	struct option_texts works, commands, added;
	int mode; /* enum boot_mode */
	uint64_t memory_mib;
	const char *append, *qemu;
	bool dry_run, where;
	int require;
	struct sheet_settings sheet;
	bool quiet, save;
	const char *store;
	const char *config;
	struct output_settings output;
};

#define AT(field) offsetof(struct kernel_settings, field)

static const struct option options[] = {
	{ .kind = OPTION_GROUP, .help = "What is compared" },
	{ OPTION_TEXTS, "name", 'n', "NAME", "name of a kernel in the report, in their order",
	  AT(plan.names) },
	{ OPTION_TEXT, "config", 0, "FILE",
	  "of kernels that are built (git:REVISION, DIRECTORY): tiny, the smallest that boots, or "
	  "a file",
	  AT(config), .completes = COMPLETES_FILE },
	{ OPTION_TEXTS, "work", 'w', "NAME",
	  "a workload in each boot: getppid, path-walk, pipe, fork, fault (these five by default), "
	  "pipe-threads, switch, lstat, stat, read, open-close, files, or all",
	  AT(works) },
	{ OPTION_TEXTS, "run", 0, "CMD",
	  "a command of your own in each boot; its figures are what it writes to WORTH_FD",
	  AT(commands), .completes = COMPLETES_COMMAND },
	{ OPTION_TEXTS, "add", 0, "FILE",
	  "put a file or directory into the root of the guest (static programs: there is no "
	  "library)",
	  AT(added), .completes = COMPLETES_FILE },

	{ .kind = OPTION_GROUP, .help = "How much is measured" },
	{ OPTION_COUNT, "rounds", 'r', "N", "boots of each kernel (default 6)", AT(plan.rounds), 1,
	  100000 },
	{ OPTION_DURATION, "budget", 'b', "TIME", "stop after that time (default 30min)",
	  AT(plan.budget_ns) },
	{ OPTION_DURATION, "timeout", 't', "TIME", "give a boot up after that time (default 2min)",
	  AT(plan.timeout_ns) },

	{ .kind = OPTION_GROUP, .help = "How it is booted" },
	{ OPTION_CHOICE, "mode", 0, "MODE",
	  "count instructions (the default), or take time, which needs KVM", AT(mode),
	  .choices = modes },
	{ OPTION_COUNT, "memory", 0, "MIB", "of the guest, in MiB (default 256)", AT(memory_mib),
	  64, 1000000 },
	{ OPTION_TEXT, "append", 0, "WORDS", "more words for the kernels' command line",
	  AT(append) },
	{ OPTION_TEXT, "qemu", 0, "FILE", "the emulator (default qemu-system-x86_64 on PATH)",
	  AT(qemu), .completes = COMPLETES_FILE },
	{ OPTION_NO_FLAG, "no-perturb", 0, NULL,
	  "do not vary from boot to boot what must not matter (memory, addresses, seeds)",
	  AT(plan.environment_padding) },
	{ OPTION_TEXT, "seed", 0, "N", "of the random order and of what varies (default: drawn)",
	  AT(plan.seed) },
	{ OPTION_FLAG, "ignore-failure", 0, NULL,
	  "count boots that fail instead of stopping at the first", AT(plan.ignore_failure) },
	{ OPTION_FLAG, "dry-run", 0, NULL, "print QEMU's command line, boot nothing", AT(dry_run) },

	{ .kind = OPTION_GROUP, .help = "How it is judged" },
	{ OPTION_TEXTS, "margin", 'm', "[METRIC=]X%",
	  "differences below it do not matter (default 0.5%)", AT(plan.margins) },
	{ OPTION_NUMBER, "confidence", 0, "C", "of the intervals (default 0.95)",
	  AT(plan.confidence), 0.5, 1 },
	{ OPTION_TEXT, "primary", 0, "METRIC",
	  "the one metric that decides (default: all that are shown, at their joint confidence)",
	  AT(plan.primary), .completes = COMPLETES_METRIC },
	{ OPTION_CHOICE, "require", 0, "CLAIM",
	  "demand proof: exit 0 if shown, 1 if refuted, 3 if undecided", AT(require),
	  .choices = gate_requirements },

	{ .kind = OPTION_GROUP, .help = "What is told and kept" },
	{ OPTION_FLAG, "where", 0, NULL,
	  "boot each kernel once more and tell which of its functions execute more or fewer "
	  "instructions",
	  AT(where) },
	{ OPTION_FLAG, "show-output", 0, NULL, "show what the kernels print, on stderr",
	  AT(plan.show_output) },
	{ OPTION_FLAG, "all", 'a', NULL, "show every metric that was measured", AT(sheet.all) },
	{ OPTION_FLAG, "redact", 0, NULL, "leave out host name and paths", AT(sheet.redact) },
	{ OPTION_FLAG, "quiet", 'q', NULL, "no progress line", AT(quiet) },
	{ OPTION_NO_FLAG, "no-save", 0, NULL, "keep nothing in the history", AT(save) },
	STORE_OPTION(struct kernel_settings, store),
	OUTPUT_OPTIONS(struct kernel_settings, output),
	OPTION_TABLE_END,
};

/* What is open while the kernels are booted. */
struct kernels {
	struct kernel_image images[KERNELS_MAXIMUM];
	size_t count;
};

/* The file that a word of the user means. */
static bool find_kernel(struct measuring *measuring, const char *word, const char **path,
			struct error *err)
{
	struct debian_kernel package;

	*path = word;
	if (strncmp(word, DEBIAN, strlen(DEBIAN)) != 0)
		return true;
	if (!debian_kernel_fetch(measuring->arena, measuring->spawner, measuring->interrupt.fd,
				 word + strlen(DEBIAN), &package, err))
		return false;
	*path = package.image;
	return true;
}

static bool open_kernels(struct measuring *measuring, const struct operands *operands,
			 const char *config, struct kernels *kernels, struct error *err)
{
	const char *built[KERNELS_MAXIMUM] = { NULL };

	if (!kernel_trees_build(measuring, operands, config, built, err))
		return false;
	for (; kernels->count < operands->count; kernels->count++) {
		const char *path = built[kernels->count];

		if ((path == NULL &&
		     !find_kernel(measuring, operands->items[kernels->count], &path, err)) ||
		    !kernel_image_open(measuring->arena, measuring->spawner, path,
				       measuring->interrupt.fd, &kernels->images[kernels->count],
				       err))
			return false;
	}
	return true;
}

static void close_kernels(struct kernels *kernels)
{
	while (kernels->count > 0)
		kernel_image_close(&kernels->images[--kernels->count]);
}

/* The user's word for a kernel, unless two are the same: then what they are. */
static const char *make_label(struct arena *arena, const struct kernel_settings *settings,
			      const struct operands *operands, size_t index)
{
	const char *word = operands->items[index];
	size_t earlier = 0, i;

	if (index < settings->plan.names.count)
		return settings->plan.names.items[index];
	for (i = 0; i < index; i++)
		earlier += strcmp(operands->items[i], word) == 0;
	return earlier == 0 ? word : arena_printf(arena, "%s (%zu)", word, earlier + 1);
}

static void make_subject(struct arena *arena, const struct kernel_settings *settings,
			 const struct operands *operands, const struct boot_settings *boot,
			 size_t index, struct subject *subject)
{
	struct qemu qemu = { .program = boot->qemu,
			     .mode = boot->mode,
			     .kernel_path = boot->kernels[index].path,
			     .initramfs_path = "INITRAMFS",
			     .memory_mib = boot->memory_mib,
			     .report_fd = 8,
			     .seed = 1,
			     .fixed_layout = !settings->plan.environment_padding,
			     .append = boot->append };

	subject->label = make_label(arena, settings, operands, index);
	subject->command = operands->items[index];
	subject->argv = qemu_argv(arena, &qemu);
	while (subject->argv[subject->argc] != NULL)
		subject->argc++;
	/* The sizes of the report are those of the kernel proper. */
	subject->binary_path = boot->kernels[index].elf_path;
	subject->build_id = fingerprint_make(arena, boot->kernels[index].path);
}

static bool has_general_margin(const struct option_texts *margins)
{
	size_t i;

	for (i = 0; i < margins->count; i++)
		if (strchr(margins->items[i], '=') == NULL)
			return true;
	return false;
}

/* Metrics that have a margin of their own unless the user gave one. Where the kernel happens to lie
 * in memory moves what is left by up to 1 MiB; and sizes are exact, so that without a margin a
 * single byte would decide. */
static const struct metric_margin own_margins[] = {
	{ "kernel memory", 0.05 },
	{ "text", MARGIN_RATIO },
	{ "data", MARGIN_RATIO },
};
enum { WITHOUT_SIZES = 1, OWN_MARGINS = sizeof own_margins / sizeof *own_margins };

static void add_own_margins(struct arena *arena, struct plan *plan)
{
	size_t own = sized_applies(plan) ? OWN_MARGINS : WITHOUT_SIZES;
	struct metric_margin *margins =
	    arena_alloc(arena, plan->margin_count + own, sizeof *margins);
	size_t count = plan->margin_count, i;
	bool given;

	if (count > 0)
		memcpy(margins, plan->margins, count * sizeof *margins);
	for (i = 0; i < own; i++) {
		plan_margin(plan, own_margins[i].metric, &given);
		if (!given)
			margins[count++] = own_margins[i];
	}
	plan->margins = margins;
	plan->margin_count = count;
}

static bool make_plan(struct arena *arena, const struct kernel_settings *settings,
		      const struct operands *operands, const struct boot_settings *boot,
		      struct plan *plan, struct error *err)
{
	size_t i;

	if (!plan_apply(arena, &settings->plan, plan, err))
		return false;
	plan->all_decide = plan->primary == NULL;
	if (!has_general_margin(&settings->plan.margins))
		plan->margin_ratio = MARGIN_RATIO;
	plan->subject_count = operands->count;
	plan->subjects = arena_alloc(arena, operands->count, sizeof *plan->subjects);
	for (i = 0; i < operands->count; i++)
		make_subject(arena, settings, operands, boot, i, &plan->subjects[i]);
	add_own_margins(arena, plan);
	return true;
}

static void remark_mode(struct arena *arena, struct recording *recording,
			const struct boot_settings *boot)
{
	if (boot->mode == BOOT_INSTRUCTIONS)
		recording_remark(
		    arena, recording,
		    "mode: executed instructions, of kernel and program, of one emulated "
		    "processor. "
		    "It does not see what instructions cost: caches, TLB, branches, locks between "
		    "processors; timer interrupts are included");
	else
		recording_remark(arena, recording,
				 "mode: time in guests of one processor under KVM. It does not see "
				 "locks between processors; what else the host does is in it");
	if (!recording->plan.environment_padding)
		recording_remark(
		    arena, recording,
		    "nothing was varied from boot to boot: that figures repeat does not mean that "
		    "they are certain");
}

static bool check_operands(const struct kernel_settings *settings, const struct operands *operands,
			   struct error *err)
{
	if (operands->has_rest)
		return error_set(
		    err, ERROR_USAGE,
		    "there is nothing after -- here: --run says what is run in a guest");
	if (operands->count < 1 || operands->count > KERNELS_MAXIMUM)
		return error_set(err, ERROR_USAGE,
				 "give the kernels to compare, 1 to %d: worth kernel BASELINE "
				 "CANDIDATE",
				 KERNELS_MAXIMUM);
	if (settings->where && settings->mode != BOOT_INSTRUCTIONS)
		return error_set(err, ERROR_USAGE,
				 "--where counts instructions: leave --mode time out");
	if (settings->plan.names.count > operands->count)
		return error_set(err, ERROR_USAGE, "there are more names than kernels");
	return true;
}

static bool make_boot(struct arena *arena, const struct kernel_settings *settings,
		      struct boot_settings *boot, struct error *err)
{
	char *program, *load;

	*boot = (struct boot_settings){
		.mode = (enum boot_mode)settings->mode,
		.memory_mib = (unsigned)settings->memory_mib,
		.append = settings->append,
		.added = (const char *const *)settings->added.items,
		.added_count = settings->added.count,
		.show = settings->plan.show_output,
	};
	if (!qemu_find(arena, settings->qemu, &program, err) ||
	    !load_program_find(arena, &load, err) ||
	    !kernel_works_make(arena, &settings->works, &settings->commands, boot, err))
		return false;
	boot->qemu = program;
	boot->load_program = load;
	return true;
}

static int dry_run(struct arena *arena, const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->subject_count; i++)
		printf("%s\n", words_join(arena, plan->subjects[i].argv, plan->subjects[i].argc));
	return EXIT_NOT_WORSE;
}

static bool count_by_function(struct measuring *measuring, struct recording *recording,
			      struct error *err)
{
	return kernel_where(measuring, measuring->context, recording, err);
}

static int boot_and_judge(struct measuring *measuring, const struct kernel_settings *settings,
			  const struct operands *operands, struct kernels *kernels,
			  struct error *err)
{
	struct judged_settings judged = { .sheet = &settings->sheet,
					  .output = &settings->output,
					  .require = (enum requirement)settings->require };
	struct recording recording = { .origin = "measured", .order_known = true };
	struct boot_settings boot;
	struct runner runner;
	bool good;

	if (!make_boot(measuring->arena, settings, &boot, err) ||
	    !open_kernels(measuring, operands, settings->config, kernels, err))
		return command_trouble(err);
	boot.kernels = kernels->images;
	if (!make_plan(measuring->arena, settings, operands, &boot, &recording.plan, err))
		return command_trouble(err);
	if (settings->dry_run)
		return dry_run(measuring->arena, &recording.plan);
	if (boot.mode == BOOT_TIME &&
	    !canary_boot(measuring->arena, measuring->spawner, measuring->interrupt.fd, &boot, err))
		return command_trouble(err);
	if (settings->save) {
		measuring->history = opened_history(settings->store, true, err);
		if (measuring->history == NULL)
			return command_trouble(err);
	}
	remark_mode(measuring->arena, &recording, &boot);
	runner = runner_boot(measuring->spawner, measuring->interrupt.fd, &boot);
	measuring->runner = &runner;
	if (settings->where) {
		measuring->after_rounds = count_by_function;
		measuring->context = &boot;
	}
	good = measured_run(measuring, &recording, false, err);
	return judged_finish(measuring, &judged, &recording, &recording, good, err);
}

static int run_settings(struct program *program, struct arena *arena,
			const struct kernel_settings *settings, const struct operands *operands,
			int argc, char **argv, struct error *err)
{
	struct measuring measuring = {
		.arena = arena,
		.spawner = program->spawner,
		.title = opened_title(arena, argv, (size_t)argc),
		.quiet = settings->quiet,
		.interrupt = { -1 },
	};
	struct kernels kernels = { .count = 0 };
	int status, signal_taken;

	if (!check_operands(settings, operands, err) || !output_check(&settings->output, err) ||
	    !interrupt_open(&measuring.interrupt, err))
		return command_trouble(err);
	status = boot_and_judge(&measuring, settings, operands, &kernels, err);
	signal_taken = interrupt_taken(&measuring.interrupt);
	close_kernels(&kernels);
	history_close(measuring.history);
	interrupt_close(&measuring.interrupt);
	return signal_taken != 0 ? EXIT_SIGNAL + signal_taken : status;
}

static void plan_defaults(struct plan_settings *plan)
{
	plan_settings_init(plan);
	plan->rounds = KERNEL_ROUNDS;
	plan->warmup = 0;
	plan->budget_ns = INT64_C(1800000000000);
	plan->timeout_ns = BOOT_TIMEOUT_NS;
	plan->no_peek = true;
	plan->primary = NULL;
}

static int run(struct program *program, int argc, char **argv)
{
	struct arena *arena = arena_open();
	struct kernel_settings settings = { .save = true, .memory_mib = MEMORY_MIB };
	struct operands operands;
	struct error err = { 0 };
	int status;

	plan_defaults(&settings.plan);
	output_settings_init(&settings.output);
	if (command_begins(arena, &command_kernel, argc, argv, &settings, &operands, &status))
		status = run_settings(program, arena, &settings, &operands, argc, argv, &err);
	arena_close(arena);
	return status;
}

static const char *const synopsis[] = {
	"kernel [OPTION...] BASELINE CANDIDATE...",
	"kernel [OPTION...] KERNEL",
	NULL,
};

const struct command command_kernel = {
	.name = "kernel",
	.summary = "boot kernels in QEMU, run workloads, judge what differs",
	.synopsis = synopsis,
	.description =
	    "Boots two or more Linux kernels for x86-64 in QEMU, in fresh random order, runs "
	    "workloads in each, and says of each workload whether the candidate needs fewer or "
	    "more instructions an operation, with an interval. A boot is one run; what is done "
	    "within it repeats, and is summarized to one figure. Neither root nor KVM is needed.\n"
	    "\n"
	    "A kernel is a file: a bzImage (such as /boot/vmlinuz-*), a vmlinux that has an entry "
	    "for PVH, or one of these packed by gzip, xz, zstd, bzip2 or lz4. deb:PACKAGE is the "
	    "kernel of a Debian package, NAME or NAME=VERSION as apt knows it, or the path of a "
	    ".deb file: it is downloaded and unpacked once, not installed. git:REVISION is built "
	    "with --config from the repository here (git:DIRECTORY@REVISION: from that one), and a "
	    "directory of sources as it is now, both in a tree of worth's own, once for each "
	    "content and configuration.\n"
	    "\n"
	    "Instructions are counted exactly, and do not depend on the load of this machine. So "
	    "that figures that merely repeat are not taken for certain ones, each boot differs in "
	    "what must not matter: memory, length of the initramfs, addresses, randomness. What "
	    "instructions cost (caches, TLB, branches, locks between processors) is not seen.\n"
	    "\n"
	    "Exit status: as of worth compare.",
	.examples = "# what an update costs\n"
		    "$ worth kernel deb:linux-image-6.1.0-47-cloud-amd64 \\\n"
		    "               deb:linux-image-6.1.0-57-cloud-amd64\n"
		    "# one's own build against the running one, for two workloads\n"
		    "$ worth kernel -w pipe -w fork /boot/vmlinuz-$(uname -r) "
		    "arch/x86/boot/bzImage\n"
		    "# what a patch costs, in the smallest kernel that boots, and where\n"
		    "$ worth kernel --config tiny --where git:HEAD~1 git:HEAD\n"
		    "# a program of one's own, linked statically\n"
		    "$ worth kernel --add ./bench --run '/bench --short' old/vmlinux new/vmlinux\n",
	.operands = COMPLETES_FILE,
	.options = options,
	.settings_size = sizeof(struct kernel_settings),
	.measures = true,
	.run = run,
};
