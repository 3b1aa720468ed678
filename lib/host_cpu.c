// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpulist.h"
#include "lib/host_part.h"
#include "lib/sysfs.h"

#define MAX_CACHES 16 /* indexes of one CPU; x86 and arm64 have three to five */

static const char not_said[] = "the kernel does not say";
static const char no_cpuinfo_key[] = "/proc/cpuinfo does not say";
static const char no_online[] = "the list of online CPUs is not readable";

int host__read_cpuinfo(const struct host_roots *roots, char buf[CPUINFO_SIZE])
{
	int len = sysfs__read(buf, CPUINFO_SIZE, "%s/cpuinfo", roots->proc);
	char *end;

	if (len < 0)
		return len;
	end = strstr(buf, "\n\n");
	if (end)
		*end = '\0';
	return strlen(buf);
}

bool host__cpuinfo_value(const char *cpuinfo, const char *key, char *buf, size_t size)
{
	size_t key_len = strlen(key);
	const char *value;

	for (const char *line = cpuinfo; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, key_len))
			continue;
		value = line + key_len;
		value += strspn(value, " \t");
		if (*value++ != ':')
			continue;
		value += strspn(value, " \t");
		snprintf(buf, size, "%.*s", (int)strcspn(value, "\n"), value);
		return buf[0] != '\0';
	}
	return false;
}

static void text_field(const struct host_part *part, const char *cpuinfo, const char *key,
		       const char *name, const char *missing)
{
	char value[256];

	if (host__cpuinfo_value(cpuinfo, name, value, sizeof(value)))
		host_part__set_text(part, key, value);
	else
		host_part__absent(part, key, "%s", missing);
}

static void number_field(const struct host_part *part, const char *cpuinfo, const char *key,
			 const char *name, const char *missing)
{
	char value[64], *end;
	long number;

	if (host__cpuinfo_value(cpuinfo, name, value, sizeof(value))) {
		number = strtol(value, &end, 0);
		if (end != value && !*end) {
			host_part__set(part, key, json_integer(number));
			return;
		}
	}
	host_part__absent(part, key, "%s", missing);
}

/* Codes of MIDR_EL1.Implementer, from the Arm Architecture Reference Manual and vendors' manuals. */
static const char *arm_vendor(const char *implementer)
{
	switch (strtol(implementer, NULL, 0)) {
	case 0x41: return "ARM";
	case 0x42: return "Broadcom";
	case 0x43: return "Cavium";
	case 0x46: return "Fujitsu";
	case 0x48: return "HiSilicon";
	case 0x4e: return "NVIDIA";
	case 0x50: return "APM";
	case 0x51: return "Qualcomm";
	case 0x61: return "Apple";
	case 0x6d: return "Microsoft";
	case 0xc0: return "Ampere";
	default: return implementer;
	}
}

static void describe_arm_model(const struct host_part *part, const char *cpuinfo)
{
	char number[32], variant[32], revision[32], model[128];

	if (!host__cpuinfo_value(cpuinfo, "CPU part", number, sizeof(number)) ||
	    !host__cpuinfo_value(cpuinfo, "CPU variant", variant, sizeof(variant)) ||
	    !host__cpuinfo_value(cpuinfo, "CPU revision", revision, sizeof(revision))) {
		host_part__absent(part, "model", "%s", no_cpuinfo_key);
		return;
	}
	snprintf(model, sizeof(model), "part %s r%ldp%s", number, strtol(variant, NULL, 0),
		 revision);
	host_part__set_text(part, "model", model);
}

static void describe_arm(const struct host_part *part, const char *cpuinfo, const char *implementer)
{
	host_part__set_text(part, "vendor", arm_vendor(implementer));
	describe_arm_model(part, cpuinfo);
	number_field(part, cpuinfo, "family", "CPU architecture", no_cpuinfo_key);
	number_field(part, cpuinfo, "model_id", "CPU part", no_cpuinfo_key);
	host_part__absent(part, "stepping", "only on x86; cpu.model has the revision");
	host_part__absent(part, "microcode", "only on x86");
}

