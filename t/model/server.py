"""The server under test: starts it, adds people, sends requests. Nothing here knows any rules."""

import dataclasses
import http.client
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import threading
import time
import uuid

TOP = pathlib.Path(__file__).resolve().parents[2]
STACK_SH = TOP / "dev" / "stack.sh"
BASE = "/services/v5"


@dataclasses.dataclass
class Answer:
    status: int
    version: int | None
    body: object

    @property
    def code(self):
        return self.body.get("code") if self.status >= 400 and isinstance(self.body, dict) else None

    @property
    def says(self):
        """The text of a refusal, for reports."""
        words = [self.body.get(key) for key in ("general_problem", "requirement", "error")] if self.code else []
        return next((word for word in words if word), "")


class Server:
    """A running server: its port, access to its database, and one connection per thread."""

    def __init__(self, port, database):
        self.port, self.database = port, database
        self.local = threading.local()
        self.asked = None
        self.patience = 0  # requests that were sent again because the server was too busy

    def send(self, token, method, path, body=None, key=None):
        connection = getattr(self.local, "connection", None)
        if connection is None:
            connection = self.local.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"X-ServiceToken": token} if token else {}
        if key:
            headers["Idempotency-Key"] = key
        octets = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            octets = json.dumps(body).encode()
        for patience in range(60):
            connection.request(method, BASE + path, octets, headers)
            response = connection.getresponse()
            text = response.read()
            if response.status not in (429, 503):
                break
            self.patience += response.status == 503
            time.sleep(float(response.headers.get("Retry-After", 1)))
        version = response.headers.get("X-Service-Project-Version")
        parsed = text or None
        if text and response.headers["Content-Type"].startswith("application/json"):
            parsed = json.loads(text)
        return Answer(response.status, int(version) if version else None, parsed)

    def sql(self, query, params):
        """The rows of a query, for what HTTP does not show."""
        import psycopg2
        if self.asked is None or self.asked.closed:
            self.asked = psycopg2.connect(self.database, options="-c search_path=planwright")
            self.asked.autocommit = True
        with self.asked.cursor() as cursor:
            cursor.execute(query, params)
            return cursor.fetchall()


class Stack(Server):
    """A separate server, started by dev/stack.sh; `build` is the folder with the programs."""

    def __init__(self, build, workers=4):
        self.folder = tempfile.mkdtemp(prefix="planwright-model.")
        os.chmod(self.folder, 0o711)  # the workers run as another user
        self.build = build
        self.script("start", STACK_BUILD=build, STACK_DURABLE="0", STACK_WORKERS=str(workers), STACK_PORT="")
        words = shlex.split(pathlib.Path(self.folder, "env").read_text())
        self.env = dict(word.split("=", 1) for word in words)
        super().__init__(int(self.env["STACK_PORT"]), self.env["STACK_ADMIN_DB"])

    def script(self, verb, **env):
        done = subprocess.run([STACK_SH, verb, self.folder], capture_output=True, text=True, check=False,
                              env={**os.environ, **env})
        if done.returncode != 0:
            raise SystemExit(f"dev/stack.sh {verb}: {done.stdout}{done.stderr}")

    def ctl(self, *args):
        return subprocess.run([self.env["STACK_CTL"], *args], check=True, capture_output=True, text=True,
                              env={**os.environ, "PLANWRIGHT_CONF": self.env["STACK_CONF"]}).stdout

    def complaints(self):
        """What planwrightctl doctor finds wrong, and what must not be in the logs (5xx, secrets)."""
        env = {**os.environ, "PLANWRIGHT_CONF": self.env["STACK_CONF"]}
        asked = [self.env["STACK_CTL"], "doctor", "--deep"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False, env=env)
        wrong = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("ok")]
        scan = subprocess.run([STACK_SH, "scan", self.folder], capture_output=True, text=True, check=False)
        if scan.returncode != 0:
            wrong += [line for line in (scan.stdout + scan.stderr).splitlines() if '" 503 ' not in line]
        return wrong if done.returncode == 0 else wrong or ["doctor failed"]

    def add_person(self, name):
        """Adds a person; returns (token, id, user name)."""
        username = f"{name.lower()}{uuid.uuid4().hex[:8]}"
        self.ctl("person", "add", "--name", name, "--email", f"{username}@example.test",
                 "--username", username, "--initials", name[:2].upper())
        token = self.ctl("token", "show", username).strip()
        return token, self.send(token, "GET", "/me").body["id"], username

    def close(self):
        if self.asked is not None:
            self.asked.close()
        self.script("stop")
        subprocess.run(["rm", "-rf", self.folder], check=False)
