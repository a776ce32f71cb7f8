"""A client for tests: Python's own http.client, with open connections kept for the next
request. The tests send tens of thousands of requests, and a larger library would cost more than
all servers.
"""

import base64
import gzip
import http.client
import json as encoder
import select
import time
import urllib.parse

import openapi

SAFE = "!#$%&'()*+,/:;=?@[]~"


def headers_of(file, _class=http.client.HTTPMessage):
    """What http.client does by Python's parser of mail, which took a quarter of a test's time."""
    headers = _class()
    while (line := file.readline(65537)) not in (b"\r\n", b"\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers.set_raw(name, value.strip(" \t\r\n"))
    return headers


http.client.parse_headers = headers_of


def first_event(response):
    """Of a stream that does not end by itself (streams.py has one for tests of it)."""
    lines = []
    while line := response.readline():
        lines.append(line)
        if line == b"\n" and any(x.startswith(b"event: ") for x in lines):
            break
    return b"".join(lines)


class Answer:
    """What came back; `method`, `url` and `sent` say to what."""

    def __init__(self, method, url, sent, response):
        self.method, self.url, self.sent = method, url, sent
        self.status_code, self.headers = response.status, response.headers
        self.content = first_event(response) if self.is_stream else response.read()
        if self.headers["Content-Encoding"] == "gzip" and self.content:
            self.content = gzip.decompress(self.content)

    @property
    def is_stream(self):
        return self.headers["Content-Type"] == "text/event-stream" and self.method != "HEAD"

    @property
    def text(self):
        return self.content.decode("utf-8", "replace")

    def json(self):
        return encoder.loads(self.content)


def form(files):
    parts = []
    for field, (name, content, *kind) in files.items():
        name = name.replace('"', "%22")
        lines = [f'--form\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"']
        lines += [f"Content-Type: {word}" for word in kind if word]
        parts += ["\r\n".join(lines).encode(), b"\r\n\r\n", content, b"\r\n"]
    return b"".join(parts + [b"--form--\r\n"])


def body_and_type(json, data, files):
    """`json` is encoded; `data` is text, bytes, an iterable of them that is sent in chunks,
    or the fields of a form (a dict, or pairs in a list); `files` become a form, too:
    {"field": ("name", content)}, and a type when there is one."""
    if files:
        return form(files), "multipart/form-data; boundary=form"
    if json is not None:
        return encoder.dumps(json, allow_nan=False).encode(), "application/json"
    if isinstance(data, (dict, list)):
        return urllib.parse.urlencode(data, True).encode(), "application/x-www-form-urlencoded"
    return data.encode() if isinstance(data, str) else data, None


OVER_SHARE = "your requests have held more than half of the workers"


class Client:
    """Requests of one person (or of nobody); paths are below /services/v5. Any number of
    threads may use it: a request in hand has its connection alone. What was sent and answered is
    held against the server's OpenAPI document (openapi.py)."""

    def __init__(self, stack, token=None, base="/services/v5"):
        self.stack, self.token, self.base = stack, token, base
        self.headers = {"Accept": "*/*", "Accept-Encoding": "gzip"}
        if token:
            self.headers["X-TrackerToken"] = token

    def connection(self):
        """An idle one that the server has not closed, or a new one."""
        while True:
            try:
                connection = self.stack.idle.pop()
            except IndexError:
                return http.client.HTTPConnection("127.0.0.1", self.stack.port, timeout=30)
            if connection.sock:
                poll = select.poll()
                poll.register(connection.sock, select.POLLIN)
                if not poll.poll(0):
                    return connection
            connection.close()

    def request(self, method, path, *args, **kwargs):
        """A test that sends much at once may be over its person's share on a busy machine: it is
        told so before anything is done, and comes again as clients do."""
        for _ in range(60):
            answer = self.send(method, path, *args, **kwargs)
            if answer.status_code != 429 or OVER_SHARE not in answer.text or not self.stack.patient:
                break
            time.sleep(float(answer.headers["Retry-After"]))
        return answer

    def send(self, method, path, json=None, params=None, headers=None, data=None, files=None,
             auth=None):
        url = path.removeprefix(self.stack.url) if path.startswith("http") else self.base + path
        if params:
            words = urllib.parse.urlencode({k: v for k, v in params.items() if v is not None}, True)
            url += ("&" if "?" in url else "?") + words
        url = urllib.parse.quote(url, SAFE)
        body, kind = body_and_type(json, data, files)
        lines = {**self.headers, **({"Content-Type": kind} if kind else {}), **(headers or {})}
        if auth:
            lines["Authorization"] = "Basic " + base64.b64encode(":".join(auth).encode()).decode()
        connection = self.connection()
        try:
            connection.request(method, url, body, lines)
        except BrokenPipeError:
            pass  # refused while it was sent: the answer says why
        answer = Answer(method, self.stack.url + url, body, connection.getresponse())
        if answer.is_stream:
            connection.close()
        else:
            self.stack.idle.append(connection)
        openapi.judge(answer, lines.get("Content-Type"))
        return answer

    def get(self, path, **kwargs):
        return self.request("GET", path, **kwargs)

    def post(self, path, json=None, **kwargs):
        return self.request("POST", path, json=json, **kwargs)

    def put(self, path, json=None, **kwargs):
        return self.request("PUT", path, json=json, **kwargs)

    def patch(self, path, json=None, **kwargs):
        return self.request("PATCH", path, json=json, **kwargs)

    def delete(self, path, **kwargs):
        return self.request("DELETE", path, **kwargs)
