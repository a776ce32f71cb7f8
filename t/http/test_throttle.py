"""Limits on password guesses and requested links, by person and network (contract 1.1)."""

import concurrent.futures
import json

import pytest

from conftest import Client, Person, Stack, stack_folder, wait_for
from fastcgi import Request
from mails import mailbox, settings  # noqa: F401
from test_passwords import code_in, mails_to
from world import ok

OWN = {"HTTP_X_REQUESTED_WITH": "planwright"}
NEW = "an entirely new one"


@pytest.fixture(scope="module")
def server(mailbox):
    made = Stack(stack_folder("throttle"), workers=2, settings=settings(mailbox))
    made.secrets.append(NEW)
    yield made
    made.close()


@pytest.fixture(scope="module")
def crowded():
    """More workers than anybody has tries among many networks."""
    made = Stack(stack_folder("throttle"), workers=6)
    made.secrets.append(NEW)
    yield made
    made.close()


@pytest.fixture
def ada(server):
    made = Person(server, "Ada Guessed")
    assert made.password, "which is cheap to compare with from now on"
    return made


def send(server, network, method, path, body, **more):
    """Sends a request as nginx passes one on that came from this network."""
    text = json.dumps(body).encode()
    request = Request(server, method, path, REMOTE_ADDR=network, CONTENT_TYPE="application/json",
                      CONTENT_LENGTH=str(len(text)), **more)
    return request.body(text).answer()[0]


def sign_in(who, network, password=None):
    return send(who.stack, network, "POST", "/session",
                {"login": who.email, "password": password or who.password}, **OWN)


def guesses(who, network, n):
    return [sign_in(who, network, f"not it {i}") for i in range(n)]


def put(who, network, old, new=NEW, **more):
    return send(who.stack, network, "PUT", "/me/password",
                {"old_password": old, "new_password": new, **more}, HTTP_X_SERVICETOKEN=who.token)


def failed_from(who, networks):
    """Inserts failures, without the time that real ones would take."""
    who.stack.sql("insert into sign_in_failure (login, network) select %s, n from unnest(%s) n",
                  f"person {who.id}", networks)


def nets(n, block="198.18"):
    return [f"{block}.{i // 250}.{i % 250 + 1}" for i in range(n)]


def test_who_is_wrong_keeps_nobody_else_out(ada):
    assert guesses(ada, "192.0.2.1", 11) == [403] * 10 + [429]
    assert sign_in(ada, "192.0.2.1") == 429
    assert sign_in(ada, "192.0.2.2") == 200
    # Half of an IPv6 address is the network.
    assert guesses(ada, "2001:db8:1:2::1", 5) + guesses(ada, "2001:db8:1:2:ffff::9", 6) == [403] * 10 + [429]
    assert sign_in(ada, "2001:db8:1:3::1") == 200


def test_a_known_network_has_more_tries_and_an_end(ada):
    assert sign_in(ada, "192.0.2.3") == 200
    assert guesses(ada, "192.0.2.3", 12) == [403] * 12
    assert sign_in(ada, "192.0.2.3") == 200
    failed_from(ada, ["192.0.2.3"] * 18)
    assert sign_in(ada, "192.0.2.3") == 429


@pytest.mark.parametrize("way", ["put", "link", "ctl"])
def test_with_the_password_ends_what_is_known(server, mailbox, ada, way):
    assert sign_in(ada, "192.0.2.4") == 200
    if way == "put":
        assert put(ada, "192.0.2.4", ada.password) == 204
    elif way == "ctl":
        server.ctl("passwd", ada.username, stdin=NEW)
    else:
        assert send(server, "192.0.2.9", "POST", "/password_resets", {"email": ada.email}) == 204
        code, _ = code_in(server, mailbox, ada.email)
        assert send(server, "192.0.2.9", "POST", f"/password_resets/{code}", {"password": NEW}) == 204
    failed_from(ada, ["192.0.2.4"] * 10)
    assert sign_in(ada, "192.0.2.4", NEW) == 429
    assert sign_in(ada, "192.0.2.5", NEW) == 200


@pytest.mark.parametrize("method, path, wrong, right", [
    ("PUT", "/me/password", {"old_password": "no", "new_password": NEW}, "old_password"),
    ("POST", "/me/token", {"password": "no"}, "password"),
    ("PUT", "/me", {"email": "other@example.test", "password": "no"}, "password")])
def test_a_stolen_token_guesses_as_anybody(server, ada, method, path, wrong, right):
    token = {"HTTP_X_SERVICETOKEN": ada.token}
    for known in (False, True):
        network = "192.0.2.7" if known else "192.0.2.6"
        if known:
            assert sign_in(ada, network) == 200
        got = [send(server, network, method, path, wrong, **token) for _ in range(35)]
        tries = 30 if known else 10
        assert got == [403] * tries + [429] * (35 - tries)
        assert send(server, network, method, path, {**wrong, right: ada.password}, **token) == 429
    assert sign_in(ada, "192.0.2.8") == 200


