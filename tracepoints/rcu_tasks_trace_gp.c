// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/rcu_tasks_trace_gp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t number_of(uint64_t seq)
{
	return seq >> RTT_SEQ_SHIFT;
}

static bool is_running(uint64_t seq)
{
	return seq & RTT_SEQ_PHASE;
}

static int append(struct gp_feed *feed, const struct grace_period *gp)
{
	if (feed->nr == feed->room) {
		size_t room = feed->room ? 2 * feed->room : 256;
		struct grace_period *gps = reallocarray(feed->gps, room, sizeof(*gps));

		if (!gps)
			return -ENOMEM;
		feed->gps = gps;
		feed->room = room;
	}
	feed->gps[feed->nr++] = *gp;
	return 0;
}

static void open_gp(struct gp_feed *feed, uint64_t number, uint64_t start_ns, int64_t callbacks)
{
	feed->open = (struct grace_period){
		.number = number, .start_ns = start_ns, .callbacks = callbacks};
	feed->is_open = true;
	feed->seen_start |= start_ns != 0;
}

static int close_gp(struct gp_feed *feed, uint64_t end_ns)
{
	if (end_ns < feed->open.start_ns) {
		feed->lost.order++;
		feed->open.start_ns = 0;
	}
	feed->open.end_ns = end_ns;
	feed->is_open = false;
	return append(feed, &feed->open);
}

/* A slice with callbacks in it, or a part of one. */
static void called(struct gp_feed *feed, uint64_t t_ns)
{
	for (size_t i = feed->invoked; feed->in_ns && i < feed->nr; i++) {
		struct grace_period *gp = &feed->gps[i];
		uint64_t from = gp->end_ns > feed->in_ns ? gp->end_ns : feed->in_ns;

		/* After a step of the clock it may have ended in what is to come. */
		if (t_ns > from)
			gp->calling_ns += t_ns - from;
	}
}

/* Callbacks of everything that has ended are called before the kthread next goes to sleep. */
static void invoked(struct gp_feed *feed, uint64_t t_ns)
{
	for (; feed->invoked < feed->nr; feed->invoked++)
		if (t_ns >= feed->gps[feed->invoked].end_ns)
			feed->gps[feed->invoked].invoked_ns = t_ns;
}

static enum gp_part part_of(const struct rtt_event *event)
{
	if (event->kind != RTT_OUT)
		return GP_RUNNING;
	if (event->preempted)
		return GP_PREEMPTED;
	if (event->gp_state == RTGS_POST_SCAN_TASKLIST)
		return GP_POSTSCAN;
	if (event->gp_state == RTGS_WAIT_SCAN_HOLDOUTS)
		return GP_HOLDOUTS;
	return GP_OTHER;
}

/* A grace period ended in the slice behind which `event` is; which one, the sequence says. */
static int end_by_seq(struct gp_feed *feed, const struct rtt_event *event)
{
	uint64_t number = number_of(feed->seq);

	if (!feed->is_open || !feed->in_ns)
		open_gp(feed, number, 0, -1);
	/* It sleeps in every one, so two in a slice were not. */
	feed->lost.skipped += number_of(event->seq) - number - 1;
	return close_gp(feed, feed->in_ns ? feed->in_ns : event->t_ns);
}

/* Did the grace period that runs behind this slice begin in it? */
static bool began_here(const struct gp_feed *feed, uint64_t seq)
{
	return feed->seen_seq && seq > feed->seq &&
	       (!is_running(feed->seq) || number_of(seq) > number_of(feed->seq));
}

/* The kthread alone moves the sequence, and what it did in a slice shows when that ends. */
static int follow_seq(struct gp_feed *feed, const struct rtt_event *event)
{
	uint64_t before = feed->seq, seq = event->seq;
	int err = 0;

	if (feed->seen_seq && seq < before) {
		feed->lost.order++;
		feed->is_open = false;
	} else if (feed->seen_seq && number_of(seq) > number_of(before)) {
		err = end_by_seq(feed, event);
	}
	if (is_running(seq) && !feed->is_open)
		open_gp(feed, number_of(seq), began_here(feed, seq) ? feed->in_ns : 0,
			event->callbacks);
	return err;
}

static int on_out(struct gp_feed *feed, const struct rtt_event *event)
{
	int err = 0;

	if (!feed->on_cpu) {
		feed->in_ns = 0;
		feed->lost.switches += feed->last_ns != 0;
	}
	if (!feed->hooked && event->seq)
		err = follow_seq(feed, event);
	called(feed, event->t_ns);
	if (!event->preempted && !is_running(event->seq))
		invoked(feed, event->t_ns);
	return err;
}

