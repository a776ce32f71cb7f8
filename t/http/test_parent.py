"""The parent of the workers: planwright.fcgi --workers, with real processes. Source: planwright(8)."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time

import pytest

from conftest import BUILD, TOP, Client, Person, Stack, stack_folder, wait_for
from fastcgi import Request
from test_faults import Lock, workers
from world import new_project, ok

CONFIG = 78


@pytest.fixture(scope="module")
def server():
    stack = Stack(stack_folder("parent"), workers=3)
    stack.boss = Person(stack, "Boss")
    stack.client = Client(stack, stack.boss.token)
    stack.stories = f"/projects/{new_project(stack.client)['id']}/stories"
    yield stack
    stack.close()


def parent(stack):
    return int((stack.directory / "pid" / "workers").read_text().split()[0])


def told(stack, text):
    return wait_for(lambda: text in stack.log("workers"))


class Manager:
    """What systemd does for a service of Type=notify with a socket; `said` contains the states that it was sent."""

    def __init__(self, stack, folder, *args, passes=True, settings=None, watchdog=None):
        self.path = str(folder / "fcgi.sock")
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(str(folder / "notify"))
        self.said = []
        self.env = {"STACK_RUN": str(folder)}
        self.conf = folder / "planwright.conf"
        self.conf.write_text(settings or pathlib.Path(stack.env["STACK_CONF"]).read_text())
        listening = None
        if passes:
            listening = socket.socket(socket.AF_UNIX)
            listening.bind(self.path)
            listening.listen(1024)

        def place():
            if listening:
                os.dup2(listening.fileno(), 3)
        environment = {"PATH": os.environ["PATH"], "PLANWRIGHT_CONF": str(self.conf),
                       "NOTIFY_SOCKET": str(folder / "notify")}
        if watchdog:
            environment["WATCHDOG_USEC"] = str(watchdog)
        # LISTEN_PID is known only once the process exists.
        line = ["sh", "-c", 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"', f"{BUILD}/planwright.fcgi"]
        self.process = subprocess.Popen(
            [*(line if passes else line[3:]), "--workers", *args], env=environment,
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, preexec_fn=place, close_fds=False,
            text=True)

    def hears(self, state, seconds=20):
        def look():
            with contextlib.suppress(BlockingIOError):
                while True:
                    self.said += self.notify.recv(1000, socket.MSG_DONTWAIT).decode().split("\n")
            return state in self.said
        return wait_for(look, seconds)

    def children(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in text.split()]

    def ends(self, seconds=20):
        """Returns its exit status and its errors."""
        _, errors = self.process.communicate(timeout=seconds)
        return self.process.returncode, errors


@pytest.fixture
def manage(server, tmp_path):
    made = []

    def start(*args, **kwargs):
        folder = pathlib.Path(server.env["STACK_RUN"]) / f"m{len(made)}-{time.monotonic_ns()}"
        (folder / "web").mkdir(parents=True)
        made.append(Manager(server, folder / "web", *args, **kwargs))
        made[-1].env["STACK_RUN"] = str(folder)
        return made[-1]
    yield start
    for manager in made:
        if manager.process.poll() is None:
            manager.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                manager.process.communicate(timeout=20)
            manager.process.kill()


def test_a_killed_worker_comes_back(server):
    before = workers(server)
    assert len(before) == 3
    os.kill(before[0], signal.SIGKILL)
    assert wait_for(lambda: len(workers(server)) == 3 and before[0] not in workers(server))
    assert set(before[1:]) < set(workers(server))
    assert ok(server.client.get("/me"))
    assert told(server, f"worker {before[0]} was ended by signal 9")


def test_all_of_them_come_back(server):
    before = workers(server)
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    assert wait_for(lambda: len(workers(server)) == 3 and not set(before) & set(workers(server)))
    assert ok(server.client.get("/me"))


def test_a_reload_fails_no_request(server):
    """Under load, several times; afterwards all workers are new."""
    stop, failed, done = threading.Event(), [], []

    def load(number):
        client = Client(server, server.boss.token)
        while not stop.is_set():
            for answer in (client.get("/me"), client.post(server.stories, {"name": f"r{number}"}),
                           client.get(f"{server.stories}?limit=20")):
                (done if answer.status_code == 200 else failed).append(answer)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        threads = [pool.submit(load, number) for number in range(8)]
        try:
            for _ in range(3):
                before, times = set(workers(server)), server.log("workers").count("were replaced")
                os.kill(parent(server), signal.SIGHUP)
                assert wait_for(lambda: server.log("workers").count("were replaced") > times, 30)
                assert wait_for(lambda: len(workers(server)) == 3, 20)
                assert not before & set(workers(server))
        finally:
            stop.set()
        for thread in threads:
            thread.result()
    assert not failed, [(a.method, a.status_code, a.text) for a in failed][:5]
    assert len(done) > 100


def test_a_reload_waits_for_the_request_in_hand(server):
    with Lock(server) as lock, concurrent.futures.ThreadPoolExecutor(1) as pool:
        write = pool.submit(server.client.post, server.stories, {"name": "in hand"})
        assert lock.waits()
        before, times = set(workers(server)), server.log("workers").count("were replaced")
        os.kill(parent(server), signal.SIGHUP)
        assert wait_for(lambda: server.log("workers").count("were replaced") > times, 30)
        assert len(before & set(workers(server))) == 1
        lock.connection.rollback()
        assert write.result().status_code == 200
    assert wait_for(lambda: len(workers(server)) == 3 and not before & set(workers(server)))


def test_a_reload_with_wrong_settings_changes_nothing(server):
    before = workers(server)
    conf = pathlib.Path(server.env["STACK_CONF"])
    text = conf.read_text()
    try:
        conf.write_text(text + "max_body_kib = many\n")
        os.kill(parent(server), signal.SIGHUP)
        assert told(server, "max_body_kib must be a whole number")
        assert told(server, "not replaced")
    finally:
        conf.write_text(text)
    assert workers(server) == before and ok(server.client.get("/me"))


def test_a_manager_is_told(manage):
    service = manage("2", watchdog=400000)
    assert service.hears("READY=1")
    old = service.children()
    assert len(old) == 2
    assert Request(service, "GET", "/me").answer()[0] in (400, 403)
    service.said.clear()
    assert wait_for(lambda: service.hears("WATCHDOG=1", 1) and service.said.count("WATCHDOG=1") > 3)
    service.process.send_signal(signal.SIGHUP)
    assert service.hears("RELOADING=1") and service.hears("READY=1")
    assert wait_for(lambda: len(service.children()) == 2)
    assert not set(old) & set(service.children())
    service.process.terminate()
    assert service.hears("STOPPING=1")
    status, errors = service.ends()
    assert status == 0 and "2 workers" in errors and "<3>" not in errors


def test_a_parent_that_hangs_tells_nothing(manage):
    service = manage("1", watchdog=200000)
    assert service.hears("WATCHDOG=1")
    service.process.send_signal(signal.SIGSTOP)
    service.hears("WATCHDOG=1", 0)
    service.said.clear()
    assert not service.hears("WATCHDOG=1", 1)
    service.process.send_signal(signal.SIGCONT)
    assert service.hears("WATCHDOG=1")


def test_the_setting_and_the_processors_say_how_many(server, manage):
    settings = pathlib.Path(server.env["STACK_CONF"]).read_text()
    one = manage(settings=settings + "workers = 3\n")
    assert one.hears("READY=1") and wait_for(lambda: len(one.children()) == 3)
    one.conf.write_text(settings + "workers = 1\n")
    one.process.send_signal(signal.SIGHUP)
    assert wait_for(lambda: len(one.children()) == 1)
    one.conf.write_text(settings)
    one.process.send_signal(signal.SIGHUP)
    assert wait_for(lambda: len(one.children()) == 2 * len(os.sched_getaffinity(0)))


def test_sigterm_lets_a_request_end(server, manage):
    """It waits for the request; requests that arrive meanwhile wait in the socket's queue."""
    service = manage("2")
    assert service.hears("READY=1")
    body = b'{"name":"last"}'
    with Lock(server) as lock:
        one = Request(service, "POST", server.stories, HTTP_X_TRACKERTOKEN=server.boss.token,
                      CONTENT_LENGTH=str(len(body))).body(body)
        one.socket.sendall(b"\1\5\0\1\0\0\0\0")
        assert lock.waits()
        service.process.terminate()
        assert wait_for(lambda: len(service.children()) == 1)
        assert service.process.poll() is None
    assert one.answer(ends=False)[0] == 200
    assert service.ends()[0] == 0


