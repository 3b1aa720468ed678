#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# compare, report and merge: stored documents with known answers, broken ones, and some of now.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

DATA=tests/data/documents

# compared EXIT VERDICT [OPTION...] FILE...: the exit status, and the word of the last line.
compared() {
	local code=$1 verdict=$2

	shift 2
	call "$BPFPERF" compare "$@"
	exits "$code"
	[[ $(tail -n 1 <<<"$output") == "verdict=$verdict "* ]] || {
		echo "expected verdict=$verdict"
		show
		return 1
	}
}

# broken FILE MESSAGE: refused by every verb that reads documents, with a line that says why.
broken() {
	local verb

	for verb in report compare merge; do
		case $verb in
		report) call "$BPFPERF" report "$1" ;;
		*) call "$BPFPERF" "$verb" "$DATA/before.json" "$1" ;;
		esac
		exits 2
		stdout_empty
		stderr_has "$1"
		stderr_has "$2"
		[ "$(wc -l <<<"$stderr")" -eq 1 ]
	done
}

# quick FILE WORDS...: a document of now.
quick() {
	local file=$1

	shift
	"$BPFPERF" stat -q -d 0.05 -w 0.01 -e none --no-evidence -o "$BATS_TEST_TMPDIR/$file" \
		"$@" >"$BATS_TEST_TMPDIR/$file.txt" || [ $? -eq 2 ]
}

@test "slower, faster, no change, cannot tell: verdict and exit status" {
	compared 1 REGRESSED "$DATA/before.json" "$DATA/slower.json"
	compared 0 IMPROVED "$DATA/before.json" "$DATA/faster.json"
	compared 0 NO_CHANGE "$DATA/before.json" "$DATA/same.json"
	compared 0 INCONCLUSIVE "$DATA/before.json" "$DATA/noisy.json"
}

@test "the verdict is in the first two lines, the machine in the second block" {
	call "$BPFPERF" compare "$DATA/before.json" "$DATA/slower.json"
	[[ ${lines[1]} == "REGRESSED   hashmap-lookup is worse: ops_rate -4.1 %, 95 % CI "* ]]
	[[ ${lines[1]} == *"5 and 5 boots" ]]
	[ -z "$(sed -n 3p <<<"$output")" ]
	[[ $(sed -n 4p <<<"$output") == "  expected   kernel.release "* ]]
	stdout_line "  SLOWER .* ops_rate   hashmap-lookup max_entries=1000"
}

@test "an inconclusive verdict says how many runs would decide" {
	call "$BPFPERF" compare "$DATA/before.json" "$DATA/noisy.json"
	[[ ${lines[1]} =~ "about "[0-9]+" boots on each side would settle it" ]]
	call "$BPFPERF" compare "$DATA/before.json" "$DATA/one-boot.json"
	stdout_has "five boots per side lift that"
}

@test "--require-conclusive and --fail-on" {
	compared 3 INCONCLUSIVE --require-conclusive "$DATA/before.json" "$DATA/noisy.json"
	compared 0 NO_CHANGE --require-conclusive "$DATA/before.json" "$DATA/same.json"
	compared 1 INCONCLUSIVE --fail-on inconclusive "$DATA/before.json" "$DATA/noisy.json"
	compared 1 IMPROVED --fail-on change "$DATA/before.json" "$DATA/faster.json"
	compared 0 REGRESSED --fail-on inconclusive "$DATA/before.json" "$DATA/slower.json"
	compared 1 REGRESSED --fail-on regression,inconclusive "$DATA/before.json" \
		"$DATA/slower.json"
}

@test "--min-effect decides what matters" {
	compared 0 INCONCLUSIVE --min-effect 4.4% "$DATA/before.json" "$DATA/slower.json"
	compared 0 NO_CHANGE --min-effect 5 "$DATA/before.json" "$DATA/slower.json"
	compared 1 REGRESSED --min-effect 0.5% "$DATA/before.json" "$DATA/slower.json"
}

@test "--robust by ranks, and it says that it was chosen late" {
	compared 1 REGRESSED --robust "$DATA/before.json" "$DATA/slower.json"
	stdout_has "Mann-Whitney"
	stdout_has "ranks were chosen after the values could be seen"
}

