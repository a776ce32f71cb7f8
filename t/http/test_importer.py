"""planwright-importer: files become stories, and however a process ends, it never leaves a half-finished import."""

import contextlib
import os
import signal
import subprocess
import time

import pytest

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


def test_what_was_committed_is_not_denied(own):
    """Killed after its commit and before the report is written, each time."""
    team = team_of(own)
    writes = "from pg_stat_activity where wait_event = 'PgSleep' and query like 'insert into project_import_line%%'"
    own.sql("alter table project_import_line add constraint slow check (pg_sleep(60)::text is not null) not valid")
    try:
        url = asked(team.owner, team.path, ("file", "a.csv", CSV.replace(b"400", b"525")))
        for attempt in (1, 2, 3):
            assert wait_for(lambda: row(own, url) == ("running", attempt)), row(own, url)
            assert wait_for(lambda: count(own, team) == 2 and own.sql(f"select 1 {writes}"))
            victim, = importers(own)
            os.kill(victim, signal.SIGKILL)
            own.sql(f"select pg_terminate_backend(pid) {writes}")
    finally:
        own.sql("alter table project_import_line drop constraint slow")
    end = over(team.owner, url)
    assert end["state"] in ("done", "lost") and not end.get("problem"), end
    assert end["summary"]["story"]["created"] == 2 and team.owner.get(f"{url}/report").json()
    assert count(own, team) == 2 and wait_for(lambda: folders(own) == [])


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
    """A stopped importer loses its lease; when it continues it does no harm."""
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


@contextlib.contextmanager
def commits_wait(own):
    """Commits of new sessions wait for a standby that does not exist; yields a function that ends the wait: the
    commit is then made, and its connection terminated."""
    waits = "from pg_stat_activity where wait_event = 'SyncRep' and application_name like 'planwright import %%'"
    own.sql("alter role planwright set synchronous_commit = on")
    own.sql("alter system set synchronous_standby_names = 'nobody'")
    own.sql("select pg_reload_conf()")

    def end(meanwhile=lambda: None):
        assert wait_for(lambda: own.sql(f"select 1 {waits}"))
        own.sql("alter role planwright reset synchronous_commit")
        meanwhile()
        own.sql(f"select pg_terminate_backend(pid) {waits}")
    try:
        yield end
    finally:
        own.sql("alter role planwright reset synchronous_commit")
        own.sql("alter system reset synchronous_standby_names")
        own.sql("select pg_reload_conf()")


def kill_importers(own):
    for victim in importers(own):
        os.kill(victim, signal.SIGKILL)


def attempt_after(own, team, tries, *parts):
    """An import that is about to begin after `tries` earlier attempts; its connection does not exist yet."""
    url = asked(team.owner, team.path, *parts)
    assert wait_for(lambda: waits_for_the_project(own))
    own.sql("update project_import set attempts = %s where id = %s", tries, url.rsplit("/", 1)[1])
    return url


@pytest.mark.parametrize("report", [True, False], ids=["its report", "no report"])
@pytest.mark.parametrize("tries", [0, 2])
def test_what_was_committed_is_said_to_be_kept(own, tries, report):
    """The importer dies after its commit: nothing is done again, or reported as lost."""
    team, ids = team_of(own), b"56%d" % (tries + report)
    with commits_wait(own) as made:
        with held(own, team.id):
            url = attempt_after(own, team, tries, ("overwrite", b"true"),
                                ("file", "a.csv", CSV.replace(b"400", ids)))
            assert wait_for(lambda: row(own, url) == ("running", tries + 1))
        made(lambda: kill_importers(own))
        assert wait_for(lambda: count(own, team) == 2)
        if not report:
            (own.directory / "files" / "import" / url.rsplit("/", 1)[1] / "report.json").unlink()
        changed = team.owner.put(f"/stories/{int(ids)}1", {"name": "Changed since"})
        assert changed.status_code == 200, changed.text
    end = over(team.owner, url)
    assert end["state"] in ("done", "lost") and "problem" not in end, end
    assert end["summary"]["story"]["created"] == 2
    more = team.owner.get(f"{url}?fields=problem,summary_text,finished_at").json()
    assert not more.get("problem") and "story" in more["summary_text"] and more["finished_at"]
    codes = [line["code"] for line in team.owner.get(f"{url}/report").json()]
    assert codes == ["report_lost"] if not report else codes and "report_lost" not in codes
    assert "name,email" in team.owner.get(f"{url}/people.csv").text
    assert team.owner.get(f"/stories/{int(ids)}1").json()["name"] == "Changed since"
    assert count(own, team) == 2 and wait_for(lambda: folders(own) == [])


def test_a_commit_that_is_not_answered_is_not_taken_for_a_failure(own):
    team = team_of(own)
    with commits_wait(own) as made:
        with held(own, team.id):
            url = attempt_after(own, team, 2, ("file", "a.csv", CSV.replace(b"400", b"570")))
            assert wait_for(lambda: row(own, url) == ("running", 3))
        made()
    end = over(team.owner, url)
    assert end["state"] in ("done", "lost") and end["summary"]["story"]["created"] == 2, end
    assert not team.owner.get(f"{url}?fields=problem").json().get("problem")
    assert count(own, team) == 2


def test_a_commit_that_is_not_answered_keeps_its_files(own):
    """The commit may be made, and was: the attached file is there, whatever the next attempt finds."""
    source, team = team_of(own), team_of(own)
    made = upload(source.member, source, b"of the archive")
    story = source.make_story(name="With a file")["id"]
    answer = source.member.post(f"{source.path}/stories/{story}/comments",
                                {"text": "here", "file_attachments": [made]})
    assert answer.status_code == 200, answer.text
    archive = source.owner.get(f"{source.path}/export.zip").content
    with commits_wait(own) as end:
        url = asked(team.owner, team.path, ("file", "all.zip", archive), ("renumber", b"true"))
        end()
    over(team.owner, url)
    files = [f for s in team.owner.get(f"{team.path}/stories?fields=comments(file_attachments)").json()
             for c in s["comments"] for f in c["file_attachments"]]
    assert [download(own, team.owner, f["download_url"]).content for f in files] == [b"of the archive"]
