#!/usr/bin/env python3
"""Clients that write and read while hosts die, and record what they were told.

    clients.py URL TOKEN PROJECT,PROJECT,… OWNER FILE [WRITERS [READERS]]

Each writer adds stories with an Idempotency-Key, and changes and comments on them; every tenth one belongs to the person
OWNER, who gets a mail. A request without a definite result (no response, or 5xx) is sent again with the same key until
it has one: so each command is done exactly once in the end, or was never acknowledged. Readers check that a version never
falls behind what was acknowledged before they asked. Another client imports files of stories, one after the other; and
one listens to live updates, which must report each acknowledged version, however often a stream ends.
On SIGTERM, it writes what happened to FILE as JSON: "acknowledged" (what must be in the database), "mails" (names of
stories whose owner must get a mail), "imports" (ids, with the name of the file and how many stories it has), "versions"
(the last acknowledged ones), "answers" ([time, status, seconds, is a write]; status 0: no response), "unavailable"
([time, text] of each 503) and "faults" (what must not have happened, as text).
"""

import http.client
import json
import re
import signal
import sys
import threading
import time
import uuid
from urllib.parse import urlsplit

PAUSE = 0.3  # seconds between two attempts, or less if Retry-After says so
TIMEOUT = 40  # longer than the web server waits for an answer
HEARING = 10  # seconds after the last write within which live updates must report it
ended = threading.Event()


class Record:
    """What all clients have recorded."""

    def __init__(self, projects):
        self.name = uuid.uuid4().hex[:8]  # of this run: earlier ones wrote to the same projects
        self.lock = threading.Lock()
        self.version = dict.fromkeys(projects, 0)  # acknowledged
        self.heard = dict.fromkeys(projects, 0)  # by live updates
        self.stories, self.comments, self.states = {}, {}, {}
        self.mails, self.imports = [], {}
        self.answers, self.unavailable, self.faults = [], [], []

    def answered(self, began, status, write, text):
        now = time.time()
        with self.lock:
            self.answers.append((now, status, round(now - began, 3), write))
            if status == 503:
                self.unavailable.append((now, text.decode(errors="replace")[:300]))

    def fault(self, text):
        with self.lock:
            self.faults.append(f"{time.strftime('%H:%M:%S')} {text}")

    def told(self, project, version):
        with self.lock:
            self.version[project] = max(self.version[project], version)


class Client:
    def __init__(self, url, token, record):
        self.host, self.token, self.record, self.connection = urlsplit(url).netloc, token, record, None

    def once(self, method, path, body=None, key=None, kind="application/json"):
        """Sends a request once; returns (status, headers, body), with status 0 if there was no response. Text is sent as
        it is."""
        headers = {"X-TrackerToken": self.token, "Content-Type": kind}
        body = body and (body if isinstance(body, str) else json.dumps(body))
        if key:
            headers["Idempotency-Key"] = key
        began, status, text = time.time(), 0, b""
        try:
            self.connection = self.connection or http.client.HTTPConnection(self.host, timeout=TIMEOUT)
            self.connection.request(method, "/services/v5" + path, body, headers)
            answer = self.connection.getresponse()
            text = answer.read()
            status = answer.status
            return status, answer.headers, json.loads(text) if text else None
        except (OSError, http.client.HTTPException, ValueError):
            self.connection = None
            status = 0
            return 0, {}, None
        finally:
            self.record.answered(began, status, method != "GET", text)

    def surely(self, method, path, body, **more):
        """Sends a request until it has a definite result; returns (headers, body), or None if the test ended before."""
        key = str(uuid.uuid4())
        while not ended.is_set():
            status, headers, answer = self.once(method, path, body, key, **more)
            if status == 200:
                return headers, answer
            if status == 503 and "Retry-After" not in headers:
                self.record.fault(f"{method} {path}: 503 without Retry-After")
            if status not in (0, 429, 502, 503, 504):
                self.record.fault(f"{method} {path} {str(body)[:100]}: {status} {answer}")
                return None
            ended.wait(min(PAUSE, float(headers.get("Retry-After", PAUSE))))
        return None


def write(client, project, name, owner):
    """Writes a story, its state and a comment, and records what was acknowledged."""
    record, path = client.record, f"/projects/{project}/stories"
    done = client.surely("POST", path, {"name": name, "estimate": 1, **({"owner_ids": [owner]} if owner else {})})
    if not done:
        return
    story = done[1]["id"]
    with record.lock:
        record.stories[name] = [project, story]
        record.mails += [name] if owner else []
    record.told(project, int(done[0]["X-Tracker-Project-Version"]))
    done = client.surely("PUT", f"{path}/{story}", {"current_state": "started"})
    if done:
        with record.lock:
            record.states[name] = "started"
        record.told(project, int(done[0]["X-Tracker-Project-Version"]))
    done = client.surely("POST", f"{path}/{story}/comments", {"text": name})
    if done:
        with record.lock:
            record.comments[name] = done[1]["id"]
        record.told(project, int(done[0]["X-Tracker-Project-Version"]))


