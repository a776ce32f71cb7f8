"""Preloads fail.c into each program of a build, tells it which call fails or where to stop, and prints the table of
results."""

import collections
import contextlib
import ctypes
import mmap
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FAULTS = ("malloc", "read", "write", "send", "recv", "open", "rename", "fsync", "fork", "unlink", "mkdir")
KINDS = ("", *FAULTS, "stop", "kill", "count")  # numbered as in fail.c
MEDIA = "planwright-media"
PROGRAMS = ("planwright.fcgi", "planwright-sender", "planwright-importer", "planwright-live", "planwrightctl", MEDIA)
ANY = -1
FEW = 20  # kinds with fewer runs share a line
SEED = int(os.environ.get("TORTURE_SEED", random.randrange(1 << 32)))


class Control(ctypes.Structure):
    """struct control of fail.c."""
    _fields_ = [("pid", ctypes.c_int32), ("kind", ctypes.c_int32), ("nth", ctypes.c_int64), ("seen", ctypes.c_int64),
                ("stopped", ctypes.c_int32), ("calls", ctypes.c_int64 * (len(KINDS) - 1))]


def sanitizer(program):
    """The sanitizer's library, which has to be preloaded first; its functions call ours."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return " ".join(re.findall(r"=> (\S+/lib[at]san\S+)", said))


def prepare():
    """Makes a copy of the build folder whose programs run with fail.c preloaded."""
    build = pathlib.Path(os.environ["STACK_BUILD"])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="planwright-torture."))
    folder.chmod(0o755)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", folder / "fail.so", HERE / "fail.c", "-ldl"], check=True)
    for entry in build.iterdir():
        (folder / entry.name).symlink_to(entry)
    (folder / "real").mkdir()
    for name in PROGRAMS:
        (folder / name).unlink()
        real = f"{MEDIA}.real" if name == MEDIA else name
        shutil.copy(build / name, folder / "real" / real)
        (folder / name).write_text(f'#!/bin/sh\nLD_PRELOAD="{sanitizer(build / name)} {folder}/fail.so" FAIL_CONTROL={folder}/control.{name} '
                                   f'exec {folder}/real/{real} "$@"\n')
        (folder / name).chmod(0o755)
        shutil.copystat(build / name, folder / name)  # tests share templates by the build's time
        (folder / f"control.{name}").write_bytes(bytes(ctypes.sizeof(Control)))
        (folder / f"control.{name}").chmod(0o666)
    shutil.copy2(folder / MEDIA, folder / "real" / MEDIA)  # programs look for it in their own folder
    os.environ["STACK_BUILD"] = str(folder)
    os.environ.setdefault("STACK_HELPERS", str(build))
    return folder


class Fault:
    """The faults of one program."""

    def __init__(self, folder, program):
        with open(pathlib.Path(folder) / f"control.{program}", "r+b") as file:
            self.control = Control.from_buffer(mmap.mmap(file.fileno(), 0))

    def arm(self, kind, nth, pid=ANY):
        """Makes the nth call of a kind fail, counted from now on. With 0, none fails; `count` counts calls of all kinds."""
        c = self.control
        ctypes.memset(c.calls, 0, ctypes.sizeof(c.calls))
        c.kind, c.nth, c.seen, c.stopped, c.pid = 0, nth, 0, 0, pid
        c.kind = KINDS.index(kind)

    def disarm(self):
        """Returns how many calls there were."""
        self.control.kind = 0
        return self.control.seen

    def calls(self):
        """How many calls there were of each kind."""
        return dict(zip(KINDS, self.control.calls))

    def stopped(self, seconds, meanwhile=lambda: True):
        """The process that stopped, or 0 if none does before `meanwhile` becomes false."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if pid := self.control.stopped:
                with contextlib.suppress(OSError):
                    if pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T":
                        return pid
            elif not meanwhile():
                return 0
            time.sleep(0.002)
        return self.control.stopped

    def let_go(self):
        """Wakes a process that stopped at the last moment."""
        time.sleep(0.05)
        if self.control.stopped:
            wake(self.control.stopped)


def wake(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def some(calls, most, begin=1):
    """Which of so many calls fail: all, if they are few; else the first ones, the last ones, and a random choice of
    those in between, the sparser the later; it depends on SEED."""
    if calls - begin < most:
        return list(range(begin, calls + 1))
    ends, chosen = most // 4, set()
    chosen.update(range(begin, begin + ends), range(calls - ends + 1, calls + 1))
    from_here, steps = max(1, ends), most - 2 * ends
    chance, ratio = random.Random(f"{SEED} {calls} {begin}"), (calls - begin + 1) / from_here
    for step in range(steps):
        chosen.add(begin - 1 + round(from_here * ratio ** ((step + chance.random()) / steps)))
    return sorted(n for n in chosen if begin <= n <= calls)


def is_crash(line):
    """Whether a line in a log reports a crash that torture did not cause."""
    if line.startswith("<4>planwright-media"):  # broken files may crash it, and it logs that
        return False
    return any(word in line for word in ("SIGSEGV", "Segmentation", "ended by signal 11", "Sanitizer", "runtime error:"))


class Table:
    """A line for each thing that is tortured, a column for each kind of fault: how many calls failed of how many
    there were, and how many problems were found."""

    def __init__(self, what, kinds, width):
        self.kinds, self.width, self.runs, self.row = kinds, width, 0, {}
        self.ends = collections.defaultdict(collections.Counter)
        print(f"seed {SEED}; runs/calls, !found; . is none")
        print(f"{what:{width}}" + "".join(f" {kind:>9}" for kind in kinds), flush=True)

    def add(self, kind, calls, ends, found):
        runs = sum(ends.values())
        self.runs += runs
        self.ends[kind].update(ends)
        self.row[kind] = f"{runs}/{calls}" + (f"!{found}" if found else "") if calls else "."

    def line(self, name):
        print(f"{name:{self.width}}" + "".join(f" {self.row.get(kind, ''):>9}" for kind in self.kinds), flush=True)
        self.row = {}

    def close(self, found):
        """Prints the summary; returns whether something was found."""
        told = {kind: f"{kind}: " + ", ".join(f"{n} {end}" for end, n in ends.most_common())
                for kind, ends in self.ends.items() if ends}
        rare = [line for kind, line in told.items() if self.ends[kind].total() < FEW]
        for line in (*(line for line in told.values() if line not in rare), *(["; ".join(rare)] if rare else [])):
            print(line)
        for line in found:
            print("FOUND", line)
        print(f"{self.runs} runs, {len(found)} found", flush=True)
        return bool(found)
