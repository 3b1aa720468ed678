// SPDX-License-Identifier: GPL-2.0-only
#include "lib/map.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdbool.h>
#include <string.h>

#include "tests/unit/unit.h"

/* A kernel with more possible CPUs than any machine at hand has online. */
#define POSSIBLE_CPUS 128
#define NR_ELEMENTS   5000

static uint64_t nr_filled;
static enum bpf_map_type map_type;

/* Take the place of libbpf's. */
int libbpf_num_possible_cpus(void)
{
	return POSSIBLE_CPUS;
}

int bpf_obj_get_info_by_fd(int fd, void *info, __u32 *len)
{
	const struct bpf_map_info map = {.type = map_type, .key_size = 4, .value_size = 8};

	(void)fd;
	ck_assert_uint_ge(*len, sizeof(map));
	memcpy(info, &map, sizeof(map));
	return 0;
}

/* Reads as the kernel does: a value for every possible CPU, each rounded up to 8 bytes. */
int bpf_map_update_batch(int fd, const void *keys, const void *values, __u32 *count,
			 const struct bpf_map_batch_opts *opts)
{
	uint32_t per_element = map_type == BPF_MAP_TYPE_PERCPU_HASH ? POSSIBLE_CPUS : 1;
	const uint64_t *value = values;
	const uint32_t *key = keys;
	bool same = true;

	(void)fd, (void)opts;
	for (uint32_t i = 0; i < *count; i++, nr_filled++) {
		same &= key[i] == nr_filled;
		for (uint32_t cpu = 0; cpu < per_element; cpu++)
			same &= *value++ == 3 * nr_filled;
	}
	ck_assert(same);
	return 0;
}

static void element(uint64_t i, void *key, uint64_t *value, const void *arg)
{
	const uint32_t number = i;

	ck_assert_ptr_null(arg);
	memcpy(key, &number, sizeof(number));
	*value = 3 * i;
}

/*
 * Sized by the CPUs that are online, the buffer was read beyond its end by the kernel. The sanitizer
 * watches over the buffer here.
 */
START_TEST(report_parca_agent_1696_a_value_for_every_possible_cpu)
{
	static const enum bpf_map_type types[] = {BPF_MAP_TYPE_PERCPU_HASH, BPF_MAP_TYPE_HASH};

	for (int i = 0; i < 2; i++) {
		map_type = types[i];
		nr_filled = 0;
		ck_assert_int_eq(map__fill(-1, NR_ELEMENTS, element, NULL), 0);
		ck_assert_uint_eq(nr_filled, NR_ELEMENTS);
	}
}
END_TEST

UNIT_MAIN("map", report_parca_agent_1696_a_value_for_every_possible_cpu)
