"""planwright-importer: files become stories, and however a program ends, it never leaves half
of them."""

import os
import signal
import subprocess
import time

from conftest import wait_for
from importing import (  # noqa: F401 (fixtures)
    CSV, KEYS, asked, count, folders, held, importers, over, own, place, row, send, stopped, team_of,
    waits_for_the_project)
from team import team  # noqa: F401 (a fixture)
from test_uploads import download, upload


def test_files_become_stories(stack, api, person):
    team = team_of(stack)
    answer = send(team.owner, team.path, ("file", "stories.csv", CSV))
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert list(told) == KEYS
    assert (told["kind"], told["state"], told["dry_run"], told["summary"]) == (
        "project_import", "queued", False, {})
    url = f"{team.path}/imports/{told['id']}"
    end = over(team.owner, url)
    assert list(end) == KEYS and end["state"] in ("done", "lost")
    assert end["summary"]["story"]["created"] == 2
    names = {s["id"]: s["name"] for s in team.owner.get(f"{team.path}/stories").json()}
    assert names[4001] == "One" and names[4002] == "Two"
    assert [i["id"] for i in team.owner.get(f"{team.path}/imports").json()] == [told["id"]]
    more = team.owner.get(f"{url}?fields=filenames,size,summary_text,person_id,finished_at").json()
    assert (more["filenames"], more["size"]) == (["stories.csv"], len(CSV))
    assert more["person_id"] == team.people["owner"].id and more["finished_at"]
    assert str(stack.directory) not in more["summary_text"]
    assert wait_for(lambda: folders(stack) == []), "what it was made of goes right behind its end"


def test_a_dry_run_changes_nothing(team, stack):
    before = team.owner.get(team.path).json()["version"]
    url = asked(team.owner, team.path, ("dry_run", b"true"),
                ("file", "a.csv", CSV.replace(b"400", b"401")))
    end = over(team.owner, url)
    assert end["dry_run"] is True and end["summary"]["story"]["created"] == 2
    assert team.owner.get(team.path).json()["version"] == before
    assert team.owner.get("/stories/4011").status_code == 404


def test_the_map_of_people_comes_back(team):
    url = asked(team.owner, team.path, ("dry_run", b"true"),
                ("file", "a.csv", CSV.replace(b"400", b"402")))
    over(team.owner, url)
    answer = team.owner.get(f"{url}/people.csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert 'filename="people.csv"' in answer.headers["Content-Disposition"]
    head, *rows = answer.text.splitlines()
    assert head == "name,email,username,person_id,action"
    assert [r for r in rows if r.startswith("Rita Requester,") and r.endswith(",placeholder")]
    edited = answer.text.replace("placeholder", "skip")
    again = asked(team.owner, team.path, ("people", "people.csv", edited.encode()),
                  ("dry_run", b"true"), ("file", "a.csv", CSV.replace(b"400", b"402")))
    over(team.owner, again)
    kept = team.owner.get(f"{again}/people.csv").text
    assert ",skip" in kept and ",placeholder" not in kept


def test_a_killed_importer_begins_anew(own):
    team = team_of(own)
    with held(own, team.id):
        url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"510")))
        assert wait_for(lambda: waits_for_the_project(own))
        assert team.owner.get(url).json()["state"] == "running"
        victim, = importers(own)
        os.kill(victim, signal.SIGKILL)
        assert wait_for(lambda: row(own, url) == ("running", 2)), row(own, url)
        assert count(own, team) == 0
    end = over(team.owner, url)
    assert end["state"] in ("done", "lost") and end["summary"]["story"]["created"] == 2
    assert count(own, team) == 2


def test_who_dies_three_times_is_refused(own):
    team = team_of(own)
    with held(own, team.id):
        url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"520")))
        for attempt in (1, 2, 3):
            assert wait_for(lambda: row(own, url) == ("running", attempt)), row(own, url)
            victim, = importers(own)
            os.kill(victim, signal.SIGKILL)
        end = over(team.owner, url)
    assert end["state"] == "refused" and "three times" in end["problem"]
    assert count(own, team) == 0 and wait_for(lambda: folders(own) == [])


