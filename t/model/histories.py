"""Random histories: lists of commands, as JSON. Things have small numbers, so that commands often meet."""

from hypothesis import strategies as st

PEOPLE = ("Ann", "Bob", "Cat", "Dan")
THING = st.sampled_from([*(n for n in range(8) for _ in range(4)), 8, 9])  # mostly things that exist, see Names.find
PROJECT = st.sampled_from([0, 0, 0, 1])
# Mostly people who may write.
BY = st.sampled_from(["Ann"] * 9 + ["Bob"] * 9 + ["Cat", "Dan"])
ANYBODY = st.sampled_from(PEOPLE)
TEXT = st.sampled_from(["a", "b", "c d", "hi @Cat", "@Ann @Bob", "@Dan", " "])
WORDS = ("a", "b", "c", "A", "d e")
WORD = st.sampled_from(WORDS)
NAMED = st.sampled_from([{"name": word} for word in WORDS])
BY_ID = st.fixed_dictionaries({"id": THING})
STATE = st.sampled_from(["unscheduled", "unstarted", "started", "finished", "delivered", "accepted", "rejected",
                         "unstarted", "accepted", "planned"])
TYPE = st.sampled_from(["feature", "feature", "bug", "chore", "release"])
ESTIMATE = st.sampled_from([None, 0, 1, 2, 3, 1, 2, 3, 8, 1.5])
SOMEBODY = st.lists(ANYBODY, max_size=2)


PAST = st.sampled_from([f"-{days}d" for days in (1, 3, 7, 8, 10, 14, 15, 22, 40)])
LABELS = st.lists(st.one_of(WORD, NAMED, BY_ID), max_size=2)
COMMENT = st.fixed_dictionaries({"text": TEXT})
TASK = st.fixed_dictionaries({"description": WORD}, optional={"complete": st.booleans()})
REASON = st.sampled_from(["rain", "#0", "#1", "#2 and #3", "#4, not #5x", "#6 #7", " "])
BLOCKER = st.fixed_dictionaries({"description": REASON}, optional={"resolved": st.booleans()})
REVIEW = st.fixed_dictionaries({"review_type_id": THING}, optional={
    "reviewer_id": st.one_of(st.none(), ANYBODY), "status": st.sampled_from(["unstarted", "in_review", "pass", "revise"])})
FIELDS = {
    "story_type": TYPE, "current_state": STATE, "estimate": ESTIMATE,
    "description": st.sampled_from([None, "text", "for @Bob", "@Bob, x@Cat, (@Dan)"]),
    "story_priority": st.sampled_from(["p0", "p1", "none"]), "owner_ids": SOMEBODY, "owned_by_id": ANYBODY,
    "requested_by_id": ANYBODY, "follower_ids": SOMEBODY, "labels": LABELS, "label_ids": st.lists(THING, max_size=2),
    "accepted_at": st.one_of(PAST, PAST, st.none()), "deadline": st.sampled_from([None, "2030-01-01T00:00:00Z"]),
    "before_id": st.one_of(THING, THING, st.none()), "after_id": st.one_of(THING, THING, st.none()),
    "tasks": st.lists(TASK, min_size=1, max_size=2), "comments": st.lists(COMMENT, min_size=1, max_size=2),
    "blockers": st.lists(BLOCKER, min_size=1, max_size=1), "reviews": st.lists(REVIEW, min_size=1, max_size=1),
}
GROUP = st.sampled_from(["scheduled", "unscheduled", "current"])
CHANGES = {name: FIELDS[name] for name in ("estimate", "story_type", "story_priority", "current_state", "requested_by_id",
                                           "owner_ids", "follower_ids", "label_ids", "deadline")}
SETTINGS = {
    "point_scale": st.sampled_from(["0,1,2,3", "0,1,2,4,8", "0,1,2,3,5,8", "1,1.5,3", "2,1"]),
    "bugs_and_chores_are_estimatable": st.booleans(), "automatic_planning": st.booleans(),
    "iteration_length": st.integers(0, 5), "week_start_day": st.sampled_from(["Monday", "Sunday", "thursday"]),
    "initial_velocity": st.sampled_from([0, 1, 2, 4, 10]), "velocity_averaged_over": st.integers(0, 5),
    "number_of_done_iterations_to_show": st.integers(1, 5), "public": st.booleans(),
    "start_date": st.sampled_from([None, "week-0", "week-1", "week-3", "week-9", "day-1"]),
    "time_zone": st.sampled_from(["UTC", "America/New_York", "Pacific/Auckland"]),
    "name": st.sampled_from(["first", "second", "third", " "]),
}


