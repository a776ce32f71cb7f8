"""Pages for browsers: what the server is, how to sign in, and the interface; nothing that nginx
does not answer by itself, and nothing of what is behind an address."""

import re

import pytest

CSP = ("default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
       "frame-ancestors 'none'")


def page(api, stack, path, status=200):
    answer = api().get(stack.url + path)
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers.get_all("Content-Security-Policy") == [CSP]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.text.startswith("<!DOCTYPE html>")
    return answer.text


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_page(api, stack, path):
    assert "openapi.json" in page(api, stack, path)


def test_links_lead_somewhere(api, stack):
    for path in ("/", "/docs", "/story/show/1"):
        text = page(api, stack, path)
        anchors = set(re.findall(r'id="([^"]*)"', text))
        for link in set(re.findall(r'href="([^"]*)"', text)):
            if link.startswith("#"):
                assert link[1:] in anchors, f"{path} has no {link}"
            elif link != "/services/v5":
                assert api().get(stack.url + link).status_code == 200, link


def test_style(api, stack):
    answer = api().get(stack.url + "/-/style.css")
    assert answer.headers["Content-Type"] == "text/css; charset=utf-8"
    assert "url(" not in answer.text and "@import" not in answer.text


def test_nothing_else_is_loaded(api, stack):
    for path in ("/", "/docs", "/projects/1"):
        text = page(api, stack, path)
        assert not re.search(r"<script|<img|<iframe|<form|style=|\son\w+=", text)


@pytest.mark.parametrize("address", ["/story/show/{}", "/epic/show/{}", "/projects/{}",
                                     "/n/projects/{}", "/n/projects/{}/stories/1",
                                     "/story/show/{}/"])
def test_addresses_of_things(api, stack, world, address):
    """The same for what is there, what is not, and what the caller may not see."""
    there = world.own.story if "story" in address else world.own.project
    texts = {page(api, stack, address.format(number)) for number in (there, 1, 10 ** 30)}
    for who in (world.owner, world.stranger, world.clients["bad"]):
        answer = who.get(stack.url + address.format(there))
        texts.add(answer.text)
        answer = who.get(stack.url + address.format(there), headers={"Accept": "application/json"})
        texts.add(answer.text)
    assert len(texts) == 1
    assert "Sign in" in texts.pop()


def test_answers_name_pages(api, stack, world):
    story = world.owner.get(f"/stories/{world.own.story}").json()
    assert story["url"].startswith(stack.url)
    page(api, stack, story["url"].removeprefix(stack.url))


@pytest.mark.parametrize("path", ["/x", "/docs/x", "/story/show/x", "/story/show/", "/projects",
                                  "/n/projects/x", "/-/pages/index.html", "/-/pages/", "/-/x",
                                  "/index.html", "/projects/1/x", "/services"])
def test_all_else_is_json(api, stack, path):
    answer = api().get(stack.url + path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert answer.json()["code"] == "route_not_found"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_pages_are_read(api, stack, method):
    answer = api().request(method, stack.url + "/docs")
    assert answer.status_code == 405 and answer.json()["kind"] == "error"


def test_head(api, stack):
    answer = api().request("HEAD", stack.url + "/story/show/1")
    assert answer.status_code == 200 and answer.content == b""


def test_a_page_that_is_known(api, stack):
    tag = api().get(stack.url + "/docs").headers["ETag"]
    assert api().get(stack.url + "/docs", headers={"If-None-Match": tag}).status_code == 304
