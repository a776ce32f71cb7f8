"""What connects the workers to the database may lead to a standby for a moment, like a proxy that has just started:
nobody gets outdated data."""

import pathlib
import re
import shutil
import threading

import pytest
from client import Client
from conftest import Person, Stack, stack_folder
from standby import Relay, Standby
from world import new_project, ok


class Way:
    """A server and its standby, with a relay between workers and database that leads to the leader."""

    def __init__(self):
        self.stack, self.standby = Stack(stack_folder("way"), workers=4), Standby()
        self.client = Client(self.stack, Person(self.stack, "Boss").token)
        self.stories = f"/projects/{new_project(self.client)['id']}/stories"
        self.standby.start(self.stack)
        self.leader = self.stack.env["STACK_RUN"] + "/pg"
        self.relay = Relay(self.leader)
        conf = pathlib.Path(self.stack.env["STACK_CONF"])
        database = f"database = host={self.relay.folder} dbname=planwright user=planwright"
        conf.write_text(re.sub(r"(?m)^database = .*$", database, conf.read_text()))
        self.start_again()

    def start_again(self):
        self.stack.part("stop", "workers")
        self.stack.part("start", "workers")

    def close(self):
        self.standby.kill()
        self.stack.close(expects_5xx=True)
        self.relay.close()
        shutil.rmtree(self.standby.folder)


@pytest.fixture(scope="module")
def way():
    made = Way()
    yield made
    made.close()


def test_a_standby_is_refused(way):
    way.standby.hold_back()
    story = ok(way.client.post(way.stories, {"name": "of which the standby has not heard"}))["id"]
    way.relay.leads_to = way.standby.folder
    way.relay.cut()
    for n in range(8):
        answer = way.client.put(f"{way.stories}/{story}", {"name": f"changed {n}"})
        assert answer.status_code == 503 and int(answer.headers["Retry-After"]) >= 1, answer.text
    assert "the setting database leads to a standby: it must lead to the server that accepts writes" \
        in way.stack.log("workers")
    way.relay.leads_to = way.leader
    assert ok(way.client.put(f"{way.stories}/{story}", {"name": "changed"}))["name"] == "changed"


def test_workers_that_start_wait_for_the_leader(way):
    """When a machine boots, requests are not answered 503 while its proxy finds out which server leads."""
    way.relay.leads_to = way.standby.folder
    way.relay.cut()
    threading.Timer(1.5, lambda: setattr(way.relay, "leads_to", way.leader)).start()
    way.start_again()
    ok(way.client.get(way.stories))