def at_once(who, network, n):
    """The statuses of so many wrong passwords that are sent at the same moment."""
    with concurrent.futures.ThreadPoolExecutor(n) as pool:
        return sorted(pool.map(lambda i: sign_in(who, network, f"at once {i}"), range(n)))


def tries_of(who):
    return who.stack.sql("select count(*) from sign_in_failure where login = %s", f"person {who.id}")[0][0]


def test_those_sent_at_the_same_moment_count_for_each_other(crowded):
    """A password takes long to compare, here as long as it does for people."""
    ada = Person(crowded, "Ada At Once")
    assert put(ada, "192.0.2.20", ada.password) == 204
    for left in (1, 3):
        network = f"192.0.2.{20 + left}"
        failed_from(ada, [network] * (10 - left))
        got = at_once(ada, network, 6)
        compared = got.count(403)
        assert compared <= left and got.count(429) == 6 - compared
        assert guesses(ada, network, left + 1) == [403] * (left - compared) + [429] * (compared + 1)
        assert sign_in(ada, network, NEW) == 429
    assert at_once(ada, "192.0.2.29", 6) == [403] * 6
    assert guesses(ada, "192.0.2.29", 5) == [403] * 4 + [429], "and no more than that are lost"


def test_what_is_right_counts_for_nothing(crowded):
    ada = Person(crowded, "Ada Right")
    for network in ("192.0.2.30", "192.0.2.30", "192.0.2.31"):
        assert sign_in(ada, network) == 200
    token = {"HTTP_X_SERVICETOKEN": ada.token}
    assert send(crowded, "192.0.2.32", "POST", "/me/token", {"password": ada.password}, **token) == 200
    assert tries_of(ada) == 0
    assert sign_in(ada, "192.0.2.30", "wrong") == 403
    assert tries_of(ada) == 1


def test_one_that_is_still_compared_is_not_wrong_yet(crowded):
    """Who comes at that moment waits a second, and is not recorded as refused; one whose worker died is forgotten."""
    ada = Person(crowded, "Ada Waits")
    failed_from(ada, nets(40))
    pending = "insert into sign_in_failure (login, network, pending, created_at) values (%s, '192.0.2.40', true, now() - %s * interval '1 second')"
    crowded.sql(pending, f"person {ada.id}", 61)
    crowded.sql(pending, f"person {ada.id}", 0)
    before = crowded.log("workers").count("a sign-in was refused")
    text = json.dumps({"login": ada.email, "password": ada.password}).encode()
    request = Request(crowded, "POST", "/session", REMOTE_ADDR="192.0.2.40", CONTENT_TYPE="application/json",
                      CONTENT_LENGTH=str(len(text)), **OWN)
    status, body = request.body(text).answer()
    assert status == 429 and b"at the moment" in body and b"Retry-After: 1\r\n" in request.head
    assert crowded.log("workers").count("a sign-in was refused") == before
    crowded.sql("delete from sign_in_failure where pending and created_at > now() - interval '30 seconds'")
    assert sign_in(ada, "192.0.2.40") == 200


def test_among_many_networks_each_has_fewer_tries_but_one(server, mailbox, ada):
    for networks, tries in ((nets(3), 5), (nets(10), 2), (nets(40), 1)):
        failed_from(ada, networks)
        network = f"192.0.2.{100 + tries}"
        assert guesses(ada, network, tries + 1) == [403] * tries + [429]
        assert sign_in(ada, network) == 429
    assert sign_in(ada, "192.0.2.50") == 200
    failed_from(ada, ["192.0.2.50"] * 5)
    assert sign_in(ada, "192.0.2.50") == 200, "it is known"


def test_who_is_guessed_at_is_told_once(server, mailbox, ada):
    def told():
        return [m for m in mails_to(mailbox, ada.email) if m["Subject"] == "Wrong passwords for your account at planwright"]

    failed_from(ada, nets(3))
    assert guesses(ada, "192.0.2.60", 1) == [403]
    assert server.sql("select warned_at from person where id = %s", ada.id) == [(None,)]
    assert guesses(ada, "192.0.2.61", 2) + guesses(ada, "192.0.2.62", 2) == [403] * 4
    assert wait_for(told)
    # The sender takes letters in order: one that is requested now is sent after it.
    assert send(server, "192.0.2.63", "POST", "/password_resets", {"email": ada.email}) == 204
    code_in_second(server, mailbox, ada)
    mail, = told()
    text = mail.get_content()
    assert "many places" in text and f"{server.url}/choose_password" in text and ada.name not in text
    assert server.sql("select count(*), count(code_hash) from letter where person_id = %s and kind = 'guesses'",
                      ada.id) == [(1, 0)]
    server.sql("update person set warned_at = warned_at - interval '25 hours' where id = %s", ada.id)
    assert guesses(ada, "192.0.2.64", 1) == [403]
    assert wait_for(lambda: len(told()) == 2)