def writer(client, projects, owner, number):
    count = 0
    while not ended.is_set():
        count += 1
        write(client, projects[(number + count) % len(projects)], f"{client.record.name} w{number}-{count}",
              owner if count % 10 == 0 else None)
        ended.wait(0.05)


IMPORTED = 200  # stories in a file
WAITS = ("queued", "running")


def file_of(name):
    rows = "".join(f",{name} {n},feature\n" for n in range(IMPORTED))
    return (f'--XX\r\nContent-Disposition: form-data; name="file"; filename="{name}.csv"\r\n\r\n'
            f"Id,Title,Type\n{rows}\r\n--XX--\r\n")


def importer(client, projects, _, number):
    """Imports files, one after the other; the last one may still be waiting when the test ends."""
    record, count = client.record, 0
    while not ended.wait(1):
        count += 1
        path, name = f"/projects/{projects[count % len(projects)]}/imports", f"{record.name} import {number}-{count}"
        done = client.surely("POST", path, file_of(name), kind="multipart/form-data; boundary=XX")
        if not done:
            continue
        made = done[1]
        with record.lock:
            record.imports[made["id"]] = [name, IMPORTED]
        while made["state"] in WAITS and not ended.wait(PAUSE):
            status, _, found = client.once("GET", f"{path}/{made['id']}")
            made = found if status == 200 else made
        if made["state"] not in (*WAITS, "done"):
            record.fault(f"import {made['id']} of {name}: {made['state']} {made.get('problem')}")


def reader(client, projects, _, number):
    turn = number
    while not ended.is_set():
        turn += 1
        project = projects[turn % len(projects)]
        with client.record.lock:
            at_least = client.record.version[project]
        status, headers, _ = client.once("GET", f"/projects/{project}/stories?limit=10")
        if status == 200 and int(headers["X-Tracker-Project-Version"]) < at_least:
            client.record.fault(f"project {project} went back: version "
                                f"{headers['X-Tracker-Project-Version']} after {at_least}")
        ended.wait(0.05)


VERSION = re.compile(rb'data: {"project_id":(\d+),"version":(\d+)}')


def listen(client, projects):
    connection = http.client.HTTPConnection(client.host, timeout=TIMEOUT)
    connection.request("GET", "/services/v5/live?projects=" + ",".join(map(str, projects)),
                       headers={"X-TrackerToken": client.token})
    answer = connection.getresponse()
    while answer.status == 200 and (line := answer.readline()):
        if found := VERSION.match(line):
            client.record.heard[int(found[1])] = int(found[2])


def listener(client, projects):
    while True:
        try:
            listen(client, projects)
        except (OSError, http.client.HTTPException, ValueError):
            pass
        time.sleep(PAUSE)


def wait_until_heard(record):
    deadline = time.time() + HEARING
    while missing := {p: (v, record.heard[p]) for p, v in record.version.items() if record.heard[p] < v}:
        if time.time() > deadline:
            record.fault("".join(f"live updates tell of version {heard} of project {project}, and {version} was "
                                 "acknowledged; " for project, (version, heard) in missing.items()))
            return
        time.sleep(PAUSE)


def main():
    url, token, projects, owner, path = sys.argv[1:6]
    writers, readers = (int(x) for x in (sys.argv[6:8] + ["12", "4"][len(sys.argv[6:8]):]))
    projects = [int(x) for x in projects.split(",")]
    record = Record(projects)
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    threads = [threading.Thread(target=what, args=(Client(url, token, record), projects, int(owner), n))
               for what, many in ((writer, writers), (reader, readers), (importer, 1)) for n in range(many)]
    for thread in threads:
        thread.start()
    threading.Thread(target=listener, args=(Client(url, token, record), projects), daemon=True).start()
    while not ended.wait(1):
        pass
    for thread in threads:
        thread.join()
    wait_until_heard(record)
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"acknowledged": {"stories": record.stories, "comments": record.comments,
                                    "states": record.states},
                   "mails": record.mails, "imports": record.imports, "versions": record.version,
                   "answers": record.answers, "unavailable": record.unavailable, "faults": record.faults}, out)


main()
