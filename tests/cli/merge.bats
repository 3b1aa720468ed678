#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Documents of several boots and hosts: their unit is the boot or the host, and not the run.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

DATA=tests/data/documents

# boot NAME HOST RATE...: a document of one boot with a run for each rate, in op/s, and 100 branches
# for each operation of the first one.
boot() {
	local name=$1 host=$2

	shift 2
	jq --arg name "$name" --arg host "$host" --args '
		.id = $name | .boots[0].boot_id = $name | .boots[0].host = $host |
		.tool.plan.runs = ($ARGS.positional | length) |
		.metrics.branches = {unit: "branches", better: "none", kind: "counter",
			class: "noisy", per: "op"} |
		.benchmarks[0].runs |= (.[0] as $run | $ARGS.positional | to_entries | map(
			(.value | tonumber) as $rate | $run + {n: .key, block: .key, order: .key,
			values: {ops_rate: $rate, ns_op: (1e9 / $rate)},
			threads: [{tid: 0, cpu: 0, ops: $rate, dur_ns: 1000000000}],
			counters: [{metric: "branches", tid: 0, scaled: 100000000,
				enabled_ns: 1, running_ns: 1, reason: null}]}))' \
		"$@" <"$DATA/one-boot.json" >"$BATS_TEST_TMPDIR/$name.json"
}

# joined NAME...: the documents as one, in all.json.
joined() {
	call "$BPFPERF" merge -o "$BATS_TEST_TMPDIR/all.json" "${@/#/$BATS_TEST_TMPDIR/}"
	exits 0
}

report() {
	call "$BPFPERF" report -q "$@" "$BATS_TEST_TMPDIR/all.json"
	exits 0
}

# Means 1, 2 and 4 M: geometric mean 2 M, and 2 M exp(+-4.30265 ln 2 / sqrt 3) is 0.3575 .. 11.19.
@test "three boots: the mean of their means, on two degrees of freedom" {
	boot a lab 1000000 1000000
	boot b lab 1000000 4000000
	boot c lab 4000000 4000000
	joined a.json b.json c.json
	report
	[[ ${lines[0]} == *"   6 runs x 1 s in 3 boots" ]]
	stdout_has "2.00 M ops/s   95 % CI 0.36 - 11.19 (3 boots x 2 runs)     500 ns/op"
	# Within: (0 + 2 x 0.36 + 0) / 3, of which the root is 0.49; boots of 1, 2, 4.
	stdout_has "run CV 49.0 % within a boot, boot CV 65.5 %"
	stdout_has "total of all boots"
	# 6 x 1e8 branches in 15 M operations.
	stdout_line " +40.0 +600,000,000   branches"
	report --per-thread
	stdout_line " +producer +total of all boots +per op +event"
}

@test "a boot counts as one, however many runs it has" {
	boot a lab 1000000
	boot b lab 2000000 2000000 2000000 2000000
	boot c lab 4000000
	joined a.json b.json c.json
	report
	stdout_has "2.00 M ops/s   95 % CI 0.36 - 11.19 (3 boots, 6 runs)"
	stdout_has "run CV 0.0 % within a boot, boot CV 65.5 %"
}

@test "one run in each boot: the boots have a spread, the runs none that is known" {
	boot a lab 1000000
	boot b lab 2000000
	boot c lab 4000000
	joined a.json b.json c.json
	report
	stdout_has "95 % CI 0.36 - 11.19 (3 boots x 1 run)"
	stdout_has "     boot CV 65.5 %"
	[[ $output != *"run CV"* ]]
}

# Host means 2 (boots of 1 and 4) and 8: 4 M, and 4 M exp(+-12.7062 ln 4 / 2) is 598.6 .. 26.73 G.
@test "two hosts: the host is the unit, and a boot says nothing alone" {
	boot a one 1000000
	boot b one 4000000
	boot c two 8000000
	boot d two 8000000
	joined a.json b.json c.json d.json
	report
	stdout_has "4.00 M ops/s   error not known: the hosts differ by a factor of 4.00 (2 hosts x 2 boots x 1 run)"
	report -x ,
	stdout_line "[^,]+,ops_rate,op/s,(4000000|3999999)[^,]*,598\.5[^,]+,2673060[^,]+,[^,]+,4,,host,2"
}

@test "-x says of what the interval is" {
	boot a lab 1000000 1000000
	boot b lab 1000000 4000000
	boot c lab 4000000 4000000
	joined a.json b.json c.json
	report -x ,
	[ "${lines[0]}" = key,metric,unit,value,ci95_lo,ci95_hi,cv,runs,reason,replicate,replicates ]
	stdout_line "[^,]+,ops_rate,op/s,(2000000|1999999)[^,]*,35746[^,]+,1118999[^,]+,0\.65[^,]+,6,,boot,3"
	# A counter is one sum over everything.
	stdout_line "[^,]+,branches,branches,40,,,,6,,sum,6"
	call "$BPFPERF" report -x , "$BATS_TEST_TMPDIR/b.json"
	stdout_line "[^,]+,ops_rate,op/s,2000000[^,]*,.*,2,,run,2"
}

