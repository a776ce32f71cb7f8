"""What the terms of a search find (contract 4), through GET search."""

import datetime
import random
import re
import time

import psycopg2
import pytest

from conftest import TOP, Client, Person
from searching import Board, board, empty_board, owner  # noqa: F401

pytestmark = pytest.mark.both  # times must be bounded in the build that ships


def ago(**delta):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (now - datetime.timedelta(**delta)).strftime("%Y-%m-%dT%H:%M:%SZ")


def wait_out_midnight():
    """Days begin at the full hour in the zones of these tests: makes sure that none begins within the next half
    minute."""
    while (left := 3600 - time.time() % 3600) < 30:
        time.sleep(left)


# --- text ------------------------------------------------------------------------

@pytest.mark.parametrize("query", ["zebra", "ZEBRA", '"zebra crossing"', "zeb*", "z?bra", "*bra",
                                   "/z.bra/", "/^STRIPED z/", "striped zebra", "zebra AND striped",
                                   "zebra OR nothingatall", "(zebra)", "name:zebra",
                                   'name:"zebra crossing"', "name:zeb*", "name:/bra cross(ing)?$/"])
def test_text_of_the_title(board, query):
    known = board.story("Striped zebra crossing")
    board.story("A horse crossing")
    assert known in board.found(query)
    assert all("zebra" in s["name"].lower()
               for s in board.result(query)["stories"]["stories"])


@pytest.mark.parametrize("query", ["zebr", "ebra", '"crossing zebra"', "z?ra", "-zebra", "/^zebra/",
                                   "zebra AND nothingatall", "name:bra"])
def test_text_that_is_not_in_the_title(board, query):
    known = board.story("Striped zebra crossing")
    assert known not in board.found(query)


def test_text_of_description_tasks_labels_and_people(empty_board, person):
    board = empty_board
    ann = person("Annabel Quux")
    board.join(ann)
    described = board.story(description="the walrus\nand the carpenter")
    tasked = board.story()
    board.task(tasked, "feed the WALRUS")
    labelled = board.story(labels=["walrus food"])
    owned = board.story(owner_ids=[ann.id])
    asked = board.story(requested_by_id=ann.id)
    board.story()
    assert board.found("walrus") == {described, tasked, labelled}
    assert board.found("name:walrus") == set()
    assert board.found("quux") == {owned, asked}
    assert board.found("/anna.*quux/") == {owned, asked}
    assert board.found("walrus -carpenter") == {tasked, labelled}


def test_terms_may_be_in_different_texts(board):
    story = board.story("Gnu", description="okapi")
    assert board.found("gnu okapi") == {story}
    assert board.found('"gnu okapi"') == set()


def test_changed_text_is_found_and_the_old_is_not(board):
    story = board.story("Platypus", description="otter")
    task = board.task(story, "beaver")
    board.client.put(f"{board.path}/stories/{story}", json={"name": "Echidna", "description": None})
    board.client.put(f"{board.path}/stories/{story}/tasks/{task}", json={"description": "badger"})
    assert board.found("platypus OR otter OR beaver") == set()
    assert board.found("echidna badger") == {story}
    board.client.delete(f"{board.path}/stories/{story}/tasks/{task}")
    assert board.found("badger") == set()
    board.client.delete(f"{board.path}/stories/{story}")
    assert board.found("echidna") == set()


@pytest.mark.parametrize("name, query", [
    ("Pay by e-mail", "e-mail"), ("Pay by e-mail", "mail"), ("See https://host.example/a/b?c=1", "host"),
    ("See https://host.example/a/b?c=1", '"host.example/a"'), ("snake_case_name", "case"),
    ("Don't panic", "don't"), ("Größe ändern", "GRÖSSE"), ("Größe ändern", "größe"),
    ("Größe ändern", "ÄNDERN"), ("日本語のテスト", "テスト"), ("日本語のテスト", "日本"),
    ("ครับผม", "ผม"), ("결제를 고친다", "결제"), ("Привет мир", "привет"), ("ship it 🚀", "🚀"),
    ("100% sure", "100%"), ("wait ... what", "..."), ("a\\b", '"a\\\\b"'), ("50 %_% odd", '"%_%"'),
    ("naïve", "naïve"), ("x" * 300, "x" * 300), ("price $5", "$5"), ("“quoted” text", "quoted"),
])
def test_words_of_all_kinds(empty_board, name, query):
    story = empty_board.story(name)
    empty_board.story("nothing of the kind")
    if query == "GRÖSSE":
        assert empty_board.found(query) == set()
    else:
        assert empty_board.found(query) == {story}


