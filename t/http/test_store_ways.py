"""What moves files into and out of an object store: imports and exports, backup and restore, moves between a folder
and a store; and what doctor says about a store."""

import concurrent.futures
import io
import os
import re
import socket
import zipfile

import pytest

from conftest import Client, stack_folder, wait_for
from faulty import Faulty
from importing import CSV, asked, over
from store import Swift
from stored import in_folder, place_of, stored, swift, team_of  # noqa: F401 (a fixture)
from test_uploads import attach, download, png, upload


@pytest.fixture(scope="module")
def stack(swift):
    with stored(swift.settings("files")) as server:
        yield server


@pytest.fixture(scope="module")
def team(stack):
    return team_of(stack)


def ours(stack, place):
    """Gives the workers what a command wrote into the folder as another user."""
    owner = (stack.directory / "files").stat()
    for folder, _, names in os.walk(stack.directory / "files"):
        for name in ["", *names]:
            os.chown(os.path.join(folder, name), owner.st_uid, owner.st_gid)
    return place


def settings_of(stack, **changed):
    """Another settings file like the server's, for planwrightctl."""
    lines = dict(line.split(" = ", 1) for line in (stack.directory / "planwright.conf").read_text().splitlines()
                 if " = " in line and not line.startswith("#"))
    path = stack.directory / "other.conf"
    path.write_text("".join(f"{k} = {v}\n" for k, v in {**lines, **changed}.items() if v is not None))
    path.chmod(0o600)
    return {"PLANWRIGHT_CONF": str(path)}


def waiting(swift):
    """The files of imports."""
    return [n for n in swift.names("files") if "/import/" in n]


# --- imports and exports ------------------------------------------------------------------------

def test_an_import_waits_in_the_store_and_leaves_nothing(team, stack, swift):
    """So the importer of any host finds its files."""
    stack.part("stop", "importer")
    url = asked(team.owner, team.path, ("file", "stories.csv", CSV), ("people", "people.csv", b"name,email,"
                b"username,person_id,action\n"))
    number = url.rsplit("/", 1)[1]
    assert [n for n in swift.names("files") if "/import/" in n] == [
        f"pw/import/{number}/1-stories.csv", f"pw/import/{number}/people.csv"]
    assert not in_folder(stack)
    stack.part("start", "importer")
    assert over(team.owner, url)["state"] in ("done", "lost")
    assert {s["name"] for s in team.owner.get(f"{team.path}/stories").json()} >= {"One", "Two"}
    assert wait_for(lambda: not waiting(swift) and not in_folder(stack))


def test_an_import_that_was_ended_goes_from_the_store(team, stack, swift):
    stack.part("stop", "importer")
    url = asked(team.owner, team.path)
    stack.ctl("imports", "end", url.rsplit("/", 1)[1])
    assert not waiting(swift)
    url = asked(team.owner, team.path)
    assert team.owner.delete(url).status_code == 204
    swift.age("files", 1)
    stack.part("start", "importer")  # it sweeps at its start
    assert wait_for(lambda: not waiting(swift))


def test_a_zip_holds_the_files_and_an_import_brings_them_back(team, stack, swift):
    story = f"{team.path}/stories/{team.make_story(name='With a picture')['id']}"
    made = [upload(team.member, team, png(), name="photo.png"), upload(team.member, team, b"words")]
    answer = team.member.post(f"{story}/comments", {"text": "here", "file_attachments": made})
    assert answer.status_code == 200, answer.text
    exported = team.owner.get(f"{team.path}/export.zip").content
    with zipfile.ZipFile(io.BytesIO(exported)) as z:
        inside = {name.rsplit("/", 1)[1]: z.read(name) for name in z.namelist()}
    assert inside["photo.png"] == png() and inside["notes.txt"] == b"words"
    other = team_of(stack)
    url = asked(other.owner, other.path, ("file", "all.zip", exported), ("renumber", b"true"))
    told = over(other.owner, url)
    assert told["state"] in ("done", "lost") and told["summary"]["file_attachment"]["created"] == 2, told
    new, = [s for s in other.owner.get(f"{other.path}/stories?fields=name,comments(file_attachments)").json()
            if s["name"] == "With a picture"]
    files = {f["filename"]: f for c in new["comments"] for f in c["file_attachments"]}
    assert download(stack, other.owner, files["photo.png"]["download_url"]).content == png()
    assert download(stack, other.owner, files["photo.png"]["thumbnail_url"]).status_code == 200
    assert swift.ask("GET", f"/files/pw/{place_of(files['notes.txt'])}").content == b"words"
    # The importer cleans up after it has reported the end.
    assert wait_for(lambda: not in_folder(stack) and not waiting(swift)), (in_folder(stack), waiting(swift))


