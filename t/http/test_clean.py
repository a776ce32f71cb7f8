"""planwrightctl clean and the sender's hourly sweep: what is kept for how long."""

import pytest

from conftest import Client, Person, wait_for
from world import new_project, ok

SETTINGS = "delivery_days = 3\nmail_days = 5\nnotification_days = 20\naudit_months = 1\n"
DIGEST = "sha256((n + random())::text::bytea)"
TABLES = ("delivery", "mail", "letter", "notification", "session", "once", "sign_in_failure", "sign_in_flow", "lease")
# How many there are of each kind, at their ages: half of them are old enough.
AGES = {"delivery": ("2 days 23 hours", "3 days"), "mail": ("4 days 23 hours", "5 days"),
        "letter": ("4 days 23 hours", "5 days"), "notification": ("19 days 23 hours", "20 days"),
        "session": ("29 days 23 hours", "30 days"), "once": ("23 hours", "1 day"),
        "sign_in_failure": ("59 minutes", "1 hour"), "sign_in_flow": ("9 minutes", "10 minutes"),
        "lease": ("23 hours", "1 day")}
SAYS = {"delivery": "webhook deliveries deleted", "mail": "emails deleted", "letter": "emails about signing in deleted",
        "notification": "read notifications deleted", "session": "ended sessions deleted",
        "once": "answers to repeated requests deleted", "sign_in_failure": "failed sign-ins deleted",
        "sign_in_flow": "unfinished sign-ins deleted", "lease": "leases deleted"}


class Kept:
    """A server with rows of each kind, of which the sender deletes none while it is stopped."""

    def __init__(self, server):
        self.server = server
        server.part("stop", "sender")
        self.person = Person(server, "Ada Kept")
        self.client = Client(server, self.person.token)
        self.project = new_project(self.client)["id"]
        self.webhook = server.sql("insert into webhook (project_id, webhook_url, webhook_version) values"
                                  " (%s, 'http://127.0.0.1:9/', 'v5') returning id", self.project)[0][0]

    def add(self, table, age, n):
        """So many, that old, and done."""
        person, project = self.person.id, self.project
        rows = {
            "delivery": "(webhook_id, project_id, version, created_at, delivered_at)"
                        f" select {self.webhook}, {project}, 1, t, t",
            "mail": "(notification_id, created_at, failed_at) select (select max(id) from notification), t, t",
            "letter": "(kind, email, created_at, failed_at) select 'reset', 'x', t, t",
            "notification": "(person_id, project_id, message, notification_type, action, created_at, updated_at, read_at)"
                            f" select {person}, {project}, 'x', 'story', 'create', t, t, t",
            "session": f"(mac, person_id, agent, used_at) select {DIGEST}, {person}, '', t",
            "once": f"(person_id, key, request, status, version, created_at) select {person}, {DIGEST}, '', 200, 0, t",
            "sign_in_failure": "(login, created_at) select 'x', t",
            "sign_in_flow": "(state_mac, browser_mac, provider, target, network, created_at)"
                            f" select {DIGEST}, {DIGEST}, 'x', '/', 'x', t",
            "lease": "(what, id, holder, until) select 'webhook', (random() * 1e15)::bigint, gen_random_uuid(), t",
        }[table]
        self.server.sql(f"insert into {table} {rows} from generate_series(1, {n}) n, lateral (select"
                        f" date_trunc('milliseconds', now() - interval '{age}') - n * interval '1 millisecond' as t) x")

    def counts(self):
        return {t: self.server.sql(f"select count(*) from {t}")[0][0] for t in TABLES}


@pytest.fixture
def kept(new_stack):
    return Kept(new_stack(workers=1, settings=SETTINGS))


def fill(kept, old=2):
    kept.server.sql("update person set notified_at = date_trunc('milliseconds', now())")
    kept.add("notification", "1 hour", 1)  # that of the mails
    for table, (young, age) in AGES.items():
        kept.add(table, young, 1)
        kept.add(table, age, old)
    return kept.counts()


