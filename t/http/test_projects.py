"""Projects and their people: settings, defaults, accounts, owners (contract 1.4, 2.5, 2.6, 3.4)."""

import datetime

import pytest

from conftest import wait_for
from test_bodies import refused
from world import Place, new_project, ok, unique

# The order in which the original wrote the keys.
KEYS = ["id", "kind", "name", "version", "iteration_length", "week_start_day", "point_scale",
        "point_scale_is_custom", "bugs_and_chores_are_estimatable", "automatic_planning",
        "enable_tasks", "time_zone", "velocity_averaged_over", "number_of_done_iterations_to_show",
        "has_google_domain", "description", "profile_content", "enable_incoming_emails",
        "initial_velocity", "public", "atom_enabled", "project_type", "start_date", "start_time",
        "created_at", "updated_at", "account_id", "current_iteration_number", "enable_following",
        "show_story_priority", "show_priority_icon", "show_priority_icon_in_all_panels"]
DEFAULTS = {
    "kind": "project", "version": 1, "iteration_length": 1, "week_start_day": "Monday",
    "point_scale": "0,1,2,3", "point_scale_is_custom": False,
    "bugs_and_chores_are_estimatable": False, "automatic_planning": True, "enable_tasks": True,
    "velocity_averaged_over": 3, "number_of_done_iterations_to_show": 4,
    "has_google_domain": False, "enable_incoming_emails": True, "initial_velocity": 10,
    "public": False, "atom_enabled": False, "project_type": "private",
    "current_iteration_number": 1, "enable_following": True, "show_story_priority": False,
    "show_priority_icon": False, "show_priority_icon_in_all_panels": True,
}


@pytest.fixture
def place(world):
    return Place(world.admin)


@pytest.fixture(scope="module")
def shared(world):
    """For tests that change nothing."""
    return Place(world.admin)


def put(place, **body):
    return place.client.put(f"/projects/{place.project}", body)


def post(client, **body):
    return client.post("/projects", {"name": unique("P"), **body})


def memberships(client, project, query=""):
    return ok(client.get(f"/projects/{project}/memberships{query}"))


# --- creation -------------------------------------------------------------------

def test_defaults(world):
    answer = post(world.stranger, new_account_name=unique("A"))
    project = ok(answer)
    assert list(project) == [k for k in KEYS if k in project]
    assert {k: project[k] for k in DEFAULTS} == DEFAULTS
    assert set(KEYS) - set(project) == {"description", "profile_content", "start_date"}
    assert project["time_zone"]["kind"] == "time_zone"
    assert answer.headers["X-Service-Project-Version"] == "1"
    owner, = memberships(world.stranger, project["id"])
    assert (owner["role"], owner["person"]["id"]) == ("owner", world.people["stranger"].id)
    assert project == ok(world.stranger.get(f"/projects/{project['id']}"))


def test_all_settings(world):
    settings = {
        "iteration_length": 2, "week_start_day": "sunday", "point_scale": "0,1,2,4,8",
        "bugs_and_chores_are_estimatable": True, "automatic_planning": False,
        "enable_tasks": False, "velocity_averaged_over": 2, "number_of_done_iterations_to_show": 6,
        "description": "d", "profile_content": "p", "enable_incoming_emails": False,
        "initial_velocity": 5, "atom_enabled": True, "project_type": "demo",
        "start_date": "2024-01-07", "show_story_priority": True, "show_priority_icon": True,
        "show_priority_icon_in_all_panels": False, "time_zone": {"olson_name": "Asia/Kolkata"}}
    project = ok(post(world.admin, new_account_name=unique("A"), **settings))
    time_zone = {"kind": "time_zone", "olson_name": "Asia/Kolkata", "offset": "+05:30"}
    want = {**settings, "week_start_day": "Sunday", "time_zone": time_zone}
    assert {k: project[k] for k in want} == want
    assert project["start_time"] == "2024-01-06T18:30:00Z"
    weeks = (datetime.datetime.utcnow() + datetime.timedelta(hours=5, minutes=30)
             - datetime.datetime(2024, 1, 7)).days // 7
    assert project["current_iteration_number"] == 1 + weeks // 2


def test_the_first_week_that_may_be(world):
    project = ok(post(world.admin, new_account_name=unique("A"), start_date="2005-01-01",
                      week_start_day="saturday"))
    assert project["start_date"] == "2005-01-01" and project["current_iteration_number"] > 1000


