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
	# The kernel spells one of its own names so, which is no help to who mistyped another.
	call "$BPFPERF" stat hashmap-ful
	stderr_has "did you mean 'hashmap-full'? ('bpfperf list'"
	call "$BPFPERF" stat bpf-hashmap-full-updat
	stderr_has "did you mean 'bpf-hashmap-full-update'? (as the kernel's own bench calls it"
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

# option_refused TEXT WORDS...: in one line, which begins like this and says where the options are.
option_refused() {
	local text=$1

	shift
	refused "$@"
	[[ $stderr == "bpfperf: $text"*" ('bpfperf $1 --help' shows the options)" ]] || {
		show
		return 1
	}
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
}

@test "mistakes in options: one line, with the nearest name" {
	option_refused "unknown option '--duratoin': did you mean '--duration'?" \
		stat --duratoin 1 noop
	option_refused "unknown option '--jsno': did you mean '--json'?" list --jsno=1
	option_refused "unknown option '-Z'" stat -Z noop
	option_refused "unknown option '-Z'" stat -qZ noop
	option_refused "option '-d' requires a value" stat noop -d
	option_refused "option '--duration' requires a value" stat noop --duration
	option_refused "option '--json' takes no value" stat --json=3 noop
	option_refused "option '--no-duration' isn't available" stat --no-duration noop
	option_refused "ambiguous option --p=1 (could be --precision or --per-thread)" \
		stat --p=1 noop
	option_refused "unknown option '--list-opts'" stat --list-opts
}

@test "mistakes in options on a terminal start no pager" {
	need_command script
	PAGER='touch '"$BATS_TEST_TMPDIR"'/paged; cat' script -qec "'$BPFPERF' stat --duratoin" \
		/dev/null >"$BATS_TEST_TMPDIR/terminal" </dev/null || true
	grep -q "unknown option '--duratoin'" "$BATS_TEST_TMPDIR/terminal"
	[ ! -e "$BATS_TEST_TMPDIR/paged" ]
}

@test "words after -- are no options" {
	call "$BPFPERF" report -- --json
	exits 2
	stderr_has "cannot read '--json'"
}

@test "empty values: what is expected in their place" {
	local option

	for option in -p -c --prod-affinity --cons-affinity --trigger -d -w --interval -r --seed \
		--precision --max-time --vs -e --evidence-runs -o -x -I --label --timing; do
		option_refused "$option '': the value is empty" stat "$option" '' noop
	done
	option_refused "-e '': the value is empty, EVENT[,EVENT...] is expected:" stat -e '' noop
	stderr_has "'-e none'"
	refused stat -T '' noop
	option_refused "-x '': the value is empty" report -x '' x.json
	option_refused "-o '': the value is empty" merge -o '' x.json y.json
	option_refused "--by '': the value is empty" compare --by '' x.json
}

@test "options that contradict each other, or are for nothing" {
	refused stat --no-affinity --prod-affinity "$(last_cpu)" noop
	stderr_has "without --prod-affinity"
	refused stat --no-affinity --cons-affinity "$(last_cpu)" ringbuf
	stderr_has "without --cons-affinity"
	refused stat --cons-affinity "$(last_cpu)" noop
	stderr_has "there are no consumers"
	refused stat --cons-affinity "$(last_cpu)" ringbuf consumer=none
	stderr_has "there are no consumers"
	refused stat --trigger fentry count-local
	stderr_has "'count-local' runs in user space"
	refused stat --evidence-runs 2 --no-evidence noop
	stderr_has "exclude each other"
	refused stat -L --no-evidence noop
	refused stat -I 100 --interval 0.1 noop
	stderr_has "-I and --interval"
	refused stat --max-time 5 noop
	stderr_has "--precision"
	refused stat --precision 1% -r 5 noop
	stderr_has "no -r"
	refused stat -j -x , noop
	stderr_has "-j and -x"
}

@test "separators that occur in numbers, or in quoted fields" {
	local separator

	for separator in 5 . - + e E '"' $'\n' ,5; do
		refused stat -x "$separator" count-local
		stderr_has "a separator has nothing of a number"
		refused report -x "$separator" tests/data/documents/one-boot.json
		stderr_has "a separator has nothing of a number"
	done
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

	for text in x nan 1h '' 1,2 0x1 ' 1' '1 ' -nan; do
		refused stat -d "$text" noop
		stderr_has "-d '$text'"
		refused stat -w "$text" noop
		stderr_has "-w '$text'"
		refused stat --interval "$text" noop
		stderr_has "--interval '$text'"
	done
	for text in 0 -1 inf 1e9 1e999 99999999999999999999s; do
		refused stat -d "$text" noop
		stderr_has "0.001..86400"
		refused stat --interval "$text" noop
		stderr_has "0.001..3600"
	done
	refused stat -w -1 noop
	stderr_has "0..3600"
}

# What would be cut to the size of a variable, or wrap around in it.
@test "numbers that make no sense" {
	local text

	for text in 0 -3 many 5x ' 5' 10001 4294967297 99999999999999999999; do
		refused stat -r "$text" noop
		stderr_has "1..10000"
	done
	for text in -1 x 10001 4294967297; do
		refused stat --evidence-runs "$text" noop
		stderr_has "0..10000"
	done
	for text in 0 -1 x 3600001 4294967396; do
		refused stat -I "$text" noop
		stderr_has "milliseconds, 1..3600000"
	done
	for text in -1 x 1.5 0x10 18446744073709551616 99999999999999999999; do
		refused stat --seed "$text" noop
		stderr_has "0..18446744073709551615"
	done
	refused stat -p 18446744073709551617 noop
	refused stat noop batch=18014398509481984k
	refused stat --precision 0x1% noop
	refused stat -T rcu-tasks-trace:probe=99999999999999999999 noop
}

@test "--seed 0 is a seed like any other" {
	call "$BPFPERF" stat -n --seed 0 count-local
	exits 0
	stdout_has "seed 0,"
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

@test "a word with a newline and escapes makes no line of its own, and drives no terminal" {
	local word=$'\e[31m\nX'

	for words in "$word" "-d$word noop" "-T$word noop" "noop extra=$word" "-e$word noop"; do
		# shellcheck disable=SC2086 # words: the newline parts one as well
		IFS=' ' call "$BPFPERF" stat $words
		exits 129
		[[ $stderr != *$'\e'* ]]
		[[ $stderr == bpfperf:* || $stderr == "event syntax error:"* ]]
	done
	call "$BPFPERF" stat "$word"
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
	call "$BPFPERF" stat -e "$word" noop
	[ "$(wc -l <<<"$stderr")" -eq 2 ]
}
