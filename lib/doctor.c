// SPDX-License-Identifier: GPL-2.0-only
#include "lib/doctor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/doctor_check.h"
#include "lib/host_part.h"
#include "lib/need.h"
#include "lib/why.h"

/* A guard against what hangs: all checks together take 0.4 s, and a busy machine stalls for one. */
#define CHECK_SECONDS 10

struct check {
	const char *name;
	const char *purpose;
	doctor_probe_fn *probe;
};

/* Printed in this order: first what everything needs, last what makes numbers noisy. */
static const struct check checks[] = {
	{"kernel", "every benchmark", doctor__kernel},
	{"btf", "the triggers fentry and tp-btf, and the tracers", doctor__btf},
	{"jit", "numbers that mean something: without it programs are interpreted", doctor__jit},
	{"lockdown", "programs that read kernel memory, kprobes, tracefs", doctor__lockdown},
	{"capabilities", "loading programs, and all that looks into the kernel",
	 doctor__capabilities},
	{"perf_event_paranoid", "counting what happens in the kernel", doctor__paranoid},
	{"kptr_restrict", "names of locks and kernel functions", doctor__kptr_restrict},
	{"pmu", "cycles, instructions, cache misses", doctor__pmu},
	{"tracefs", "the trigger tp, and events by the names of tracepoints", doctor__tracefs},
	{"fentry", "the trigger fentry, and timing of kernel functions", doctor__fentry},
	{"kprobe", "the trigger kprobe", doctor__kprobe},
	{"tp-btf", "the trigger tp-btf, and the tracers", doctor__tp_btf},
	{"uprobe", "hooks in user space", doctor__uprobe},
	{"prog-run", "the trigger prog-run, the default of most benchmarks", doctor__prog_run},
	{"spinlocks", "waits for the locks of maps", doctor__spinlocks},
	{"memory", "maps with many elements", doctor__memory},
	{"open-files", "one descriptor per event and producer", doctor__open_files},
	{"governor", "a steady CPU frequency", doctor__governor},
	{"turbo", "a steady CPU frequency", doctor__turbo},
	{"smt", "producers that do not share a core", doctor__smt},
	{"mitigations", "comparing like with like", doctor__mitigations},
	{"steal", "CPUs that are not shared", doctor__steal},
};

#define NR_CHECKS (sizeof(checks) / sizeof(checks[0]))

#define FORMAT(buf, fmt)                                \
	do {                                            \
		va_list args;                           \
                                                        \
		va_start(args, fmt);                    \
		vsnprintf(buf, sizeof(buf), fmt, args); \
		va_end(args);                           \
	} while (0)

void finding__value(struct finding *finding, const char *fmt, ...)
{
	FORMAT(finding->value, fmt);
}

void finding__detail(struct finding *finding, const char *fmt, ...)
{
	FORMAT(finding->detail, fmt);
}

void finding__remedy(struct finding *finding, const char *fmt, ...)
{
	FORMAT(finding->remedy, fmt);
}

void finding__gap(struct finding *finding, const char *remedy, const char *fmt, ...)
{
	finding->status = FINDING_GAP;
	FORMAT(finding->detail, fmt);
	snprintf(finding->remedy, sizeof(finding->remedy), "%s", remedy ? remedy : "");
}

void finding__unknown(struct finding *finding, const char *remedy, const char *fmt, ...)
{
	finding->status = FINDING_UNKNOWN;
	FORMAT(finding->detail, fmt);
	snprintf(finding->remedy, sizeof(finding->remedy), "%s", remedy ? remedy : "");
}

void finding__no_capability(struct finding *finding, const char *missing, const char *fmt, ...)
{
	finding->status = FINDING_UNKNOWN;
	FORMAT(finding->detail, fmt);
	need__remedy(missing, finding->remedy, sizeof(finding->remedy));
}

json_t *doctor__host(const struct doctor *doctor, const char *path)
{
	json_t *field = doctor->host;
	char copy[64], *save;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *key = strtok_r(copy, ".", &save); key; key = strtok_r(NULL, ".", &save))
		field = json_object_get(field, key);
	return json_is_null(field) ? NULL : field;
}

const char *doctor__host_absent(const struct doctor *doctor, const char *path)
{
	const json_t *absent = json_object_get(doctor->host, "absent");
	const char *reason = json_string_value(json_object_get(absent, path));

	return reason ? reason : "the kernel does not say";
}

bool doctor__is_guest(const struct doctor *doctor)
{
	const char *virt = json_string_value(doctor__host(doctor, "virt"));

	return !virt || strcmp(virt, "none");
}

void doctor__missing(const char *needs, char *buf, size_t size)
{
	if (need__in_user_namespace())
		snprintf(buf, size, "%s", needs);
	else
		need__missing(needs, buf, size);
}

/* What the child was stopped by, in place of its finding. */
static void explain_death(int status, struct finding *finding)
{
	memset(finding, 0, sizeof(*finding));
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		finding__unknown(finding, NULL, "trying it took longer than %d s", CHECK_SECONDS);
	else
		finding__unknown(finding, NULL, "trying it failed: the child ended with %s %d",
				 WIFSIGNALED(status) ? "signal" : "exit",
				 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* In a child: whatever a kernel makes of a trial, programs and files are gone when it ends. */
static void examine(const struct doctor *doctor, const struct check *check, struct finding *finding)
{
	pid_t child;
	int status;

	memset(finding, 0, sizeof(*finding));
	fflush(NULL);
	child = fork();
	if (child < 0) {
		finding__unknown(finding, NULL, "cannot fork: %s", errno_text(errno));
		return;
	}
	if (!child) {
		alarm(CHECK_SECONDS);
		check->probe(doctor, finding);
		_exit(0);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (status)
		explain_death(status, finding);
}

static json_t *text_or_null(const char *text)
{
	return text[0] ? host_part__json_text(text) : json_null();
}

static json_t *describe(const struct check *check, const struct finding *finding)
{
	static const char *const status[] = {[FINDING_OK] = "ok",
					     [FINDING_GAP] = "gap",
					     [FINDING_UNKNOWN] = "unknown",
					     [FINDING_INFO] = "info"};

	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "name", check->name, "purpose",
			 check->purpose, "status", status[finding->status], "value",
			 text_or_null(finding->value), "detail", text_or_null(finding->detail),
			 "remedy", text_or_null(finding->remedy));
}

json_t *doctor__examine(const struct host_roots *roots, doctor_count_fn *count, struct why *why)
{
	struct doctor doctor = {.roots = roots, .count = count};
	json_t *found;
	struct finding *finding;

	finding = mmap(NULL, sizeof(*finding), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (finding == MAP_FAILED) {
		why__errno(why, -errno, "cannot map memory for the findings");
		return NULL;
	}
	doctor.host = host__describe(roots, "native");
	found = json_array();
	for (size_t i = 0; doctor.host && i < NR_CHECKS; i++) {
		examine(&doctor, &checks[i], finding);
		json_array_append_new(found, describe(&checks[i], finding));
	}
	munmap(finding, sizeof(*finding));
	json_decref(doctor.host);
	if (json_array_size(found) == NR_CHECKS)
		return json_pack("{s:s, s:o}", "format", "bpfperf-doctor", "checks", found);
	json_decref(found);
	why__set(why, -ENOMEM, "out of memory");
	return NULL;
}
