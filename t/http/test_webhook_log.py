"""The delivery log of webhooks, and redelivery: with planwrightctl(8) and over HTTP (contract 2.17)."""

from conftest import wait_for
from test_webhooks import (add_story, attempted, client, deliveries, hook, hooks, owner, project,
                           receiver)
from world import ok


def test_log_and_redelivery(client, project, receiver, hook, hooks):
    webhook = hook()
    number = webhook.rsplit("/", 1)[1]
    receiver.answer = lambda headers, body: (500, b"")
    add_story(client, project)
    failed = attempted(hooks, webhook)
    shown = hooks.ctl("webhook", "log", project.rsplit("/", 1)[1], "--webhook", number).stdout
    assert f"webhook {number}" in shown and f"delivery {failed['id']}" in shown
    assert "status 500" in shown and "waits until" in shown and "attempts 1" in shown
    receiver.answer = lambda headers, body: (200, b"")
    hooks.sql("update planwright.delivery set next_at = now() + interval '1 hour' where id = %s",
              failed["id"])
    hooks.ctl("webhook", "redeliver", str(failed["id"]))
    assert wait_for(lambda: deliveries(hooks, webhook)[0]["delivered"])
    before = len(receiver.got)
    hooks.ctl("webhook", "redeliver", str(failed["id"]))
    assert wait_for(lambda: len(receiver.got) == before + 1)
    assert receiver.got[-1][0]["webhook-id"] == receiver.got[0][0]["webhook-id"]
    assert "delivered" in hooks.ctl("webhook", "log", project.rsplit("/", 1)[1]).stdout


def test_the_log_over_http(client, project, receiver, hook, hooks):
    webhook = hook()
    receiver.answer = lambda headers, body: (500, b"")
    add_story(client, project)
    failed = attempted(hooks, webhook)
    answer = client.get(f"{webhook}/deliveries")
    shown, = ok(answer)
    assert answer.headers["X-Tracker-Pagination-Total"] == "1"
    assert (shown["kind"], shown["id"], shown["state"]) == ("webhook_delivery", failed["id"], "waiting")
    assert (shown["attempts"], shown["last_status"], shown["project_version"]) == (1, 500, failed["version"])
    assert shown["next_at"] > shown["created_at"] and "ended_at" not in shown
    receiver.answer = lambda headers, body: (200, b"")
    add_story(client, project)
    hooks.ctl("webhook", "redeliver", str(failed["id"]))
    assert wait_for(lambda: [d["state"] for d in ok(client.get(f"{webhook}/deliveries"))] == ["delivered"] * 2)
    newest, = ok(client.get(f"{webhook}/deliveries?limit=1"))
    assert newest["project_version"] == failed["version"] + 1 and newest["ended_at"] and "next_at" not in newest
    assert client.get(f"{project}/webhooks/999999999/deliveries").status_code == 404


def test_redelivery_says_what_is_wrong(client, project, hook, hooks):
    assert "no such delivery" in hooks.ctl("webhook", "redeliver", "999999999", check=False).stderr
    assert "is not the number of a delivery" in hooks.ctl("webhook", "redeliver", "x", check=False).stderr
    assert "has no webhooks" in hooks.ctl(
        "webhook", "log", project.rsplit("/", 1)[1], check=False).stderr
    webhook = hook(enabled=False)
    (number,), = hooks.sql("insert into planwright.delivery (webhook_id, project_id, version,"
                           " failed_at) values (%s, %s, 1, now()) returning id",
                           webhook.rsplit("/", 1)[1], project.rsplit("/", 1)[1])
    refused = hooks.ctl("webhook", "redeliver", str(number), check=False)
    assert "switched off" in refused.stderr
