#!/usr/bin/env python3
"""Asks Patroni, several times a second, who leads, and that one's PostgreSQL whether it takes connections, which it does
not while it recovers; notes when nobody led.

    watch.py FILE HOST…     lines "FROM TO", in seconds since 1970, each a time without a leader; until SIGTERM
"""

import http.client
import signal
import socket
import struct
import sys
import threading
import time

PAUSE = 0.1
FRESH = 0.5  # a host that has not said for so long that it leads does not lead
leads = {}
ended = threading.Event()


def is_primary(host):
    connection = http.client.HTTPConnection(host, 8008, timeout=FRESH)
    connection.request("GET", "/primary")
    status = connection.getresponse().status
    connection.close()
    return status == 200


def takes_connections(host):
    """Begins one: who is asked for a password could go on; one that starts up or stops answers an error."""
    begin = struct.pack(">i", 196608) + b"user\0planwright\0database\0planwright\0\0"
    with socket.create_connection((host, 5432), timeout=FRESH) as connection:
        connection.sendall(struct.pack(">i", len(begin) + 4) + begin)
        return connection.recv(1) == b"R"


def ask(host):
    while not ended.wait(PAUSE):
        try:
            if is_primary(host) and takes_connections(host):
                leads[host] = time.time()
        except (OSError, http.client.HTTPException):
            pass


def main():
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    for host in sys.argv[2:]:
        threading.Thread(target=ask, args=(host,), daemon=True).start()
    time.sleep(1)
    since = None
    with open(sys.argv[1], "w", encoding="utf-8", buffering=1) as out:
        while not ended.wait(PAUSE):
            last, now = max(leads.values(), default=0), time.time()
            if since is None and now - last > FRESH:
                since = last
            elif since is not None and now - last <= FRESH:
                out.write(f"{since:.2f} {now:.2f}\n")
                since = None
        if since is not None:
            out.write(f"{since:.2f} {time.time():.2f}\n")


main()
