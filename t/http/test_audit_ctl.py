"""planwrightctl and the audit log: what its commands write."""

import getpass

from mails import mailbox  # noqa: F401
from test_audit import entries, last, make, person, place, server  # noqa: F401


def test_what_operators_do(place, server, tmp_path):
    user, ada, ctl = f"ctl:{getpass.getuser()}", place.ada, server.ctl
    told = lambda act: {k: v for k, v in last(place, act).items() if k != "new"}  # noqa: E731
    by_ctl = {"by": user, "object": person(ada)}
    ctl("person", "second-factor", "off", ada.username, check=False)
    assert entries(place, act="second_factor_off") == [], "there was none"
    server.secrets.append("staples and horses")
    ctl("passwd", ada.username, "--password-file", "-", stdin="staples and horses\n")
    assert told("password_change") == by_ctl
    ctl("token", "rotate", ada.username)
    assert told("api_token_change") == by_ctl
    ctl("session", "end", ada.username)
    assert told("session_end") == by_ctl
    ctl("person", "rename", ada.username, "--name", "Ada Renamed")
    assert entries(place, act="address_change") == []
    ctl("person", "rename", ada.username, "--email", f"else.{ada.email}")
    assert last(place, "address_change") == {
        **by_ctl, "old": {"email": ada.email, "username": ada.username},
        "new": {"email": f"else.{ada.email}", "username": ada.username}}
    ctl("person", "disable", ada.username)
    assert told("person_disable") == by_ctl
    ctl("person", "enable", ada.username)
    assert told("person_enable") == by_ctl
    named = make(place, name="Ctl ends it")
    ctl("token", "revoke", place.username, "--token", str(named["id"]))
    assert last(place, "token_delete") == {
        "by": user, "object": {"kind": "token", "id": named["id"], "name": "Ctl ends it"}}
    ctl("token", "revoke", ada.username)
    assert last(place, "token_delete") == {**by_ctl, "new": {"tokens": "all"}}
    ctl("export", str(place.project), "--out", str(tmp_path / "x.zip"))
    assert last(place, "project_export") == {
        "by": user, "project_id": place.project, "object": {"kind": "project", "id": place.project}, "new": {"form": "zip"}}
    ctl("account", "give", str(place.account), "--owner", ada.username)
    assert place.client.get(place.log).status_code == 403
    ctl("account", "give", str(place.account), "--owner", place.username)
    assert last(place, "account_change") == {
        "by": user, "object": {"kind": "account", "id": place.account}, "new": {"owner_id": place.id}}
    ctl("person", "remove", ada.username, "--heir", place.username, "--yes")
    assert told("person_delete") == by_ctl
    assert {e["by"] for e in entries(place, act="membership_delete")} == {user}
    ctl("project", "delete", str(place.project), "--yes")
    gone = last(place, "project_delete")
    assert gone["by"] == user and "person_id" not in gone and gone["project_id"] == place.project


def test_what_operators_do_to_the_server(server, tmp_path):
    server.ctl("backup", str(tmp_path / "b"), "--without-secret")
    server.ctl("secret", "rotate", "--out", str(tmp_path / "secret"))
    server.secrets.append((tmp_path / "secret").read_text().strip())
    (tmp_path / "secret").rename(server.directory / "secret")
    rows = server.sql("""select act, means, account_id from audit_entry
        where act in ('backup', 'secret_rotate') order by id""")
    assert rows == [(act, f"ctl:{getpass.getuser()}", None) for act in ("backup", "secret_rotate")]
