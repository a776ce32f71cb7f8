#!/usr/bin/env bash
# Runs all scripts that need bare Debian 12 and 13, one after the other; each prints what it did.
#	sudo t/install/all.sh     the logs are in INSTALL_ROOT, see lib.sh
. "$(dirname "$0")/lib.sh"
here=$(dirname "$0") passed=0 failed=0
mkdir -p "$install_root"
for what in "first.sh 12" "first.sh 13" "restore.sh 12 13" "restore.sh 13 12" "upgrade.sh 12" "upgrade.sh 13" \
	"webservers.sh 12" "webservers.sh 13" container.sh "hosts.sh 12" "hosts.sh 13" "sources.sh 12 root" "sources.sh 12 user" "sources.sh 13 root" \
	"sources.sh 13 user"; do
	say "" "==== $what" | sed 's/^ //'
	# shellcheck disable=SC2086 # a name and its arguments
	if bash "$here/"$what; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		say "FAILED $what"
	fi
done
say "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
