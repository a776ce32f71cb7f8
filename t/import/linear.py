#!/usr/bin/python3
"""Tests that every kind of file is read in linear time, as TAP: twice as much takes at most 2.3 times the
reader's CPU time (t/import/read_main.c). The best of several pairs counts, because other work on the machine
affects CPU time, too.

	linear.py READ [KIND…]
"""

import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

import make_doubled

MOST, PAIRS = 2.3, 6
LONG = 20  # seconds: if the larger file takes so long, the reader is not linear


def used():
    of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of.ru_utime + of.ru_stime


def seconds(read, path):
    """The CPU seconds that reading the file takes."""
    before = used()
    try:
        subprocess.run([read, "-q", "-p", "A", path], check=False, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=20 * LONG)
    except subprocess.TimeoutExpired:
        return 20 * LONG
    return used() - before


def look(read, folder, name):
    """The lowest ratio, and the seconds of that pair."""
    make, n = make_doubled.KINDS[name]
    small, large = folder / f"1-{name}", folder / f"2-{name}"
    make(small, n)
    make(large, 2 * n)
    pairs = []
    while len(pairs) < PAIRS:
        a, b = seconds(read, small), seconds(read, large)
        pairs.append((b / max(a, 0.001), a, b))
        if pairs[-1][0] <= MOST or b > LONG:
            break
    for path in small, large:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return min(pairs)


def main():
    read, names = sys.argv[1], sys.argv[2:] or list(make_doubled.KINDS)
    bad = 0
    with tempfile.TemporaryDirectory(prefix="planwright-linear.") as folder:
        for i, name in enumerate(names):
            ratio, a, b = look(read, pathlib.Path(folder), name)
            bad += ratio > MOST
            print("ok" if ratio <= MOST else "not ok", i + 1,
                  f"- {name} doubled: {ratio:.2f} times ({a:.2f} s, {b:.2f} s)", flush=True)
    print(f"1..{len(names)}")
    return bad > 0


sys.exit(main())
