/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_HOST_H
#define BPFPERF_LIB_HOST_H

#include <jansson.h>

/* Where to look; arguments, so that tests can bring a tree of their own. */
struct host_roots {
	const char *sys;
	const char *proc;
	const char *boot;
};

#define HOST_ROOTS_DEFAULT                                      \
	{                                                       \
		.sys = "/sys", .proc = "/proc", .boot = "/boot" \
	}

/*
 * One element of the result document's `boots`: what about this machine and this boot can make a
 * BPF benchmark faster or slower. `timing` is "native", "emulated" or "icount"; a guest cannot
 * know, so the caller says. Returns a new reference, or NULL when memory ran out. To be called
 * before the first program is loaded, since it counts those that were there before.
 *
 * Every field holds what the kernel said, or null; a null is never a 0 or an empty string in
 * disguise, and the element's object `absent` gives its reason in plain words under its dotted
 * path: {"kernel.git": "this kernel's version string names no commit"}. A null object stands for
 * all its fields, and "cpu.topology[].type" for that field of every element that has it null.
 *
 * What is not obvious about the fields:
 * kernel.build_id      the GNU build id of vmlinux, hex
 * kernel.git           abbreviated commit, as setlocalversion writes it; `release` says "-dirty"
 * kernel.config_sha256 of the configuration uncompressed, so that both its sources agree
 * kernel.config_selected  "n" also where this kernel has no such option; one that was renamed
 *                      goes by its newest name
 * kernel.modules_sha256   of the loaded modules' names, sorted, each with a newline
 * bpf.loaded_progs_before  programs of every kind in the kernel, not only ours
 * cpu.vendor ...       of the first CPU; on arm64 `family` is the architecture, `model_id` the
 *                      part number and `model` part and revision
 * cpu.isolated, cpu.nohz_full  kernel lists; "" means that there are none
 * cpu.topology         online CPUs; `type` is "P" or "E" on hybrid machines
 * cpu.caches           one element per kind; `cpus` has a list for each cache of that kind
 * power.governor       {list of CPUs: governor}
 * power.min_khz, max_khz  what the policy allows now: the lowest and the highest of all CPUs
 * power.cstate_max     the deepest idle state enabled on the first online CPU
 * memory.numa          elements {node, cpus, total_kb}
 * virt                 "none", kvm, xen, vmware, hyperv, tcg, qemu (one that hides, but for its
 *                      firmware), or the hypervisor's own signature
 * uptime_s             whole seconds
 */
json_t *host__describe(const struct host_roots *roots, const char *timing);

#endif
