"""Streams of live updates, for tests: server-sent events as a client reads them."""

import json
import select
import socket
import time

from within import within
from world import ok

SOON = within(0.3)   # from a change to its event
BOUND = within(2.0)  # until the stream of somebody who lost the right has ended, or a change made on another host has arrived


def team_of(api, person, name):
    """A new project with an owner, a member and a viewer; and a stranger."""
    class Team:
        owner, member, viewer, stranger = map(person, ("Olive Owner", "Mia Member", "Vic Viewer", "Sam Stranger"))
    own = Team.own = api(Team.owner)
    made = ok(own.post("/projects", {"name": name, "new_account_name": name}))
    Team.id, Team.account = made["id"], made["account_id"]
    for somebody, role in ((Team.member, "member"), (Team.viewer, "viewer")):
        ok(own.post(f"/projects/{Team.id}/memberships", {"person_id": somebody.id, "role": role}))
    return Team


class Stream:
    """GET /live of a server, on its own socket; what the server sends is read as it arrives."""

    def __init__(self, stack, token=None, projects=(), headers=None, base="/services/v5", method="GET",
                 presence=None):
        query = "?projects=" + ",".join(map(str, projects)) if projects else ""
        if presence is not None:
            query += ("&" if query else "?") + f"presence={presence}"
        lines = {"Host": "x", **({"X-TrackerToken": token} if token else {}), **(headers or {})}
        self.socket = socket.create_connection(("127.0.0.1", stack.port), timeout=10)
        self.socket.sendall((f"{method} {base}/live{query} HTTP/1.1\r\n" + "".join(
            f"{k}: {v}\r\n" for k, v in lines.items()) + "\r\n").encode())
        self.bytes, self.events, self.retry, self.beats = b"", [], None, 0
        self.words = b""  # the beginning of an event that is not complete yet
        self.is_over = False
        head = self.until(lambda: self.bytes.partition(b"\r\n\r\n")[0]
                          if b"\r\n\r\n" in self.bytes else None)
        lines = head.decode().split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {k.lower(): v.strip() for k, _, v in (x.partition(":") for x in lines[1:])}
        self.bytes = self.bytes.partition(b"\r\n\r\n")[2]
        if self.status == 200:
            self.parse()

    def pull(self, seconds):
        """Reads what has arrived by then; returns False if nothing has."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return False
        try:
            more = self.socket.recv(65536)
        except ConnectionResetError:
            more = b""
        self.is_over = self.is_over or not more
        self.bytes += more
        return bool(more)

    def until(self, found, seconds=10):
        end = time.monotonic() + seconds
        while True:
            if (value := found()) or self.is_over or time.monotonic() > end:
                return value
            self.pull(max(0, end - time.monotonic()))

    def text(self):
        """The body of a refusal."""
        n = int(self.headers["content-length"])
        self.until(lambda: len(self.bytes) >= n)
        return self.bytes[:n].decode()

    def parse(self):
        """Parses chunks (RFC 9112, 7.1) and the events in them."""
        while b"\r\n" in self.bytes:
            size, _, rest = self.bytes.partition(b"\r\n")
            n = int(size, 16)
            if n == 0:
                self.is_over = True
                return
            if len(rest) < n + 2:
                return
            self.bytes = rest[n + 2:]
            *blocks, self.words = (self.words + rest[:n]).split(b"\n\n")
            for block in blocks:
                self.take(dict(line.split(": ", 1) if ": " in line else (line, "")
                               for line in block.decode().split("\n") if line))

    def take(self, fields):
        if "retry" in fields:
            self.retry = int(fields["retry"])
        if ":" in fields:
            self.beats += 1
        if "event" in fields:
            self.events.append((fields["event"], json.loads(fields["data"]), fields["id"]))

    def wait(self, wanted, seconds=10):
        """Waits until `wanted(events)` is true for all events so far; returns how long that took, or None."""
        start = time.monotonic()

        def look():
            self.parse()
            return wanted(self.events)

        return time.monotonic() - start if self.until(look, seconds) else None

    def version(self, project):
        """The last reported version of the project; None: none was reported."""
        told = [data["version"] for event, data, _ in self.events
                if event == "project" and data["project_id"] == project]
        return told[-1] if told else None

    def unread(self):
        told = [data["unread"] for event, data, _ in self.events if event == "notifications"]
        return told[-1] if told else None

    def met(self):
        """All that was told of people at stories, in order."""
        return [(data["story_id"], data["person_id"], data["state"]) for event, data, _ in self.events
                if event == "presence"]

    def meets(self, story, person, state, seconds=10):
        return self.wait(lambda _: [s for t, p, s in self.met() if (t, p) == (story, person)][-1:] == [state], seconds)

    def hears(self, project, version, seconds=10):
        return self.wait(lambda _: (self.version(project) or 0) >= version, seconds)

    def ends(self, seconds):
        """How long until the server ended it; None: it did not."""
        start = time.monotonic()

        def look():
            self.parse()
            return self.is_over

        self.until(look, seconds)
        return time.monotonic() - start if self.is_over else None

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
