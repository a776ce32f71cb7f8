"""How the programs are started: the filters in their units (systemd/), and planwright(8)."""

import ctypes
import errno
import os
import pathlib
import re
import signal
import subprocess

import pytest

from conftest import BUILD, TOP, wait_for
from fastcgi import Request
from test_uploads import png

pytestmark = pytest.mark.both  # the system call filter must be that of the build that ships

KILL, ERRNO, ALLOW = 0x80000000, 0x00050000, 0x7fff0000


def calls(word):
    """The system calls that a word in SystemCallFilter= stands for."""
    if not word.startswith("@"):
        return {word}
    told = subprocess.run(["systemd-analyze", "syscall-filter", word], capture_output=True,
                          text=True, check=True).stdout
    words = re.findall(r"^    ([@\w-]+)$", told, re.M)
    return set().union(*map(calls, words))


def filtered(unit):
    """A function for a child process that applies what systemd applies for this unit."""
    text = pathlib.Path(BUILD, "systemd", unit).read_text()
    allowed = set()
    for line in re.findall(r"^SystemCallFilter=(.+)$", text, re.M):
        named = set().union(*map(calls, line.lstrip("~").split()))
        allowed = allowed - named if line.startswith("~") else allowed | named
    number = re.search(r"^SystemCallErrorNumber=(\w+)$", text, re.M)
    otherwise = ERRNO | getattr(errno, number.group(1)) if number else KILL
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(otherwise)))
    for name in allowed:
        call = seccomp.seccomp_syscall_resolve_name(name.encode())
        if call >= 0:
            seccomp.seccomp_rule_add(context, ctypes.c_uint32(ALLOW), call, 0)

    def apply():
        if seccomp.seccomp_load(context):
            os._exit(99)
    return apply


def test_the_sender_sees_neither_the_secret_nor_the_files():
    """At the places where the README puts the secret, and where the setting `files` puts files."""
    unit = pathlib.Path(BUILD, "systemd", "planwright-sender.service").read_text()
    hidden = re.findall(r"^InaccessiblePaths=-(.+)$", unit, re.M)
    make = pathlib.Path(BUILD, "Makefile").read_text()
    prefix, = re.findall(r"^prefix = (.+)$", make, re.M)
    assert hidden == [f"{prefix}/etc/planwright.secret", f"{prefix}/var/lib/planwright"]
    assert "secret_file = /etc/planwright.secret" in (TOP / "README.md").read_text()
    man = (TOP / "man" / "planwright.conf.5").read_text()
    assert "The default is\n.Ql /var/lib/planwright/files ." in man
    assert "StateDirectory" not in unit, "it would make that folder, and open it"


@pytest.mark.parametrize("unit", ["planwright.service", "planwright-importer.service"])
@pytest.mark.parametrize("content, said", [
    (png(400, 300), "image/png 400 300 1\n"), (b"Just some text\n", "text/plain 0 0 0\n")],
    ids=["picture", "text"])
def test_a_worker_learns_what_a_file_is(tmp_path, content, said, unit):
    (tmp_path / "file").write_bytes(content)
    limit = filtered(unit)
    with open(tmp_path / "file", "rb") as file, open(tmp_path / "small", "wb") as small, \
            open(tmp_path / "big", "wb") as big:
        def place():
            os.dup2(small.fileno(), 3)
            os.dup2(big.fileno(), 4)
            if os.geteuid() == 0:  # as the unit's user, who has no privileges to drop
                os.setgid(65534)
                os.setuid(65534)
            limit()
        done = subprocess.run([f"{BUILD}/planwright-media"], stdin=file, capture_output=True,
                              text=True, preexec_fn=place, close_fds=False, timeout=60)
    assert (done.returncode, done.stdout) == (0, said), done.stderr


def test_the_parent_and_its_workers_need_no_other_call(stack, tmp_path):
    """They start, answer from the database, are replaced and end under the filter of their unit."""
    folder = pathlib.Path(stack.env["STACK_RUN"]) / "filtered" / "web"
    folder.mkdir(parents=True)
    socket, log = folder / "fcgi.sock", tmp_path / "log"
    with log.open("w") as errors:
        parent = subprocess.Popen(
            [f"{BUILD}/planwright.fcgi", "--workers", "2", "--socket", str(socket)], stderr=errors,
            env={"PATH": os.environ["PATH"], "PLANWRIGHT_CONF": stack.env["STACK_CONF"],
                 # The shared memory of the stack's workers belongs to another user.
                 "PLANWRIGHT_DATABASE": stack.env["STACK_DB"] + " connect_timeout=4",
                 # A sanitizer looks for leaks with calls that the filter does not allow.
                 "ASAN_OPTIONS": "detect_leaks=0"},
            preexec_fn=filtered("planwright.service"))
    place = type("Place", (), {"env": {"STACK_RUN": str(folder.parent)}})

    def ready():
        try:
            return Request(place, "GET", "", DOCUMENT_URI="/-/ready").answer()[0] == 200
        except OSError:
            return False
    try:
        assert wait_for(ready), log.read_text()
        parent.send_signal(signal.SIGHUP)
        assert wait_for(lambda: "the workers were replaced" in log.read_text()), log.read_text()
        assert ready()
    finally:
        parent.terminate()
        assert parent.wait(20) == 0, log.read_text()
    assert "<3>" not in log.read_text() and "<4>" not in log.read_text(), log.read_text()


