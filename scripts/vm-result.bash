# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # the variables are vm-run's
# Part of vm-run: what came out of the guest, or why nothing did.

# Without the control characters that firmware and kernel send.
show_console() {
	tr -d '\r\033' <"$work/console" | tail -n 40 | cut -c 1-200 | sed 's/^/    /' >&2
}

size_of_files() {
	echo "$(($(stat -c %s "$work/initramfs") >> 20)) MiB"
}

# Why there is no result.
fail_with_reason() {
	local reason

	if reason=$(grep -m 1 -oP 'bpfperf-vm: refused: \K.*' "$work/console"); then
		die "${reason%$'\r'}"
	elif grep -q 'Initramfs unpacking failed' "$work/console" ||
		grep -q 'initrd is too large' "$work/qemu"; then
		die "the guest's memory cannot hold its files of $(size_of_files) (--mem $mem)"
	elif grep -qE 'Out of memory|deadlocked on memory' "$work/console"; then
		die "the guest ran out of memory (--mem $mem)"
	elif reason=$(grep -m 1 -oP 'Kernel panic - not syncing: \K.*' "$work/console"); then
		reason="the guest's kernel panicked: ${reason%$'\r'}"
	elif ! [ -s "$work/console" ] && [ -s "$work/qemu" ]; then
		die "QEMU failed: $(head -n 1 "$work/qemu" | sed 's/^qemu-system[^ ]*: //')"
	elif ! [ -s "$work/console" ]; then
		die "the image does not boot with --mem $mem: nothing on its console${hung:+, $hung}"
	elif ! console_has "command begins"; then
		reason="the guest did not come up (--mem $mem)${hung:+: $hung}"
	else
		reason="the guest ended without a result${hung:+: $hung}"
	fi
	note "$reason; the end of its console:"
	show_console
	exit 2
}

report_warnings() {
	local found

	found=$(sed '1,/bpfperf-vm: command begins/d' "$work/console" | tr -d '\r' |
		grep -E 'WARNING:|BUG:|Oops|soft lockup|rcu.*stall|hung_task' |
		head -n 5) || true
	[ -z "$found" ] || note "warnings of the guest's kernel:"$'\n'"$found"
}

# The files appear where the command wrote them; existing ones keep their mode and owner.
bring_files() {
	local file

	while IFS= read -r -d '' file; do
		cat "$work/files/$file" >"/$file" || die "cannot write '/$file'"
	done < <(cd "$work/files" && find . -type f ! -path ./vm/exit -printf '%P\0')
}

take_result() {
	mkdir "$work/files"
	(cd "$work/files" && cpio -i -d -m --quiet --no-absolute-filenames <"$work/result") \
		>/dev/null 2>&1 || true
	{ read -r code <"$work/files/vm/exit"; } 2>/dev/null || true
	[ -n "${code:-}" ] || fail_with_reason
	report_warnings
	bring_files
}
