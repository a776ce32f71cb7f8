"""Bodies of every write, generated from the field tables: types, lengths, null, absence."""

import pytest

import tables
from test_matrix import EXPECTED, MINE, body_of
from world import fill, ok, unique

# Routes about the caller's own things, or without JSON, have tests of their own.
WRITES = [r for r in tables.ROUTES if r.flag and r.body and r.key not in MINE
          and "upload" not in r.flags]
each_write = pytest.mark.parametrize("route", WRITES, ids=tables.names(WRITES))

# Invalid values of each type, and the end of the message about them (contract 1.4).
HASH, LIST = {"a": 1}, [1]
WRONG = {
    "int": (["x", "1", 1.5, True, HASH, LIST], "an integer value"),
    "float": (["x", "1", True, HASH, LIST], "a number value"),
    "bool": (["true", 1, 0, HASH, LIST], "a non-string boolean true or false value"),
    "string": ([1, 1.5, True, HASH, LIST], "a string"),
    "text": ([1, 1.5, True, HASH, LIST], "an extended_string"),
    "time": (["x", "2024-13-01", "2024-02-30T00:00:00Z", True, HASH, LIST, 1.5, 1 << 62],
             "a time value represented as milliseconds/iso 8601 date"),
    "date": (["x", "2024-02-30", 1, True, HASH, LIST],
             "a date value represented as iso 8601 date"),
    "ids": (["x", 1, HASH, ["1"], [1.5], [True], [None]], "an array of integer values"),
    "strings": (["x", 1, HASH, [1], [None]], "an array of strings"),
    "labels": (["x", 1, HASH], "an array of names, or of objects with a name or an id"),
    "refs": (["x", 1, HASH], "an array of ids, or of objects with an id"),
    "list": (["x", 1, HASH, LIST, ["x"]], "an array of objects"),
    "object": (["x", 1, LIST], "an object"),
    "zone": ([1, True, LIST], "the name of a time zone, or an object with olson_name"),
}
# Texts with a rule besides their length.
RULED = {"email", "point_scale", "project_color", "username", "webhook_url"}

# null gives these their default again.
DEFAULTED = {"length", "team_strength"}


def writable(route):
    return [f for f in route.body.writable(route.flag) if not {"ignored", "present"} & set(f.flags)]


def client_of(world, route):
    return world.admin if route.path.startswith("/accounts") else world.owner


def send(world, route, body, query=""):
    row = EXPECTED[route.key]
    fixed = row.query.replace(":project", str(world.own.project))
    path = fill(route.path, world.own.ids(route.path))
    return client_of(world, route).request(route.method, f"{path}?{fixed}{query}", json=body)


def good(world, route):
    return dict(body_of(world, EXPECTED[route.key]) or {})


def refused(answer, sentence=None):
    assert answer.status_code == 400, f"{answer.sent}: {answer.text}"
    error = answer.json()
    assert list(error)[:3] == ["code", "kind", "error"]
    assert error["code"] == "invalid_parameter" and error["kind"] == "error"
    assert error["error"] == "One or more request parameters was missing or invalid."
    if sentence:
        assert error["general_problem"] == sentence
    return error


@each_write
def test_wrong_types(world, route):
    for field in writable(route):
        if field.type == "word":
            words = ", ".join(["v5"] if field.name == "webhook_version" else field.words)
            words = words.lower() if "any_case" in field.flags else words
            values, end = ["no_such_word", 1, True, HASH], "one of: " + words
        else:
            values, end = WRONG[field.type]
        for value in values:
            refused(send(world, route, {**good(world, route), field.name: value}),
                    f"'{field.name}' must be {end}")


@each_write
def test_integers_beyond_64_bits(world, route):
    for field in (f for f in writable(route) if f.type == "int"):
        for value in (1 << 63, -(1 << 63) - 1, 1 << 200):
            answer = send(world, route, {**good(world, route), field.name: value})
            if value < 0:
                assert (answer.status_code, answer.json()["code"]) == (400, "could_not_parse_body")
            else:
                refused(answer, "Couldn't find Person with an out of range value for 'id'"
                        if "person" in field.flags else f"'{field.name}' must be an integer value")


@each_write
def test_the_largest_integers(world, route):
    """At most a refusal: no overflow after the check."""
    for field in (f for f in writable(route) if f.type in ("int", "ids", "float")):
        for value in ((1 << 63) - 1, -(1 << 63), 1 << 31, 0, -1):
            value = [value] if field.type == "ids" else value
            answer = send(world, route, {**good(world, route), field.name: value})
            assert answer.status_code in (200, 204, 400, 404, 403), f"{field.name}={value}: {answer.text}"


