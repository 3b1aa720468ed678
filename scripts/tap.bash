# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the scripts/check-* share: which files there are, and TAP. To be sourced at the top level.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

nr_tests=0
nr_failed=0

# files REGEX: the project's files whose path matches; those that git does not know yet as well.
files() {
	local list

	if ! list=$(git -c safe.directory='*' ls-files -co --exclude-standard 2>/dev/null); then
		list=$(find . \( -name .git -o -path ./build \) -prune -o -type f -printf '%P\n')
	fi
	sort -u <<<"$list" | grep -E -- "$1" | while read -r file; do
		if [ -f "$file" ]; then
			echo "$file"
		fi
	done
}

# report NAME FINDINGS: passed, if there are none; else they are printed, each with its file.
report() {
	nr_tests=$((nr_tests + 1))
	if [ -z "$2" ]; then
		echo "ok $nr_tests - $1"
		return
	fi
	nr_failed=$((nr_failed + 1))
	echo "not ok $nr_tests - $1"
	head -n 28 <<<"$2" | sed 's/^/# /'
}

# skip NAME REASON
skip() {
	nr_tests=$((nr_tests + 1))
	echo "ok $nr_tests - $1 # SKIP $2"
}

# The plan comes last, since only now it is known; then the exit status.
finish() {
	echo "1..$nr_tests"
	[ "$nr_failed" -eq 0 ]
}
