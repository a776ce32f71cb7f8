#!/usr/bin/env bash
# Replays the corpora through the fuzz targets, as TAP for `make check`: one
# test point for each target.
srcdir=${srcdir:-.}
count=0
for source in "$srcdir"/t/fuzz/fuzz_*.c; do
	[ -e "$source" ] || continue
	target=$(basename "$source" .c)
	count=$((count + 1))
	if ! ls "$srcdir/t/fuzz/corpus/${target#fuzz_}"/* >/dev/null 2>&1; then
		echo "not ok $count - $target has no corpus"
	elif "./t/fuzz/$target" "$srcdir/t/fuzz/corpus/${target#fuzz_}"/* >"$target.out" 2>&1; then
		echo "ok $count - $target"
		rm -f "$target.out"
	else
		sed 's/^/# /' "$target.out"
		echo "not ok $count - $target"
	fi
done
echo "1..$count"
