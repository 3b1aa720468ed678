/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_TESTS_HOST_TREE_H
#define BPFPERF_TESTS_HOST_TREE_H

#include <check.h>
#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "lib/host.h"

/* What the tests of lib/host share: a made-up machine in /tmp, and what its document must obey. */

/* Every field that a boot element has, whatever the machine. */
static const char *const fields[] = {
	"boot_id",
	"host",
	"timing",
	"kernel.release",
	"kernel.version",
	"kernel.build_id",
	"kernel.git",
	"kernel.config_sha256",
	"kernel.config_selected",
	"kernel.cmdline",
	"kernel.taint",
	"kernel.btf",
	"kernel.modules_sha256",
	"mitigations",
	"bpf.jit_enable",
	"bpf.jit_harden",
	"bpf.jit_kallsyms",
	"bpf.stats_enabled",
	"bpf.unprivileged_disabled",
	"bpf.lsm",
	"bpf.loaded_progs_before",
	"cpu.vendor",
	"cpu.model",
	"cpu.family",
	"cpu.model_id",
	"cpu.stepping",
	"cpu.microcode",
	"cpu.isolated",
	"cpu.nohz_full",
	"cpu.online",
	"cpu.smt",
	"cpu.topology",
	"cpu.caches",
	"power.driver",
	"power.governor",
	"power.epp",
	"power.turbo",
	"power.min_khz",
	"power.max_khz",
	"power.cstate_max",
	"memory.total_kb",
	"memory.numa",
	"memory.thp",
	"aslr",
	"virt",
	"clocksource",
	"perf_event_paranoid",
	"uptime_s",
};

/* A root with sys, proc and boot in it. */
struct tree {
	char root[64], sys[80], proc[80], boot[80];
	struct host_roots roots;
};

