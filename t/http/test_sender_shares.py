"""The sender's limits for one project, person or command: slots, and mail to others."""

import contextlib
import socket
import threading
import time

import psycopg2
import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for
from fastcgi import Request
from mails import mailbox, settings  # noqa: F401
from test_mail import own
from test_passwords import code_in
from test_webhooks import Receiver, Senders, add_story
from world import new_project, ok

A_DAY = 4


class BlackHole:
    """Accepts connections and never answers; counts how many were open at a time."""

    def __init__(self):
        self.open, self.most, self.taken = [], 0, 0
        self.lock = threading.Lock()
        self.server = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.url = f"http://127.0.0.1:{self.server.getsockname()[1]}/"
        threading.Thread(target=self.take, daemon=True).start()

    def take(self):
        while True:
            try:
                taken, _ = self.server.accept()
            except OSError:
                return
            with self.lock:
                self.open.append(taken)
                self.taken += 1
                self.most = max(self.most, len(self.open))
            threading.Thread(target=self.hold, args=[taken], daemon=True).start()

    def hold(self, taken):
        try:
            while taken.recv(65536):
                pass
        except OSError:
            pass
        with self.lock:
            if taken in self.open:
                self.open.remove(taken)
        taken.close()

    def close(self):
        """Ends the hanging connections, too."""
        if self.server.fileno() < 0:
            return
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()
        with self.lock:
            for taken in self.open:
                taken.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def server(mailbox):
    made = Stack(stack_folder("shares"), workers=2, settings=(
        f"{settings(mailbox)}mails_a_day = {A_DAY}\n"
        "webhook_http = on\nwebhook_allow = 127.0.0.1"))
    yield made
    made.close()


@pytest.fixture
def hole():
    made = BlackHole()
    yield made
    made.close()


def here(server, name):
    """A person who has signed in."""
    person = Person(server, name)
    ok(Client(server, person.token).get("/me"))
    return person


class Team:
    def __init__(self, server, *names):
        self.boss = here(server, "Boss")
        self.client = Client(server, self.boss.token)
        self.path = f"/projects/{new_project(self.client)['id']}"
        self.others = [here(server, name) for name in names]
        for other in self.others:
            ok(self.client.post(f"{self.path}/memberships", {"person_id": other.id, "role": "member"}))

    def hook(self, url):
        return ok(self.client.post(f"{self.path}/webhooks",
                                   {"webhook_url": url, "webhook_version": "v5"}))["id"]


@pytest.fixture
def team(server):
    """team(name, …): a boss with a project, and members who have signed in."""
    teams = []

    def make(*names):
        teams.append(Team(server, *names))
        return teams[-1]
    yield make
    for made in teams:
        made.client.delete(made.path)


def mails_to(mailbox, person):
    return [m["mail"] for m in mailbox.got if m["to"] == [person.email]]


def settled(server):
    """Nothing is waiting to be mailed."""
    return wait_for(lambda: server.sql(
        "select (select count(*) from mail where delivered_at is null and failed_at is null)"
        " + (select count(*) from letter where delivered_at is null and failed_at is null)") == [(0,)])


# --- places -------------------------------------------------------------------------

def test_a_project_has_four_transfers_at_a_time(server, team, hole):
    crowd, other = team(), team()
    receiver = Receiver()
    for _ in range(8):
        crowd.hook(hole.url)
    other.hook(receiver.url)
    add_story(crowd.client, crowd.path)
    assert wait_for(lambda: len(hole.open) == 4)
    add_story(other.client, other.path)
    assert wait_for(lambda: receiver.got), "another project does not wait"
    time.sleep(1.5)
    assert hole.most == 4
    receiver.close()


def test_all_senders_together_keep_to_it(server, team, hole):
    server.part("stop", "sender")
    senders = Senders(server)
    try:
        crowd = team()
        for _ in range(8):
            crowd.hook(hole.url)
        add_story(crowd.client, crowd.path)
        for _ in range(3):
            senders.start()
        assert wait_for(lambda: hole.taken >= 4)
        time.sleep(3)
        assert hole.most == 4
        hole.close()
        crowd.client.delete(crowd.path)
    finally:
        senders.close()
        server.part("start", "sender")


def test_mail_does_not_wait_for_hooks(server, team, mailbox, hole):
    """More hooks than the sender has slots, and none of their hosts answers."""
    friends, crowds = team("Frida"), [team() for _ in range(8)]
    for crowd in crowds:
        for _ in range(5):
            crowd.hook(hole.url)
    for crowd in crowds:
        add_story(crowd.client, crowd.path)
    assert wait_for(lambda: len(hole.open) >= 24)
    assert hole.most == 24, "as many as hooks may have"
    own(friends.client, friends.path, friends.others[0])
    assert wait_for(lambda: mails_to(mailbox, friends.others[0]), 8), "a host has ten seconds"


