"""planwright-sender and webhooks: what is delivered, in which order, and what failures cause."""

import base64
import hashlib
import hmac
import http.server
import json
import os
import random
import signal
import socket
import subprocess
import threading
import time

import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for

SETTINGS = "webhook_http = on\nwebhook_allow = 127.0.0.1/32, ::ffff:127.0.0.5"


class Receiver:
    """Accepts POSTs on a loopback address; `answer(headers, body)` returns status and body."""

    def __init__(self, address="127.0.0.1"):
        receiver = self
        self.got = []
        self.answer = lambda headers, body: (200, b"thanks")

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((self.headers, body))
                status, text = receiver.answer(self.headers, body)[:2]
                self.send_response(status)
                if status in (301, 307):
                    self.send_header("Location", receiver.url + "/elsewhere")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer((address, 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://{address}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def versions(self):
        return [json.loads(body)["project_version"] for _, body in self.got]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def hooks():
    server = Stack(stack_folder("hooks"), workers=2, settings=SETTINGS)
    yield server
    server.close()


@pytest.fixture(scope="module")
def owner(hooks):
    return Person(hooks, "Olga Owner")


@pytest.fixture(scope="module")
def client(hooks, owner):
    return Client(hooks, owner.token)


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def project(client):
    """The path of a project of its own."""
    answer = client.post("/projects", {"name": "Hooked", "new_account_name": "Hooks"})
    assert answer.status_code == 200, answer.text
    path = f"/projects/{answer.json()['id']}"
    yield path
    client.delete(path)


@pytest.fixture
def hook(client, project, receiver):
    """hook(…): a webhook of the project that calls the receiver; returns its path."""
    def make(**more):
        answer = client.post(f"{project}/webhooks", {
            "webhook_url": receiver.url + "/in?key=1", "webhook_version": "v5", **more})
        assert answer.status_code == 200, answer.text
        return f"{project}/webhooks/{answer.json()['id']}"
    return make


def add_story(client, project, name="Story"):
    answer = client.post(f"{project}/stories", {"name": name})
    assert answer.status_code == 200, answer.text
    return answer.json()


def deliveries(server, webhook):
    rows = server.sql("select id, version, attempts, delivered_at is not null, failed_at is not null,"
                      " last_status, last_error from planwright.delivery where webhook_id = %s"
                      " order by id", int(webhook.rsplit("/", 1)[1]))
    keys = ("id", "version", "attempts", "delivered", "given_up", "status", "error")
    return [dict(zip(keys, row)) for row in rows]


def attempted(server, webhook, attempts=1):
    """The first delivery of a webhook, once this many attempts have ended."""
    def look():
        rows = deliveries(server, webhook)
        ended = rows and (rows[0]["error"] or rows[0]["delivered"])
        return rows[0] if ended and rows[0]["attempts"] >= attempts else None
    found = wait_for(look, 20)
    assert found, deliveries(server, webhook)
    return found


# What arrives ----------------------------------------------------------------

def test_the_activity_arrives_with_dates_in_milliseconds(client, project, receiver, hook):
    hook()
    add_story(client, project, "Ä story")
    assert wait_for(lambda: receiver.got)
    headers, body = receiver.got[0]
    activity, = client.get(f"{project}/activity?limit=1&date_format=millis").json()
    assert json.loads(body) == activity
    assert activity["kind"] == "story_create_activity"
    assert isinstance(json.loads(body)["occurred_at"], int)
    assert headers["Content-Type"] == "application/json"
    assert headers["webhook-id"] == activity["guid"]
    assert "webhook-signature" not in headers


@pytest.mark.parametrize("secret, key", [
    ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
    ("plain words", b"plain words"),
])
def test_a_secret_signs(client, project, receiver, hook, secret, key):
    hook(secret=secret)
    add_story(client, project)
    assert wait_for(lambda: receiver.got)
    headers, body = receiver.got[0]
    text = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == "v1," + expected
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60


def test_each_webhook_of_a_project_gets_it(client, project, receiver, hook):
    hook(), hook()
    hook(enabled=False)
    add_story(client, project)
    assert wait_for(lambda: len(receiver.got) == 2)
    time.sleep(1.5)
    assert len(receiver.got) == 2


def test_a_slow_receiver_does_not_hold_up_others(client, project, receiver, hook):
    slow = Receiver()
    go_on, answered = threading.Event(), []
    slow.answer = lambda headers, body: (go_on.wait(9), answered.append(1), (200, b""))[2]
    hook(webhook_url=slow.url)
    hook()
    add_story(client, project)
    assert wait_for(lambda: slow.got and receiver.got)
    assert not answered
    go_on.set()
    slow.close()


# Order and kills ---------------------------------------------------------------

class Senders:
    """The test's own senders, instead of the server's."""

    def __init__(self, server):
        self.server = server
        self.running = []
        self.log = open(server.directory / "log" / "sender-test.log", "ab")

    def start(self):
        program = os.path.join(os.environ["STACK_BUILD"], "planwright-sender")
        self.running.append(subprocess.Popen(
            [program], stdout=self.log, stderr=self.log,
            env={**os.environ, "PLANWRIGHT_CONF": self.server.env["STACK_CONF"]}))
        return self.running[-1]

    def kill_one(self):
        victim = self.running.pop(random.randrange(len(self.running)))
        victim.kill()
        victim.wait()

    def close(self):
        for process in self.running:
            process.terminate()
        for process in self.running:
            assert process.wait(30) == 0


@pytest.fixture
def senders(hooks):
    hooks.part("stop", "sender")
    made = Senders(hooks)
    yield made
    made.close()
    hooks.part("start", "sender")


def test_all_changes_arrive_in_order_while_senders_are_killed(client, project, receiver, hook,
                                                              senders, monkeypatch):
    """A successor waits for the end of the dead one's lease."""
    monkeypatch.setenv("PLANWRIGHT_LEASE_SECONDS", "2")
    hook()
    receiver.answer = lambda headers, body: (time.sleep(0.02), (200, b""))[1]
    senders.start(), senders.start()
    made, kills = 60, 0
    for i in range(made):
        add_story(client, project, f"Story {i}")
        if i % 6 == 5:
            senders.kill_one()
            kills += 1
            senders.start()
    assert wait_for(lambda: len(set(receiver.versions())) == made, 60)
    versions = receiver.versions()
    assert versions == sorted(versions)
    assert sorted(set(versions)) == list(range(versions[0], versions[0] + made))
    assert len(versions) - made <= kills, "only a kill may repeat a delivery"
    assert {h["webhook-id"] for h, _ in receiver.got} == \
        {f"{project.rsplit('/', 1)[1]}_{v}" for v in versions}


def test_two_senders_send_each_change_once(client, project, receiver, hook, senders):
    hook()
    senders.start(), senders.start(), senders.start()
    for i in range(30):
        add_story(client, project, f"Story {i}")
    assert wait_for(lambda: len(receiver.got) >= 30, 20)
    time.sleep(1.5)
    versions = receiver.versions()
    assert versions == list(range(versions[0], versions[0] + 30))


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGUSR1])
def test_a_signal_ends_a_sender_after_the_request_in_hand(client, project, receiver, hook, senders,
                                                          hooks, end):
    webhook = hook()
    receiver.answer = lambda headers, body: (time.sleep(2), (200, b""))[1]
    sender = senders.start()
    add_story(client, project)
    assert wait_for(lambda: receiver.got)
    sender.send_signal(end)
    add_story(client, project)
    assert sender.wait(30) == 0
    assert [d["delivered"] for d in deliveries(hooks, webhook)] == [True, False]
    assert len(receiver.got) == 1


