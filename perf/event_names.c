// SPDX-License-Identifier: GPL-2.0-only
#include "perf/event_names.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define ARRAY_SIZE(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define HW(id, ...)                                                                   \
	{                                                                             \
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##id, __VA_ARGS__ \
	}
#define SW(id, ...)                                                                   \
	{                                                                             \
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_##id, __VA_ARGS__ \
	}
#define NAMES(name_, alias_) .name = name_, .alias = alias_
#define LOWER(unit_)	     .unit = unit_, .better = BETTER_LOWER
#define NEITHER(unit_)	     .unit = unit_, .better = BETTER_NONE

static const struct event_name names[] = {
	HW(CPU_CYCLES, NAMES("cycles", "cpu-cycles"), LOWER("cycles")),
	HW(INSTRUCTIONS, NAMES("instructions", NULL), LOWER("instructions"),
	   .class = METRIC_REPEATABLE),
	HW(CACHE_REFERENCES, NAMES("cache-references", NULL), NEITHER("references")),
	HW(CACHE_MISSES, NAMES("cache-misses", NULL), LOWER("misses")),
	HW(BRANCH_INSTRUCTIONS, NAMES("branches", "branch-instructions"), NEITHER("branches")),
	HW(BRANCH_MISSES, NAMES("branch-misses", NULL), LOWER("misses")),
	HW(BUS_CYCLES, NAMES("bus-cycles", NULL), LOWER("cycles")),
	HW(STALLED_CYCLES_FRONTEND, NAMES("stalled-cycles-frontend", "idle-cycles-frontend"),
	   LOWER("cycles")),
	HW(STALLED_CYCLES_BACKEND, NAMES("stalled-cycles-backend", "idle-cycles-backend"),
	   LOWER("cycles")),
	HW(REF_CPU_CYCLES, NAMES("ref-cycles", NULL), LOWER("cycles")),

	SW(CPU_CLOCK, NAMES("cpu-clock", NULL), LOWER("ns"), .clock = true),
	SW(TASK_CLOCK, NAMES("task-clock", NULL), LOWER("ns"), .clock = true),
	SW(PAGE_FAULTS, NAMES("page-faults", "faults"), LOWER("faults")),
	SW(CONTEXT_SWITCHES, NAMES("context-switches", "cs"), LOWER("switches"),
	   .kernel_only = true),
	SW(CPU_MIGRATIONS, NAMES("cpu-migrations", "migrations"), LOWER("migrations"),
	   .kernel_only = true),
	SW(PAGE_FAULTS_MIN, NAMES("minor-faults", NULL), LOWER("faults")),
	SW(PAGE_FAULTS_MAJ, NAMES("major-faults", NULL), LOWER("faults")),
	SW(ALIGNMENT_FAULTS, NAMES("alignment-faults", NULL), LOWER("faults")),
	SW(EMULATION_FAULTS, NAMES("emulation-faults", NULL), LOWER("faults")),
	SW(DUMMY, NAMES("dummy", NULL), NEITHER("events")),
	SW(BPF_OUTPUT, NAMES("bpf-output", NULL), NEITHER("events")),
	SW(CGROUP_SWITCHES, NAMES("cgroup-switches", NULL), LOWER("switches"), .kernel_only = true),
};

/* A component of a cache event; the first spelling is perf's own. */
struct component {
	const char *spellings[5];
	unsigned int ops; /* of a cache: bit mask of the operations that it has */
};

#define OP(id)	(1u << PERF_COUNT_HW_CACHE_OP_##id)
#define ALL_OPS (OP(READ) | OP(WRITE) | OP(PREFETCH))

/* Which cache has which operation is perf's own choice, so that perf's names stay valid here. */
static const struct component caches[PERF_COUNT_HW_CACHE_MAX] = {
	[PERF_COUNT_HW_CACHE_L1D] = {{"L1-dcache", "l1-d", "l1d", "L1-data"}, ALL_OPS},
	[PERF_COUNT_HW_CACHE_L1I] = {{"L1-icache", "l1-i", "l1i", "L1-instruction"},
				     OP(READ) | OP(PREFETCH)},
	[PERF_COUNT_HW_CACHE_LL] = {{"LLC", "L2"}, ALL_OPS},
	[PERF_COUNT_HW_CACHE_DTLB] = {{"dTLB", "d-tlb", "Data-TLB"}, ALL_OPS},
	[PERF_COUNT_HW_CACHE_ITLB] = {{"iTLB", "i-tlb", "Instruction-TLB"}, OP(READ)},
	[PERF_COUNT_HW_CACHE_BPU] = {{"branch", "branches", "bpu", "btb", "bpc"}, OP(READ)},
	[PERF_COUNT_HW_CACHE_NODE] = {{"node"}, ALL_OPS},
};

