#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The pages against the program: options, exit codes, the schema, and the example that is built.

load ../lib.bash

# The options that `bpfperf [VERB] --help` has, and those that are items of its page. --no-X is the
# negation of an option of its own.
options_of_help() {
	"$BPFPERF" "$@" --help | grep -oE '^ +(-[a-zA-Z], |    )?--[a-z-]+' |
		grep -oE -- '-[a-zA-Z],|--[a-z-]+' | tr -d , | sort -u
}

options_of_page() {
	awk '/^OPTIONS$/ { on = 1; next } /^=+$/ { next } on && /^[A-Z ]+$/ { exit } on && /^-/' \
		"Documentation/$1.rst" | sed -E 's/   .*//' | grep -oE -- '(^| )-{1,2}[a-zA-Z][a-z-]*' |
		tr -d ' ' | sort -u
}

# Explained once for all verbs, and not in the list of options that --help prints.
known_everywhere() {
	printf '%s\n' --help -h
}

same_options() {
	local page=$1

	shift
	diff <({
		options_of_help "$@"
		known_everywhere
	} | sort -u) <(options_of_page "$page")
}

@test "bpfperf-stat(1) has the options of stat --help, and no others" {
	same_options bpfperf-stat stat
}

@test "bpfperf-list(1) has the options of list --help, and no others" {
	same_options bpfperf-list list
}

@test "bpfperf-doctor(1) has the options of doctor --help, and no others" {
	same_options bpfperf-doctor doctor
}

@test "compare, report and merge have the options of their pages, and no others" {
	same_options bpfperf-compare compare
	same_options bpfperf-report report
	same_options bpfperf-merge merge
}

@test "every verb has a page, and bpfperf(1) names it" {
	local verb verbs

	verbs=$("$BPFPERF" --help | sed -nE 's/^    ([a-z]+)  +.*/\1/p' | grep -v '^bpfperf$')
	[ -n "$verbs" ]
	for verb in $verbs; do
		[ -f "Documentation/bpfperf-$verb.rst" ]
		grep -qF "**bpfperf-$verb**\\(1)" Documentation/bpfperf.rst
	done
}