@test "a document compared with itself, under whatever name and id, is not comparable" {
	local copy=$BATS_TEST_TMPDIR/copy.json

	compared 4 NOT_COMPARABLE "$DATA/before.json" "$DATA/before.json"
	[[ ${lines[1]} == "NOT COMPARABLE   both are the same document" ]]
	compared 4 NOT_COMPARABLE --force "$DATA/before.json" "$DATA/before.json"
	quick a.json -r 5 count-local
	quick b.json -r 5 count-local
	jq '.id = "another" | .label = "copy"' "$BATS_TEST_TMPDIR/a.json" >"$copy"
	compared 4 NOT_COMPARABLE "$BATS_TEST_TMPDIR/a.json" "$copy"
	"$BPFPERF" merge -o "$copy" "$BATS_TEST_TMPDIR/a.json" "$BATS_TEST_TMPDIR/b.json"
	compared 4 NOT_COMPARABLE "$BATS_TEST_TMPDIR/a.json" "$copy"
	[[ ${lines[1]} == *"5 runs are on both sides: "* ]]
}

# disturb FILE PERCENT: other programs took so much of the CPUs in each of its runs.
disturb() {
	jq --argjson percent "$2" '.benchmarks[].runs[].state = {load1: 9, steal_pct: 0,
		foreign_cpu_pct: $percent, freq_khz: [null, null], temp_c: [null, null]} |
		.benchmarks[0].runs[1].state.foreign_cpu_pct += 10' "$DATA/$1" >"$BATS_TEST_TMPDIR/$1"
}

@test "a verdict of disturbed runs is marked in the line below it" {
	disturb slower.json 30
	compared 1 REGRESSED "$DATA/before.json" "$BATS_TEST_TMPDIR/slower.json"
	[[ ${lines[2]} == "  warning: $BATS_TEST_TMPDIR/slower.json: 15 of 15 runs disturbed, such as: \
other programs took 40.0 % of the CPUs" ]]
	[[ ${lines[3]} != *warning* ]]
	call "$BPFPERF" compare -j "$DATA/before.json" "$BATS_TEST_TMPDIR/slower.json"
	json '.rows[0] | .before.disturbed == 0 and .before.cause == null and .after.disturbed == 15'
	disturb slower.json 2
	compared 1 REGRESSED "$DATA/before.json" "$BATS_TEST_TMPDIR/slower.json"
	[[ $output != *"runs disturbed"* ]]
}

@test "the spread that is printed is that of the unit, and of the runs below it" {
	call "$BPFPERF" compare "$DATA/before.json" "$DATA/slower.json"
	stdout_line "  by Welch t on logs, 5 and 5 boots; boot CV 0\.[1-9] % and 0\.[1-9] %, run CV .*"
	call "$BPFPERF" compare -j "$DATA/before.json" "$DATA/slower.json"
	json '.rows[0].before | .unit_cv > 0 and .unit_cv != .cv'
}

@test "one interval has one notation" {
	jq '.benchmarks[0].runs |= [to_entries[] | .value.values.ops_rate *=
		(if .key % 2 == 0 then 0.35 else 0.9 end) | .value]' "$DATA/before.json" \
		>"$BATS_TEST_TMPDIR/wide.json"
	call "$BPFPERF" compare "$DATA/slower.json" "$BATS_TEST_TMPDIR/wide.json"
	stdout_line ".* ops_rate x [0-9.]+, 95 % CI x [0-9.]+ \.\. x [0-9.]+, .*"
	! grep -E "x [0-9.]+ \.\. [-+]|% \.\. x" <<<"$output"
}

@test "another machine is not comparable, unless forced, and that is stamped" {
	compared 4 NOT_COMPARABLE "$DATA/before.json" "$DATA/other-cpu.json"
	stdout_has "the machines differ in cpu.model"
	stdout_line "  block +cpu.model +Some CPU at 3 GHz -> Another CPU"
	compared 1 REGRESSED --force "$DATA/before.json" "$DATA/other-cpu.json"
	stdout_has "REGRESSED (FORCED, although the machines differ)"
	[[ $(tail -n 1 <<<"$output") == *" forced=yes" ]]
}

@test "runs that failed after the change are not comparable" {
	compared 4 NOT_COMPARABLE "$DATA/before.json" "$DATA/failed.json"
	stdout_has "failed after: hits and operations disagree"
}

