"""Shared by the tests of files in an object store: the store, and servers that use it."""

import contextlib
import os

import pytest

from conftest import Client, Person, Stack, stack_folder
from store import SECRET, Swift
from team import Team


@pytest.fixture(scope="module")
def swift():
    store = Swift(stack_folder("swift") / "swift")
    yield store
    store.close()


def team_of(stack):
    return Team(stack, lambda p: Client(stack, p.token), lambda name: Person(stack, name))


@contextlib.contextmanager
def stored(settings, expects_5xx=False, **more):
    """A server with the given lines of Swift.settings()."""
    server = Stack(stack_folder("stored"), settings=settings, **more)
    server.secrets.append(SECRET)
    yield server
    server.close(expects_5xx)


def place_of(made, suffix=""):
    """The path below the prefix, or below the folder."""
    return f"{made['id'] & 255:02x}/{made['id']}{suffix}"


def in_folder(stack):
    """The files in the server's own folder."""
    top = stack.directory / "files"
    # os.walk passes over folders that are deleted meanwhile.
    return sorted(os.path.relpath(os.path.join(folder, name), top)
                  for folder, _, names in os.walk(top) for name in names)
