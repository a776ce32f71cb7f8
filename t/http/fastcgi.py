"""A request put on the workers' own socket, in pieces: what nginx never lets through."""

import socket
import struct

BEGIN, PARAMS, STDIN, STDOUT = 1, 4, 5, 6


def record(kind, content=b""):
    return struct.pack(">BBHHBx", 1, kind, 1, len(content), 0) + content


def pair(name, value):
    name, value = name.encode(), value.encode(errors="surrogateescape")
    return struct.pack(">BI", len(name), len(value) | 1 << 31) + name + value


class Request:
    """open(), then body(…) as often as wanted, then answer(): status and body."""

    def __init__(self, stack, method, path, **params):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(f"{stack.env['STACK_RUN']}/web/fcgi.sock")
        params = {"REQUEST_METHOD": method, "DOCUMENT_URI": "/services/v5" + path, **params}
        self.socket.sendall(
            record(BEGIN, struct.pack(">HB5x", 1, 0))
            + record(PARAMS, b"".join(pair(n, v) for n, v in params.items())) + record(PARAMS))

    def body(self, content):
        for at in range(0, len(content), 60000):
            self.socket.sendall(record(STDIN, content[at:at + 60000]))
        return self

    def answer(self):
        self.socket.sendall(record(STDIN))
        raw, out = b"", b""
        while True:
            piece = self.socket.recv(65536)
            if not piece:
                break
            raw += piece
        while len(raw) >= 8:
            kind, length, padding = struct.unpack(">xBxxHBx", raw[:8])
            if kind == STDOUT:
                out += raw[8:8 + length]
            raw = raw[8 + length + padding:]
        self.socket.close()
        head, _, body = out.partition(b"\r\n\r\n")
        status = next(line for line in head.split(b"\r\n") if line.startswith(b"Status:"))
        return int(status.split()[1]), body
