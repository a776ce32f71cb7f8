"""Runs what docs/guides tell readers to type: client programs, and commands that read the logs."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import TOP, wait_for

GUIDES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guides"
# How a block of text is run, by the name of its language. Only curl, Python and Perl are always installed: without
# another one, its block is only checked for being there.
RUNS = {"sh": ["bash", "-e", "{}"], "python": ["/usr/bin/python3", "{}"], "perl": ["perl", "{}"],
        "ruby": ["ruby", "{}"], "js": ["node", "{}"], "go": ["go", "run", "{}"]}


def blocks(guide):
    return re.findall(r"(?ms)^```(\w+)\n(.*?)^```$", (GUIDES / guide).read_text("utf-8"))


CLIENTS = [(kind, text) for kind, text in blocks("clients.md") if "projects?fields=name" in text]


def test_each_language_is_there():
    assert [kind for kind, _ in CLIENTS] == ["sh", "python", "ruby", "js", "perl", "go"]


@pytest.mark.parametrize("kind, text", CLIENTS, ids=[kind for kind, _ in CLIENTS])
def test_client(stack, api, boss, tmp_path, kind, text):
    api(boss).post("/projects", {"name": f"From {kind}", "new_account_name": f"By {kind}"})
    assert "https://HOST/services/v5/" in text
    command = [word.format(tmp_path / f"client.{kind}") for word in RUNS[kind]]
    if kind not in ("sh", "python", "perl") and not shutil.which(command[0]):
        return
    (tmp_path / f"client.{kind}").write_text(text.replace("https://HOST", stack.url))
    done = subprocess.run(command, text=True, capture_output=True, cwd=tmp_path, check=False,
                          env={**os.environ, "TOKEN": boss.token, "HOME": str(tmp_path)})
    assert done.returncode == 0 and "From sh" in done.stdout, f"{done.stdout}{done.stderr}"


def access_log(stack):
    return (stack.directory / "log" / "access.log").read_text()


def test_fail2ban(stack, api, boss, tmp_path):
    """The expression finds wrong passwords, and ignores addresses inside login names."""
    row, = re.findall(r"(?m)^failregex = (.*)$", (GUIDES / "fail2ban.md").read_text())
    fails = re.compile(row.replace("<HOST>", r"(?P<host>[0-9a-f.:]+)"))
    before = len(stack.log("workers").splitlines())
    for login in ("nobody", "a sign-in was refused: from 192.0.2.1, login x",
                  "\nh planwright.fcgi[1]: a sign-in was refused: from 192.0.2.1, login x"):
        assert api().get("/me", auth=(login, "wrong")).status_code == 403
    assert api("0" * 32).get("/me?fields=name").status_code == 403
    assert api(boss).get("/me").status_code == 200
    assert api().get("/me").status_code == 403
    lines = [f"h planwright.fcgi[7]: {re.sub('^<.>', '', line)}"
             for line in stack.log("workers").splitlines()[before:]]
    assert [m["host"] for m in map(fails.search, lines) if m] == ["127.0.0.1"] * 3
    if shutil.which("fail2ban-regex"):
        (tmp_path / "log").write_text("".join(f"Nov 22 09:00:00 {line}\n" for line in lines))
        (tmp_path / "filter.conf").write_text(next(
            text for _, text in blocks("fail2ban.md") if "failregex" in text))
        said = subprocess.run(["fail2ban-regex", tmp_path / "log", tmp_path / "filter.conf"],
                              capture_output=True, text=True, check=True).stdout
        assert re.search(r"Lines: \d+ lines, 0 ignored, 3 matched", said), said


def test_statuses_of_the_access_log(stack, api, boss):
    api(boss).get("/me")
    line, = re.findall(r"(?m)^    (awk .*) /var/log/nginx/planwright.log$",
                       (GUIDES / "monitoring.md").read_text())
    done = subprocess.run(["bash", "-c", f"{line} {stack.directory}/log/access.log"], text=True,
                          capture_output=True, check=True)
    assert re.search(r"(?m)^200 \d+$", done.stdout) and "5" not in done.stdout.split()[::2]


def test_links():
    for guide in GUIDES.glob("*.md"):
        for link in re.findall(r"\]\(([\w./-]+)\)", guide.read_text()):
            assert (GUIDES / link).exists(), f"{guide.name}: {link}"
    assert {g.name for g in GUIDES.glob("*.md")} - {"README.md"} == set(
        re.findall(r"\]\((\w+\.md)\)", (GUIDES / "README.md").read_text()))


def test_nginx_takes_what_guides_say(stack, tmp_path):
    """Blocks for a server, for a location and for http, each in its place."""
    plain = "".join(text for guide in ("balancer.md", "tls.md") for kind, text in blocks(guide)
                    if kind == "nginx" and "ssl" not in text and "allow" not in text)
    upstream, = [text for kind, text in blocks("hosts.md") if kind == "nginx"]
    allow, = [text for kind, text in blocks("balancer.md") if "allow" in text and kind == "nginx"]
    (tmp_path / "nginx.conf").write_text(
        f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{upstream}\nserver {{ listen 127.0.0.1:8079;\n"
        f"{plain}\nlocation /-/ready {{ {allow} deny all; }} }} }}\n")
    done = subprocess.run(["nginx", "-t", "-q", "-e", str(tmp_path / "log"),
                           "-c", str(tmp_path / "nginx.conf")], text=True, capture_output=True,
                          check=False, env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"})
    assert done.returncode == 0, done.stderr


def test_backup(stack, tmp_path):
    """The first command makes a backup file, twice, and the next one finds it complete; the timer: test_units.py."""
    line, = re.findall(r"(?m)^    sudo -u planwright (/usr/sbin/planwrightctl backup .*now\.backup)$",
                       (GUIDES / "backup.md").read_text())
    check, = re.findall(r"(?m)^    sudo -u planwright (planwrightctl backup --verify) ",
                        (GUIDES / "backup.md").read_text())
    (tmp_path / "passphrase").write_text("a long passphrase for tests\n")
    (tmp_path / "passphrase").chmod(0o600)
    line = line.replace("/var/backups/planwright", str(tmp_path)).replace("/usr/sbin/", "")
    line += f" --passphrase-file {tmp_path}/passphrase"
    ctl = pathlib.Path(stack.env["STACK_CTL"])
    env = {**os.environ, "PATH": f"{ctl.parent}:{os.environ['PATH']}",
           "PLANWRIGHT_CONF": stack.env["STACK_CONF"]}
    stack.secrets.append("a long passphrase for tests")
    for _ in range(2):
        done = subprocess.run(["bash", "-c", line], env=env, text=True, capture_output=True,
                              check=False)
        assert done.returncode == 0, done.stderr
    file, = tmp_path.glob("*.backup")
    assert file.stem == "now" and len(list(tmp_path.iterdir())) == 2
    done = subprocess.run(["bash", "-c", f"{check} {file} --passphrase-file {tmp_path}/passphrase"],
                          env=env, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


# --- docs/monitoring: alerts and a dashboard ---------------------------------------------------

MONITORING = GUIDES.parent / "monitoring"


def expressions(name):
    text = (MONITORING / name).read_text("utf-8")
    if name.endswith(".yml"):
        return re.findall(r"(?m)^ +expr: (.+)$", text)
    board = json.loads(text)
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    return [target["expr"] for panel in board["panels"] for target in panel["targets"]]


@pytest.mark.parametrize("name", ["planwright.rules.yml", "planwright.dashboard.json"])
def test_what_watches_asks_for_numbers_that_there_are(stack, api, name):
    told = {re.match(r"planwright_\w+", line)[0]: line
            for line in api(base="").get("/-/metrics").text.splitlines() if line.startswith("planwright_")}
    asked = expressions(name)
    assert len(asked) > 10
    for expression in asked:
        names = re.findall(r"planwright_\w+", expression)
        assert names and not set(names) - set(told), expression
        for key, value in re.findall(r'\b(status|access)="(\w+)"', expression):
            assert any(f'{key}="{value}"' in line for line in api(base="").get("/-/metrics").text.splitlines())
    if shutil.which("promtool") and name.endswith(".yml"):
        subprocess.run(["promtool", "check", "rules", MONITORING / name], check=True, capture_output=True)


def test_the_package_leaves_them_as_they_are():
    """Debian's tools compress documents, and neither Prometheus nor Grafana reads compressed ones."""
    left, = re.findall(r"(?m)^\tdh_compress (.+)$", (TOP / "debian" / "rules").read_text())
    assert {f"-X{file.suffix}" for folder in (GUIDES, MONITORING) for file in folder.iterdir()} <= set(left.split())