def test_sigterm_before_any_worker_is_ready(server, manage):
    """They notice the signal once they are ready, after the pause between two starts; they are not replaced."""
    settings = pathlib.Path(server.env["STACK_CONF"]).read_text()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        place = f"{server.env['STACK_RUN']}/own-{time.monotonic_ns()}.sock"
        service = manage("2", "--socket", place, passes=False, settings=re.sub(
            r"(?m)^database = .*", f"database = host=127.0.0.1 port={port} connect_timeout=6", settings))
        silent.settimeout(20)
        held = [silent.accept() for _ in range(2)]
        service.process.terminate()
        status, errors = service.ends()
        assert status == 0 and errors.count("answered 503 until") == len(held), errors


def test_workers_do_not_outlive_their_parent(manage):
    service = manage("2")
    assert service.hears("READY=1")
    old = service.children()
    service.process.kill()
    assert wait_for(lambda: not any(pathlib.Path(f"/proc/{pid}/exe").exists() for pid in old))


@pytest.mark.parametrize("where", ["path", "port"])
def test_a_socket_of_its_own(server, manage, where):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    place = (f"{server.env['STACK_RUN']}/own-{time.monotonic_ns()}.sock" if where == "path"
             else f"127.0.0.1:{port}")
    service = manage("1", "--socket", place, passes=False)
    assert service.hears("READY=1")
    if where == "path":
        assert os.stat(place).st_mode & 0o777 == 0o660
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(place)
    else:
        socket.create_connection(("127.0.0.1", port)).close()
    service.process.terminate()
    assert service.ends()[0] == 0
    assert not os.path.exists(place)


