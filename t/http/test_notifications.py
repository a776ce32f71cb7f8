"""Notifications: who is notified about what, and the endpoints of contract 2.2."""

import datetime

from team import team  # noqa: F401
from world import ok


def notifications(client, **params):
    return client.get("/my/notifications", params=params).json()


def test_an_owner_is_told(team):
    story = team.make_story(owner_ids=[team.people["other"].id], name="Yours now")
    told = notifications(team.other)[0]
    assert told["kind"] == "notification"
    assert told["notification_type"] == "story" and told["action"] == "ownership"
    assert told["message"] == "Member has made you an owner of this story"
    assert told["story"] == {"kind": "story", "id": story["id"], "name": "Yours now"}
    assert told["performer"] == {"kind": "person", "id": team.people["member"].id, "name": "Member"}
    assert told["project"]["id"] == team.id
    assert "epic" not in told and "comment_id" not in told and "read_at" not in told


def test_a_link_leads_to_the_page(team):
    story = team.make_story(owner_ids=[team.people["other"].id])
    assert "link" not in notifications(team.other)[0]
    assert notifications(team.other, fields="link")[0]["link"] == story["url"]


def test_nobody_is_told_of_their_own_act(team):
    before = len(notifications(team.member))
    team.make_story(owner_ids=[team.people["member"].id])
    assert len(notifications(team.member)) == before


def test_verdicts_go_to_the_followers(team):
    story = team.make_story(owner_ids=[team.people["other"].id], estimate=1)
    for state, action in (("delivered", "delivery"), ("rejected", "rejection"),
                          ("accepted", "acceptance")):
        team.owner.put(f"/stories/{story['id']}", {"current_state": state})
        for client in (team.other, team.member):
            told = notifications(client)[0]
            assert (told["action"], told["story"]["id"]) == (action, story["id"])


def test_a_mention_is_told_once_and_not_as_a_comment(team):
    name = team.people["viewer"].username
    comment = team.member.post(f"{team.story}/comments", {"text": f"@{name} yo, @{name}."}).json()
    told = notifications(team.viewer)
    assert told[0]["notification_type"] == "comment_with_mention" and told[0]["action"] == "create"
    assert told[0]["message"] == "You were mentioned by Member"
    assert told[0]["context"] == f"@{name} yo, @{name}."
    assert told[0]["comment_id"] == comment["id"]
    assert sum(n.get("comment_id") == comment["id"] for n in told) == 1


def test_an_address_is_no_mention(team):
    before = len(notifications(team.viewer))
    team.member.post(f"{team.story}/comments",
                     {"text": f"mail x@{team.people['viewer'].username} please"})
    assert len(notifications(team.viewer)) == before


def test_commenters_follow_the_story(team):
    story = f"{team.path}/stories/{team.make_story()['id']}"
    team.other.post(f"{story}/comments", {"text": "first"})
    team.owner.post(f"{story}/comments", {"text": "second"})
    told = notifications(team.other)[0]
    assert told["notification_type"] == "comment" and told["context"] == "second"


def test_nobody_is_told_of_a_project_that_they_cannot_see(team, api, person):
    stranger = person("Stranger")
    team.member.post(f"{team.story}/comments", {"text": f"@{stranger.username} look"})
    assert notifications(api(stranger)) == []


def test_reading(team):
    team.make_story(owner_ids=[team.people["other"].id])
    team.make_story(owner_ids=[team.people["other"].id])
    second, first = notifications(team.other)[:2]
    read = team.other.put(f"/my/notifications/{first['id']}", {"read_at": "2026-01-02T03:04:05Z"})
    assert read.status_code == 200 and read.json()["read_at"] == "2026-01-02T03:04:05Z"
    assert team.other.put("/my/notifications/read_list", {"ids": [second["id"]]}).status_code == 204
    assert "read_at" in notifications(team.other)[0]
    team.make_story(owner_ids=[team.people["other"].id])
    third = notifications(team.other)[0]
    done = team.other.put(f"/my/notifications/mark_read?before={third['id']}")
    assert done.status_code == 204 and done.text == ""
    assert all("read_at" in n for n in notifications(team.other))


def test_reading_is_refused_without_a_time_and_for_others(team):
    team.make_story(owner_ids=[team.people["other"].id])
    path = f"/my/notifications/{notifications(team.other)[0]['id']}"
    refused = team.other.put(path, {})
    assert refused.status_code == 400
    assert refused.json()["general_problem"] == "this endpoint requires the parameter: read_at"
    assert team.member.put(path, {"read_at": "2026-01-02T03:04:05Z"}).status_code == 404
    assert team.other.put("/my/notifications/mark_read").status_code == 400


def test_the_newest_time_is_told(team):
    team.make_story(owner_ids=[team.people["other"].id])
    answer = team.other.get("/my/notifications?date_format=millis")
    newest = answer.json()[0]["created_at"]
    assert answer.headers["X-Tracker-Last-Notification-Timestamp"] == str(newest)
    wrapped = team.other.get("/my/notifications?envelope=true&limit=1").json()
    assert wrapped["last_notification_timestamp"] == newest and len(wrapped["data"]) == 1
    assert "X-Tracker-Pagination-Total" not in answer.headers