def test_workers_are_started_by_the_manuals_line_for_spawn_fcgi(stack):
    text = (TOP / "man" / "planwright.8").read_text()
    line, = re.findall(r"^\.Ss With spawn-fcgi$.*?^\.Bd .*?\n(.*?)^\.Ed", text, re.M | re.S)
    socket = f"{stack.env['STACK_RUN']}/manual.sock"
    for told, here in (("\\e\n", ""), ("-u planwright -G www-data ", ""),
                       ("/run/planwright.sock", socket),
                       ("/usr/libexec/planwright", os.path.abspath(BUILD))):
        assert told in line
        line = line.replace(told, here)
    starter = subprocess.Popen(line.split(), env={
        "PATH": os.environ["PATH"], "PLANWRIGHT_CONF": stack.env["STACK_CONF"]})
    try:
        assert wait_for(lambda: f"ok    socket: {socket}" in stack.ctl(
            "doctor", "--socket", socket, check=False).stdout)
    finally:
        starter.terminate()
        starter.wait()


# --- the nightly backup -------------------------------------------------------------------------

def test_the_newest_backups_are_kept(new_stack, tmp_path):
    """With the line from the unit: a new backup is verified before an old one is deleted."""
    server = new_stack(workers=1)
    unit = pathlib.Path(BUILD, "systemd", "planwright-backup.service").read_text()
    line, = re.findall(r"^ExecStart=(.+)$", unit, re.M)
    program, ctl, folder, kept, passphrase = line.split()
    assert program.endswith("/planwright-backup") and ctl.endswith("/planwrightctl")
    assert (folder, kept) == ("${PLANWRIGHT_BACKUPS}", "${PLANWRIGHT_BACKUPS_KEPT}")
    backups = tmp_path / "backups"
    backups.mkdir()
    for name in ("planwright-20240101T000000Z.backup", "planwright-20240102T000000Z.backup",
                 "planwright-20240103T000000Z.backup", "before-the-move.backup"):
        (backups / name).write_text("old")
    (tmp_path / "passphrase").write_text("a long passphrase\n")
    (tmp_path / "passphrase").chmod(0o600)

    def make(ctl, keep="3"):
        return subprocess.run(
            [TOP / "systemd" / "planwright-backup", ctl, backups, keep, tmp_path / "passphrase"], text=True,
            capture_output=True, check=False, timeout=120,
            env={"PATH": os.environ["PATH"], "PLANWRIGHT_CONF": server.env["STACK_CONF"]})
    assert make("/bin/false").returncode != 0 and len(list(backups.iterdir())) == 4
    bad = tmp_path / "bad"  # makes a backup that is not whole
    bad.write_text('#!/bin/sh\nif [ "$2" = --verify ]; then exit 3; else echo half > "$2"; fi\n')
    bad.chmod(0o755)
    (backups / "planwright-20240104T000000Z.backup.part").write_text("killed")
    assert make(bad).returncode == 3 and len(list(backups.iterdir())) == 4
    for keep in ("0", "", "many"):
        assert make(server.env["STACK_CTL"], keep).returncode == 2
    done = make(server.env["STACK_CTL"])
    assert done.returncode == 0, done.stderr
    names = sorted(path.name for path in backups.iterdir())
    assert names[:3] == ["before-the-move.backup", "planwright-20240102T000000Z.backup",
                         "planwright-20240103T000000Z.backup"] and len(names) == 4
    assert (backups / names[3]).stat().st_mode & 0o777 == 0o600
    (tmp_path / "slow").write_text('#!/bin/sh\n: > "$2.part"\nexec sleep 60\n')
    (tmp_path / "slow").chmod(0o755)
    with subprocess.Popen([TOP / "systemd" / "planwright-backup", tmp_path / "slow", backups, "3", "-"],
                          start_new_session=True) as ended:
        assert wait_for(lambda: list(backups.glob("*.part")))
        os.killpg(ended.pid, signal.SIGTERM)  # as systemd ends a service
        assert ended.wait(20) == 143
    assert sorted(path.name for path in backups.iterdir()) == names
    assert "Persistent=true" in (TOP / "systemd" / "planwright-backup.timer").read_text()
    assert "[Install]" not in unit, "nothing but the timer starts it"


def test_logs_of_nginx_are_for_nobody_else_from_their_first_line():
    """nginx would create them readable for everybody; they exist before it starts."""
    site = (TOP / "nginx" / "planwright.conf").read_text()
    logs = set(re.findall(r"^\t(?:access|error)_log (/\S+)", site, re.M))
    made = (TOP / "systemd" / "tmpfiles.d" / "planwright.conf").read_text()
    assert len(logs) == 2
    for log in logs:
        assert f"f {log} 0640 www-data adm\n" in made
