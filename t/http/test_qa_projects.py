"""Project settings at their limits, and projects that change owners."""

from world import new_project, ok


def test_done_iterations_to_show_ends_with_32_bits(api, person):
    boss = api(person("Boss"))
    path = f"/projects/{new_project(boss)['id']}"
    name = "number_of_done_iterations_to_show"
    assert ok(boss.put(path, {name: 2147483647}))[name] == 2147483647
    answer = boss.put(path, {name: 2147483648})
    assert answer.status_code == 400
    assert name in answer.json()["general_problem"]


def test_null_is_a_blank_name_and_no_scale(api, person):
    boss = api(person("Boss"))
    path = f"/projects/{new_project(boss)['id']}"
    for send, where in ((boss.put, path), (boss.post, "/projects"), (boss.post, f"{path}/stories")):
        assert send(where, {"name": None}).json()["general_problem"] == "Name can't be blank"
    for scale in (None, "", " "):
        assert boss.put(path, {"point_scale": scale}).json()["general_problem"] == (
            "Projects require a point scale., This is not a valid custom point scale.")


def test_what_is_ignored_may_stand_alone(api, person):
    boss = api(person("Boss"))
    path = f"/projects/{new_project(boss)['id']}"
    for body in ({"accounting_type": "billable"}, {"featured": None}):
        before = ok(boss.get(path))
        after = ok(boss.put(path, body))
        assert after == before
    hook = ok(boss.post(f"{path}/integrations", {"kind": "other_integration", "name": "I"}))
    assert ok(boss.put(f"{path}/integrations/{hook['id']}", {"external_api_token": "x"}))


def test_people_of_a_moved_project_are_people_of_its_new_account(person, api):
    boss = api(person("Boss"))
    here, there = new_project(boss), new_project(boss)
    guest = person("Guest")
    ok(boss.post(f"/projects/{here['id']}/memberships", {"person_id": guest.id}))
    ok(boss.put(f"/projects/{here['id']}", {"account_id": there["account_id"]}))
    accounts = [a["id"] for a in ok(api(guest).get("/accounts"))]
    assert accounts == [here["account_id"], there["account_id"]]
    member = ok(boss.get(f"/accounts/{there['account_id']}/memberships/{guest.id}"))
    assert (member["owner"], member["admin"], member["project_creator"]) == (False, False, False)


def test_a_new_project_lives_in_the_zone_of_its_maker(api, person, sql):
    maker = person("Maker")
    sql("update planwright.person set time_zone = 'Asia/Tokyo' where id = %s", maker.id)
    boss = api(maker)
    first = new_project(boss)
    beside = ok(boss.post("/projects", {"name": "Beside", "account_id": first["account_id"]}))
    given = ok(boss.post("/projects", {"name": "Given", "account_id": first["account_id"],
                                       "time_zone": {"olson_name": "Etc/UTC"}}))
    alone = ok(boss.post("/projects", {"name": "Alone", "time_zone": {"olson_name": "Etc/UTC"}}))
    zones = [p["time_zone"]["olson_name"] for p in (first, beside, given, alone)]
    assert zones == ["Asia/Tokyo", "Asia/Tokyo", "Etc/UTC", "Etc/UTC"]
