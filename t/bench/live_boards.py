"""Open boards for t/bench/live: many streams of live updates in one process, and boards that poll."""

import re
import select
import socket
import time

# Headers as a browser sends them: nginx keeps a request's headers as long as its response lasts.
HEAD = "\r\n".join((
    "GET {path} HTTP/1.1", "Host: planwright.example", "Connection: keep-alive", "X-TrackerToken: {token}",
    'sec-ch-ua-platform: "Linux"', 'sec-ch-ua: "Chromium";v="130", "Not?A_Brand";v="99"', "sec-ch-ua-mobile: ?0",
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
    "X-Requested-With: planwright", "Accept: {accept}", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors",
    "Sec-Fetch-Dest: empty", "Referer: https://planwright.example/n/projects/99",
    "Accept-Encoding: gzip, deflate, br", "Accept-Language: en-US,en;q=0.9,de;q=0.8", "", ""))
TOLD = re.compile(rb'"project_id":(\d+),"version":(\d+)')
AT_ONCE = 64


def connect(port, path, token, accept):
    s = socket.create_connection(("127.0.0.1", port), timeout=60)
    s.sendall(HEAD.format(path=path, token=token, accept=accept).encode())
    return s


class Boards:
    """Streams; `heard` records when each event arrived: (stream, project, version) -> seconds."""

    def __init__(self, port):
        self.port, self.sockets, self.heard, self.ended = port, {}, {}, 0
        self.epoll = select.epoll()

    def open(self, wanted):
        """Opens a stream for each (projects, token) in `wanted`, a few at a time, as people arrive."""
        path = "/services/v5/live?projects={}"
        for i in range(0, len(wanted), AT_ONCE):
            new = [connect(self.port, path.format(",".join(map(str, projects))), token, "text/event-stream")
                   for projects, token in wanted[i:i + AT_ONCE]]
            for s in new:
                head = s.recv(65536)
                if not head.startswith(b"HTTP/1.1 200"):
                    raise SystemExit(f"t/bench/live: a stream was refused: {head[:400]!r}")
                s.setblocking(False)
                self.sockets[s.fileno()] = s
                self.epoll.register(s.fileno(), select.EPOLLIN)

    def take(self, fd, now):
        try:
            more = self.sockets[fd].recv(65536)
        except BlockingIOError:
            return
        except ConnectionResetError:
            more = b""
        if not more:
            self.epoll.unregister(fd)
            self.sockets.pop(fd).close()
            self.ended += 1
        for project, version in TOLD.findall(more):
            self.heard.setdefault((fd, int(project), int(version)), now)

    def listen(self, seconds, until=lambda: False):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not until():
            for fd, _ in self.epoll.poll(0.05, 1024):
                self.take(fd, time.monotonic())

    def close(self):
        for s in self.sockets.values():
            s.close()
        self.epoll.close()


class Pollers:
    """
    Boards without streams: each requests its project's activity every `every` seconds, one after the other. They share
    a few connections, which costs the server less than one for each. `seen`: project -> [(second, version)].
    """

    def __init__(self, port, boards, every, connections=64):
        self.boards, self.gap = boards, every / len(boards)
        self.free = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(connections)]
        self.busy, self.epoll = {}, select.epoll()
        self.seen, self.asked, self.failed, self.took = {}, 0, 0, []
        self.version, self.at = {}, 0

    def ask(self):
        (project, *_), token = self.boards[self.at % len(self.boards)]
        self.at += 1
        s = self.free.pop()
        path = f"/services/v5/projects/{project}/activity?since_version={self.version.get(project, 1)}&limit=100"
        s.sendall(HEAD.format(path=path, token=token, accept="application/json").encode())
        self.busy[s.fileno()] = [s, project, b"", time.monotonic()]
        self.epoll.register(s.fileno(), select.EPOLLIN)
        self.asked += 1

    def take(self, fd):
        one = self.busy[fd]
        one[2] += one[0].recv(1 << 20)
        head, end, body = one[2].partition(b"\r\n\r\n")
        if not end:
            return
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        done = len(body) >= int(length[1]) if length else body.endswith(b"0\r\n\r\n")
        if not done:
            return
        now = time.monotonic()
        version = re.search(rb"(?i)\r\nx-tracker-project-version: (\d+)", head)
        if head.startswith(b"HTTP/1.1 200") and version:
            self.seen.setdefault(one[1], []).append((now, int(version[1])))
            self.version[one[1]] = max(int(version[1]) - 1, 1)
        else:
            self.failed += 1
        self.took.append(now - one[3])
        self.epoll.unregister(fd)
        self.free.append(one[0])
        del self.busy[fd]

    def run(self, seconds, until=lambda: False):
        next_at, end = time.monotonic(), time.monotonic() + seconds
        while time.monotonic() < end and not until():
            while self.free and next_at <= time.monotonic():
                self.ask()
                next_at += self.gap
            for fd, _ in self.epoll.poll(max(0, min(0.05, next_at - time.monotonic()))):
                self.take(fd)