def test_a_sender_survives_a_restart_of_the_database(client, project, receiver, hook, hooks):
    hook()
    add_story(client, project)
    assert wait_for(lambda: receiver.got)
    hooks.part("stop", "workers")
    hooks.part("stop", "postgres")
    hooks.part("start", "postgres")
    hooks.part("start", "workers")
    add_story(client, project)
    assert wait_for(lambda: len(receiver.got) == 2)


# Failures ------------------------------------------------------------------------

def test_a_failure_is_told_and_tried_again_later(client, project, receiver, hook, hooks):
    webhook = hook()
    asked = []
    receiver.answer = lambda headers, body: (500, b"broken", asked.append(time.time()))
    add_story(client, project)
    add_story(client, project)
    failed = attempted(hooks, webhook)
    assert failed["status"] == 500 and not failed["delivered"] and not failed["given_up"]
    told = client.get(webhook).json()
    assert told["last_error_code"] == 500
    assert told["last_response_body"] == "broken"
    assert told["enabled"] is True
    (at, left), = hooks.sql("select extract(epoch from next_at)::float, extract(epoch from next_at - now())::float"
                            " from planwright.delivery where id = %s", failed["id"])
    assert 1 < at - asked[0] and left < 6.5
    assert len(receiver.got) == 1, "the next one waits its turn"
    receiver.answer = lambda headers, body: (200, b"")
    assert wait_for(lambda: len(receiver.got) == 3)
    first = failed["version"]
    assert receiver.versions() == [first, first, first + 1]
    assert client.get(webhook).json()["last_error_code"] == 500, "the last failure stays"


