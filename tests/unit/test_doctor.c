// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/unit.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/bpf_log.h"
#include "lib/doctor_check.h"
#include "lib/render/render.h"
#include "lib/why.h"
#include "tests/unit/host_tree.h"

/* What perf_event_open() would say. */
static int count_fine(const char *event, const struct host_roots *roots, uint64_t *ret_count,
		      struct why *why)
{
	(void)event, (void)roots, (void)why;
	*ret_count = 1000;
	return 0;
}

static int count_nothing(const char *event, const struct host_roots *roots, uint64_t *ret_count,
			 struct why *why)
{
	(void)event, (void)roots, (void)why;
	*ret_count = 0;
	return 0;
}

static int count_refused(const char *event, const struct host_roots *roots, uint64_t *ret_count,
			 struct why *why)
{
	(void)event, (void)roots, (void)ret_count;
	return why__set(why, -EACCES, "no permission: refused");
}

static int count_unsupported(const char *event, const struct host_roots *roots, uint64_t *ret_count,
			     struct why *why)
{
	(void)event, (void)roots, (void)ret_count;
	return why__set(why, -ENOENT, "not supported: no PMU in this machine");
}

static const char *text_of(json_t *check, const char *key)
{
	const char *text = json_string_value(json_object_get(check, key));

	return text ? text : "";
}

/* Each check says what it is, and whatever is not fine says why. */
static void check_form(json_t *report)
{
	json_t *checks = json_object_get(report, "checks"), *check;
	size_t i;

	ck_assert_str_eq(text_of(report, "format"), "bpfperf-doctor");
	ck_assert_uint_ge(json_array_size(checks), 22);
	json_array_foreach(checks, i, check) {
		const char *status = text_of(check, "status");
		const char *name = text_of(check, "name");

		ck_assert(name[0] && text_of(check, "purpose")[0]);
		ck_assert_msg(strcmp(status, "gap") ||
				      (text_of(check, "detail")[0] && text_of(check, "remedy")[0]),
			      "%s: a gap without a reason or a remedy", name);
		ck_assert_msg(strcmp(status, "unknown") || text_of(check, "detail")[0],
			      "%s: unknown without a reason", name);
		ck_assert_msg(strcmp(status, "ok") || text_of(check, "value")[0] ||
				      text_of(check, "detail")[0],
			      "%s: ok, and nothing said", name);
	}
}

static json_t *examine(const struct tree *tree, doctor_count_fn *count)
{
	struct why why = {0};
	json_t *report;

	bpf_log__init();
	report = doctor__examine(&tree->roots, count, &why);
	ck_assert_msg(!!report, "%s", why.text);
	check_form(report);
	return report;
}

static json_t *find(json_t *report, const char *name)
{
	json_t *check;
	size_t i;

	json_array_foreach(json_object_get(report, "checks"), i, check)
		if (!strcmp(text_of(check, "name"), name))
			return check;
	ck_abort_msg("no check %s", name);
	return NULL;
}

/* The status of a check, and words of `key`. */
static void expect(json_t *report, const char *name, const char *status, const char *key,
		   const char *words)
{
	json_t *check = find(report, name);

	ck_assert_msg(!strcmp(text_of(check, "status"), status), "%s is '%s' (%s), not '%s'", name,
		      text_of(check, "status"), text_of(check, "detail"), status);
	ck_assert_msg(!!strstr(text_of(check, key), words), "%s: %s '%s' lacks '%s'", name, key,
		      text_of(check, key), words);
}

static int count_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int nr = 0;

	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr;
}

START_TEST(empty_tree)
{
	int files = count_files();
	struct tree tree;
	json_t *report;

	tree_make(&tree);
	report = examine(&tree, count_fine);
	expect(report, "kernel", "unknown", "remedy", "mount -t proc");
	expect(report, "btf", "gap", "detail", "does not exist");
	expect(report, "kptr_restrict", "gap", "detail", "kallsyms");
	expect(report, "memory", "unknown", "detail", "meminfo");
	expect(report, "governor", "unknown", "detail", "no cpufreq driver");
	expect(report, "mitigations", "unknown", "detail", "vulnerabilities");
	ck_assert_int_eq(count_files(), files);
	json_decref(report);
	tree_remove(&tree);
}
END_TEST

