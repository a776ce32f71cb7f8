#!/usr/bin/env python3
"""Asks Patroni, several times a second, who leads, and notes when nobody did.

    watch.py FILE HOST…     lines "FROM TO", in seconds since 1970, each a time without a leader; until SIGTERM
"""

import http.client
import signal
import sys
import threading
import time

PAUSE = 0.1
FRESH = 0.5  # a host that has not said for so long that it leads does not lead
leads = {}
ended = threading.Event()


def ask(host):
    while not ended.wait(PAUSE):
        try:
            connection = http.client.HTTPConnection(host, 8008, timeout=FRESH)
            connection.request("GET", "/primary")
            if connection.getresponse().status == 200:
                leads[host] = time.time()
            connection.close()
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