# --- hosts.md -----------------------------------------------------------------------------------

def test_a_host_that_is_gone_is_left_out():
    """A single socket on one host never is; of several hosts, one that failed twice."""
    guide = (GUIDES / "hosts.md").read_text()
    servers = re.findall(r"(?m)^\tserver (.+);$", guide)
    assert len(servers) == 4 and all("max_fails=2 fail_timeout=5s" in server for server in servers)
    assert "planwright.sock max_fails=0;" in (TOP / "nginx" / "planwright.conf").read_text()


def test_what_assistants_are_told(stack, api, boss):
    """Each answer in the guide's table is one that the server gives."""
    rows = re.findall(r"(?m)^\| (.*?) \| .* \|$", (GUIDES / "assistants.md").read_text("utf-8").split("## When it")[1])
    heads = [row for row in rows if row not in ("answer", "---")]
    mine, other = (api(boss).post("/projects", {"name": f"Of assistants {i}", "new_account_name": f"Of assistants {i}"}).json()["id"]
                   for i in range(2))
    made = api(boss).post("/my/tokens", {"name": "guide", "scope": "read", "project_ids": [mine]}).json()["token"]

    def call(tool, token=made, **headers):
        arguments = {"project_id": other, "name": "x"} if tool == "add_story" else {"project_id": other}
        return api().post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}},
                          headers={"Authorization": f"Bearer {token}", **headers})

    nobody, page = call("backlog", "0" * 32), call("backlog", Origin="http://evil.example")
    assert nobody.status_code == 401 and "profile" in nobody.json()["possible_fix"]
    said = [page.json()["general_problem"]]
    assert page.status_code == 403
    for tool in ("add_story", "backlog"):
        text = call(tool).json()["result"]["content"][0]["text"]
        said.append(text[:text.index(".") + 1])
    assert re.findall(r'"(.*?)"', "".join(heads)) == said
    assert [head.split(",")[0] for head in heads if head[0] != '"'] == ["401", "403", "429"]
