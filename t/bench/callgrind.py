"""Instructions of a worker and of PostgreSQL's processes, counted by valgrind's callgrind. Unlike times, they do not
depend on what else the machine does."""
import os
import pathlib
import re
import socket
import subprocess

from conftest import BUILD, wait_for

# The names of vgdb's pipes contain the user's name, and PostgreSQL is a different user: without names, they match.
NAMELESS = {k: v for k, v in os.environ.items() if k not in ("LOGNAME", "USER")}


def command(out, *more):
    """The command under which a program is run; its counts go to out.PID…."""
    return ["valgrind", "-q", "--tool=callgrind", f"--vgdb-prefix={out}.vgdb", f"--callgrind-out-file={out}.%p", *more]


def begin_worker(stack, out):
    """Starts a worker under callgrind, in place of the stack's workers."""
    stack.part("stop", "workers")
    path = pathlib.Path(stack.env["STACK_RUN"]) / "web" / "fcgi.sock"
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        path.chmod(0o666)
        listening.listen(64)
        return subprocess.Popen(
            [*command(out), pathlib.Path(BUILD).resolve() / "planwright.fcgi"], stdin=listening, cwd=stack.directory,
            env={**NAMELESS, "PLANWRIGHT_CONF": "planwright.conf", "PLANWRIGHT_SECRET_FILE": "secret"})


MARK = "ProcessLogMemoryContextInterrupt"


def begin_postgres(stack, out, *more):
    """Starts PostgreSQL under callgrind, in place of the stack's."""
    stack.part("stop", "postgres")
    os.environ["STACK_TRACER"] = " ".join(command(out, f"--dump-before={MARK}", f"--dump-after={MARK}", *more))
    try:
        stack.part("start", "postgres")
    finally:
        del os.environ["STACK_TRACER"]


def total(file):
    """The instructions in a callgrind file; None while it is still being written."""
    found = re.search(r"^totals: (\d+)", file.read_text(), re.M)
    return found and int(found[1])


def files(pid, out):
    """The files that callgrind wrote for a process, in order."""
    return sorted(out.parent.glob(f"{out.name}.{pid}.*"), key=lambda file: int(file.suffix[1:]))


def counted_worker(pid, out):
    """A worker's instructions since the last call."""
    at = len(files(pid, out))
    done = subprocess.run(["vgdb", f"--vgdb-prefix={out}.vgdb", f"--pid={pid}", "dump"], capture_output=True,
                          text=True, env=NAMELESS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert wait_for(lambda: len(files(pid, out)) > at and total(files(pid, out)[at]))
    return total(files(pid, out)[at])


def counted_backend(stack, pid, out):
    """The same for a PostgreSQL process, which vgdb does not find: a function that nothing else calls ends one count
    when it begins, and its own when it returns."""
    at = len(files(pid, out))
    stack.sql("select pg_log_backend_memory_contexts(%s)", pid)
    assert wait_for(lambda: len(files(pid, out)) > at + 1 and total(files(pid, out)[at + 1]), 30)
    return total(files(pid, out)[at])