static inline void tree_make(struct tree *tree)
{
	strcpy(tree->root, "/tmp/bpfperf-host-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(tree->root));
	snprintf(tree->sys, sizeof(tree->sys), "%s/sys", tree->root);
	snprintf(tree->proc, sizeof(tree->proc), "%s/proc", tree->root);
	snprintf(tree->boot, sizeof(tree->boot), "%s/boot", tree->root);
	tree->roots = (struct host_roots){tree->sys, tree->proc, tree->boot};
}

static inline int remove_entry(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

static inline void tree_remove(struct tree *tree)
{
	ck_assert_int_eq(nftw(tree->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* Makes the folders of a path in the tree, and gives its full name. */
static inline void tree_path(const struct tree *tree, const char *name, char path[512])
{
	snprintf(path, 512, "%s/%s", tree->root, name);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		ck_assert(mkdir(path, 0700) == 0 || errno == EEXIST);
		*slash = '/';
	}
}

static inline void put_bytes(const struct tree *tree, const char *name, const void *bytes,
			     size_t size)
{
	char path[512];
	FILE *file;

	tree_path(tree, name, path);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

static inline void put(const struct tree *tree, const char *name, const char *text)
{
	put_bytes(tree, name, text, strlen(text));
}

struct file {
	const char *name;
	const char *text;
};

static inline void put_files(const struct tree *tree, const struct file *files, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		put(tree, files[i].name, files[i].text);
}

#define PUT_FILES(tree, files) put_files(tree, files, sizeof(files) / sizeof((files)[0]))

static inline void put_gzip(const struct tree *tree, const char *name, const char *text)
{
	char path[512];
	gzFile file;

	tree_path(tree, name, path);
	file = gzopen(path, "wb");
	ck_assert_int_eq(gzputs(file, text), (int)strlen(text));
	ck_assert_int_eq(gzclose(file), Z_OK);
}

/* The element at a dotted path; numbers index arrays. NULL: there is none. */
static inline json_t *at(json_t *json, const char *path)
{
	char copy[256], *save;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *key = strtok_r(copy, ".", &save); key; key = strtok_r(NULL, ".", &save)) {
		if (json_is_array(json))
			json = json_array_get(json, atoi(key));
		else
			json = json_object_get(json, key);
	}
	return json;
}

static inline void expect_text(json_t *boot, const char *path, const char *text)
{
	json_t *found = at(boot, path);

	ck_assert_msg(json_is_string(found), "%s is no string", path);
	ck_assert_msg(!strcmp(json_string_value(found), text), "%s is '%s', not '%s'", path,
		      json_string_value(found), text);
}

static inline void expect_int(json_t *boot, const char *path, json_int_t value)
{
	json_t *found = at(boot, path);

	ck_assert_msg(json_is_integer(found), "%s is no integer", path);
	ck_assert_msg(json_integer_value(found) == value, "%s is %lld, not %lld", path,
		      (long long)json_integer_value(found), (long long)value);
}

/* null, with these words in its reason. */
static inline void expect_absent(json_t *boot, const char *path, const char *words)
{
	json_t *reason = json_object_get(json_object_get(boot, "absent"), path);

	ck_assert_msg(json_is_null(at(boot, path)), "%s is not null", path);
	ck_assert_msg(json_is_string(reason), "%s has no reason", path);
	ck_assert_msg(!!strstr(json_string_value(reason), words), "%s: '%s' lacks '%s'", path,
		      json_string_value(reason), words);
}

/* Fields whose empty string is a value: an empty list, no arguments. */
static inline bool may_be_empty(const char *path)
{
	return !strcmp(path, "cpu.isolated") || !strcmp(path, "cpu.nohz_full") ||
	       !strcmp(path, "kernel.cmdline") || !strcmp(path, "memory.numa[].cpus");
}

static inline void walk_leaf(json_t *leaf, const char *path, json_t *absent, json_t *ret_filled)
{
	json_t *reason = json_object_get(absent, path);

	if (json_is_null(leaf)) {
		ck_assert_msg(json_is_string(reason), "%s is null without a reason", path);
		ck_assert_msg(json_string_length(reason) > 0, "%s has an empty reason", path);
		json_object_set_new(ret_filled, path, json_false());
		return;
	}
	ck_assert_msg(!json_is_string(leaf) || json_string_length(leaf) || may_be_empty(path),
		      "%s is an empty string", path);
	if (!json_object_get(ret_filled, path))
		json_object_set_new(ret_filled, path, json_true());
}

/* `ret_filled`: false for each path that is null, in any element of an array; else true. */
static inline void walk(json_t *json, const char *path, json_t *absent, json_t *ret_filled)
{
	char *inner;
	const char *key;
	json_t *value;
	size_t i;

	if (!json_is_object(json) && !json_is_array(json))
		walk_leaf(json, path, absent, ret_filled);
	json_array_foreach(json, i, value) {
		ck_assert_int_gt(asprintf(&inner, "%s[]", path), 0);
		walk(value, inner, absent, ret_filled);
		free(inner);
	}
	json_object_foreach(json, key, value) {
		if (value == absent)
			continue;
		ck_assert_int_gt(asprintf(&inner, "%s%s%s", path, *path ? "." : "", key), 0);
		walk(value, inner, absent, ret_filled);
		free(inner);
	}
}

/* Each null has a reason, each reason a null, and no field is missing. New reference. */
static inline json_t *check_absences(json_t *boot)
{
	json_t *absent = json_object_get(boot, "absent"), *filled = json_object(), *reason;
	const char *path;

	ck_assert(json_is_object(absent));
	walk(boot, "", absent, filled);
	json_object_foreach(absent, path, reason)
		ck_assert_msg(json_is_false(json_object_get(filled, path)),
			      "a reason for %s, which is not null", path);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		ck_assert_msg(!!at(boot, fields[i]), "no field %s", fields[i]);
	return filled;
}

static inline json_t *describe(const struct tree *tree)
{
	json_t *boot = host__describe(&tree->roots, "native");

	ck_assert_ptr_nonnull(boot);
	json_decref(check_absences(boot));
	return boot;
}

#endif