def test_without_an_owner(world):
    project = ok(post(world.admin, new_account_name=unique("A"), no_owner=True))["id"]
    assert world.admin.get(f"/projects/{project}").status_code == 403
    assert ok(world.admin.post(f"/projects/{project}/memberships",
                               {"person_id": world.people["admin"].id, "role": "owner"}))


def test_name_is_all_that_is_needed(world, person, api):
    lone = person("Lone")
    client = api(lone)
    assert post(client).status_code == 403
    ok(world.admin.post(f"/accounts/{world.own.account}/memberships",
                        {"person_id": lone.id, "project_creator": True}))
    assert ok(post(client))["account_id"] == world.own.account
    first, second = (ok(post(client, new_account_name=unique("A")))["account_id"] for _ in "ab")
    assert ok(post(client))["account_id"] == first
    assert ok(post(client, account_id=second))["account_id"] == second


def test_words_of_earlier_revisions_are_dropped(shared, world):
    old = {"accounting_type": "billable", "featured": True}
    assert not set(old) & set(ok(post(world.admin, account_id=shared.account, **old)))
    assert not set(old) & set(ok(put(shared, **old, enable_tasks=True)))


def test_what_is_always_empty(shared):
    names = "story_templates,story_template_ids,scm_type_host_url_mapping"
    got = ok(shared.client.get(f"/projects/{shared.project}?fields={names}"))
    assert got == {"id": shared.project, "story_templates": [],
                   "story_template_ids": [], "scm_type_host_url_mapping": {}}


def test_blanks_in_a_scale_are_nothing(shared):
    got = ok(put(shared, point_scale=" 0, 1 ,2,3 "))
    assert (got["point_scale"], got["point_scale_is_custom"]) == ("0,1,2,3", False)


def test_account_that_is_another_s(world):
    assert post(world.stranger, account_id=world.own.account).status_code == 403
    refused(post(world.stranger, account_id=1 << 40))
    refused(post(world.admin, account_id=world.own.account, new_account_name="x"))


def test_project_creators(world, place):
    new = ok(world.admin.post(f"/accounts/{place.account}/memberships", {
        "person_id": world.people["viewer"].id}))
    assert post(world.viewer, account_id=place.account).status_code == 403
    ok(world.admin.put(f"/accounts/{place.account}/memberships/{new['id']}",
                       {"project_creator": True}))
    assert ok(post(world.viewer, account_id=place.account))["account_id"] == place.account


def test_names_are_taken_once_in_an_account(shared, world):
    for name in (shared.name, shared.name.upper()):
        refused(world.admin.post("/projects", {"name": name, "account_id": shared.account}),
                "The project name you entered is already taken.")
    ok(world.admin.post("/projects", {"name": shared.name, "new_account_name": unique("A")}))


# --- settings -------------------------------------------------------------------

@pytest.mark.parametrize("settings, sentence", [
    ({"point_scale": "-1,2"}, "You can't use negative values for points."),
    ({"point_scale": "2,1"}, "Point values must be provided in ascending order."),
    ({"point_scale": ",".join(map(str, range(13)))},
     "There are too many values in this point scale. Please use 12 or fewer values."),
    ({"point_scale": "a,b"}, "This is not a valid custom point scale."),
    ({"point_scale": "1,,2"}, "This is not a valid custom point scale."),
    ({"point_scale": "1,1"}, "You can't have duplicate point values."),
    ({"point_scale": "1,1000"}, "You can't have point values above 999"),
    ({"point_scale": "0,10000000000"}, "You can't have point values above 999"),
    ({"point_scale": "-10000000000"}, "You can't use negative values for points."),
    ({"point_scale": ""},
     "Projects require a point scale., This is not a valid custom point scale."),
    ({"iteration_length": 0}, "iteration_length can only be between 1 and 4."),
    ({"iteration_length": 5}, "iteration_length can only be between 1 and 4."),
    ({"initial_velocity": 0}, "You must specify a value of 1 or greater."),
    ({"initial_velocity": 1000}, "Initial velocity can't exceed 999."),
    ({"project_type": "shared"}, "Cannot make a project's type shared on non-enterprise accounts"),
    ({"start_date": "2019-04-20", "week_start_day": "sunday"},
     "4/20/2019 is a Saturday and Iterations in this project start on Sundays."),
    ({"start_date": "2004-12-27"}, "The date you entered 2004-12-27T00:00:00Z, is too far in the "
                                   "past. Please enter a date after 2005-01-01T00:00:00Z."),
    ({"start_date": "0001-01-01"}, "The date you entered 0001-01-01T00:00:00Z, is too far in the "
                                   "past. Please enter a date after 2005-01-01T00:00:00Z."),
    ({"number_of_done_iterations_to_show": 2},
     "Your project must load enough done iterations to calculate your velocity according to your "
     "settings."),
    ({"join_as": "x"}, "'join_as' must be one of: owner, member, viewer"),
    ({"project_type": "x"}, "'project_type' must be one of: demo, private, public, shared"),
    ({"week_start_day": "x"}, "'week_start_day' must be one of: sunday, monday, tuesday, "
                              "wednesday, thursday, friday, saturday"),
])
def test_refused_settings(shared, world, settings, sentence):
    refused(put(shared, **settings), sentence)
    refused(post(world.admin, account_id=shared.account, **settings), sentence)