# --- mail of a command ----------------------------------------------------------------

def test_a_command_sends_one_mail_to_a_person(server, team, mailbox):
    made = team("Ann", "Ben")
    ann, ben = made.others
    story = ok(made.client.post(f"{made.path}/stories", {
        "name": "Both", "owner_ids": [ann.id, ben.id], "description": f"@{ann.username} see",
        "comments": [{"text": f"@{ann.username} hear"}, {"text": f"@{ann.username} @{ben.username}"}]}))
    assert settled(server)
    mail, = mails_to(mailbox, ann)
    assert mail["Subject"].startswith("(1 of 3) [")
    text = mail.get_content().replace("\r\n", "\n")
    assert "Boss has made you an owner of this story.\n" in text
    assert text.count("You were mentioned by Boss.\n") == 2
    assert f"> @{ann.username} hear\n" in text and f"> @{ann.username} @{ben.username}\n" in text
    assert text.count("\n-- \nProject: ") == 1
    assert text.count(f"{server.url}/story/show/{story['id']}\n") == 3
    assert len(mails_to(mailbox, ben)) == 1
    assert len(ok(Client(server, ann.token).get("/my/notifications?notification_types=:all"))) >= 3


def test_many_stories_at_once_are_one_mail(server, team, mailbox):
    made = team("Ann")
    ann, = made.others
    stories = [add_story(made.client, made.path, f"Story {i}")["id"] for i in range(60)]
    ok(made.client.put(f"{made.path}/stories/bulk", {
        "ids": stories, "changes": {"owner_ids": [ann.id]}}))
    assert settled(server)
    mail, = mails_to(mailbox, ann)
    assert mail["Subject"].startswith("(1 of 60) [")
    text = mail.get_content()
    assert text.count("has made you an owner") == 50 and "And 10 more, at " in text


def test_who_wants_no_mentions_gets_the_rest(server, team, mailbox):
    made = team("Ann")
    ann, = made.others
    membership, = (m["id"] for m in ok(made.client.get(f"{made.path}/memberships"))
                   if m["person"]["id"] == ann.id)
    ok(Client(server, ann.token).put(f"{made.path}/memberships/{membership}",
                                     {"will_receive_mention_notifications_or_emails": False}))
    ok(made.client.post(f"{made.path}/stories", {
        "name": "Quiet", "owner_ids": [ann.id], "comments": [{"text": f"@{ann.username} shout"}]}))
    assert settled(server)
    mail, = mails_to(mailbox, ann)
    assert "shout" not in mail.get_content() and mail["Subject"].startswith("[")


# --- who never came -------------------------------------------------------------------

def test_who_never_signed_in_gets_no_mail(server, team, mailbox):
    made, never = team(), Person(server, "Nora Never")
    ok(made.client.post(f"{made.path}/memberships", {"person_id": never.id, "role": "member"}))
    own(made.client, made.path, never)
    assert settled(server)
    assert mails_to(mailbox, never) == []
    ok(Client(server, never.token).get(f"{made.path}/stories"))
    own(made.client, made.path, never)
    assert wait_for(lambda: mails_to(mailbox, never)), "a request by token is a sign-in"
    assert len(mails_to(mailbox, never)) == 1


@pytest.mark.parametrize("sign_in", ["password", "write", "commit", "account", "forbidden"])
def test_signing_in_is_any_request(server, team, mailbox, sign_in):
    made, never = team(), Person(server, "Nora Never")
    ok(made.client.post(f"{made.path}/memberships", {"person_id": never.id, "role": "member"}))
    client = Client(server, never.token)
    if sign_in == "password":
        ok(Client(server).get("/me", auth=(never.username, never.password)))
    elif sign_in == "write":
        add_story(client, made.path)
    elif sign_in == "commit":
        ok(client.post("/source_commits", {"source_commit": {"commit_id": "1", "message": "x"}}))
    elif sign_in == "account":
        account = ok(made.client.get(made.path))["account_id"]
        assert client.put(f"/accounts/{account}/memberships/{made.boss.id}", {}).status_code == 403
    else:
        assert client.get("/projects/1/stories").status_code in (403, 404)
    assert wait_for(lambda: server.sql("select 1 from person where id = %s and met_at is not null",
                                       never.id))
    own(made.client, made.path, never)
    assert wait_for(lambda: mails_to(mailbox, never))


def test_who_signs_in_where_no_connection_is_kept(server):
    """The sign-in is recorded after the web server has closed the connection, which may take a while."""
    never = Person(server, "Nora Never")
    with contextlib.closing(psycopg2.connect(server.env["STACK_ADMIN_DB"])) as other:
        other.cursor().execute("select from planwright.person where id = %s for update", (never.id,))
        assert Request(server, "GET", "/me", HTTP_X_TRACKERTOKEN=never.token).answer()[0] == 200
        assert wait_for(lambda: server.sql(
            "select 1 from pg_stat_activity where wait_event_type = 'Lock'"))
        time.sleep(0.5)
    assert wait_for(lambda: server.sql("select 1 from person where id = %s and met_at is not null",
                                       never.id))
    assert "was not recorded" not in server.log("workers")


