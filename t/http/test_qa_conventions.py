"""Answers to requests that fail before their route is known."""

import pytest


@pytest.mark.parametrize("method, path, status", [
    ("GET", "/nowhere", 404), ("DELETE", "/me", 405), ("GET", "/projects/abc", 404),
    ("GET", "/projects/0/stories", 404)])
def test_an_early_error_is_wrapped_too(world, method, path, status):
    answer = world.owner.request(method, path + "?envelope=true")
    assert answer.status_code == status
    assert set(answer.json()) == {"data", "http_status"}
    assert answer.json()["http_status"] == str(status)
    assert answer.json()["data"]["kind"] == "error"
