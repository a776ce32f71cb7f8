#!/usr/bin/python3
"""The n-th call of a kind fails in the programs other than a serving worker, or they are killed with kill -9 at their
n-th message to the database: the sender with webhooks and with mail, the importer, the process of an export, the one
that examines pictures, the streams of live updates, workers that start or are replaced, and planwrightctl as it
migrates, backs up and restores.
After each fault, the restarted program must finish the work all the same: what was due is sent, an import is done
completely or not at all, and a backup that was reported can be restored.

	STACK_BUILD=FOLDER t/proof/programs.py [SCENE …]
	TORTURE_KINDS   "send recv …"; default: all
	TORTURE_MOST    how many calls of a kind (8), chosen at random if there are more
	TORTURE_SEED    makes the same choice again
"""

import collections
import contextlib
import io
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import psycopg2

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "http"))
sys.path.insert(0, str(HERE))
from faults import FAULTS, Fault, Table, is_crash, prepare, some  # noqa: E402

MOST = int(os.environ.get("TORTURE_MOST", "8"))
WAIT = 120  # seconds; a mail whose sender died is retried after a little more than a minute


class Scenes:
    """A scene is a program, and a function that makes it work and returns what is wrong afterwards ("": nothing)."""

    def __init__(self, folder):
        import conftest
        from mails import Mailbox, settings
        from test_webhooks import SETTINGS, Receiver
        from world import Place, ok
        self.ok, self.conftest = ok, conftest
        self.box, self.receiver, self.folder = Mailbox(), Receiver(), folder
        self.stack = conftest.Stack(conftest.stack_folder("scenes"), workers=1,
                                    settings=f"{SETTINGS}\n{settings(self.box)}")
        self.stack.patient = False
        self.stack.sql("alter database planwright set synchronous_commit = on")
        self.stack.cut()
        self.boss = conftest.Person(self.stack, "Sam Scenes")
        self.mate = conftest.Person(self.stack, "Mo Mate")
        self.client = conftest.Client(self.stack, self.boss.token)
        self.place = Place(self.client)
        self.path = f"/projects/{self.place.project}"
        ok(self.client.post(f"{self.path}/webhooks", {"webhook_url": self.receiver.url, "webhook_version": "v5"}))
        ok(self.client.post(f"{self.path}/memberships", {"person_id": self.mate.id, "role": "member"}))
        ok(conftest.Client(self.stack, self.mate.token).get("/me"))  # people who have never signed in get no mail
        self.save()

    def save(self):
        """Makes a backup to restore, and remembers what is in it."""
        from world import new_file
        new_file("/projects/:project/stories/:story")(self.place, self.client)
        done = self.ctl("backup", self.folder / "whole", "--without-secret")
        assert done.returncode == 0, done.stderr
        self.saved = self.projects("planwright"), self.stack.sql("select count(*)::int from file_attachment")[0][0]

    def projects(self, database):
        from test_upgrade import admin
        with contextlib.closing(psycopg2.connect(admin(self.stack, database))) as connection, connection.cursor() as cursor:
            cursor.execute("select count(*), sum(version) from planwright.project")
            return cursor.fetchone()

    def until(self, condition, what):
        return "" if self.conftest.wait_for(condition, WAIT) else what

    def story(self, **more):
        return self.ok(self.client.post(f"{self.path}/stories", {"name": "Told", **more}))["id"]

    # --- the scenes: each acts while the fault is armed, calls calm(), and returns what is wrong ---

    def delivery(self, calm):
        """Webhooks: each version arrives, in order."""
        self.story()
        (version,), = self.stack.sql("select version from project where id = %s", self.place.project)
        self.conftest.wait_for(lambda: version in self.receiver.versions(), 3)
        calm()
        late = self.until(lambda: version in self.receiver.versions(), f"version {version} was not delivered")
        first = list(dict.fromkeys(self.receiver.versions()))
        return late or ("" if first == sorted(first) else f"deliveries came in the order {first[-5:]}")

    def mail(self, calm):
        """A new owner gets a mail."""
        story = self.story(owner_ids=[self.mate.id])
        told = lambda: any(str(story) in got["mail"].get_content() for got in self.box.got)  # noqa: E731
        self.conftest.wait_for(told, 3)
        calm()
        return self.until(told, f"no mail told of story {story}")

    def imports(self, calm):
        """Both stories in the file are imported, or none and there is a reason."""
        from good import CSV
        from importing import OVER
        (before,), = self.stack.sql("select count(*) from story where project_id = %s", self.place.project)
        made = self.ok(self.client.post(f"{self.path}/imports", files={"file": ("stories.csv", CSV)}))
        look = lambda: self.ok(self.client.get(f"{self.path}/imports/{made['id']}"))["state"] in OVER  # noqa: E731
        self.conftest.wait_for(look, 3)
        calm()
        if late := self.until(look, "the import does not end"):
            return late
        state = self.ok(self.client.get(f"{self.path}/imports/{made['id']}"))["state"]
        (after,), = self.stack.sql("select count(*) from story where project_id = %s", self.place.project)
        wanted = {2} if state == "done" else {0}
        return "" if after - before in wanted else f"the import is {state}, and there are {after - before} stories more"

    def export(self, calm):
        """The client gets a complete zip, or a response that breaks off."""
        try:
            answer = self.client.get(f"{self.path}/export.zip")
            whole = answer.status_code == 200 and answer.content
        except Exception:  # it broke off
            whole = None
        calm()
        if whole:
            with zipfile.ZipFile(io.BytesIO(whole)) as found:
                if found.testzip():
                    return "a zip with status 200 is broken"
        return self.until(self.serves, "no request was served any more")

    def serves(self):
        with contextlib.suppress(Exception):
            return self.client.get("/me").status_code == 200

    def media(self, calm):
        """A picture is stored, perhaps without a thumbnail; the next one has a thumbnail."""
        from test_uploads import png
        picture = {"file": ("a.png", png(300, 200), "image/png")}
        first = self.client.post(f"{self.path}/uploads", files=picture)
        calm()
        again = self.client.post(f"{self.path}/uploads", files=picture)
        if first.status_code != 200 or again.status_code != 200:
            return f"a picture was answered {first.status_code} {first.text[:200]}, the next one {again.status_code}"
        return "" if again.json()["thumbnailable"] else "the next picture has no small one"

    def live(self, calm):
        """A listener hears of a change, at the latest after connecting again."""
        from streams import Stream

        def heard():
            with contextlib.suppress(OSError, AttributeError, IndexError, ValueError), \
                    Stream(self.stack, self.boss.token, [self.place.project]) as stream:
                self.story()
                (version,), = self.stack.sql("select version from project where id = %s", self.place.project)
                return stream.status == 200 and stream.hears(self.place.project, version, 3)
            return None
        heard()
        calm()
        return self.until(heard, "no stream tells of changes any more")

    def start(self, calm):
        for verb in ("stop", "start"):
            with contextlib.suppress(BaseException):  # it may report that it did not start
                self.stack.part(verb, "workers")
        self.conftest.wait_for(self.serves, 5)
        calm()
        if not self.conftest.wait_for(self.serves, 5):  # it did not start, and has said so
            self.stack.part("stop", "workers")
            self.stack.part("start", "workers")
        return self.until(self.serves, "no request was served any more")

    def reload(self, calm):
        """A reload while no request is pending."""
        parent = int((self.stack.directory / "pid/workers").read_text().split()[0])
        os.kill(parent, signal.SIGHUP)
        time.sleep(1)
        calm()
        return self.until(self.serves, "no request was served any more")

    # --- planwrightctl --------------------------------------------------------------------

    def ctl(self, *args, **env):
        return subprocess.run([self.stack.env["STACK_CTL"], *map(str, args)], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PLANWRIGHT_CONF": self.stack.env["STACK_CONF"], **env})

    def backup(self, calm):
        path = self.folder / "backup"
        path.unlink(missing_ok=True)
        done = self.ctl("backup", path, "--without-secret")
        calm()
        if done.returncode == 0:
            return "" if "is intact" in self.ctl("backup", "--verify", path).stdout else "a backup that is none was reported"
        if path.exists() and "is intact" in self.ctl("backup", "--verify", path).stdout:
            return ""  # the backup is whole, only something afterwards failed
        return "what is left of a backup has its name" if path.exists() else ""

    def restore(self, calm):
        """A failed restore leaves a server without people, so it can be repeated."""
        from test_upgrade import psql
        psql(self.stack, "postgres", "drop database if exists torn with (force)")
        psql(self.stack, "postgres", "create database torn owner planwright")
        path, files = self.folder / "whole", self.folder / "files"
        shutil.rmtree(files, ignore_errors=True)
        files.mkdir()
        env = {"PLANWRIGHT_DATABASE": self.stack.env["STACK_DB"].replace("dbname=planwright", "dbname=torn"),
               "PLANWRIGHT_FILES": str(files)}
        first = self.ctl("restore", path, **env)
        calm()
        again = first if first.returncode == 0 else self.ctl("restore", path, **env)
        if again.returncode and "contains people" not in again.stderr:
            return f"the first ended with {first.returncode}, and the second says {again.stderr[-200:]}"
        kept = sum(1 for file in files.rglob("*") if file.is_file() and file.name.isdigit())
        got = self.projects("torn"), kept
        return "" if got == self.saved else f"it has {got}, not {self.saved}"

    def migrate(self, calm):
        """A failed migration can be repeated."""
        from test_upgrade import psql
        psql(self.stack, "postgres", "drop database if exists torn with (force)")
        psql(self.stack, "postgres", "create database torn owner planwright")
        database = self.stack.env["STACK_DB"].replace("dbname=planwright", "dbname=torn")
        first = self.ctl("migrate", PLANWRIGHT_DATABASE=database)
        calm()
        again = self.ctl("migrate", PLANWRIGHT_DATABASE=database)
        if again.returncode:
            return f"the first migration ended with {first.returncode}, and the second says {again.stderr[-200:]}"
        said = self.ctl("doctor", PLANWRIGHT_DATABASE=database).stdout
        return "" if "ok    schema" in said else f"doctor says {said[-300:]}"


SCENES = {"delivery": "planwright-sender", "mail": "planwright-sender", "imports": "planwright-importer",
          "export": "planwright.fcgi", "live": "planwright-live", "start": "planwright.fcgi", "reload": "planwright.fcgi",
          "media": "planwright-media", "backup": "planwrightctl", "restore": "planwrightctl",
          "migrate": "planwrightctl"}


def play(scenes, table, name, kinds):
    """Runs a scene with all faults; returns what was found."""
    fault, act, found = Fault(scenes.folder, SCENES[name]), getattr(scenes, name), []

    def once(kind, nth):
        """Runs the scene with one fault; returns what is wrong."""
        fault.arm(kind, nth)
        wrong = act(fault.disarm)
        fault.disarm()
        return wrong

    if wrong := once("count", 0):
        return [f"{name}: without a fault, {wrong}"]
    for kind, calls in [(kind, fault.calls()[kind]) for kind in kinds]:
        ends, before = collections.Counter(), len(found)
        for nth in some(calls, MOST):
            wrong = once(kind, nth)
            ends["found" if wrong else "well"] += 1
            if wrong:
                found.append(f"{name}: {kind} {nth} of {calls}: {wrong}")
        table.add(kind, calls, ends, len(found) - before)
    table.line(f"{name}: {SCENES[name]}")
    return found


def main():
    folder = prepare()
    scenes = Scenes(folder)
    kinds = os.environ.get("TORTURE_KINDS", " ".join((*FAULTS, "kill"))).split()
    table, found = Table("scene", kinds, 30), []
    for name in sys.argv[1:] or SCENES:
        found += play(scenes, table, name, kinds)
    for log in ("workers", "sender", "importer", "live"):
        found += [line for line in scenes.stack.log(log).splitlines() if is_crash(line)]
    scenes.stack.close(expects_5xx=True)
    shutil.rmtree(folder)
    return table.close(found)


if __name__ == "__main__":
    sys.exit(main())