@test "one boot in two documents is one boot: its runs are the unit, as before" {
	boot a lab 1000000 1000000
	boot b lab 2000000 2000000
	jq '.boots[0].boot_id = "a"' "$BATS_TEST_TMPDIR/b.json" >"$BATS_TEST_TMPDIR/c.json"
	joined a.json c.json
	report
	[[ ${lines[0]} == *"   4 runs x 1 s" ]]
	[[ $output != *boot* ]]
	stdout_has "run CV 38.5 %"
}

@test "a sweep over boots says of how many boots each interval is" {
	boot a lab 1000000 1000000
	boot b lab 2000000 2000000
	jq '.benchmarks += [.benchmarks[0] | .key = "other/producers=1" | .name = "other"]' \
		"$BATS_TEST_TMPDIR/b.json" >"$BATS_TEST_TMPDIR/c.json"
	joined a.json c.json
	report
	[[ ${lines[0]} == "2 points, 2 to 4 runs x 1 s each in 1 to 2 boots, interleaved" ]]
	stdout_line " +1.41 M +>1000 % +2 boots .* hashmap-lookup .*"
	# The other one was measured in one boot only.
	stdout_line " +2.00 M +\+- 0.0 % +2 runs .* other .*"
}

# same_sides UNIT N M: a row that was judged, of which the two sides make the ratio, by these units.
same_sides() {
	json --arg unit "$1" --argjson units "[$2, $3]" '.rows[0] | .state == "judged" and
		.unit == $unit and .units == $units and
		.before.unit == $unit and .after.unit == $unit and
		[.before.units, .after.units] == $units and
		(.after.value / .before.value / .ratio - 1 | fabs) < 1e-9'
}

# Two boots are enough for the figure of a document, and too few for a verdict.
@test "two boots against one: compare has the values of the runs that it compares" {
	boot a lab 1000000
	boot b lab 4000000 4000000 4000000
	boot c lab 2000000 2000000 2000000 2000000
	joined a.json b.json
	call "$BPFPERF" compare -j "$BATS_TEST_TMPDIR/all.json" "$BATS_TEST_TMPDIR/c.json"
	same_sides run 4 4
	# The fourth root of 1 * 4^3.
	json '.rows[0] | (.before.value - 2828427.12 | fabs) < 1 and (.ratio - 0.70710678 | fabs) < 1e-6'
	call "$BPFPERF" compare "$BATS_TEST_TMPDIR/all.json" "$BATS_TEST_TMPDIR/c.json"
	stdout_line " .* x 0\.707 .* 2\.83 M +2\.00 M +ops_rate .*"
}

@test "hosts that both sides have are pairs, whatever the number of boots" {
	local side

	for side in before after; do
		boot "$side-1" one 1000000 1001000
		boot "$side-2" two 2000000 2001000
		boot "$side-3" two 2100000 2101000
		boot "$side-4" two 2200000 2201000
	done
	joined before-1.json before-2.json before-3.json before-4.json
	mv "$BATS_TEST_TMPDIR/all.json" "$BATS_TEST_TMPDIR/before.json"
	joined after-1.json after-2.json after-3.json
	call "$BPFPERF" compare -j "$BATS_TEST_TMPDIR/before.json" "$BATS_TEST_TMPDIR/all.json"
	same_sides "host pair" 2 2
	json '.rows[0] | .method == "paired t on logs" and .verdict == "INCONCLUSIVE" and
		.note == "no verdict on fewer than 3 host pairs" and .runs_needed >= 3'
	call "$BPFPERF" compare "$BATS_TEST_TMPDIR/before.json" "$BATS_TEST_TMPDIR/all.json"
	stdout_line "  by paired t on logs, 2 host pairs; host CV [0-9.]+ % and [0-9.]+ %, run CV 0\.. % and 0\.. %"
	report -x ,
	stdout_line ".*,host,2"
}

