#!/bin/sh
# Builds the board: index.html and assets/ with hashes in their names, .gz beside each.
#	web/build.sh [OUT [WORK]]
# OUT is where they go (dist beside this file). WORK is a folder for a copy of the sources and for
# the packages that npm brings (this folder itself). With WEB_CHECK set, packages for checks too.
# It ends with 3 when npm cannot bring them.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/dist}
work=${2:-$here}
mkdir -p "$out" "$work"
out=$(cd "$out" && pwd)
work=$(cd "$work" && pwd)

for program in node npm; do
	command -v "$program" >/dev/null || {
		echo "web/build.sh: the command $program is missing (Debian: nodejs, npm)" >&2
		exit 1
	}
done

if [ "$work" != "$here" ]; then
	(cd "$work" && rm -rf src styles locales)
	(cd "$here" && cp -Rp src styles locales ./*.json ./*.jsonc ./*.mjs index.html icon.svg "$work/")
fi

# Where the registry is not to be reached, that is known within a minute.
export npm_config_fetch_retries="${npm_config_fetch_retries:-2}" npm_config_fetch_timeout="${npm_config_fetch_timeout:-30000}"
export npm_config_fetch_retry_mintimeout="${npm_config_fetch_retry_mintimeout:-1000}"
export npm_config_fetch_retry_maxtimeout="${npm_config_fetch_retry_maxtimeout:-5000}"

# What is installed is remembered by the list that says it.
stamp=$work/node_modules/.planwright
wanted="${WEB_CHECK:+all }$(cksum <"$work/package-lock.json")"
installed=$(cat "$stamp" 2>/dev/null) || installed=
if [ "$installed" != "$wanted" ] && [ "$installed" != "all $wanted" ]; then
	wish=--omit=dev
	[ -z "${WEB_CHECK:-}" ] || wish=--include=dev
	(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error "$wish") || {
		echo "web/build.sh: npm could not install the packages of web/package-lock.json;" \
			"without the network configure --without-web, or take a tarball, which holds the board built" >&2
		exit 3
	}
	printf '%s' "$wanted" >"$stamp"
fi

(cd "$work" && node build.mjs "$out")