# --- what cannot work --------------------------------------------------------------

@pytest.mark.parametrize("line, said", [
    ("max_body_kib = many", "max_body_kib must be"), ("nonsense = 1", "there is no setting nonsense"),
    ("workers = 1000", "workers must be a whole number from 0 to 200")])
def test_wrong_settings_of_a_socket_of_its_own(server, manage, line, said):
    text = pathlib.Path(server.env["STACK_CONF"]).read_text()
    place = f"{server.env['STACK_RUN']}/wrong-{time.monotonic_ns()}.sock"
    status, errors = manage("2", "--socket", place, passes=False, settings=f"{text}{line}\n").ends()
    assert status == CONFIG and said in errors


# --- with a socket that systemd holds: if the parent ended, the next client would start it again ---------

def asked(service, path="/me", **params):
    return Request(service, "GET", path, **params).answer()


def is_served(service):
    return wait_for(lambda: asked(service)[0] in (400, 403))


def test_wrong_settings_are_waited_for(server, manage):
    """Requests are answered immediately meanwhile; the log contains the message once."""
    right = pathlib.Path(server.env["STACK_CONF"]).read_text()
    service = manage("2", settings=right + "max_body_kib = many\n", watchdog=400000)
    assert service.hears("READY=1"), "who starts it does not wait for ever"
    assert any("max_body_kib must be" in said for said in service.said if said.startswith("STATUS="))
    for path in ("/me", "/projects", ""):
        status, body = asked(service, path)
        answer = json.loads(body)
        assert status == 503 and answer["kind"] == "error"
        assert answer["code"] == "service_unavailable" and "possible_fix" in answer
    waiting = Request(service, "GET", "/me")
    waiting.answer()
    assert b"Retry-After: 5" in waiting.head and b"X-Tracker-Client-Pinger" in waiting.head
    body = b"{" + b" " * 300000 + b"}"
    assert Request(service, "POST", "/projects", CONTENT_LENGTH=str(len(body))).body(body).answer()[0] == 503
    service.conf.write_text(right + "max_body_kib = more\n")
    service.said.clear()
    assert service.hears("WATCHDOG=1"), "it lives"
    service.conf.write_text(right)
    assert is_served(service) and wait_for(lambda: len(service.children()) == 2, 60)
    assert service.hears("STATUS=")
    service.process.terminate()
    status, errors = service.ends()
    assert status == 0
    assert errors.count("max_body_kib must be") == 1, errors
    assert errors.count("requests are answered 503 until") == 1, errors