@st.composite
def some(draw, fields, least=1, most=3):
    """A body with a few of the fields."""
    chosen = draw(st.lists(st.sampled_from(sorted(fields)), min_size=least, max_size=most, unique=True))
    return {name: draw(fields[name]) for name in chosen}


@st.composite
def joined(draw, *bodies):
    """Several bodies in one."""
    found = {}
    for body in bodies:
        found.update(draw(body))
    return found


@st.composite
def weighed(draw, *strategies):
    """One of the strategies, each given as (weight, strategy)."""
    n = draw(st.integers(0, sum(often for often, _ in strategies) - 1))
    for often, strategy in strategies:
        if n < often:
            return draw(strategy)
        n -= often
    return None


def always(**fields):
    return st.fixed_dictionaries(fields)


def command(do, by=BY, **more):
    return st.fixed_dictionaries({"by": by, "do": st.just(do), **more})


def story(do, **more):
    return command(do, story=THING, **more)


PLACE = {name: FIELDS[name] for name in ("before_id", "after_id")}
CREATE = joined(st.fixed_dictionaries({"name": st.sampled_from("abcdefgh")}),
                   st.fixed_dictionaries({"current_state": STATE, "estimate": ESTIMATE}) | st.just({}),
                   some({**FIELDS, "name": st.just(" ")}, least=0))
MOVE = st.one_of(some(PLACE, 1, 1), some(PLACE, 1, 1), some({**PLACE, "group": GROUP}))
STATES = some({name: FIELDS[name] for name in ("current_state", "estimate", "story_type")})
GOOD_STATE = joined(always(current_state=st.sampled_from(["unscheduled", "unstarted", "started", "finished", "delivered",
                                                          "accepted", "rejected", "unstarted", "unscheduled"])),
                    st.sampled_from([{}, {"estimate": 1}, {"estimate": 2}, {"story_type": "feature", "estimate": 3}]))
PLANNING = weighed(
    (5, command("story_create", project=PROJECT, body=CREATE)),
    (3, story("story_change", body=some({**FIELDS, "group": GROUP, "name": st.sampled_from(["x", " "])}))),
    (3, story("story_change", body=STATES)),
    (7, story("story_change", body=GOOD_STATE)),
    (2, story("story_change", body=some({name: FIELDS[name] for name in ("current_state", "accepted_at")}))),
    (8, story("story_change", body=MOVE)),
    (2, story("story_change", body=joined(GOOD_STATE, MOVE))),
    (2, story("story_change", body=joined(always(current_state=st.just("accepted"), estimate=st.just(1)),
                                          always(accepted_at=PAST)))),
    (1, story("story_delete")),
    (2, command("bulk_change", project=PROJECT, body=joined(
        always(ids=st.lists(THING, min_size=1, max_size=3)), st.one_of(
            st.just({"delete": True}), some({"changes": some(CHANGES), "add_labels": LABELS, "group": GROUP, **PLACE,
                                             "add_label_ids": st.lists(THING, max_size=1),
                                             "remove_label_ids": st.lists(THING, max_size=1)}))))),
    (3, command("bulk_change", project=PROJECT, body=joined(
        always(ids=st.lists(st.integers(0, 7), min_size=2, max_size=4)), st.one_of(
            always(group=GROUP), always(before_id=st.integers(0, 7)), always(after_id=st.integers(0, 7)),
            always(changes=always(current_state=st.sampled_from(["unstarted", "unscheduled"]))),
            always(changes=joined(GOOD_STATE)))))),
    (2, command("project_change", project=PROJECT, body=some(SETTINGS))),
    (1, command("project_change", project=PROJECT, body=st.deferred(lambda: PLANS))),
    (1, command("project_change", project=PROJECT, body=st.deferred(lambda: SLOW))),
    (1, command("override_change", project=PROJECT, number=st.integers(1, 12), body=some(
        {"length": st.sampled_from([None, 0, 1, 2, 3]), "team_strength": st.sampled_from([None, 0, 0.5, 1, 2])}, 0, 2))),
    (2, command("override_change", project=PROJECT, number=st.integers(1, 5), body=always(
        team_strength=st.sampled_from([None, 0, 0.5, 2, 1])))))
