#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Documents of strangers: whatever they hold, there is an answer soon, in one piece, and nothing of
# it reaches the terminal.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

DATA=tests/data/documents

# hostile FILTER: one-boot.json, changed by jq, as $bad. It is another document by its id.
hostile() {
	bad=$BATS_TEST_TMPDIR/bad.json
	jq "$@" <(jq '.id = "bad"' "$DATA/one-boot.json") >"$bad"
	rm -f "$bad.sweep"
}

# sweep: $bad with its benchmark a second time, as another value of max_entries, as $bad.sweep.
sweep() {
	jq '.id = "sweep" | .benchmarks[1] = (.benchmarks[0] | .params.max_entries = 2000 |
		.key = "hashmap-lookup/max_entries=2000/producers=1")' "$bad" >"$bad.sweep"
}

# number VALUE FILTER: the same, with this number for each "@". jq itself would round it.
number() {
	hostile "$2"
	sweep
	sed -i "s/\"@\"/$1/g" "$bad" "$bad.sweep"
	grep -qF -- "$1" "$bad"
}

# form STATUSES WORDS...: ends in time, with one of these, and prints nothing that it should not.
form() {
	local statuses=$1

	shift
	call "$BPFPERF" "$@"
	[[ " $statuses " == *" $status "* ]] || {
		echo "bpfperf $*: one of $statuses is expected"
		show
		return 1
	}
	harmless "$@"
}

# Whatever it has, it is a document: a comparison has a verdict, and anything else its result.
every_form() {
	[ -e "$bad.sweep" ] || sweep
	form 0 report "$bad"
	form 0 report -j "$bad"
	form 0 report -x , "$bad"
	form 0 report --per-thread --intervals "$bad"
	form "0 1 4" compare "$DATA/before.json" "$bad"
	form "0 1 4" compare -j "$bad" "$bad"
	form "0 1 4" compare --robust "$bad" "$bad"
	form "0 1 4" compare --by max_entries "$bad.sweep"
	form 0 merge "$bad" "$bad.sweep"
}

# Large documents take their time to be read.
few_forms() {
	form 0 report --per-thread --intervals "$bad"
	form 0 report -x , "$bad"
	form "0 1 4" compare "$bad" "$bad"
}

# refused TEXT: by every verb, and for that reason.
refused() {
	form 2 report "$bad"
	stderr_has "$1"
	form 2 compare "$DATA/before.json" "$bad"
	stderr_has "$1"
	form 2 merge "$DATA/one-boot.json" "$bad"
	stderr_has "$1"
}

# No control character but tab and line end, no number that is none. JSON has letters as they are.
harmless() {
	local bytes='[\x00-\x08\x0b-\x1f\x7f]' letters='\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]'
	local no_number='(?<![A-Za-z0-9_])[-+]?(nan|inf)(?![A-Za-z0-9_])'
	local never="$bytes|$letters|$no_number"

	[[ " $* " != *" -j "* && $1 != merge ]] || never="$bytes|$no_number"
	if LC_ALL=C grep -qaP "$never" <<<"$output" ||
		LC_ALL=C grep -qaP "$bytes|$letters" <<<"$stderr"; then
		echo "bpfperf $* prints what it should not"
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
	local value figures plan

	figures='.benchmarks[0].runs[] |= (.values = {ops_rate: "@", ns_op: "@"} |
		.threads[0] |= (.ops = "@" | .dur_ns = "@"))'
	plan='.tool.plan.runs = "@" | .tool.plan.duration_ms = "@"'
	for value in 1e30 1e-320 -1 0 9223372036854775807; do
		number "$value" "$figures"
		every_form
	done
	number 1e308 "$figures"
	refused "a number beyond 1e+30"
	number 9223372036854775808 "$figures"
	refused "too big integer"
	for value in 1e308 -1 9223372036854775807; do
		number "$value" '.benchmarks[0].runs[].block = "@"'
		refused "block: a"
		number "$value" "$plan"
		refused "tool.plan."
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
	jq -c '.id = "another"' "$bad" >"$BATS_TEST_TMPDIR/another.json"
	call "$BPFPERF" compare --robust "$bad" "$BATS_TEST_TMPDIR/another.json"
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
	local limit=400000

	bad=$BATS_TEST_TMPDIR/bad.json
	{
		echo '{"x":[{}'
		yes ',{}' | head -n 20000000 | tr -d '\n'
		echo ']}'
	} >"$bad"
	# The shadow of AddressSanitizer alone is larger than any limit.
	grep -qa __asan_init "$BPFPERF" && limit=unlimited
	call bash -c 'ulimit -v "$1"; shift; exec "$@"' - "$limit" "$BPFPERF" report "$bad"
	exits 2
	stderr_has "would take more than 1536 MiB of memory"
}

