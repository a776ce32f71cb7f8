"""A process that sends a crowd of requests, so that the cost of sending them does not affect the process that
measures. test_shares.py starts it: a line of JSON requests a crowd, a line of JSON reports the result.

    {"port": 80, "seconds": 0.5, "requests": [[method, path, headers, body], …]}

A thread for each request sends it again and again until the time is over.
"""

import collections
import http.client
import json
import sys
import threading
import time


def send(port, end, request, found):
    method, path, headers, body = request
    body = body.encode("latin-1") if body is not None else None
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    while time.monotonic() < end:
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            found["broken"] += 1
            continue
        status = str(answer.status)
        if answer.status == 429 and not int(answer.headers.get("Retry-After", 0)):
            status = "429 without Retry-After"
        found[status] += 1
    connection.close()


def main():
    for line in sys.stdin:
        asked = json.loads(line)
        end, counts = time.monotonic() + asked["seconds"], []
        threads = []
        for request in asked["requests"]:
            counts.append(collections.Counter())
            threads.append(threading.Thread(target=send, args=(asked["port"], end, request, counts[-1])))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(json.dumps(sum(counts, collections.Counter())), flush=True)


if __name__ == "__main__":
    main()
