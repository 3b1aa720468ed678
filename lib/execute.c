// SPDX-License-Identifier: GPL-2.0-only
#include "lib/execute.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/bench.h"
#include "lib/clock.h"
#include "lib/interrupt.h"
#include "lib/plan.h"
#include "lib/trigger.h"

/* Beyond the measured time: loading, filling large maps, and a machine under load. */
#define GRACE_NS (180 * NSEC_PER_SEC)

static void run_child(const struct plan *plan, const struct point *point, enum run_role role,
		      int fd, pid_t parent)
{
	json_t *doc;

	/* Also when the parent is killed: programs, maps and links live no longer than this. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	interrupt__ignore();
	doc = run__execute(plan, point, role);
	_exit(json_dumpfd(doc, fd, JSON_COMPACT) ? 1 : 0);
}

struct buffer {
	char *data;
	size_t len, size;
};

/* 1 at the end of the child's output, 0 to go on, -errno. */
static int read_some(int fd, struct buffer *buffer)
{
	ssize_t got;

	if (buffer->len == buffer->size) {
		size_t size = buffer->size ? buffer->size * 2 : 65536;
		char *data = realloc(buffer->data, size);

		if (!data)
			return -ENOMEM;
		buffer->data = data;
		buffer->size = size;
	}
	got = read(fd, buffer->data + buffer->len, buffer->size - buffer->len);
	if (got < 0)
		return errno == EINTR ? 0 : -errno;
	buffer->len += got;
	return got == 0;
}

/* Reads until the child closes its end, or the deadline passes: -ETIMEDOUT. */
static int read_all(int fd, uint64_t deadline, struct buffer *buffer)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
	int err = 0;

	while (!err) {
		uint64_t now = clock__now();
		int ready;

		if (now >= deadline)
			return -ETIMEDOUT;
		ready = poll(&poll_fd, 1, (deadline - now) / 1000000 + 1);
		if (ready > 0)
			err = read_some(fd, buffer);
		else if (ready < 0 && errno != EINTR)
			err = -errno;
	}
	return err < 0 ? err : 0;
}

static json_t *child_failed(int err, int status)
{
	char reason[160];

	if (err == -ETIMEDOUT)
		snprintf(reason, sizeof(reason), "the run hung and was ended after %d s of grace",
			 (int)(GRACE_NS / NSEC_PER_SEC));
	else if (WIFSIGNALED(status))
		snprintf(reason, sizeof(reason), "the run died of signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(reason, sizeof(reason), "the run ended without a result (exit %d%s%s)",
			 WEXITSTATUS(status), err ? ", " : "", err ? strerror(-err) : "");
	return json_pack("{s:s, s:s, s:n}", "status", "failed", "reason", reason, "values");
}

static json_t *collect(pid_t child, int fd, uint64_t deadline)
{
	struct buffer buffer = {0};
	json_t *doc = NULL;
	int err, status = 0;

	interrupt__watch(child);
	err = read_all(fd, deadline, &buffer);
	if (err)
		kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	interrupt__watch(0);
	if (!err && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		doc = json_loadb(buffer.data, buffer.len, 0, NULL);
	free(buffer.data);
	return doc ? doc : child_failed(err, status);
}

static json_t *fork_run(const struct plan *plan, const struct point *point, enum run_role role)
{
	uint64_t deadline = clock__now() + GRACE_NS;
	pid_t parent = getpid(), child;
	int fds[2];
	json_t *doc;

	if (role != ROLE_PROBE)
		deadline += plan->duration_ns + plan->warmup_ns;
	if (pipe2(fds, O_CLOEXEC))
		return child_failed(-errno, 0);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		close(fds[0]);
		run_child(plan, point, role, fds[1], parent);
	}
	close(fds[1]);
	doc = child < 0 ? child_failed(-errno, 0) : collect(child, fds[0], deadline);
	close(fds[0]);
	return doc;
}

json_t *execute__run(const struct plan *plan, const struct step *step)
{
	return fork_run(plan, &plan->points[step->point], step->role);
}

/*
 * True if one batch went through, also with a failed check: then the runs will fail, aloud, where
 * a skip would look like a matter of the machine. Else `why` has the reason.
 */
static bool try_point(const struct plan *plan, struct point *point, struct why *why)
{
	json_t *doc = fork_run(plan, point, ROLE_PROBE);
	const char *status = json_string_value(json_object_get(doc, "status"));
	const char *reason = json_string_value(json_object_get(doc, "reason"));
	bool ran = strcmp(status, "skipped") != 0;

	if (!ran)
		why__set(why, 0, "%s", reason ? reason : "no reason given");
	json_decref(doc);
	return ran;
}

/* The reason of the first one tried tells most: the others are its fall-backs. */
static void probe_point(const struct plan *plan, struct point *point)
{
	struct why why;

	if (bench__is_user(point->bench)) {
		try_point(plan, point, &point->skip);
		return;
	}
	for (size_t i = 0; i < trigger__count(); i++) {
		const struct trigger *trigger = trigger__at(i);

		if (point->trigger_name && !trigger__matches(trigger, point->trigger_name))
			continue;
		point->trigger = trigger;
		if (try_point(plan, point, &why)) {
			point->skip.text[0] = '\0';
			return;
		}
		if (!point->skip.text[0])
			point->skip = why;
	}
	point->trigger = NULL;
}

static bool same_question(const struct point *a, const struct point *b)
{
	if (a->bench != b->bench || !a->trigger_name != !b->trigger_name)
		return false;
	return !a->trigger_name || !strcmp(a->trigger_name, b->trigger_name);
}

void execute__probe(struct plan *plan)
{
	for (int i = 0; i < plan->nr_points; i++) {
		struct point *point = &plan->points[i];
		int j;

		/* A refusal may be due to the parameters: only what works answers for others. */
		for (j = 0; j < i; j++)
			if (same_question(&plan->points[j], point) && !plan->points[j].skip.text[0])
				break;
		if (j < i) {
			point->trigger = plan->points[j].trigger;
			point->skip = plan->points[j].skip;
		} else {
			probe_point(plan, point);
		}
	}
}
