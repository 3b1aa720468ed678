/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_MAP_MAP_ARGS_H
#define BPFPERF_BPF_MAP_MAP_ARGS_H

#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "lib/bench.h"
#include "lib/need.h"

/*
 * Parameters that hash maps of several benchmarks have in common. `type` is the benchmark's own
 * struct of arguments, with a uint64_t for each.
 */
enum { MAP_HASH, MAP_PERCPU_HASH };
enum { SEED_AUTO, SEED_ZERO, SEED_RANDOM };

#define PARAM_PREALLOC(type) \
	PARAM_NUMBER(type, prealloc, 1, 0, 1, "0: elements are allocated when they are inserted")
#define PARAM_MAP(type) PARAM_WORD(type, map, "hash|percpu_hash", "kind of map")
#define PARAM_HASH_SEED(type)                           \
	PARAM_WORD(type, hash_seed, "auto|zero|random", \
		   "zero repeats the chain lengths; auto: zero if CAP_SYS_ADMIN allows it")

/*
 * Type, flags and size of a hash map, before the load. What `hash_seed=auto` came to goes into
 * the document.
 */
static inline int map_args__apply(struct run *run, struct bpf_map *map, uint64_t type,
				  uint64_t prealloc, uint64_t hash_seed, uint64_t max_entries)
{
	bool zero = hash_seed == SEED_ZERO ||
		    (hash_seed == SEED_AUTO && need__capability("CAP_SYS_ADMIN"));
	int err;

	json_object_set_new(run->resolved, "hash_seed", json_string(zero ? "zero" : "random"));
	if (type == MAP_PERCPU_HASH) {
		err = bpf_map__set_type(map, BPF_MAP_TYPE_PERCPU_HASH);
		if (err)
			return err;
	}
	err = bpf_map__set_map_flags(map, (prealloc ? 0 : BPF_F_NO_PREALLOC) |
						  (zero ? BPF_F_ZERO_SEED : 0));
	return err ? err : bpf_map__set_max_entries(map, max_entries);
}

#endif