static void describe_identity(const struct host_part *part)
{
	char cpuinfo[CPUINFO_SIZE], implementer[32];
	const char *why = no_cpuinfo_key;

	if (host__read_cpuinfo(part->roots, cpuinfo) < 0) {
		why = "/proc/cpuinfo is not readable";
		cpuinfo[0] = '\0';
	}
	if (host__cpuinfo_value(cpuinfo, "CPU implementer", implementer, sizeof(implementer))) {
		describe_arm(part, cpuinfo, implementer);
		return;
	}
	text_field(part, cpuinfo, "vendor", "vendor_id", why);
	text_field(part, cpuinfo, "model", "model name", why);
	number_field(part, cpuinfo, "family", "cpu family", why);
	number_field(part, cpuinfo, "model_id", "model", why);
	number_field(part, cpuinfo, "stepping", "stepping", why);
	text_field(part, cpuinfo, "microcode", "microcode", why);
}

/* Node of each CPU, -1 where it has none; false when the kernel knows no nodes. */
static bool read_nodes(const struct host_roots *roots, short node_of[CPULIST_MAX_CPU + 1])
{
	struct cpulist nodes, cpus;

	memset(node_of, -1, (CPULIST_MAX_CPU + 1) * sizeof(*node_of));
	if (cpulist__read(&nodes, NULL, "%s/devices/system/node/online", roots->sys))
		return false;
	for (int i = 0; i < nodes.nr; i++) {
		if (cpulist__read(&cpus, NULL, "%s/devices/system/node/node%d/cpulist", roots->sys,
				  nodes.cpu[i]))
			continue;
		for (int j = 0; j < cpus.nr; j++)
			node_of[cpus.cpu[j]] = nodes.cpu[i];
		cpulist__free(&cpus);
	}
	cpulist__free(&nodes);
	return true;
}

/* The CPUs of a hybrid PMU; none when there is no PMU of that name. */
static struct cpulist read_type(const struct host_roots *roots, const char *pmu)
{
	struct cpulist cpus = {0};

	cpulist__read(&cpus, NULL, "%s/devices/%s/cpus", roots->sys, pmu);
	return cpus;
}

/* A number of <sys>/devices/system/cpu/cpuN/topology as JSON; null when it has none or it is -1. */
static json_t *topology_id(const struct host_roots *roots, int cpu, const char *file)
{
	long long id;

	if (sysfs__read_int(&id, "%s/devices/system/cpu/cpu%d/topology/%s", roots->sys, cpu,
			    file) ||
	    id < 0)
		return json_null();
	return json_integer(id);
}

/* One reason for all elements of an array that have this field null. */
static void note_nulls(const struct host_part *part, json_t *array, const char *field,
		       const char *path, const char *reason)
{
	json_t *element;
	size_t i;

	json_array_foreach(array, i, element) {
		if (json_is_null(json_object_get(element, field))) {
			host_part__note(part, path, reason);
			return;
		}
	}
}

static void describe_topology(const struct host_part *part, const struct cpulist *online)
{
	static const char no_type[] =
		"no cpu_core and cpu_atom PMU: CPUs of one kind, or the kernel does not say";
	struct cpulist big = read_type(part->roots, "cpu_core");
	struct cpulist little = read_type(part->roots, "cpu_atom");
	bool hybrid = big.nr || little.nr;
	short node_of[CPULIST_MAX_CPU + 1];
	json_t *array = json_array();
	bool has_nodes = read_nodes(part->roots, node_of);

	for (int i = 0; i < online->nr; i++) {
		int cpu = online->cpu[i];
		const char *type = cpulist__contains(&big, cpu)	     ? "P"
				   : cpulist__contains(&little, cpu) ? "E"
								     : NULL;
		json_t *node = node_of[cpu] < 0 ? json_null() : json_integer(node_of[cpu]);

		json_array_append_new(
			array, json_pack("{s:i, s:o, s:o, s:o, s:s?}", "cpu", cpu, "core",
					 topology_id(part->roots, cpu, "core_id"), "socket",
					 topology_id(part->roots, cpu, "physical_package_id"),
					 "node", node, "type", type));
	}
	cpulist__free(&big);
	cpulist__free(&little);
	if (!json_array_size(array)) {
		json_decref(array);
		host_part__absent(part, "topology", "%s", no_online);
		return;
	}
	host_part__set(part, "topology", array);
	note_nulls(part, array, "core", "topology[].core", not_said);
	note_nulls(part, array, "socket", "topology[].socket", not_said);
	note_nulls(part, array, "node", "topology[].node",
		   has_nodes ? "on no NUMA node" : "this kernel is built without NUMA");
	note_nulls(part, array, "type", "topology[].type",
		   hybrid ? "neither in the cpu_core nor in the cpu_atom PMU" : no_type);
}