@pytest.mark.parametrize("value", [0, 5])
def test_velocity_schemes(shared, value):
    error = refused(put(shared, velocity_averaged_over=value))
    assert error["general_problem"].endswith("is not a valid velocity scheme")


@pytest.mark.parametrize("zone", ["Nowhere/Land", "", "x", {"olson_name": "Mars/Base"}, {},
                                  {"olson_name": 5}, {"other": 1}, "UTC'; --", "a" * 5000])
def test_zones_that_are_none(shared, zone):
    refused(put(shared, time_zone=zone))


@pytest.mark.parametrize("zone, offset", [("Etc/UTC", "+00:00"), ("Asia/Kathmandu", "+05:45"),
                                          ("America/Phoenix", "-07:00")])
def test_zones(place, zone, offset):
    for value in (zone, {"olson_name": zone}):
        assert ok(put(place, time_zone=value))["time_zone"] == {
            "kind": "time_zone", "olson_name": zone, "offset": offset}


@pytest.mark.parametrize("scale, custom", [("0,1,2,3", False), ("0,1,2,4,8", False),
                                           ("0,1,2,3,5,8", False), ("0,1,3", True),
                                           ("0,0.5,1", True), ("1", True), ("0,999", True),
                                           ("0,0.3333333333333,1", True)])
def test_scales(place, scale, custom):
    project = ok(put(place, point_scale=scale))
    assert (project["point_scale"], project["point_scale_is_custom"]) == (scale, custom)


def test_public_and_project_type_say_the_same(place):
    for body, public, kind in [({"public": True}, True, "public"),
                               ({"public": False}, False, "private"),
                               ({"project_type": "public"}, True, "public"),
                               ({"project_type": "private"}, False, "private"),
                               ({"project_type": "demo"}, False, "demo"),
                               ({"public": True, "project_type": "private"}, True, "public"),
                               ({"public": False, "project_type": "public"}, False, "private")]:
        for _ in range(2):  # the same request has the same answer, whatever was there before
            project = ok(put(place, **body))
            assert (project["public"], project["project_type"]) == (public, kind), body


def test_texts_are_cleared_by_null_and_kept_by_absence(place):
    ok(put(place, description="d", profile_content="p", start_date="2024-01-01"))
    kept = ok(put(place, name=unique("P")))
    assert (kept["description"], kept["start_date"]) == ("d", "2024-01-01")
    cleared = ok(put(place, description=None, profile_content=None, start_date=None))
    assert not {"description", "profile_content", "start_date"} & set(cleared)


def test_an_empty_text_is_not_null(place):
    assert ok(put(place, description=""))["description"] == ""


def test_an_update_is_one_version(place):
    before = ok(place.client.get(f"/projects/{place.project}"))["version"]
    answer = put(place, name=unique("P"), velocity_averaged_over=1, description="x")
    assert ok(answer)["version"] == before + 1
    assert answer.headers["X-Service-Project-Version"] == str(before + 1)


def test_an_account_is_changed_to_one_of_the_caller_s(place, world):
    other = new_project(world.admin)
    assert ok(put(place, account_id=other["account_id"]))["account_id"] == other["account_id"]
    assert put(place, account_id=world.foreign.account).status_code == 403


def test_list(world):
    ids = [p["id"] for p in ok(world.owner.get("/projects"))]
    assert world.own.project in ids and world.public.project not in ids and ids == sorted(ids)
    mine = Place(world.admin)
    query = f"/projects?account_ids={mine.account},{1 << 40}"
    assert [p["id"] for p in ok(world.admin.get(query))] == [mine.project]
    assert ok(world.admin.get("/projects?account_ids=1125899906842624")) == []
    refused(world.admin.get("/projects?account_ids=x"))