@test "-j prints the comparison, -o writes it and leaves stdout as it is" {
	call "$BPFPERF" compare -j "$DATA/before.json" "$DATA/slower.json"
	exits 1
	json '.format == "bpfperf-compare" and .verdict == "REGRESSED" and .counts.regressed == 1'
	json '.rows[0] | .ratio < 0.97 and .lo < .ratio and .ratio < .hi and .unit == "boot"'
	json '.comparability.differences[0].class == "expected"'
	json '[.. | numbers] | length > 20'
	call "$BPFPERF" compare -o "$BATS_TEST_TMPDIR/c.json" "$DATA/before.json" "$DATA/slower.json"
	exits 1
	stdout_has "verdict=REGRESSED"
	jq -e '.verdict == "REGRESSED"' "$BATS_TEST_TMPDIR/c.json"
}

@test "--by compares the values of a parameter, in a matrix from three on" {
	compared 0 BEST --by max_entries "$DATA/sweep.json"
	[[ ${lines[1]} == "BEST   max_entries=1000" ]]
	stdout_line "    max_entries=1000 +[0-9.]+ M .* best"
	call "$BPFPERF" compare -j --by max_entries "$DATA/sweep.json"
	json '.matrix[0].cells | length == 3 and all(.verdict == "REGRESSED" and .unit == "pair")'
}

@test "three documents make a matrix" {
	compared 0 BEST "$DATA/before.json" "$DATA/slower.json" "$DATA/faster.json"
	stdout_has "best=$DATA/faster.json"
	compared 3 NO_CLEAR_BEST --require-conclusive "$DATA/before.json" "$DATA/same.json" \
		"$DATA/noisy.json"
}

@test "a matrix says the same in any order, and names the side that differs" {
	local a=$DATA/before.json b=$DATA/slower.json none=$BATS_TEST_TMPDIR/none.json

	jq '.benchmarks[].runs = [] | .id = "none"' "$a" >"$none"
	compared 0 NO_CLEAR_BEST "$a" "$b" "$none"
	compared 0 NO_CLEAR_BEST "$none" "$a" "$b"
	# Names that begin alike are told apart by their ends.
	stdout_line "    [^ ]*before.json .*"
	stdout_line "    [^ ]*slower.json .*"
	stdout_line "  expected +kernel.release +6.12.0 -> 6.13.0   $b"
	compared 4 NOT_COMPARABLE "$a" "$b" "$DATA/other-cpu.json"
	[[ ${lines[1]} == "NOT COMPARABLE   the machines differ in cpu.model" ]]
	[[ ${lines[2]} == "  block "*"cpu.model"*"$DATA/other-cpu.json" ]]
}

@test "standard input is '-', once" {
	call bash -c '"$1" compare - "$2" <"$3"' - "$BPFPERF" "$DATA/slower.json" \
		"$DATA/before.json"
	exits 1
	stdout_has "verdict=REGRESSED"
	call "$BPFPERF" compare - -
	exits 129
	stderr_has "one of the documents only"
}

@test "what compare does not understand" {
	local words

	for words in "" "--min-effect 0 a b" "--min-effect x a b" "--fail-on never a b" \
		"--by x a b" "--nonsense a b"; do
		# shellcheck disable=SC2086 # several words
		call "$BPFPERF" compare $words
		exits 129
		stdout_empty
	done
	call "$BPFPERF" compare --by max_entry "$DATA/sweep.json"
	exits 129
	stderr_has "did you mean 'max_entries'?"
	call "$BPFPERF" compare "$DATA/sweep.json"
	exits 129
	stderr_has "it has no arms"
	call "$BPFPERF" compare --primary ops_rat "$DATA/before.json" "$DATA/same.json"
	exits 129
	stderr_has "'ops_rate'"
}

@test "a newer minor version is read, a newer major one refused" {
	compared 0 NO_CHANGE "$DATA/before.json" "$DATA/minor-9.json"
	broken "$DATA/major-2.json" "is of version 2.0, and this bpfperf reads 1.x"
}

@test "broken documents: a line that says where and why" {
	broken "$DATA/truncated.json" "line 250, column 16"
	broken "$DATA/duplicate-key.json" "line 10, column 2: duplicate key 'label'"
	broken "$DATA/nan.json" "invalid token near 'NaN'"
	broken "$DATA/deep.json" "maximum parsing depth"
	broken "$DATA/foreign.json" "no result of bpfperf"
	broken "$DATA/producers.json" "benchmarks[0].params.producers: a whole number of 1..1024"
	broken "$DATA/empty.json" "is empty"
	broken "$BATS_TEST_TMPDIR/none.json" "No such file"
	broken "$BATS_TEST_TMPDIR" "it is a folder"
	broken /dev/null "no regular file"
}

