// SPDX-License-Identifier: GPL-2.0-only
#include "lib/metric.h"

const struct metric engine_metrics[] = {
	{"ops_rate", "op/s", BETTER_HIGHER, "rate", METRIC_NOISY,
	 "operations per second of wall time, summed over the producers"},
	{"ns_op", "ns", BETTER_LOWER, "time", METRIC_NOISY, "producers x wall time / operations"},
	{"ns_op_net", "ns", BETTER_LOWER, "time", METRIC_NOISY,
	 "ns_op less the loop, the keys and the trigger, as measured in the same run; a lower bound"},
	{"bpf_ns_op", "ns", BETTER_LOWER, "time", METRIC_NOISY,
	 "time inside the BPF program / operations", .bpf_only = true},
	{"on_cpu", "ratio", BETTER_NONE, "scalar", METRIC_NOISY,
	 "share of the wall time that the producers spent on a CPU"},
	{"clock_gap", "ratio", BETTER_NONE, "scalar", METRIC_NOISY,
	 "wall time per operation over in-kernel time, less the trigger, minus one",
	 .bpf_only = true},
	{0},
};

json_t *metric__json(const struct metric *metric)
{
	static const char *const better[] = {"none", "higher", "lower"};
	static const char *const class[] = {"noisy", "repeatable", "exact"};

	return json_pack("{s:s, s:s, s:s, s:s, s:s}", "unit", metric->unit, "better",
			 better[metric->better], "kind", metric->kind, "class",
			 class[metric->class], "help", metric->help);
}