@each_write
def test_null(world, route):
    """null clears fields that may be empty, and is refused for others."""
    for field in writable(route):
        answer = send(world, route, {**good(world, route), field.name: None})
        if field.name == "text" and "/comments" in route.path and answer.status_code == 400:  # nothing is attached
            assert refused(answer)["validation_errors"][0]["field"] == "text"
        elif "null" in field.flags:
            assert field.name not in ok(answer) or field.name in DEFAULTED
        else:
            refused(answer)


@each_write
def test_too_long(world, route):
    """Limits count characters; the message names the limit (contract 1.4)."""
    for field in writable(route):
        if field.type not in ("string", "text") or not field.max:
            continue
        text = "ü" * (field.max + 1)
        error = refused(send(world, route, {**good(world, route), field.name: text}))
        kind = "extended_string" if field.type == "text" else "string"
        assert error["general_problem"] == f"This {kind} is too long:  '{text}'"
        assert error["requirement"] == f"'{field.name}' parameter must be {field.max} characters or less."


@each_write
def test_as_long_as_may_be(world, route):
    for field in writable(route):
        if field.type not in ("string", "text") or not field.max or field.name in RULED:
            continue
        body = good(world, route)
        if route.body.kind == "project" and field.name == "new_account_name":
            body.pop("account_id", None)
        text = unique("long").ljust(field.max, "😀")[-field.max:]
        made = ok(send(world, route, {**body, field.name: text}))
        if field.is_answered and field.name in made:
            assert made[field.name] == text


@each_write
def test_too_many(world, route):
    for field in writable(route):
        if field.type not in ("ids", "strings", "labels", "list"):
            continue
        item = {"ids": 1, "strings": "x", "labels": "x", "list": {"description": "x"}}[field.type]
        most = field.max or 500
        refused(send(world, route, {**good(world, route), field.name: [item] * (most + 1)}),
                f"'{field.name}' must have at most {most} items")


BLANK = {"label": "Please enter a name for the label.",
         "point_scale": "Projects require a point scale., This is not a valid custom point scale."}


@each_write
def test_blank(world, route):
    for field in writable(route):
        if "no_blank" not in field.flags:
            continue
        for blank in ("", " ", "\t\n ", "\u00a0", "\u200b", " \u3000\ufeff\u2028\u00ad", None):
            error = refused(send(world, route, {**good(world, route), field.name: blank}))
            want = BLANK.get(field.name) or BLANK.get(
                route.body.kind, f"{field.name.capitalize().replace('_', ' ')} can't be blank")
            assert error["general_problem"] == want
            assert error["validation_errors"] == [{"field": field.name, "problem": want}]


@pytest.mark.parametrize("route", [r for r in WRITES if r.flag == "create"],
                         ids=tables.names(r for r in WRITES if r.flag == "create"))
def test_required(world, route):
    required = [f.name for f in writable(route) if "required" in f.flags]
    if route.path == "/projects/:project/memberships":
        refused(send(world, route, {}), "Email can't be blank., Name can't be blank")
    elif required:
        plural = "s" if len(required) > 1 else ""
        refused(send(world, route, {}),
                f"this endpoint requires the parameter{plural}: {', '.join(required)}")
    else:
        refused(send(world, route, {}), "this endpoint requires at least one of the following "
                f"parameters: {route.row['one_of']}")


@pytest.mark.parametrize("route", [r for r in WRITES if r.flag == "update"],
                         ids=tables.names(r for r in WRITES if r.flag == "update"))
def test_an_update_of_nothing(world, route):
    must = [f.name for f in writable(route) if "must" in f.flags]
    names = ", ".join(sorted({f.name for f in writable(route) if "along" not in f.flags}))
    for body in ({}, None):
        refused(send(world, route, body), f"this endpoint requires the parameter: {must[0]}" if must
                else f"this endpoint requires at least one of the following parameters: {names}")


@each_write
def test_unknown_keys(world, route):
    for key in ("no_such_key", "id ", "Name", "ü"):
        refused(send(world, route, {**good(world, route), key: 1}),
                f"this endpoint cannot accept the parameter: {key}")


