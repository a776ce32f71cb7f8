"""planwrightctl and OpenID providers: doctor, and oidc try."""

import os
import subprocess

import pytest

from test_oidc import Place


@pytest.fixture(scope="module")
def place():
    made = Place()
    yield made
    made.close()


def test_doctor(place):
    plain, doctor = place.of["plain"], lambda: place.server.ctl("doctor", check=False).stdout
    plain.answers["/auth"] = lambda handler: handler.give(b"a form", kind="text/html")
    try:
        assert f"ok    oidc plain: it sends people to {place.server.url}/session/oidc/plain/callback\n" in doctor()
        plain.answers["/auth"] = lambda handler: handler.give({"error": "invalid_redirect_uri"}, 400)
        assert f"wrong oidc plain: it refuses the client planwright with the redirect address {place.server.url}/" in doctor()
        plain.document = {"issuer": "https://other.example"}
        assert "wrong oidc plain: the provider's document names another issuer" in doctor()
    finally:
        plain.behave()


def test_trying(place):
    fresh = place.of["fresh"]
    command = [place.server.env["STACK_CTL"], "oidc", "try", "fresh"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "PLANWRIGHT_CONF": place.server.env["STACK_CONF"]}) as ctl:
        url = [ctl.stdout.readline() for _ in range(2)][1].strip()
        out, _ = ctl.communicate(fresh.approve(url, sub="tried", email="tried@new.test", email_verified=True) + "\n")
    assert ctl.returncode == 0 and 'sub\t"tried"\n' in out and "email_verified\ttrue\n" in out
    assert out.endswith("a sign-in: a new person is added\n")
    assert place.server.sql("select 1 from person where email = 'tried@new.test'") == []
    assert "does not name none" in place.server.ctl("oidc", "try", "none", check=False).stderr