@test "hosts that one side does not have are left out, and one in common is no verdict" {
	local host

	for host in 1 2 3 4; do
		boot "before-$host" "lab-$host" "${host}000000" "${host}001000"
		boot "after-$host" "lab-$host" "${host}500000" "${host}501000"
	done
	joined before-1.json before-2.json before-3.json before-4.json
	mv "$BATS_TEST_TMPDIR/all.json" "$BATS_TEST_TMPDIR/before.json"
	joined after-1.json after-2.json after-3.json
	call "$BPFPERF" compare -j "$BATS_TEST_TMPDIR/before.json" "$BATS_TEST_TMPDIR/all.json"
	same_sides "host pair" 3 3
	json '.rows[0].note == "1 host that one side does not have left out, with 1 boot"'
	joined after-1.json after-4.json
	jq '.boots[1].host = "elsewhere"' "$BATS_TEST_TMPDIR/all.json" >"$BATS_TEST_TMPDIR/moved.json"
	call "$BPFPERF" compare -j "$BATS_TEST_TMPDIR/before.json" "$BATS_TEST_TMPDIR/moved.json"
	same_sides "host pair" 1 1
	json '.rows[0] | .verdict == "INCONCLUSIVE" and .lo == null and .p == null and
		(.ratio - 1.5 | fabs) < 0.01 and (.note | test("several hosts, and one in common"))'
}

@test "without a verdict, compare has the values of report" {
	boot a lab 1000000
	boot b lab 2000000 2000000 2000000 2000000
	boot c lab 4000000
	joined a.json b.json c.json
	jq '.boots[0].cpu.model = "another"' "$DATA/one-boot.json" >"$BATS_TEST_TMPDIR/other.json"
	call "$BPFPERF" compare -j "$BATS_TEST_TMPDIR/all.json" "$BATS_TEST_TMPDIR/other.json"
	exits 4
	json '.rows[0].before | .unit == "boot" and .units == 3 and .runs == 6 and
		(.value - 2e6 | fabs) < 1 and (.lo - 357462 | fabs) < 1'
	json '.rows[0].after | .unit == "run" and .units == 5'
}

@test "hosts that the sides do not share are their unit from three on; with fewer a spread is assumed" {
	local side name

	for side in before after; do
		for name in 1 2 3; do
			boot "$side-$name-x" "$side-$name" 1000000 1002000
			boot "$side-$name-y" "$side-$name" 1001000 1003000
		done
		call "$BPFPERF" merge -o "$BATS_TEST_TMPDIR/$side.json" \
			"$BATS_TEST_TMPDIR/$side"-?-?.json
		exits 0
	done
	call "$BPFPERF" compare -j "$BATS_TEST_TMPDIR/before.json" "$BATS_TEST_TMPDIR/after.json"
	same_sides host 3 3
	call "$BPFPERF" compare -j "$BATS_TEST_TMPDIR/before-1-x.json" \
		"$BATS_TEST_TMPDIR/after-1-x.json"
	json '.rows[0].note | test("it may be the hosts; a spread of 5 % between them is assumed")'
}

# The boots alone would be sure of 3 %. One machine a side says nothing of what machines do.
@test "one machine against another: a few per cent are no regression" {
	local side

	for side in 1000 970; do
		boot "$side-x" "host-$side" "${side}000" "${side}100"
		boot "$side-y" "host-$side" "${side}200" "${side}300"
		boot "$side-z" "host-$side" "${side}400" "${side}500"
		call "$BPFPERF" merge -o "$BATS_TEST_TMPDIR/$side.json" "$BATS_TEST_TMPDIR/$side"-?.json
		exits 0
	done
	call "$BPFPERF" compare "$BATS_TEST_TMPDIR/1000.json" "$BATS_TEST_TMPDIR/970.json"
	exits 0
	stdout_has INCONCLUSIVE
	stdout_has "it may be the hosts"
	jq '.boots[].host = "host-1000"' "$BATS_TEST_TMPDIR/970.json" >"$BATS_TEST_TMPDIR/same.json"
	call "$BPFPERF" compare "$BATS_TEST_TMPDIR/1000.json" "$BATS_TEST_TMPDIR/same.json"
	exits 1
	stdout_has REGRESSED
}

@test "no document stands twice, however it was joined before" {
	local dir=$BATS_TEST_TMPDIR name

	for name in a b; do
		"$BPFPERF" stat -q -r 2 -d 0.05 -w 0.01 -e none --no-evidence -o "$dir/$name.json" count-local
	done
	call "$BPFPERF" merge "$dir/a.json" "$dir/b.json" -o "$dir/m.json"
	exits 0
	for name in m a b; do
		call "$BPFPERF" merge "$dir/m.json" "$dir/$name.json" -o "$dir/x.json"
		exits 2
		stderr_has "stands twice"
		call "$BPFPERF" merge "$dir/$name.json" "$dir/m.json" -o "$dir/x.json"
		exits 2
		stderr_has "stands twice"
		[ ! -e "$dir/x.json" ]
	done
	# Nor is one written over, by whatever name.
	ln -s a.json "$dir/link.json"
	cp "$dir/a.json" "$dir/copy"
	call "$BPFPERF" merge "$dir/a.json" "$dir/b.json" -o "$dir/link.json"
	exits 129
	stderr_has "would be lost"
	cmp "$dir/a.json" "$dir/copy"
}
