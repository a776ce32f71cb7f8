#!/usr/bin/env bash
# Shell functions for ./run and ./check: messages to the user, packages, the build.
# To be sourced; the caller sets `top`, the source folder.

say() { printf '%s\n' "$*"; }

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# Executes a command in its own session; start it with &. With BEHIND in the environment, it gets less
# CPU time than others, and so does its session if Linux schedules by session (autogroup).
apart() {
	# shellcheck disable=SC2016 # for the other shell
	[ -z "${BEHIND:-}" ] || set -- bash -c '{ renice -n 5 $$; echo 5 >/proc/self/autogroup; } >/dev/null 2>&1
		exec "$@"' behind "$@"
	exec setsid "$@"
}

# Runs a command with its output in a file. The command is in the background, so
# that signals are handled at once. Returns the command's status.
# attempt LOG COMMAND…
attempt() {
	local log=$1 status=0
	shift
	apart "$@" >"$log" 2>&1 </dev/null 9>&- &
	busy_pid=$!
	wait "$busy_pid" || status=$?
	busy_pid=
	return "$status"
}

# The same for a command that must succeed. On failure, prints the last lines and exits.
# quietly LOG "what failed, for the user" COMMAND…
quietly() {
	local log=$1 what=$2
	shift 2
	attempt "$log" "$@" && return
	tail -n 15 "$log" >&2
	if grep -qs 'No space left on device' "$log"; then
		what="$what: the disk is full"
	fi
	die "$what; all of its output is in $log"
}

# Terminates what `quietly` runs, for traps.
quietly_stop() {
	[ -z "${busy_pid:-}" ] || kill -TERM -- "-$busy_pid" 2>/dev/null || true
	busy_pid=
}

# --- packages ----------------------------------------------------------------

# packages_list [PURPOSE…]: the packages in these parts of the list (build, run, test), or in all.
packages_list() {
	awk -v only=" $* " '/^# To / { part = $3 }
		!/^#/ && NF && (only == "  " || index(only, " " part " ")) { print $1 }' "$top/packages"
}

# nodejs and npm count as installed if their commands exist: other packages of Node.js include both,
# and conflict with Debian's own.
packages_missing() {
	packages_list "$@" | while read -r name; do
		case $name in
		nodejs) ! command -v node >/dev/null || continue ;;
		npm) ! command -v npm >/dev/null || continue ;;
		esac
		dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed ||
			printf '%s\n' "$name"
	done
}

# The glewlwyd package starts a server that the whole network can reach, with a well-known password;
# tests start their own.
glewlwyd_off="ln -sf /dev/null /etc/systemd/system/glewlwyd.service"

# packages_ensure [PURPOSE…]: as root, installs what is missing; otherwise prints the command for
# that, and stops.
packages_ensure() {
	local missing before=
	command -v dpkg-query >/dev/null || die "this needs Debian 12 or 13 (no dpkg here); the file \"packages\" lists what to install"
	missing=$(packages_missing "$@" | tr '\n' ' ')
	missing=${missing% }
	[ -n "$missing" ] || return 0
	case " $missing " in *" glewlwyd "*) before=$glewlwyd_off ;; esac
	if [ "$(id -u)" -ne 0 ]; then
		say "${0##*/}: packages are missing; install them with this line, then start again:" >&2
		say "sudo apt-get update && ${before:+sudo $before && }sudo apt-get install -y --no-install-recommends $missing" >&2
		exit 1
	fi
	say "Installing packages: $missing"
	local log
	log=$(mktemp /tmp/planwright-apt.XXXXXX) || die "cannot write to /tmp: is the disk full?"
	export DEBIAN_FRONTEND=noninteractive
	quietly "$log" "apt-get update failed" apt-get update -q
	[ -z "$before" ] || { mkdir -p /etc/systemd/system && $before; }
	# shellcheck disable=SC2086 # a list of names
	quietly "$log" "apt-get could not install $missing" \
		apt-get install -q -y --no-install-recommends $missing
	rm -f "$log"
}

# --- the build ---------------------------------------------------------------

# Prints the folder to build in: the one given, or one below /tmp if autotools
# cannot handle that name (a blank, a quote …); the given one remembers which.
build_folder() {
	local wanted=$1 other
	mkdir -p "$wanted" || return
	wanted=$(cd "$wanted" && pwd)
	if [[ $wanted =~ ^[A-Za-z0-9/._+,@:=-]+$ ]]; then
		printf '%s' "$wanted"
		return
	fi
	other=$(cat "$wanted/elsewhere" 2>/dev/null) || other=
	if [[ $other != /tmp/planwright-build.* ]] || [ ! -O "$other" ]; then
		other=$(mktemp -d /tmp/planwright-build.XXXXXX) || return
		printf '%s\n' "$other" >"$wanted/elsewhere" || return
	fi
	printf '%s' "$other"
}

# A tarball contains the built board; a git checkout builds it.
board_is_shipped() { [ -e "$top/web/dist/index.html" ] && [ ! -e "$top/.git" ]; }

# Copies the sources to a separate folder, so that the build leaves nothing in the source folder and
# does not conflict with a build made there. Keeps times, so that make rebuilds what changed.
source_copy() {
	local to=$1 built=web/dist
	! board_is_shipped || built=web/none
	mkdir -p "$to"
	(cd "$to" && rm -rf src sql dev t docs man nginx systemd www web debian .ci)
	tar -C "$top" --exclude="$built" --exclude=node_modules --exclude='*.o' --exclude=.deps --exclude=.dirstamp --exclude=__pycache__ \
		--exclude=debian/planwright --exclude=debian/.debhelper \
		--exclude='src/db/stmt.[ch]' --exclude=src/db/schema.c --exclude='systemd/planwright.service' \
		--exclude=systemd/planwright-importer.service --exclude=systemd/planwright-sender.service \
		--exclude=systemd/planwright-live.service \
		--exclude=systemd/planwright-sweep.service --exclude=systemd/planwright-backup.service \
		-cf - configure.ac Makefile.am README.md LICENSE CHANGELOG.md SECURITY.md CONTRIBUTING.md \
		packages run check .clang-format .editorconfig .ci \
		src sql dev t docs man nginx systemd www web debian | tar -C "$to" -xf - ||
		die "could not copy the sources to $to: is the disk full?"
	if [ ! -e "$to/configure" ] || [ "$to/configure.ac" -nt "$to/configure" ] ||
		[ "$to/Makefile.am" -nt "$to/Makefile.in" ]; then
		quietly "$to/autoreconf.log" "autoreconf failed" autoreconf -i "$to"
	fi
}

# build SOURCE BUILD [configure options]
build() {
	local source build
	source=$(cd "$1" && pwd)
	mkdir -p "$2"
	build=$(cd "$2" && pwd)
	shift 2
	# Configures again if the options differ from the last time.
	if [ ! -e "$build/Makefile" ] || [ "$source/configure" -nt "$build/config.status" ] ||
		[ "$(cat "$build/options" 2>/dev/null)" != "$*" ]; then
		quietly "$build/configure.log" "./configure failed" \
			env -C "$build" "$source/configure" "$@"
		printf '%s' "$*" >"$build/options"
	fi
	quietly "$build/make.log" "the build failed" make -C "$build" -j "$(nproc)"
}
