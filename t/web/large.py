"""A project as large as the board's performance figures assume, and the load of a server with many open boards
of it."""

import csv
import datetime
import os
import pathlib
import time
from concurrent.futures import ThreadPoolExecutor

from world import new_project

WORDS = "Borrowers see which tools are free on the day on which they want to come by".split()
COLUMNS = "Id,Title,Labels,Type,Estimate,Current State,Created at,Accepted at".split(",")
HZ = os.sysconf("SC_CLK_TCK")


def day(back):
    when = datetime.date.today() - datetime.timedelta(days=back)
    return f"{when:%b} {when.day}, {when.year}"


def cells(n, state, back):
    labels = f"label {n % 20}" if n % 3 else ""
    return [n, f"{n} " + " ".join(WORDS[:4 + n % 9]), labels, "feature", n % 4, state, day(3650),
            day(back) if state == "accepted" else ""]


def fill(client, unstarted=1200, unscheduled=780, started=20, accepted=20_000):
    """Creates a project with so many stories of each kind, the accepted ones over ten years; returns its id."""
    project = new_project(client, initial_velocity=20)["id"]
    states = (["accepted"] * accepted + ["started"] * started + ["unstarted"] * unstarted
              + ["unscheduled"] * unscheduled)
    file = pathlib.Path(client.stack.directory) / "large.csv"
    with file.open("w", newline="", encoding="utf-8") as f:
        table = csv.writer(f)
        table.writerow(COLUMNS)
        table.writerows(cells(n, state, 3640 - n * 3630 // accepted if accepted else 0)
                        for n, state in enumerate(states, 1))
    client.stack.ctl("import", "--project", str(project), "--renumber", str(file))
    return project


def ticks(pids):
    """The CPU time of processes, including their terminated children."""
    sum_ = 0
    for pid in pids:
        try:
            after = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
        except FileNotFoundError:
            continue
        sum_ += sum(int(v) for v in after[11:15])
    return sum_


def processes(stack):
    """The ids of all processes of a server: nginx, workers, sender, importer, PostgreSQL. They all have the
    server's folder as their working directory."""
    for cwd in pathlib.Path("/proc").glob("[0-9]*/cwd"):
        try:
            if cwd.resolve().is_relative_to(stack.directory.resolve()):
                yield cwd.parent.name
        except OSError:
            pass


def load_of(stack, requests, seconds):
    """Sends requests when they are due: pairs of a second and a function. Returns the share of one processor
    that the server used."""
    start = time.monotonic()
    before = ticks(processes(stack))

    def send(due, ask):
        time.sleep(max(0, start + due - time.monotonic()))
        answer = ask()
        assert answer.status_code in (200, 304), answer.text

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda r: send(*r), sorted(requests, key=lambda r: r[0])))
    time.sleep(max(0, start + seconds - time.monotonic()))
    return (ticks(processes(stack)) - before) / HZ / (time.monotonic() - start)
