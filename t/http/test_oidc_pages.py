"""What nginx itself answers a browser on its way to a provider is also a page with one sentence (contract 1.19)."""

import pytest

from conftest import Stack, stack_folder
from provider import Browser


@pytest.fixture(scope="module")
def server():
    made = Stack(stack_folder("pages"), workers=1, sign_ins=1)
    yield made
    made.close(expects_5xx=True)


def is_page(answer, status, words, language="en"):
    assert answer.status_code == status, f"{answer.status_code} {answer.text}"
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert f'<html lang="{language}">' in answer.text and f"<strong>{words}" in answer.text
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    policy = answer.headers.get_all("Content-Security-Policy")
    assert len(policy) == 1 and "default-src 'none'" in policy[0] and "style-src 'self'" in policy[0]


def test_too_many(server):
    browser = Browser(server)
    browser.patient = False
    for _ in range(120):
        answer = browser.page("/session/oidc/none")
        if answer.status_code == 429:
            break
        assert answer.status_code == 404
    is_page(answer, 429, "Too many people are signing in at the moment")
    is_page(browser.page("/session/oidc/none/callback?state=x", **{"Accept-Language": "de-AT,de;q=0.9,en;q=0.8"}), 429,
            "Gerade melden sich zu viele an", "de")
    is_page(browser.page("/session/oidc/none", **{"Accept-Language": "den"}), 429, "Too many people are signing in")


def test_nobody_answers(server):
    server.part("stop", "workers")
    try:
        answer = Browser(server).page("/session/remote_user")
        assert answer.status_code == 404, "no such location without a proxy"
        server.part("stop", "nginx"), server.part("start", "nginx")  # and the rate limits start anew
        answer = Browser(server).page("/session/oidc/none")
        is_page(answer, 502, "The server cannot answer at the moment")
        is_page(Browser(server).page("/session/oidc/none", **{"Accept-Language": "de"}), 502, "Der Server kann gerade nicht antworten", "de")
        answer = Browser(server).page("/services/v5/me")
        assert answer.status_code == 502 and answer.json()["code"] == "service_unavailable", "programs get JSON"
    finally:
        server.part("start", "workers")
