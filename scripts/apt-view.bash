# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Packages of Debian 12, for any architecture, on any machine with apt, as any user: apt gets lists,
# sources and a state of its own below the cache, so that neither dpkg's architectures nor the
# system's sources change. apt checks signatures. To be sourced by scripts of this folder.

CACHE=${XDG_CACHE_HOME:-${HOME:?}/.cache}/bpfperf

die() {
	echo "${0##*/}: $*" >&2
	exit 2
}

note() {
	echo "${0##*/}: $*" >&2
}

# is_recent FILE: written today. Security updates come daily at most.
is_recent() {
	[ -n "$(find "$1" -mmin -1440 2>/dev/null)" ]
}

# One process at a time fills the cache; it is unlocked when this one ends.
lock_cache() {
	if ! { mkdir -p "$CACHE" && : >>"$CACHE/lock"; } 2>/dev/null; then
		die "cannot write the cache '$CACHE' (XDG_CACHE_HOME names another place)"
	fi
	exec {cache_lock}>>"$CACHE/lock"
	flock "$cache_lock"
}

write_view() {
	local keyring=/usr/share/keyrings/debian-archive-keyring.gpg

	[ -r "$keyring" ] || die "cannot read $keyring (package debian-archive-keyring)"
	mkdir -p "$2"/{lists,archives}/partial
	: >"$2/status"
	cat >"$2/sources.list" <<-END
		deb [signed-by=$keyring] http://deb.debian.org/debian bookworm main
		deb [signed-by=$keyring] http://deb.debian.org/debian-security bookworm-security main
	END
	cat >"$2/apt.conf" <<-END
		APT::Architecture "$1";
		APT::Architectures { "$1"; };
		APT::Sandbox::User "$(id -un)";
		Acquire::Languages "none";
		Acquire::Retries "3";
		Dir::State "$2";
		Dir::State::lists "$2/lists";
		Dir::State::status "$2/status";
		Dir::Cache "$2";
		Dir::Etc::sourcelist "$2/sources.list";
		Dir::Etc::sourceparts "/dev/null";
	END
}

# open_view ARCH: from here on apt sees Debian 12 for ARCH. Old lists are better than none.
open_view() {
	local view=$CACHE/apt-$1

	command -v apt-get >/dev/null || die "apt-get is not installed; Debian's packages need it"
	write_view "$1" "$view"
	export APT_CONFIG=$view/apt.conf
	if is_recent "$view/updated"; then
		return
	fi
	if apt-get -qq --error-on=any update >"$view/log" 2>&1; then
		touch "$view/updated"
	elif [ -e "$view/updated" ]; then
		note "cannot refresh the package lists, going on with those of" \
			"$(date -r "$view/updated" +%F): $(tail -n 1 "$view/log")"
	else
		die "cannot fetch the package lists: $(tail -n 1 "$view/log")"
	fi
}

# newest_of META: the package that a meta package stands for today.
newest_of() {
	apt-cache show --no-all-versions "$1" 2>/dev/null |
		sed -n 's/^Depends: \([^ ,]*\).*/\1/p'
}

# unpack DIR PACKAGE...: download them and unpack them into DIR.
unpack() {
	local dir=$1 debs log

	shift
	debs=$(mktemp -d "$CACHE/debs.XXXXXX")
	if ! log=$(cd "$debs" && apt-get -q download "$@" 2>&1); then
		rm -rf "$debs"
		die "cannot download $*: $(tail -n 1 <<<"$log")"
	fi
	mkdir -p "$dir"
	for deb in "$debs"/*.deb; do
		if ! dpkg-deb -x "$deb" "$dir"; then
			rm -rf "$debs"
			die "cannot unpack ${deb##*/}"
		fi
	done
	rm -rf "$debs"
}
