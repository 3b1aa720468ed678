// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/doctor_check.h"
#include "lib/need.h"
#include "lib/plural.h"
#include "lib/refusal.h"
#include "lib/sysfs.h"
#include "lib/why.h"

#define PERF_REMEDY "sysctl kernel.perf_event_paranoid=1 (or CAP_PERFMON)"
#define OUTSIDE_REMEDY \
	"run it outside of this container, or let its seccomp profile allow perf_event_open"

/* The counters that `stat` opens unasked, and some for what is asked for. */
#define FILES_PER_PRODUCER 64
#define FILES_OF_PROGRAM   128

/* A map of some 100,000 elements; and what a machine should have left around it. */
#define TRIED_BYTES  (16 << 20)
#define LEAST_BYTES  (256ll << 20)
#define MEMINFO_SIZE 8192

static const struct {
	const char *cap;
	const char *loses;
} capabilities[] = {
	{"CAP_BPF", "no program loads"},
	{"CAP_PERFMON", "only programs that do not look into the kernel, no kernel counts"},
	{"CAP_NET_ADMIN", "no triggers prog-run:tc and prog-run:xdp"},
	{"CAP_SYS_ADMIN", "no zero hash seed, no BPF statistics"},
	{"CAP_SYSLOG", "no names of locks and kernel functions"},
};

/* For those who have NEED_BPF and want more. */
#define THE_REST "CAP_NET_ADMIN, CAP_SYS_ADMIN, CAP_SYSLOG"

#define NR_CAPABILITIES (sizeof(capabilities) / sizeof(capabilities[0]))

void doctor__capabilities(const struct doctor *doctor, struct finding *finding)
{
	char have[160] = "", lose[512] = "", missing[160];
	size_t used;

	(void)doctor;
	for (size_t i = 0; i < NR_CAPABILITIES; i++) {
		const char *cap = capabilities[i].cap;

		doctor__missing(cap, missing, sizeof(missing));
		used = strlen(missing[0] ? lose : have);
		if (missing[0])
			snprintf(lose + used, sizeof(lose) - used, "%swithout %s %s",
				 used ? "; " : "", cap, capabilities[i].loses);
		else
			snprintf(have + used, sizeof(have) - used, "%s%s", used ? ", " : "", cap);
	}
	finding__value(finding, "%s", have[0] ? have : "none");
	if (!lose[0])
		return;
	finding__gap(finding, NULL, "%s", lose);
	doctor__missing(NEED_BPF, missing, sizeof(missing));
	if (!missing[0])
		doctor__missing(THE_REST, missing, sizeof(missing));
	need__remedy(missing, finding->remedy, sizeof(finding->remedy));
}

/* Is it the sysctl that refuses? It answers EACCES, and only to those without the capability. */
static bool is_sysctl(const struct doctor *doctor, int err)
{
	const json_t *level = doctor__host(doctor, "perf_event_paranoid");
	struct refusal refusal;

	refusal__read(doctor->roots->proc, &refusal);
	return err == -EACCES && !(level && json_integer_value(level) <= 1) &&
	       !refusal__may_perfmon(&refusal);
}

/* ENOSYS where the sysctl is there: the kernel has the call, and something hides it. */
static bool is_refused(const struct doctor *doctor, int err)
{
	return err == -EACCES || err == -EPERM ||
	       (err == -ENOSYS && doctor__host(doctor, "perf_event_paranoid"));
}

void doctor__paranoid(const struct doctor *doctor, struct finding *finding)
{
	const json_t *level = doctor__host(doctor, "perf_event_paranoid");
	struct why why = {0};
	uint64_t count;
	int err = doctor->count("task-clock", doctor->roots, &count, &why);

	if (level)
		finding__value(finding, "%lld", (long long)json_integer_value(level));
	if (!err)
		finding__detail(finding, "kernel and user space were counted");
	else if (is_sysctl(doctor, err))
		finding__gap(finding, PERF_REMEDY, "you may not count what happens in the kernel");
	else if (is_refused(doctor, err))
		finding__gap(finding, OUTSIDE_REMEDY, "%s", why.text);
	else
		finding__gap(finding, "nothing on this kernel", "%s", why.text);
}