def test_an_address_is_invited_once_in_a_life(server, team, mailbox):
    made, more = team(), team()
    never = Person(server, "Nora Never")
    for _ in range(2):
        member = ok(made.client.post(f"{made.path}/memberships", {"email": never.email, "role": "member"}))
        own(made.client, made.path, never)
        assert made.client.delete(f"{made.path}/memberships/{member['id']}").status_code == 204
    account = ok(more.client.get(more.path))["account_id"]
    ok(more.client.post(f"/accounts/{account}/memberships", {"email": never.email.upper()}))
    assert settled(server)
    mail, = mails_to(mailbox, never)
    assert mail["Subject"] == "You were added to planwright"
    # Nor does a person who has signed in, or who could never sign in.
    ghost = Person(server, "Ghost")
    server.sql("update person set placeholder = true where id = %s", ghost.id)
    account = ok(made.client.get(made.path))["account_id"]
    server.sql("insert into account_membership (account_id, person_id) values (%s, %s)", account, ghost.id)
    ok(made.client.post(f"{made.path}/memberships", {"email": ghost.email, "role": "member"}))
    assert server.sql("select 1 from person where id = %s and invited_at is null", ghost.id)
    came = here(server, "Carl Came")
    ok(made.client.post(f"{made.path}/memberships", {"email": came.email, "role": "member"}))
    assert settled(server)
    assert mails_to(mailbox, came) == []


def test_who_chose_a_password_has_come(server, team, mailbox):
    made = team()
    address = f"chose.{made.boss.username}@invited.example.test"
    member = ok(made.client.post(f"{made.path}/memberships",
                                 {"email": address, "name": "Cleo", "role": "member"}))
    code, _ = code_in(server, mailbox, address)
    answer = Client(server).post(f"/password_resets/{code}", {"password": "the first one"})
    assert answer.status_code == 204, answer.text
    ok(made.client.post(f"{made.path}/stories", {"name": "A", "owner_ids": [member["person"]["id"]]}))
    assert wait_for(lambda: sum(m["to"] == [address] for m in mailbox.got) == 2)


def test_an_invitation_has_no_words_of_who_invites(server, mailbox):
    boss = Person(server, "Win http://prize.example now")
    client = Client(server, boss.token)
    project = ok(client.post("/projects", {"name": "www.spam.example", "new_account_name": "ad.example"}))
    address = f"{boss.username}@invited.example.test"
    ok(client.post(f"/projects/{project['id']}/memberships",
                   {"email": address, "name": "Click http://bad.example", "role": "viewer"}))
    assert wait_for(lambda: [m for m in mailbox.got if m["to"] == [address]])
    got, = [m for m in mailbox.got if m["to"] == [address]]
    for word in (b"prize", b"spam", b"ad.example", b"bad.example", b"Click", b"Win"):
        assert word not in got["raw"]
    links = [w for w in got["mail"].get_content().split() if "://" in w]
    assert links and all(link.startswith(server.url) for link in links)


# --- a performer's day ------------------------------------------------------------------

def withheld(server):
    return int(ok_status(server)["mails_withheld"])


def ok_status(server):
    return dict(line.split(None, 1) for line in server.ctl("status").stdout.splitlines())