def test_delays_double_up_to_a_day(hooks):
    rows = hooks.sql("set search_path to planwright; select extract(epoch from send_delay(n))::float"
                     " from unnest(array[1, 2, 5, 30, 1000]) n")
    for (seconds,), expected in zip(rows, [5, 10, 80, 86400, 86400]):
        assert 0.75 * expected <= seconds <= 1.25 * expected


def test_ten_seconds_are_the_limit(client, project, receiver, hook, hooks):
    webhook = hook()
    go_on = threading.Event()
    receiver.answer = lambda headers, body: (go_on.wait(60), (200, b""))[1]
    started = time.monotonic()
    add_story(client, project)
    failed = attempted(hooks, webhook)
    go_on.set()
    assert 9 < time.monotonic() - started < 15
    assert failed["status"] is None and "timed out" in failed["error"].lower()
    told = client.get(webhook).json()
    assert told["last_error_code"] == 0
    assert "timed out" in told["last_response_body"].lower()


def test_a_redirect_is_not_followed(client, project, receiver, hook, hooks):
    webhook = hook()
    receiver.answer = lambda headers, body: (307, b"")
    add_story(client, project)
    failed = attempted(hooks, webhook)
    assert failed["status"] == 307
    assert len(receiver.got) == 1
    assert "redirect" in failed["error"]


