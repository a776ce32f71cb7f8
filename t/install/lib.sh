# shellcheck shell=bash
# Shell functions for the scripts in this folder: bare Debian machines, as containers with systemd. To be sourced.
#
#	INSTALL_ROOT  folder for their trees (/var/tmp/planwright-install): 3 GB for each release
#
# A machine is a folder made by debootstrap, booted by systemd-nspawn with a network that has only a loopback device;
# packages are fetched beforehand. Needs root, and installs the two programs.
set -eu
umask 022
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$top/dev/build.sh"

install_root=${INSTALL_ROOT:-/var/tmp/planwright-install}
machine='' leader='' nspawn='' extra_packages=''

step() { printf '\n== %s\n' "$*"; }
fact() { printf '   %s\n' "$*"; }

# logged LOG "what failed" COMMAND…
logged() {
	local log=$1 what=$2
	shift 2
	"$@" >"$log" 2>&1 </dev/null && return
	tail -n 15 "$log" >&2
	die "$what; all of its output is in $log"
}

code_name() {
	case $1 in
	12) echo bookworm ;;
	13) echo trixie ;;
	*) die "the release is 12 or 13, not \"$1\"" ;;
	esac
}

need_tools() {
	[ "$(id -u)" -eq 0 ] || die "this makes and boots containers: run it as root"
	command -v debootstrap >/dev/null && command -v systemd-nspawn >/dev/null && return
	mkdir -p "$install_root"
	export DEBIAN_FRONTEND=noninteractive
	logged "$install_root/tools.log" "apt-get update failed" apt-get update -q
	logged "$install_root/tools.log" "apt-get could not install debootstrap and systemd-container" \
		apt-get install -q -y --no-install-recommends debootstrap systemd-container
}

# --- trees -------------------------------------------------------------------

# in_tree TREE COMMAND…: runs it with this host's network; nothing is booted, no services are started.
in_tree() {
	local tree=$1
	shift
	cp /etc/resolv.conf "$tree/etc/resolv.conf"
	printf '#!/bin/sh\nexit 101\n' >"$tree/usr/sbin/policy-rc.d"
	chmod 0755 "$tree/usr/sbin/policy-rc.d"
	local status=0
	unshare --mount --pid --fork --kill-child bash -euc '
		mount -t proc proc "$1/proc"
		mount --rbind /sys "$1/sys"
		mount --rbind /dev "$1/dev"
		tree=$1
		shift
		exec chroot "$tree" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
			DEBIAN_FRONTEND=noninteractive "$@"' in_tree "$tree" "$@" || status=$?
	rm -f "$tree/usr/sbin/policy-rc.d"
	return "$status"
}

# base_tree RELEASE: makes a bare Debian with sudo, which README assumes.
base_tree() {
	local release=$1 name tree
	name=$(code_name "$release")
	tree=$install_root/base-$release
	[ ! -e "$tree/made" ] || return 0
	say "Making a bare Debian $release ($name) …"
	rm -rf "$tree"
	mkdir -p "$tree"
	logged "$install_root/base-$release.log" "debootstrap failed" debootstrap --variant=minbase \
		--include=systemd-sysv,dbus,sudo,ca-certificates,iproute2 "$name" "$tree" http://deb.debian.org/debian
	cat >"$tree/etc/apt/sources.list" <<-LIST
		deb http://deb.debian.org/debian $name main
		deb http://deb.debian.org/debian $name-updates main
		deb http://deb.debian.org/debian-security $name-security main
	LIST
	echo 'APT::Get::Assume-Yes "true";' >"$tree/etc/apt/apt.conf.d/90yes"
	logged "$install_root/base-$release.log" "apt-get upgrade failed" \
		in_tree "$tree" sh -ec 'apt-get update -q; apt-get upgrade -q'
	: >"$tree/made"
}

