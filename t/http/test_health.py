"""What operators use: /-/live, /-/ready, /-/metrics, planwrightctl status, GET /services/v5."""

import concurrent.futures
import json
import re
import subprocess

import pytest

from conftest import BUILD, TOP, Client, Person, Stack, stack_folder, wait_for
from fastcgi import Request
from test_faults import Lock, workers
from world import new_project, ok


@pytest.fixture(scope="module")
def server():
    stack = Stack(stack_folder("health"), workers=2)
    stack.boss = Person(stack, "Boss")
    stack.client = Client(stack, stack.boss.token)
    stack.nobody = Client(stack, base="")
    stack.stories = f"/projects/{new_project(stack.client)['id']}/stories"
    yield stack
    stack.close(expects_5xx=True)


def numbers(text):
    """The samples of Prometheus' text format; each must have a type."""
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
    found = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, value = re.fullmatch(r'(\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})?) (\S+)', line).groups()
        assert name not in found
        assert re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", name) in types or name in types
        found[name] = float(value)
    return found


def metrics(server):
    answer = server.nobody.get("/-/metrics")
    assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/plain")
    return numbers(answer.text)


def test_the_service_says_what_it_is(server):
    version = subprocess.run([f"{BUILD}/planwright.fcgi", "--version"], capture_output=True,
                             text=True).stdout.split()[1]
    for path in ("/services/v5", "/services/v5/", "/services/edge"):
        answer = ok(server.nobody.get(path))
        assert (answer["name"], answer["version"]) == ("planwright", version)
        assert answer["links"]["me"] == f"{server.url}/services/v5/me"
    for link in answer["links"].values():
        assert server.client.get(link).status_code == 200
    refused = server.nobody.post("/services/v5", {})
    assert refused.status_code == 405 and refused.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_a_server_that_is_well(server):
    assert ok(server.nobody.get("/-/live"))["status"] == "live"
    answer = ok(server.nobody.get("/-/ready"))
    newest = max(int(f.name[:4]) for f in (TOP / "sql" / "migrations").glob("*.sql"))
    assert (answer["status"], answer["database"]) == ("ready", "ok")
    assert answer["schema_version"] == answer["schema_expected"] == newest
    assert answer["disk_free_bytes"] > 0


@pytest.mark.parametrize("path", ["/-/", "/-/nothing", "/-/live/x", "/-/metrics/"])
def test_there_is_nothing_else(server, path):
    assert server.nobody.get(path).status_code == 404


def test_they_are_for_this_host(server):
    """The shipped block gives nobody else access to them, and they are not in the access log."""
    text = (TOP / "nginx" / "planwright.conf").read_text()
    block, = re.findall(r"location ~ \^/-/\(live\|ready\|metrics\)\$ \{(.*?)\n\t\}", text, re.S)
    lines = [line.strip() for line in block.splitlines()]
    assert lines.index("allow 127.0.0.0/8;") < lines.index("deny all;")
    server.nobody.get("/-/live")
    assert "/-/live HTTP" not in server.log("access")


@pytest.mark.parametrize("path", ["//-//metrics", "/-//metrics", "//-/metrics", "/-/metrics/", "/-/metrics//"])
def test_no_other_spelling_leads_past_the_web_server(server, path):
    """A web server that does not merge slashes may protect only the exact text /-/metrics."""
    for spelt in ({"DOCUMENT_URI": path}, {"SCRIPT_NAME": path}, {"SCRIPT_NAME": "", "PATH_INFO": path}):
        assert Request(server, "GET", "", **{"DOCUMENT_URI": "", **spelt}).answer()[0] == 404
    assert server.nobody.get(path).status_code in (200, 404)


def test_without_the_database(server):
    server.part("stop", "postgres")
    try:
        assert ok(server.nobody.get("/-/live"))["status"] == "live"
        answer = server.nobody.get("/-/ready")
        assert answer.status_code == 503 and int(answer.headers["Retry-After"]) > 0
        assert (answer.json()["status"], answer.json()["database"]) == ("unready", "away")
        assert answer.json()["schema_version"] is None
        told = metrics(server)
        assert told["planwright_database_up"] == 0 and told["planwright_workers"] == 2
        assert "planwright_mails_waiting" not in told
        done = server.ctl("status", "--json", check=False)
        assert done.returncode == 1 and json.loads(done.stdout)["mails_waiting"] is None
    finally:
        server.part("start", "postgres")
    assert wait_for(lambda: server.nobody.get("/-/ready").status_code == 200)
    assert metrics(server)["planwright_database_up"] == 1


