/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening files of machine code. A plain ELF file is given to libelf by its
 * descriptor, so that only what is looked at is read: 100 MB of DWARF cost
 * nothing where only symbols are asked for, and a file that shrinks meanwhile
 * is an error and no SIGBUS. Archives are walked here, because libelf knows no
 * thin ones and hides how their bytes are spent; a member is read whole.
 *
 * The format of archives: ar(5), and for thin ones bfd/archive.c of binutils.
 */
#include "binary/elf/file.h"

#include <ar.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "binary/elf/check.h"

static const char thin_magic[] = "!<thin>\n";
enum { MAGIC_BYTES = 8 };

struct elf_file {
	struct arena *arena;
	const char *path;
	int fd;
	uint64_t size;
	bool archive, thin;
	uint64_t position; /* of the next member's header */
	char *long_names;  /* the member "//", NUL at its end */
	uint64_t long_bytes;
	uint64_t header_bytes; /* seen so far */
	uint64_t index_bytes;
	bool given;	/* the one object of a plain file was handed out */
	Elf *elf;	/* of the current object */
	char *bytes;	/* of the current member */
	uint64_t count; /* of the current member */
};

static bool read_file(void *context, uint64_t offset, void *bytes, size_t length)
{
	const struct elf_file *file = context;

	return elf_read_file(file->fd, offset, bytes, length);
}

static bool read_member(void *context, uint64_t offset, void *bytes, size_t length)
{
	const struct elf_file *file = context;

	if (offset > file->count || length > file->count - offset)
		return false;
	memcpy(bytes, file->bytes + offset, length);
	return true;
}

static const char *clean_path(const struct elf_file *file)
{
	return text_clean(file->arena, file->path, strlen(file->path));
}

static bool open_regular(struct elf_file *file, struct error *err)
{
	struct stat status;

	/* Opening a FIFO without a writer must not wait for one. */
	file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file->fd < 0 || fstat(file->fd, &status) != 0)
		return error_set(err, errno == ENOENT ? ERROR_USAGE : ERROR_SYSTEM,
				 "cannot open %s: %s", clean_path(file), strerror(errno));
	if (S_ISDIR(status.st_mode))
		return error_set(err, ERROR_USAGE,
				 "%s is a directory; name a program, a library or an object file "
				 "in it",
				 clean_path(file));
	if (!S_ISREG(status.st_mode))
		return error_set(err, ERROR_USAGE,
				 "%s is not a regular file; copy what comes from it into a file "
				 "first",
				 clean_path(file));
	file->size = (uint64_t)status.st_size;
	if (file->size == 0)
		return error_set(err, ERROR_INPUT, "%s is empty", clean_path(file));
	return true;
}

/* What the first bytes say that is not ELF. */
static const char *guess(const unsigned char *magic, size_t length)
{
	if (length >= 4 &&
	    (memcmp(magic, "BC\xC0\xDE", 4) == 0 || memcmp(magic, "\xDE\xC0\x17\x0B", 4) == 0))
		return "LLVM bitcode";
	if (length >= 2 && memcmp(magic, "\x1f\x8b", 2) == 0)
		return "gzip";
	if (length >= 4 && memcmp(magic, "\x28\xb5\x2f\xfd", 4) == 0)
		return "zstd";
	if (length >= 6 && memcmp(magic,
				  "\xfd"
				  "7zXZ",
				  5) == 0)
		return "xz";
	if (length >= 2 && memcmp(magic, "#!", 2) == 0)
		return "a script";
	if (length >= 2 && memcmp(magic, "MZ", 2) == 0)
		return "a PE executable";
	if (length >= 4 && (memcmp(magic, "\xcf\xfa\xed\xfe", 4) == 0 ||
			    memcmp(magic, "\xce\xfa\xed\xfe", 4) == 0))
		return "a Mach-O file";
	if (length >= 4 && memcmp(magic, "\0asm", 4) == 0)
		return "WebAssembly";
	return NULL;
}

