// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpulist.h"
#include "lib/host_part.h"
#include "lib/sysfs.h"

#define MEMINFO_SIZE 8192

/* MemTotal of <proc>/meminfo or of a node's; null when the text has none. */
static json_t *total_kb(const char *meminfo)
{
	const char *total = strstr(meminfo, "MemTotal:");

	return total ? json_integer(strtoll(total + strlen("MemTotal:"), NULL, 10)) : json_null();
}

static void describe_total(const struct host_part *part)
{
	char meminfo[MEMINFO_SIZE];
	int len = sysfs__read(meminfo, sizeof(meminfo), "%s/meminfo", part->roots->proc);

	if (len < 0)
		host_part__unreadable(part, "total_kb", len, "/proc/meminfo does not exist");
	else if (!strstr(meminfo, "MemTotal:"))
		host_part__absent(part, "total_kb", "/proc/meminfo has no MemTotal");
	else
		host_part__set(part, "total_kb", total_kb(meminfo));
}

static json_t *describe_node(const struct host_part *part, int node)
{
	char meminfo[MEMINFO_SIZE] = "", list[CPULIST_TEXT_SIZE];
	const char *sys = part->roots->sys;
	bool has_list;

	has_list = sysfs__read(list, sizeof(list), "%s/devices/system/node/node%d/cpulist", sys,
			       node) >= 0;
	if (!has_list)
		host_part__note(part, "numa[].cpus", "cpulist of the node is not readable");
	if (sysfs__read(meminfo, sizeof(meminfo), "%s/devices/system/node/node%d/meminfo", sys,
			node) <= 0 ||
	    !strstr(meminfo, "MemTotal:"))
		host_part__note(part, "numa[].total_kb", "meminfo of the node has no MemTotal");
	return json_pack("{s:i, s:s?, s:o}", "node", node, "cpus", has_list ? list : NULL,
			 "total_kb", total_kb(meminfo));
}

static void describe_numa(const struct host_part *part)
{
	struct cpulist nodes;
	json_t *array;
	int err;

	err = cpulist__read(&nodes, NULL, "%s/devices/system/node/online", part->roots->sys);
	if (err) {
		host_part__unreadable(part, "numa", err,
				      "this kernel is built without NUMA (CONFIG_NUMA)");
		return;
	}
	array = json_array();
	for (int i = 0; i < nodes.nr; i++)
		json_array_append_new(array, describe_node(part, nodes.cpu[i]));
	cpulist__free(&nodes);
	host_part__set(part, "numa", array);
}

/* The choice in force stands in brackets: "always [madvise] never". */
static void describe_thp(const struct host_part *part)
{
	char text[128], *word;
	int len;

	len = sysfs__read(text, sizeof(text), "%s/kernel/mm/transparent_hugepage/enabled",
			  part->roots->sys);
	if (len < 0) {
		host_part__unreadable(part, "thp", len,
				      "no huge pages (CONFIG_TRANSPARENT_HUGEPAGE)");
		return;
	}
	word = strchr(text, '[');
	if (!word) {
		host_part__absent(part, "thp", "no choice in force in '%s'", text);
		return;
	}
	word[strcspn(word, "]")] = '\0';
	host_part__set_text(part, "thp", word + 1);
}

void host__describe_memory(const struct host_part *top)
{
	struct host_part part = host_part__open(top, "memory", "memory.");

	describe_total(&part);
	describe_numa(&part);
	describe_thp(&part);
}