# sources_to FOLDER: copies the sources, as in a tarball. The board is built here if npm is available; otherwise
# the machine builds it.
sources_to() {
	source_copy "$1"
	command -v npm >/dev/null || return 0
	logged "$install_root/web.log" "the board could not be built" \
		"$top/web/build.sh" "$install_root/web/dist" "$install_root/web/work"
	rm -rf "$1/web/dist"
	cp -R "$install_root/web/dist" "$1/web/dist"
}

# build_package RELEASE: builds the package on a Debian of that release, in $install_root/deb-RELEASE.
build_package() {
	local release=$1 tree=$install_root/build-$1
	rm -rf "$install_root/deb-$release"
	base_tree "$release"
	[ -d "$tree" ] || cp -a "$install_root/base-$release" "$tree"
	rm -rf "$tree/source" "$tree/deb"
	sources_to "$tree/source"
	say "Building the package on Debian $release …"
	logged "$install_root/deb-$release.log" "dev/deb failed" in_tree "$tree" \
		env DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-}" /source/dev/deb /deb
	rm -rf "$tree/deb/build"
	mv "$tree/deb" "$install_root/deb-$release"
	fetch_packages "$release"
}

package_of() { ls "$install_root/deb-$1"/planwright_*.deb 2>/dev/null; }

# package_is_current RELEASE: whether there is a package, and none of its sources has changed since.
package_is_current() {
	local package
	package=$(package_of "$1") || return 1
	[ -z "$(cd "$top" && find configure.ac Makefile.am README.md CHANGELOG.md docs src sql man nginx systemd web www debian dev \
		-name node_modules -prune -o -type f -newer "$package" -print -quit)" ]
}

# fetch_packages RELEASE: downloads the package's dependencies into the bare tree, where machines without
# a network find them.
fetch_packages() {
	local release=$1 tree=$install_root/base-$1
	cp "$(package_of "$release")" "$tree/planwright.deb"
	logged "$install_root/base-$release.log" "apt-get could not fetch what the package asks for" \
		in_tree "$tree" sh -ec 'apt-get update -q; apt-get install -q --download-only /planwright.deb nginx postgresql curl procps $1
			apt-get install -q --download-only --no-install-recommends /planwright.deb nginx' fetch "$extra_packages"
	rm "$tree/planwright.deb"
}

# --- machines ----------------------------------------------------------------

# machine_start NAME RELEASE: makes and boots a new machine.
machine_start() {
	local name=$1 release=$2 i
	package_is_current "$release" || build_package "$release"
	[ -z "$extra_packages" ] || fetch_packages "$release"
	machine=$install_root/machine-$name
	rm -rf "$machine"
	cp -a "$install_root/base-$release" "$machine"
	cp "$(package_of "$release")" "$machine/srv/"
	printf '127.0.0.1 localhost %s planwright.example\n::1 localhost\n' "$name" >"$machine/etc/hosts"
	echo "$name" >"$machine/etc/hostname"
	trap machine_stop EXIT
	trap 'exit 130' INT TERM HUP
	# Newer releases boot only with the unified cgroup hierarchy.
	UNIFIED_CGROUP_HIERARCHY=1 systemd-nspawn --quiet --directory="$machine" --machine="planwright-$name" --boot \
		--private-network --register=no --keep-unit --link-journal=no --console=pipe \
		</dev/null >"$install_root/machine-$name.log" 2>&1 &
	nspawn=$!
	for ((i = 0; i < 240; i++)); do
		kill -0 "$nspawn" 2>/dev/null || die "Debian $release does not boot here: $(tail -n 3 "$install_root/machine-$name.log")"
		leader=$(cat "/proc/$nspawn/task/$nspawn/children" 2>/dev/null | awk '{ print $1 }')
		[ -z "$leader" ] || case $(inside systemctl is-system-running 2>/dev/null) in
		running | degraded) break ;;
		esac
		sleep 0.5
	done
	[ "$i" -lt 240 ] || die "Debian $release did not come up in two minutes; see $install_root/machine-$name.log"
	inside apt-get install -q curl >/dev/null 2>&1
	fact "Debian $(inside cat /etc/debian_version), $(inside systemctl --version | head -n 1): booted"
}

