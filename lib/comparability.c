// SPDX-License-Identifier: GPL-2.0-only
#include "lib/comparability.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/result.h"

enum origin {
	OF_BOOT,
	OF_PLAN,
	OF_TOOL,
	OF_WARNING, /* was there a warning of this code? */
};

/* One fact, and what a difference in it does to a comparison. */
static const struct row {
	enum origin origin;
	const char *path;
	enum difference_class class;
	bool members; /* an object, each key of which is a field of its own */
} table[] = {
	/* Another machine, or another speed of it. */
	{OF_BOOT, "timing", DIFFERENCE_BLOCK},
	{OF_BOOT, "cpu.vendor", DIFFERENCE_BLOCK},
	{OF_BOOT, "cpu.model", DIFFERENCE_BLOCK},
	{OF_BOOT, "cpu.family", DIFFERENCE_BLOCK},
	{OF_BOOT, "cpu.model_id", DIFFERENCE_BLOCK},
	{OF_BOOT, "cpu.stepping", DIFFERENCE_BLOCK},
	{OF_BOOT, "cpu.microcode", DIFFERENCE_BLOCK},
	{OF_BOOT, "cpu.smt", DIFFERENCE_BLOCK},
	{OF_BOOT, "cpu.online", DIFFERENCE_BLOCK},
	{OF_BOOT, "power.governor", DIFFERENCE_BLOCK},
	{OF_BOOT, "power.turbo", DIFFERENCE_BLOCK},
	{OF_BOOT, "power.max_khz", DIFFERENCE_BLOCK},
	/* Another way to run the same program. */
	{OF_BOOT, "bpf.jit_enable", DIFFERENCE_BLOCK},
	{OF_BOOT, "bpf.jit_harden", DIFFERENCE_BLOCK},
	{OF_BOOT, "bpf.stats_enabled", DIFFERENCE_BLOCK},
	/* Without CAP_PERFMON the verifier adds barriers: other code. */
	{OF_WARNING, "NO_PERFMON", DIFFERENCE_BLOCK},
	/* Debugging that costs more than most patches. */
	{OF_BOOT, "kernel.config_selected.CONFIG_KASAN", DIFFERENCE_BLOCK},
	{OF_BOOT, "kernel.config_selected.CONFIG_KCSAN", DIFFERENCE_BLOCK},
	{OF_BOOT, "kernel.config_selected.CONFIG_LOCKDEP", DIFFERENCE_BLOCK},
	{OF_BOOT, "kernel.config_selected.CONFIG_PROVE_LOCKING", DIFFERENCE_BLOCK},
	{OF_BOOT, "kernel.config_selected.CONFIG_LOCK_STAT", DIFFERENCE_BLOCK},
	{OF_BOOT, "kernel.config_selected.CONFIG_DEBUG_SPINLOCK", DIFFERENCE_BLOCK},
	{OF_BOOT, "kernel.config_selected.CONFIG_DEBUG_PAGEALLOC", DIFFERENCE_BLOCK},
	{OF_BOOT, "kernel.config_selected.CONFIG_SLUB_DEBUG_ON", DIFFERENCE_BLOCK},
	/* How it was measured. */
	{OF_PLAN, "affinity", DIFFERENCE_BLOCK},
	{OF_PLAN, "cpus", DIFFERENCE_WARN},
	{OF_PLAN, "duration_ms", DIFFERENCE_WARN},
	{OF_PLAN, "warmup_ms", DIFFERENCE_WARN},
	{OF_PLAN, "sensors", DIFFERENCE_WARN},
	{OF_TOOL, "version", DIFFERENCE_WARN},
	{OF_TOOL, "git", DIFFERENCE_WARN},
	{OF_TOOL, "bpf_compiler", DIFFERENCE_WARN},
	{OF_TOOL, "libbpf", DIFFERENCE_WARN},
	/* What may move a figure without the patch. */
	{OF_BOOT, "host", DIFFERENCE_WARN},
	{OF_BOOT, "virt", DIFFERENCE_WARN},
	{OF_BOOT, "mitigations", DIFFERENCE_WARN, true},
	{OF_BOOT, "kernel.cmdline", DIFFERENCE_WARN},
	{OF_BOOT, "kernel.taint", DIFFERENCE_WARN},
	{OF_BOOT, "kernel.modules_sha256", DIFFERENCE_WARN},
	{OF_BOOT, "cpu.isolated", DIFFERENCE_WARN},
	{OF_BOOT, "cpu.nohz_full", DIFFERENCE_WARN},
	{OF_BOOT, "power.driver", DIFFERENCE_WARN},
	{OF_BOOT, "power.epp", DIFFERENCE_WARN},
	{OF_BOOT, "power.cstate_max", DIFFERENCE_WARN},
	{OF_BOOT, "memory.thp", DIFFERENCE_WARN},
	{OF_BOOT, "aslr", DIFFERENCE_WARN},
	{OF_BOOT, "clocksource", DIFFERENCE_WARN},
	{OF_BOOT, "bpf.jit_kallsyms", DIFFERENCE_WARN},
	{OF_BOOT, "bpf.lsm", DIFFERENCE_WARN},
	/* The patch. */
	{OF_BOOT, "kernel.release", DIFFERENCE_EXPECTED},
	{OF_BOOT, "kernel.version", DIFFERENCE_EXPECTED},
	{OF_BOOT, "kernel.build_id", DIFFERENCE_EXPECTED},
	{OF_BOOT, "kernel.git", DIFFERENCE_EXPECTED},
	{OF_BOOT, "kernel.config_sha256", DIFFERENCE_EXPECTED},
	{OF_BOOT, "kernel.config_selected", DIFFERENCE_EXPECTED, true},
	{OF_BOOT, "kernel.btf.sha256", DIFFERENCE_EXPECTED},
};

