"""Searches in parts of stories: comments, attachments, epics, blockers, reviews."""

import pytest

from searching import Board, board, empty_board, owner  # noqa: F401


def epic(board, name, **fields):
    return board.ok(board.client.post(f"{board.path}/epics", json={"name": name, **fields}))


def comment(board, on, text="Well", **fields):
    return board.ok(board.client.post(f"{board.path}/{on}/comments", json={"text": text, **fields}))


def epics(board, query):
    result = board.result(query)["epics"]
    assert result["total_hits"] == len(result["epics"])
    return [e["id"] for e in result["epics"]]


def test_comments(empty_board):
    board = empty_board
    story = board.story()
    board.story()
    made = comment(board, f"stories/{story}", "the albatross flies")
    assert board.found('"albatross flies"') == board.found("albatr*") == {story}
    board.client.put(f"{board.path}/stories/{story}/comments/{made['id']}", json={"text": "pelican"})
    assert board.found("albatross") == set() and board.found("pelican") == {story}
    board.client.delete(f"{board.path}/stories/{story}/comments/{made['id']}")
    assert board.found("pelican") == set()


def test_attachments(empty_board):
    board = empty_board
    story = board.story()
    other = board.story()
    made = comment(board, f"stories/{story}", google_attachments=[{"title": "Quarterly-plan.xls"}])
    assert board.found("quarterly") == board.found("quarterly-plan.xls") == {story}
    assert board.found("has:attachment") == {story}
    assert board.found("no:attachment") == {other}
    comment(board, f"stories/{other}", google_attachments=[{"google_id": "nameless"}])
    assert board.found("has:attachment") == {story, other}
    board.client.delete(f"{board.path}/stories/{story}/comments/{made['id']}")
    assert board.found("has:attachment") == {other}


def test_stories_of_epics(empty_board):
    board = empty_board
    one = epic(board, "Big Thing")
    two = epic(board, "Other")
    in_one = board.story(label_ids=[one["label"]["id"]])
    in_two = board.story(label_ids=[two["label"]["id"]])
    in_none = board.story(labels=["plain"])
    assert board.found('epic:"big thing"') == {in_one}
    assert board.found("epic:big*") == {in_one}
    assert board.found("epic:big") == set()
    assert board.found('epic:""') == board.found('epics:""') == board.found("no:epic") == {in_none}
    assert board.found("has:epics") == {in_one, in_two}


def test_epics_are_found_too(empty_board):
    board = empty_board
    one = epic(board, "Walrus migration", description="for the herd")
    two = epic(board, "Second", label={"name": "walrus label"})
    three = epic(board, "Third")
    comment(board, f"epics/{three['id']}", "no walrus, but a seal")
    story = board.story("walrus")
    assert epics(board, "walrus") == [one["id"], two["id"], three["id"]]
    assert board.found("walrus") == {story}
    assert epics(board, "herd") == epics(board, "name:walrus") == [one["id"]]
    assert epics(board, 'label:"walrus label"') == epics(board, "epic:second") == [two["id"]]
    assert epics(board, f"id:{three['id']}") == [three["id"]]
    assert epics(board, "created:today -seal") == [one["id"], two["id"]]
    assert epics(board, "walrus state:unscheduled") == epics(board, "-type:bug") == []
    assert epics(board, "walrus OR has:label") == []
    assert epics(board, "") == [one["id"], two["id"], three["id"]]
    assert board.result("herd")["epics"]["epics"] == [
        board.client.get(f"{board.path}/epics/{one['id']}").json()]
    result = board.result("herd", fields="epics(epics(name))")
    assert result == {"epics": {"epics": [{"id": one["id"], "name": "Walrus migration"}]}}


def test_followed_epics(empty_board):
    board = empty_board
    mine = epic(board, "Mine", follower_ids=[board.owner.id])
    epic(board, "Not mine")
    assert epics(board, "is:following") == [mine["id"]]


def test_changed_and_deleted_epics(empty_board):
    board = empty_board
    one = f"{board.path}/epics/{epic(board, 'Pangolin')['id']}"
    board.client.put(one, json={"name": "Aardvark"})
    assert epics(board, "name:pangolin") == [] and len(epics(board, "name:aardvark")) == 1
    board.client.delete(one)
    assert epics(board, "name:aardvark") == []


def test_filter_of_the_list_of_epics(empty_board):
    board = empty_board
    one = epic(board, "Alpha thing")
    two = epic(board, "Beta thing")
    epic(board, "Gamma")
    path = f"{board.path}/epics"
    answer = board.client.get(path, params={"filter": "thing"})
    assert [e["id"] for e in board.ok(answer)] == [one["id"], two["id"]]
    assert "X-Tracker-Pagination-Total" not in answer.headers
    assert board.ok(board.client.get(path, params={"filter": "thing -alpha"})) == [
        board.client.get(f"{path}/{two['id']}").json()]
    assert board.ok(board.client.get(path, params={"filter": "state:started"})) == []
    for more, name in (({"filter": "x", "fields": "name"}, "fields"), ({"filter": "(x"}, "character 1")):
        answer = board.client.get(path, params=more)
        assert answer.status_code == 400 and name in answer.json()["general_problem"]


def test_blockers(empty_board):
    board = empty_board
    blocked, was_blocked, blocking, free = [board.story() for _ in range(4)]
    for story, resolved, other in ((blocked, False, blocking), (was_blocked, True, free)):
        board.ok(board.client.post(f"{board.path}/stories/{story}/blockers",
                                   json={"description": f"wait for #{other}", "resolved": resolved}))
    assert board.found("is:blocked") == board.found("has:blocked") == {blocked}
    assert board.found("no:blocked") == {was_blocked, blocking, free}
    assert board.found("has:blocker") == board.found("has:blockers") == {blocked, was_blocked}
    assert board.found("no:blockers") == {blocking, free}
    assert board.found("is:blocking") == {blocking}
    assert board.found("has:blocking") == {blocking, free}
    assert board.found("-is:blocking") == {blocked, was_blocked, free}