def test_deletion(place):
    answer = place.client.delete(f"/projects/{place.project}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert place.client.get(f"/projects/{place.project}").status_code == 404
    assert place.client.get(f"/stories/{place.story}").status_code == 404
    assert place.project not in [p["id"] for p in ok(place.client.get("/projects"))]
    assert place.project not in [p["project_id"] for p in ok(place.client.get("/me"))["projects"]]


# --- people ---------------------------------------------------------------------

def add(place, **body):
    return place.client.post(f"/projects/{place.project}/memberships", body)


def test_add_by_id(place, world):
    made = ok(add(place, person_id=world.people["viewer"].id, role="viewer",
                  project_color="B800BB"))
    assert list(made) == ["kind", "id", "project_id", "person", "role", "project_color", "favorite",
                          "created_at", "updated_at", "wants_comment_notification_emails",
                          "will_receive_mention_notifications_or_emails"]
    assert (made["role"], made["project_color"], made["favorite"]) == ("viewer", "b800bb", False)
    assert made["person"]["email"] == world.people["viewer"].email
    again = refused(add(place, person_id=world.people["viewer"].id))
    assert again["general_problem"] == "Viewer Person is already a project member"
    accounts = ok(world.admin.get(f"/accounts/{place.account}/memberships"))
    assert world.people["viewer"].id in [m["person"]["id"] for m in accounts]


def test_add_by_address(place, world):
    known = ok(add(place, email=world.people["member"].email.upper()))
    assert (known["role"], known["person"]["id"]) == ("member", world.people["member"].id)
    new = ok(add(place, email="ada@place.example.test", name="Ada Byron King", initials="AK"))
    assert {k: new["person"][k] for k in ("name", "email", "initials")} == {
        "name": "Ada Byron King", "email": "ada@place.example.test", "initials": "AK"}
    made_up = ok(add(place, email="ada@other.example.test", name="Ada Lovelace"))["person"]
    assert made_up["initials"] == "AL" and made_up["username"] != new["person"]["username"]


@pytest.mark.parametrize("body, sentence", [
    ({}, "Email can't be blank., Name can't be blank"),
    ({"email": "nobody@here.example.test"}, "Name can't be blank"),
    ({"email": "x@example.test", "person_id": 1},
     "Do not send person_id with email, initials, or name in the same request."),
])
def test_add_nobody(shared, body, sentence):
    refused(add(shared, **body), sentence)


def test_add_an_address_that_is_none(shared):
    for address in ("x", "x@", "@x", "a b@c", "a@b c"):
        error = add(shared, email=address, name="X").json()
        assert error["code"] == "invalid_parameter"
        assert error["error"] == "One or more consistency checks failed on the supplied Person."
        assert error["requirement"] == f"{address} is not a valid email address."


def test_add_an_unknown_person(shared):
    answer = add(shared, person_id=2147483647)
    assert answer.status_code == 404
    assert "Couldn't find Person with 'id'=2147483647" in answer.text
    refused(add(shared, person_id=3143922226),
            "Couldn't find Person with an out of range value for 'id'")


def test_sort_by_name(place):
    ids = [ok(add(place, email=f"{n}@sort.example.test", name=n))["id"] for n in ("Zoe", "Abe", "bea")]
    listed = memberships(place.client, place.project)
    assert [m["id"] for m in listed] == sorted(m["id"] for m in listed)
    named = memberships(place.client, place.project, "?sort_by=name")
    assert [m["person"]["name"] for m in named] == ["Abe", "Admin Person", "bea", "Zoe"]
    assert set(ids) < {m["id"] for m in named}
    people = ok(place.client.get(f"/my/people?project_id={place.project}&fields=person(name)"))
    assert [p["person"]["name"] for p in people] == ["Abe", "bea", "Zoe"]
    refused(place.client.get(f"/projects/{place.project}/memberships?sort_by=id"))


def test_favorite_in_query_or_body(place):
    membership = memberships(place.client, place.project)[0]["id"]
    path = f"/projects/{place.project}/memberships/{membership}"
    assert ok(place.client.put(path + "?favorite=true"))["favorite"] is True
    assert ok(place.client.put(path, {"favorite": False}))["favorite"] is False
    refused(place.client.put(path + "?favorite=x"))
    summary, = [p for p in ok(place.client.get("/me"))["projects"]
                if p["project_id"] == place.project]
    assert summary["favorite"] is False


@pytest.mark.parametrize("color", ["#b800bb", "red", "b800b", "b800bbb", "", "gggggg"])
def test_colours_that_are_none(shared, color):
    membership = memberships(shared.client, shared.project)[0]["id"]
    refused(shared.client.put(f"/projects/{shared.project}/memberships/{membership}",
                              {"project_color": color}))


def test_never_without_an_owner(place, world):
    mine = memberships(place.client, place.project)[0]["id"]
    path = f"/projects/{place.project}/memberships/"
    refused(place.client.put(path + str(mine), {"role": "member"}))
    refused(place.client.delete(path + str(mine)))
    other = ok(add(place, person_id=world.people["owner"].id, role="owner"))["id"]
    assert ok(place.client.put(path + str(mine), {"role": "viewer"}))["role"] == "viewer"
    ok(place.client.delete(path + str(mine)), 204)
    refused(world.owner.delete(path + str(other)))


def test_own_membership(place, world):
    """People set their own colour and favourite, but not their role; everybody may leave."""
    mine = ok(add(place, person_id=world.people["viewer"].id, role="viewer"))["id"]
    path = f"/projects/{place.project}/memberships/{mine}"
    assert ok(world.viewer.put(path, {"project_color": "00ff00", "favorite": True}))["favorite"]
    assert world.viewer.put(path, {"role": "owner"}).status_code == 403
    theirs = memberships(world.viewer, place.project)[0]["id"]
    other = f"/projects/{place.project}/memberships/{theirs}"
    assert world.viewer.put(other, {"favorite": True}).status_code == 403
    assert world.viewer.delete(other).status_code == 403
    gone = ok(add(place, person_id=world.people["member"].id))["id"]
    ok(place.client.delete(f"/projects/{place.project}/memberships/{gone}"), 204)
    for method in ("PUT", "DELETE"):
        answer = world.viewer.request(method, f"/projects/{place.project}/memberships/{gone}", {"role": "owner"})
        assert answer.status_code == 404 and answer.json()["code"] == "unfound_resource"
    ok(world.viewer.delete(path), 204)
    assert world.viewer.get(f"/projects/{place.project}").status_code == 403


def test_who_may_not_see_a_project_is_not_told_its_version(world, api, person):
    place, stranger = Place(world.admin), api(person("Stranger"))
    for client in (stranger, api("f" * 32), api()):
        for method, path in (("GET", ""), ("GET", "/stories"), ("POST", "/stories"), ("PUT", "")):
            answer = client.request(method, f"/projects/{place.project}{path}", {"name": "x"})
            assert answer.status_code == 403
            assert not [name for name in answer.headers if "Version" in name]
        wrapped = client.get(f"/projects/{place.project}?envelope=true").json()
        assert wrapped["http_status"] == "403" and "project_version" not in wrapped


def test_the_version_as_public_boards_ask_for_it(world, api, person):
    place = Place(world.admin)
    path = f"/project_stale_commands/{place.project}/0"
    version = ok(world.admin.get(f"/projects/{place.project}"))["version"]
    answer = world.admin.get(path)
    assert ok(answer) == {"project_version": version, "data": {"stale_commands": []}}
    assert api().get(path).status_code == api(person("Stranger")).get(path).status_code == 403
    ok(world.admin.put(f"/projects/{place.project}", {"public": True}))
    assert ok(api().get(path))["project_version"] == version + 1
    assert api().get("/project_stale_commands/999999999/1").status_code == 404


def test_when_a_member_looked_at_a_project(world, sql, stack):
    """It is recorded after the answer, at most once a minute, and updates no index."""
    place = Place(world.admin)

    def seen():
        return next(p.get("last_viewed_at") for p in ok(world.admin.get("/me"))["projects"]
                    if p["project_id"] == place.project)

    def age(interval):
        sql("update planwright.project_membership set last_viewed_at = now() - %s::interval "
            "where project_id = %s", interval, place.project)
        return seen()

    for path in ("", "/stories", "/iterations?scope=current"):
        old = age("61 seconds")
        ok(world.admin.get(f"/projects/{place.project}{path}"))
        wait_for(lambda: seen() > old)
        old = age("30 seconds")
        ok(world.admin.get(f"/projects/{place.project}{path}"))
        ok(world.admin.get(f"/projects/{place.project}/labels"))
        assert seen() == old
    assert sql("select reloptions from pg_class where oid = 'planwright.project_membership'::regclass") == [
        (["fillfactor=80"],)]
    assert not sql("select indexdef from pg_indexes where tablename = 'project_membership' "
                   "and indexdef like '%last_viewed%'")