@pytest.mark.parametrize("query, hits", [
    ("100%", 1), ("50%", 0), ('"%"', 1), ('"_"', 1), ("10?%", 1), ("*_*", 1), ("a*z", 0),
    ("/100\\%/", 1), ("/[%]/", 1), ("name:100?", 1), ("1*", 1), ("*", None)])
def test_wildcards_of_like_are_text(empty_board, query, hits):
    empty_board.story("100% sure")
    empty_board.story("under_score")
    empty_board.story("plain")
    if hits is None:
        empty_board.refused(query)
    else:
        assert len(empty_board.found(query)) == hits


# --- keys ------------------------------------------------------------------------

def test_labels(empty_board):
    board = empty_board
    one = board.story(labels=["two words"])
    two = board.story(labels=["under_score", "Two"])
    none = board.story()
    assert board.found('label:"two words"') == {one}
    assert board.found('label:"TWO WORDS"') == {one}
    assert board.found("label:two") == {two}
    assert board.found("label:two*") == {one, two}
    assert board.found("label:under?score") == {two}
    assert board.found("label:underXscore") == set()
    assert board.found('label:""') == board.found("no:label") == {none}
    assert board.found("has:labels") == {one, two}
    assert board.found("-label:two") == {one, none}


def test_types_and_states(empty_board):
    board = empty_board
    feature = board.story(current_state="started", estimate=3)
    bug = board.story(story_type="bug", current_state="delivered")
    chore = board.story(story_type="chore", current_state="unstarted")
    release = board.story(story_type="release")
    assert board.found("type:feature,bug") == {feature, bug}
    assert board.found("type:Chore") == {chore}
    assert board.found("state:started,delivered") == {feature, bug}
    assert board.found("-state:unscheduled") == {feature, bug, chore}
    assert board.found("-state:delivered -state:accepted type:Bug") == set()
    assert board.found("state:UNSCHEDULED") == {release}
    assert board.found("state:unstarted OR type:release") == {chore, release}
    assert board.found("-(state:unstarted OR type:release)") == {feature, bug}


def test_estimates(empty_board):
    board = empty_board
    three = board.story(estimate=3)
    zero = board.story(estimate=0)
    none = board.story()
    assert board.found("estimate:3") == {three}
    assert board.found("estimate:0") == {zero}
    assert board.found("estimate:-1") == {none}
    assert board.found("-estimate:3") == {zero, none}
    assert "estimate:" in board.refused("estimate:99999999999999999999")


def test_people(empty_board, person):
    board = empty_board
    ann = person("Ann Lee", initials="AL")
    albert = person("Albert Ng", initials="AN")
    board.join(ann)
    board.join(albert)
    anns = board.story(owner_ids=[ann.id], story_type="chore", current_state="started")
    alberts = board.story(owner_ids=[albert.id, ann.id], requested_by_id=albert.id)
    nobodys = board.story()
    for text in ('"ann lee"', "AL", "al", ann.username, ann.username.upper(), ann.id):
        assert board.found(f"owner:{text}") == {anns, alberts}, text
    assert board.found("owned_by:AN") == {alberts}          # the initials, not a part of Ann
    assert board.found("owner:bert") == {alberts}           # a part of one name
    assert board.found('owner:""') == board.found("no:owner") == {nobodys}
    assert board.found("has:owner") == {anns, alberts}
    assert board.found("requester:albert") == {alberts}
    assert board.found("requested_by:OO") == {anns, nobodys}
    assert board.found("-requester:albert") == {anns, nobodys}
    assert board.found("mywork:AL") == {anns}
    assert board.found("owner:nobodyatall") == set()
    assert board.found('owner:"%"') == set()