static bool refuse(const struct elf_file *file, const char *what, struct error *err)
{
	if (what != NULL && strcmp(what, "LLVM bitcode") == 0)
		return error_set(err, ERROR_INPUT,
				 "%s is LLVM bitcode of an LTO build: it has no machine code yet; "
				 "link it first",
				 clean_path(file));
	if (what != NULL &&
	    (strcmp(what, "gzip") == 0 || strcmp(what, "xz") == 0 || strcmp(what, "zstd") == 0))
		return error_set(err, ERROR_INPUT,
				 "%s is compressed by %s; decompress it first (for a kernel image, "
				 "take vmlinux)",
				 clean_path(file), what);
	if (what != NULL)
		return error_set(err, ERROR_INPUT,
				 "%s is %s, not an ELF program, library, object or archive of them",
				 clean_path(file), what);
	return error_set(err, ERROR_INPUT,
			 "%s is not an ELF program, library, object or archive of them",
			 clean_path(file));
}

static bool identify(struct elf_file *file, struct error *err)
{
	unsigned char magic[MAGIC_BYTES] = { 0 };
	size_t length = file->size < MAGIC_BYTES ? (size_t)file->size : MAGIC_BYTES;

	if (!read_file(file, 0, magic, length))
		return error_set(err, ERROR_SYSTEM, "cannot read %s", clean_path(file));
	file->thin = length == MAGIC_BYTES && memcmp(magic, thin_magic, MAGIC_BYTES) == 0;
	file->archive =
	    file->thin || (length == MAGIC_BYTES && memcmp(magic, ARMAG, MAGIC_BYTES) == 0);
	if (file->archive) {
		file->position = file->header_bytes = MAGIC_BYTES;
		return true;
	}
	if (length < SELFMAG || memcmp(magic, ELFMAG, SELFMAG) != 0)
		return refuse(file, guess(magic, length), err);
	return true;
}

bool elf_file_open(struct arena *arena, const char *path, struct elf_file **out, struct error *err)
{
	struct elf_file *file = calloc(1, sizeof *file);

	if (file == NULL)
		arena_out_of_memory();
	*file = (struct elf_file){ .arena = arena, .path = path, .fd = -1 };
	elf_version(EV_CURRENT);
	if (open_regular(file, err) && identify(file, err)) {
		*out = file;
		return true;
	}
	elf_file_close(file);
	*out = NULL;
	return false;
}

static void drop_object(struct elf_file *file)
{
	elf_end(file->elf);
	free(file->bytes);
	file->elf = NULL;
	file->bytes = NULL;
	file->count = 0;
}

void elf_file_close(struct elf_file *file)
{
	if (file == NULL)
		return;
	drop_object(file);
	if (file->fd >= 0)
		close(file->fd);
	free(file);
}

uint64_t elf_file_size(const struct elf_file *file)
{
	return file->size;
}

bool elf_file_is_archive(const struct elf_file *file, bool *thin)
{
	*thin = file->thin;
	return file->archive;
}

uint64_t elf_file_header_bytes(const struct elf_file *file)
{
	return file->header_bytes;
}

uint64_t elf_file_index_bytes(const struct elf_file *file)
{
	return file->index_bytes;
}

static bool next_plain(struct elf_file *file, struct elf_object *object, bool *more,
		       struct error *err)
{
	*more = !file->given;
	if (file->given)
		return true;
	file->given = true;
	if (!elf_check(read_file, file, file->size, err))
		return error_prefix(err, "%s", clean_path(file));
	file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
	if (file->elf == NULL || elf_kind(file->elf) != ELF_K_ELF)
		return error_set(err, ERROR_INPUT, "%s: its ELF header is damaged: %s",
				 clean_path(file), elf_errmsg(-1));
	*object = (struct elf_object){ .elf = file->elf, .bytes = file->size };
	return true;
}

/* A member's header, in numbers. */
struct member {
	char name[17];
	uint64_t offset; /* of its content in the archive */
	uint64_t size;
};

static bool damaged(struct elf_file *file, const char *what, struct error *err)
{
	return error_set(err, ERROR_INPUT,
			 "%s: the archive is damaged at byte %llu: %s; make it again with ar",
			 clean_path(file), (unsigned long long)file->position, what);
}

/* A decimal number, blanks after it. */
static bool parse_decimal(const char *digits, size_t length, uint64_t *value)
{
	size_t i = 0;

	*value = 0;
	while (i < length && digits[i] >= '0' && digits[i] <= '9')
		*value = *value * 10 + (uint64_t)(digits[i++] - '0');
	if (i == 0 || i > 18)
		return false;
	while (i < length && digits[i] == ' ')
		i++;
	return i == length;
}