static const struct file bad_machine[] = {
	{"proc/sys/kernel/osrelease", "5.15.0-generic\n"},
	{"proc/sys/kernel/kptr_restrict", "2\n"},
	{"proc/sys/kernel/perf_event_paranoid", "3\n"},
	{"proc/kallsyms", "0000000000000000 T _stext\n0000000000000000 T _text\n"},
	{"proc/filesystems", "nodev\tsysfs\nnodev\ttracefs\n"},
	{"proc/meminfo", "MemTotal:   1000000 kB\nMemAvailable:   100000 kB\n"},
	{"proc/stat", "cpu  100 0 100 700 0 0 0 100 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\n"},
	{"sys/kernel/btf/vmlinux", "no BTF"},
	{"sys/kernel/security/lockdown", "none integrity [confidentiality]\n"},
	{"sys/devices/system/cpu/online", "0-1\n"},
	{"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"},
	{"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n"},
	{"sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"},
	{"sys/devices/system/cpu/smt/control", "on\n"},
	{"sys/devices/system/cpu/vulnerabilities/mds", "Mitigation: Clear CPU buffers\n"},
	{"sys/devices/system/cpu/vulnerabilities/meltdown", "Not affected\n"},
	{"sys/devices/system/cpu/vulnerabilities/spec_store_bypass", "Vulnerable\n"},
};

START_TEST(every_gap_has_its_command)
{
	struct tree tree;
	json_t *report;

	tree_make(&tree);
	PUT_FILES(&tree, bad_machine);
	report = examine(&tree, count_refused);
	expect(report, "kernel", "gap", "detail", "older than 6.1");
	expect(report, "btf", "gap", "detail", "holds no BTF");
	expect(report, "perf_event_paranoid", "gap", "remedy",
	       "sysctl kernel.perf_event_paranoid=1");
	expect(report, "pmu", "unknown", "detail", "no permission");
	expect(report, "kptr_restrict", "gap", "remedy", "sysctl kernel.kptr_restrict=1");
	expect(report, "tracefs", "gap", "remedy", "mount -t tracefs nodev /sys/kernel/tracing");
	expect(report, "memory", "gap", "detail", "256 MB");
	expect(report, "governor", "gap", "remedy", "cpupower frequency-set -g performance");
	expect(report, "governor", "gap", "value", "performance (CPUs 0), powersave (CPUs 1)");
	expect(report, "turbo", "gap", "remedy", "echo 1 > /sys/devices/system/cpu/intel_pstate");
	expect(report, "smt", "info", "remedy", "echo off > /sys/devices/system/cpu/smt/control");
	expect(report, "mitigations", "info", "value", "1 active, 1 vulnerable, 3 listed");
	expect(report, "steal", "gap", "value", "10.0 % since boot");
	json_decref(report);
	tree_remove(&tree);
}
END_TEST