def test_people_who_left_are_found(empty_board, person):
    board = empty_board
    gone = person("Gone Girl", initials="GX")
    membership = board.join(gone)
    story = board.story(owner_ids=[gone.id])
    assert board.client.delete(f"{board.path}/memberships/{membership['id']}").status_code == 204
    assert board.found('owner:"gone girl"') == {story}


def test_ids(empty_board):
    board = empty_board
    ids = [board.story() for _ in range(3)]
    assert board.found(f"id:{ids[0]},{ids[2]}") == {ids[0], ids[2]}
    assert board.found(f"id:#{ids[1]}") == {ids[1]}
    assert board.found(f"-id:{ids[0]}") == set(ids[1:])
    assert board.found("id:9223372036854775807") == set()


def test_external_ids(empty_board):
    board = empty_board
    one = board.story(external_id="PROJ-1")
    two = board.story(external_id="123")
    board.story()
    assert board.found("external_id:123") == {two}
    assert board.found("external_id:proj-1,123") == {one, two}
    assert board.found("has:external_id") == {one, two}


def test_following(empty_board, person, api):
    board = empty_board
    fan = person("Fan")
    board.join(fan)
    story = board.story(follower_ids=[fan.id])
    other = board.story()
    assert board.found("is:following", api(fan)) == {story}
    assert board.found("-is:following", api(fan)) == {other}
    assert board.found("is:following") == set()


def test_other_projects_stay_out(board, api, owner):
    other = Board(api, owner)
    there = other.story("Quokka", labels=["quokka"])
    here = board.story("Quokka")
    assert board.found("quokka") == {here}
    assert board.found(f"id:{there}") == set()
    assert board.found("label:quokka") == set()
    assert other.found("quokka") == {there}


# --- dates -----------------------------------------------------------------------

def test_days(empty_board):
    board = empty_board
    old = board.story(created_at="2015-01-31T12:00:00Z")
    older = board.story(created_at="2014-12-31T23:59:59Z")
    new = board.story()
    assert board.found("created:01/31/2015") == board.found('created_on:"2015-01-31"') == {old}
    assert board.found("created:2014-12-31..2015-01-31") == {old, older}
    assert board.found("created:1/1/2015..1/30/2015") == set()
    assert board.found("created_before:2015-01-31") == {older}
    assert board.found("created_since:2015-01-31") == {old, new}
    assert board.found("created_after:2015-01-31T12:00:01Z") == {new}
    assert board.found("created:2015-01-31T12:00:00Z") == {old}
    assert board.found("created:2015-01-31T13:00:00+01:00") == {old}
    assert board.found("-(created_before:2015-02-01)") == {new}
    assert board.found("created_before:0001-01-01 OR created_since:9999-12-31") == set()


def test_relative_days(empty_board):
    wait_out_midnight()
    board = empty_board
    now = board.story()
    yesterday = board.story(created_at=ago(days=1))
    fortnight = board.story(created_at=ago(days=14))
    assert now in board.found("created:today")
    assert board.found("created:yesterday") == board.found("created:-1d") == {yesterday}
    assert board.found("created:-2w") == board.found("created:-14days") == {fortnight}
    assert board.found("created_since:-2weeks") == {now, yesterday, fortnight}
    assert board.found("created_before:yesterday") == {fortnight}
    assert board.found("created_since:-1h") == {now}
    assert board.found("created:-25h..today") == {now, yesterday}
    assert board.found("created_since:-99999d created_since:-99999w created_since:-99999h") == {
        now, yesterday, fortnight}
    assert board.found("updated:today updated_since:yesterday") == {now, yesterday, fortnight}
    assert board.found("updated_before:today") == set()


