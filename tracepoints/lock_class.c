// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/lock_class.h"

#include <stdbool.h>
#include <string.h>

/*
 * In this order: a freelist lock is taken below a bucket's functions, and an LRU's too. A name
 * that ends in '*' stands for all that begin so.
 */
struct rule {
	const char *class;
	const char *functions[12];
};

static const struct rule rules[] = {
	{"percpu_freelist",
	 {"___pcpu_freelist_pop", "__pcpu_freelist_pop", "pcpu_freelist_pop",
	  "___pcpu_freelist_push", "__pcpu_freelist_push", "pcpu_freelist_push",
	  "pcpu_freelist_populate"}},
	{"LRU",
	 {"bpf_lru_*", "__bpf_lru_*", "bpf_common_lru_*", "bpf_percpu_lru_*", "__local_list_*"}},
	{"allocator",
	 {"unit_alloc", "unit_free", "alloc_bulk", "free_bulk", "bpf_mem_*", "___slab_alloc",
	  "__slab_*", "kmem_cache_*", "rmqueue*", "free_unref_*", "__rmqueue*",
	  "get_page_from_freelist"}},
	{"hash bucket",
	 {"htab_lock_bucket", "htab_map_*", "htab_lru_*", "__htab_*", "htab_percpu_*",
	  "bpf_hash_map_*"}},
	{"ring buffer", {"__bpf_ringbuf_reserve", "bpf_ringbuf_*", "bpf_user_ringbuf_*"}},
	{"LPM trie", {"trie_update_elem", "trie_delete_elem", "trie_lookup_elem"}},
	{"queue/stack",
	 {"queue_stack_map_*", "__queue_map_get", "__stack_map_get", "queue_map_*",
	  "stack_map_p*"}},
	{"local storage",
	 {"bpf_local_storage_*", "bpf_selem_*", "bpf_task_storage_*", "bpf_sk_storage_*",
	  "bpf_cgrp_storage_*", "bpf_inode_storage_*"}},
	{"mmap",
	 {"mmap_read_lock*", "mmap_write_lock*", "vm_mmap_*", "__vm_munmap", "do_mmap",
	  "__do_mmap*", "vm_munmap", "do_user_addr_fault", "lock_mm_and_find_vma",
	  "__x64_sys_m*map", "__arm64_sys_m*map", "exit_mmap"}},
};

/* What lies between the tracepoint and the function that wanted the lock. */
static const char *const lock_functions[] = {
	"bpf_get_stack*",
	"bpf_prog_*",
	"bpf_trace_run*",
	"__bpf_trace_*",
	"__traceiter_*",
	"trace_contention_*",
	"bpf_trampoline_*",
	"native_queued_spin_lock_*",
	"queued_spin_lock_*",
	"__pv_queued_spin_lock_*",
	"resilient_*",
	"queued_read_lock_*",
	"queued_write_lock_*",
	"_raw_*",
	"__raw_*",
	"rwsem_*",
	"down_*",
	"__down*",
	"mutex_*",
	"__mutex_*",
	"percpu_down_*",
	"__percpu_down_*",
	"do_raw_*",
	"lock_acquire*",
	"up_*",
	"rt_*",
	"__rt_*",
	"schedule*",
	"__schedule",
	"mmap_read_lock*",
	"mmap_write_lock*",
	"htab_lock_bucket",
};

/* An interrupt's stack ends here: what it interrupted does not want its locks. */
static const char *const boundaries[] = {
	"asm_sysvec_*",
	"asm_common_interrupt",
	"asm_exc_*",
	"sysvec_*",
	"common_interrupt",
	"irq_exit*",
	"__irq_exit*",
	"handle_softirqs",
	"__do_softirq",
	"do_softirq*",
	"el1_*",
	"el1h_*",
	"call_on_irq_stack",
	"gic_handle_irq*",
};

static bool matches(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(pattern, name, len - 1);
	return !strcmp(pattern, name);
}

/* The frames that belong to the context of the lock itself. */
static size_t own_frames(const char *const *frames, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		for (size_t j = 0; frames[i] && j < sizeof(boundaries) / sizeof(boundaries[0]); j++)
			if (matches(boundaries[j], frames[i]))
				return i;
	return nr;
}

static bool rule_matches(const struct rule *rule, const char *const *frames, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		for (size_t j = 0; frames[i] && j < 12 && rule->functions[j]; j++)
			if (matches(rule->functions[j], frames[i]))
				return true;
	return false;
}

const char *lock_class__of(const char *const *frames, size_t nr)
{
	bool named = false;

	for (size_t i = 0; i < nr; i++)
		named |= frames[i] != NULL;
	nr = own_frames(frames, nr);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rule_matches(&rules[i], frames, nr))
			return rules[i].class;
	return named ? "other" : "unresolved";
}

static bool is_lock_function(const char *name)
{
	for (size_t i = 0; i < sizeof(lock_functions) / sizeof(lock_functions[0]); i++)
		if (matches(lock_functions[i], name))
			return true;
	return false;
}

const char *lock_class__caller(const char *const *frames, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (frames[i] && !is_lock_function(frames[i]))
			return frames[i];
	return NULL;
}