static bool read_header(struct elf_file *file, struct member *member, struct error *err)
{
	struct ar_hdr header;

	if (file->size - file->position < sizeof header)
		return damaged(file, "it ends inside a member's header", err);
	if (!read_file(file, file->position, &header, sizeof header))
		return error_set(err, ERROR_SYSTEM, "cannot read %s", clean_path(file));
	if (memcmp(header.ar_fmag, ARFMAG, sizeof header.ar_fmag) != 0 ||
	    !parse_decimal(header.ar_size, sizeof header.ar_size, &member->size))
		return damaged(file, "no member begins there", err);
	memcpy(member->name, header.ar_name, sizeof header.ar_name);
	member->name[16] = '\0';
	member->offset = file->position + sizeof header;
	file->header_bytes += sizeof header;
	return true;
}

static bool is_index(const char *name)
{
	return strncmp(name, "/ ", 2) == 0 || strncmp(name, "/SYM64/", 7) == 0 ||
	       strncmp(name, "__.SYMDEF", 9) == 0;
}

static bool is_long_names(const char *name)
{
	return strncmp(name, "// ", 3) == 0 || strncmp(name, "ARFILENAMES/", 12) == 0;
}

/* A member that lies in the archive must end in it. */
static bool check_content(struct elf_file *file, const struct member *member, struct error *err)
{
	if (member->size > file->size - member->offset)
		return damaged(file, "a member reaches beyond the end (truncated?)", err);
	return true;
}

static bool read_long_names(struct elf_file *file, const struct member *member, struct error *err)
{
	file->long_bytes = member->size;
	file->long_names = arena_alloc(file->arena, member->size + 1, 1);
	if (!read_file(file, member->offset, file->long_names, member->size))
		return error_set(err, ERROR_SYSTEM, "cannot read %s", clean_path(file));
	file->header_bytes += member->size;
	return true;
}

/* "/123": the name stands in the table of long names, up to "/\n". */
static bool find_long_name(struct elf_file *file, const char *digits, const char **name,
			   struct error *err)
{
	char *colon;
	uint64_t at = strtoull(digits, &colon, 10);
	const char *start, *end;

	if (*colon == ':')
		return damaged(file, "thin archives of archives are not supported", err);
	if (file->long_names == NULL || at >= file->long_bytes)
		return damaged(file, "a member's name lies outside the table of names", err);
	start = file->long_names + at;
	end = strpbrk(start, "\n");
	if (end == NULL)
		end = start + strlen(start);
	if (end > start && end[-1] == '/')
		end--;
	*name = arena_strndup(file->arena, start, (size_t)(end - start));
	return true;
}

/* "#1/20": the name is the first 20 bytes of the content. */
static bool read_bsd_name(struct elf_file *file, struct member *member, const char **name,
			  struct error *err)
{
	uint64_t length = strtoull(member->name + 3, NULL, 10);
	char *bytes;

	if (length > member->size || length > 65536)
		return damaged(file, "a member's name is longer than the member", err);
	bytes = arena_alloc(file->arena, length + 1, 1);
	if (!read_file(file, member->offset, bytes, length))
		return error_set(err, ERROR_SYSTEM, "cannot read %s", clean_path(file));
	member->offset += length;
	member->size -= length;
	file->header_bytes += length;
	*name = bytes;
	return true;
}

static bool find_name(struct elf_file *file, struct member *member, const char **name,
		      struct error *err)
{
	size_t length = 16;

	if (member->name[0] == '/')
		return find_long_name(file, member->name + 1, name, err);
	if (strncmp(member->name, "#1/", 3) == 0 && !file->thin)
		return read_bsd_name(file, member, name, err);
	while (length > 0 && member->name[length - 1] == ' ')
		length--;
	if (length > 0 && member->name[length - 1] == '/')
		length--;
	*name = arena_strndup(file->arena, member->name, length);
	return true;
}

/* Past the member's content and the byte that makes its end even. */
static void move_on(struct elf_file *file, const struct member *member, uint64_t content)
{
	uint64_t end = member->offset + content;

	if (end % 2 == 1 && end < file->size) {
		file->header_bytes++;
		end++;
	}
	file->position = end;
}

