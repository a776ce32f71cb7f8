#!/usr/bin/env python3
"""Asks Patroni several times a second who the leader is, and tests whether its PostgreSQL can commit; records when there
was none.

    watch.py FILE HOST…     until SIGTERM, writes lines "FROM TO", in seconds since 1970, for each time without a leader
"""

import http.client
import signal
import subprocess
import sys
import threading
import time

PAUSE = 0.2
FRESH = 0.6  # a host whose last sign of leading is older does not lead
leads = {}
ended = threading.Event()


def is_primary(host):
    connection = http.client.HTTPConnection(host, 8008, timeout=FRESH)
    connection.request("GET", "/primary")
    status = connection.getresponse().status
    connection.close()
    return status == 200


def commits(host):
    """Whether it can commit: not while it recovers, or waits for a synchronous follower that is gone."""
    to = f"host={host} connect_timeout=2 dbname=planwright user=planwright password=long-password"
    return subprocess.run(["timeout", "2", "psql", "-XqAt", to, "-c", "select pg_logical_emit_message(true, 'watch', '')"],
                          capture_output=True, check=False).returncode == 0


def ask(host):
    while not ended.wait(PAUSE):
        try:
            if is_primary(host) and commits(host):
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