@each_write
def test_what_may_only_be_read(world, route):
    """Fields of the answer that are not writable count as unknown keys."""
    names = {f.name for f in route.body.writable(route.flag)}
    for field in route.body.fields:
        if field.name not in names and field.name not in path_keys(world, route):
            refused(send(world, route, {**good(world, route), field.name: 7}),
                    f"this endpoint cannot accept the parameter: {field.name}")


def path_keys(world, route):
    """The ids in the path, by the keys that may repeat them in the body."""
    ids = world.own.ids(route.path)
    return {f"{part[1:]}_id": i for (_, part), i in zip(route.ids, ids)
            if part in (":project", ":story", ":epic")}


@each_write
def test_ids_of_the_path_may_be_said_once_more(world, route):
    own = {f.name for f in route.body.writable(route.flag)}
    for key, value in path_keys(world, route).items():
        if key in own:  # the key moves a story
            continue
        answer = send(world, route, {**good(world, route), key: value})
        ok(answer, answer.status_code if answer.status_code == 204 else 200)
        for other in value + 1, -value, 1 << 70, str(value), [value], None, True:
            error = refused(send(world, route, {**good(world, route), key: other}),
                            f"{key} must be the {key[:-3]} of the path.")
            assert error["validation_errors"][0]["field"] == key


@each_write
def test_ids_that_the_path_does_not_name_are_unknown_keys(world, route):
    own = {f.name for f in route.body.writable(route.flag)} | set(path_keys(world, route))
    for key in {"project_id", "story_id", "epic_id"} - own:
        refused(send(world, route, {**good(world, route), key: 1}),
                f"this endpoint cannot accept the parameter: {key}")


def test_an_id_of_the_path_alone_changes_nothing(world):
    place = world.own
    for path, key, value in ((f"/projects/{place.project}", "project_id", place.project),
                             (f"/stories/{place.story}", "story_id", place.story)):
        answer = refused(world.owner.put(path, {key: value}))
        assert "requires at least one of the following" in answer["general_problem"]


@each_write
def test_ignored_keys(world, route):
    """Accepted and without effect, whatever their value (contract 2.5)."""
    ignored = {f.name: True for f in route.body.writable(route.flag) if "ignored" in f.flags}
    if ignored:
        ok(send(world, route, {**good(world, route), **ignored}))


# --- forms ------------------------------------------------------------------------

FORM = {"Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"}


def test_a_form_is_read_by_the_types_of_the_fields(board):
    me = ok(board.client.get("/me"))["id"]
    story = ok(board.client.post(f"{board.path}/stories", headers=FORM, data={
        "name": "2024", "estimate": "2.0", "current_state": "started", "labels[]": ["7", "a b"],
        "created_at": "1704164645000", "description": ""}))
    assert (story["name"], story["estimate"], story["description"]) == ("2024", 2, "")
    assert [label["name"] for label in story["labels"]] == ["7", "a b"]
    assert story["created_at"] == "2024-01-02T03:04:05Z"
    path = f"{board.path}/stories/{story['id']}"
    story = ok(board.client.put(path, headers=FORM, data=[
        ("current_state", "finished"), ("owner_ids[]", me)]))
    assert (story["current_state"], story["owner_ids"]) == ("finished", [me])
    assert ok(board.client.put(path, headers=FORM, data="owner_ids=&name=x"))["owner_ids"] == []
    task = ok(board.client.post(f"{path}/tasks", headers=FORM, data="description=12&complete=true"
                                f"&position=1&story_id={story['id']}"))
    assert (task["description"], task["complete"]) == ("12", True)


@pytest.mark.parametrize("data,sentence", [
    ("name=x&estimate=two", "'estimate' must be a number value"),
    ("name=x&requested_by_id=1.5", "'requested_by_id' must be an integer value"),
    ("name=x&tasks[]=y", "'tasks' must be an array of objects"),
    ("name=x&owner_ids[]=y", "'owner_ids' must be an array of integer values"),
    ("name=x&comment[text]=y", "this endpoint cannot accept the parameter: comment[text]"),
    ("description=x", "this endpoint requires the parameter: name")])
def test_what_a_form_cannot_say(board, data, sentence):
    answer = board.client.post(f"{board.path}/stories", headers=FORM, data=data)
    assert (answer.status_code, answer.json()["general_problem"]) == (400, sentence)


@pytest.mark.parametrize("data", ["name", "[a=1]", '{"name"="x"}', "name=%zz"])
def test_what_is_no_form(board, data):
    answer = board.client.post(f"{board.path}/stories", headers=FORM, data=data)
    assert (answer.status_code, answer.json()["code"]) == (400, "could_not_parse_body")
