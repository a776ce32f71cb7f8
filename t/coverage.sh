#!/usr/bin/env bash
# Prints how much of src/ the tests run: lines by file, and the functions that were never called.
#	t/coverage.sh BUILD     BUILD: a build folder, configured with --enable-coverage
#	PYTEST                  arguments for pytest instead of all HTTP tests
# planwright-media may not write files, not even its counts, so it looks as if it never ran.
set -eu
umask 022
cd "$(dirname "$0")/.."
build=$(cd "${1:?usage: t/coverage.sh BUILD}" && pwd)
find "$build/src" -name '*.gcno' | grep -q . || exit 1
counts=$(mktemp -d /tmp/planwright-coverage.XXXXXX)
trap 'rm -rf "$counts"' EXIT

# Programs of several users add to the same counts, so the files exist beforehand, writable by all.
(cd "$build" && find src -name '*.gcno') | while read -r note; do
	mkdir -p "$counts$build/$(dirname "$note")"
	: >"$counts$build/${note%.gcno}.gcda"
done
chmod -R a+rwX "$counts"
export GCOV_PREFIX=$counts

make -C "$build" -s check >"$build/coverage.log" 2>&1 || tail -n 5 "$build/coverage.log" >&2
STACK_BUILD=$build STACK_ROOT=$counts/stacks /usr/bin/python3 -m pytest -p no:cacheprovider -q \
	-n 4 --dist loadfile ${PYTEST:-t/http} >>"$build/coverage.log" 2>&1 || tail -n 20 "$build/coverage.log" >&2

find "$counts$build/src" -name '*.gcda' -size 0 -delete
find "$build/src" -name '*.gcda' -delete
cp -r "$counts$build/src" "$build/"
cd "$build" && find src -name '*.gcno' -exec gcov --json-format --stdout {} + 2>/dev/null | /usr/bin/python3 -c '
import json, os, sys
lines, functions = {}, {}
for part in map(json.loads, sys.stdin):
    for file in part["files"]:
        name = file["file"].split("src/")[-1]
        if name.startswith("/") or not name.endswith(".c"):
            continue
        for line in file["lines"]:
            at = lines.setdefault(name, {})
            at[line["line_number"]] = at.get(line["line_number"], 0) + line["count"]
        for f in file["functions"]:
            at = (name, f["demangled_name"])
            functions[at] = functions.get(at, 0) + f["execution_count"]
share = {name: (sum(map(bool, at.values())), len(at)) for name, at in lines.items()}
for name, (run, of) in sorted(share.items(), key=lambda item: item[1][0] / item[1][1]):
    print(f"{100 * run / of:5.1f} %  {of - run:4} of {of:4} lines not run  {name}")
run, of = (sum(column) for column in zip(*share.values()))
print(f"{100 * run / of:5.1f} %  of {of} lines in all")
for (name, function), count in sorted(functions.items()):
    if not count:
        print(f"never run: {name} {function}")
'