def test_a_performer_has_so_many_mails_a_day(server, team, mailbox):
    made = team("Ann", "Ben")
    ann, ben = made.others
    before = withheld(server)
    for i in range(A_DAY + 3):
        own(made.client, made.path, (ann, ben)[i % 2], f"Story {i}")
    assert settled(server)
    assert len(mails_to(mailbox, ann)) + len(mails_to(mailbox, ben)) == A_DAY
    assert withheld(server) == before + 3
    assert server.sql("select distinct last_error from mail where performer_id = %s and withheld",
                      made.boss.id) == [("not sent: one person's actions caused more than mails_a_day",)]
    told = [n for n in ok(Client(server, ann.token).get("/my/notifications?notification_types=:all"))
            if n["action"] == "ownership"]
    assert len(told) == (A_DAY + 4) // 2, "what is not mailed is told all the same"
    # Other people, and the next day, are not affected.
    own(Client(server, ann.token), made.path, ben)
    assert wait_for(lambda: len(mails_to(mailbox, ben)) == A_DAY // 2 + 1)
    server.sql("update mail set created_at = created_at - interval '25 hours' where performer_id = %s",
               made.boss.id)
    own(made.client, made.path, ann)
    assert wait_for(lambda: len(mails_to(mailbox, ann)) == A_DAY // 2 + 1)


def test_a_crowd_in_one_command_is_cut_there(server, team, mailbox):
    made = team(*(f"P{i}" for i in range(A_DAY + 2)))
    ok(made.client.post(f"{made.path}/stories", {
        "name": "All", "comments": [{"text": " ".join(f"@{p.username}" for p in made.others)}]}))
    assert settled(server)
    assert sum(len(mails_to(mailbox, p)) for p in made.others) == A_DAY


def test_invitations_count_and_come_another_day(server, team, mailbox):
    made = team()
    addresses = [f"{i}.{made.boss.username}@invited.example.test" for i in range(A_DAY + 2)]

    def invited():
        return [a for a in addresses if any(m["to"] == [a] for m in mailbox.got)]
    for address in addresses:
        ok(made.client.post(f"{made.path}/memberships",
                            {"email": address, "name": "N", "role": "viewer"}))
    assert settled(server)
    assert len(invited()) == A_DAY
    server.sql("update letter set created_at = created_at - interval '25 hours' where performer_id = %s",
               made.boss.id)
    other = f"/projects/{new_project(made.client)['id']}"
    for address in addresses:
        ok(made.client.post(f"{other}/memberships", {"email": address, "role": "viewer"}))
    assert settled(server)
    assert len(invited()) == A_DAY + 2
    assert all(sum(m["to"] == [a] for m in mailbox.got) == 1 for a in addresses)


def test_status_counts_letters_that_wait(server, mailbox):
    server.part("stop", "sender")
    try:
        before = int(ok_status(server)["mails_waiting"])
        address = f"w{time.time_ns()}@invited.example.test"
        server.ctl("person", "add", "--name", "W", "--email", address, "--invite")
        assert int(ok_status(server)["mails_waiting"]) == before + 1
    finally:
        server.part("start", "sender")
    assert wait_for(lambda: [m for m in mailbox.got if m["to"] == [address]])


# --- addresses of hooks ------------------------------------------------------------------

SILENCE = "no answer: could not connect, or timed out"


@pytest.mark.parametrize("url", [
    "http://127.0.0.1:9/", "http://10.255.255.1:22/", "http://169.254.169.254/", "http://[::1]:5432/",
    "http://nothing.invalid/", "http://localhost:1/", "ssh"])
def test_a_fault_says_nothing_of_the_network(server, team, url):
    made, ssh = team(), None
    if url == "ssh":  # a port that is open, but speaks another protocol
        ssh = socket.create_server(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{ssh.getsockname()[1]}/"

        def greet():
            taken, _ = ssh.accept()
            taken.recv(65536)
            taken.sendall(b"SSH-2.0-OpenSSH_9.2p1\r\n")
            taken.close()
        threading.Thread(target=greet, daemon=True).start()
    number = made.hook(url)
    add_story(made.client, made.path)
    assert wait_for(lambda: server.sql("select 1 from delivery where webhook_id = %s"
                                       " and last_error is not null", number), 20)
    told = ok(made.client.get(f"{made.path}/webhooks/{number}"))
    assert (told["last_error_code"], told["last_response_body"]) == (0, SILENCE)
    assert server.sql("select last_error from delivery where webhook_id = %s", number)[0] == (SILENCE,)
    log = server.ctl("webhook", "log", made.path.split("/")[2]).stdout
    assert SILENCE in log and "resolve" not in log and "refused" not in log
    if ssh:
        ssh.close()


@pytest.mark.parametrize("role", ["viewer", "member", "owner"])
def test_viewers_see_no_address_of_a_hook(server, team, role):
    made = team()
    person = here(server, "Vera")
    ok(made.client.post(f"{made.path}/memberships", {"person_id": person.id, "role": role}))
    client, url = Client(server, person.token), "https://hooks.example.com/secret-path"
    number = made.hook(url)
    one = f"{made.path}/webhooks/{number}"
    answers = [client.get(path) for path in (
        f"{made.path}/webhooks", one, f"{one}?fields=webhook_url", f"{one}?fields=:default,webhook_url",
        f"{made.path}/webhooks?fields=webhook_url,enabled", f"{one}?envelope=true")]
    answers.append(client.post("/aggregator", [f"/services/v5{one}", f"/services/v5{made.path}/webhooks"]))
    assert [a.status_code for a in answers] == [200] * len(answers)
    assert [url in a.text for a in answers] == [role != "viewer"] * len(answers)
    assert ['"webhook_url"' in a.text for a in answers] == [role != "viewer"] * len(answers)
    hooks = [ok(client.get(f"{made.path}/{path}")) for path in ("activity", "webhooks")]
    assert (url in str(hooks)) == (role != "viewer")
    assert client.get(f"{made.path}/export.zip").status_code == (200 if role == "owner" else 403)