def test_a_database_of_an_older_version(server):
    newest, = server.sql("delete from schema_migration where number = (select max(number) "
                         "from schema_migration) returning number, name, sha256, applied_at")
    try:
        answer = server.nobody.get("/-/ready")
        assert answer.status_code == 503 and answer.json()["database"] == "older than the program"
    finally:
        server.sql("insert into schema_migration (number, name, sha256, applied_at) "
                   "values (%s, %s, %s, %s)", *newest)
    assert server.nobody.get("/-/ready").status_code == 200


def test_a_disk_that_is_nearly_full(new_stack):
    """Reported, but not a failure: reading continues."""
    stack = new_stack(workers=1, settings="disk_floor_mib = 1048576")
    answer = ok(Client(stack, base="").get("/-/ready"))
    assert (answer["status"], answer["disk"]) == ("ready", "low")
    assert json.loads(stack.ctl("status", "--json").stdout)["disk_low"] == 1


def test_requests_are_counted(server):
    before = metrics(server)
    for _ in range(5):
        ok(server.client.get("/me"))
    for i in range(3):
        ok(server.client.post(server.stories, {"name": f"counted {i}"}))
    server.client.get("/nothing")
    server.client.post(server.stories, {"name": ""})
    after = metrics(server)

    def more(name):
        return after[f"planwright_{name}"] - before[f"planwright_{name}"]
    assert more('requests_total{access="read",status="2xx"}') == 6  # including the request for `before`
    assert more('requests_total{access="read",status="4xx"}') == 1
    assert more('requests_total{access="write",status="2xx"}') == 3
    assert more('requests_total{access="write",status="4xx"}') == 1
    assert more('request_seconds_count{access="read"}') == 7
    assert more('request_seconds_bucket{access="read",le="+Inf"}') == 7
    assert more('request_seconds_bucket{access="write",le="10"}') == 4
    assert 0 < more('request_seconds_sum{access="write"}') < 10
    buckets = [after[n] for n in after if n.startswith('planwright_request_seconds_bucket{access="read"')]
    assert buckets == sorted(buckets) and len(buckets) == 13


def test_workers_are_counted_and_who_is_busy(server):
    assert metrics(server)["planwright_workers"] == len(workers(server)) == 2
    with Lock(server) as lock, concurrent.futures.ThreadPoolExecutor(1) as pool:
        write = pool.submit(server.client.post, server.stories, {"name": "waits"})
        assert lock.waits()
        told = metrics(server)
        assert told["planwright_workers_busy"] == 2  # including the worker that reports
        assert told["planwright_busiest_worker_seconds"] > 0
        lock.connection.rollback()
        assert write.result().status_code == 200


def test_queues(server):
    before = metrics(server)
    server.sql("""with w as (insert into webhook (project_id, webhook_url, webhook_version, enabled,
            failing_since) select id, 'https://x.test', 'v5', n > 1, case when n > 2 then now() end
            from project, generate_series(1, 3) n returning id, project_id)
        insert into delivery (webhook_id, project_id, version, next_at, created_at)
        select id, project_id, 1, now() + interval '1 day', now() - interval '1 hour' from w""")
    after = metrics(server)
    assert after["planwright_deliveries_waiting"] == before["planwright_deliveries_waiting"] + 3
    assert 3600 <= after["planwright_deliveries_oldest_seconds"] < 3700
    assert after["planwright_webhooks_off"] == before["planwright_webhooks_off"] + 1
    assert after["planwright_webhooks_failing"] == before["planwright_webhooks_failing"] + 1
    assert after["planwright_database_bytes"] > 1e6
    server.sql("delete from webhook")


def test_status_tells_the_same(server):
    ok(server.client.get("/me"))
    told = json.loads(server.ctl("status", "--json").stdout)
    other = numbers(server.ctl("status", "--prometheus").stdout)
    text = server.ctl("status").stdout
    assert told["workers"] == other["planwright_workers"] == 2
    assert told["requests"]["read"]["2xx"] == other['planwright_requests_total{access="read",status="2xx"}']
    assert told["schema_version"] == told["schema_expected"]
    assert told["requests"]["read"]["within_seconds"]["10"] > 0
    assert re.search(r"^workers +2$", text, re.M) and re.search(r"^reads .*2xx=[1-9]", text, re.M)


def test_counts_outlive_a_worker(server):
    before = metrics(server)['planwright_requests_total{access="read",status="2xx"}']
    old = workers(server)
    subprocess.run(["kill", "-9", *map(str, old[:1])], check=True)
    assert wait_for(lambda: len(workers(server)) == 2 and workers(server) != old)
    assert wait_for(lambda: metrics(server)["planwright_workers"] == 2)
    assert metrics(server)['planwright_requests_total{access="read",status="2xx"}'] > before


def test_health_needs_no_nginx(server):
    """Anyone who reaches the socket may ask: other web servers have their own rules."""
    status, body = Request(server, "GET", "", DOCUMENT_URI="/-/live").answer()
    assert status == 200 and json.loads(body)["status"] == "live"
