#!/usr/bin/env bash
# Hides the things that configure looks for, one after the other, and checks that its last line names the Debian
# package that provides each.
#	t/install/configure.sh [SOURCE]     SOURCE: a folder with configure; default: this one
# Nothing is installed or removed: programs are hidden by a PATH of links, libraries by a folder of .pc files.
set -eu
source=$(cd "${1:-$(dirname "$0")/../..}" && pwd)
[ -x "$source/configure" ] || {
	echo "configure.sh: $source has no configure: run autoreconf -i there" >&2
	exit 1
}
scratch=$(mktemp -d /tmp/planwright.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

mkdir "$scratch/bin" "$scratch/pc"
for folder in /bin /usr/bin; do
	find -L "$folder" -maxdepth 1 -type f -executable -exec ln -sf -t "$scratch/bin" {} + 2>/dev/null || true
done
for folder in $(pkg-config --variable pc_path pkg-config | tr ':' ' '); do
	[ ! -d "$folder" ] || find "$folder" -name '*.pc' -exec ln -sf -t "$scratch/pc" {} +
done

# Configures once for what stays the same in all runs.
mkdir "$scratch/all"
(cd "$scratch/all" && "$source/configure" -C --no-create >log 2>&1) || {
	tail -n 3 "$scratch/all/log"
	echo "configure.sh: configure fails with all there is" >&2
	exit 1
}
grep -vE 'pkg_cv_|ac_cv_env_|fcgi|_prog_|_path_|ac_cv_search_sqrt|MAKE|am_cv_make|CC|compiler' \
	"$scratch/all/config.cache" >"$scratch/cache"

# try PACKAGE WHAT [VAR=value…]: runs configure without what the caller has hidden.
try() {
	local package=$1 what=$2 said
	shift 2
	rm -rf "$scratch/build"
	mkdir "$scratch/build"
	cp "$scratch/cache" "$scratch/build/config.cache"
	(cd "$scratch/build" && env -i PATH="$scratch/bin" HOME=/ TMPDIR=/tmp LANG=C PKG_CONFIG_LIBDIR="$scratch/pc" "$@" \
		"$source/configure" -C --no-create) >"$scratch/build/log" 2>&1 || true
	said=$(grep -E 'error:|WARNING:' "$scratch/build/log" | grep -F "(Debian: $package)" | tail -n 1) || true
	if [ -n "$said" ]; then
		passed=$((passed + 1))
		echo "ok     without $what: ${said#configure: }"
	else
		failed=$((failed + 1))
		echo "FAILED without $what: $(tail -n 2 "$scratch/build/log" | tr '\n' ' ')"
	fi
}

# without_programs PACKAGE NAME…
without_programs() {
	local package=$1 name
	shift
	mkdir -p "$scratch/hidden"
	for name in "$@"; do
		find "$scratch/bin" -name "$name" -exec mv -t "$scratch/hidden" {} +
	done
	try "$package" "$1"
	find "$scratch/hidden" -mindepth 1 -exec mv -t "$scratch/bin" {} +
}

without_module() {
	mv "$scratch/pc/$2.pc" "$scratch/hidden.pc"
	try "$1" "$2.pc"
	mv "$scratch/hidden.pc" "$scratch/pc/$2.pc"
}

without_programs make 'make' 'gmake'
without_programs 'gcc libc6-dev' 'gcc' 'cc' 'clang' 'c99' 'c89' '*-gcc' '*-cc'
try 'gcc libc6-dev' 'the C library' CC='gcc -nostdlib -nostartfiles -nostdinc'
without_programs binutils 'ar' '*-ar'
without_programs binutils 'ranlib' '*-ranlib'
without_programs mawk 'awk' 'mawk' 'gawk' 'nawk'
without_programs pkg-config 'pkg-config' 'pkgconf' '*-pkg-config' '*-pkgconf'
try libfcgi-dev 'fcgiapp.h' ac_cv_header_fcgiapp_h=no
try libfcgi-dev 'libfcgi' ac_cv_lib_fcgi_FCGX_Accept_r=no
without_module libjson-c-dev json-c
without_module libpq-dev libpq
without_module libssl-dev libcrypto
without_module libcurl4-openssl-dev libcurl
without_module libexpat1-dev expat
without_module libmagic-dev libmagic
without_module libseccomp-dev libseccomp
without_module libarchive-dev libarchive
without_module libzip-dev libzip
without_module libsqlite3-dev sqlite3
without_programs 'nodejs, npm' node
without_programs 'nodejs, npm' npm
without_module libgd-dev gdlib
without_module libcriterion-dev criterion
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
