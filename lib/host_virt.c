// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "lib/host_part.h"
#include "lib/sysfs.h"

#define FLAGS_SIZE 4096

/* Leaf 0x40000000: a signature of twelve bytes, cut where it is padded with NUL. */
#define SIGNATURE_SIZE	13
#define HYPERVISOR_LEAF 0x40000000u
/* Where KVM stands when it shows Hyper-V's interface first. */
#define SECOND_LEAF 0x40000100u

#if defined(__x86_64__) || defined(__i386__)
static bool read_signature(unsigned int leaf, char signature[SIGNATURE_SIZE])
{
	unsigned int eax, regs[3];

	__cpuid(leaf, eax, regs[0], regs[1], regs[2]);
	memcpy(signature, regs, sizeof(regs));
	signature[sizeof(regs)] = '\0';
	return signature[0] != '\0';
}
#else
static bool read_signature(unsigned int leaf, char signature[SIGNATURE_SIZE])
{
	(void)leaf;
	signature[0] = '\0';
	return false;
}
#endif

static const char *signature_name(const char *signature)
{
	static const struct {
		const char *signature;
		const char *name;
	} known[] = {
		{"KVMKVMKVM", "kvm"},	    {"XenVMMXenVMM", "xen"}, {"VMwareVMware", "vmware"},
		{"Microsoft Hv", "hyperv"}, {"TCGTCGTCGTCG", "tcg"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strcmp(signature, known[i].signature))
			return known[i].name;
	}
	return signature;
}

static void describe_x86_guest(const struct host_part *top)
{
	char signature[SIGNATURE_SIZE], second[SIGNATURE_SIZE];

	if (!read_signature(HYPERVISOR_LEAF, signature)) {
		host_part__absent(top, "virt", "a guest whose hypervisor gives no signature");
		return;
	}
	if (!strcmp(signature, "Microsoft Hv") && read_signature(SECOND_LEAF, second) &&
	    !strcmp(second, "KVMKVMKVM"))
		host_part__set_text(top, "virt", "kvm");
	else
		host_part__set_text(top, "virt", signature_name(signature));
}

/* QEMU leaves a name in its firmware tables, or in the device tree its fw-cfg device. */
static bool has_qemu_firmware(const struct host_roots *roots)
{
	char vendor[64], path[SYSFS_PATH_SIZE];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	if (sysfs__read(vendor, sizeof(vendor), "%s/class/dmi/id/sys_vendor", roots->sys) > 0 &&
	    !strcmp(vendor, "QEMU"))
		return true;
	snprintf(path, sizeof(path), "%s/device-tree", roots->proc);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (entry = readdir(dir)))
		found = !strncmp(entry->d_name, "fw-cfg@", 7);
	closedir(dir);
	return found;
}

static void describe_other_arch(const struct host_part *top)
{
	char compatible[128];
	int len;

	len = sysfs__read(compatible, sizeof(compatible), "%s/device-tree/hypervisor/compatible",
			  top->roots->proc);
	if (len > 0 && !strcmp(compatible, "linux,kvm"))
		host_part__set_text(top, "virt", "kvm");
	else if (len > 0 && strstr(compatible, "xen"))
		host_part__set_text(top, "virt", "xen");
	else if (len > 0)
		host_part__set_text(top, "virt", compatible);
	else if (has_qemu_firmware(top->roots))
		host_part__set_text(top, "virt", "qemu");
	else
		host_part__absent(top, "virt", "cannot be told on this architecture");
}

void host__describe_virt(const struct host_part *top)
{
	char cpuinfo[CPUINFO_SIZE], flags[FLAGS_SIZE];

	if (host__read_cpuinfo(top->roots, cpuinfo) < 0)
		host_part__absent(top, "virt", "/proc/cpuinfo is not readable");
	else if (!host__cpuinfo_value(cpuinfo, "flags", flags, sizeof(flags)))
		describe_other_arch(top);
	else if (strstr(flags, " hypervisor"))
		describe_x86_guest(top);
	else if (has_qemu_firmware(top->roots))
		host_part__set_text(top, "virt", "qemu");
	else
		host_part__set_text(top, "virt", "none");
}
