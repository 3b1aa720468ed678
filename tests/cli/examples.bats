#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The examples of the pages against the program: the same lines, with other numbers.

load ../lib.bash

# example PAGE COMMAND: what the page prints below "# COMMAND" or "$ COMMAND", without its indent, up
# to the next text of the page.
example() {
	awk -v command="$2" '
		on && NF && !/^\t/ { exit }
		on && /^\t[#$] / { exit }
		on { sub(/^\t/, ""); print }
		$0 == "\t# " command || $0 == "\t$ " command { on = 1 }' "Documentation/$1.rst"
}

# Lines with N for each number. What differs from run to run and from machine to machine is left
# out: counters that are absent, who waited for a lock, what is advised, why a column is "-".
shape() {
	sed -E '
		/^ +(share|N|[0-9.]+ %) .*(class|most of it)/d
		/^ +[0-9.]+ % +[0-9,]+ +[0-9.]+ [num]?s /d
		/^ +[a-z/]+ -   /d
		/^            no wait/d
		/^ +by kind exact;/d
		/^ +[0-9.]+ events? lost/d
		/^  next: /{s/.*/next/;p;d}
		/^    locks   /{s/.*/locks/;p;d}
		/^ +[-0-9.,]+ +[-0-9.,]+   /{/task-clock/!d}
		/^ {20}/d
		s/[0-9]+([.,][0-9]+)*/N/g
		s/Ne[+-]N/N/g
		s/N [kMGT]( |$)/N\1/g
		s/(CPU N +N +)+ops/CPUs ops/
		s/CPUs N(,N)*/CPUs/; s/CPU N/CPUs/; s/producers /producer /
		s/, (N net of the harness|within the harness|net not known:).*     /, NET     /
		s/seed N/seed/
		s/ +/ /g
		/\(prog-run/s/ -( |$)/ N\1/g' | sed -E '/^$/d'
}

# looks_like PAGE COMMAND OUTPUT: as the page has it.
looks_like() {
	local page

	page=$(example "$1" "$2")
	[ -n "$page" ] || {
		echo "$1 has no example '$2'"
		return 1
	}
	diff <(shape <<<"$page") <(shape <<<"$3") || {
		echo "not as $1 shows it: $2"
		return 1
	}
}

# stat_looks_like WORDS...: with short runs, which the shape does not show.
stat_looks_like() {
	call "$BPFPERF" stat -q -d "$(stretch 0.1)" -w 0.01 "$@"
	exits 0
	looks_like bpfperf-stat "bpfperf stat $*" "$output"
}

# The page has two producers, and more than 16 have no columns of their own.
need_several_cpus() {
	if [ "$(nproc)" -eq 1 ] || [ "$(nproc)" -gt 16 ]; then
		skip "$(nproc) CPUs"
	fi
}

@test "bpfperf-stat(1): the first screen" {
	need_bpf
	need_several_cpus
	stat_looks_like hashmap-full
}

@test "bpfperf-stat(1): sweeps" {
	need_bpf
	need_several_cpus
	stat_looks_like --no-evidence hashmap-full churn=0,100
	stat_looks_like --no-evidence -p 1,2 hashmap-update keys=shared
}

@test "bpfperf-stat(1): the dry run" {
	need_bpf
	call "$BPFPERF" stat -n hashmap-full prealloc=1,0
	exits 0
	looks_like bpfperf-stat "bpfperf stat -n hashmap-full prealloc=1,0" "$output"
}

@test "bpfperf-stat(1): what everybody can have" {
	open_to_all
	call "${AS_NOBODY[@]}" stat -q -d "$(stretch 0.1)" -w 0.01 -r 3 count-local
	close_to_all
	exits 0
	looks_like bpfperf-stat "bpfperf stat -r 3 count-local" "$output"
}

@test "bpfperf-list(1): the first lines, and who may run nothing" {
	local lines

	call "$BPFPERF" list
	exits 0
	lines=$(example bpfperf-list "bpfperf list" | sed '/^$/d')
	[ -n "$lines" ]
	# Whether it can run is a matter of this kernel.
	diff <(grep -v 'can run here' <<<"$lines") \
		<(sed '/^$/d' <<<"$output" | head -n "$(wc -l <<<"$lines")" | grep -v 'can run here')
	is_root || skip "nobody is who calls this"
	open_to_all
	call "${AS_NOBODY[@]}" list -j noop
	close_to_all
	[ "$(jq -r '.benchmarks[].because' <<<"$output")" = \
		"$(example bpfperf-list "bpfperf list -j noop | jq -r '.benchmarks[].because'" | sed '/^$/d')" ]
}

@test "bpfperf-doctor(1): the checks, in their order" {
	call "$BPFPERF" doctor
	diff <(example bpfperf-doctor "bpfperf doctor" | sed -nE 's/^  ([a-z_-]+) .*/\1/p') \
		<(sed -nE 's/^  ([a-z_-]+) .*/\1/p' <<<"$output")
}

@test "tables of sweeps have the columns of the program, in every page" {
	local heads

	call "$BPFPERF" stat -q -r 1 -d 0.01 -w 0 -e none --no-evidence count-local pad=128,8
	exits 0
	heads=$(grep '^ *ops/s' <<<"$output")
	call "$BPFPERF" stat -q -r 1 -d 0.01 -w 0 -e none --no-evidence -p 1,2 count-local
	exits 0
	heads+=$'\n'$(grep '^ *ops/s' <<<"$output")
	diff <(sed -nE 's/^(\t|    )( *ops\/s .*point)$/\2/p' Documentation/*.rst | sort -u) <(sort <<<"$heads")
}
