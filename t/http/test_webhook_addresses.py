"""Webhooks as a resource: which addresses are allowed (contract 1.4), and which are connected to."""

import os
import pathlib
import subprocess
import sys

import pytest

from conftest import BUILD, TOP, wait_for
from test_webhooks import (Receiver, add_story, attempted, client, deliveries, hook, hooks,  # noqa: F401
                           owner, project, receiver, senders)

sys.path.append(str(TOP / "t" / "proof"))
from faults import sanitizer  # noqa: E402


@pytest.mark.parametrize("address", [
    "https://e.example", "HTTPS://E.example:65535/a?b=c#d", "https://bücher.example/ü",
    "https://127.0.0.1/", "https://[::1]/", "https://[2001:db8::1]:8443/x"])
def test_an_address_is_one_of_the_web(board, address):
    answer = board.client.post(f"{board.path}/webhooks", {
        "webhook_url": address, "webhook_version": "v5"})
    assert answer.status_code == 200 and answer.json()["webhook_url"] == address


@pytest.mark.parametrize("address", [
    "", " ", "e.example", "ftp://e.example", "https://", "https:///x", "https://a b.example/",
    "https://u:p@e.example/", "https://e.example:0/", "https://e.example:65536/",
    "https://e.example:/", "https://e.example:x/", "https://[::1", "https://[]/", "https://[:::]/",
    "https://[1.2.3.4]/", "https://[fe80::1%25eth0]/", "https://[::1]x/", "https://<e>/",
    "https://e.example\\@f.example/", "https://e.example/a b", "http://e.example/"])
def test_another_address_is_refused(board, address):
    answer = board.client.post(f"{board.path}/webhooks", {
        "webhook_url": address, "webhook_version": "v5"})
    assert answer.status_code == 400
    blank = "" if address.strip() else "can't be blank, "
    assert answer.json()["requirement"] == blank + (
        "Webhook must use https." if address == "http://e.example/" else "Webhook must be a valid URL.")
    assert "WebhookActivityChannel" in answer.json()["general_problem"]


def test_every_change_is_one_of_the_webhook(board, sql):
    made = board.client.post(f"{board.path}/webhooks", {
        "webhook_url": "https://e.example", "webhook_version": "v5"}).json()["id"]
    for body in {"secret": "x"}, {"enabled": False}, {"webhook_url": "https://f.example"}:
        sql("update planwright.webhook set updated_at = '2020-01-01' where id = %s", made)
        answer = board.client.put(f"{board.path}/webhooks/{made}", body)
        assert answer.status_code == 200 and answer.json()["updated_at"] > "2021", body


@pytest.mark.parametrize("host", ["127.0.0.2", "localhost.localdomain", "0.0.0.0"])
def test_an_address_that_is_not_allowed_is_not_reached(client, project, hook, hooks, host):
    forbidden = Receiver("0.0.0.0" if host == "0.0.0.0" else "127.0.0.2")
    port = forbidden.server.server_port
    if host == "localhost.localdomain":
        host, port = "127.2", port  # another spelling of 127.0.0.2
    webhook = hook(webhook_url=f"http://{host}:{port}/")
    add_story(client, project)
    failed = attempted(hooks, webhook)
    assert failed["error"] == "no answer: could not connect, or timed out"
    assert failed["status"] is None
    assert forbidden.got == []
    forbidden.close()


@pytest.mark.parametrize("host", ["2130706434", "0x7f000002", "0x7f.2", "0177.0.0.2", "127.0.2", "127.0.0.2.", "[::ffff:127.0.0.2]",
                                  "[::ffff:7f00:2]", "[0:0:0:0:0:ffff:127.0.0.2]", "\uff11\uff12\uff17.0.0.2", "127。0。0。2"])
def test_no_spelling_of_an_address_leads_there(client, project, hooks, host):
    forbidden = Receiver("127.0.0.2")
    answer = client.post(f"{project}/webhooks", {
        "webhook_url": f"http://{host}:{forbidden.server.server_port}/", "webhook_version": "v5"})
    assert answer.status_code in (200, 400), answer.text
    if answer.status_code == 200:
        add_story(client, project)
        failed = attempted(hooks, f"{project}/webhooks/{answer.json()['id']}")
        assert failed["error"] == "no answer: could not connect, or timed out" and failed["status"] is None
    assert forbidden.got == []
    forbidden.close()


def test_no_redirect_leads_there(client, project, receiver, hook, hooks):
    forbidden, webhook = Receiver("127.0.0.2"), hook()
    receiver.answer, receiver.url = lambda headers, body: (307, b""), forbidden.url
    add_story(client, project)
    assert attempted(hooks, webhook)["status"] == 307 and receiver.got and forbidden.got == []
    forbidden.close()


def test_a_name_is_checked_by_what_it_resolves_to(client, project, receiver, hook):
    hook(webhook_url=receiver.url.replace("127.0.0.1", "localhost"))
    add_story(client, project)
    assert wait_for(lambda: receiver.got), "127.0.0.1 is allowed, ::1 is not"


def test_a_name_that_changes_its_address_leads_nowhere_else(client, project, receiver, hook, hooks, senders, monkeypatch):
    """The address of each connection is checked, not the name's earlier one (rebind.c). Another port makes libcurl ask
    again, which would keep the address for a minute."""
    library, forbidden = hooks.directory / "rebind.so", Receiver("127.0.0.2")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, pathlib.Path(__file__).with_name("rebind.c"), "-ldl"], check=True)
    monkeypatch.setenv("LD_PRELOAD", f"{sanitizer(os.path.join(BUILD, 'planwright-sender'))} {library}")
    senders.start()
    monkeypatch.delenv("LD_PRELOAD")
    webhook = hook(webhook_url=f"http://rebound.example:{receiver.server.server_port}/")
    add_story(client, project)
    assert wait_for(lambda: len(receiver.got) == 1)
    assert client.put(webhook, {"webhook_url": f"http://rebound.example:{forbidden.server.server_port}/"}).status_code == 200
    add_story(client, project)
    assert wait_for(lambda: any(d["error"] for d in deliveries(hooks, webhook)), 20)
    assert len(receiver.got) == 1 and forbidden.got == []
    forbidden.close()


@pytest.mark.parametrize("address, cause", [
    ("[::1]:9", "::1"), ("bücher.invalid", "Could not resolve host: xn--bcher-kva.invalid")])
def test_an_address_is_a_number_or_a_name_of_any_script(client, project, hook, hooks, address, cause):
    """Only the sender's log says why it cannot be reached."""
    webhook, problem = hook(webhook_url=f"http://{address}/"), "no answer: could not connect, or timed out"
    add_story(client, project)
    assert attempted(hooks, webhook)["error"] == problem
    assert client.get(webhook).json()["last_response_body"] == problem
    assert cause in hooks.log("sender")