def test_reviews(empty_board, person):
    board = empty_board
    rita = person("Rita Review", initials="RR")
    board.join(rita)
    design, code, none = [board.story() for _ in range(3)]
    for story, name, fields in ((design, "Design it", {"reviewer_id": rita.id, "status": "pass"}),
                                (code, "Code & Co", {"status": "in_review"})):
        kind = board.ok(board.client.post(f"{board.path}/review_types", json={"name": name}))
        board.ok(board.client.post(f"{board.path}/stories/{story}/reviews",
                                   json={"review_type_id": kind["id"], **fields}))
    assert board.found("reviewer:RR") == board.found("reviewer:rita") == {design}
    assert board.found('review:"design it"') == {design}
    assert board.found('review:"design it&pass"') == {design}
    assert board.found('review:"design it&revise"') == set()
    assert board.found("review_status:in_review") == {code}
    assert board.found("-review_status:pass") == {code, none}


def test_integrations(empty_board):
    board = empty_board
    ident = board.ok(board.client.post(f"{board.path}/integrations", json={
        "name": "Help Desk", "kind": "other_integration"}))["id"]
    linked = board.story()
    other = board.story()
    board.client.put(f"{board.path}/stories/{linked}", json={"integration_id": ident})
    assert board.found('integration:"help desk"') == {linked}
    assert board.found('-integration:"help desk"') == {other}


def test_text_moves_with_its_story(board, empty_board):
    story = board.story("Wanderer")
    comment(board, f"stories/{story}", "lonely")
    board.ok(board.client.put(f"/stories/{story}", json={"project_id": empty_board.project["id"]}))
    assert board.found("wanderer") == set()
    assert empty_board.found("wanderer lonely") == {story}


TEXTS = """
with s as (select * from planwright.story where project_id = %(project)s),
e as (select * from planwright.epic where project_id = %(project)s),
c as (select c.*, coalesce(s.project_id, e.project_id) as project_id from planwright.comment c
    left join s on s.id = c.story_id left join e on e.id = c.epic_id
    where s.id is not null or e.id is not null)
select 'name', id, project_id, id, null::bigint, name from s
union all select 'description', id, project_id, id, null, description from s where description <> ''
union all select 'task', t.id, s.project_id, s.id, null, t.description
    from planwright.task t join s on s.id = t.story_id
union all select 'epic', id, project_id, null, id, name from e
union all select 'epic_description', id, project_id, null, id, description from e
    where description <> ''
union all select 'comment', id, project_id, story_id, epic_id, text from c where text <> ''
union all select 'attachment', a.id, c.project_id, c.story_id, c.epic_id, coalesce(nullif(a.name, ''), ' ')
    from c join (select id, comment_id, filename as name from planwright.file_attachment
        union all select id, comment_id, title from planwright.google_attachment) a on a.comment_id = c.id
order by 1, 2"""


def test_texts_are_those_of_the_rows(board, empty_board, sql):
    """After they were created, changed, emptied, deleted, and moved to another project."""
    def check(*boards):
        for one in boards:
            project = one.project["id"]
            kept = sql("""select source, source_id, project_id, story_id, epic_id, text
                from planwright.search_text where project_id = %s order by 1, 2""", project)
            assert kept == sql(TEXTS.replace("%(project)s", str(project)))
        return len(kept)

    here = empty_board
    client, path = here.client, here.path
    story = here.ok(client.post(f"{path}/stories", json={
        "name": "One", "description": "Two", "tasks": [{"description": "a"}, {"description": "b"}],
        "comments": [{"text": "Three", "google_attachments": [{"title": "Four"}]}]}))["id"]
    at = f"{path}/stories/{story}"
    an_epic = epic(here, "Five", description="Six")["id"]
    comment(here, f"epics/{an_epic}", google_attachments=[{"google_id": "nameless"}])
    upload = here.ok(client.post(f"{path}/uploads", files={"file": ("seven.txt", b"7")}))
    check(here)
    made = comment(here, f"stories/{story}", "Eight", file_attachment_ids=[upload["id"]],
                   google_attachments=[{"title": "Nine"}])
    assert check(here) == 13
    for task in here.ok(client.get(f"{at}/tasks")):
        here.ok(client.put(f"{at}/tasks/{task['id']}", json={"description": "c", "complete": True}))
    client.delete(f"{at}/tasks/{task['id']}")
    here.ok(client.put(at, json={"name": "Ten", "description": ""}))
    here.ok(client.put(f"{path}/epics/{an_epic}", json={"name": "Eleven", "description": None}))
    google, = here.ok(client.get(f"{at}/comments/{made['id']}?fields=google_attachment_ids"))[
        "google_attachment_ids"]
    here.ok(client.put(f"{at}/comments/{made['id']}", json={
        "text": "", "google_attachment_ids_to_remove": [google]}))
    check(here)
    here.ok(client.put(at, json={"project_id": board.project["id"], "name": "Thirteen"}))
    check(here, board)
    assert client.delete(f"{board.path}/stories/{story}/comments/{made['id']}").status_code == 204
    check(here, board)
    here.ok(client.post("/source_commits", json={"source_commit": {
        "commit_id": "7", "message": f"[#{story}] Fourteen"}}))
    check(here, board)
    assert board.found("fourteen") == {story}
    assert client.delete(f"{path}/epics/{an_epic}").status_code == 204
    assert client.delete(f"/stories/{story}").status_code == 204
    check(here, board)