def test_an_import_that_is_refused_leaves_no_object(team, stack, swift):
    before = set(swift.names("files"))
    url = asked(team.owner, team.path, ("file", "a.zip", b"PK no zip"))
    assert over(team.owner, url)["state"] == "refused"
    assert wait_for(lambda: set(swift.names("files")) == before)


# --- backup ---------------------------------------------------------------------------------------

@pytest.fixture
def attached(team, stack):
    made = upload(team.member, team, png(), name="photo.png")
    attach(team.member, team, made)
    return made


def test_a_backup_holds_the_objects(new_stack, stack, attached, tmp_path):
    file = tmp_path / "all.backup"
    assert re.search(r"database, \d+ attached files", stack.ctl("backup", file, "--without-secret").stdout)
    with zipfile.ZipFile(file) as z:
        assert z.read(f"files/{place_of(attached)}") == png()
        assert z.read(f"files/{place_of(attached, '.small')}")[:4] == b"\x89PNG"
    other = new_stack()  # with a folder
    other.ctl("restore", file)
    assert place_of(attached) in in_folder(other)


def test_a_backup_can_only_name_them(new_stack, stack, swift, attached, tmp_path, team):
    file = tmp_path / "named.backup"
    said = stack.ctl("backup", file, "--without-secret", "--without-files").stdout
    assert re.search(r"database, the names of \d+ attached files", said)
    with zipfile.ZipFile(file) as z:
        assert z.namelist() == ["database.dump", "MANIFEST"]
        assert f"# named: {place_of(attached)}\n" in z.read("MANIFEST").decode()
    assert re.search(r"and the names of \d+ that it does not contain",
                     stack.ctl("backup", "--verify", file).stdout)
    elsewhere = new_stack()
    refused = elsewhere.ctl("restore", file, check=False)
    assert refused.returncode == 1 and "files that are not in" in refused.stderr
    assert elsewhere.sql("select count(*) from planwright.person") == [(0,)]
    elsewhere.ctl("restore", file, "--without-files")
    with stored(swift.settings("files")) as again:
        again.ctl("restore", file)
        assert again.sql("select count(*) from planwright.file_attachment where id = %s", attached["id"]) == [(1,)]


# --- moving ---------------------------------------------------------------------------------------

def test_from_a_folder_to_a_store_and_back(new_stack, swift):
    server = new_stack(settings="")
    place = team_of(server)
    made = [upload(place.member, place, png(), name="photo.png"), upload(place.member, place, b"words")]
    for one in made:
        attach(place.member, place, one)
    folder, store = str(server.directory / "files"), "s3://moved/some/where"
    lines = dict(line.split(" = ") for line in swift.settings("moved").splitlines())
    keys = {k: v for k, v in lines.items() if k != "files"}
    env = settings_of(server, **keys)

    def move(source, target, env=env, **kwargs):
        return run_ctl(server, env, "files", "move", source, target, **kwargs)
    first = move(folder, store).stdout
    assert first.startswith(f"4 files copied to {store}, which already had 0; 0 deleted from {folder}\n")
    assert "now set files = s3://moved/some/where" in first
    assert len(in_folder(server)) == 4 and len(swift.names("moved")) == 4
    # Files that arrive meanwhile are moved, too; and a copy of the wrong size does not count as one.
    late = upload(place.member, place, b"late")
    swift.ask("PUT", f"/moved/some/where/{place_of(made[1])}", body=b"wor")
    env = settings_of(server, **keys, files=store, files_spool=folder)
    second = move(folder, store, env).stdout
    assert second == f"2 files copied to {store}, which already had 3; 5 deleted from {folder}\n"
    assert not in_folder(server)
    for one, content in ((made[0], png()), (made[1], b"words"), (late, b"late")):
        assert swift.ask("GET", f"/moved/some/where/{place_of(one)}").content == content
    assert move(folder, store, env).stdout.startswith("0 files copied")
    # From store to store, and back to the folder.
    move(store, "s3://moved/else", env)
    assert len(swift.names("moved")) == 10
    env = settings_of(server, **keys, files_spool="/nowhere")
    assert "cannot write /nowhere/tmp" in move("s3://moved/else", folder, env, check=False).stderr
    env = settings_of(server, **keys, files_spool=folder)
    assert move("s3://moved/else", f"{folder}/", env).stdout.endswith("5 deleted from s3://moved/else\n")
    ours(server, folder)
    assert len(in_folder(server)) == 5 and len(swift.names("moved")) == 5
    for one, content in ((made[0], png()), (made[1], b"words")):
        assert download(server, place.member, one["download_url"]).content == content


def run_ctl(stack, env, *args, check=True):
    from conftest import run
    return run(stack.env["STACK_CTL"], *args, check=check, env=env)