#define NR_ROWS (sizeof(table) / sizeof(table[0]))

static const char *const class_names[] = {"block", "warn", "expected"};

const char *comparability__field(size_t i, enum difference_class *ret_class)
{
	if (i >= NR_ROWS)
		return NULL;
	*ret_class = table[i].class;
	return table[i].path;
}

static json_t *at_path(const json_t *object, const char *path)
{
	const char *dot;
	char key[64];

	for (; object && (dot = strchr(path, '.')); path = dot + 1) {
		snprintf(key, sizeof(key), "%.*s", (int)(dot - path), path);
		object = json_object_get(object, key);
	}
	return json_object_get(object, path);
}

/* As a person would write it; NULL: not known. */
static char *text_of(const json_t *value)
{
	char *text;

	if (!value || json_is_null(value))
		return NULL;
	if (json_is_string(value))
		return strdup(json_string_value(value));
	/* A document that went through other hands may have 1000 where it had 1000.0. */
	if (json_is_real(value))
		return asprintf(&text, "%.10g", json_real_value(value)) < 0 ? NULL : text;
	return json_dumps(value, JSON_ENCODE_ANY | JSON_SORT_KEYS | JSON_COMPACT |
					 JSON_REAL_PRECISION(10));
}

static void add_value(json_t *values, const json_t *value)
{
	char *text = text_of(value);
	const json_t *known;
	size_t i;

	json_array_foreach(values, i, known)
		if (text && !strcmp(json_string_value(known), text)) {
			free(text);
			return;
		}
	if (text)
		json_array_append_new(values, json_string(text));
	free(text);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "a, b" of an array of strings, in the order of the alphabet; NULL if it is empty. */
static json_t *join(const json_t *values)
{
	size_t nr = json_array_size(values), len = 0;
	const char **texts = calloc(nr + 1, sizeof(*texts));
	json_t *joined = NULL;
	char *text = NULL;
	FILE *out;

	for (size_t i = 0; texts && i < nr; i++)
		texts[i] = json_string_value(json_array_get(values, i));
	if (texts && nr) {
		qsort(texts, nr, sizeof(*texts), by_text);
		out = open_memstream(&text, &len);
		for (size_t i = 0; out && i < nr; i++)
			fprintf(out, "%s%s", i ? ", " : "", texts[i]);
		if (out && !fclose(out))
			joined = json_string(text);
	}
	free(text);
	free(texts);
	return joined;
}

static json_t *has_warning(const json_t *document, const char *code)
{
	const json_t *warning;
	size_t i;

	json_array_foreach(json_object_get(document, "warnings"), i, warning)
		if (!strcmp(json__string(warning, "code", ""), code))
			return json_string("yes");
	return json_string("no");
}

/* Every value that this field has in a document; NULL: not known. */
static json_t *collect(const json_t *document, const struct row *row)
{
	const json_t *tool = json_object_get(document, "tool"), *boot;
	json_t *values, *joined;
	size_t i;

	if (row->origin == OF_WARNING)
		return has_warning(document, row->path);
	values = json_array();
	if (row->origin == OF_PLAN) {
		add_value(values, at_path(json_object_get(tool, "plan"), row->path));
	} else if (row->origin == OF_TOOL) {
		add_value(values, at_path(tool, row->path));
	} else {
		json_array_foreach(json_object_get(document, "boots"), i, boot)
			add_value(values, at_path(boot, row->path));
	}
	joined = join(values);
	json_decref(values);
	return joined;
}

static json_t *described(const char *field, enum difference_class class, json_t *before,
			 json_t *after)
{
	/* What one side does not know cannot block: an older document would never compare. */
	if ((!before || !after) && class == DIFFERENCE_BLOCK)
		class = DIFFERENCE_WARN;
	return json_pack("{s:s, s:s, s:O?, s:O?}", "field", field, "class", class_names[class],
			 "before", before, "after", after);
}

static void add_difference(json_t *list, const struct row *row, const json_t *before,
			   const json_t *after)
{
	json_t *x = collect(before, row), *y = collect(after, row);

	if ((x || y) && !json_equal(x, y))
		json_array_append_new(list, described(row->path, row->class, x, y));
	json_decref(x);
	json_decref(y);
}

static bool has_row(const char *path)
{
	for (size_t i = 0; i < NR_ROWS; i++)
		if (!strcmp(table[i].path, path))
			return true;
	return false;
}

/* Of all boots of a document, added to `keys`. */
static void add_keys(json_t *keys, const json_t *document, const struct row *row)
{
	const json_t *boot;
	const char *key;
	json_t *value;
	size_t i;

	json_array_foreach(json_object_get(document, "boots"), i, boot)
		json_object_foreach(at_path(boot, row->path), key, value)
			json_object_set_new(keys, key, json_true());
}

static void add_members(json_t *list, const struct row *row, const json_t *before,
			const json_t *after)
{
	json_t *keys = json_object(), *value;
	const char *key;

	add_keys(keys, before, row);
	add_keys(keys, after, row);
	json_object_foreach(keys, key, value) {
		char path[192];
		struct row member = {row->origin, path, row->class, false};

		snprintf(path, sizeof(path), "%.60s.%.100s", row->path, key);
		/* A debug option has a row of its own, and a graver one. */
		if (!has_row(path))
			add_difference(list, &member, before, after);
	}
	json_decref(keys);
}

json_t *comparability__differences(const json_t *before, const json_t *after)
{
	json_t *all = json_array(), *sorted = json_array();

	for (size_t i = 0; i < NR_ROWS; i++)
		(table[i].members ? add_members : add_difference)(all, &table[i], before, after);
	for (size_t class = 0; class < 3; class ++) {
		json_t *item;
		size_t i;

		json_array_foreach(all, i, item)
			if (!strcmp(json__string(item, "class", ""), class_names[class]))
				json_array_append(sorted, item);
	}
	json_decref(all);
	return sorted;
}

bool comparability__is_blocking(const json_t *difference)
{
	return !strcmp(json__string(difference, "class", ""), class_names[DIFFERENCE_BLOCK]);
}

bool comparability__blocks(const json_t *differences)
{
	const json_t *item;
	size_t i;

	json_array_foreach(differences, i, item)
		if (comparability__is_blocking(item))
			return true;
	return false;
}

/* A build has one id; where it is not known, its release and version string stand for it. */
bool comparability__kernels_differ(const json_t *before, const json_t *after)
{
	static const struct row rows[] = {{.path = "kernel.build_id"},
					  {.path = "kernel.release"},
					  {.path = "kernel.version"},
					  {.path = "kernel.config_sha256"}};
	bool differ = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_t *x = collect(before, &rows[i]), *y = collect(after, &rows[i]);

		differ |= x && y && !json_equal(x, y);
		json_decref(x);
		json_decref(y);
	}
	return differ;
}

