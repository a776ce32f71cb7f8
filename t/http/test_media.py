"""planwright-media and pictures that are made to harm it: they are stored as plain files."""

import concurrent.futures
import fcntl
import gzip
import os
import pathlib
import random
import re
import time
import zlib

import pytest

from conftest import BUILD, wait_for
from hostile import gif, jpeg_of_scans, png, webp
from team import team  # noqa: F401 (a fixture)
from test_uploads import attach, team_of, upload

# The system call filter must be that of the build that ships. Tests that keep planwright-media busy are run alone: one
# serves all servers of a user.
pytestmark = pytest.mark.both

SANITIZED = BUILD.rstrip("/").endswith("sanitized")
PIXELS_MAX = 15_000_000
# The limit is 3 seconds; the rest is for starting and ending, on a machine that is busy.
SECONDS = 10


def running(stack):
    """The process ids of the server's planwright-media, each with its status in /proc."""
    program, found = str(stack.directory / "planwright-media"), {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(folder / "exe") == program:
                found[folder.name] = (folder / "status").read_text() + (folder / "limits").read_text()
        except OSError:
            pass
    return found


def noise(begin):
    return bytes.fromhex(begin) + random.Random(begin).randbytes(300)


@pytest.mark.parametrize("content", [
    bytes(range(256)), bytes(range(256)) * 40, b"\0\0\2" + bytes(400), noise("b88a7eeaa728118b"),
    noise("eb074ad6207848ac"), noise("56f1e79b8d06946d"), noise("1f8b59fc7fa542f6"),
    noise("0112d026e06ec4a5")], ids=["all bytes", "many bytes", "like a tga", "like a COM program", "with a jump",
                                     "like a stream", "nearly gzip", "like BASIC"])
def test_bytes_without_a_form_have_no_guessed_type(team, content):
    made = upload(team.member, team, content, "x")
    assert (made["content_type"], made["thumbnailable"]) == ("application/octet-stream", False)


def test_what_has_a_form_has_its_type(team):
    for content, kind in ((gzip.compress(b"x" * 100), "application/gzip"), (b"%PDF-1.4\n" + bytes(50), "application/pdf"),
                          (b"MZ\x90\0\3\0\0\0\4\0\0\0\xff\xff" + bytes(300), "application/x-dosexec"),
                          (b"plain", "text/plain")):
        assert upload(team.member, team, content, "x")["content_type"] == kind


@pytest.mark.parametrize("content, kind, size", [
    (png(5001, 3000), "image/png", (5001, 3000)),
    (png(2**31 - 1, 1, b""), "image/png", None),
    (png(60000, 60000, zlib.compress(bytes(1 << 20))), "image/png", (60000, 60000)),
    (png(3000, 3000)[:3000], "image/png", (3000, 3000)),
    (png(3000, 3000, kind=2), "image/png", (3000, 3000)),
    (gif(65535, 65535, bytes(100) + b";"), "image/gif", (65535, 65535)),
    (gif(2000, 2000, b"\xff" * 1000), "image/gif", (2000, 2000)),
    (webp(1 << 24, 1 << 24), "image/webp", (1 << 24, 1 << 24)),
    (webp(2000, 2000), "image/webp", (2000, 2000)),
    (jpeg_of_scans(1)[:20000], "image/jpeg", (3840, 3840)),
    (jpeg_of_scans(1)[:-2], "image/jpeg", (3840, 3840)),
    (jpeg_of_scans(0, 65528)[:9999], "image/jpeg", (65528, 65528)),
    (b"\xff\xd8\xff" + b"\xff" * 5000, None, None),
    (b"\xff\xd8\xff\xe0\0\0" * 1000, None, None),
], ids=["a column too many", "huge", "bomb", "cut png", "no such rows", "huge gif", "cut gif",
        "huge webp", "cut webp", "cut jpeg", "a jpeg without end", "huge jpeg", "fill bytes", "no length"])
def test_hostile_pictures_are_plain_files(team, content, kind, size):
    made = upload(team.member, team, content, "x")
    assert (made["thumbnailable"], made["thumbnail_url"]) == (False, "#")
    assert kind is None or made["content_type"] == kind
    assert size is None or (made["width"], made["height"]) == size
    attach(team.member, team, made)


@pytest.mark.alone
@pytest.mark.parametrize("content", [png(5000, PIXELS_MAX // 5000), jpeg_of_scans(20)],
                         ids=["png", "jpeg"])
def test_large_pictures_have_smaller_ones(team, content):
    assert upload(team.member, team, content, "x")["thumbnailable"] is True


@pytest.mark.alone
def test_a_picture_without_end_takes_three_seconds(team, stack):
    begun = time.monotonic()
    made = upload(team.member, team, jpeg_of_scans(400000), "x.jpg")
    assert time.monotonic() - begun < SECONDS
    assert (made["thumbnailable"], made["content_type"], made["width"]) == (False, "image/jpeg", 3840)
    assert wait_for(lambda: not running(stack))


def test_one_at_a_time_and_with_nearly_no_rights(team, stack):
    """Those that wait for it still learn the types of their files."""
    seen = []
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        first = pool.submit(upload, team.member, team, jpeg_of_scans(400000), "x.jpg")
        # Waits until it has dropped the rights that it drops at its start.
        told = wait_for(lambda: next((text for text in running(stack).values() if re.search(
            r"^NoNewPrivs:\t1$" if SANITIZED else r"^Seccomp:\t2$", text, re.M)), None))
        assert told
        others = [pool.submit(upload, team.member, team, png(40, 30), f"{i}.png") for i in range(2)]
        while not all(one.done() for one in (first, *others)):
            seen.append(running(stack))
            time.sleep(0.01)
        assert first.result()["thumbnailable"] is False
        for one in others:
            assert (one.result()["content_type"], one.result()["width"]) == ("image/png", 40)
    # At its end, a sanitizer starts a process of its own that looks for leaks.
    assert max(map(len, seen)) == 1 or SANITIZED
    assert re.search(r"^NoNewPrivs:\t1$", told, re.M)
    assert re.search(r"^Uid:\t(?!0\t)", told, re.M)
    if not SANITIZED:
        assert re.search(r"^Seccomp:\t2$", told, re.M)
        assert re.search(r"^Max open files +0 +0 ", told, re.M)
        assert re.search(r"^Max address space +1073741824 ", told, re.M)
    assert re.search(r"^Max cpu time +3 +3 ", told, re.M)


@pytest.mark.alone
def test_who_waits_for_a_turn_holds_no_worker(new_stack):
    """Eight wait for their turns; a ninth is told to try again later, and leaves no file behind."""
    stack = new_stack(workers=2)
    place = team_of(stack)
    upload(place.member, place)
    uid = (stack.directory / "files").stat().st_uid
    left = stack.directory / "files" / "tmp"
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        with open(f"/dev/shm/planwright-media-{uid}", "rb") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            answers = [pool.submit(upload, place.member, place, png(40, 30), f"{i}.png") for i in range(8)]
            assert wait_for(lambda: len(list(left.iterdir())) == 3 * 8)
            assert wait_for(lambda: place.member.get("/me").status_code == 200)
            more = place.member.post(f"{place.path}/uploads", files={"file": ("x.png", png(40, 30))})
            assert more.status_code == 429 and int(more.headers["Retry-After"]) > 0
            assert place.owner.get(place.path).status_code == 200
            assert len(list(left.iterdir())) == 3 * 8 and not any(one.done() for one in answers)
        made = [one.result() for one in answers]
    assert {one["content_type"] for one in made} == {"image/png"} and not list(left.iterdir())


@pytest.mark.alone
def test_a_lock_that_hangs_costs_no_upload(new_stack):
    """Somebody else never releases the lock: the file is stored all the same, and no worker waits for ever."""
    stack = new_stack(workers=2)
    place = team_of(stack)
    upload(place.member, place)
    uid = (stack.directory / "files").stat().st_uid
    begun = time.monotonic()
    with open(f"/dev/shm/planwright-media-{uid}", "rb") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        made = upload(place.member, place, png(40, 30), "p.png")
        assert 10 < time.monotonic() - begun < 25
    assert (made["content_type"], made["thumbnailable"]) == ("application/octet-stream", False)
    assert upload(place.member, place, png(40, 30), "p.png")["content_type"] == "image/png"