def test_a_folder_is_not_moved_onto_itself(new_stack):
    """Under another name: everything would be deleted, because it already exists at the destination."""
    server = new_stack(settings="")
    place = team_of(server)
    attach(place.member, place, upload(place.member, place, b"words"))
    folder, link = server.directory / "files", server.directory / "link"
    link.symlink_to(folder)
    for source in (link, f"{folder}/../files", f"{folder}/", folder):
        refused = run_ctl(server, settings_of(server), "files", "move", source, folder, check=False)
        assert refused.returncode == 1 and "is both FROM and TO" in refused.stderr, source
        assert len(in_folder(server)) == 1


def test_a_move_that_breaks_goes_on_where_it_was(new_stack, swift):
    server = new_stack(settings="")
    place = team_of(server)
    for n in range(6):
        attach(place.member, place, upload(place.member, place, b"%d" % n * 1000))
    with Faulty(swift.ports["proxy"]) as proxy:
        lines = dict(line.split(" = ") for line in
                     swift.settings("broken", endpoint=f"http://127.0.0.1:{proxy.port}").splitlines())
        env = settings_of(server, **{**lines, "files": str(server.directory / "files")})
        args = ("files", "move", str(server.directory / "files"), "s3://broken/pw")
        proxy.after = 3  # connections: the list and two files
        proxy.fault = "500"
        broken = run_ctl(server, env, *args, check=False)
        assert broken.returncode == 1
        assert re.search(r"answers 500 to PUT: \d files were copied; give the same command again", broken.stderr)
        some = len(swift.names("broken"))
        assert 0 < some < 6 and len(in_folder(server)) == 6
        proxy.fault = None
        done = run_ctl(server, env, *args).stdout
    assert done.startswith(f"{6 - some} files copied to s3://broken/pw, which already had {some}")
    assert len(swift.names("broken")) == 6


def test_more_than_a_page_of_objects(new_stack, swift):
    """A list has a thousand objects per page."""
    server = new_stack(settings="")
    for n in range(1, 1100):
        path = server.directory / "files" / f"{n & 255:02x}" / str(n)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    lines = dict(line.split(" = ") for line in swift.settings("pages").splitlines())
    env = settings_of(server, **{**lines, "files": str(server.directory / "files")})
    args = ("files", "move", str(server.directory / "files"), "s3://pages/pw")
    assert run_ctl(server, env, *args).stdout.startswith("1099 files copied")
    assert run_ctl(server, env, *args).stdout.startswith("0 files copied to s3://pages/pw, which already had 1099")


def test_names_of_others_hide_nothing(new_stack, swift, tmp_path):
    """A bucket may contain what is not ours: with names that XML cannot express, of a thousand bytes, or like ours."""
    server = new_stack(settings="")
    lines = dict(line.split(" = ") for line in swift.settings("shared").splitlines())
    odd = ["a\x01b", "a b+c&", "\u00e4<>'\"%41", "doctor", "doctor-1", "01", "01/x", "02/1", "zz/1", "-1/-1", "01/01"]
    ours = {f"{n & 255:02x}/{n}" for n in range(100, 1100, 100)}
    long = [f"00/{n:0900d}" for n in range(1100)]  # the last object of a page is one of these

    def put(name):
        return swift.ask("PUT", f"/shared/{name}", body=b"x").status
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert set(pool.map(put, [*odd, *ours, *long])) == {200}
    (tmp_path / "to").mkdir()
    env = settings_of(server, **{**lines, "files_spool": str(server.directory / "files")})
    said = run_ctl(server, env, "files", "move", "s3://shared", tmp_path / "to").stdout
    assert said.startswith("10 files copied"), said
    found = {str(p.relative_to(tmp_path / "to")) for p in (tmp_path / "to").rglob("*") if p.is_file()}
    assert found == ours


class Watched(Swift):
    """A store whose ports another process tries to take, each just before a part of the store listens there."""

    def start(self, part):
        with socket.socket() as stranger, pytest.raises(OSError):
            stranger.bind(("127.0.0.1", self.ports[part]))
        super().start(part)


def test_a_store_that_starts_has_its_ports():
    """The parts start one after the other, and another process that listens in the place of one would be taken for
    it."""
    store = Watched(stack_folder("swift") / "swift")
    store.close()
    assert len(set(store.ports.values())) == 5


