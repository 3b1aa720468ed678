// SPDX-License-Identifier: GPL-2.0-only
#include "tracepoints/lock_report.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hist.h"
#include "lib/ksyms.h"
#include "tracepoints/lock_class.h"

const char *lock_type(uint32_t flags)
{
	static const struct {
		uint32_t flags;
		const char *type;
	} types[] = {
		{0, "semaphore"},
		{LCB_F_SPIN, "spinlock"},
		{LCB_F_SPIN | LCB_F_READ, "rwlock:R"},
		{LCB_F_SPIN | LCB_F_WRITE, "rwlock:W"},
		{LCB_F_READ, "rwsem:R"},
		{LCB_F_WRITE, "rwsem:W"},
		{LCB_F_RT, "rt-mutex"},
		{LCB_F_RT | LCB_F_READ, "rwlock-rt:R"},
		{LCB_F_RT | LCB_F_WRITE, "rwlock-rt:W"},
		{LCB_F_PERCPU | LCB_F_READ, "pcpu-sem:R"},
		{LCB_F_PERCPU | LCB_F_WRITE, "pcpu-sem:W"},
		{LCB_F_MUTEX, "mutex"},
		{LCB_F_MUTEX | LCB_F_SPIN, "mutex"},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].flags == flags)
			return types[i].type;
	return "unknown";
}

int lock_report__add(struct lock_report *report, const struct lock_task *task)
{
	struct lock_site *sites;

	sites = reallocarray(report->sites, report->nr_sites + LOCK_SITES, sizeof(*sites));
	if (!sites)
		return -ENOMEM;
	report->sites = sites;
	for (int i = 0; i < LOCK_SITES; i++)
		if (task->sites[i].hash)
			sites[report->nr_sites++] = task->sites[i];
	for (int i = 0; i < LOCK_KINDS; i++) {
		struct lock_kind *kind = &report->kinds[i];

		kind->waits += task->kinds[i].waits;
		kind->total_ns += task->kinds[i].total_ns;
		if (task->kinds[i].max_ns > kind->max_ns)
			kind->max_ns = task->kinds[i].max_ns;
	}
	report->failed += task->failed;
	for (int i = 0; i < NR_LOST; i++)
		report->lost[i] += task->lost[i];
	for (int i = 0; i < LOCK_NESTING; i++)
		report->unfinished += task->pending[i].lock != 0;
	return 0;
}

static struct lock_row *find_row(struct lock_report *report, const char *class, const char *type,
				 const char *caller)
{
	struct lock_row *rows, *row;

	for (size_t i = 0; i < report->nr_rows; i++) {
		row = &report->rows[i];
		if (!strcmp(row->class, class) && !strcmp(row->type, type) &&
		    !strcmp(row->caller ? row->caller : "", caller ? caller : ""))
			return row;
	}
	rows = reallocarray(report->rows, report->nr_rows + 1, sizeof(*rows));
	if (!rows)
		return NULL;
	report->rows = rows;
	row = &rows[report->nr_rows++];
	*row = (struct lock_row){.class = class, .type = type, .caller = caller};
	return row;
}

static void add_site(struct lock_report *report, const struct lock_site *site)
{
	const char *frames[LOCK_FRAMES];
	struct lock_row *row;

	for (uint32_t i = 0; i < site->nr_frames; i++)
		frames[i] = report->ksyms ? ksyms__name(report->ksyms, site->stack[i]) : NULL;
	row = find_row(report, lock_class__of(frames, site->nr_frames), lock_type(site->flags),
		       lock_class__caller(frames, site->nr_frames));
	if (!row)
		return;
	row->flags = site->flags;
	row->sampled += site->waits + site->records;
	row->records += site->records;
	row->records_ns += site->records_ns;
	row->failed += site->failed;
	row->total_ns += site->total_ns + site->records_ns;
	if (site->max_ns > row->max_ns)
		row->max_ns = site->max_ns;
	for (int i = 0; i < LOCK_BINS; i++)
		row->bins[i] += site->bins[i];
}

/* One kind over all rows, of which `waits` and `total_ns` are the sample's, without the records. */
struct sampled_kind {
	uint64_t waits, total_ns, records, records_ns;
};

static void sum_kinds(const struct lock_report *report, struct sampled_kind *kinds)
{
	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct lock_row *row = &report->rows[i];
		struct sampled_kind *kind = &kinds[row->flags % LOCK_KINDS];

		kind->waits += row->sampled - row->records;
		kind->total_ns += row->total_ns - row->records_ns;
		kind->records += row->records;
		kind->records_ns += row->records_ns;
	}
}

/* What is not among the records is shared out as the sample is; without one, as the records are. */
static uint64_t share_out(uint64_t all, uint64_t own, uint64_t own_records, uint64_t sampled,
			  uint64_t records)
{
	double rest = all > records ? all - records : 0;

	if (sampled)
		return own_records + rest * (own - own_records) / sampled + 0.5;
	return records ? (double)all * own_records / records + 0.5 : 0;
}