/* In a child, as doctor does it: the trial leaves its program to the end of the process. */
static bool may_read_kernel(void)
{
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (!child)
		_exit(doctor__try_kernel_read() != 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return !status;
}

/*
 * The file is what others have decided by, and told users of a lockdown that was none: what a
 * program may do here is tried, and the file has to do for those who may not try.
 */
START_TEST(report_bcc_2565_lockdown_is_tried)
{
	bool may_read;
	struct tree tree;
	json_t *report;

	bpf_log__init();
	may_read = may_read_kernel();
	tree_make(&tree);
	put(&tree, "sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	report = examine(&tree, count_fine);
	expect(report, "lockdown", may_read ? "ok" : "gap", "value", "confidentiality");
	if (may_read)
		expect(report, "lockdown", "ok", "detail", "may read kernel memory all the same");
	else
		expect(report, "lockdown", "gap", "remedy", "lockdown=integrity");
	json_decref(report);
	put(&tree, "sys/kernel/security/lockdown", "none integrity confidentiality\n");
	report = examine(&tree, count_fine);
	expect(report, "lockdown", "unknown", "detail", "no mode in force");
	json_decref(report);
	tree_remove(&tree);
}
END_TEST

static const struct file good_machine[] = {
	{"proc/sys/kernel/osrelease", "6.1.0-57-amd64\n"},
	{"proc/sys/kernel/kptr_restrict", "0\n"},
	{"proc/sys/kernel/perf_event_paranoid", "1\n"},
	{"proc/kallsyms", "0000000000000000 A fixed_percpu_data\nffffffff81000000 T _stext\n"},
	{"proc/meminfo", "MemTotal:   8000000 kB\nMemAvailable:   6000000 kB\n"},
	{"sys/kernel/security/lockdown", "none [integrity] confidentiality\n"},
	{"sys/kernel/tracing/events/syscalls/sys_enter_getpgid/id", "321\n"},
	{"sys/devices/system/cpu/online", "0\n"},
	{"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"},
	{"sys/devices/system/cpu/cpufreq/boost", "0\n"},
	{"sys/devices/system/cpu/smt/control", "forceoff\n"},
};

START_TEST(nothing_to_mend)
{
	struct tree tree;
	json_t *report;

	tree_make(&tree);
	PUT_FILES(&tree, good_machine);
	report = examine(&tree, count_fine);
	expect(report, "kernel", "ok", "value", "6.1.0-57-amd64");
	expect(report, "lockdown", "ok", "value", "integrity");
	expect(report, "perf_event_paranoid", "ok", "value", "1");
	expect(report, "pmu", "ok", "value", "cycles");
	expect(report, "kptr_restrict", "ok", "detail", "shows addresses");
	expect(report, "tracefs", "ok", "value", "readable at");
	expect(report, "memory", "ok", "value", "6.1 of 8.2 GB");
	expect(report, "governor", "ok", "value", "performance (CPUs 0)");
	expect(report, "turbo", "ok", "value", "off");
	expect(report, "smt", "ok", "value", "forceoff");
	json_decref(report);
	tree_remove(&tree);
}
END_TEST

START_TEST(pmu_and_tracefs_for_other_reasons)
{
	struct tree tree;
	json_t *report;

	tree_make(&tree);
	put(&tree, "proc/filesystems", "nodev\tsysfs\n");
	put(&tree, "proc/sys/kernel/perf_event_paranoid", "1\n");
	put(&tree, "sys/kernel/security/lsm", "capability,bpf");
	put(&tree, "sys/devices/system/cpu/cpufreq/boost", "1\n");
	report = examine(&tree, count_nothing);
	expect(report, "pmu", "gap", "detail", "counts nothing");
	expect(report, "tracefs", "gap", "detail", "built without tracefs");
	expect(report, "lockdown", "ok", "value", "none");
	expect(report, "turbo", "gap", "remedy", "echo 0 > /sys/devices/system/cpu/cpufreq/boost");
	json_decref(report);

	put(&tree, "proc/filesystems", "nodev\ttracefs\n");
	put(&tree, "sys/kernel/tracing/events/sched/enable", "0\n");
	report = examine(&tree, count_unsupported);
	expect(report, "pmu", "gap", "detail", "no PMU");
	expect(report, "tracefs", "gap", "detail", "CONFIG_FTRACE_SYSCALLS");
	json_decref(report);

	report = examine(&tree, count_refused);
	expect(report, "perf_event_paranoid", "gap", "remedy", "container");
	expect(report, "pmu", "unknown", "remedy", "container");
	json_decref(report);
	tree_remove(&tree);
}
END_TEST

/* Lines of at most 100 columns, nothing lost, and nothing that a terminal would obey. */
START_TEST(text)
{
	const char *words = "a word and a word and a word and a word and a word and a word and a "
			    "word and a word and a word and a word and a word and the last";
	json_t *report;
	char *out;
	size_t size;
	FILE *file = open_memstream(&out, &size);

	report = json_pack("{s:[{s:s, s:s, s:s, s:s, s:n, s:s}, {s:s, s:s, s:s, s:s, s:n, s:n}]}",
			   "checks", "name", "pmu", "purpose", "cycles", "status", "gap", "detail",
			   words, "value", "remedy", "none \033[31m", "name", "kernel", "purpose",
			   "all", "status", "ok", "value", "6.1", "detail", "remedy");
	ck_assert_ptr_nonnull(report);
	render__doctor(report, file);
	fclose(file);
	json_decref(report);
	ck_assert_ptr_nonnull(strstr(out, "  pmu                 gap     a word and"));
	ck_assert_ptr_nonnull(strstr(out, "the last\n"));
	ck_assert_ptr_nonnull(strstr(out, "mend: none ?[31m\n"));
	ck_assert_ptr_nonnull(strstr(out, "\n1 ok, 1 gap, 0 unknown, 0 for information\n"));
	for (char *line = out, *end; (end = strchr(line, '\n')); line = end + 1)
		ck_assert_int_le(end - line, 100);
	free(out);
}
END_TEST

UNIT_MAIN("doctor", empty_tree, every_gap_has_its_command, report_bcc_2565_lockdown_is_tried,
	  nothing_to_mend, pmu_and_tracefs_for_other_reasons, text)