PARTS = [
    story("story_label_add", body=st.one_of(st.fixed_dictionaries({"name": WORD}), st.fixed_dictionaries({"id": THING}),
                                            st.just({}))),
    story("story_label_remove", label=THING),
    story("owner_add", body=st.fixed_dictionaries({"id": ANYBODY})),
    story("owner_remove", person=ANYBODY),
    story("follower_add", body=st.fixed_dictionaries({"id": ANYBODY})),
    story("follower_remove", person=ANYBODY),
    story("task_create", body=st.fixed_dictionaries({"description": TEXT}, optional={
        "complete": st.booleans(), "position": st.integers(0, 3)})),
    command("task_change", task=THING, body=some({"description": TEXT, "complete": st.booleans(),
                                                  "position": st.integers(0, 3)})),
    command("task_delete", task=THING),
    story("comment_create", body=st.fixed_dictionaries({"text": TEXT}, optional={"person_id": ANYBODY})),
    command("comment_change", comment=THING, body=COMMENT),
    command("comment_delete", comment=THING),
    story("blocker_create", body=BLOCKER),
    command("blocker_change", blocker=THING, body=some({"description": REASON, "resolved": st.booleans()})),
    command("blocker_delete", blocker=THING),
    story("review_create", body=REVIEW),
    command("review_change", review=THING, body=some({"reviewer_id": st.one_of(st.none(), ANYBODY),
                                                      "status": st.sampled_from(["in_review", "pass"])})),
    command("review_delete", review=THING),
    command("label_create", project=PROJECT, body=st.fixed_dictionaries({"name": WORD | st.just(" ")})),
    command("label_change", label=THING, body=st.fixed_dictionaries({"name": WORD})),
    command("label_delete", label=THING),
    command("epic_create", project=PROJECT, body=joined(always(name=WORD), some({
            "description": st.sampled_from(["text", "ask @Cat"]), "label": NAMED | BY_ID,
            "follower_ids": SOMEBODY, "comments": st.lists(COMMENT, max_size=1), **PLACE}, 0))),
    command("epic_change", epic=THING, body=some({
        "name": TEXT, "description": st.sampled_from([None, "x", "@Ann"]), "label": NAMED,
        "follower_ids": SOMEBODY, **PLACE}, 1, 2)),
    command("epic_change", epic=THING, body=st.fixed_dictionaries({"label_id": THING})),
    command("epic_delete", epic=THING),
    command("epic_comment_create", epic=THING, body=COMMENT),
    command("epic_comment_delete", epic_comment=THING),
]
ROLE = st.sampled_from(["owner", "member", "viewer"])
PEOPLE_AND_PROJECTS = [
    command("membership_create", project=PROJECT, body=st.fixed_dictionaries({"person_id": ANYBODY}, optional={"role": ROLE})),
    command("membership_change", by=ANYBODY, membership=THING, body=st.fixed_dictionaries({"role": ROLE})),
    command("membership_delete", by=ANYBODY, membership=THING),
    command("membership_create", project=PROJECT, body=st.fixed_dictionaries({"person_id": ANYBODY}, optional={"role": ROLE})),
    command("account_membership_create", account=PROJECT, body=st.fixed_dictionaries(
        {"person_id": ANYBODY}, optional={"admin": st.booleans(), "project_creator": st.booleans()})),
    command("account_membership_change", by=ANYBODY, account=PROJECT, person=ANYBODY, body=some(
        {"admin": st.booleans(), "project_creator": st.booleans()}, 1, 2)),
    command("account_membership_delete", by=ANYBODY, account=PROJECT, person=ANYBODY),
    story("story_change", short=st.just(True), body=some(
        {name: FIELDS[name] for name in ("current_state", "labels", "before_id")})),
    story("story_change", short=st.just(True), body=st.fixed_dictionaries({"project_id": PROJECT})),
    story("story_delete", short=st.just(True)),
    command("story_create", project=PROJECT, twice=st.just(True), body=CREATE),
    story("comment_create", twice=st.just(True), body=COMMENT),
    story("task_create", twice=st.just(True), body=TASK),
    story("story_change", body=joined(always(project_id=PROJECT),
                                     some({**PLACE, "current_state": STATE, "labels": LABELS}, 0, 2))),
    story("story_change", body=joined(always(project_id=st.sampled_from([1, 1, 0])),
                                      some({**PLACE, "labels": LABELS}, 0, 1))),
    story("story_change", body=always(project_id=st.just(1))),
    story("story_change", project=PROJECT, body=st.just({"description": "elsewhere"})),
    command("project_create", by=ANYBODY, body=st.fixed_dictionaries({"name": SETTINGS["name"], "account_id": st.just(0)})),
]
RARE = [command("project_delete", project=PROJECT)]
PART = st.one_of(PARTS)
PEOPLE_PART = st.one_of(PEOPLE_AND_PROJECTS)