@test "a file beyond the limit is refused, and not read whole" {
	truncate -s 300M "$BATS_TEST_TMPDIR/large.json"
	broken "$BATS_TEST_TMPDIR/large.json" "longer than"
}

@test "a comparison is no result" {
	"$BPFPERF" compare -o "$BATS_TEST_TMPDIR/c.json" "$DATA/before.json" "$DATA/same.json"
	broken "$BATS_TEST_TMPDIR/c.json" "its format is 'bpfperf-compare'"
}

@test "report prints what stat printed" {
	quick one.json -r 2 count-local
	call "$BPFPERF" report -q "$BATS_TEST_TMPDIR/one.json"
	exits 0
	diff "$BATS_TEST_TMPDIR/one.json.txt" <(echo "$output")
	quick sweep.json -r 2 -p 1,2 count-local,count-global
	call "$BPFPERF" report -q "$BATS_TEST_TMPDIR/sweep.json"
	diff "$BATS_TEST_TMPDIR/sweep.json.txt" <(echo "$output")
}

@test "report exports: the document, rows, intervals" {
	quick one.json -r 2 count-local
	call "$BPFPERF" report -q -j "$BATS_TEST_TMPDIR/one.json"
	diff "$BATS_TEST_TMPDIR/one.json" <(echo "$output")
	call "$BPFPERF" report -q -x ';' "$BATS_TEST_TMPDIR/one.json"
	exits 0
	[[ ${lines[0]} == "key;metric;unit;"* ]]
	call "$BPFPERF" report -q --intervals "$BATS_TEST_TMPDIR/one.json"
	exits 0
	stdout_line " +run +time s +ops/s.*"
	call "$BPFPERF" report
	exits 129
	call "$BPFPERF" report -x '' "$BATS_TEST_TMPDIR/one.json"
	exits 129
}

@test "two documents of now compare, whatever the verdict" {
	quick a.json -r 5 count-local
	quick b.json -r 5 count-local
	call "$BPFPERF" compare "$BATS_TEST_TMPDIR/a.json" "$BATS_TEST_TMPDIR/b.json"
	[ "$status" -le 1 ]
	stdout_has "the same boot"
	[[ $(tail -n 1 <<<"$output") == verdict=*" primary=ops_rate ratio="* ]]
}

@test "stat --vs makes two arms, in pairs, and compare reads them" {
	quick vs.json -r 5 --vs pad=8 count-local
	jq -e '[.benchmarks[].runs[].arm] | sort == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]' \
		"$BATS_TEST_TMPDIR/vs.json"
	call "$BPFPERF" compare "$BATS_TEST_TMPDIR/vs.json"
	[ "$status" -le 1 ]
	[[ ${lines[0]} == "pad=128 -> pad=8 "*"interleaved runs" ]]
	# stat and report print the same two lines, and what to do next.
	tail -n +2 "$BATS_TEST_TMPDIR/vs.json.txt" | grep -qxF "${lines[0]}"
	grep -qxF "${lines[1]}" "$BATS_TEST_TMPDIR/vs.json.txt"
	grep -qF "next: bpfperf compare $BATS_TEST_TMPDIR/vs.json" "$BATS_TEST_TMPDIR/vs.json.txt"
	call "$BPFPERF" report -q "$BATS_TEST_TMPDIR/vs.json"
	diff "$BATS_TEST_TMPDIR/vs.json.txt" <(echo "$output")
	call "$BPFPERF" stat "${QUICK[@]}" -q -x , --vs pad=8 count-local
	[[ $output != *verdict* && $output != *"->"* ]]
	quick same.json -r 5 --vs same count-local
	jq -e '.benchmarks[0].runs | group_by(.block) | all(map(.arm) | sort == [0, 1])' \
		"$BATS_TEST_TMPDIR/same.json"
	call "$BPFPERF" compare "$BATS_TEST_TMPDIR/same.json"
	[ "$status" -le 1 ]
	[[ ${lines[0]} == "same, arm 0 -> same, arm 1 "* ]]
	[[ $(head -n 1 "$BATS_TEST_TMPDIR/same.json.txt") == *"   5 runs x 0.05 s in each of two arms" ]]
	grep -qxF "${lines[0]}" "$BATS_TEST_TMPDIR/same.json.txt"
	call "$BPFPERF" stat --vs pad=128 count-local
	exits 129
	stderr_has "its value already"
}

