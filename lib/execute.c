// SPDX-License-Identifier: GPL-2.0-only
#include "lib/execute.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
#include "lib/outcome.h"
#include "lib/plan.h"
#include "lib/pulse.h"
#include "lib/trigger.h"
#include "lib/why.h"

/* A run's process, as the one that waits for it sees it. */
struct child {
	pid_t pid;
	int fd; /* what it sends is its document */
	struct pulse *pulse;
	uint64_t measured_ns;
};

static void run_child(const struct plan *plan, const struct point *point, enum run_role role,
		      const struct child *self, pid_t parent)
{
	json_t *doc;

	/* Also when the parent is killed: programs, maps and links live no longer than this. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	interrupt__ignore();
	pulse__adopt(self->pulse);
	doc = run__execute(plan, point, role);
	_exit(json_dumpfd(doc, self->fd, JSON_COMPACT) ? 1 : 0);
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

/* Reads until the child closes its end, or gives no sign of life for too long: -ETIMEDOUT. */
static int read_all(const struct child *child, struct buffer *buffer)
{
	struct pollfd poll_fd = {.fd = child->fd, .events = POLLIN};
	int err = 0;

	while (!err) {
		uint64_t deadline = pulse__deadline(child->pulse, child->measured_ns);
		uint64_t now = clock__now(), left_ms;
		int ready;

		if (now >= deadline)
			return -ETIMEDOUT;
		left_ms = (deadline - now) / 1000000 + 1;
		ready = poll(&poll_fd, 1, left_ms < INT_MAX ? left_ms : INT_MAX);
		if (ready > 0)
			err = read_some(child->fd, buffer);
		else if (ready < 0 && errno != EINTR)
			err = -errno;
	}
	return err < 0 ? err : 0;
}

static json_t *child_failed(const struct child *child, int err, int status)
{
	const char *doing = pulse__doing(child->pulse);
	char reason[160];

	if (err == -ETIMEDOUT)
		snprintf(reason, sizeof(reason),
			 "the run hung while %s, and was ended after %d s without progress", doing,
			 (int)(PULSE_GRACE_NS / NSEC_PER_SEC));
	else if (err)
		snprintf(reason, sizeof(reason), "cannot read what the run sent: %s",
			 strerror(-err));
	else if (WIFSIGNALED(status))
		snprintf(reason, sizeof(reason), "the run died of signal %d (%s) while %s",
			 WTERMSIG(status), strsignal(WTERMSIG(status)), doing);
	else
		snprintf(reason, sizeof(reason),
			 "the run ended without a result (exit %d) while %s", WEXITSTATUS(status),
			 doing);
	return outcome__absent("failed", reason);
}

static json_t *not_started(int err)
{
	struct why why;

	why__errno(&why, err, "cannot start the run");
	return outcome__absent("failed", why.text);
}

static json_t *collect(const struct child *child)
{
	struct buffer buffer = {0};
	json_t *doc = NULL;
	int err, status = 0;

	interrupt__watch(child->pid);
	err = read_all(child, &buffer);
	if (err)
		kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	interrupt__watch(0);
	if (!err && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		doc = json_loadb(buffer.data, buffer.len, 0, NULL);
	free(buffer.data);
	return doc ? doc : child_failed(child, err, status);
}

static json_t *fork_run(const struct plan *plan, const struct point *point, enum run_role role)
{
	struct child child = {.pulse = pulse__new(),
			      .measured_ns = plan->duration_ns + plan->warmup_ns};
	pid_t parent = getpid();
	json_t *doc;
	int fds[2];

	if (!child.pulse || pipe2(fds, O_CLOEXEC)) {
		doc = not_started(-errno);
		pulse__free(child.pulse);
		return doc;
	}
	fflush(NULL);
	child.pid = fork();
	child.fd = child.pid ? fds[0] : fds[1];
	if (child.pid == 0) {
		close(fds[0]);
		run_child(plan, point, role, &child, parent);
	}
	doc = child.pid < 0 ? not_started(-errno) : NULL;
	close(fds[1]);
	doc = doc ? doc : collect(&child);
	close(fds[0]);
	pulse__free(child.pulse);
	return doc;
}

json_t *execute__run(const struct plan *plan, const struct step *step)
{
	return fork_run(plan, &plan->points[step->point], step->role);
}

/*
 * False if it is skipped, and `why` has the reason. What failed, such as a check or for want of open
 * files, is tried again by the runs: they will fail aloud, where a skip would look like a matter of
 * the machine.
 */
static bool try_point(const struct plan *plan, struct point *point, struct why *why)
{
	json_t *doc = fork_run(plan, point, ROLE_PROBE);
	const char *status = json_string_value(json_object_get(doc, "status"));
	const char *reason = json_string_value(json_object_get(doc, "reason"));
	bool ran = strcmp(status, "skipped") != 0;

	if (strcmp(status, "ok"))
		why__set(ran ? &point->failure : why, 0, "%s", reason ? reason : "no reason given");
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

static bool answers(const struct point *point)
{
	return !point->skip.text[0] && !point->failure.text[0];
}

void execute__probe(struct plan *plan)
{
	for (int i = 0; i < plan->nr_points; i++) {
		struct point *point = &plan->points[i];
		int j;

		/* A refusal may be due to the parameters: only what works answers for others. */
		for (j = 0; j < i; j++)
			if (same_question(&plan->points[j], point) && answers(&plan->points[j]))
				break;
		if (j < i) {
			point->trigger = plan->points[j].trigger;
			point->skip = plan->points[j].skip;
		} else {
			probe_point(plan, point);
		}
	}
}
