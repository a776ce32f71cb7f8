"""Email about notifications."""

import time

import pytest

from conftest import Client, Person, Stack, run, stack_folder, wait_for
from mails import mailbox, settings  # noqa: F401


@pytest.fixture(scope="module")
def server(mailbox):
    made = Stack(stack_folder("mail"), workers=2,
                 settings=settings(mailbox))
    yield made
    made.close()


@pytest.fixture(scope="module")
def ada(server):
    return Person(server, "Ada Lovelace")


@pytest.fixture(scope="module")
def bob(server):
    made = Person(server, "Bob")
    assert Client(server, made.token).get("/me").status_code == 200
    return made


@pytest.fixture(scope="module")
def client(server, ada):
    return Client(server, ada.token)


@pytest.fixture(scope="module")
def project(client, ada, bob):
    answer = client.post("/projects", {"name": "Größe", "new_account_name": "Mail"})
    assert answer.status_code == 200, answer.text
    path = f"/projects/{answer.json()['id']}"
    assert client.post(f"{path}/memberships", {"person_id": bob.id, "role": "member"}).status_code == 200
    return path


@pytest.fixture(autouse=True)
def empty(request, mailbox):
    mailbox.got.clear()
    mailbox.refuse = None


def own(client, project, person, name="A story"):
    answer = client.post(f"{project}/stories", {"name": name, "owner_ids": [person.id]})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_new_owner_gets_mail(server, client, project, mailbox, bob):
    story = own(client, project, bob, "Tür: öffnen")
    assert wait_for(lambda: mailbox.got)
    got, = mailbox.got
    mail = got["mail"]
    assert got["from"] == "plan@planwright.example"
    assert got["to"] == [bob.email]
    assert mail["To"] == bob.email
    assert mail["Subject"] == "[Größe] Ada Lovelace has made you an owner of this story: Tür: öffnen"
    assert f"{server.url}/story/show/{story['id']}" in mail.get_content()
    assert abs(mail["Date"].datetime.timestamp() - time.time()) < 60
    assert mail["Message-ID"].endswith("@planwright.example>")
    assert mail["Auto-Submitted"] == "auto-generated"
    assert all(len(line) <= 78 for line in got["raw"].split(b"\r\n"))


def test_who_is_mentioned_gets_the_comment(client, project, mailbox, ada, bob):
    story = client.post(f"{project}/stories", {"name": "Quiet"}).json()
    text = f"@{bob.username} look:\n.\nBcc: eve@example.com\n" + "long " * 40
    answer = client.post(f"{project}/stories/{story['id']}/comments", {"text": text})
    assert answer.status_code == 200, answer.text
    assert wait_for(lambda: mailbox.got)
    got, = mailbox.got
    assert got["to"] == [bob.email]
    assert got["mail"]["Bcc"] is None
    quoted = "".join(f"> {line}\n" for line in text.split("\n"))
    assert quoted.strip() in got["mail"].get_content().replace("\r\n", "\n")


def test_one_gets_no_mail_of_ones_own_act(client, project, mailbox, ada):
    own(client, project, ada)
    time.sleep(1.5)
    assert mailbox.got == []


def test_who_wants_no_mail_of_mentions_gets_none(server, client, project, mailbox, bob):
    membership, = (f"{project}/memberships/{m['id']}" for m in client.get(
        f"{project}/memberships").json() if m["person"]["id"] == bob.id)
    for other in "wants_comment_notification_emails", "will_receive_mention_notifications_or_emails":
        answer = Client(server, bob.token).put(membership, {other: False})
        assert answer.status_code == 200 and answer.json()[other] is False
    story = client.post(f"{project}/stories", {"name": "Quiet"}).json()
    answer = client.post(f"{project}/stories/{story['id']}/comments",
                         {"text": f"@{bob.username}"})
    assert answer.status_code == 200
    assert wait_for(lambda: server.sql("select 1 from planwright.mail where last_error = 'not wanted'"))
    client.put(membership, {"will_receive_mention_notifications_or_emails": True})
    assert mailbox.got == []


def test_mail_that_is_refused_is_tried_again(server, client, project, mailbox, bob):
    mailbox.refuse = "451 later"
    own(client, project, bob)
    failed = "select id from planwright.mail where delivered_at is null and failed_at is null" \
        " and last_error is not null and attempts = 1 and next_at > now() + interval '1 minute'"
    assert wait_for(lambda: server.sql(failed))
    mailbox.refuse = None
    assert mailbox.got == []
    server.sql("update planwright.mail set next_at = now() where delivered_at is null")
    assert wait_for(lambda: mailbox.got)
    assert wait_for(lambda: not server.sql(
        "select 1 from planwright.mail where delivered_at is null and failed_at is null"))


def test_mail_is_given_up_after_a_day(server, client, project, mailbox, bob):
    mailbox.refuse = "550 never"
    own(client, project, bob)
    assert wait_for(lambda: server.sql("select 1 from planwright.mail where last_error is not null"
                                       " and delivered_at is null and failed_at is null"))
    server.sql("update planwright.mail set next_at = now(), created_at = now() - interval '25 hours'"
               " where delivered_at is null and failed_at is null")
    assert wait_for(lambda: server.sql("select 1 from planwright.mail where failed_at is not null"
                                       " and attempts = 2"))


def test_an_address_with_a_line_end_reaches_no_server(server, client, project, mailbox, bob):
    server.sql("update planwright.person set email = E'a@b.example\\r\\nRCPT TO:<eve@x>'"
               " where id = %s", bob.id)
    own(client, project, bob)
    assert wait_for(lambda: server.sql(
        "select 1 from planwright.mail where last_error like '%cannot be sent%'"))
    server.sql("update planwright.person set email = %s where id = %s", bob.email, bob.id)
    assert mailbox.got == []


def test_without_settings_no_mail_is_kept(stack, api, person, sql):
    ada, bob = person("Ada"), person("Bob")
    client = api(ada)
    project = client.post("/projects", {"name": "Quiet", "new_account_name": "Quiet"}).json()["id"]
    client.post(f"/projects/{project}/memberships", {"person_id": bob.id, "role": "member"})
    own(client, f"/projects/{project}", bob)
    assert sql("select 1 from planwright.notification where person_id = %s", bob.id)
    assert not sql("select 1 from planwright.mail m join planwright.notification n"
                   " on n.id = m.notification_id where n.person_id = %s", bob.id)


# planwrightctl mail test ---------------------------------------------------------

def ctl(server, address, **settings):
    return run(server.env["STACK_CTL"], "mail", "test", address, check=False,
               env={"PLANWRIGHT_CONF": server.env["STACK_CONF"], **settings})


def test_mail_test(server, mailbox):
    done = ctl(server, "root@planwright.example")
    assert done.returncode == 0, done.stderr
    got, = mailbox.got
    assert got["to"] == ["root@planwright.example"]
    assert got["mail"]["Subject"] == "Test of planwright"


def test_mail_test_says_why_not(server, stack, mailbox):
    assert "mail is off" in ctl(stack, "root@planwright.example").stderr
    assert "address" in ctl(server, "nobody").stderr
    mailbox.refuse = "550 no such user"
    refused = ctl(server, "root@planwright.example")
    assert refused.returncode == 1 and "550" in refused.stderr


def test_a_password_is_not_sent_without_tls(server, mailbox):
    done = ctl(server, "root@planwright.example", PLANWRIGHT_SMTP_USER="plan",
               PLANWRIGHT_SMTP_PASSWORD="hunter2hunter2")
    assert done.returncode == 1
    assert "hunter2" not in done.stderr
    assert mailbox.got == []
