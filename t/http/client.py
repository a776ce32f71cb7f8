"""An HTTP client for tests, made of Python's own http.client; it keeps connections open for the next request. The
tests send tens of thousands of requests, and a larger library would cost more time than all servers."""

import base64
import gzip
import http.client
import json as encoder
import select
import socket
import time
import urllib.parse

import openapi

SAFE = "!#$%&'()*+,/:;=?@[]~"


def headers_of(file, _class=http.client.HTTPMessage):
    """Parses headers. http.client uses Python's mail parser for it, which took a quarter of a test's time."""
    headers = _class()
    while (line := file.readline(65537)) not in (b"\r\n", b"\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers.set_raw(name, value.strip(" \t\r\n"))
    return headers


http.client.parse_headers = headers_of


def first_event(response):
    """Returns the first event of a stream that does not end by itself (streams.py is for tests of streams)."""
    lines = []
    while line := response.readline():
        lines.append(line)
        if line == b"\n" and any(x.startswith(b"event: ") for x in lines):
            break
    return b"".join(lines)


class Answer:
    """An answer; `method`, `url` and `sent` describe the request."""

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
    """`json` is encoded; `data` is text, bytes, an iterable of them that is sent in chunks, or the fields of a form
    (a dict, or a list of pairs); `files` become a form, too: {"field": ("name", content)}, optionally with a content
    type."""
    if files:
        return form(files), "multipart/form-data; boundary=form"
    if json is not None:
        return encoder.dumps(json, allow_nan=False).encode(), "application/json"
    if isinstance(data, (dict, list)):
        return urllib.parse.urlencode(data, True).encode(), "application/x-www-form-urlencoded"
    return data.encode() if isinstance(data, str) else data, None


OVER_SHARE = "your requests have used more than half of the workers"


class Client:
    """Makes requests as one person (or as nobody); paths are below /services/v5. Several threads may use it: each
    request has its connection to itself. Requests and answers are validated against the server's OpenAPI document
    (openapi.py)."""

    def __init__(self, stack, token=None, base="/services/v5"):
        self.stack, self.token, self.base = stack, token, base
        self.headers = {"Accept": "*/*", "Accept-Encoding": "gzip"}
        if token:
            self.headers["X-TrackerToken"] = token

    def connection(self):
        """Returns an idle connection that the server has not closed, or a new one."""
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
        """Sends a request. On a busy machine, a test that sends many at once may exceed its person's share: it is
        refused before anything is done, and tries again as clients do."""
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
            pass  # refused before it was sent completely: the answer says why
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


def raw(stack, text):
    """Sends bytes, and returns (status, headers, body)."""
    with socket.create_connection(("127.0.0.1", stack.port), timeout=10) as s:
        s.sendall(text)
        response = http.client.HTTPResponse(s)
        response.begin()
        return response.status, response.headers, response.read()