def test_what_was_kept_for_long_enough(kept):
    before = fill(kept)
    dry = kept.server.ctl("clean", "--dry-run").stdout
    assert kept.counts() == before, "a dry run deletes nothing"
    assert dry.splitlines() == [*(f"2 {SAYS[t].replace(' deleted', ' would be deleted')}" for t in TABLES),
                                "0 months of the audit log would be dropped"]
    assert kept.server.ctl("clean").stdout == dry.replace("would be ", "")
    assert kept.counts() == {t: n - 2 for t, n in before.items()}
    assert kept.server.ctl("clean").stdout == "0 months of the audit log dropped\n"


def test_the_sender_deletes_the_same(kept):
    before = fill(kept, old=1001)
    kept.server.part("start", "sender")  # it sweeps as it begins, a thousand at a time
    assert wait_for(lambda: kept.counts() == {t: n - 1001 for t, n in before.items()}, 30), kept.counts()


def test_more_than_a_thousand(kept):
    before = fill(kept, old=2100)
    assert f"2100 {SAYS['delivery']}\n" in kept.server.ctl("clean").stdout
    assert kept.counts() == {t: n - 2100 for t, n in before.items()}


def test_nothing_that_waits(kept):
    """Deliveries and mails that wait stay, however old they are, and notifications that nobody read."""
    before = fill(kept)
    kept.server.sql("update delivery set delivered_at = null")
    kept.server.sql("update mail set failed_at = null")
    kept.server.sql("update notification set read_at = null")
    kept.server.ctl("clean")
    assert {t: n for t, n in kept.counts().items() if t in ("delivery", "mail", "notification")} == {
        t: before[t] for t in ("delivery", "mail", "notification")}


def test_the_newest_notification_stays(kept):
    """Clients ask for what came after it."""
    kept.add("notification", "30 days", 3)
    newest, = kept.server.sql("update person set notified_at = (select max(created_at) from notification) where id ="
                              f" {kept.person.id} returning (extract(epoch from notified_at) * 1000)::bigint")
    assert kept.server.ctl("clean").stdout.startswith("2 read notifications deleted\n")
    since = f"/people/{kept.person.id}/notifications/since/{newest[0]}"
    assert ok(kept.client.get(since))["data"] == []


def test_by_default_notifications_stay(new_stack):
    kept = Kept(new_stack(workers=1))
    kept.server.sql("update person set notified_at = now()")
    kept.add("notification", "3000 days", 3)
    kept.add("delivery", "13 days", 1)
    kept.add("delivery", "14 days", 1)
    assert kept.server.ctl("clean").stdout.startswith("1 webhook delivery deleted\n0 months")
    assert kept.counts()["notification"] == 3


def test_a_dry_run_counts_months(new_stack):
    server = new_stack(workers=1, settings="audit_months = 1")
    server.pin("2032-01-31 12:00:00+00")
    months = server.sql("select count(*) from pg_inherits where inhparent = 'audit_entry'::regclass")
    assert "4 months of the audit log would be dropped\n" in server.ctl("clean", "--dry-run").stdout
    assert server.sql("select count(*) from pg_inherits where inhparent = 'audit_entry'::regclass") == months
    assert "4 months of the audit log dropped\n" in server.ctl("clean").stdout
    server.pin(None)


def test_only_one_deletes_at_a_time(kept):
    """The other finds none, and neither waits."""
    before = fill(kept)
    with kept.server.connection.cursor() as other:
        other.execute("select pg_advisory_lock(1::bigint << 57)")
        assert kept.server.ctl("clean").stdout == "0 months of the audit log dropped\n"
        assert kept.counts() == before
        other.execute("select pg_advisory_unlock(1::bigint << 57)")
    assert "webhook deliveries deleted" in kept.server.ctl("clean").stdout