def code_in_second(server, mailbox, who):
    """The link in the second mail."""
    assert wait_for(lambda: len(mails_to(mailbox, who.email)) >= 2)
    return code_in(server, mailbox, who.email, 2)


def test_what_nobody_is_called_is_counted_alike(server):
    def tried(network):
        return send(server, network, "POST", "/session", {"login": "nobody@else.test", "password": "x"}, **OWN)

    assert tried("192.0.2.1") == 403
    server.sql("insert into sign_in_failure (login, network) select f.login, f.network from generate_series(1, 9),"
               " (select * from sign_in_failure where login ~ '^nobody' order by id desc limit 1) f")
    assert tried("192.0.2.1") == 429
    assert tried("192.0.2.2") == 403


def test_no_log_has_what_was_typed(server, ada):
    typed = "correct horses typed as a name"
    server.secrets.append(typed)
    for login in (typed, typed.upper(), ada.token):
        assert send(server, "192.0.2.70", "POST", "/session", {"login": login, "password": "x"}, **OWN) == 403
    assert sign_in(ada, "192.0.2.70", "not it") == 403
    lines = [line for line in server.log("workers").splitlines() if "192.0.2.70," in line]
    assert [line.split(", ")[1].split()[0] for line in lines] == ["nobody"] * 3 + ["person"]
    assert lines[0].split("nobody ")[1] == lines[1].split("nobody ")[1] != lines[2].split("nobody ")[1]
    assert lines[3].endswith(f", person {ada.id}")


# --- links ----------------------------------------------------------------------------

def test_nobody_takes_a_link_from_who_asks_elsewhere(server, mailbox, ada):
    def ask(network):
        assert send(server, network, "POST", "/password_resets", {"email": ada.email}) == 204

    def letters():
        return server.sql("select count(*) from letter where person_id = %s or email = %s", ada.id, ada.email)[0][0]

    for _ in range(3):
        ask("192.0.2.80")
    assert letters() == 1
    code, _ = code_in(server, mailbox, ada.email)
    # As if the person had asked from there many times before.
    server.sql("insert into letter (kind, asked, network, delivered_at, created_at) select 'reset', l.asked, n,"
               " now(), now() - interval '3 minutes' from letter l, unnest(%s) n where l.person_id = %s",
               ["192.0.2.80"] * 12, ada.id)
    ask("192.0.2.80")
    assert letters() == 1
    ask("192.0.2.81")
    assert letters() == 2
    code_in(server, mailbox, ada.email, 2)
    # The first link stays valid until one of them is used.
    assert send(server, "192.0.2.81", "POST", f"/password_resets/{code}", {"password": NEW}) == 204
    assert sign_in(ada, "192.0.2.81", NEW) == 200


def test_a_mailbox_is_not_filled_from_many_networks(server, ada):
    def asked(network):
        before = server.sql("select count(*) from letter")
        assert send(server, network, "POST", "/password_resets", {"email": ada.email}) == 204
        return server.sql("select count(*) from letter") != before

    assert sign_in(ada, "192.0.2.91") == 200
    assert asked("192.0.2.90")
    server.sql("insert into letter (kind, asked, network, delivered_at) select 'reset', l.asked, n, now()"
               " from letter l, unnest(%s) n where network = '192.0.2.90'", nets(50))
    assert not asked("192.0.2.92")
    assert asked("192.0.2.91"), "it is known"
    server.sql("update letter set created_at = created_at - interval '6 minutes'")
    assert asked("192.0.2.92")


# --- tokens ---------------------------------------------------------------------------

@pytest.mark.parametrize("way, keep", [("put", None), ("put", False), ("put", True), ("link", None), ("link", True),
                                       ("page", None), ("page", True)])
def test_the_token_ends_unless_it_is_kept(server, mailbox, ada, way, keep):
    more = {} if keep is None else {"keep_token": keep}
    if way == "put":
        assert put(ada, "192.0.2.99", ada.password, **more) == 204
    else:
        assert send(server, "192.0.2.99", "POST", "/password_resets", {"email": ada.email}) == 204
        code, _ = code_in(server, mailbox, ada.email)
    if way == "link":
        assert send(server, "192.0.2.99", "POST", f"/password_resets/{code}", {"password": NEW, **more}) == 204
    elif way == "page":
        page = Client(server, base="")
        assert 'type="checkbox" name="keep_token" value="true"' in page.get(f"/choose_password/{code}").text
        data = {"password": NEW, **({"keep_token": "true"} if keep else {})}
        assert page.post(f"/choose_password/{code}", data=data).status_code == 200
    assert Client(server, ada.token).get("/me").status_code == (200 if keep else 403)
    token = ok(Client(server).get("/me", auth=(ada.email, NEW)))["api_token"]
    server.secrets.append(token)
    assert (token == ada.token) == bool(keep)


def test_what_is_no_choice(server, ada):
    for wrong in ("yes", 1, None, "true"):
        assert put(ada, "192.0.2.98", ada.password, keep_token=wrong) == 400
    assert Client(server, ada.token).get("/me").status_code == 200
