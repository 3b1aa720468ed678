#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Documents of every kind, against the schema that is published.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

SCHEMA=Documentation/result.schema.json

setup() {
	need_bpf
	[ -e "$SCHEMA" ] || skip "this tree has no $SCHEMA"
	for python in python3 /usr/bin/python3; do
		! "$python" -c 'import jsonschema' 2>/dev/null || return 0
	done
	skip "python3-jsonschema is not installed"
}

teardown() {
	[ -z "${pid:-}" ] || is_gone "$pid" || kill -KILL "$pid"
}

# The document on stdout follows the schema.
valid() {
	"$python" - "$SCHEMA" 3<<<"$output" <<'PYTHON'
import json, os, sys, jsonschema

schema = json.load(open(sys.argv[1]))
document = json.load(os.fdopen(3))
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
errors = list(validator(schema).iter_errors(document))
for error in errors[:10]:
    print("/".join(map(str, error.absolute_path)) + ": " + error.message[:300])
sys.exit(1 if errors else 0)
PYTHON
}

@test "documents of every benchmark" {
	local name

	for name in $("$BPFPERF" list -j | jq -r '.benchmarks[].name'); do
		call "$BPFPERF" stat -j -q "${QUICK[@]}" -r 2 "$name"
		exits 0
		valid
	done
}

@test "a document with counters, intervals, a label and a warning" {
	call "$BPFPERF" stat -j -q -r 2 -d 0.1 -w 0.02 --interval 0.02 --label 'before' \
		-p $(($(nproc) + 1)) hashmap-full
	exits 0
	valid
}

@test "a sweep over parameters, producers and triggers" {
	call "$BPFPERF" stat -j -q "${QUICK[@]}" -p 1,2 --trigger prog-run:syscall,prog-run:raw_tp \
		hashmap-full keys=absent,one
	exits 0
	json '.benchmarks | length == 8'
	valid
}

@test "a document of a skipped run" {
	open_to_all
	call "${AS_NOBODY[@]}" stat -j -q "${QUICK[@]}" hashmap-full
	close_to_all
	exits 2
	json '.benchmarks[0].runs[0].status == "skipped"'
	valid
}

@test "a document of an interrupted measurement" {
	start "$BPFPERF" stat -j -q -r 3 -d 30 -w 0.01 --no-evidence hashmap-full
	wait_for_run
	kill -INT "$pid"
	finish
	exits 130
	json '.complete == false'
	valid
}

@test "a document of a failed run" {
	start "$BPFPERF" stat -j -q -r 1 -d 30 -w 0.01 --no-evidence hashmap-full
	wait_for_run
	kill -KILL "$child"
	finish
	exits 2
	json '.benchmarks[0].runs[0].status == "failed"'
	valid
}
