// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/unit.h"

#include "tests/unit/host_tree.h"

#define CPU "sys/devices/system/cpu/"

/* A hybrid machine: a P core with two threads, and an E core on a node of its own. */
static const struct file hybrid[] = {
	{"proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
			 "model\t\t: 151\nmodel name\t: Some \xff CPU\nstepping\t: 2\n"
			 "microcode\t: 0x2e\nflags\t\t: fpu vme\n\nprocessor\t: 1\n"},
	{"sys/devices/system/clocksource/clocksource0/current_clocksource", "\n"},
	{CPU "online", "0-2\n"},
	{CPU "isolated", "\n"},
	{CPU "nohz_full", "  (null)\n"},
	{CPU "smt/control", "on\n"},
	{CPU "cpu0/topology/core_id", "0\n"},
	{CPU "cpu1/topology/core_id", "0\n"},
	{CPU "cpu2/topology/core_id", "8\n"},
	{CPU "cpu0/topology/physical_package_id", "0\n"},
	{CPU "cpu1/topology/physical_package_id", "0\n"},
	{CPU "cpu2/topology/physical_package_id", "-1\n"},
	{"sys/devices/cpu_core/cpus", "0-1\n"},
	{"sys/devices/cpu_atom/cpus", "2\n"},
	{"sys/devices/system/node/online", "0,3\n"},
	{"sys/devices/system/node/node0/cpulist", "0-1\n"},
	{"sys/devices/system/node/node3/cpulist", "2\n"},
	{"sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:  4096 kB\nNode 0 MemFree: 1\n"},
	{"proc/meminfo", "MemTotal:       8192 kB\nMemFree: 1 kB\n"},
	{CPU "cpu0/cache/index0/shared_cpu_list", "0-1\n"},
	{CPU "cpu0/cache/index0/type", "Data\n"},
	{CPU "cpu0/cache/index0/level", "1\n"},
	{CPU "cpu0/cache/index0/size", "48K\n"},
	{CPU "cpu1/cache/index0/shared_cpu_list", "0-1\n"},
	{CPU "cpu2/cache/index0/shared_cpu_list", "2\n"},
	{CPU "cpu2/cache/index0/type", "Data\n"},
	{CPU "cpu2/cache/index0/level", "1\n"},
	{CPU "cpu2/cache/index0/size", "48K\n"},
	{CPU "cpu0/cpufreq/scaling_driver", "intel_pstate\n"},
	{CPU "cpu1/cpufreq/scaling_driver", "intel_pstate\n"},
	{CPU "cpu0/cpufreq/scaling_governor", "performance\n"},
	{CPU "cpu1/cpufreq/scaling_governor", "performance\n"},
	{CPU "cpu2/cpufreq/scaling_governor", "powersave\n"},
	{CPU "cpu0/cpufreq/energy_performance_preference", "performance\n"},
	{CPU "cpu2/cpufreq/energy_performance_preference", "power\n"},
	{CPU "cpu0/cpufreq/scaling_min_freq", "800000\n"},
	{CPU "cpu2/cpufreq/scaling_min_freq", "700000\n"},
	{CPU "cpu0/cpufreq/scaling_max_freq", "5000000\n"},
	{CPU "cpu2/cpufreq/scaling_max_freq", "3900000\n"},
	{CPU "intel_pstate/no_turbo", "1\n"},
	{CPU "cpufreq/boost", "1\n"},
	{CPU "cpu0/cpuidle/state0/name", "POLL\n"},
	{CPU "cpu0/cpuidle/state0/disable", "0\n"},
	{CPU "cpu0/cpuidle/state1/name", "C1E\n"},
	{CPU "cpu0/cpuidle/state1/disable", "0\n"},
	{CPU "cpu0/cpuidle/state2/name", "C6\n"},
	{CPU "cpu0/cpuidle/state2/disable", "1\n"},
};