static bool is_same_boot(const json_t *a, const json_t *b)
{
	const char *id = json__string(a, "boot_id", NULL);

	return id && !strcmp(id, json__string(b, "boot_id", ""));
}

static bool may_be_same_host(const json_t *a, const json_t *b)
{
	const char *host = json__string(a, "host", NULL), *other = json__string(b, "host", NULL);

	return !host || !other || !strcmp(host, other);
}

static bool any_boots(const json_t *before, const json_t *after,
		      bool (*test)(const json_t *, const json_t *))
{
	const json_t *a, *b;
	size_t i, j;

	json_array_foreach(json_object_get(before, "boots"), i, a)
		json_array_foreach(json_object_get(after, "boots"), j, b)
			if (test(a, b))
				return true;
	return false;
}

bool comparability__same_boot(const json_t *before, const json_t *after)
{
	return any_boots(before, after, is_same_boot);
}

bool comparability__hosts_differ(const json_t *before, const json_t *after)
{
	return !any_boots(before, after, may_be_same_host);
}

const char *comparability__timing(const json_t *document)
{
	const json_t *boots = json_object_get(document, "boots"), *boot;
	const char *timing = NULL;
	size_t i;

	json_array_foreach(boots, i, boot) {
		const char *own = json__string(boot, "timing", "native");

		if (timing && strcmp(timing, own))
			return "mixed";
		timing = own;
	}
	return timing ? timing : "native";
}
