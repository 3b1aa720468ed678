// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/digest.h"
#include "lib/host_part.h"
#include "lib/sysfs.h"

#define RELEASE_SIZE 128
/* A configuration has 150 to 300 KB; more than this is something else. */
#define TEXT_MAX_BYTES (4 << 20)

/* What changes the cost of a BPF program, a map, a lock or an attach point. */
static const struct config_option {
	const char *name;
	const char *older; /* its name before it was renamed, or NULL */
} config_options[] = {
	{"PREEMPT", NULL},
	{"PREEMPT_NONE", NULL},
	{"PREEMPT_VOLUNTARY", NULL},
	{"PREEMPT_LAZY", NULL},
	{"PREEMPT_RT", NULL},
	{"PREEMPT_DYNAMIC", NULL},
	{"HZ", NULL},
	{"NO_HZ_FULL", NULL},
	{"RCU_NOCB_CPU", NULL},
	{"TASKS_TRACE_RCU", NULL},
	{"BPF_JIT_ALWAYS_ON", NULL},
	{"BPF_LSM", NULL},
	{"CGROUP_BPF", NULL},
	{"KPROBES", NULL},
	{"FPROBE", NULL},
	{"FUNCTION_TRACER", NULL},
	{"DYNAMIC_FTRACE_WITH_DIRECT_CALLS", NULL},
	{"PARAVIRT_SPINLOCKS", NULL},
	{"CPU_MITIGATIONS", "SPECULATION_MITIGATIONS"},
	{"MITIGATION_RETPOLINE", "RETPOLINE"},
	{"MITIGATION_RETHUNK", "RETHUNK"},
	{"CFI", "CFI_CLANG"},
	{"LTO_CLANG", NULL},
	{"CC_OPTIMIZE_FOR_SIZE", NULL},
	{"DEBUG_FORCE_FUNCTION_ALIGN_64B", NULL},
	{"DEBUG_PREEMPT", NULL},
	{"DEBUG_SPINLOCK", NULL},
	{"DEBUG_PAGEALLOC", NULL},
	{"SLUB_DEBUG_ON", NULL},
	{"LOCKDEP", NULL},
	{"PROVE_LOCKING", NULL},
	{"LOCK_STAT", NULL},
	{"KASAN", NULL},
	{"KCSAN", NULL},
	{"KFENCE", NULL},
	{"INIT_ON_ALLOC_DEFAULT_ON", NULL},
};

static size_t align_note(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* Returns the note's content and its size, or NULL. */
static const uint8_t *find_build_id(const uint8_t *notes, size_t size, size_t *ret_size)
{
	Elf32_Nhdr note;
	size_t name, desc;

	for (size_t pos = 0; pos + sizeof(note) <= size;) {
		memcpy(&note, notes + pos, sizeof(note));
		if (note.n_namesz > size || note.n_descsz > size)
			return NULL;
		name = pos + sizeof(note);
		desc = name + align_note(note.n_namesz);
		if (desc + note.n_descsz > size)
			return NULL;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_descsz &&
		    note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(notes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU))) {
			*ret_size = note.n_descsz;
			return notes + desc;
		}
		pos = desc + align_note(note.n_descsz);
	}
	return NULL;
}

static void describe_build_id(const struct host_part *part)
{
	char path[SYSFS_PATH_SIZE], hex[2 * 64 + 1];
	uint8_t notes[16384];
	const uint8_t *id;
	size_t len, id_size;
	FILE *file;

	snprintf(path, sizeof(path), "%s/kernel/notes", part->roots->sys);
	file = fopen(path, "re");
	if (!file) {
		host_part__unreadable(part, "build_id", -errno, "no notes of the kernel in sysfs");
		return;
	}
	len = fread(notes, 1, sizeof(notes), file);
	fclose(file);
	id = find_build_id(notes, len, &id_size);
	if (!id || 2 * id_size >= sizeof(hex)) {
		host_part__absent(part, "build_id", "the kernel was linked without a build id");
		return;
	}
	digest__hex(id, id_size, hex);
	host_part__set_text(part, "build_id", hex);
}

/* scripts/setlocalversion appends "-g" and twelve digits or what core.abbrev asks for. */
static void describe_git(const struct host_part *part, const char *release)
{
	char commit[41];
	size_t len;

	for (const char *pos = release; (pos = strstr(pos, "-g")); pos += 2) {
		len = strspn(pos + 2, "0123456789abcdef");
		if (len < 7 || len >= sizeof(commit) || isalnum((unsigned char)pos[2 + len]))
			continue;
		snprintf(commit, sizeof(commit), "%.*s", (int)len, pos + 2);
		host_part__set_text(part, "git", commit);
		return;
	}
	host_part__absent(part, "git", "this kernel's version string names no commit");
}

/* Points to the value of "\nCONFIG_NAME=value\n", `ret_size` long; NULL when it is not set. */
static const char *config_value(const char *config, const char *name, size_t *ret_size)
{
	char line[80];
	const char *value;
	size_t len;

	len = snprintf(line, sizeof(line), "\nCONFIG_%s=", name);
	value = strstr(config, line);
	if (!value)
		return NULL;
	value += len;
	*ret_size = strcspn(value, "\n");
	return value;
}

static json_t *select_options(const char *config)
{
	const size_t nr_options = sizeof(config_options) / sizeof(config_options[0]);
	json_t *selected = json_object();

	for (size_t i = 0; i < nr_options; i++) {
		const struct config_option *option = &config_options[i];
		char key[80], text[64];
		const char *value;
		size_t len;

		value = config_value(config, option->name, &len);
		if (!value && option->older)
			value = config_value(config, option->older, &len);
		if (value)
			snprintf(text, sizeof(text), "%.*s", (int)len, value);
		snprintf(key, sizeof(key), "CONFIG_%s", option->name);
		json_object_set_new(selected, key, host_part__json_text(value ? text : "n"));
	}
	return selected;
}