def test_the_newest_time_of_who_has_none_is_0(team, api, person):
    answer = api(person("Unheard")).get("/my/notifications")
    assert answer.json() == []
    assert answer.headers["X-Tracker-Last-Notification-Timestamp"] == "0"
    assert answer.headers["X-Service-Last-Notification-Timestamp"] == "0"
    wrapped = api(person("Unheard")).get("/my/notifications?envelope=true").json()
    assert wrapped == {"data": [], "http_status": "200", "last_notification_timestamp": 0}
    assert "X-Tracker-Last-Notification-Timestamp" not in team.other.get("/me").headers


def test_notifications_have_a_limit_and_no_offset(team):
    team.make_story(owner_ids=[team.people["other"].id])
    first = notifications(team.other, limit=1)
    for offset in ("1", "x", "-1", "99999999999999999999"):
        assert notifications(team.other, limit=1, offset=offset) == first
    for limit in "x", "-1":
        assert team.other.get(f"/my/notifications?limit={limit}").status_code == 400


def test_ids_beyond_64_bits_are_of_no_notification(team):
    team.make_story(owner_ids=[team.people["other"].id])
    first, = notifications(team.other, limit=1)
    path = "/my/notifications/read_list"
    assert team.other.put(f"{path}?ids=99999999999999999999").status_code == 204
    assert "read_at" not in notifications(team.other, limit=1)[0]
    done = team.other.put(path, data=f'{{"ids": [99999999999999999999, {first["id"]}]}}',
                          headers={"Content-Type": "application/json"})
    assert done.status_code == 204 and "read_at" in notifications(team.other, limit=1)[0]
    for ids in "[1.5]", "[-99999999999999999999]", '["1"]', "99999999999999999999":
        assert team.other.put(path, data=f'{{"ids": {ids}}}').status_code == 400


def test_since(team):
    me = team.people["other"].id
    team.make_story(owner_ids=[me])
    anchor = team.other.get("/my/notifications?date_format=millis").json()[0]["created_at"]
    made = [team.make_story(owner_ids=[me])["id"] for _ in range(3)]
    answer = team.other.get(f"/people/{me}/notifications/since/{anchor}").json()
    assert answer["http_status"] == "200"
    assert [n["story"]["id"] for n in answer["data"]] == made
    assert all(isinstance(n["created_at"], int) for n in answer["data"])
    times = [n["created_at"] for n in answer["data"]]
    assert times == sorted(set(times))
    limited = team.other.get(f"/people/{me}/notifications/since/{anchor}?limit=1").json()
    assert [n["story"]["id"] for n in limited["data"]] == made[:1]
    assert limited["last_notification_timestamp"] == times[0]  # where the next page begins
    for offset in ("1", "x", "-1"):  # a place in a list has no meaning where time says where to go on
        assert team.other.get(f"/people/{me}/notifications/since/{anchor}?offset={offset}").json() == answer
    assert answer["last_notification_timestamp"] == times[-1]
    end = team.other.get(f"/people/{me}/notifications/since/{times[-1]}").json()
    assert end["data"] == [] and end["last_notification_timestamp"] == times[-1]


def test_since_takes_a_time_as_answers_show_it_by_default(team):
    me = team.people["other"].id
    made = [team.make_story(owner_ids=[me])["id"] for _ in range(2)]
    shown = datetime.datetime.fromisoformat(notifications(team.other, limit=2)[1]["created_at"])
    second = int(shown.timestamp()) * 1000
    answer = team.other.get(f"/people/{me}/notifications/since/{second}")
    assert [n["story"]["id"] for n in ok(answer)["data"]][-2:] == made
    for other in second - 3_600_000, second + 3_600_000:
        assert team.other.get(f"/people/{me}/notifications/since/{other}").status_code == 400


def test_since_takes_only_times_of_ones_own_notifications(team):
    me = team.people["other"].id
    for time in "12345", "0", "-1", "x", "2026-01-01T00:00:00Z":
        answer = team.other.get(f"/people/{me}/notifications/since/{time}")
        assert answer.status_code == 400
        assert answer.json()["data"]["code"] == "invalid_parameter"
    assert team.member.get(f"/people/{me}/notifications/since/12345").status_code == 403
    assert team.other.get(
        f"/people/{me}/notifications/since/12345?envelope=true").status_code == 400


def test_windows_and_types(team):
    team.make_story(owner_ids=[team.people["other"].id])
    assert notifications(team.other, created_after="2100-01-01T00:00:00Z") == []
    assert notifications(team.other, updated_after="2100-01-01T00:00:00Z") == []
    assert notifications(team.other, notification_types=":all")
    assert team.other.get("/my/notifications?notification_types=x").status_code == 400


