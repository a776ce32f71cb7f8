"""A TCP proxy in front of a real server that damages what passes.

    with Faulty(target_port) as proxy:
        proxy.fault = "hang"          # accepts everything and answers nothing
        proxy.fault = "500"           # answers this by itself; also "204"
        proxy.fault = ("cut", 1000)   # closes after this many bytes from the client
        proxy.fault = "deaf"          # passes the request, closes before the answer
        proxy.fault = ("short", 1000) # closes after this many bytes of the answer
        proxy.fault = None            # passes everything
"""

import contextlib
import socket
import threading
import time


class Faulty:
    def __init__(self, target):
        self.target, self.fault, self.seen = target, None, 0
        self.times = None  # how often the fault occurs; None: always
        self.after = 0     # how many connections pass before it
        self.meanwhile = None  # called before an answer is cut short
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for s in [self.listener, *self.open]:
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)
            s.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                self.seen += 1
                self.open.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _fault(self):
        """The fault of this connection."""
        if self.fault is None or self.times == 0:
            return None
        if self.after:
            self.after -= 1
            return None
        if self.times:
            self.times -= 1
        return self.fault

    def _serve(self, client):
        fault = self._fault()
        with contextlib.suppress(OSError), client:
            if fault == "hang":
                while client.recv(65536):
                    pass
                time.sleep(600)
            elif fault in ("500", "204"):
                client.recv(65536)
                body = b"" if fault == "204" else b"Content-Length: 4\r\n"
                client.sendall(b"HTTP/1.1 %s Oh\r\n%sConnection: close\r\n\r\n%s" % (
                    fault.encode(), body, body and b"<oh>"))
                time.sleep(0.2)
            else:
                self._pass(client, fault)

    def _pass(self, client, fault):
        left = fault[1] if isinstance(fault, tuple) and fault[0] == "cut" else None
        with socket.create_connection(("127.0.0.1", self.target)) as server:
            self.open.append(server)
            threading.Thread(target=self._back, args=(server, client, fault), daemon=True).start()
            while piece := client.recv(65536):
                server.sendall(piece if left is None else piece[:left])
                if left is not None:
                    left -= len(piece)
                    if left <= 0:
                        return

    def _back(self, server, client, fault):
        left = fault[1] if isinstance(fault, tuple) and fault[0] == "short" else None
        with contextlib.suppress(OSError):
            while piece := server.recv(65536):
                # "100 Continue" is not the answer yet.
                if fault == "deaf" and not piece.startswith(b"HTTP/1.1 100"):
                    break
                client.sendall(piece if left is None else piece[:left])
                if left is not None:
                    left -= len(piece)
                    if left <= 0:
                        if self.meanwhile:
                            self.meanwhile()
                        break
            client.shutdown(socket.SHUT_RDWR)