def test_another_secret_is_waited_for(server, manage, tmp_path):
    """Only a worker learns about it, from the database."""
    right = pathlib.Path(server.env["STACK_CONF"]).read_text()
    secret = tmp_path / "secret"
    secret.write_text("x" * 40)
    service = manage("3", settings=right.replace(server.env["STACK_SECRET_FILE"], str(secret)))
    assert service.hears("READY=1") and asked(service)[0] == 503
    secret.write_text(pathlib.Path(server.env["STACK_SECRET_FILE"]).read_text())
    assert is_served(service) and wait_for(lambda: len(service.children()) == 3, 60)
    service.process.terminate()
    status, errors = service.ends()
    assert status == 0 and errors.count("does not belong to this database") == 1, errors


def test_a_reload_ends_the_waiting(server, manage):
    """It makes the parent notice what was fixed outside its configuration files."""
    right = pathlib.Path(server.env["STACK_CONF"]).read_text()
    service = manage("1", settings=right + "nonsense = 1\n")
    assert service.hears("READY=1") and asked(service)[0] == 503
    service.process.send_signal(signal.SIGHUP)
    stand_in, = service.children()
    os.kill(stand_in, signal.SIGKILL)
    assert wait_for(lambda: service.children() and service.children() != [stand_in])
    assert asked(service)[0] == 503
    service.conf.write_text(right)
    service.process.send_signal(signal.SIGHUP)
    assert is_served(service) and wait_for(lambda: len(service.children()) == 1)
    # While it serves: a reload with wrong settings does not stop it.
    service.conf.write_text(right + "nonsense = 2\n")
    service.process.send_signal(signal.SIGHUP)
    service.process.terminate()
    assert service.ends()[0] == 0


# --- a reload by systemd: settings are checked before the signal -------------------------------

def checked(conf):
    return subprocess.run([f"{BUILD}/planwright.fcgi", "--check"], stdin=subprocess.DEVNULL, text=True,
                          env={"PATH": os.environ["PATH"], "PLANWRIGHT_CONF": str(conf)}, capture_output=True)


def test_settings_are_checked_before_a_reload(server, tmp_path):
    lines = re.findall(r"^ExecReload=(.+)$", (TOP / "systemd" / "planwright.service.in").read_text(), re.M)
    assert lines[0] == "@planwrightdir@/planwright.fcgi --check" and "kill -HUP" in lines[1]
    right = pathlib.Path(server.env["STACK_CONF"]).read_text()
    done = checked(server.env["STACK_CONF"])
    assert (done.returncode, done.stderr) == (0, "")
    conf, secret = tmp_path / "conf", tmp_path / "secret"
    secret.write_text("x" * 40)
    for text, said in ((right + "nonsense = 1\n", "there is no setting nonsense"),
                       (right.replace(server.env["STACK_SECRET_FILE"], str(secret)),
                        "does not belong to this database")):
        conf.write_text(text)
        done = checked(conf)
        assert done.returncode == CONFIG and said in done.stderr, done
    conf.write_text(re.sub(r"(?m)^database = .*$", "database = host=/nowhere connect_timeout=1", right))
    done = checked(conf)
    assert done.returncode == 0 and "the database is down" in done.stderr, "it may come back"


@pytest.mark.parametrize("args, said", [
    (["x"], "--workers must be a number"), (["-1"], "unknown argument -1"),
    (["1", "--socket", "nowhere"], "cannot listen on"), (["1", "--verbose"], "unknown argument"),
    (["1", "--socket", "/nowhere/at/all"], "cannot listen on")])
def test_wrong_arguments(manage, args, said):
    status, errors = manage(*args, passes=False).ends()
    assert status == CONFIG and said in errors


def test_no_socket(manage):
    status, errors = manage("1", passes=False).ends()
    assert status == CONFIG and "no socket to listen on" in errors


@pytest.mark.parametrize("args, status, out", [
    (["--version"], 0, "planwright.fcgi "), (["--help"], 0, "--workers"), (["--socket", "/x"], CONFIG, ""),
    ([], CONFIG, "")])
def test_without_workers(args, status, out):
    done = subprocess.run([f"{BUILD}/planwright.fcgi", *args], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    assert done.returncode == status and out in done.stdout
    assert done.returncode == 0 or len(done.stderr.splitlines()) == 1