def test_who_is_mentioned_by_an_edit_is_told_then(team):
    other, viewer = (team.people[p].username for p in ("other", "viewer"))
    story = f"{team.path}/stories/{team.make_story()['id']}"
    comment = team.member.post(f"{story}/comments", {"text": f"@{other}"}).json()
    before = len(notifications(team.other))
    assert team.member.put(f"{story}/comments/{comment['id']}", {
        "text": f"@{other} and @{viewer}"}).status_code == 200
    told = notifications(team.viewer)[0]
    assert (told["notification_type"], told["action"]) == ("comment_with_mention", "mention")
    assert told["message"] == "You were mentioned by Member"
    assert told["comment_id"] == comment["id"] and told["new_attachment_count"] == 0
    assert len(notifications(team.other)) == before, "that one had been told"


def test_descriptions_mention_people(team):
    other, viewer = (team.people[p].username for p in ("other", "viewer"))
    for kind, plural, make in (("story", "stories", team.make_story), ("epic", "epics", team.make_epic)):
        thing = make(description=f"@{other}")
        told = notifications(team.other)[0]
        assert (told["notification_type"], told["action"]) == (kind, "mention")
        assert told[kind]["id"] == thing["id"] and told["context"] == f"@{other}"
        assert team.member.put(f"{team.path}/{plural}/{thing['id']}", {
            "description": f"@{other}, @{viewer}"}).status_code == 200
        assert notifications(team.viewer)[0][kind]["id"] == thing["id"]
        assert notifications(team.other)[0]["id"] == told["id"]


def test_who_left_a_private_project_hears_nothing_more_of_it(team, api, person):
    guest = person("Guest")
    made = team.owner.post(f"{team.path}/memberships", {"person_id": guest.id}).json()
    team.make_story(owner_ids=[guest.id])
    assert len(notifications(api(guest))) == 1
    assert team.owner.delete(f"{team.path}/memberships/{made['id']}").status_code == 204
    assert notifications(api(guest)) == []


def test_a_notification_nests_its_comment_as_long_as_it_can_be_seen(team):
    name = team.people["viewer"].username
    comment = team.member.post(f"{team.story}/comments", {"text": f"@{name} see"}).json()
    told = notifications(team.viewer, fields=":default,comment")[0]
    assert told["comment"] == comment and "comment_id" not in told
    told = notifications(team.viewer, fields="story_id,project_id,performer_id,comment(text)")[0]
    assert told == {"id": told["id"], "story_id": comment["story_id"], "project_id": team.id,
                    "performer_id": comment["person_id"],
                    "comment": {"id": comment["id"], "text": comment["text"]}}
    assert team.member.delete(f"{team.story}/comments/{comment['id']}").status_code == 204
    assert "comment" not in notifications(team.viewer, fields="comment")[0]


def news_of(client, thing):
    """A person's notifications about a story or an epic, oldest first."""
    return [(n["notification_type"], n["action"], n.get("context"))
            for n in reversed(notifications(client))
            if n.get(thing["kind"], {}).get("id") == thing["id"]]


def test_all_comments_of_a_new_epic_are_told(team):
    follower = team.people["other"]
    texts = [f"Comment {n}" for n in range(20)] + [f"For @{follower.username}"]
    epic = team.make_epic(follower_ids=[follower.id], comments=[{"text": t} for t in texts])
    assert news_of(team.other, epic) == [("epic", "create", None)] + [
        ("comment", "create", t) for t in texts[:-1]] + [
        ("comment_with_mention", "create", texts[-1])]
    times = [n["created_at"] for n in notifications(team.other, date_format="millis")[:22]]
    assert times == sorted(set(times), reverse=True)


def test_all_comments_of_a_new_story_are_told(team):
    texts = [f"Comment {n}" for n in range(20)]
    story = team.make_story(owner_ids=[team.people["other"].id],
                            comments=[{"text": t} for t in texts])
    assert news_of(team.other, story) == [("story", "ownership", None)] + [
        ("comment", "create", t) for t in texts]


def test_as_many_as_one_body_takes(team):
    story = team.make_story(follower_ids=[team.people["viewer"].id],
                            comments=[{"text": str(n)} for n in range(500)])
    assert news_of(team.viewer, story) == [("comment", "create", str(n)) for n in range(500)]


def test_one_change_tells_every_follower_all_of_it(team, api, person):
    people = [person(f"Follower {n}") for n in range(8)]
    for someone in people:
        done = team.owner.post(f"{team.path}/memberships", {"person_id": someone.id, "role": "member"})
        assert done.status_code == 200, done.text
    *followers, owner = people
    story = team.make_story(estimate=1, current_state="delivered",
                            follower_ids=[p.id for p in followers])
    answer = team.owner.put(f"{team.path}/stories/{story['id']}", {
        "current_state": "rejected", "comment": {"text": "Not so"}, "owner_ids": [owner.id]})
    assert answer.status_code == 200, answer.text
    both = [("story", "rejection", None), ("comment", "create", "Not so")]
    for someone in followers:
        assert news_of(api(someone), story) == both
    assert news_of(api(owner), story) == [("story", "ownership", None), *both]
    assert news_of(team.member, story) == both
