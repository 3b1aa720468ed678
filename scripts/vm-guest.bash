# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # the variables are vm-run's
# Part of vm-run: QEMU's command line, the start of a guest and its end.

add_ports() {
	local port

	for port in stdout stderr result; do
		qemu+=(-chardev "file,id=$port,path=${work//,/,,}/$port")
		if [ "$arch" = x86_64 ]; then
			qemu+=(-serial "chardev:$port")
		else
			qemu+=(-device "pci-serial,chardev=$port")
		fi
	done
}

add_machine() {
	if [ -n "$icount" ]; then
		qemu+=(-accel tcg -icount "shift=$icount,sleep=off")
		# Addresses decide on which cache lines and in which order things lie.
		append+=" nokaslr mitigations=off"
	elif [ "$1" = tcg ]; then
		qemu+=(-accel "tcg,thread=multi")
		append+=" mitigations=off"
	else
		qemu+=(-accel kvm)
	fi
	qemu+=(-smp "$smp" -m "$mem" -nodefaults -no-user-config -display none -no-reboot
		-chardev "file,id=console,path=${work//,/,,}/console" -serial chardev:console)
	add_ports
	qemu+=(-kernel "$kernel" -initrd "$work/initramfs"
		-append "$append loglevel=5 panic=-1 oops=panic")
}

# A guest cannot know that its clock is not one.
add_timing() {
	local timing=emulated

	case ${command[0]} in
	stat | record) ;;
	*) return 0 ;;
	esac
	[ -z "$icount" ] || timing=icount
	if [ "$1" = tcg ]; then
		command=("${command[0]}" "--timing=$timing" "${command[@]:1}")
	fi
}

stop_guest() {
	local pid

	for pid in ${qemu_pid:-} ${readers[@]+"${readers[@]}"}; do
		kill -KILL "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
	qemu_pid="" readers=()
}

# A second signal shall not stop it half way.
clean_up() {
	trap '' INT TERM HUP
	stop_guest
	[ -z "$work" ] || rm -rf "$work"
}

start_guest() {
	: >"$work/console"
	mkfifo "$work/stdout" "$work/stderr"
	cat "$work/stdout" &
	readers=($!)
	cat "$work/stderr" >&2 &
	readers+=($!)
	# Should this script be killed, QEMU goes with it.
	setpriv --pdeathsig KILL -- "${qemu[@]}" </dev/null >"$work/qemu" 2>&1 &
	qemu_pid=$!
}

# What a guest says when it is about to end, the right way or not.
LAST_WORDS='Kernel panic - not syncing|Initramfs unpacking failed|bpfperf-vm: (refused|all sent)'

# What a kernel says of a CPU that does not answer, or of one that waits for it.
STANDS_STILL="it stands still"
STALLED='soft lockup|rcu.*(detected|self-detected) .*stall'

# stands_still SINCE: whether the guest will not come up any more. On a busy machine that takes a
# minute; after the command has begun anything may.
stands_still() {
	local patience=$((timeout / 3 > 60 ? timeout / 3 : 60))

	! console_has "command begins" && [ -s "$work/console" ] &&
		{ grep -qE "$STALLED" "$work/console" || [ $((SECONDS - $1)) -ge $patience ]; }
}

# A guest that emulation failed, not its kernel or its files: those say what they lack.
failed_by_emulation() {
	! console_has "command begins" &&
		{ [ "$hung" = "$STANDS_STILL" ] ||
			grep -q 'Kernel panic - not syncing: Fatal exception' "$work/console"; }
}

# watch_guest LAST: sets $hung, or waits until QEMU has ended: not every kernel can switch a machine
# off. Unless it is the LAST one, a guest that stands still is given up. The shell reports an end by
# a signal; QEMU's own words are kept.
watch_guest() {
	local since=$SECONDS ending=""

	hung=""
	while kill -0 "$qemu_pid" 2>/dev/null; do
		if [ -z "$ending" ] && grep -qE "$LAST_WORDS" "$work/console"; then
			ending=$((SECONDS + 5))
		fi
		if [ -n "$ending" ] && [ "$SECONDS" -ge "$ending" ]; then
			kill -KILL "$qemu_pid" || true
			break
		elif [ "$SECONDS" -ge "$timeout" ]; then
			hung="no end after $timeout s"
		elif [ "$1" = no ] && stands_still "$since"; then
			hung=$STANDS_STILL
		elif grep -q "KVM internal error" "$work/qemu"; then
			hung="KVM internal error"
		fi
		if [ -n "$hung" ]; then
			stop_guest
			return
		fi
		sleep 0.1
	done 2>/dev/null
	wait "$qemu_pid" 2>/dev/null || true
	qemu_pid=""
	if [ -s "$work/result" ]; then
		wait "${readers[@]}" || true
		readers=()
	fi
	stop_guest
}

console_has() {
	grep -q "bpfperf-vm: $1" "$work/console"
}

# run_guest ACCEL LAST
run_guest() {
	local words=("${qemu[@]}") args=$append

	make_initramfs
	add_machine "$1"
	rm -f "$work"/{stdout,stderr,result}
	start_guest
	watch_guest "$2"
	qemu=("${words[@]}") append=$args
}

# KVM is tried rather than asked: a nested one may be there and fail at the first instructions. What
# came out is remembered until this machine boots again.
run_with_kvm() {
	local verdict original=("${command[@]}")

	verdict=$CACHE/no-kvm-$(cat /proc/sys/kernel/random/boot_id)
	if [ "$accel" = auto ]; then
		[ "$arch" = "$(uname -m)" ] && [ -w /dev/kvm ] && [ ! -e "$verdict" ] || return 1
	fi
	add_timing kvm
	run_guest kvm yes
	if [ "$accel" = kvm ] || console_has "command begins"; then
		return
	fi
	note "KVM does not work here ($(head -n 1 "$work/qemu" | sed 's/^qemu[^ ]*: //')): emulating"
	{ mkdir -p "$CACHE" && : >"$verdict"; } 2>/dev/null || true
	command=("${original[@]}")
	return 1
}

# Emulated CPUs fail now and then where many share few. Of some 1,000 guests with four of them on two
# CPUs three failed before their command: one stood still in timer_update_keys, where a CPU waited
# for another one's answer for ten minutes, one elsewhere, one took an exception in the self-tests of
# crypto. Nothing has been run then, so that the guest can be booted again.
run_with_tcg() {
	local last

	add_timing tcg
	for last in no no yes; do
		run_guest tcg $last
		[ $last = no ] && failed_by_emulation || return 0
		note "the guest failed before its command: booting it again"
	done
}
