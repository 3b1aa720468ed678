#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Help, and what is said about words that are wrong.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

# refused WORDS...: exit 129, a message, and nothing on stdout.
refused() {
	call "$BPFPERF" "$@"
	exits 129
	stdout_empty
	[ -n "$stderr" ]
}

verbs() {
	"$BPFPERF" --help | sed -nE 's/^    ([a-z]+) {2,}.*/\1/p'
}

@test "--help of the program and of every verb goes to stdout" {
	local verb

	call "$BPFPERF" --help
	exits 0
	stdout_has "Usage: bpfperf VERB"
	[ -z "$stderr" ]
	[ -n "$(verbs)" ]
	for verb in $(verbs); do
		call "$BPFPERF" "$verb" --help
		exits 0
		stdout_has "Usage: bpfperf $verb"
		[ -z "$stderr" ]
	done
}

@test "--help wins over wrong words before it" {
	call "$BPFPERF" stat no-such-benchmark --help
	exits 0
	stdout_has "Usage: bpfperf stat"
}

@test "falcosecurity/libs#3081: --version names the program, and both compilers" {
	call "$BPFPERF" --version
	exits 0
	stdout_line 'bpfperf [0-9]+\.[0-9]+\.[0-9]+.*'
	# What the verifier makes of a program depends on who compiled it.
	stdout_line '.*clang version [0-9]+\..*'
	[ "${#lines[@]}" -eq 3 ]
}

@test "no verb: the usage, on stderr" {
	refused
	stderr_has "Usage: bpfperf VERB"
}

@test "unknown verb: the nearest one" {
	refused stta
	stderr_has "unknown verb 'stta': did you mean 'stat'?"
}

@test "no benchmark: where to find them" {
	refused stat
	stderr_has "bpfperf list"
}

@test "unknown benchmark: the nearest ones, in stat and list" {
	refused stat hashmap-fulll
	stderr_has "unknown benchmark 'hashmap-fulll': did you mean 'hashmap-full'?"
	refused list hashmap-updat
	stderr_has "'hashmap-update'"
}

@test "unknown parameter: the nearest one, and those that there are" {
	refused stat noop extr=1
	stderr_has "'noop' has no parameter 'extr': did you mean 'extra'?"
	stderr_has "it has extra, batch"
}

@test "a parameter for a benchmark that is not named" {
	refused stat noop hashmap-full:keys=one
	stderr_has "hashmap-full:keys=one"
}

@test "unknown trigger: the nearest one" {
	refused stat --trigger fentri noop
	stderr_has "unknown trigger 'fentri': did you mean 'fentry'?"
}

@test "unknown option: named, with those that there are" {
	refused stat --duratoin 1 noop
	stderr_has "duratoin"
	stderr_has "--duration"
	refused stat -Z noop
	stderr_has "Z"
}

@test "unknown event: the nearest one, with a caret below it" {
	local list at

	for list in cycels,task-clock task-clock,cycels; do
		refused stat -e "$list" noop
		stderr_has "did you mean 'cycles'?"
		at=${stderr%%cycels*}
		[ "$(sed -n 2p <<<"$stderr")" != "" ]
		[[ $(sed -n 2p <<<"$stderr") == "${at//?/ }"\\___* ]] || {
			show
			return 1
		}
	done
}

@test "values out of range: the bounds" {
	refused stat noop extra=2048
	stderr_has "out of range: 0..2047"
	refused stat noop extra=-1
	stderr_has "0..2047"
	refused stat noop extra=99999999999999999999
	stderr_has "0..2047"
	refused stat noop extra=
	stderr_has "0..2047"
	refused stat hashmap-full keys=some
	stderr_has "absent, one, random"
	refused stat -p 0 noop
	stderr_has "1..1024"
	refused stat -p -1 noop
	stderr_has "1..1024"
}

@test "times that make no sense" {
	local text

	for text in x nan 1h '' 1,2; do
		refused stat -d "$text" noop
		stderr_has "-d '$text'"
		refused stat -w "$text" noop
		stderr_has "-w '$text'"
		refused stat --interval "$text" noop
		stderr_has "--interval '$text'"
	done
	for text in 0 -1 inf 1e9; do
		refused stat -d "$text" noop
		stderr_has "0.001..86400"
		refused stat --interval "$text" noop
		stderr_has "0.001..3600"
	done
	refused stat -w -1 noop
	stderr_has "0..3600"
}

@test "numbers of runs that make no sense" {
	refused stat -r 0 noop
	stderr_has "1..10000"
	refused stat -r -3 noop
	stderr_has "1..10000"
	refused stat -r many noop
}

@test "values that stand twice" {
	refused stat noop extra=1,1
	stderr_has "'1' stands twice"
	refused stat -p 1,2,1 noop
	stderr_has "'1' stands twice"
	refused stat noop,noop
	stderr_has "'noop' is named twice"
	refused stat --trigger raw-tp,raw-tp noop
	stderr_has "'raw-tp' stands twice"
}

@test "libbpf/libbpf#103: --prod-affinity with a CPU that is not there: those that are allowed" {
	refused stat --prod-affinity $(($(getconf _NPROCESSORS_CONF) + 99)) noop
	stderr_has "allowed are $(allowed_cpus)"
	refused stat --prod-affinity one noop
	refused stat --prod-affinity 9000 noop
}

@test "--timing other than the three words" {
	refused stat --timing fast noop
	stderr_has "native, emulated or icount"
}

@test "control characters in wrong words do not reach the terminal" {
	local word=$'no\e[31mop'

	for word in "$word" "noop $word=1" "-e $word noop" "--trigger $word noop"; do
		# shellcheck disable=SC2086 # the words are meant to be split
		refused stat $word
		[[ $stderr != *$'\e'* ]] || {
			show
			return 1
		}
	done
	refused $'st\e[31m'
	[[ $stderr != *$'\e'* ]]
}
