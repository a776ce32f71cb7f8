"""Numbers, ids and dates at the limits of 64 bits, of integer columns and of dates, on every route: the answer is a
result, or a refusal in the service's own words, never the database's."""

import fnmatch
import pathlib
import re

import pytest

import tables
from test_matrix import EXPECTED, MINE
from world import fill, new_project, ok

INTS = ["0", "-1", "2147483647", "2147483648", "-2147483649", "4611686018427387904",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1" + "0" * 30]
TIMES = ["0", "-1", "-62135596800000", "-62135596800001", "253402300799999", "253402300800000",
         "9223372036854775807", "-9223372036854775808", "0001-01-01T00:00:00Z",
         "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-12:00",
         "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "infinity", "-infinity", "now", "epoch"]
DATES = ["0001-01-01", "0000-12-31", "1970-01-01", "9999-12-31", "10000-01-01", "5874897-12-31",
         "-0001-01-01", "infinity"]
TEXTS = ["%00", "\ufffe", "\U0010ffff", "x" * 5000, "'", "\\", "%25", "{}", "()", "*", ":", '"', "-"]
VALUES = {"int": INTS, "ids": INTS + ["1," + i for i in INTS], "time": TIMES, "date": DATES,
          "bool": ["1", "TRUE"], "string": TEXTS, "text": TEXTS, "word": TEXTS}

# Words that occur in PostgreSQL's messages.
WORDS = re.compile("out of range for type|invalid input syntax|violates|relation|\\bcolumn\\b|operator"
                   "|bigint|timestamp out|numeric|interval out|division|function|syntax error"
                   "|date/time|cannot cast|null value|SQLSTATE|statement|query string", re.I)

READS = [r for r in tables.ROUTES if r.method == "GET" and r.key not in MINE]
each_read = pytest.mark.parametrize("route", READS, ids=tables.names(READS))


def check(answer, *allowed):
    assert answer.status_code in (allowed or (200, 204, 400, 403, 404)), f"{answer.url}: {answer.text}"
    if answer.status_code >= 400:
        problem = answer.json()
        told = {k: v for k, v in problem.items() if k not in ("error", "possible_fix")}
        assert not WORDS.search(str(told)), f"{answer.url}: {answer.text}"


def reader(world, route):
    return world.admin if route.path.startswith("/account") else world.owner


def url(world, route, more="", ids=None):
    fixed = EXPECTED[route.key].query.replace(":project", str(world.own.project))
    path = fill(route.path, ids or world.own.ids(route.path))
    return f"{path}?{fixed}{'&' if fixed and more else ''}{more}"


@each_read
def test_pages(world, route):
    for name in "limit", "offset":
        for value in INTS:
            check(reader(world, route).get(url(world, route, f"{name}={value}")))
    for limit in "500", "9223372036854775807":
        for offset in "9223372036854775807", "9223372036854775307", "4611686018427387903":
            answer = reader(world, route).get(url(world, route, f"limit={limit}&offset={offset}"))
            check(answer, 200)
            if "paged" in route.flags and "no_offset" not in route.flags:
                assert answer.json() == []


@each_read
def test_parameters(world, route):
    for param in route.params:
        for value in VALUES[param["type"]]:
            check(reader(world, route).get(url(world, route, f"{param['name']}={value}")))


@each_read
def test_ids_of_the_path(world, route):
    good = world.own.ids(route.path)
    names = re.findall(r":\w+", route.path)
    for place in range(len(good)):
        if names[place] == ":version":  # any version is older or newer than today's
            continue
        for value in INTS:
            check(reader(world, route).get(url(world, route, ids=[
                *good[:place], value, *good[place + 1:]])), 403, 404)


@pytest.mark.parametrize("path", ["history/days", "history/snapshots", "history/releases/:id/days"])
def test_windows_of_history(world, path):
    route = next(r for r in READS if r.path == f"/projects/:project/{path}")
    for first in DATES:
        for last in DATES:
            check(world.owner.get(url(world, route, f"start_date={first}&end_date={last}")), 200, 400)


def test_notifications_since(world):
    me = world.people["owner"].id
    for time in INTS + TIMES + TEXTS[1:4]:
        check(world.owner.get(f"/people/{me}/notifications/since/{time}"), 400, 414)
        check(world.owner.get(f"/people/{time}/notifications/since/1"), 403, 404, 414)


# --- projects whose own dates and numbers lie at the borders ---------------------

PROJECTS = [{"start_date": "9999-12-31"}, {"start_date": "9999-12-27"}, {"start_date": "2005-01-01"},
            {"start_date": "2005-01-03", "iteration_length": 4},
            {"time_zone": {"olson_name": "Pacific/Kiritimati"}, "start_date": "9999-12-27"},
            {"time_zone": {"olson_name": "Pacific/Niue"}, "iteration_length": 1},
            {"number_of_done_iterations_to_show": 2147483647, "initial_velocity": 999},
            {"point_scale": "0,999", "velocity_averaged_over": 4}]


@pytest.mark.parametrize("settings", PROJECTS, ids=[str(p) for p in PROJECTS])
def test_projects(world, settings):
    client = world.owner
    project = new_project(client)["id"]
    path = f"/projects/{project}"
    check(client.put(path, settings))
    for time in TIMES:
        for field in "created_at", "accepted_at":
            value = int(time) if re.fullmatch("-?[0-9]{1,18}", time) else time
            check(client.post(f"{path}/stories", {
                "name": "x", "current_state": "accepted", "estimate": 1, field: value}))
        check(client.post(f"{path}/stories", {
            "name": "r", "story_type": "release", "deadline": value}))
    for part in ("", "?fields=current_velocity,shown_iterations_start_time,start_time",
                 "/iterations", "/iterations?scope=done", "/iterations?scope=backlog&limit=100",
                 "/iterations?offset=4999", "/iterations/1", "/iterations/2147483647",
                 "/iterations/1?fields=accepted,created,analytics,velocity", "/history/days",
                 "/history/snapshots", "/releases?fields=:default,projected_completion",
                 "/stories?fields=:default,projected_completion,cycle_time_details,transitions",
                 "/search?query=accepted_since:-9999w", "/search?query=created:1/1/9999..1/1/1"):
        check(client.get(path + part))
    for number in 1, 2, 5000, 2147483647, 2147483648, 9223372036854775807:
        for body in ({"length": 99}, {"team_strength": 0}, {"team_strength": 1e-300},
                     {"length": 9223372036854775807}):
            check(client.put(f"{path}/iteration_overrides/{number}", body))
    check(client.get(f"{path}/iterations?scope=done_current&offset=-100&fields=number,velocity"))
    ok(client.delete(path), 204)


# --- keys and constraints ----------------------------------------------------------

# Tables that no client writes to directly: a violation is an error of the program.
OURS = {"schema_migration", "letter", "session", "token", "identity", "passkey", "sign_in_flow", "oidc_provider", "second_factor", "recovery_code", "once", "sign_in_place", "sign_in_failure", "activity", "notification", "mail", "delivery", "search_text",
        "story_transition", "workspace", "imported_person", "import_item", "import_turn", "project_import_line",
        "lease", "audit_entry"}
NEVER = {"person_token_mac_key", "account_membership_owner", "story_order",
         "file_attachment_uploader_id_fkey", "google_attachment_person_id_fkey",
         "saved_search_person_id_fkey", "project_import_person_id_fkey"}

# Check constraints whose values the program has already validated: a violation is an error of the program.
LOOKED_AT = {
    "person_name_check", "person_initials_check", "person_username_check", "person_email_check",
    "person_token_mac_check", "person_header_display_mode_check", "person_check",
    "person_gone",
    "account_name_check", "account_status_check", "project_membership_role_check",
    "iteration_override_number_check", "iteration_override_length_check",
    "iteration_override_team_strength_check", "iteration_override_check", "comment_check",
    "review_status_check", "pull_request_check", "branch_check", "search_text_check",
    "project_import_state_check", "secret_check_id_check", "token_mac_check", "token_name_check",
    "token_project_ids_check", "token_scope_check", "token_not_account_ids_check", "token_reach", "identity_issuer_check", "identity_subject_check",
    "sign_in_flow_state_mac_check", "sign_in_flow_browser_mac_check"}


def test_each_condition_of_the_schema_has_a_sentence_or_is_looked_at(sql):
    conditions = {name for name, in sql("select conname from pg_constraint where contype = 'c'"
                                        " and connamespace = 'planwright'::regnamespace")}
    assert conditions - set(tables.SENTENCES) == LOOKED_AT


def test_each_write_has_an_activity_or_says_that_it_is_untold():
    for route in tables.ROUTES:
        assert not route.is_write or "reads" in route.flags or bool(route.row.get("activity")) != ("untold" in route.flags), \
            route.name


def test_each_key_of_the_schema_has_a_sentence(sql):
    """Keys that two simultaneous requests can violate; never a primary key, which is generated."""
    keys = {name: table for name, table in sql("""
        select c.conname, c.conrelid::regclass::text from pg_constraint c
        where c.connamespace = 'planwright'::regnamespace and c.contype in ('u', 'f')
        union select i.indexrelid::regclass::text, i.indrelid::regclass::text from pg_index i
        join pg_class x on x.oid = i.indrelid where x.relnamespace = 'planwright'::regnamespace
        and i.indisunique and not i.indisprimary""")}
    keys = {name.removeprefix("planwright."): table.removeprefix("planwright.")
            for name, table in keys.items()}
    wanted = {name for name, table in keys.items() if table not in OURS} - NEVER
    named = {name for name in tables.SENTENCES if not re.fullmatch("[0-9A-Z]{5}", name)}
    assert {w for w in wanted if not any(fnmatch.fnmatch(w, n) for n in named)} == set()
    assert {n for n in named if not fnmatch.filter(wanted, n)} == set()
    assert not [t for t in tables.SENTENCES.values() if WORDS.search(t)]


def test_each_queue_is_swept(sql):
    """Tables whose rows are tried again and end: without a sweep, they are kept for ever."""
    queues = {table for table, in sql("select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid"
                                      " where c.relkind in ('r', 'p') and not c.relispartition"
                                      " and c.relnamespace = 'planwright'::regnamespace and a.attname = 'next_at'")}
    sweeps = (pathlib.Path(__file__).parents[2] / "src/store/sweep.c").read_text()
    assert "mail" in queues and {q for q in queues if f"STMT_{q.upper()}_SWEEP" not in sweeps} == set()
