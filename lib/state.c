// SPDX-License-Identifier: GPL-2.0-only
#include "lib/state.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/sysfs.h"

#define STEAL_LIMIT   1.0
#define FOREIGN_LIMIT 3.0
#define FREQ_LIMIT    5.0

static double own_cpu_s(void)
{
	static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
	double sum = 0;

	for (int i = 0; i < 2; i++) {
		struct rusage usage;

		if (getrusage(whose[i], &usage))
			return NAN;
		sum += usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
		       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	}
	return sum;
}

/* user nice system idle iowait irq softirq steal; guest times are in user already. */
static void read_cpu_times(const struct state_roots *roots, const struct cpulist *cpus,
			   struct state *ret)
{
	double tick = 1.0 / sysconf(_SC_CLK_TCK);
	char path[512], line[512];
	FILE *file;

	ret->busy_s = ret->steal_s = NAN;
	snprintf(path, sizeof(path), "%s/stat", roots->proc);
	file = fopen(path, "re");
	if (!file)
		return;
	ret->busy_s = ret->steal_s = 0;
	while (fgets(line, sizeof(line), file)) {
		double user, nice, system, irq, softirq, steal;
		int cpu;

		if (sscanf(line, "cpu%d %lf %lf %lf %*s %*s %lf %lf %lf", &cpu, &user, &nice,
			   &system, &irq, &softirq, &steal) != 7 ||
		    !cpulist__contains(cpus, cpu))
			continue;
		ret->busy_s += (user + nice + system + irq + softirq) * tick;
		ret->steal_s += steal * tick;
	}
	fclose(file);
}

static double mean_frequency(const struct state_roots *roots, const struct cpulist *cpus)
{
	double sum = 0;
	char text[64];

	for (int i = 0; i < cpus->nr; i++) {
		double khz;

		if (sysfs__read(text, sizeof(text),
				"%s/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", roots->sys,
				cpus->cpu[i]) <= 0 ||
		    sscanf(text, "%lf", &khz) != 1)
			return NAN;
		sum += khz;
	}
	return cpus->nr ? sum / cpus->nr : NAN;
}

static double hottest_zone(const struct state_roots *roots)
{
	double hottest = NAN, value;
	char text[64];

	for (int i = 0; sysfs__read(text, sizeof(text), "%s/class/thermal/thermal_zone%d/temp",
				    roots->sys, i) > 0;
	     i++)
		if (sscanf(text, "%lf", &value) == 1)
			hottest = fmax(hottest, value / 1000);
	return hottest;
}

void state__read(const struct state_roots *roots, const struct cpulist *cpus, struct state *ret)
{
	char text[128];

	ret->nr_cpus = cpus->nr;
	ret->wall_s = clock__now() / 1e9;
	ret->own_s = own_cpu_s();
	if (sysfs__read(text, sizeof(text), "%s/loadavg", roots->proc) <= 0 ||
	    sscanf(text, "%lf", &ret->load1) != 1)
		ret->load1 = NAN;
	read_cpu_times(roots, cpus, ret);
	ret->freq_khz = mean_frequency(roots, cpus);
	ret->temp_c = hottest_zone(roots);
}

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *state__json(const struct state *before, const struct state *after)
{
	double all_s = (after->wall_s - before->wall_s) * after->nr_cpus;
	double own_s = after->own_s - before->own_s;
	json_t *doc = json_object();

	json_object_set_new(doc, "load1", number(before->load1));
	json_object_set_new(doc, "steal_pct",
			    number((after->steal_s - before->steal_s) / all_s * 100));
	json_object_set_new(doc, "foreign_cpu_pct",
			    number(fmax(0, after->busy_s - before->busy_s - own_s) / all_s * 100));
	json_object_set_new(doc, "freq_khz",
			    json_pack("[o, o]", number(before->freq_khz), number(after->freq_khz)));
	json_object_set_new(doc, "temp_c",
			    json_pack("[o, o]", number(before->temp_c), number(after->temp_c)));
	return doc;
}

void state__warn(const json_t *state, void (*warn)(void *arg, const char *code, const char *text),
		 void *arg)
{
	double steal = json_number_value(json_object_get(state, "steal_pct"));
	double foreign = json_number_value(json_object_get(state, "foreign_cpu_pct"));
	const json_t *freq = json_object_get(state, "freq_khz");
	double from = json_number_value(json_array_get(freq, 0));
	double to = json_number_value(json_array_get(freq, 1));
	char text[160];

	if (steal > STEAL_LIMIT) {
		snprintf(text, sizeof(text), "the hypervisor took %.1f %% of the CPUs (steal)",
			 steal);
		warn(arg, "STEAL", text);
	}
	if (foreign > FOREIGN_LIMIT) {
		snprintf(text, sizeof(text), "other programs took %.1f %% of the CPUs", foreign);
		warn(arg, "FOREIGN_CPU", text);
	}
	if (to > 0 && to < from * (1 - FREQ_LIMIT / 100)) {
		snprintf(text, sizeof(text), "the CPUs slowed down from %.0f to %.0f MHz",
			 from / 1000, to / 1000);
		warn(arg, "FREQUENCY", text);
	}
}