void doctor__pmu(const struct doctor *doctor, struct finding *finding)
{
	struct why why = {0};
	uint64_t count;
	int err = doctor->count("cycles:u", doctor->roots, &count, &why);

	if (is_refused(doctor, err))
		finding__unknown(finding, is_sysctl(doctor, err) ? PERF_REMEDY : OUTSIDE_REMEDY,
				 "%s", why.text);
	else if (err == -ENOSYS)
		finding__gap(finding, "nothing on this kernel", "%s", why.text);
	else if (err)
		finding__gap(finding,
			     doctor__is_guest(doctor)
				     ? "nothing in this guest; the host has to pass its PMU on "
				       "(QEMU: -cpu host,pmu=on)"
				     : "nothing on this machine",
			     "%s", why.text);
	else if (!count)
		finding__gap(finding, "nothing on this machine: its hypervisor shows a dead PMU",
			     "cycles opens, but counts nothing");
	else
		finding__value(finding, "cycles are counted");
}

/* Bytes of a line "Name:   123 kB", or -1. */
static long long meminfo_bytes(const char *meminfo, const char *name)
{
	const char *line = strstr(meminfo, name);

	return line ? strtoll(line + strlen(name), NULL, 10) * 1024 : -1;
}

void doctor__memory(const struct doctor *doctor, struct finding *finding)
{
	char meminfo[MEMINFO_SIZE] = "";
	long long available, total;
	int err;

	sysfs__read(meminfo, sizeof(meminfo), "%s/meminfo", doctor->roots->proc);
	available = meminfo_bytes(meminfo, "MemAvailable:");
	total = meminfo_bytes(meminfo, "MemTotal:");
	if (available < 0 || total < 0) {
		finding__unknown(finding, "mount -t proc proc /proc",
				 "%s/meminfo does not say what is available", doctor->roots->proc);
		return;
	}
	finding__value(finding, "%.1f of %.1f GB available", available / 1e9, total / 1e9);
	if (available < LEAST_BYTES)
		finding__gap(finding, "end what uses it, or give the machine more",
			     "less than %lld MB: large maps will not fit", LEAST_BYTES >> 20);
	err = doctor__try_map(TRIED_BYTES);
	if (err == -ENOMEM)
		finding__gap(finding,
			     "raise memory.max of this process's cgroup (/proc/self/cgroup)",
			     "a map of %d MB is refused: %s", TRIED_BYTES >> 20, errno_text(err));
	else if (err && finding->status == FINDING_OK)
		finding__detail(finding, "no map was made to try it: %s", errno_text(err));
}

/* The soft limit does not count: main() raises it to the hard one. */
void doctor__open_files(const struct doctor *doctor, struct finding *finding)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	long long needed = FILES_OF_PROGRAM + (nr_cpus > 0 ? nr_cpus : 1) * FILES_PER_PRODUCER;
	struct rlimit limit;

	(void)doctor;
	if (getrlimit(RLIMIT_NOFILE, &limit)) {
		finding__unknown(finding, NULL, "getrlimit: %s", errno_text(errno));
		return;
	}
	if (limit.rlim_max == RLIM_INFINITY) {
		finding__value(finding, "no limit");
		return;
	}
	finding__value(finding, "%llu", (unsigned long long)limit.rlim_max);
	if (limit.rlim_max >= (unsigned long long)needed)
		return;
	finding__gap(finding, NULL, "%lld are wanted for a producer on each of %ld CPU%s", needed,
		     nr_cpus, plural(nr_cpus));
	finding__remedy(finding, "as root: ulimit -n %lld", needed);
}
