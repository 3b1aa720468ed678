# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # the variables are vm-run's
# Part of vm-run: the initramfs of its guest.

# put FILE PATH: into the guest, with what it is linked to.
put() {
	local file=$1 target=$guest/${2#/}

	[[ $file == /* ]] || file=./$file
	# What is there already is vm-run's own, or a library that came with another file.
	! cmp -s "$file" "$target" 2>/dev/null || return 0
	if [ -e "$target" ] || ! { mkdir -p "${target%/*}" && cp -LT "$file" "$target"; } 2>/dev/null; then
		die "cannot put '$1' into the guest as '$2'"
	fi
	put_libraries "$file"
}

# Libraries lie in the same place as here, where the loader of the guest looks as well.
put_libraries() {
	local interpreter name file

	interpreter=$(LC_ALL=C readelf -l "$1" 2>/dev/null |
		sed -n 's/.*program interpreter: \(.*\)]/\1/p') || true
	for name in ${interpreter:+"$interpreter"} $(LC_ALL=C readelf -d "$1" 2>/dev/null |
		sed -n 's/.*(NEEDED).*\[\(.*\)]/\1/p'); do
		file=$(library "$name")
		[ -n "$file" ] || die "'$1' needs $name, which is not in $root"
		[ -e "$guest$file" ] || put "$root$file" "$file"
	done
}

# library NAME: its path below $root.
library() {
	local folder

	if [[ $1 == /* ]]; then
		[ ! -e "$root$1" ] || echo "$1"
		return
	fi
	for folder in /lib/{x86_64,aarch64}-linux-gnu /usr/lib/{x86_64,aarch64}-linux-gnu \
		/lib64 /usr/lib64 /lib /usr/lib; do
		if [ -e "${root%/}$folder/$1" ]; then
			echo "$folder/$1"
			return
		fi
	done
}

# Folders that exist here and that an argument names: the guest's program may write to them.
print_folders() {
	local word folder

	printf '%s\0' "$PWD"
	for word in "${command[@]}"; do
		word=${word#*=}
		folder=${word%/*}
		if [[ $word == */* ]] && [ -n "$folder" ] && [ -d "$folder" ]; then
			realpath -sz -- "$folder"
		fi
	done
}

put_adds() {
	local add file path

	for add in ${adds[@]+"${adds[@]}"}; do
		file=$add path=$add
		if [ ! -e "$add" ] && [[ $add == *:?* ]]; then
			file=${add%:*} path=${add##*:}
		fi
		if ! [ -f "$file" ] || ! [ -r "$file" ]; then
			die "cannot read '$file' (--add)"
		fi
		# A name may end with a newline, which $() would take.
		path=$(realpath -smz -- "$path" | tr '\0' x)
		put "$file" "${path%x}"
	done
}

make_initramfs() {
	guest=$work/guest
	mkdir -p "$guest"/{vm,dev}
	put "$busybox" /bin/busybox
	put "$program" "/vm/bin/${program##*/}"
	chmod 755 "$guest/vm/bin/${program##*/}"
	install -m 755 "$top/scripts/vm-init" "$guest/init"
	printf '%s\0' "${ports[@]}" >"$guest/vm/ports"
	printf '%s\0' "/vm/bin/${program##*/}" "${command[@]}" >"$guest/vm/command"
	print_folders >"$guest/vm/folders"
	put_adds
	# What is younger than the epoch was written in the guest.
	find "$guest" -exec touch -h -d @0 {} +
	(cd "$guest" && find . -print0 | cpio -0 -o -H newc --quiet -R 0:0) >"$work/initramfs" ||
		die "cannot write the initramfs in '$work'"
}
