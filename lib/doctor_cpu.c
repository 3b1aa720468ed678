// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/doctor_check.h"
#include "lib/sysfs.h"

#define SPIN_NS 100000000ull
/* Two readings of the clock lie 20-50 ns apart, an interrupt takes some us: longer is somebody. */
#define GAP_NS	     100000ull
#define LOST_PCT_MAX 5.0
/* Of the time since boot. */
#define STOLEN_PCT_MAX 1.0

static void frequency_unknown(const struct doctor *doctor, const char *path,
			      struct finding *finding)
{
	finding__unknown(finding,
			 doctor__is_guest(doctor)
				 ? "nothing in this guest: the host sets the frequency"
				 : "nothing on this kernel: the firmware sets the frequency",
			 "%s", doctor__host_absent(doctor, path));
}

void doctor__governor(const struct doctor *doctor, struct finding *finding)
{
	json_t *governors = doctor__host(doctor, "power.governor"), *governor;
	bool all_performance = true;
	const char *cpus;

	if (!governors) {
		frequency_unknown(doctor, "power.governor", finding);
		return;
	}
	json_object_foreach(governors, cpus, governor) {
		const char *name = json_string_value(governor);
		size_t used = strlen(finding->value);

		snprintf(finding->value + used, sizeof(finding->value) - used, "%s%s (CPUs %s)",
			 used ? ", " : "", name, cpus);
		all_performance = all_performance && !strcmp(name, "performance");
	}
	if (!all_performance)
		finding__gap(finding, "cpupower frequency-set -g performance",
			     "the frequency follows the load, and numbers with it");
}

void doctor__turbo(const struct doctor *doctor, struct finding *finding)
{
	const json_t *turbo = doctor__host(doctor, "power.turbo");
	char path[SYSFS_PATH_SIZE];
	bool is_pstate;

	if (!turbo) {
		frequency_unknown(doctor, "power.turbo", finding);
		return;
	}
	finding__value(finding, "%s", json_is_true(turbo) ? "on" : "off");
	if (!json_is_true(turbo))
		return;
	snprintf(path, sizeof(path), "%s/devices/system/cpu/intel_pstate/no_turbo",
		 doctor->roots->sys);
	is_pstate = !access(path, F_OK);
	finding__gap(finding,
		     is_pstate ? "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"
			       : "echo 0 > /sys/devices/system/cpu/cpufreq/boost",
		     "the frequency follows temperature and the number of busy cores");
}

void doctor__smt(const struct doctor *doctor, struct finding *finding)
{
	const char *smt = json_string_value(doctor__host(doctor, "cpu.smt"));

	if (!smt) {
		finding__unknown(finding, NULL, "%s", doctor__host_absent(doctor, "cpu.smt"));
		return;
	}
	finding__value(finding, "%s", smt);
	if (strcmp(smt, "on"))
		return;
	finding->status = FINDING_INFO;
	finding__detail(finding, "two producers on one core share it; --prod-affinity keeps them "
				 "apart");
	finding__remedy(finding, "echo off > /sys/devices/system/cpu/smt/control");
}

static void append_name(char *list, size_t size, const char *name)
{
	size_t used = strlen(list);

	snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

void doctor__mitigations(const struct doctor *doctor, struct finding *finding)
{
	json_t *all = doctor__host(doctor, "mitigations"), *state;
	char active[256] = "", vulnerable[256] = "";
	int nr_active = 0, nr_vulnerable = 0;
	const char *name;

	if (!all) {
		finding__unknown(finding, NULL, "%s", doctor__host_absent(doctor, "mitigations"));
		return;
	}
	json_object_foreach(all, name, state) {
		const char *text = json_string_value(state);

		if (text && !strncmp(text, "Mitigation", strlen("Mitigation"))) {
			nr_active++;
			append_name(active, sizeof(active), name);
		} else if (text && !strncmp(text, "Vulnerable", strlen("Vulnerable"))) {
			nr_vulnerable++;
			append_name(vulnerable, sizeof(vulnerable), name);
		}
	}
	finding->status = FINDING_INFO;
	finding__value(finding, "%d active, %d vulnerable, %zu listed", nr_active, nr_vulnerable,
		       json_object_size(all));
	finding__detail(finding, "active: %s; vulnerable: %s", active[0] ? active : "none",
			vulnerable[0] ? vulnerable : "none");
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Per cent of a busy loop's time that somebody else had: the host, or a task on this CPU. */
static double spin_lost_pct(void)
{
	uint64_t start = now_ns(), last = start, now = start, lost = 0;

	while (now - start < SPIN_NS) {
		now = now_ns();
		if (now - last > GAP_NS)
			lost += now - last;
		last = now;
	}
	return 100.0 * lost / (now - start);
}

/* Since boot, over all CPUs; -1 when the kernel does not say. */
static double stolen_pct(const struct doctor *doctor)
{
	unsigned long long ticks[8], all = 0;
	char text[256];

	if (sysfs__read(text, sizeof(text), "%s/stat", doctor->roots->proc) < 0 ||
	    sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1],
		   &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]) != 8)
		return -1;
	for (int i = 0; i < 8; i++)
		all += ticks[i];
	return all ? 100.0 * ticks[7] / all : -1;
}

void doctor__steal(const struct doctor *doctor, struct finding *finding)
{
	double stolen = stolen_pct(doctor), lost = spin_lost_pct();
	const char *remedy =
		doctor__is_guest(doctor)
			? "end what else runs; if it is the host that is busy, nothing "
			  "in this guest helps but more runs (-r)"
			: "end what else runs, or choose other CPUs (--prod-affinity)";

	if (stolen < 0)
		finding__value(finding, "not said by the kernel");
	else
		finding__value(finding, "%.1f %% since boot", stolen);
	if (lost > LOST_PCT_MAX)
		finding__gap(finding, remedy,
			     "a busy loop of 100 ms lost %.1f %% of it in gaps of 0.1 ms or more",
			     lost);
	else if (stolen > STOLEN_PCT_MAX)
		finding__gap(finding, remedy, "the host took CPUs away while they had work");
	else
		finding__detail(finding, "a busy loop of 100 ms lost %.1f %% of it in gaps", lost);
}