# inside COMMAND…: runs it as root in the machine that was started last.
inside() {
	nsenter --target "$leader" --mount --uts --ipc --net --pid --cgroup --root --wd -- \
		/usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive "$@"
}

machine_stop() {
	[ -n "$nspawn" ] || return 0
	# The signal that makes systemd halt.
	kill -s RTMIN+3 "$leader" 2>/dev/null || true
	local i
	for ((i = 0; i < 60; i++)); do
		kill -0 "$nspawn" 2>/dev/null || break
		sleep 0.5
	done
	kill -KILL "$nspawn" 2>/dev/null || true
	wait "$nspawn" 2>/dev/null || true
	nspawn=
	[ -n "${KEEP:-}" ] || rm -rf "$machine"
}

# --- following instructions ---------------------------------------------------

# block FILE HEADING [N]: prints the first, or N-th, block of commands below the heading.
block() {
	awk -v heading="$2" -v wanted="${3:-1}" '
		/^#/ { here = $0 ~ "^#+ " heading "$"; n = 0 }
		here && /^    / { if (!inside) n++; inside = 1; if (n == wanted) print substr($0, 5); next }
		{ inside = 0 }' "$1"
}

# Prints its input without what apt and dpkg say about other packages.
told() {
	sed -E 's/\r/\n/g' | awk '/^(The following|Suggested|Recommended)/ { skip = 1; next } skip && /^ / { next } { skip = 0 } 1' |
		grep -vE '^(Get:|Reading|Building|Need to get|After this|Selecting|Preparing|Unpacking|\(Reading|debconf:|update-alternatives|Created symlink /etc/systemd/system/(sys|log|postgres|nginx|multi-user.target.wants/(nginx|sys|postgres))|logrotate|Processing|Generat|Creating config|Moving old|Adding .div|Upgrading binary|Removing obsolete|fixing|creating|selecting|running|performing|syncing|The (files|database|default)|This user|Data page|[0-9]+ upgraded|/usr/lib/postgresql|[[:space:]]*$)|^Setting up [^p]|^Setting up p[^l]|^Created symlink .*(nginx|sysstat|logrotate|postgres)' |
		sed 's/^/   | /'
}

# follow INPUT: runs the command lines on standard input in the machine, showing each; INPUT answers their questions.
follow() {
	local script
	script=$(cat)
	[ -n "$script" ] || die "there are no lines to follow"
	printf 'set -ex\ncd /srv\n%s\n' "$script" >"$machine/root/follow.sh"
	printf '%s' "$1" | inside bash /root/follow.sh 2>&1 | told
	[ "${PIPESTATUS[1]}" -eq 0 ] || die "a line failed: see above"
}

# api METHOD PATH TOKEN [curl options]: prints the response's body; fails unless the status is 2xx.
api() {
	local method=$1 path=$2 token=$3
	shift 3
	inside curl -sS --fail-with-body -m 30 -X "$method" -H "X-TrackerToken: $token" "$@" \
		"http://planwright.example/services/v5$path"
}

status_of() {
	inside curl -s -o /dev/null -m 30 -w '%{http_code}' "$@"
}

# Waits for an answer: nginx serves a new site only a moment after its reload.
until_answers() {
	local i
	for ((i = 0; i < 60; i++)); do
		[ "$(status_of http://planwright.example/services/v5)" != 200 ] || return 0
		sleep 0.5
	done
	die "http://planwright.example/services/v5 does not answer 200"
}

# field NAME: prints the first value with that name in the JSON on standard input.
field() { grep -o "\"$1\":\(\"[^\"]*\"\|[0-9]*\)" | head -n 1 | sed 's/^[^:]*://; s/"//g'; }

# same WHAT WANTED GOT
same() {
	[ "$2" = "$3" ] || die "$1: expected \"$2\", got \"$3\""
	fact "$1: $3"
}