def test_days_are_those_of_the_searchers_zone(empty_board, person, api, sql):
    board = empty_board
    west = person("West")
    board.join(west)
    sql("update planwright.person set time_zone = 'America/Los_Angeles' where id = %s", west.id)
    story = board.story(created_at="2015-02-01T05:00:00Z")
    assert board.found("created:2015-02-01") == {story}
    assert board.found("created:2015-01-31", api(west)) == {story}
    assert board.found("created:2015-02-01", api(west)) == set()
    assert board.found("created:2015-01-31T21:00:00", api(west)) == {story}
    # 23 hours: the day on which clocks go forward.
    late = board.story(created_at="2015-03-09T06:30:00Z")
    assert board.found("created:2015-03-08", api(west)) == {late}


def test_visitors_use_the_projects_zone(api, owner):
    board = Board(api, owner, public=True, time_zone={"olson_name": "Asia/Tokyo"})
    story = board.story(created_at="2015-01-31T20:00:00Z")
    assert board.found("created:2015-02-01", api()) == {story}
    assert board.found("is:following", api()) == set()


# --- done iterations ---------------------------------------------------------------

def test_done_iterations_only_when_asked_for(empty_board):
    board = empty_board
    done = board.story("Yak", current_state="accepted", estimate=5, accepted_at=ago(days=30),
                       created_at=ago(days=40))
    fresh = board.story("Yak", current_state="accepted", estimate=2)
    waiting = board.story("Yak", estimate=1)
    result = board.result("yak")["stories"]
    assert {s["id"] for s in result["stories"]} == {fresh, waiting}
    assert (result["total_hits"], result["total_hits_with_done"]) == (2, 3)
    assert (result["total_points"], result["total_points_completed"]) == (3, 2)
    result = board.result("yak includedone:true")["stories"]
    assert {s["id"] for s in result["stories"]} == {done, fresh, waiting}
    assert (result["total_hits"], result["total_hits_with_done"]) == (3, 3)
    assert (result["total_points"], result["total_points_completed"]) == (8, 7)
    assert board.found("state:accepted") == {fresh}
    assert board.found("includedone:true") == {done, fresh, waiting}
    assert board.found("") == {fresh, waiting}


def test_a_date_of_acceptance_looks_into_done_iterations(empty_board):
    board = empty_board
    done = board.story(current_state="accepted", estimate=5, accepted_at="2015-01-15T12:00:00Z",
                       created_at="2015-01-01T00:00:00Z")
    assert board.found('accepted_since:"2015-01-01" accepted_before:"2015-02-01"') == {done}
    assert board.found("accepted:1/15/2015") == {done}
    assert board.found("accepted:1/15/2015 includedone:false") == set()


def test_order_of_the_result(empty_board):
    board = empty_board
    older = [board.story(current_state="accepted", estimate=1, accepted_at=ago(days=n),
                         created_at=ago(days=90)) for n in (60, 30)]
    icebox = board.story()
    backlog = board.story(current_state="unstarted")
    started = board.story(current_state="started", estimate=1)
    accepted = board.story(current_state="accepted", estimate=1)
    stories = board.result("includedone:true")["stories"]["stories"]
    assert [s["id"] for s in stories] == [accepted, started, backlog, icebox, older[1], older[0]]


# --- the result --------------------------------------------------------------------

def test_result_object(empty_board):
    story = empty_board.story("Result")
    answer = empty_board.client.get(f"{empty_board.path}/search",
                                    params={"query": 'name:"result"'})
    result = answer.json()
    assert list(result) == ["stories", "epics", "query"]
    assert result["query"] == 'name:"result"'
    assert set(result["stories"]) == {"stories", "total_points", "total_points_completed",
                                      "total_hits", "total_hits_with_done"}
    assert {"epics": [], "total_hits": 0}.items() <= result["epics"].items()
    single = empty_board.client.get(f"{empty_board.path}/stories/{story}").json()
    assert result["stories"]["stories"] == [single]
    assert "X-Tracker-Project-Version" in answer.headers
    assert "X-Tracker-Pagination-Total" not in answer.headers