@test "16 tracers in each of 4,000 evidence runs" {
	hostile -c '.benchmarks[0].runs += [range(4000) | {status: "ok", reason: null, values: {},
		role: "evidence", block: ., grace_periods: [range(16) | {path: "p", n: 1}]}]'
	few_forms
}

@test "256 programs on both sides" {
	hostile -c '.benchmarks[0].progs = [range(256) | {name: "p\(.)", verified_insns: .}]'
	jq -c '.id = "another" | .benchmarks[0].runs[].t0_mono_ns = 1 |
		.benchmarks[0].progs |= (reverse | map(.verified_insns += 1))' "$bad" >"$bad.other"
	form "0 1 4" compare -j "$bad" "$bad.other"
	json '[.. | .figure? | select(test("verified_insns of p"; "") ?)] | length == 256'
}

@test "128 columns of 2,000 intervals, and a title of 128 KiB" {
	hostile -c '.benchmarks[0].runs[0].intervals = {columns: [range(128) | "c"],
		rows: [range(2000) | [., 1, 0, 1]]} |
		.benchmarks[0].runs[1].intervals = {columns: ["a", "b", "c", "d", "x" * 131072],
		rows: [range(2000) | [., 1, 0, 1]]}'
	form 0 report --intervals "$bad"
	[ "${#output}" -lt 4000000 ]
}

@test "8 million values of figures by runs" {
	hostile -c '.benchmarks[0].runs = [.benchmarks[0].runs[0] as $run | range(8000) |
		if . == 0 then $run | .values |= (. + ([range(250) | {key: "f\(.)", value: 1}] |
		from_entries)) | .counters = [range(740) | {metric: "c\(.)", tid: 0, scaled: 1}]
		else {status: "ok", reason: null, values: null} end]'
	few_forms
	jq -c '.benchmarks[0] as $b | .benchmarks[1] = ($b | .key = "other" |
		.runs = $b.runs[0:200])' "$bad" >"$bad.more"
	form 2 report "$bad.more"
	stderr_has "benchmarks: too many runs of too many figures"
}

@test "2,000 points in 1,000 boots" {
	hostile -c '.boots[0] as $b | .boots = [range(1000) | . as $i | $b | .boot_id = "b\($i)" |
		.host = "h\($i)"] | .benchmarks[0] as $b | .benchmarks = [range(2000) as $i | $b |
		.key = "k\($i)" | .runs = [.runs[0], (.runs[1] | .boot = 999)]]'
	few_forms
}

@test "other encodings, and bytes that are no text" {
	bad=$BATS_TEST_TMPDIR/bad.json
	{
		printf '\xef\xbb\xbf'
		cat "$DATA/one-boot.json"
	} >"$bad"
	refused "'{' expected"
	iconv -t UTF-16 "$DATA/one-boot.json" >"$bad"
	refused "'{' expected"
	sed 's/one-boot/one\\u0000boot/' "$DATA/one-boot.json" >"$bad"
	refused "\\u0000 is not allowed"
	sed 's/one-boot/one\xff\xfeboot/' "$DATA/one-boot.json" >"$bad"
	refused "unable to decode byte 0xff"
	cat "$DATA/one-boot.json" "$DATA/one-boot.json" >"$bad"
	refused "something follows the document"
	head -c 100000 "$BPFPERF" >"$bad"
	refused "'{' expected"
}