/* It slept or waited: a sequence that moved meanwhile did so in a slice that was not shown. */
static int on_in(struct gp_feed *feed, const struct rtt_event *event)
{
	int err = 0;

	feed->lost.switches += feed->on_cpu || (feed->seen_seq && event->seq != feed->seq);
	feed->in_ns = 0;
	if (!feed->hooked && feed->seen_seq && event->seq != feed->seq)
		err = follow_seq(feed, event);
	feed->in_ns = event->t_ns;
	return err;
}

static void on_start(struct gp_feed *feed, const struct rtt_event *event)
{
	feed->lost.order += feed->is_open && feed->seen_end;
	open_gp(feed, number_of(event->seq), event->t_ns, event->callbacks);
}

static int on_end(struct gp_feed *feed, const struct rtt_event *event)
{
	feed->seen_end = true;
	if (!feed->is_open && feed->seen_start) {
		feed->lost.order++;
		return 0;
	}
	if (feed->is_open && feed->open.number != number_of(event->seq)) {
		feed->lost.order++;
		feed->is_open = false;
		return 0;
	}
	if (!feed->is_open)
		open_gp(feed, number_of(event->seq), 0, -1);
	feed->seen_start = true;
	return close_gp(feed, event->t_ns);
}

static void account(struct gp_feed *feed, const struct rtt_event *event, uint64_t since_ns)
{
	if (feed->is_open && feed->open.start_ns && since_ns)
		feed->open.part_ns[feed->part] += event->t_ns - since_ns;
}

static int dispatch(struct gp_feed *feed, const struct rtt_event *event)
{
	switch (event->kind) {
	case RTT_IN: on_in(feed, event); return 0;
	case RTT_OUT: return on_out(feed, event);
	case RTT_START: on_start(feed, event); return 0;
	default: return on_end(feed, event);
	}
}

static void remember(struct gp_feed *feed, const struct rtt_event *event)
{
	feed->part = part_of(event);
	feed->last_ns = event->t_ns;
	if (event->kind != RTT_IN && event->kind != RTT_OUT)
		return;
	feed->on_cpu = event->kind == RTT_IN;
	if (event->seq) {
		feed->seq = event->seq;
		feed->seen_seq = true;
	}
}

/* No start, end or slice can be trusted across it. */
static void clock_step(struct gp_feed *feed, const struct rtt_event *event)
{
	feed->lost.clock++;
	feed->is_open = false;
	feed->in_ns = 0;
	remember(feed, event);
}

/*
 * By the sequence, a grace period begins and ends with the slice in which it did, so a slice
 * counts for what is open behind it; with hooks, the time before an event is what was open then.
 */
int gp_feed__add(struct gp_feed *feed, const struct rtt_event *event)
{
	int err;

	if (event->t_ns < feed->last_ns) {
		clock_step(feed, event);
		return 0;
	}
	if (feed->hooked || event->kind == RTT_IN)
		account(feed, event, feed->last_ns);
	err = dispatch(feed, event);
	if (!feed->hooked && event->kind == RTT_OUT)
		account(feed, event, feed->in_ns ? feed->in_ns : feed->last_ns);
	remember(feed, event);
	return err;
}

void gp_feed__free(struct gp_feed *feed)
{
	free(feed->gps);
	*feed = (struct gp_feed){0};
}

int64_t rtt_now__delta(const struct rtt_now *first, const struct rtt_now *last)
{
	if (!first->seq || !last->seq)
		return -1;
	return number_of(last->seq) - number_of(first->seq);
}

struct gp_window gp_feed__window(const struct gp_feed *feed, const struct rtt_now *first,
				 const struct rtt_now *last)
{
	bool by_number = rtt_now__delta(first, last) >= 0;
	size_t from = 0, to;

	while (from < feed->nr && (by_number ? feed->gps[from].number < number_of(first->seq)
					     : feed->gps[from].end_ns <= first->t_ns))
		from++;
	for (to = from; to < feed->nr; to++)
		if (by_number ? feed->gps[to].number >= number_of(last->seq)
			      : feed->gps[to].end_ns > last->t_ns)
			break;
	return (struct gp_window){.gps = feed->gps + from, .nr = to - from};
}
