/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_MAP_H
#define BPFPERF_LIB_MAP_H

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdint.h>

#include "lib/why.h"

/* What benchmarks with large maps share: their size, and filling them. */

/*
 * Bytes that the kernel takes for a hash map with values of 8 bytes: its buckets and all of its
 * elements. `nr_cpus` is 0 for one value per element, else the number of values.
 */
uint64_t map__hash_bytes(uint64_t max_entries, uint32_t key_size, int nr_cpus);

/* The same for an array map. */
uint64_t map__array_bytes(uint64_t max_entries, uint32_t value_size);

/*
 * Inserts elements 0..nr-1 of a hash map with values of 8 bytes; a map with a value per CPU gets
 * the same on each. `element` writes the key, which is zeroed, and the value. 0 or -errno.
 */
int map__fill(int fd, uint64_t nr,
	      void (*element)(uint64_t i, void *key, uint64_t *value, const void *arg),
	      const void *arg);

/*
 * The maps in a map-in-map. libbpf forgets what they have to be like when it loads the object, so
 * that this is noted before.
 */
struct map_inner {
	enum bpf_map_type type;
	uint32_t key_size, value_size;
	struct bpf_map_create_opts opts;
};

void map__note_inner(struct bpf_map *outer, struct map_inner *ret);

/*
 * Creates maps 0..nr-1 of `outer`, which keeps them alive: no file descriptor stays open, since a
 * thousand are more than many systems allow. `fill`, if any, is called for each. 0 or -errno; the
 * process is then of no further use.
 */
int map__add_inner(const struct bpf_object *obj, const struct bpf_map *outer,
		   const struct map_inner *inner, uint32_t max_entries, uint32_t nr,
		   int (*fill)(int fd, const void *arg), const void *arg);

#endif
