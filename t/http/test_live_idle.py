"""A server on which nothing happens asks its database little, and nothing is later for it: the sender and the importer
rest until somebody commits (src/service/bell.h)."""

import re
import time

import pytest

import conftest
from client import Client
from conftest import Person, wait_for
from importing import asked, over
from mails import mailbox, settings  # noqa: F401 (a fixture)
from within import within
from world import ok

REST = 5  # the sender and the importer, while nothing waits


@pytest.fixture(scope="module")
def server(mailbox):
    made = conftest.Stack(conftest.stack_folder("idle"), workers=2, settings=settings(mailbox) + "importers = 2")
    yield made
    made.close()


@pytest.fixture(scope="module")
def crew(server):
    class Crew:
        owner, other = Person(server, "Ida Idle"), Person(server, "Oz Other")
    Crew.own = Client(server, Crew.owner.token)
    Crew.id = ok(Crew.own.post("/projects", {"name": "I", "new_account_name": "I"}))["id"]
    Crew.path = f"/projects/{Crew.id}"
    ok(Client(server, Crew.other.token).get("/me"))
    ok(Crew.own.post(f"{Crew.path}/memberships", {"person_id": Crew.other.id, "role": "member"}))
    return Crew


def rests(server):
    """The sender and the importers found nothing, and have nothing to look for."""
    def waits():
        return server.sql("""select from mail where delivered_at is null and failed_at is null
            union all select from letter where delivered_at is null and failed_at is null
            union all select from project_import where state in ('queued', 'running')""")
    assert wait_for(lambda: not waits())
    time.sleep(2.5)


def statements(server, seconds):
    """That the database is asked, a second, without ours."""
    ours = server.connection.info.backend_pid
    for value in "all", "none":
        if value == "none":
            time.sleep(seconds)
        server.sql(f"alter system set log_statement = '{value}'")
        server.sql("select pg_reload_conf()")
        if value == "all":
            time.sleep(1)
            before = len(server.log("postgres"))
    told = re.findall(r"\[(\d+)\] \S* ?LOG:  (?:execute|statement)", server.log("postgres")[before:])
    return sum(int(pid) != ours for pid in told) / seconds


@pytest.mark.plain
def test_an_idle_database_answers_fewer_than_two_statements_a_second(server, crew, listen):
    rests(server)
    assert 0 < statements(server, 10) < 1
    with listen(crew.owner.token, [crew.id], on=server) as stream:
        assert 1 <= statements(server, 10) < 2
        assert stream.events


@pytest.mark.timed
def test_a_mail_and_an_import_are_not_later_for_it(server, crew, mailbox):
    for _ in range(3):
        rests(server)
        mailbox.got.clear()
        ok(crew.own.post(f"{crew.path}/stories", {"name": "Yours", "owner_ids": [crew.other.id]}))
        began = time.monotonic()
        assert wait_for(lambda: mailbox.got)
        assert time.monotonic() - began < within(2)
    rests(server)
    began = time.monotonic()
    assert over(crew.own, asked(crew.own, crew.path))["state"] in ("done", "lost")
    assert time.monotonic() - began < within(4)


@pytest.mark.timed
def test_what_another_host_has_committed_is_found_by_looking(server, crew, mailbox):
    """As if there were no bell."""
    rests(server)
    mailbox.got.clear()
    server.sql("""with n as (insert into notification (person_id, project_id, message, context, notification_type,
            action, created_at, updated_at) values (%s, %s, 'x', 'x', 'story', 'x', now(), now()) returning id)
        insert into mail (notification_id) select id from n""", crew.other.id, crew.id)
    began = time.monotonic()
    assert wait_for(lambda: mailbox.got)
    assert time.monotonic() - began < REST + within(1.5)
