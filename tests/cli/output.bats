#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Where the result goes, and what happens when it cannot.

# Variables of jq; variables of bats and of the library; tests are subshells.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031

load ../lib.bash

setup() {
	open_to_all
	mkdir -m 777 "$OPEN/dir"
}

teardown() {
	chmod 777 "$OPEN/dir"
	close_to_all
}

# A temporary would be hidden: nothing but the named files is in the folder.
only() {
	[ "$(ls -A "$OPEN/dir")" = "$*" ] || {
		ls -lA "$OPEN/dir"
		return 1
	}
}

@test "-o writes the document that -j prints, and stdout stays as it is" {
	call "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" -o "$OPEN/dir/x.json" count-local
	exits 0
	stdout_has "ops/s"
	only x.json
	jq -e '.format == "bpfperf-result" and .complete' "$OPEN/dir/x.json"
	call "${AS_NOBODY[@]}" stat -j -q "${QUICK[@]}" -o "$OPEN/dir/x.json" count-local
	exits 0
	diff <(echo "$output") "$OPEN/dir/x.json"
}

@test "an unwritable -o is found before the run" {
	local before

	chmod 555 "$OPEN/dir"
	before=$(now_ms)
	for path in "$OPEN/dir/x.json" "$OPEN/none/x.json" "$OPEN/dir" "$OPEN/dir/"; do
		call "${AS_NOBODY[@]}" stat -d 60 -o "$path" count-local
		exits 2
		stdout_empty
		stderr_has "$path"
	done
	[ $(($(now_ms) - before)) -lt 30000 ]
}

@test "a read-only file is not replaced" {
	echo precious >"$OPEN/dir/x.json"
	chmod 444 "$OPEN/dir/x.json"
	call "${AS_NOBODY[@]}" stat -d 60 -o "$OPEN/dir/x.json" count-local
	exits 2
	[ "$(cat "$OPEN/dir/x.json")" = precious ]
	only x.json
}

@test "-o /dev/null is written to, not replaced" {
	call "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" -o /dev/null count-local
	exits 0
	[ -c /dev/null ]
}

@test "root: a character device is written to, not replaced" {
	need_root
	mknod -m 666 "$OPEN/dir/null" c 1 3 || skip "mknod is not allowed here"
	: >"$OPEN/dir/null" || skip "devices cannot be opened in $OPEN"
	call "$BPFPERF" stat -q "${QUICK[@]}" -o "$OPEN/dir/null" count-local
	exits 0
	[ -c "$OPEN/dir/null" ]
	only null
}

@test "a symlink stays one, and its target keeps its mode" {
	echo old >"$OPEN/target"
	chmod 646 "$OPEN/target"
	! is_root || chown 65534:65534 "$OPEN/target"
	ln -s ../target "$OPEN/dir/link"
	call "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" -o "$OPEN/dir/link" count-local
	exits 0
	[ -L "$OPEN/dir/link" ]
	[ ! -L "$OPEN/target" ]
	[ "$(stat -c %a "$OPEN/target")" = 646 ]
	jq -e .complete "$OPEN/target"
	only link
}

@test "a fifo is fed" {
	mkfifo -m 666 "$OPEN/dir/fifo"
	timeout 30 jq .complete "$OPEN/dir/fifo" >"$OPEN/complete" 3>&- 4>&- &
	call "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" -o "$OPEN/dir/fifo" count-local
	exits 0
	wait $!
	[ "$(cat "$OPEN/complete")" = true ]
	[ -p "$OPEN/dir/fifo" ]
}

@test "-o /dev/full costs the file, not the result" {
	call "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" -o /dev/full count-local
	exits 2
	stdout_has "ops/s"
	stderr_has "/dev/full"
	[ -c /dev/full ]
}

@test "root: a disk that is full costs the new file, not the old one and not the result" {
	need_root
	call unshare -m bash -c '
		mount -t tmpfs -o size=64k none "$1" || exit 77
		echo precious >"$1/x.json"
		dd if=/dev/zero of="$1/filler" bs=4k status=none 2>/dev/null
		"$2" stat -q "${@:3}" -o "$1/x.json" count-local
		code=$?
		[ "$(cat "$1/x.json")" = precious ] || code=90
		[ "$(ls -A "$1" | tr "\n" " ")" = "filler x.json " ] || code=91
		exit $code' - "$OPEN/dir" "$BPFPERF" "${QUICK[@]}"
	[ "$status" -ne 77 ] || skip "tmpfs cannot be mounted in a mount namespace"
	exits 2
	stdout_has "ops/s"
	stderr_has "No space left"
}

@test "stdout that cannot be written to is an error" {
	local words

	for words in -q -j; do
			call bash -c '"$@" >/dev/full' - "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" \
			"$words" count-local
		exits 2
		stderr_has "stdout"
	done
}

@test "stdout that is closed is an error, and -o is written all the same" {
	call bash -c '"$@" >&-' - "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" \
		-o "$OPEN/dir/x.json" count-local
	exits 2
	stderr_has "stdout"
	jq -e .complete "$OPEN/dir/x.json"
	only x.json
}

@test "a reader of stdout that goes away does not end the run" {
	call bash -o pipefail -c '"$@" | :' - "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" \
		-o "$OPEN/dir/x.json" count-local
	exits 2
	jq -e .complete "$OPEN/dir/x.json"
}

@test "a hostile label stays text" {
	local label=$'a\e[31m\x01\x7f"\\<script>alert(1)</script>'

	call "${AS_NOBODY[@]}" stat -j -q "${QUICK[@]}" --label "$label" count-local
	exits 0
	json --arg text "$label" '.label == $text'
	[[ $output != *[$'\e\x01']* ]]
	call "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" --label "$label" count-local
	exits 0
	[[ $output$stderr != *[$'\e\x01']* ]]
}

@test "arguments that are not UTF-8 still give a document that is" {
	local label=$'caf\xe9 \xff\xfe' file=$'x\xff.json'

	call "${AS_NOBODY[@]}" stat -q "${QUICK[@]}" --label "$label" \
		-o "$OPEN/dir/$file" count-local
	exits 0
	iconv -f UTF-8 -t UTF-8 "$OPEN/dir/$file" >/dev/null
	jq -e '.label | startswith("caf")' "$OPEN/dir/$file"
	jq -e '.tool.argv | length > 5' "$OPEN/dir/$file"
	only "$file"
}

@test "a closed stream is not taken for another file" {
	local doc=$BATS_TEST_TMPDIR/x.json

	run bash -c '"$@" <&- >&- 2>&-' - "$BPFPERF" stat -q -v "${QUICK[@]}" -o "$doc" count-local
	[ "$(jq -c '[.benchmarks[].runs[].status]' "$doc")" = '["ok"]' ]
}

@test "what does not get to stdout is no success" {
	local words

	for words in "stat -n count-local" --help "stat --help"; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr bash -c '"$@" >/dev/full' - "$BPFPERF" $words
		[ "$status" -eq 2 ]
		stderr_has "cannot write to stdout"
	done
}

@test "a file that may grow no further: a reason, and nothing left" {
	run --separate-stderr bash -c 'ulimit -f 1; cd "$1" && shift && "$@"' - "$BATS_TEST_TMPDIR" \
		"$BPFPERF" stat -q "${QUICK[@]}" -o x.json count-local
	[ "$status" -eq 2 ]
	stderr_has "File too large"
	[ -z "$(find "$BATS_TEST_TMPDIR" -name '*x.json*')" ]
}