def test_a_list_that_breaks_off_is_read_anew(new_stack, swift, tmp_path):
    """An object that is deleted meanwhile does not hide another one."""
    server = new_stack(settings="")
    lines = dict(line.split(" = ") for line in swift.settings("listed").splitlines())
    places = [f"{n:02x}/{n}" for n in range(1, 9)]
    for place in places:
        swift.ask("PUT", f"/listed/pw/{place}", body=b"x")
    answer = swift.ask("GET", "/listed", query="list-type=2&prefix=pw%2F")
    (tmp_path / "to").mkdir()
    with Faulty(swift.ports["proxy"]) as proxy:
        env = settings_of(server, **{**lines, "files_spool": str(server.directory / "files"),
                                     "s3_endpoint": f"http://127.0.0.1:{proxy.port}"})
        head = sum(len(f"{k}: {v}\r\n") for k, v in answer.getheaders())
        proxy.fault, proxy.times = ("short", head + len(answer.content) // 2), 1
        proxy.meanwhile = lambda: swift.ask("DELETE", f"/listed/pw/{places[0]}")
        run_ctl(server, env, "files", "move", "s3://listed/pw", tmp_path / "to")
    assert {p for p in places if (tmp_path / "to" / p).exists()} == set(places[1:])


# --- doctor ---------------------------------------------------------------------------------------

def doctor(stack, **changed):
    return run_ctl(stack, settings_of(stack, **changed), "doctor", check=False).stdout


def test_doctor_tries_the_store(stack, swift):
    said = doctor(stack)
    assert "ok    store: s3://files/pw\n" in said and "ok    downloads" in said
    assert not [n for n in swift.names("files") if "doctor" in n]


def test_doctors_do_not_disturb_each_other(stack, swift):
    swift.ask("PUT", "/files/pw/doctor", body=b"of others")
    swift.ask("PUT", "/files/pw/doctor-store", body=b"of others")
    env = settings_of(stack)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for said in pool.map(lambda _: run_ctl(stack, env, "doctor", check=False).stdout, range(8)):
            assert "ok    store: s3://files/pw\n" in said and "ok    downloads" in said, said
    assert sorted(n for n in swift.names("files") if "doctor" in n) == ["pw/doctor", "pw/doctor-store"]
    for path in ("doctor", "doctor?name=", "doctor?name=doctor", "doctor/doctor", "doctor-store"):
        assert Client(stack, base="").get(f"/file_attachments/{path}").status_code == 404, path


def test_nobody_else_is_given_what_doctor_puts(stack, swift):
    """Its name alone grants no access: the workers check that it was made with their secret."""
    token = "0123456789abcdef" * 2
    swift.ask("PUT", f"/files/pw/doctor-{token}", body=b"of a doctor")
    for name in (token, f"{token}-", f"{token}-{'0' * 64}", f"doctor-{token}", f"../doctor-{token}", "x" * 4000):
        answer = Client(stack, base="").get("/file_attachments/doctor", params={"name": name})
        assert (answer.status_code, answer.json()["kind"]) == (404, "error"), name
    swift.ask("DELETE", f"/files/pw/doctor-{token}")


def test_what_a_doctor_leaves_is_swept(stack, swift):
    """It was killed: younger files may belong to one that is running."""
    name = f"doctor-{'ab' * 16}"
    for other in (name, "doctor-of-somebody"):
        swift.ask("PUT", f"/files/pw/{other}", body=b"x")
    stack.ctl("files", "sweep")
    assert f"pw/{name}" in swift.names("files")
    swift.age("files", 2)
    stack.ctl("files", "sweep")
    assert f"pw/{name}" not in swift.names("files") and "pw/doctor-of-somebody" in swift.names("files")


def test_a_doctor_tidies_up_behind_a_lost_answer(stack, swift):
    """The store accepted the file, and its answer was lost."""
    with Faulty(swift.ports["proxy"]) as proxy:
        proxy.fault, proxy.times = "deaf", 3
        said = doctor(stack, s3_endpoint=f"http://127.0.0.1:{proxy.port}")
    assert "wrong store: s3://files/pw: no file can be stored there" in said
    assert not [n for n in swift.names("files") if re.fullmatch("pw/doctor-[0-9a-f]{32}", n)]


@pytest.mark.parametrize("changed, word", [
    ({"files": "s3://nobody/pw"}, "answers 404 NoSuchBucket to PUT: create the bucket, or correct files"),
    ({"s3_secret_key": "wrong"}, "answers 403 SignatureDoesNotMatch to PUT: correct s3_access_key, s3_secret_key"),
    ({"s3_access_key": "wrong"}, "answers 403 SignatureDoesNotMatch to PUT: correct s3_access_key"),
    ({"s3_endpoint": "http://127.0.0.1:1"}, "start the store, or correct s3_endpoint")], ids=str)
def test_doctor_says_in_a_line_what_is_wrong(stack, changed, word):
    line, = [line for line in doctor(stack, **changed).splitlines() if "store:" in line]
    assert line.startswith("wrong") and word in line
