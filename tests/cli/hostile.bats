#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Documents of strangers: whatever they hold, there is an answer soon, in one piece, and nothing of
# it reaches the terminal.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

DATA=tests/data/documents

# hostile FILTER: one-boot.json, changed by jq, as $bad.
hostile() {
	bad=$BATS_TEST_TMPDIR/bad.json
	jq "$@" "$DATA/one-boot.json" >"$bad"
}

# Each of these forms ends in time and with an exit status of its own.
forms() {
	local form

	for form in "$@"; do
		# shellcheck disable=SC2086 # several words
		call "$BPFPERF" $form
		case $status in
		0 | 1 | 2 | 4 | 129) ;;
		*)
			echo "$form"
			show
			return 1
			;;
		esac
		harmless "$form"
	done
}

every_form() {
	forms "report $bad" "report -j $bad" "report -x , $bad" \
		"report --per-thread --intervals $bad" "compare $DATA/before.json $bad" \
		"compare -j $bad $bad" "compare --robust $bad $bad" \
		"compare --by max_entries $bad" "merge $DATA/one-boot.json $bad"
}

# Large documents take their time to be read.
few_forms() {
	forms "report --per-thread --intervals $bad" "report -x , $bad" "compare $bad $bad"
}

# No control character but tab and line end, no number that is none. JSON has letters as they are.
harmless() {
	if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' <<<"$stderr" ||
		LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' <<<"$output" ||
		{ [[ $1 != *-j* && $1 != merge* ]] &&
			LC_ALL=C grep -qP '\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]' <<<"$output"; } ||
		grep -qwE '[-+]?(nan|inf)' <<<"$output"; then
		echo "$1 prints what it should not"
		cat -v <<<"$output" | head -n 20
		return 1
	fi
}

@test "escape sequences in every text of a document" {
	hostile '("\u001b]0;x\u0007\u009b31m\u202eevil\",\n" * 50) as $evil |
		.benchmarks[0] |= (.name = $evil | .checked = $evil | .trigger = $evil |
			.key = $evil | .next = [$evil] | .shown = ["max_entries", $evil]) |
		.boots[0].kernel.release = $evil | .boots[0].host = $evil | .label = $evil |
		.complete = false | .incomplete_reason = $evil | .id = $evil |
		.evidence_absent = $evil | .metrics[$evil] = .metrics.ops_rate |
		.warnings = [{code: $evil, text: $evil}, 3, null] |
		.benchmarks[0].runs[0].values[$evil] = 1 |
		.benchmarks[0].runs[0].counters = [{metric: $evil, tid: 0, scaled: 1}] |
		.benchmarks[0].runs[1] |= (.role = "evidence" | .locks_reason = $evil | .locks =
			[{class: $evil, type: $evil, caller: $evil, contended: 1, share: 1}])'
	every_form
	call "$BPFPERF" report -q -x , "$bad"
	exits 0
	# A field with quotes and line ends is one field all the same.
	[ "$(wc -l <<<"$output")" -eq 5 ]
}

@test "a parameter that is not there has no value" {
	hostile '.benchmarks[0].shown = ["nothing", "max_entries"]'
	call "$BPFPERF" report -q "$bad"
	[[ ${lines[0]} == "hashmap-lookup   max_entries=1000   1 producer"* ]]
}

@test "numbers at the ends of their range" {
	local value

	for value in 1e308 1e30 1e-320 -1 0 9223372036854775807; do
		hostile ".benchmarks[0].runs[].values = {ops_rate: $value, ns_op: $value} |
			.benchmarks[0].runs[].threads[0] |= (.ops = $value | .dur_ns = $value)"
		every_form
	done
	for value in 1e308 -1 9223372036854775807; do
		hostile ".benchmarks[0].runs[].block = $value"
		every_form
		hostile ".tool.plan.runs = $value | .tool.plan.duration_ms = $value"
		every_form
	done
}

