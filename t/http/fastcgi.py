"""Sends a request to the workers' own socket, in pieces: also what nginx never lets through."""

import socket
import struct

BEGIN, END, PARAMS, STDIN, STDOUT = 1, 3, 4, 5, 6


def record(kind, content=b""):
    return struct.pack(">BBHHBx", 1, kind, 1, len(content), 0) + content


def pair(name, value):
    name, value = name.encode(), value.encode(errors="surrogateescape")
    return struct.pack(">BI", len(name), len(value) | 1 << 31) + name + value


class Request:
    """Call body(…) as often as needed, then answer(), which returns status and body; `rest` is what arrived after the
    end of the answer.

    keep: asks the worker to leave the connection open; on: an earlier request whose connection is used again."""

    def __init__(self, stack, method, path, keep=False, on=None, **params):
        self.socket = on.socket if on else socket.socket(socket.AF_UNIX)
        if not on:
            self.socket.settimeout(20)
            self.socket.connect(f"{stack.env['STACK_RUN']}/web/fcgi.sock")
        self.keep = keep
        params = {"REQUEST_METHOD": method, "DOCUMENT_URI": "/services/v5" + path, **params}
        self.socket.sendall(
            record(BEGIN, struct.pack(">HB5x", 1, keep))
            + record(PARAMS, b"".join(pair(n, v) for n, v in params.items())) + record(PARAMS))

    def body(self, content):
        for at in range(0, len(content), 60000):
            self.socket.sendall(record(STDIN, content[at:at + 60000]))
        return self

    def answer(self, ends=True):
        if ends:
            self.socket.sendall(record(STDIN))
        raw, out, kind = b"", b"", None
        while kind != END:
            piece = self.socket.recv(65536)
            assert piece, "the answer ends before its time"
            raw += piece
            while len(raw) >= 8 and kind != END:
                kind, length, padding = struct.unpack(">xBxxHBx", raw[:8])
                if len(raw) < 8 + length + padding:
                    kind = None
                    break
                if kind == STDOUT:
                    out += raw[8:8 + length]
                raw = raw[8 + length + padding:]
        self.rest = raw
        if not self.keep:
            self.socket.close()
        self.head, _, body = out.partition(b"\r\n\r\n")
        status = next(line for line in self.head.split(b"\r\n") if line.startswith(b"Status:"))
        return int(status.split()[1]), body
