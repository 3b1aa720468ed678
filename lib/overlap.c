// SPDX-License-Identifier: GPL-2.0-only
#include "lib/overlap.h"

#include <stdbool.h>
#include <stdio.h>

#include "lib/result.h"

/* Called with each run that gave values; true: it is to be counted. */
typedef bool (*run_test)(json_t *index, const char *key, json_t *run);
static void name_run(const json_t *document, const json_t *benchmark, const json_t *run, char *buf,
		     size_t size)
{
	const json_t *boot = json_array_get(json_object_get(document, "boots"),
					    json_integer_value(json_object_get(run, "boot")));
	const json_t *start = json_object_get(run, "t0_mono_ns");
	const char *boot_id = json__string(boot, "boot_id", "?");

	if (json_is_integer(start))
		snprintf(buf, size, "%.80s at %lld", boot_id, (long long)json_integer_value(start));
	else
		snprintf(buf, size, "%.80s in %.80s: %lld of %.200s", boot_id,
			 json__string(document, "id", "?"),
			 (long long)json_integer_value(json_object_get(run, "n")),
			 json__string(benchmark, "key", "?"));
}

/* Only those of the entry that its row compares; NULL: all. */
static size_t count_benchmark(const json_t *document, const json_t *benchmark,
			      const struct entry *entry, run_test test, json_t *index)
{
	size_t i, nr = 0;
	char key[400];
	json_t *run;

	json_array_foreach(json_object_get(benchmark, "runs"), i, run) {
		if (!json_is_object(json_object_get(run, "values")) ||
		    (entry && !entry__has(entry, run, "clean")))
			continue;
		name_run(document, benchmark, run, key, sizeof(key));
		nr += test(index, key, run);
	}
	return nr;
}

static size_t count_runs(const json_t *document, run_test test, json_t *index)
{
	const json_t *benchmark;
	size_t i, nr = 0;

	json_array_foreach(json_object_get(document, "benchmarks"), i, benchmark)
		nr += count_benchmark(document, benchmark, NULL, test, index);
	return nr;
}

static bool remember(json_t *index, const char *key, json_t *run)
{
	return !json_object_set(index, key, run);
}

static bool is_known(json_t *index, const char *key, json_t *run)
{
	return json_equal(json_object_get(json_object_get(index, key), "values"),
			  json_object_get(run, "values"));
}

static bool any(json_t *index, const char *key, json_t *run)
{
	(void)index;
	(void)key;
	(void)run;
	return true;
}

enum overlap overlap__find(const json_t *before, const json_t *after)
{
	json_t *index = json_object();
	size_t nr_before = count_runs(before, remember, index);
	size_t nr_after = count_runs(after, any, NULL);
	size_t common = count_runs(after, is_known, index);

	json_decref(index);
	if (!common)
		return OVERLAP_NONE;
	return common == nr_before && common == nr_after ? OVERLAP_ALL : OVERLAP_SOME;
}

size_t overlap__count(const struct overlap_side *before, const struct overlap_side *after)
{
	json_t *index = json_object();
	size_t common;

	count_benchmark(before->document, before->entry->benchmark, before->entry, remember, index);
	common = count_benchmark(after->document, after->entry->benchmark, after->entry, is_known,
				 index);
	json_decref(index);
	return common;
}

const char *overlap__text(enum overlap overlap)
{
	return overlap == OVERLAP_ALL ? "both are the same document" : "";
}