static const struct component ops[PERF_COUNT_HW_CACHE_OP_MAX] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = {{"load", "loads", "read"}, 0},
	[PERF_COUNT_HW_CACHE_OP_WRITE] = {{"store", "stores", "write"}, 0},
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = {{"prefetch", "prefetches", "speculative-read",
					      "speculative-load"},
					     0},
};

static const struct component results[PERF_COUNT_HW_CACHE_RESULT_MAX] = {
	[PERF_COUNT_HW_CACHE_RESULT_ACCESS] = {{"refs", "Reference", "ops", "access"}, 0},
	[PERF_COUNT_HW_CACHE_RESULT_MISS] = {{"misses", "miss"}, 0},
};

const struct event_name *event_name__find(const char *name)
{
	for (int i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i].name))
			return &names[i];
		if (names[i].alias && !strcmp(name, names[i].alias))
			return &names[i];
	}
	return NULL;
}

/* Length of `word` when `text` begins with it and goes on with '-' or not at all, else 0. */
static size_t match(const char *text, const char *word)
{
	size_t len = strlen(word);

	if (strncasecmp(text, word, len) || (text[len] && text[len] != '-'))
		return 0;
	return len;
}

/* The index of the component at *text, which moves behind it and its '-'; -1: none of these. */
static int take(const char **text, const struct component *set, int nr)
{
	for (int i = 0; i < nr; i++) {
		for (int j = 0; j < ARRAY_SIZE(set[i].spellings); j++) {
			const char *word = set[i].spellings[j];
			size_t len = word ? match(*text, word) : 0;

			if (!len)
				continue;
			*text += len;
			/* A '-' at the end is left for the caller to stumble over. */
			if ((*text)[0] == '-' && (*text)[1])
				(*text)++;
			return i;
		}
	}
	return -1;
}

int event_name__parse_cache(const char *name, struct event_name *ret_event)
{
	const char *pos = name;
	int cache = take(&pos, caches, ARRAY_SIZE(caches));
	int op = -1, result = -1;

	if (cache < 0)
		return -ENOENT;
	/* perf takes the operation and the result in either order. */
	for (int i = 0; i < 2 && *pos; i++) {
		if (op < 0) {
			op = take(&pos, ops, ARRAY_SIZE(ops));
			if (op >= 0)
				continue;
		}
		if (result < 0)
			result = take(&pos, results, ARRAY_SIZE(results));
	}
	if (op < 0)
		op = PERF_COUNT_HW_CACHE_OP_READ;
	if (result < 0)
		result = PERF_COUNT_HW_CACHE_RESULT_ACCESS;
	if (*pos || !(caches[cache].ops & 1u << op))
		return -EINVAL;
	*ret_event = (struct event_name){
		.type = PERF_TYPE_HW_CACHE,
		.config = (uint64_t)(cache | op << 8 | result << 16),
		.unit = result == PERF_COUNT_HW_CACHE_RESULT_MISS ? "misses" : "accesses",
		.better = result == PERF_COUNT_HW_CACHE_RESULT_MISS ? BETTER_LOWER : BETTER_NONE,
	};
	return 0;
}

static bool nth_cache(int i, char *buf, size_t size)
{
	int nr_combinations = ARRAY_SIZE(ops) * ARRAY_SIZE(results);

	for (int cache = 0; cache < ARRAY_SIZE(caches); cache++) {
		for (int j = 0; j < nr_combinations; j++) {
			int op = j / ARRAY_SIZE(results);

			if (!(caches[cache].ops & 1u << op) || i--)
				continue;
			/* perf says "LLC-loads", but "LLC-load-misses". */
			if (j % ARRAY_SIZE(results) == PERF_COUNT_HW_CACHE_RESULT_ACCESS)
				snprintf(buf, size, "%s-%s", caches[cache].spellings[0],
					 ops[op].spellings[1]);
			else
				snprintf(buf, size, "%s-%s-misses", caches[cache].spellings[0],
					 ops[op].spellings[0]);
			return true;
		}
	}
	return false;
}

bool event_name__nth(int i, char *buf, size_t size)
{
	if (i < 0)
		return false;
	if (i >= ARRAY_SIZE(names))
		return nth_cache(i - ARRAY_SIZE(names), buf, size);
	snprintf(buf, size, "%s", names[i].name);
	return true;
}
