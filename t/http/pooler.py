"""pgbouncer between a server's programs and its PostgreSQL, with the settings of docs/guides/pooler.md."""

import configparser
import os
import pathlib
import pwd
import re
import shutil
import signal
import subprocess
import tempfile

import psycopg2

from conftest import TOP, wait_for

GUIDE = TOP / "docs" / "guides" / "pooler.md"
WEB = "www-data" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
PORT = "6432"  # of a socket's name in a folder of its own


def found():
    """Versions with their programs, the oldest first: of the system, and of /opt, where Debian 12 may have a newer one."""
    folders = [*os.environ["PATH"].split(":"), "/usr/sbin", *map(str, pathlib.Path("/opt").glob("pgbouncer*/**/*bin"))]
    programs = {shutil.which("pgbouncer", path=folder) for folder in folders} - {None}
    versions = []
    for program in programs:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        versions.append((tuple(map(int, re.search(r"PgBouncer (\d+)\.(\d+)", said).groups())), program))
    return sorted(versions)


FOUND = found()
CARRIES = (1, 21)  # the first version that carries prepared statements


def ini():
    """The settings of the guide, word for word."""
    found = configparser.ConfigParser(interpolation=None)
    found.read_string(re.search(r"```ini\n(.*?)```", GUIDE.read_text("utf-8"), re.S)[1])
    return found


class Pooler:
    """In a folder of its own, the newest one; `settings` are others than the guide's."""

    def __init__(self, stack, program=None, host=None, query=True, **settings):
        version, self.program = next(f for f in reversed(FOUND) if program in (None, f[1]))
        self.stack = stack
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="planwright.pooler."))
        self.socket = f"host={self.folder} port={PORT} dbname=planwright user=planwright"
        found = ini()
        to = found["databases"]["planwright"].replace(
            "host=/run/postgresql", f"host={host or stack.env['STACK_RUN'] + '/pg'} user=planwright")
        found["databases"]["planwright"] = to if query else re.sub(" connect_query=.*", "", to)
        of = found["pgbouncer"]
        del of["listen_addr"]
        of.update({"unix_socket_dir": str(self.folder), "auth_type": "trust", "admin_users": "planwright",
                   "auth_file": str(self.folder / "users"), "logfile": str(self.folder / "log"),
                   "default_pool_size": "2", **settings})
        if version < CARRIES:
            del of["max_prepared_statements"]
        (self.folder / "users").write_text('"planwright" ""\n')
        with open(self.folder / "ini", "w") as file:
            found.write(file)
        self.folder.chmod(0o755)
        shutil.chown(self.folder, WEB)
        self.process = None
        self.start()

    def start(self):
        assert not self.process
        user = ["setpriv", "--reuid", WEB, "--regid", WEB, "--init-groups"] if os.getuid() == 0 else []
        self.process = subprocess.Popen([*user, self.program, "-q", self.folder / "ini"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert wait_for((self.folder / f".s.PGSQL.{PORT}").exists), (self.folder / "log").read_text()

    def stop(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(30)
        self.process = None
        (self.folder / f".s.PGSQL.{PORT}").unlink(missing_ok=True)

    def show(self, what):
        connection = psycopg2.connect(self.socket.replace("dbname=planwright", "dbname=pgbouncer"))
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(f"show {what}")
            names = [column.name for column in cursor.description]
            rows = [dict(zip(names, row)) for row in cursor.fetchall()]
        connection.close()
        return rows

    def put_between(self):
        """All programs of the server go through it."""
        conf = pathlib.Path(self.stack.env["STACK_CONF"])
        conf.write_text(re.sub(r"(?m)^database = (.*)$", rf"database = {self.socket}\ndirect_database = \1",
                               conf.read_text()))
        for part in ("workers", "importer", "sender"):
            self.stack.part("stop", part)
            self.stack.part("start", part)

    def close(self):
        if self.process:
            self.stop()
        shutil.rmtree(self.folder)
