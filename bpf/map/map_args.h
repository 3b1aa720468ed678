/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_BPF_MAP_MAP_ARGS_H
#define BPFPERF_BPF_MAP_MAP_ARGS_H

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>

#include "lib/bench.h"
#include "lib/map.h"
#include "lib/memory.h"
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

/* Flags of a hash map. What `hash_seed=auto` came to goes into the document. */
static inline int map_args__flags(struct run *run, uint64_t prealloc, uint64_t hash_seed,
				  uint32_t *ret)
{
	bool may_zero = need__capability("CAP_SYS_ADMIN");
	bool zero = hash_seed == SEED_ZERO || (hash_seed == SEED_AUTO && may_zero);

	if (zero && !may_zero)
		return why__set(&run->why, -EPERM,
				"hash_seed=zero needs CAP_SYS_ADMIN (auto takes a random one)");
	json_object_set_new(run->resolved, "hash_seed", json_string(zero ? "zero" : "random"));
	*ret = (prealloc ? 0 : BPF_F_NO_PREALLOC) | (zero ? BPF_F_ZERO_SEED : 0);
	return 0;
}

/* Is there room for a full hash map with keys of 4 bytes, and `others`, the bytes of other maps? */
static inline int map_args__check_room(struct run *run, uint64_t type, uint64_t max_entries,
				       uint64_t others)
{
	int nr_cpus = type == MAP_PERCPU_HASH ? libbpf_num_possible_cpus() : 0;

	if (nr_cpus < 0)
		return why__errno(&run->why, nr_cpus, "cannot count the CPUs");
	return memory__check("/proc",
			     map__hash_bytes(max_entries, sizeof(uint32_t), nr_cpus) + others,
			     "the map", &run->why);
}

/* Type, flags and size of a hash map, before the load. */
static inline int map_args__apply(struct run *run, struct bpf_map *map, uint64_t type,
				  uint64_t prealloc, uint64_t hash_seed, uint64_t max_entries)
{
	uint32_t flags = 0;
	int err = map_args__flags(run, prealloc, hash_seed, &flags);

	err = err ? err : bpf_map__set_map_flags(map, flags);
	if (!err && type == MAP_PERCPU_HASH)
		err = bpf_map__set_type(map, BPF_MAP_TYPE_PERCPU_HASH);
	return err ? err : bpf_map__set_max_entries(map, max_entries);
}

#endif
