// SPDX-License-Identifier: GPL-2.0-only
#include "lib/map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/pulse.h"

/* struct htab_elem without its key, and struct bucket, on 64-bit kernels. */
#define ELEMENT_HEAD 48
#define BUCKET_SIZE  16

/* Elements of one system call: it costs then next to nothing, and the buffers stay small. */
#define CHUNK 4096

static uint64_t align8(uint64_t bytes)
{
	return (bytes + 7) & ~7ULL;
}

uint64_t map__hash_bytes(uint64_t max_entries, uint32_t key_size, int nr_cpus)
{
	uint64_t element = ELEMENT_HEAD + align8(key_size) + 8 + 8ULL * nr_cpus;
	uint64_t buckets = 1;

	while (buckets < max_entries)
		buckets *= 2;
	return buckets * BUCKET_SIZE + max_entries * element;
}

uint64_t map__array_bytes(uint64_t max_entries, uint32_t value_size)
{
	return max_entries * align8(value_size);
}

static bool has_value_per_cpu(const struct bpf_map_info *info)
{
	return info->type == BPF_MAP_TYPE_PERCPU_HASH || info->type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

struct chunk {
	uint32_t key_size;
	int nr_values; /* per element */
	char *keys;
	uint64_t *values;
};

static int init(struct chunk *chunk, int fd)
{
	struct bpf_map_info info = {0};
	uint32_t size = sizeof(info);
	int err = bpf_obj_get_info_by_fd(fd, &info, &size);

	if (err)
		return err;
	chunk->key_size = info.key_size;
	chunk->nr_values = has_value_per_cpu(&info) ? libbpf_num_possible_cpus() : 1;
	chunk->keys = malloc((size_t)CHUNK * chunk->key_size);
	chunk->values = malloc((size_t)CHUNK * chunk->nr_values * sizeof(*chunk->values));
	return chunk->keys && chunk->values ? 0 : -ENOMEM;
}

int map__fill(int fd, uint64_t nr,
	      void (*element)(uint64_t i, void *key, uint64_t *value, const void *arg),
	      const void *arg)
{
	struct chunk chunk = {0};
	int err = init(&chunk, fd);

	for (uint64_t first = 0; !err && first < nr; first += CHUNK) {
		uint32_t count = nr - first < CHUNK ? nr - first : CHUNK;
		uint64_t *value = chunk.values;

		memset(chunk.keys, 0, (size_t)count * chunk.key_size);
		for (uint32_t i = 0; i < count; i++, value += chunk.nr_values) {
			element(first + i, chunk.keys + (size_t)i * chunk.key_size, value, arg);
			for (int cpu = 1; cpu < chunk.nr_values; cpu++)
				value[cpu] = value[0];
		}
		err = bpf_map_update_batch(fd, chunk.keys, chunk.values, &count, NULL);
		pulse__beat();
	}
	free(chunk.keys);
	free(chunk.values);
	return err;
}

void map__note_inner(struct bpf_map *outer, struct map_inner *ret)
{
	const struct bpf_map *model = bpf_map__inner_map(outer);

	*ret = (struct map_inner){
		.type = bpf_map__type(model),
		.key_size = bpf_map__key_size(model),
		.value_size = bpf_map__value_size(model),
		.opts = {.sz = sizeof(ret->opts),
			 .map_flags = bpf_map__map_flags(model),
			 .btf_key_type_id = bpf_map__btf_key_type_id(model),
			 .btf_value_type_id = bpf_map__btf_value_type_id(model)},
	};
}

static int create_inner(const struct bpf_object *obj, const struct map_inner *inner,
			uint32_t max_entries)
{
	struct bpf_map_create_opts opts = inner->opts;
	int fd;

	opts.btf_fd = bpf_object__btf_fd(obj);
	fd = bpf_map_create(inner->type, "inner", inner->key_size, inner->value_size, max_entries,
			    &opts);
	return fd < 0 ? -errno : fd;
}

/*
 * An update of a map-in-map waits for a grace period, 15 ms here; a batch waits once since 6.8. A
 * thousand maps one by one took 17 s.
 */
#define INNER_CHUNK 64

static int add_chunk(const struct bpf_object *obj, const struct bpf_map *outer,
		     const struct map_inner *inner, uint32_t max_entries, uint32_t first,
		     uint32_t count, int (*fill)(int fd, const void *arg), const void *arg)
{
	uint32_t keys[INNER_CHUNK], made = 0;
	int fds[INNER_CHUNK], err = 0;

	for (; !err && made < count; made += !err) {
		keys[made] = first + made;
		fds[made] = create_inner(obj, inner, max_entries);
		if (fds[made] < 0)
			return fds[made];
		err = fill ? fill(fds[made], arg) : 0;
	}
	if (!err)
		err = bpf_map_update_batch(bpf_map__fd(outer), keys, fds, &count, NULL);
	while (made)
		close(fds[--made]);
	return err;
}

int map__add_inner(const struct bpf_object *obj, const struct bpf_map *outer,
		   const struct map_inner *inner, uint32_t max_entries, uint32_t nr,
		   int (*fill)(int fd, const void *arg), const void *arg)
{
	int err = 0;

	for (uint32_t first = 0; !err && first < nr; first += INNER_CHUNK) {
		uint32_t count = nr - first < INNER_CHUNK ? nr - first : INNER_CHUNK;

		err = add_chunk(obj, outer, inner, max_entries, first, count, fill, arg);
	}
	return err;
}
