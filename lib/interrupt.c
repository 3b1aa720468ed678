// SPDX-License-Identifier: GPL-2.0-only
#include "lib/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/clock.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
#define NR_SIGNALS (sizeof(signals) / sizeof(signals[0]))

static int event_fd = -1;
static volatile sig_atomic_t first_signal;
static volatile sig_atomic_t watched_child;
/* Read and written by the handler alone, which the other signals do not interrupt. */
static uint64_t first_ns;

static void ask(int signal)
{
	const uint64_t one = 1;

	first_signal = signal;
	first_ns = clock__now();
	if (write(event_fd, &one, sizeof(one)) < 0) {
		/* The flag is set: the next check sees it. */
	}
}

static void on_signal(int signal)
{
	int saved = errno;

	if (!first_signal) {
		ask(signal);
	} else if (clock__now() - first_ns > INTERRUPT_REPEAT_NS) {
		if (watched_child)
			kill(watched_child, SIGKILL);
		_exit(interrupt__exit_code(signal));
	}
	errno = saved;
}

int interrupt__init(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	for (size_t i = 0; i < NR_SIGNALS; i++)
		sigaddset(&action.sa_mask, signals[i]);
	event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (event_fd < 0)
		return -errno;
	for (size_t i = 0; i < NR_SIGNALS; i++) {
		struct sigaction old;

		/* nohup and background jobs of a script ignore some: that stays. */
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	return 0;
}

int interrupt__fd(void)
{
	return event_fd;
}

int interrupt__signal(void)
{
	return first_signal;
}

int interrupt__exit_code(int signal)
{
	return 128 + (signal == SIGHUP ? SIGTERM : signal);
}

void interrupt__watch(pid_t child)
{
	watched_child = child;
}

void interrupt__ignore(void)
{
	for (size_t i = 0; i < NR_SIGNALS; i++)
		signal(signals[i], SIG_IGN);
}
