"""Pages for browsers: the board, which is a single file for all its addresses, and the API reference; nginx serves
them by itself, so they reveal nothing about what exists at an address. A build without the board has plain pages
instead."""

import gzip
import pathlib
import re

import pytest

from conftest import BUILD

PLAIN = ("default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'")
BOARD = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
         "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
         "require-trusted-types-for 'script'; trusted-types 'none'")
HAS_BOARD = (pathlib.Path(BUILD) / "web/dist/index.html").exists()


def page(api, stack, path, csp=PLAIN):
    answer = api().get(stack.url + path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers.get_all("Content-Security-Policy") == [csp]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.text.startswith("<!DOCTYPE html>")
    return answer.text


def own(api, stack, path):
    """An address of the board."""
    return page(api, stack, path, BOARD if HAS_BOARD else PLAIN)


def test_interface(api, stack):
    assert "openapi.json" in page(api, stack, "/docs")


def test_links_lead_somewhere(api, stack):
    for path in ("/", "/docs", "/story/show/1"):
        text = page(api, stack, path) if path == "/docs" else own(api, stack, path)
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
    for path in ("/docs",) if HAS_BOARD else ("/", "/docs", "/projects/1"):
        text = page(api, stack, path)
        assert not re.search(r"<script|<img|<iframe|<form|style=|\son\w+=", text)


@pytest.mark.parametrize("address", ["/story/show/{}", "/epic/show/{}", "/projects/{}",
                                     "/n/projects/{}", "/n/projects/{}/stories/1",
                                     "/story/show/{}/"])
def test_addresses_of_things(api, stack, world, address):
    """The same for what exists, what does not, and what the caller may not see."""
    there = world.own.story if "story" in address else world.own.project
    texts = {own(api, stack, address.format(number)) for number in (there, 1, 10 ** 30)}
    for who in (world.owner, world.stranger, world.clients["bad"]):
        answer = who.get(stack.url + address.format(there))
        texts.add(answer.text)
        answer = who.get(stack.url + address.format(there), headers={"Accept": "application/json"})
        texts.add(answer.text)
    assert len(texts) == 1
    assert ("/assets/" if HAS_BOARD else "Sign in") in texts.pop()


def test_answers_name_pages(api, stack, world):
    story = world.owner.get(f"/stories/{world.own.story}").json()
    assert story["url"].startswith(stack.url)
    own(api, stack, story["url"].removeprefix(stack.url))


@pytest.mark.parametrize("path", [
    "/", "/signin", "/dashboard", "/profile", "/accounts/1", "/n/projects/1",
    "/n/projects/1/stories/2", "/n/projects/1/epics/2", "/story/show/1", "/stories/1", "/story/1",
    "/projects/1/stories/2", "/epic/show/1", "/projects/1/overview", "/projects/1/settings",
    "/projects/1/members", "/projects/1/labels", "/projects/1/import", "/projects/1/export",
    "/projects/1/integrations",
    "/n/workspaces/1", "/signin?next=/n/projects/1"])
def test_addresses_of_the_board(api, stack, path):
    own(api, stack, path)
    answer = api().request("HEAD", stack.url + path)
    assert answer.status_code == 200
    if HAS_BOARD:
        assert answer.headers.get_all("Cache-Control") == ["no-cache"]
        assert answer.headers.get_all("Referrer-Policy") == ["same-origin"]
        assert answer.headers.get_all("Cross-Origin-Opener-Policy") == ["same-origin"]


def test_files_of_the_board(api, stack):
    if not HAS_BOARD:
        assert api().get(stack.url + "/assets/icon.svg").status_code == 404
        return
    names = re.findall(r'"(/assets/[^"]*)"', own(api, stack, "/"))
    assert {name.rsplit(".", 1)[1] for name in names} == {"js", "css", "svg", "json"}
    for name in names:
        answer = api().get(stack.url + name)
        assert answer.status_code == 200
        assert answer.headers.get_all("Cache-Control") == ["public, max-age=31536000, immutable"]
        assert re.search(r"-[0-9A-Za-z]{8}\.", name), f"{name} has no hash"
        assert answer.headers["Content-Encoding"] == "gzip"
        plain = api().get(stack.url + name, headers={"Accept-Encoding": "identity"})
        assert plain.content == answer.content
    assert gzip.decompress((pathlib.Path(BUILD) / "web/dist/index.html.gz").read_bytes())


@pytest.mark.parametrize("path", ["/x", "/docs/x", "/story/show/x", "/story/show/", "/projects",
                                  "/n/projects/x", "/-/pages/index.html", "/-/pages/", "/-/x",
                                  "/index.html", "/projects/1/x", "/services", "/assets/",
                                  "/assets/x.js", "/assets/../index.html", "/signin/x", "/web",
                                  "/n/workspaces/x", "/accounts/x", "/n/projects/1/stories/x"])
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
