#!/usr/bin/env bash
# Tests what the readers of exports get from files and folders, and how much memory they use, as TAP: a test
# point for each case in t/import/files (t/import/README.md).
srcdir=${srcdir:-.}
limit=200000 # KiB
count=0
if [ ! -x /usr/bin/python3 ]; then
	echo "1..0 # SKIP /usr/bin/python3 is missing, which makes the files"
	exit 0
fi
read=$PWD/t/import/read
cases=$(cd "$srcdir/t/import/files" && pwd) || exit 1
made=$(mktemp -d "${TMPDIR:-/tmp}/planwright.XXXXXX") || exit 1
trap 'rm -rf "$made"' EXIT
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$srcdir/t/import/make_files.py" "$made/files" || exit 1

# The value of a directive in a case's header.
directive() { sed -n "/^---\$/q; s/^$2 //p" "$1"; }

run_case() {
	local case=$1 project options=()
	project=$(directive "$case" project)
	[ -z "$project" ] || options=(-p "$project")
	[ -z "$(directive "$case" quiet)" ] || options+=(-q)
	(cd "$made/files" && "$read" "${options[@]}" "$(directive "$case" file)") \
		>"$made/got" 2>"$made/used" || { cat "$made/used"; return 1; }
	[ -z "$(directive "$case" quiet)" ] || sed 's/^[0-9]* KiB, //' "$made/used" >"$made/got"
	sed '1,/^---$/d' "$case" | diff - "$made/got" || return 1
	# Sanitizers need memory of their own: MEMORY_MAX can raise the limit.
	[ "$(sed 's/ KiB.*//' "$made/used")" -lt "${MEMORY_MAX:-$limit}" ] || { cat "$made/used"; return 1; }
}

for case in "$cases"/*.records; do
	count=$((count + 1))
	if run_case "$case" >"$made/out" 2>&1; then
		echo "ok $count - $(basename "$case" .records)"
	else
		sed 's/^/# /' "$made/out"
		echo "not ok $count - $(basename "$case" .records)"
	fi
done
echo "1..$count"