static bool load(struct elf_file *file, int fd, uint64_t offset, uint64_t size)
{
	struct elf_file source = { .fd = fd };

	file->bytes = malloc(size > 0 ? size : 1);
	if (file->bytes == NULL)
		arena_out_of_memory();
	file->count = size;
	return read_file(&source, offset, file->bytes, size);
}

/* A thin archive's member is a file of its own, named from the archive's directory. */
static bool load_outside(struct elf_file *file, const char *name, struct error *err)
{
	const char *slash = strrchr(file->path, '/');
	struct elf_file member = {
		.arena = file->arena,
		.fd = -1,
		.path = slash == NULL || name[0] == '/'
			    ? name
			    : arena_printf(file->arena, "%.*s/%s", (int)(slash - file->path),
					   file->path, name),
	};
	bool good = open_regular(&member, err) ||
		    error_prefix(err, "%s is a thin archive, whose members are files of their own",
				 clean_path(file));

	if (good && !load(file, member.fd, 0, member.size))
		good = error_set(err, ERROR_SYSTEM, "cannot read %s", clean_path(&member));
	if (member.fd >= 0)
		close(member.fd);
	return good;
}

static bool open_member(struct elf_file *file, const struct member *member,
			struct elf_object *object, struct error *err)
{
	size_t length = file->count < MAGIC_BYTES ? (size_t)file->count : MAGIC_BYTES;

	object->offset = file->thin ? 0 : member->offset;
	object->bytes = file->count;
	if (length < SELFMAG || memcmp(file->bytes, ELFMAG, SELFMAG) != 0) {
		object->what = guess((unsigned char *)file->bytes, length);
		if (object->what == NULL)
			object->what = length == 0 ? "empty" : "no ELF object";
		return true;
	}
	if (!elf_check(read_member, file, file->count, err))
		return error_prefix(err, "%s(%s)", clean_path(file),
				    text_clean(file->arena, object->name, strlen(object->name)));
	file->elf = elf_memory(file->bytes, (size_t)file->count);
	if (file->elf == NULL || elf_kind(file->elf) != ELF_K_ELF)
		return error_set(
		    err, ERROR_INPUT, "%s(%s): its ELF header is damaged: %s", clean_path(file),
		    text_clean(file->arena, object->name, strlen(object->name)), elf_errmsg(-1));
	object->elf = file->elf;
	return true;
}

static bool load_member(struct elf_file *file, const struct member *member,
			const struct elf_object *object, struct error *err)
{
	if (file->thin)
		return load_outside(file, object->name, err);
	if (!load(file, file->fd, member->offset, member->size))
		return error_set(err, ERROR_SYSTEM, "cannot read %s", clean_path(file));
	return true;
}

static bool next_member(struct elf_file *file, struct elf_object *object, bool *more,
			struct error *err)
{
	struct member member;

	*more = true;
	while (file->position < file->size) {
		if (!read_header(file, &member, err))
			return false;
		if (is_index(member.name) || is_long_names(member.name)) {
			if (!check_content(file, &member, err))
				return false;
			if (is_index(member.name))
				file->index_bytes += member.size;
			else if (!read_long_names(file, &member, err))
				return false;
			move_on(file, &member, member.size);
			continue;
		}
		if ((!file->thin && !check_content(file, &member, err)) ||
		    !find_name(file, &member, &object->name, err) ||
		    !load_member(file, &member, object, err))
			return false;
		if (strncmp(object->name, "__.SYMDEF", 9) == 0) { /* BSD's, by its long name */
			file->index_bytes += member.size;
			drop_object(file);
			move_on(file, &member, member.size);
			continue;
		}
		move_on(file, &member, file->thin ? 0 : member.size);
		return open_member(file, &member, object, err);
	}
	*more = false;
	return true;
}

bool elf_file_next(struct elf_file *file, struct elf_object *object, bool *more, struct error *err)
{
	bool good;

	drop_object(file);
	memset(object, 0, sizeof *object);
	good = file->archive ? next_member(file, object, more, err)
			     : next_plain(file, object, more, err);
	object->file = file;
	object->content = file->bytes;
	return good;
}

bool elf_object_read(const struct elf_object *object, uint64_t offset, void *bytes, size_t length)
{
	if (object->content != NULL)
		return read_member(object->file, offset, bytes, length);
	return read_file(object->file, offset, bytes, length);
}