static void expect_hybrid_cpus(json_t *boot)
{
	expect_text(boot, "cpu.vendor", "GenuineIntel");
	expect_text(boot, "cpu.model", "Some ? CPU");
	expect_int(boot, "cpu.model_id", 151);
	expect_text(boot, "cpu.microcode", "0x2e");
	expect_text(boot, "cpu.isolated", "");
	expect_text(boot, "cpu.nohz_full", "");
	expect_int(boot, "cpu.topology.1.core", 0);
	expect_text(boot, "cpu.topology.1.type", "P");
	expect_int(boot, "cpu.topology.2.core", 8);
	expect_int(boot, "cpu.topology.2.node", 3);
	expect_text(boot, "cpu.topology.2.type", "E");
	ck_assert(json_is_null(at(boot, "cpu.topology.2.socket")));
	ck_assert_uint_eq(json_array_size(at(boot, "cpu.caches")), 1);
	expect_int(boot, "cpu.caches.0.size_bytes", 48 * 1024);
	expect_text(boot, "cpu.caches.0.cpus.0", "0-1");
	expect_text(boot, "cpu.caches.0.cpus.1", "2");
	expect_text(boot, "virt", "none");
}

START_TEST(report_benchmark_325_governor_and_turbo_are_recorded)
{
	struct tree tree;
	json_t *boot;

	tree_make(&tree);
	PUT_FILES(&tree, hybrid);
	boot = describe(&tree);
	expect_hybrid_cpus(boot);
	expect_absent(boot, "clocksource", "is empty");
	expect_text(boot, "power.driver", "intel_pstate");
	expect_text(boot, "power.governor.0-1", "performance");
	expect_text(boot, "power.governor.2", "powersave");
	expect_absent(boot, "power.epp", "not the same on all CPUs: 'performance' and 'power'");
	expect_int(boot, "power.min_khz", 700000);
	expect_int(boot, "power.max_khz", 5000000);
	ck_assert(json_is_false(at(boot, "power.turbo")));
	expect_text(boot, "power.cstate_max", "C1E");
	expect_int(boot, "memory.total_kb", 8192);
	expect_int(boot, "memory.numa.0.total_kb", 4096);
	ck_assert(json_is_null(at(boot, "memory.numa.1.total_kb")));
	json_decref(boot);
	tree_remove(&tree);
}
END_TEST

static const struct file arm[] = {
	{"proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n"
			 "CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n"
			 "CPU revision\t: 1\n\nprocessor\t: 1\n"},
	{"proc/device-tree/fw-cfg@9020000/compatible", "qemu,fw-cfg-mmio"},
	{"proc/sys/net/core/bpf_jit_enable", "yes\n"},
	{"proc/sys/net/core/bpf_jit_harden/x", ""},
	{"proc/sys/kernel/hostname",
	 "\xed\xa0\x80 \xc0\xaf \xf4\x90\x80\x80 \xe2\x82 \xf0\x9f\x90\x9d"},
	{"sys/kernel/security/lsm", "capability,bpf\n"},
	{"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
	{CPU "vulnerabilities/spectre_v2", "Mitigation: CSV2, BHB\n"},
	{"proc/uptime", "812.99 1.00\n"},
};

START_TEST(arm_machine)
{
	struct tree tree;
	json_t *boot;

	tree_make(&tree);
	PUT_FILES(&tree, arm);
	boot = describe(&tree);
	expect_text(boot, "cpu.vendor", "ARM");
	expect_text(boot, "cpu.model", "part 0xd0c r3p1");
	expect_int(boot, "cpu.family", 8);
	expect_int(boot, "cpu.model_id", 0xd0c);
	expect_absent(boot, "cpu.microcode", "only on x86");
	expect_text(boot, "virt", "qemu");
	expect_absent(boot, "bpf.jit_enable", "holds no number");
	expect_absent(boot, "bpf.jit_harden", "not readable");
	expect_absent(boot, "bpf.jit_kallsyms", "no BPF JIT");
	expect_text(boot, "host", "??? ?? ???? ?? \xf0\x9f\x90\x9d");
	expect_text(boot, "bpf.lsm.1", "bpf");
	expect_text(boot, "memory.thp", "madvise");
	expect_text(boot, "mitigations.spectre_v2", "Mitigation: CSV2, BHB");
	expect_int(boot, "uptime_s", 812);
	json_decref(boot);
	tree_remove(&tree);
}
END_TEST

UNIT_MAIN("host-cpu", report_benchmark_325_governor_and_turbo_are_recorded, arm_machine)