# Planning has the most rules.
ANY = weighed((36, PLANNING), (14, PART), (7, PEOPLE_PART), (1, RARE[0]))
# So that things exist from the beginning.
RICH = joined(st.fixed_dictionaries({"name": st.sampled_from("abcdefgh")}),
                 st.sampled_from([{}, {"current_state": "unstarted"}, {"current_state": "unstarted", "estimate": 2},
                                  {"current_state": "started", "estimate": 1},
                                  {"current_state": "delivered", "estimate": 3, "story_type": "feature"},
                                  {"current_state": "accepted", "estimate": 2}, {"story_type": "release"}]),
                 st.sampled_from([{}, {"story_type": "bug", "current_state": "started", "estimate": None},
                                  {"story_type": "chore", "current_state": "unstarted", "estimate": None}]),
                 some({**{name: FIELDS[name] for name in ("tasks", "comments", "blockers", "labels", "owner_ids",
                                                          "follower_ids")},
                       "reviews": st.lists(always(review_type_id=THING), min_size=1, max_size=1)},
                      1, 4))
SCENE = st.tuples(
    command("story_create", by=st.just("Ann"), project=st.just(1), body=RICH),
    *(command("story_create", by=st.just("Bob"), project=st.just(0), body=RICH) for _ in range(6)),
    command("epic_create", by=st.just("Ann"), project=PROJECT, body=st.just({"name": "epic"})),
    command("label_create", by=st.just("Bob"), project=PROJECT, body=NAMED))


# Ways to plan a project: each is a body that is valid for a new project.
PLANS = st.sampled_from([
    {"automatic_planning": False}, {"automatic_planning": False, "initial_velocity": 2}, {"initial_velocity": 1},
    {"initial_velocity": 2, "point_scale": "0,1,2,4,8"}, {"start_date": "week-3"},
    {"start_date": "week-9", "iteration_length": 2},
    {"start_date": "week-3", "velocity_averaged_over": 1}, {"bugs_and_chores_are_estimatable": True},
    {"bugs_and_chores_are_estimatable": True, "automatic_planning": False}, {"velocity_averaged_over": 2, "iteration_length": 3},
    {"point_scale": "0,0.5,1.5,3", "velocity_averaged_over": 1}, {"time_zone": "Pacific/Auckland", "week_start_day": "Sunday"}])

WAITING = st.lists(command("story_create", by=st.just("Bob"), project=st.just(0), body=always(
    name=st.just("w"), current_state=st.just("unstarted"), estimate=st.sampled_from([1, 2, 3, 2, 3, None, 0]))),
                   min_size=5, max_size=9)
SLOW = st.sampled_from([{"initial_velocity": velocity, "iteration_length": length} for velocity in (1, 2, 3, 4, 5, 7)
                        for length in (1, 2)])


@st.composite
def histories(draw, most=25, of=ANY):
    """A scene, followed by commands."""
    scene = list(draw(SCENE)) if draw(st.integers(0, 7)) else []
    kind = draw(st.integers(0, 3))
    if kind < 2:
        scene.insert(0, {"by": "Ann", "do": "project_change", "project": draw(PROJECT), "body": draw(PLANS)})
    if kind == 2:
        scene += [{"by": "Ann", "do": "project_change", "project": 0, "body": draw(SLOW)}, *draw(WAITING)]
    size = draw(st.integers(most // 3, most))
    return scene + draw(st.lists(of, min_size=size, max_size=size))