def test_fields_of_the_result(empty_board):
    story = empty_board.story("Fields", labels=["x"])
    empty_board.task(story, "one")
    result = empty_board.result(
        "fields", fields="stories(stories(name,labels(name),tasks(description)),total_hits)")
    assert set(result) == {"stories"} and result["stories"]["total_hits"] == 1
    (found,) = result["stories"]["stories"]
    assert set(found) == {"id", "name", "labels", "tasks"}
    assert found["labels"][0]["name"] == "x" and found["tasks"][0]["description"] == "one"
    answer = empty_board.client.get(f"{empty_board.path}/search",
                                    params={"query": "x", "fields": "stories(nothing)"})
    assert answer.status_code == 400 and "nothing" in answer.json()["general_problem"]


def test_millis_and_envelope(empty_board):
    empty_board.story("Fields")
    result = empty_board.result("fields", date_format="millis", envelope="true")
    assert isinstance(result["data"]["stories"]["stories"][0]["created_at"], int)


def test_query_is_required(board):
    answer = board.client.get(f"{board.path}/search")
    assert answer.status_code == 400
    assert answer.json()["general_problem"] == "this endpoint requires the parameter: query"


def test_strangers_may_not_search(board, api, person):
    for who in (api(person()), api()):
        answer = who.get(f"{board.path}/search", params={"query": "lable:x"})
        assert answer.status_code == 403


# --- what is refused ----------------------------------------------------------------
@pytest.mark.parametrize("query, place", [
    ("lable:x", 1), ("state:startd", 7), ("a (b", 3), ('x "y', 3), ("é created:tomorrow", 11),
    ("/(/", 1), ("fine /ok/ /[/", 11), ("name:/a{2,1}/", 6), ("x*" * 501, 1)])
def test_a_bad_search_is_told_where(board, query, place):
    assert f"at character {place} of the search: " in board.refused(query)


@pytest.mark.alone
def test_a_regular_expression_cannot_hold_the_database(new_stack):
    """It has 1.5 seconds, while other searches have the usual time of a statement."""
    stack = new_stack(workers=1, settings="statement_timeout_ms = 3000")
    board = Board(lambda who: Client(stack, who.token), Person(stack, "Olga"))
    story = board.story("stay")
    with psycopg2.connect(stack.env["STACK_ADMIN_DB"]) as connection:
        connection.cursor().execute("lock table planwright.search_text in access exclusive mode")
        for ask in (board.refused, lambda query: board.filter(query).json()["general_problem"]):
            for query, least, most in (("/sta+y/", 1.4, 2.2), ("stay", 2.9, 4)):
                start = time.monotonic()
                assert "takes too long" in ask(query)
                assert least < time.monotonic() - start < most
    connection.close()
    assert board.found("/sta+y/") == {story}


@pytest.mark.parametrize("regex", ["(", "a)", "[", "[b-a]", "[[:none:]]", "*a", "a{2,1}", "a**",
                                   r"\d(", r"a\y+(", "(?<x)", "a{1", r"\x"])
def test_what_is_no_regular_expression_is_told_in_our_words(board, regex):
    assert (f"at character 6 of the search: /{regex}/ is not a valid regular expression"
            == board.refused(f"fine /{regex}/"))


def test_two_regular_expressions_and_no_more(board):
    story = board.story("twice is enough")
    assert board.found("/twi.e/ /eno{1,20}ugh/") == {story}
    assert "at most 2 regular" in board.refused("/a/ name:/b/ -/c/")
    for query in (r"/(a)\1/", "/a{21}/", "/a{1,255}/", "/***=a/", "/(?x)a/"):
        assert "at character 1 of the search: a" in board.refused(query)
        answer = board.client.post(f"{board.path}/my/searches", {"name": "x", "query": query})
        assert answer.status_code == 400


def test_regular_expressions_of_visitors(api, owner):
    """Visitors who send no token cannot search with them."""
    board = Board(api, owner, public=True)
    story = board.story("for visitors")
    assert board.found("visit*", api()) == board.found("/visit/") == {story}
    for answer in (api().get(f"{board.path}/search", params={"query": "for /visit/"}),
                   board.filter("for /visit/", api())):
        assert answer.status_code == 400
        assert "at character 5 of the search: " in answer.json()["general_problem"]


