"""pgbouncer between a server's programs and its PostgreSQL, with the settings of docs/guides/pooler.md."""

import configparser
import contextlib
import os
import pathlib
import pwd
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading

import psycopg2

from conftest import TOP, wait_for

GUIDE = TOP / "docs" / "guides" / "pooler.md"
WEB = "www-data" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
PORT = "6432"  # part of a socket's name, in a folder of its own


def found():
    """Versions and their programs, oldest first: the system's, and that in /opt, where Debian 12 may have a newer
    one."""
    folders = [*os.environ["PATH"].split(":"), "/usr/sbin", *map(str, pathlib.Path("/opt").glob("pgbouncer*/**/*bin"))]
    programs = {os.path.realpath(program) for folder in folders if (program := shutil.which("pgbouncer", path=folder))}
    versions = []
    for program in programs:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        versions.append((tuple(map(int, re.search(r"PgBouncer (\d+)\.(\d+)", said).groups())), program))
    return sorted(versions)


FOUND = found()
CARRIES = (1, 21)  # the first version that supports prepared statements
LACKS = "" if any(version >= CARRIES for version, _ in FOUND) else (
    "pgbouncer 1.21 or later is needed, and found: "
    + (", ".join("%d.%d" % version for version, _ in FOUND) or "none"))


def ini():
    """The settings of the guide, verbatim."""
    found = configparser.ConfigParser(interpolation=None)
    found.read_string(re.search(r"```ini\n(.*?)```", GUIDE.read_text("utf-8"), re.S)[1])
    return found


class Pooler:
    """The newest pgbouncer, in its own folder; `settings` replace those of the guide."""

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

    @contextlib.contextmanager
    def console(self, command):
        """The cursor of its own console, after a command."""
        connection = psycopg2.connect(self.socket.replace("dbname=planwright", "dbname=pgbouncer"))
        connection.autocommit = True
        with contextlib.closing(connection), connection.cursor() as cursor:
            cursor.execute(command)
            yield cursor

    def show(self, what):
        with self.console(f"show {what}") as cursor:
            names = [column.name for column in cursor.description]
            return [dict(zip(names, row)) for row in cursor.fetchall()]

    def set(self, name, value):
        with self.console(f"set {name} = {value}"):
            pass

    def put_between(self):
        """From now on, all programs of the server connect through it."""
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


class Way:
    """A proxy between a program and a server's PostgreSQL, which counts how often each connection waited for an
    answer.

    `cuts_after`: from a client's request with these bytes on, it closes instead of passing the answer to a COMMIT.
    `says_at_last`: an error that it sends in the place of an answer, once some statements were prepared, before it
    closes.
    """

    SHUTDOWN = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"
    READY = b"Z\0\0\0\5I"

    def __init__(self, stack):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="planwright.way."))
        self.target, = pathlib.Path(stack.env["STACK_RUN"], "pg").glob(".s.PGSQL.*[0-9]")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.folder / f".s.PGSQL.{PORT}"))
        self.listener.listen(64)
        self.database = f"host={self.folder} port={PORT} dbname=planwright user=planwright"
        self.turns, self.says_at_last, self.cuts_after = [], b"", b""
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._pass, args=(self.listener.accept()[0],), daemon=True).start()

    def _pass(self, client):
        turns, is_answered, n_prepared, is_last = 0, True, 0, False
        with contextlib.suppress(OSError), client, socket.socket(socket.AF_UNIX) as server:
            server.connect(str(self.target))
            while True:
                ready, _, _ = select.select([client, server], [], [])
                # Data for the client is passed on first, since the client waits for it.
                source = server if server in ready else client
                if not (piece := source.recv(65536)):
                    break
                is_last = is_last or (source is client and self.cuts_after and self.cuts_after in piece)
                if is_last and source is server and b"COMMIT\0" in piece:
                    break
                turns += source is client and is_answered
                is_answered = source is server
                n_prepared += source is server and piece.count(b"1\0\0\0\4")
                end = piece.find(self.READY) if self.says_at_last and n_prepared > 3 else -1  # others only try the way
                if end >= 0:  # each statement has one, so many statements are still unanswered
                    client.sendall(piece[:end] + self.READY + b"E"
                                   + struct.pack("!i", 4 + len(self.says_at_last)) + self.says_at_last)
                    client.shutdown(socket.SHUT_WR)
                    while client.recv(65536):  # else the client would lose the last message by sending in vain
                        pass
                    break
                (client if source is server else server).sendall(piece)
        self.turns.append(turns)

    def close(self):
        self.listener.close()
        shutil.rmtree(self.folder)