static int cache_file(const struct host_part *part, int cpu, int i, const char *name, char *buf,
		      size_t size)
{
	int len = sysfs__read(buf, size, "%s/devices/system/cpu/cpu%d/cache/index%d/%s",
			      part->roots->sys, cpu, i, name);

	if (len <= 0)
		buf[0] = '\0';
	return len;
}

/* A count of that name as JSON, "32K" in bytes; null when the kernel does not know it. */
static json_t *cache_number(const struct host_part *part, int cpu, int i, const char *name)
{
	char text[32], *end;
	long long number;

	cache_file(part, cpu, i, name, text, sizeof(text));
	number = strtoll(text, &end, 10);
	if (*end == 'K')
		number <<= 10;
	else if (*end == 'M')
		number <<= 20;
	return number > 0 ? json_integer(number) : json_null();
}

static json_t *cache_kind(const struct host_part *part, int cpu, int i)
{
	char type[32];

	if (cache_file(part, cpu, i, "type", type, sizeof(type)) <= 0)
		return NULL;
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "level", cache_number(part, cpu, i, "level"),
			 "type", host_part__json_text(type), "size_bytes",
			 cache_number(part, cpu, i, "size"), "line_bytes",
			 cache_number(part, cpu, i, "coherency_line_size"), "ways",
			 cache_number(part, cpu, i, "ways_of_associativity"));
}

/* The element of `kinds` that is like `kind` in everything but `cpus`; adds it if there is none. */
static json_t *intern_kind(json_t *kinds, json_t *kind)
{
	json_t *known, *bare;
	bool same;
	size_t i;

	json_array_foreach(kinds, i, known) {
		bare = json_copy(known);
		json_object_del(bare, "cpus");
		same = json_equal(bare, kind);
		json_decref(bare);
		if (same) {
			json_decref(kind);
			return known;
		}
	}
	json_object_set_new(kind, "cpus", json_array());
	json_array_append_new(kinds, kind);
	return kind;
}

/* A cache is told by the first of the CPUs that share it. */
static void add_caches(const struct host_part *part, int cpu, json_t *kinds)
{
	char list[CPULIST_TEXT_SIZE];
	json_t *kind;

	for (int i = 0; i < MAX_CACHES; i++) {
		if (cache_file(part, cpu, i, "shared_cpu_list", list, sizeof(list)) <= 0)
			break;
		if (strtol(list, NULL, 10) != cpu)
			continue;
		kind = cache_kind(part, cpu, i);
		if (!kind)
			continue;
		kind = intern_kind(kinds, kind);
		json_array_append_new(json_object_get(kind, "cpus"), json_string(list));
	}
}

static void describe_caches(const struct host_part *part, const struct cpulist *online)
{
	json_t *kinds = json_array();

	for (int i = 0; i < online->nr; i++)
		add_caches(part, online->cpu[i], kinds);
	if (!json_array_size(kinds)) {
		json_decref(kinds);
		host_part__absent(part, "caches", "the kernel names no caches of the CPUs");
		return;
	}
	host_part__set(part, "caches", kinds);
	note_nulls(part, kinds, "level", "caches[].level", not_said);
	note_nulls(part, kinds, "size_bytes", "caches[].size_bytes", not_said);
	note_nulls(part, kinds, "line_bytes", "caches[].line_bytes", not_said);
	note_nulls(part, kinds, "ways", "caches[].ways", not_said);
}

void host__describe_cpu(const struct host_part *top, const struct cpulist *online)
{
	struct host_part part = host_part__open(top, "cpu", "cpu.");
	const char *sys = top->roots->sys;

	describe_identity(&part);
	host_part__file_list(&part, "isolated", NULL, sys, "devices/system/cpu/isolated");
	host_part__file_list(&part, "nohz_full",
			     "this kernel is built without it (CONFIG_NO_HZ_FULL)", sys,
			     "devices/system/cpu/nohz_full");
	host_part__file_text(&part, "online", NULL, sys, "devices/system/cpu/online");
	host_part__file_text(&part, "smt", NULL, sys, "devices/system/cpu/smt/control");
	describe_topology(&part, online);
	describe_caches(&part, online);
}