@pytest.mark.parametrize("bytes_sent", [
    b"garbage", b"HTTP/1.1 200 OK\r\nX: " + b"x" * 400000,
    b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthank"], ids=["garbage", "header", "cut"])
def test_what_is_no_whole_answer_is_none(client, project, hook, hooks, bytes_sent):
    with socket.create_server(("127.0.0.1", 0)) as server:
        def serve():
            taken, _ = server.accept()
            with taken:
                while b"\r\n\r\n{" not in taken.recv(65536, socket.MSG_PEEK):
                    time.sleep(0.01)
                taken.recv(65536)
                taken.sendall(bytes_sent)
        threading.Thread(target=serve, daemon=True).start()
        webhook = hook(webhook_url=f"http://127.0.0.1:{server.getsockname()[1]}/")
        add_story(client, project)
        failed = attempted(hooks, webhook)
    assert failed["status"] is None and not failed["delivered"]
    assert failed["error"] == "no answer: could not connect, or timed out"
    told = client.get(webhook).json()
    assert (told["last_error_code"], told["last_response_body"]) == (0, failed["error"])


def test_an_answer_is_kept_as_text_of_bounded_length(client, project, receiver, hook, hooks):
    webhook = hook()
    receiver.answer = lambda headers, body: (503, b"\xff\0\xc3\xa4 " + b"x" * 10000)
    add_story(client, project)
    attempted(hooks, webhook)
    text = client.get(webhook).json()["last_response_body"]
    assert text.startswith("??ä x")
    assert len(text.encode()) <= 4100


def test_an_endless_answer_is_cut_off(client, project, receiver, hook, hooks):
    webhook = hook()
    receiver.answer = lambda headers, body: (200, b"x" * 5_000_000)
    add_story(client, project)
    assert attempted(hooks, webhook)["delivered"]


def owner_notifications(client, types):
    return [n for n in client.get(f"/my/notifications?notification_types={types}").json()
            if n["notification_type"] == "webhook"]


def test_after_a_day_of_failures_it_is_switched_off(client, project, receiver, hook, hooks):
    webhook = hook()
    receiver.answer = lambda headers, body: (500, b"still broken")
    add_story(client, project)
    add_story(client, project)
    attempted(hooks, webhook)
    hooks.sql("update planwright.webhook set failing_since = now() - interval '25 hours'"
              " where id = %s", int(webhook.rsplit("/", 1)[1]))
    assert wait_for(lambda: client.get(webhook).json()["enabled"] is False, 15)
    assert [(d["delivered"], d["given_up"]) for d in deliveries(hooks, webhook)] == \
        [(False, True), (False, True)]
    project_id = int(project.rsplit("/", 1)[1])
    told = [n for n in owner_notifications(client, ":all") if n["project"]["id"] == project_id]
    assert len(told) == 1
    assert receiver.url in told[0]["message"]
    assert owner_notifications(client, ":default") == []
    # Switched on again, it begins with what happens afterwards.
    receiver.got.clear()
    receiver.answer = lambda headers, body: (200, b"")
    answer = client.put(webhook, {"enabled": True})
    assert answer.status_code == 200
    assert "last_error_code" not in answer.json()
    story = add_story(client, project)
    assert wait_for(lambda: receiver.got)
    assert json.loads(receiver.got[0][1])["primary_resources"][0]["id"] == story["id"]


def test_a_receiver_that_is_gone_is_switched_off_at_once(client, project, receiver, hook):
    webhook = hook()
    receiver.answer = lambda headers, body: (410, b"gone")
    add_story(client, project)
    assert wait_for(lambda: client.get(webhook).json()["enabled"] is False)


def test_another_address_is_tried_at_once(client, project, receiver, hook, hooks):
    broken = Receiver()
    broken.answer = lambda headers, body: (500, b"")
    webhook = hook(webhook_url=broken.url)
    add_story(client, project)
    failed = attempted(hooks, webhook)
    hooks.sql("update planwright.delivery set next_at = now() + interval '1 hour' where id = %s",
              failed["id"])
    assert client.put(webhook, {"webhook_url": receiver.url}).status_code == 200
    assert wait_for(lambda: receiver.got)
    broken.close()


def test_a_webhook_can_be_deleted_while_its_receiver_hangs(client, project, receiver, hook, hooks):
    webhook = hook()
    go_on, answered = threading.Event(), []
    receiver.answer = lambda headers, body: (go_on.wait(9), answered.append(1), (200, b""))[2]
    add_story(client, project)
    assert wait_for(lambda: receiver.got)
    assert client.delete(webhook).status_code == 204 and not answered
    go_on.set()
    assert deliveries(hooks, webhook) == []


# Administration ----------------------------------------------------------------

def test_old_deliveries_are_swept(client, project, receiver, hook, hooks, senders):
    webhook = hook()
    for _ in range(3):
        add_story(client, project)
    hooks.sql("update planwright.delivery set created_at = now() - interval '15 days',"
              " delivered_at = case version when %s then now() - interval '15 days' end"
              " where webhook_id = %s", deliveries(hooks, webhook)[0]["version"],
              int(webhook.rsplit("/", 1)[1]))
    senders.start()
    assert wait_for(lambda: len(receiver.got) == 2)
    assert wait_for(lambda: len(deliveries(hooks, webhook)) == 2)


def test_a_project_has_at_most_twenty(hooks, client, hook, project):
    made = [hook() for _ in range(20)]
    body = {"webhook_url": "https://example.com", "webhook_version": "v5"}
    answer = client.post(f"{project}/webhooks", body)
    assert answer.status_code == 400
    assert answer.json()["requirement"] == "A project can have at most 20 webhooks."
    assert client.delete(made[0]).status_code == 204 and hook()
    # What older versions accepted stays.
    hooks.sql("insert into planwright.webhook (project_id, webhook_url, webhook_version) select project_id,"
              " webhook_url, 'v5' from planwright.webhook where id = %s", int(made[1].rsplit("/", 1)[1]))
    assert len(client.get(f"{project}/webhooks").json()) == 21
    assert client.put(made[1], {"enabled": False}).status_code == 200
    assert client.post(f"{project}/webhooks", body).status_code == 400