@test "figures of tracers that cannot be" {
	local value

	for value in 1e30 -1 0 null; do
		hostile --argjson v "$value" '.benchmarks[0].runs[1] |= (.role = "evidence" |
			.locks = [{class: "c", contended: $v, share: $v, failed: $v,
				wait_ns_total: $v, wait_ns_max: $v}] | .locks_lost = {ring: $v} |
			.grace_periods = [{path: "p", n: $v, count: $v, window_ns: $v, mean_ns: $v,
				max_ns: $v, kernel_count: $v, delay: {n: $v, mean_ns: $v},
				cpu: {ns_per_gp: $v, ticks: $v}, sync_wait: {n: $v, mean_ns: $v},
				parts_ns: {a: $v}, lost: {ring: $v},
				hist: {sub_bits: 3, bins: [[1, $v], [500, $v], [$v, 1]]}},
				{path: "q"}, 3, null])'
		every_form
	done
}

# What takes the square of these numbers does not end in time.
@test "40,000 runs, and evidence beside each" {
	hostile -c '.benchmarks[0].runs = [range(40000) | {status: "ok", reason: null,
		role: (if . % 2 == 0 then "clean" else "evidence" end), block: (. / 2 | floor),
		values: {ops_rate: (1e6 + .)}, locks: []}]'
	few_forms
	call "$BPFPERF" compare --robust "$bad" "$bad"
	exits 4
	stdout_has "too many runs for ranks"
}

@test "65,536 counters" {
	hostile -c '.benchmarks[0].runs[0].counters = [range(65536) | {metric: "c\(.)", tid: 0,
		scaled: ., enabled_ns: 1, running_ns: 1, reason: null}]'
	few_forms
}

@test "100,000 lock classes" {
	hostile -c '.benchmarks[0].runs += [range(25) as $run | {status: "ok", reason: null,
		values: {}, role: "evidence", block: 0, locks: [range(4000) | {class: "c\($run)-\(.)",
		type: "spinlock", caller: "f", contended: 1, share: 0.001, wait_ns_total: 1}]}]'
	few_forms
}

@test "10,000 points, of which half ask for the rate of the other half" {
	hostile -c '.benchmarks[0] as $b | .benchmarks = [range(10000) as $i | $b | .key = "k\($i)" |
		.runs = [.runs[0]] | .params = {max_entries: ($i / 2 | floor),
		producers: (1 + $i % 2)}]'
	few_forms
}

@test "1,000 boots of 500 hosts, and no more" {
	hostile -c '.boots[0] as $b | .boots = [range(1000) | . as $i | $b | .boot_id = "b\($i)" |
		.host = "h\($i / 2 | floor)"] |
		.benchmarks[0].runs |= (to_entries | map(.value + {boot: (.key * 7)}))'
	every_form
	call "$BPFPERF" report -q "$bad"
	stdout_has "(5 hosts x 1 boot x 1 run)"
	jq -c '.boots += [.boots[0]]' "$bad" >"$bad.more"
	call "$BPFPERF" report "$bad.more"
	exits 2
	stderr_has "boots: there are more than 1000 of them"
}

@test "60 MB that would become 4.6 GB are refused, and take no memory" {
	bad=$BATS_TEST_TMPDIR/bad.json
	{
		echo '{"x":[{}'
		yes ',{}' | head -n 20000000 | tr -d '\n'
		echo ']}'
	} >"$bad"
	call bash -c 'ulimit -v 400000; exec "$@"' - "$BPFPERF" report "$bad"
	exits 2
	stderr_has "would take more than 1536 MiB of memory"
}

@test "other encodings, and bytes that are no text" {
	bad=$BATS_TEST_TMPDIR/bad.json
	{
		printf '\xef\xbb\xbf'
		cat "$DATA/one-boot.json"
	} >"$bad"
	every_form
	iconv -t UTF-16 "$DATA/one-boot.json" >"$bad"
	every_form
	sed 's/one-boot/one\\u0000boot/' "$DATA/one-boot.json" >"$bad"
	every_form
	sed 's/one-boot/one\xff\xfeboot/' "$DATA/one-boot.json" >"$bad"
	every_form
	cat "$DATA/one-boot.json" "$DATA/one-boot.json" >"$bad"
	every_form
	head -c 100000 "$BPFPERF" >"$bad"
	every_form
}
