"""A standby of a test's database: a real PostgreSQL that follows it, and that can be made to lag."""
import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

import psycopg2
from conftest import wait_for


class Standby:
    """The standby of a stack whose settings contain `conninfo`; start() copies the database."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="planwright.", dir="/tmp"))
        self.conninfo = f"host={self.folder} dbname=planwright user=planwright"
        self.program = None

    def as_database(self, *command):
        """The arguments that run a command as the database's user."""
        if os.geteuid() == 0:
            os.chown(self.folder, pwd.getpwnam("postgres").pw_uid, -1)
            os.chmod(self.folder, 0o711)
            command = ("setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--", *command)
        return command

    def start(self, stack):
        leader = stack.env["STACK_RUN"] + "/pg"
        self.bin = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        hba = stack.directory / "postgres" / "pg_hba.conf"
        if "replication" not in hba.read_text():
            with hba.open("a") as file:
                file.write("local replication all peer map=planwright\n")
            stack.sql("select pg_reload_conf()")
            # The tests' database commits without flushing, and would send what it wrote much later.
            stack.sql("alter role planwright set synchronous_commit = on")
            stack.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'planwright'")
        subprocess.run(self.as_database(
            self.bin / "pg_basebackup", "-D", self.folder / "data", "-R", "-X", "stream", "-c", "fast",
            "-d", f"host={leader} user=postgres application_name=standby"), check=True, capture_output=True)
        self.run()

    def run(self, **settings):
        """Starts it and waits until it answers. A killed one may leave a process behind, which the next one must wait
        for. As in the leader, fsync is off: with it, a start would flush every file."""
        words = [w for k, v in {"fsync": "off", **settings}.items() for w in ("-c", f"{k}={v}")]
        command = self.as_database(
            self.bin / "postgres", "-D", self.folder / "data", "-c", "listen_addresses=",
            "-c", f"unix_socket_directories={self.folder}", "-c", "log_destination=stderr",
            "-c", "logging_collector=off", "-c", "max_standby_streaming_delay=-1", *words)

        def answers():
            if not self.program or self.program.poll() is not None:
                self.program = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True,
                                                stderr=(self.folder / "log").open("a"))
            return self.answers()
        self.program = None
        assert wait_for(answers), (self.folder / "log").read_text()[-2000:]

    def sql(self, query):
        connection = psycopg2.connect(f"host={self.folder} dbname=planwright user=postgres",
                                      options="-c search_path=planwright")
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(query)
            rows = cursor.fetchall()
        connection.close()
        return rows

    def answers(self):
        try:
            return self.sql("select true")
        except psycopg2.Error:
            return False

    def hold_back(self):
        self.sql("select pg_wal_replay_pause()")
        assert wait_for(lambda: self.sql("select pg_get_wal_replay_pause_state()") == [("paused",)])

    def let_go(self):
        self.sql("select pg_wal_replay_resume()")

    def catch_up(self, stack):
        (there,), = stack.sql("select pg_current_wal_insert_lsn()::text")
        assert wait_for(lambda: self.sql(f"select pg_last_wal_replay_lsn() >= '{there}'") == [(True,)])

    def signal(self, number):
        """Sends a signal to all of its processes, since each is in a session of its own."""
        parent = str(self.program.pid)
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                if stat.read_text().rsplit(")", 1)[1].split()[1] == parent:
                    os.kill(int(stat.parent.name), number)
            except (OSError, IndexError):
                pass  # the process has ended
        os.kill(self.program.pid, number)

    def kill(self):
        if self.program:
            self.signal(signal.SIGKILL)
            self.program.wait()
            self.program = None


class Relay:
    """A relay between programs and the database, like HAProxy: each new connection goes to `leads_to`, the folder of
    a server's socket."""

    def __init__(self, leads_to):
        self.leads_to = leads_to
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="planwright.", dir="/tmp"))
        self.folder.chmod(0o755)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.folder}/.s.PGSQL.5432")
        os.chmod(f"{self.folder}/.s.PGSQL.5432", 0o777)
        self.listener.listen(64)
        self.taken = []
        threading.Thread(target=self.take_all, daemon=True).start()

    def take_all(self):
        with contextlib.suppress(OSError):
            while True:
                self.join(self.listener.accept()[0])

    def join(self, client):
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{self.leads_to}/.s.PGSQL.5432")
        self.taken += [client, server]
        for ends in ((client, server), (server, client)):
            threading.Thread(target=self.carry, args=ends, daemon=True).start()

    def carry(self, come, go):
        with contextlib.suppress(OSError):
            while piece := come.recv(65536):
                go.sendall(piece)
        for end in (come, go):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        for end in self.taken:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.taken.clear()

    def close(self):
        self.cut()
        self.listener.close()
        shutil.rmtree(self.folder)
