#!/usr/bin/env bash
# On a bare Debian 12 or 13 with a network, follows README for the sources: ./run with the board, without npm's
# registry, and without the board, with a request to each; then ./check --quick.
#	sudo t/install/sources.sh 12|13 root|user
# For a user, missing packages are installed with the command that ./run and ./check print.
. "$(dirname "$0")/lib.sh"
usage="usage: t/install/sources.sh 12|13 root|user"
release=${1:?$usage} who=${2:?$usage}
code_name "$release" >/dev/null
case $who in root | user) ;; *) die "$usage" ;; esac
need_tools
port=$((8000 + release)) && [ "$who" = root ] || port=$((8100 + release))
tree=$install_root/sources-$release-$who

# asked COMMAND…: runs it as the chosen user, in the source folder.
asked() {
	local become=()
	[ "$who" = root ] || become=(setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/home/user)
	in_tree "$tree" "${become[@]}" env -C /home/user/source NODE_EXTRA_CA_CERTS=/etc/ssl/host.crt "$@"
}

# For a user: installs missing packages with the command that the program prints.
obey() {
	local log=$install_root/sources-$release-$who-$1.log line
	[ "$who" = user ] || return 0
	! asked "./$1" "${@:2}" >"$log" 2>&1 </dev/null || die "./$1 does not miss a package"
	line=$(grep '^sudo apt-get' "$log") || die "./$1 names no line that installs what is missing: $(tail -n 3 "$log")"
	fact "${line:0:110} …"
	logged "$log" "what ./$1 says does not install" in_tree "$tree" sh -ec "$line"
}

# runs NAME WANTED [ARGUMENT…], with NAME=VALUE in `settings`: starts ./run, waits for its curl line, runs that,
# requests the page at /, and stops it.
runs() {
	local board=$2 log=$install_root/sources-$release-$who-$1.log start=$SECONDS
	shift 2
	rm -f "$log"
	asked env "${settings[@]}" timeout -s TERM -k 60 1800 bash -c '
		"$@" & run=$!
		trap "kill -TERM $run; wait $run" TERM EXIT
		until [ -e stop ]; do kill -0 $run || exit 1; sleep 0.2; done' run ./run "$@" >"$log" 2>&1 </dev/null &
	pid=$!
	until grep -qs "^Ctrl-C" "$log"; do
		kill -0 "$pid" 2>/dev/null || { tail -n 15 "$log"; die "./run ended; see $log"; }
		sleep 0.5
	done
	fact "./run $* (${settings[*]}): serves after $((SECONDS - start)) s"
	grep 'left out' "$log" | sed 's/^/   | /' || true
	same "its curl line" 3 "$(bash -c "$(grep -o 'curl -H .*' "$log")" 2>/dev/null | grep -o '"kind":"story"' | wc -l)"
	same "the board at /" "$board" "$(curl -s "http://127.0.0.1:$port/" | grep -c '<script.*assets/')"
	asked touch stop
	wait "$pid" || true
	pid=
	asked rm stop
}

pid=
trap '[ -z "$pid" ] || asked touch stop; wait' EXIT
step "Debian $release, as $who"
base_tree "$release"
rm -rf "$tree"
cp -a "$install_root/base-$release" "$tree"
install -d -m 0755 "$tree/home/user/source"
(cd "$top" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar -cf - --ignore-failed-read) |
	tar -C "$tree/home/user/source" -xf -
# If a proxy intercepts TLS on this network, this host has its certificate authority.
cp /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/host.crt"
touch "$tree/home/user/source/.git" # git checkouts build the board
in_tree "$tree" useradd --uid 1000 --home-dir /home/user --shell /bin/bash user
in_tree "$tree" chown -R user: /home/user

step "./run"
settings=(PORT="$port" STATE_DIR=without)
obey run
runs without 0 --without-web
settings=(PORT="$port" STATE_DIR=unreached npm_config_registry=http://127.0.0.1:9/)
runs unreached 0
settings=(PORT="$port")
runs with 1
runs again 1

step "./check --quick"
obey check --quick
start=$SECONDS
log=$install_root/sources-$release-$who-check.log
asked ./check --quick >"$log" 2>&1 </dev/null || { tail -n 60 "$log"; die "./check --quick fails on a bare Debian $release"; }
fact "./check --quick: $((SECONDS - start)) s"
tail -n 1 "$log" | sed 's/^/   | /'
[ -n "${KEEP:-}" ] || rm -rf "$tree"
say "" "Debian $release, $who: ./run with and without the board and ./check --quick." | sed 's/^ //'