@test "stat --precision computes the number of runs, within --max-time" {
	quick p.json --precision 0.01% --max-time 1 count-local
	jq -e '.tool.plan | .precision as $p | $p.pilot_runs == 5 and $p.runs == .runs and
		$p.wanted_runs >= $p.runs' "$BATS_TEST_TMPDIR/p.json"
	jq -e '(.benchmarks[0].runs | length) == .tool.plan.runs and .tool.plan.runs > 5' \
		"$BATS_TEST_TMPDIR/p.json"
	quick p.json --precision 9000% count-local
	jq -e '.benchmarks[0].runs | length == 5' "$BATS_TEST_TMPDIR/p.json"
	call "$BPFPERF" stat --precision 1% -r 3 count-local
	exits 129
}

@test "stat --vs --robust makes as many pairs as ranks need" {
	call "$BPFPERF" stat -n --no-evidence --robust --vs pad=8 count-local
	stdout_line '12 runs .*'
	call "$BPFPERF" stat -n --robust -r 5 --vs pad=8 count-local
	exits 129
	stderr_has "6 pairs are the least: -r 6"
}

@test "stat --robust plans ranks, and compare takes them without a word" {
	quick r1.json -r 5 --robust count-local
	quick r2.json -r 5 --robust count-local
	call "$BPFPERF" compare "$BATS_TEST_TMPDIR/r1.json" "$BATS_TEST_TMPDIR/r2.json"
	stdout_has "Mann-Whitney"
	[[ $output != *"ranks were chosen after"* ]]
}

@test "merge joins what belongs together" {
	quick a.json -r 2 count-local
	quick b.json -r 3 count-local
	call "$BPFPERF" merge -o "$BATS_TEST_TMPDIR/ab.json" "$BATS_TEST_TMPDIR/a.json" \
		"$BATS_TEST_TMPDIR/b.json"
	exits 0
	stdout_has "2 documents, 1 boot, 1 benchmark, 5 runs"
	jq -e '(.boots | length) == 1 and ([.benchmarks[0].runs[].block] | sort == [0, 1, 2, 3, 4])' \
		"$BATS_TEST_TMPDIR/ab.json"
	call "$BPFPERF" report "$BATS_TEST_TMPDIR/ab.json"
	exits 0
	stdout_has "5 runs"
	call "$BPFPERF" merge "$DATA/before.json" "$DATA/minor-9.json"
	exits 2
	stdout_empty
	stderr_has "kernel.release is '6.12.0' and '6.13.0'"
	call "$BPFPERF" merge "$DATA/before.json" "$DATA/before.json"
	exits 2
	stderr_has "stands twice"
	call "$BPFPERF" merge "$DATA/before.json"
	exits 129
}

# traced FILE LOCKS: one-boot.json with 4,200 evidence runs; LOCKS, of jq, are those of the run $n.
traced() {
	jq -c ".benchmarks[0].runs |= (.[0] as \$run | . + [range(4200) as \$n | \$run +
		{role: \"evidence\", n: \$n, counters: [],
		locks: $2}])" "$DATA/one-boot.json" >"$BATS_TEST_TMPDIR/$1"
}

@test "a lock that some of thousands of runs waited for is tested, and costs no verdict" {
	local lock='{class: "c", type: "spinlock", caller: "f", contended: 1, share: 0.5}'

	traced none.json '[]'
	traced some.json "(if \$n % 2 == 0 then [$lock] else [] end)"
	sed -i 's/"id":"one-boot"/"id":"another"/' "$BATS_TEST_TMPDIR/some.json"
	call "$BPFPERF" compare -j "$BATS_TEST_TMPDIR/none.json" "$BATS_TEST_TMPDIR/some.json"
	exits 0
	json '.rows[0].verdict == "NO CHANGE" and (.also_moved.moved[0] |
		.figure == "lock wait, c (spinlock) in f" and .before == 0 and .after == 0.25)'
}
