"""A standby of a test's database: a real PostgreSQL that follows it, and that can be held back."""
import os
import pathlib
import pwd
import signal
import subprocess
import tempfile

import psycopg2
from conftest import wait_for


class Standby:
    """Of a stack whose settings name `conninfo`; start() copies the database."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="planwright.", dir="/tmp"))
        self.conninfo = f"host={self.folder} dbname=planwright user=planwright"
        self.program = None

    def as_database(self, *command):
        """Arguments that run a command as the database's user."""
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
            # The tests' database commits without waiting, and would send what it wrote much later.
            stack.sql("alter role planwright set synchronous_commit = on")
            stack.sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'planwright'")
        subprocess.run(self.as_database(
            self.bin / "pg_basebackup", "-D", self.folder / "data", "-R", "-X", "stream", "-c", "fast",
            "-d", f"host={leader} user=postgres application_name=standby"), check=True, capture_output=True)
        self.run()

    def run(self, **settings):
        """Until it answers. One that was killed may leave a process behind, for whose end the next one must wait; and
        as in the leader, nothing is flushed: with fsync, the next one would flush every file before it begins."""
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
        """To all of its processes, each of which has a session of its own."""
        parent = str(self.program.pid)
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                if stat.read_text().rsplit(")", 1)[1].split()[1] == parent:
                    os.kill(int(stat.parent.name), number)
            except (OSError, IndexError):
                pass  # it has ended
        os.kill(self.program.pid, number)

    def kill(self):
        if self.program:
            self.signal(signal.SIGKILL)
            self.program.wait()
            self.program = None