def test_an_importer_that_is_stopped_puts_it_back(own):
    team = team_of(own)
    with held(own, team.id):
        url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"530")))
        assert wait_for(lambda: waits_for_the_project(own))
        began = time.monotonic()
        own.part("stop", "importer")
        assert time.monotonic() - began < 5
        assert row(own, url) == ("queued", 0)
    own.part("start", "importer")
    assert over(team.owner, url)["state"] in ("done", "lost") and count(own, team) == 2


def test_another_importer_takes_over(own, stopped):
    """One that stands still loses its lease; when it comes back it harms nothing."""
    team = team_of(own)
    log = open(own.directory / "log" / "importer-test.log", "ab")
    program = [os.path.join(os.environ["STACK_BUILD"], "planwright-importer")]
    env = {**os.environ, "PLANWRIGHT_CONF": own.env["STACK_CONF"]}
    first = subprocess.Popen(program, stdout=log, stderr=log, env=env)
    second = None
    try:
        with held(own, team.id):
            url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"540")))
            assert wait_for(lambda: waits_for_the_project(own))
            os.kill(first.pid, signal.SIGSTOP)
            second = subprocess.Popen(program, stdout=log, stderr=log, env=env)
            assert wait_for(lambda: row(own, url) == ("running", 2)), row(own, url)
        assert over(team.owner, url)["summary"]["story"]["created"] == 2
        os.kill(first.pid, signal.SIGCONT)
        time.sleep(1)
        assert row(own, url)[1] == 2 and count(own, team) == 2
        first.terminate(), second.terminate()
        assert first.wait(30) == 0 and second.wait(30) == 0
    finally:
        for process in filter(None, (first, second)):
            process.kill()
            process.wait()


def test_a_lost_database_is_waited_for(own):
    team = team_of(own)
    with held(own, team.id):
        url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"550")))
        assert wait_for(lambda: waits_for_the_project(own))
        own.sql("select pg_terminate_backend(pid) from pg_stat_activity"
                " where application_name like 'planwright import %%'")
        assert wait_for(lambda: row(own, url) == ("running", 2)), row(own, url)
    assert over(team.owner, url)["state"] in ("done", "lost") and count(own, team) == 2




def test_a_commit_that_is_not_answered_keeps_its_files(own):
    """It may be made, and was: the attached file is there, however the next try finds things."""
    source, team = team_of(own), team_of(own)
    made = upload(source.member, source, b"of the archive")
    story = source.make_story(name="With a file")["id"]
    answer = source.member.post(f"{source.path}/stories/{story}/comments",
                                {"text": "here", "file_attachments": [made]})
    assert answer.status_code == 200, answer.text
    archive = source.owner.get(f"{source.path}/export.zip").content
    # A commit that waits for a standby, which nobody is, is made, and its connection ended.
    own.sql("alter role planwright set synchronous_commit = on")
    own.sql("alter system set synchronous_standby_names = 'nobody'")
    own.sql("select pg_reload_conf()")
    try:
        url = asked(team.owner, team.path, ("file", "all.zip", archive), ("renumber", b"true"))
        waits = "from pg_stat_activity where wait_event = 'SyncRep' and application_name like 'planwright import %%'"
        assert wait_for(lambda: own.sql(f"select 1 {waits}"))
        own.sql("alter role planwright reset synchronous_commit")
        own.sql(f"select pg_terminate_backend(pid) {waits}")
    finally:
        own.sql("alter role planwright reset synchronous_commit")
        own.sql("alter system reset synchronous_standby_names")
        own.sql("select pg_reload_conf()")
    over(team.owner, url)
    files = [f for s in team.owner.get(f"{team.path}/stories?fields=comments(file_attachments)").json()
             for c in s["comments"] for f in c["file_attachments"]]
    assert [download(own, team.owner, f["download_url"]).content for f in files] == [b"of the archive"]