/* Shares the kinds' exact figures out among the rows of their kind. */
static void scale_rows(struct lock_report *report)
{
	struct sampled_kind kinds[LOCK_KINDS] = {0};

	sum_kinds(report, kinds);
	for (size_t i = 0; i < report->nr_rows; i++) {
		struct lock_row *row = &report->rows[i];
		const struct lock_kind *all = &report->kinds[row->flags % LOCK_KINDS];
		const struct sampled_kind *kind = &kinds[row->flags % LOCK_KINDS];

		row->waits = share_out(all->waits, row->sampled, row->records, kind->waits,
				       kind->records);
		row->total_ns = share_out(all->total_ns, row->total_ns, row->records_ns,
					  kind->total_ns, kind->records_ns);
		if (row->total_ns > row->max_ns * row->waits && row->waits)
			row->max_ns = (row->total_ns + row->waits - 1) / row->waits;
	}
}

/* A kind of which no stack was taken is a row without names. */
static void add_unsampled(struct lock_report *report)
{
	for (uint32_t k = 0; k < LOCK_KINDS; k++) {
		const struct lock_kind *kind = &report->kinds[k];
		struct lock_row *row;
		bool sampled = false;

		for (size_t i = 0; i < report->nr_rows; i++)
			sampled |= report->rows[i].flags % LOCK_KINDS == k &&
				   report->rows[i].sampled;
		if (!kind->waits || sampled)
			continue;
		row = find_row(report, "unresolved", lock_type(k), NULL);
		if (!row)
			return;
		row->flags = k;
		row->waits += kind->waits;
		row->total_ns += kind->total_ns;
		if (kind->max_ns > row->max_ns)
			row->max_ns = kind->max_ns;
	}
}

static int by_total(const void *a, const void *b)
{
	const struct lock_row *x = a, *y = b;

	return (x->total_ns < y->total_ns) - (x->total_ns > y->total_ns);
}

void lock_report__resolve(struct lock_report *report, const char *kallsyms)
{
	uint64_t total = 0;

	/* Reading it takes 50 ms, and without a wait there is nothing to name. */
	if (report->nr_sites)
		ksyms__load(kallsyms, &report->ksyms, &report->why);
	for (size_t i = 0; i < report->nr_sites; i++)
		if (report->sites[i].waits || report->sites[i].records || report->sites[i].failed)
			add_site(report, &report->sites[i]);
	scale_rows(report);
	add_unsampled(report);
	if (report->nr_rows)
		qsort(report->rows, report->nr_rows, sizeof(*report->rows), by_total);
	for (size_t i = 0; i < report->nr_rows; i++)
		total += report->rows[i].total_ns;
	/* Nested waits count in both, so a little more would be possible; twice is a fault. */
	if (total > 2 * report->wall_ns)
		why__set(&report->why, 0,
			 "the waits add up to more than the producers' time: not "
			 "to be trusted");
}

json_t *lock_report__json(const struct lock_report *report)
{
	json_t *doc = json_array();

	for (size_t i = 0; i < report->nr_rows; i++) {
		const struct lock_row *row = &report->rows[i];
		json_t *entry = json_object();

		json_object_set_new(entry, "class", json_string(row->class));
		json_object_set_new(entry, "type", json_string(row->type));
		json_object_set_new(entry, "caller",
				    row->caller ? json_string(row->caller) : json_null());
		json_object_set_new(entry, "contended", json_integer(row->waits));
		json_object_set_new(entry, "sampled", json_integer(row->sampled));
		json_object_set_new(entry, "failed", json_integer(row->failed));
		json_object_set_new(entry, "wait_ns_total", json_integer(row->total_ns));
		json_object_set_new(entry, "wait_ns_max", json_integer(row->max_ns));
		json_object_set_new(entry, "share",
				    json_real((double)row->total_ns / report->wall_ns));
		json_object_set_new(entry, "wait_hist",
				    hist__json(row->bins, LOCK_BINS, LOCK_SUB_BITS, "ns"));
		json_object_set_new(entry, "source",
				    json_string("tracepoint:lock:contention_begin"));
		json_array_append_new(doc, entry);
	}
	return doc;
}

json_t *lock_report__kinds(const struct lock_report *report)
{
	json_t *doc = json_array();

	for (uint32_t k = 0; k < LOCK_KINDS; k++)
		if (report->kinds[k].waits)
			json_array_append_new(
				doc,
				json_pack("{s:s, s:I, s:I, s:I}", "type", lock_type(k), "contended",
					  (json_int_t)report->kinds[k].waits, "wait_ns_total",
					  (json_int_t)report->kinds[k].total_ns, "wait_ns_max",
					  (json_int_t)report->kinds[k].max_ns));
	return doc;
}

json_t *lock_report__lost(const struct lock_report *report)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "nesting",
			 (json_int_t)report->lost[LOST_NESTING], "sites",
			 (json_int_t)report->lost[LOST_SITES], "stack",
			 (json_int_t)report->lost[LOST_STACK], "begin",
			 (json_int_t)report->lost[LOST_BEGIN], "end",
			 (json_int_t)report->lost[LOST_END], "clock",
			 (json_int_t)report->lost[LOST_CLOCK], "unfinished",
			 (json_int_t)report->unfinished);
}

void lock_report__free(struct lock_report *report)
{
	ksyms__free(report->ksyms);
	free(report->sites);
	free(report->rows);
}