@test "the pages are clean reStructuredText" {
	local page

	need_command rst2man
	need_command rst2html
	for page in Documentation/*.rst; do
		case $page in
		Documentation/bpfperf*) rst2man --strict "$page" >/dev/null ;;
		*) rst2html --strict "$page" >/dev/null ;;
		esac
	done
}

@test "links between the pages lead somewhere" {
	local file target

	for file in README.md CONTRIBUTING.md CHANGELOG.md; do
		while read -r target; do
			[ -e "$target" ] || {
				echo "$file: no $target"
				return 1
			}
		done < <(grep -oE '\]\([^)#]+\)' "$file" | sed 's/^](//; s/)$//' | grep -v '^http')
	done
}

@test "benchmarks.rst is what gen-bench-rst makes of list -j" {
	need_command jq
	diff <("$BPFPERF" list -j | scripts/gen-bench-rst) Documentation/benchmarks.rst
}

@test "README.md names every benchmark" {
	local name

	while read -r name; do
		grep -qF "| \`$name\` |" README.md || {
			echo "not in the table of README.md: $name"
			return 1
		}
	done < <("$BPFPERF" list -j | jq -r '.benchmarks[].name')
}

# follows_schema FILE: 0 when it does. What draft 7 cannot say is checked as well: every null of
# the machine has a reason, every figure a metric, and every row as many numbers as columns.
follows_schema() {
	python3 -W ignore - Documentation/result.schema.json "$1" <<-'END'
		import json, sys
		import jsonschema

		def no_constant(text):
		    sys.exit("not JSON: " + text)

		def nulls(value, path):
		    if value is None:
		        yield path
		    elif isinstance(value, dict):
		        for key, inner in value.items():
		            yield from nulls(inner, path + [key])
		    elif isinstance(value, list):
		        for inner in value:
		            yield from nulls(inner, path[:-1] + [path[-1] + "[]"])

		schema = json.load(open(sys.argv[1]))
		document = json.load(open(sys.argv[2]), parse_constant=no_constant)
		jsonschema.Draft7Validator.check_schema(schema)
		errors = ["/".join(map(str, e.absolute_path)) + ": " + e.message
		          for e in jsonschema.Draft7Validator(schema).iter_errors(document)]
		if errors:
		    sys.exit("\n".join(errors))
		for boot in document["boots"]:
		    for key, value in boot.items():
		        for path in nulls(value, [key]):
		            assert ".".join(path) in boot["absent"], path
		for benchmark in document["benchmarks"]:
		    for run in benchmark["runs"]:
		        for name, value in (run["values"] or {}).items():
		            assert name in document["metrics"], name
		            assert value is not None or name in run["values_absent"], name
		        intervals = run.get("intervals", {"rows": [], "columns": []})
		        for row in intervals["rows"]:
		            assert len(row) == len(intervals["columns"]), row
	END
}

need_schema() {
	need_command python3
	python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is not installed"
}

write_document() {
	"$BPFPERF" stat -q -d 0.2 -w 0.01 -o "$BATS_TEST_TMPDIR/doc.json" "$@" >/dev/null
}

@test "a document of count-local follows the schema" {
	need_schema
	write_document -r 2 count-local
	follows_schema "$BATS_TEST_TMPDIR/doc.json"
}

@test "so do a sweep, a label, floating producers, a 64-bit seed and no counter" {
	need_schema
	write_document -r 1 -p 1,2 -e none --no-affinity --label 'a "label"' \
		--seed 18446744073709551615 count-local,count-global count-local:pad=128,8
	follows_schema "$BATS_TEST_TMPDIR/doc.json"
}

@test "so do skipped runs" {
	need_schema
	run "$BPFPERF" stat -q -r 1 --trigger kprobe,tp -o "$BATS_TEST_TMPDIR/doc.json" noop
	[ "$status" -ne 129 ]
	follows_schema "$BATS_TEST_TMPDIR/doc.json"
}

@test "so does a failed run" {
	need_schema
	start "$BPFPERF" stat -q -r 1 -d 30 -w 0 -o "$BATS_TEST_TMPDIR/doc.json" count-local
	wait_for_run
	kill -KILL "$child"
	finish
	exits 2
	[ "$(jq -r '.benchmarks[0].runs[0].status' "$BATS_TEST_TMPDIR/doc.json")" = failed ]
	follows_schema "$BATS_TEST_TMPDIR/doc.json"
}

@test "so does an interrupted run" {
	need_schema
	start "$BPFPERF" stat -q -d 30 -w 0 -r 3 -o "$BATS_TEST_TMPDIR/doc.json" count-local
	wait_for_run
	kill -INT "$pid"
	finish
	exits 130
	follows_schema "$BATS_TEST_TMPDIR/doc.json"
}

@test "so does one of BPF programs" {
	need_schema
	need_bpf
	write_document -r 2 hashmap-full,noop
	follows_schema "$BATS_TEST_TMPDIR/doc.json"
	# These have figures that are made only when they are asked for.
	write_document -r 1 bloom,local-storage-churn,local-storage-create,ringbuf
	follows_schema "$BATS_TEST_TMPDIR/doc.json"
}

# breaks FILTER: the schema refuses the document after this change.
breaks() {
	jq "$1" "$BATS_TEST_TMPDIR/doc.json" >"$BATS_TEST_TMPDIR/broken.json"
	! follows_schema "$BATS_TEST_TMPDIR/broken.json" 2>/dev/null || {
		echo "accepted: $1"
		return 1
	}
}

@test "the schema refuses what is broken" {
	local run='.benchmarks[0].runs[0]'

	need_schema
	write_document -r 1 count-local
	breaks 'del(.format)'
	breaks '.format = "fio"'
	breaks '.schema.major = 2'
	breaks '.complete = false'
	breaks '.tool.seed = -1'
	breaks '.boots = []'
	breaks '.boots[0].timing = "fast"'
	breaks 'del(.boots[0].absent)'
	breaks '.boots[0].kernel.release = null'
	breaks '.metrics.ops_rate.better = "faster"'
	breaks '.benchmarks[0].params.producers = 0'
	breaks "$run.values.ops_rate = \"NaN\""
	breaks "$run.values.ops_rate = null"
	breaks "del($run.values.ns_op)"
	breaks "del($run.values_absent)"
	breaks "$run.status = \"fine\""
	breaks "$run.status = \"failed\""
	breaks "$run.threads[0].ops = 1.5"
	breaks "$run.intervals.rows[0] += [1]"
	breaks "$run.counters[0].scaled = null"
	breaks ".warnings = [{}]"
	sed 's/"ops_rate": [0-9.e+]*,/"ops_rate": NaN,/' "$BATS_TEST_TMPDIR/doc.json" \
		>"$BATS_TEST_TMPDIR/broken.json"
	grep -q NaN "$BATS_TEST_TMPDIR/broken.json"
	run ! follows_schema "$BATS_TEST_TMPDIR/broken.json"
}

@test "the schema takes keys that a later minor version adds" {
	need_schema
	write_document -r 1 count-local
	jq '.new = 1 | .schema.minor = 9 | .benchmarks[0].runs[0].locks = []' \
		"$BATS_TEST_TMPDIR/doc.json" >"$BATS_TEST_TMPDIR/later.json"
	follows_schema "$BATS_TEST_TMPDIR/later.json"
}

@test "adding-a-benchmark.rst shows the files of the example as they are" {
	local file

	for file in Documentation/example/array_lookup.bpf.c Documentation/example/array_lookup.c; do
		sed 's/^\(.\)/\t\1/' "$file" >"$BATS_TEST_TMPDIR/shown"
		python3 -c 'import sys
page, shown = (open(name).read() for name in sys.argv[1:])
sys.exit(shown not in page)' Documentation/adding-a-benchmark.rst "$BATS_TEST_TMPDIR/shown" || {
			echo "differs from what the page shows: $file"
			return 1
		}
	done
}

# A tree like ours with the objects that are there, so that only what is new is compiled. It
# belongs to whom ours belongs to: the cache with the kernel's libraries is theirs.
copy_tree() {
	local part

	TREE=$(mktemp -d)
	mkdir "$TREE/build"
	cp -a Makefile scripts bpf cmd lib perf "$TREE"
	[ ! -d tracepoints ] || cp -a tracepoints "$TREE"
	for part in klib lib perf bpf cmd tracepoints flags version.h; do
		[ ! -e "$O/$part" ] || cp -a "$O/$part" "$TREE/build"
	done
	if [ -n "${SUDO_UID:-}" ]; then
		chown -R "$SUDO_UID:${SUDO_GID:-}" "$TREE"
	fi
}

make_in_tree() {
	(cd "$TREE" && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u O scripts/as-invoker build \
		make -j2 O=build ${LIBPERF_SRC:+LIBPERF_SRC="$LIBPERF_SRC"} all) 2>&1
}

teardown() {
	[ -z "${TREE:-}" ] || rm -rf "$TREE"
}

@test "the example is a benchmark: two files, no other edit, and its check holds" {
	need_bpf
	[ -z "${LIBPERF_SRC:-}" ] || LIBPERF_SRC=$(realpath "$LIBPERF_SRC")
	copy_tree
	cp Documentation/example/array_lookup.bpf.c Documentation/example/array_lookup.c "$TREE/bpf/map"
	make_in_tree
	call "$TREE/build/bpfperf" list -j array-lookup
	exits 0
	json '.benchmarks[0] | .can_run and (.params[0].name == "max_entries")'
	call "$TREE/build/bpfperf" stat -q -j -r 1 -d 0.05 -w 0.01 --no-evidence \
		array-lookup max_entries=1k,16k
	exits 0
	json '[.benchmarks[].runs[]] | length == 2 and all(.status == "ok")'
	json 'all(.benchmarks[].runs[].threads[]; .right == .ops and .ops > 0)'
}