/*
 * A file's text with a newline put before it, so that each line begins after one; to be freed.
 * zlib hands a file that is not compressed through as it is. NULL with errno set.
 */
static char *read_text(const char *path, size_t *ret_size)
{
	int len = 0, zerr = Z_MEM_ERROR, err = ENOMEM;
	char *text;
	gzFile file;

	file = gzopen(path, "rbe");
	if (!file)
		return NULL;
	text = malloc(TEXT_MAX_BYTES + 2);
	if (text) {
		text[0] = '\n';
		errno = 0;
		len = gzread(file, text + 1, TEXT_MAX_BYTES + 1);
		err = errno;
		gzerror(file, &zerr);
	}
	gzclose(file);
	if (zerr || len > TEXT_MAX_BYTES) {
		free(text);
		errno = err ? err : zerr ? EBADMSG : EFBIG;
		return NULL;
	}
	text[1 + len] = '\0';
	*ret_size = len;
	return text;
}

static char *find_config(const struct host_roots *roots, const char *release, size_t *ret_size)
{
	char path[SYSFS_PATH_SIZE];
	char *config;

	snprintf(path, sizeof(path), "%s/config.gz", roots->proc);
	config = read_text(path, ret_size);
	if (config || errno != ENOENT || !release[0])
		return config;
	snprintf(path, sizeof(path), "%s/config-%s", roots->boot, release);
	return read_text(path, ret_size);
}

static void config_absent(const struct host_part *part, const char *key, int err)
{
	if (err == -EBADMSG)
		host_part__absent(part, key, "the compressed configuration is damaged");
	else
		host_part__unreadable(part, key, err,
				      "neither /proc/config.gz nor /boot/config-RELEASE exists");
}

static void describe_config(const struct host_part *part, const char *release)
{
	char hex[DIGEST_SIZE];
	size_t size;
	char *config = find_config(part->roots, release, &size);
	int err = -errno;

	if (!config) {
		config_absent(part, "config_sha256", err);
		config_absent(part, "config_selected", err);
		return;
	}
	digest__bytes(config + 1, size, hex);
	host_part__set_text(part, "config_sha256", hex);
	host_part__set(part, "config_selected", select_options(config));
	free(config);
}

static void describe_btf(const struct host_part *part)
{
	char path[SYSFS_PATH_SIZE], hex[DIGEST_SIZE];
	uint64_t size;
	int err;

	snprintf(path, sizeof(path), "%s/kernel/btf/vmlinux", part->roots->sys);
	err = digest__file(path, hex, &size);
	if (err)
		host_part__unreadable(part, "btf", err,
				      "no BTF of the kernel in sysfs (CONFIG_DEBUG_INFO_BTF)");
	else
		host_part__set(part, "btf",
			       json_pack("{s:s, s:I}", "sha256", hex, "size", (json_int_t)size));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Cuts each line of `text` to its first word and sorts them. The array is to be freed. */
static char **module_names(char *text, size_t *ret_nr)
{
	size_t nr = 0, nr_lines = 0;
	char **names, *save;

	for (const char *pos = text; *pos; pos++)
		nr_lines += *pos == '\n';
	names = calloc(nr_lines + 1, sizeof(*names));
	if (!names)
		return NULL;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		line[strcspn(line, " ")] = '\0';
		names[nr++] = line;
	}
	qsort(names, nr, sizeof(*names), compare_names);
	*ret_nr = nr;
	return names;
}

static void describe_modules(const struct host_part *part)
{
	char path[SYSFS_PATH_SIZE], hex[DIGEST_SIZE];
	char **names;
	size_t nr, size;
	char *text;

	snprintf(path, sizeof(path), "%s/modules", part->roots->proc);
	text = read_text(path, &size);
	if (!text) {
		host_part__unreadable(part, "modules_sha256", -errno,
				      "this kernel has no loadable modules (CONFIG_MODULES)");
		return;
	}
	names = module_names(text, &nr);
	if (names) {
		digest__lines(names, nr, hex);
		host_part__set_text(part, "modules_sha256", hex);
	} else {
		host_part__absent(part, "modules_sha256", "out of memory");
	}
	free(names);
	free(text);
}

static void describe_cmdline(const struct host_part *part)
{
	char text[16384];
	int len = sysfs__read(text, sizeof(text), "%s/cmdline", part->roots->proc);

	/* Empty is a value here: a boot loader may pass nothing. */
	if (len < 0)
		host_part__unreadable(part, "cmdline", len, NULL);
	else
		host_part__set_text(part, "cmdline", text);
}

void host__describe_kernel(const struct host_part *top)
{
	struct host_part part = host_part__open(top, "kernel", "kernel.");
	const char *proc = top->roots->proc;
	char release[RELEASE_SIZE];

	if (sysfs__read(release, sizeof(release), "%s/sys/kernel/osrelease", proc) < 0)
		release[0] = '\0';
	host_part__file_text(&part, "release", NULL, proc, "sys/kernel/osrelease");
	host_part__file_text(&part, "version", NULL, proc, "sys/kernel/version");
	describe_build_id(&part);
	describe_git(&part, release);
	describe_config(&part, release);
	describe_cmdline(&part);
	host_part__file_int(&part, "taint", NULL, proc, "sys/kernel/tainted");
	describe_btf(&part);
	describe_modules(&part);
}