def test_five_hundred_terms(board):
    """That many are answered, or refused for taking too long; one more is refused."""
    query = "id:1 OR " * 499
    assert board.found(query + "id:1") == set()
    for each in ("updated:2020-01-01..2020-01-02 " * 180, "-(id:1 OR -(id:2)) " * 180, "a OR b " * 250,
                 " ".join(f"w{i}" for i in range(500))):
        answer = board.client.get(f"{board.path}/search", params={"query": each})
        assert answer.status_code == 200 or "too" in answer.json()["general_problem"]
    assert "500 terms" in board.refused(query + "id:1 x")


def test_as_many_characters_as_a_request_line_has(board):
    """Scripts ask for a hundred stories at a time; only saved searches are limited to 1000 characters."""
    story = board.story("one of many")
    ids = ",".join(str(10**9 + i) for i in range(100))
    assert board.found(f"id:{ids},{story} includedone:true") == {story}
    assert board.filter(f"id:{ids},{story} includedone:true").json()[0]["id"] == story
    assert board.found("id:" + "7," * 1800 + str(story)) == {story}
    for key in ("", "name:", "owner:", "label:", "external_id:", "review:"):
        assert board.found(key + "x" * 7000) == set()
    for word in ("long", "𐐀" * 500, "ü" * 1024, "x" * 2046, "x" * 2048, "x" * 4000):
        one = board.story(f"of a {word}, which is read")
        assert board.found(f"{word} includedone:true") == {one}
        assert board.found(f'name:"a {word}, which" includedone:true') == {one}
    assert board.found("𐐀" * 499 + "*") and board.found("x" * 999 + "*")
    assert "at most 1000 characters" in board.refused("x*" * 501)
    assert "at most 1000 characters" in board.refused("name:" + "x?" * 501)


def test_no_query_is_a_fault_of_the_server(board):
    board.story("It's 100% \\ \"odd\" (really) *?", labels=["it's"], description="a\tb\nc'd")
    pieces = ["'", '"', "\\", "%", "_", "*", "?", "/", "(", ")", "-", " ", ":", ",", "..", "OR ",
              "AND ", "a", "it's", "é", "日本", "🚀", "name:", "label:", "owner:", "id:", "created:",
              "updated_since:", "state:started", "estimate:", "1", "99999999999999999999", "-2w",
              "today", "\t", "\u200b", "\u0301", "$1", "{", "}", "[", "]", "|", "&", "!", "<", ">",
              "--", ";", "null", "\x7f", "\x01", "external_id:", "review:", "has:", "is:", "no:"]
    chance = random.Random(4)
    seen = set()
    for _ in range(400):
        query = "".join(chance.choice(pieces) for _ in range(chance.randint(1, 12)))
        answer = board.client.get(f"{board.path}/search", params={"query": query})
        assert answer.status_code in (200, 400), (query, answer.text)
        seen.add(answer.status_code)
    assert seen == {200, 400}


def test_the_manual_names_every_key():
    page = (TOP / "man" / "planwright-search.7").read_text()
    rows = re.findall(r"^\t\{ \{ (.*?) \}, SEARCH_", (TOP / "src" / "search" / "search_keys.c").read_text(), re.M)
    names = [name for row in rows for name in re.findall(r'"(\w+)"', row)]
    assert len(names) > 30
    assert [n for n in names if not re.search(rf"^\.It Ic (.* , )?{n}( ,|$)", page, re.M)] == []


def test_a_refused_pattern_leaves_nothing_in_the_databases_log(stack, board):
    """Operators need no log line for what any client can cause."""
    for query in ("/(/", "name:/[/", "fine /a{1/"):
        assert "is not a valid regular expression" in board.refused(query)
        assert board.filter(query).status_code == 400
    assert "invalid regular expression" not in stack.log("postgres")
