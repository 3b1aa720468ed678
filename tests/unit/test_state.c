// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/state.h"

static char root[64];

static void put(const char *path, const char *text)
{
	char full[256], *slash;
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void make_root(void)
{
	snprintf(root, sizeof(root), "/tmp/bpfperf-state-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	put("loadavg", "1.50 1.00 0.50 2/100 1234\n");
	/* user nice system idle iowait irq softirq steal */
	put("stat", "cpu  9 9 9 9 9 9 9 9 9 9\n"
		    "cpu0 100 0 100 9000 50 0 0 10 0 0\n"
		    "cpu1 200 0 100 9000 50 10 10 30 0 0\n"
		    "cpu2 5000 0 0 0 0 0 0 0 0 0\nintr 1 2 3\n");
	put("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2000000\n");
	put("devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3000000\n");
	put("class/thermal/thermal_zone0/temp", "41000\n");
	put("class/thermal/thermal_zone1/temp", "55500\n");
}

static struct state read_state(void)
{
	const struct state_roots roots = {.sys = root, .proc = root};
	int numbers[] = {0, 1};
	const struct cpulist cpus = {.nr = 2, .cpu = numbers};
	struct state state;

	state__read(&roots, &cpus, &state);
	return state;
}

START_TEST(test_read)
{
	struct state state;

	make_root();
	state = read_state();
	ck_assert_double_eq_tol(state.load1, 1.5, 1e-9);
	/* 520 and 40 ticks of 10 ms; CPU 2 is not watched */
	ck_assert_double_eq_tol(state.busy_s, 5.2, 1e-9);
	ck_assert_double_eq_tol(state.steal_s, 0.4, 1e-9);
	ck_assert_double_eq_tol(state.freq_khz, 2500000, 1e-3);
	ck_assert_double_eq_tol(state.temp_c, 55.5, 1e-9);
}
END_TEST

START_TEST(test_nothing_to_read)
{
	struct state state;
	json_t *doc;

	snprintf(root, sizeof(root), "/nonexistent");
	state = read_state();
	ck_assert(isnan(state.load1) && isnan(state.busy_s) && isnan(state.freq_khz));
	doc = state__json(&state, &state);
	ck_assert(json_is_null(json_object_get(doc, "load1")));
	ck_assert(json_is_null(json_object_get(doc, "steal_pct")));
	json_decref(doc);
}
END_TEST

static char warned[256];

static void on_warning(void *arg, const char *code, const char *text)
{
	(void)arg;
	ck_assert_ptr_nonnull(text);
	strcat(warned, code);
	strcat(warned, " ");
}

static const char *warnings_of(const struct state *before, const struct state *after)
{
	json_t *doc = state__json(before, after);

	warned[0] = '\0';
	state__warn(doc, on_warning, NULL);
	json_decref(doc);
	return warned;
}

START_TEST(report_benchmark_325_noise_is_warned_of)
{
	/* One second on two CPUs of which this program used 1.5 s. */
	struct state before = {.nr_cpus = 2, .freq_khz = NAN, .temp_c = NAN};
	struct state after = {.nr_cpus = 2,
			      .wall_s = 1,
			      .busy_s = 1.5,
			      .own_s = 1.5,
			      .freq_khz = NAN,
			      .temp_c = NAN};

	ck_assert_str_eq(warnings_of(&before, &after), "");
	after.busy_s = 1.55;
	ck_assert_str_eq(warnings_of(&before, &after), "");
	after.busy_s = 1.6;
	ck_assert_str_eq(warnings_of(&before, &after), "FOREIGN_CPU ");
	after.steal_s = 0.03;
	ck_assert_str_eq(warnings_of(&before, &after), "STEAL FOREIGN_CPU ");
	after.busy_s = 1.5;
	after.steal_s = 0;
	before.freq_khz = 3000000;
	after.freq_khz = 2900000;
	ck_assert_str_eq(warnings_of(&before, &after), "");
	after.freq_khz = 2800000;
	ck_assert_str_eq(warnings_of(&before, &after), "FREQUENCY ");
}
END_TEST

UNIT_MAIN("state", test_read, test_nothing_to_read, report_benchmark_325_noise_is_warned_of)
