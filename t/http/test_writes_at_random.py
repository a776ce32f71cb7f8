"""Random bodies with values at the limits of their types, for every write: the answer is a result, or a refusal in
the service's own words, never a 5xx (which fails the run)."""

import os
import random
import re

import pytest

import tables
from test_borders import DATES, TEXTS, TIMES
from test_matrix import EXPECTED, MINE, body_of
from world import Place, fill

WRITES = [r for r in tables.ROUTES if r.flag and r.body and r.key not in MINE
          and not r.path.endswith(("/uploads", "/password_resets"))]  # only a few of these are allowed per minute
NUMBERS = [0, -1, 1, 2, 5, 10 ** 6, (1 << 31) - 1, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63),
           1 << 62, 1 << 64]
FLOATS = NUMBERS + [1e308, -1e308, 5e-324, 0.5, 1.0000001, 3.0]
TEXTS = TEXTS + ["a", "2,1", "0,1,2", "0,1e5", "0,999.9", "-1", "ffffff", "a@b.test", "#1", "@owner",
                 "https://hooks.example.test/", "Europe/Paris"]
ZONES = ["Europe/Paris", "posixrules", "+99:99", "EST5EDT", {"olson_name": "UTC"}, {},
         {"olson_name": "x"}, {"olson_name": 1}, {"olson_name": "right/UTC"}]
DATABASE = re.compile('SQLSTATE|violates|invalid input syntax|out of range for type|null value in'
                      '|relation "|column "')
ROUNDS = int(os.environ.get("RANDOM_ROUNDS", "1000"))


class Dice:
    def __init__(self, seed, place):
        self.random, self.place = random.Random(seed), place
        self.ids = [place.story, place.project, place.account, *NUMBERS]

    def some(self, make, most=3):
        return [make() for _ in range(self.random.randint(0, most))]

    def value(self, field):
        pick = self.random.choice
        if self.random.random() < 0.05:
            return pick([None, True, "x", 1, [], {}, 1.5])
        make = {
            "int": lambda: pick(self.ids), "float": lambda: pick(FLOATS),
            "bool": lambda: pick([True, False]), "word": lambda: pick(field.words),
            "string": lambda: pick(TEXTS + ["x" * (field.max or 100)]),
            "time": lambda: pick(TIMES + NUMBERS + [253402300799999, 1104537600000]),
            "date": lambda: pick(DATES + ["2005-01-03", "2024-01-01"]),
            "ids": lambda: self.some(lambda: pick(self.ids)),
            "refs": lambda: self.some(lambda: pick([{"id": pick(self.ids)}, pick(self.ids)])),
            "strings": lambda: self.some(lambda: pick(TEXTS)),
            "labels": lambda: self.some(lambda: pick([{"name": pick(TEXTS)}, {"id": pick(self.ids)},
                                                      "lab", {"id": 1, "name": "q"}, {}])),
            "zone": lambda: pick(ZONES),
            "list": lambda: self.some(lambda: self.object(field.child, "create"), 2),
            "object": lambda: self.object(field.child, "update"),
        }
        make["text"] = make["string"]
        return make.get(field.type, lambda: "x")()

    def object(self, resource, flag):
        fields = [f for f in resource.fields if flag in f.flags] if resource else []
        if not fields:
            return {}
        chosen = self.random.sample(fields, self.random.randint(1, min(len(fields), 4)))
        chosen += [f for f in fields if f.flags & {"required", "must"} and self.random.random() < 0.95]
        return {f.name: self.value(f) for f in chosen}


@pytest.mark.parametrize("seed", range(2))
def test_bodies(world, seed):
    place = Place(world.admin)
    world.roles_into(place)
    dice = Dice(seed, place)
    done = 0
    for _ in range(ROUNDS):
        route = dice.random.choice(WRITES)
        row = EXPECTED[route.key]
        body = dict(body_of(world, row) or {}) if dice.random.random() < 0.8 else {}
        body.update(dice.object(route.body, route.flag))
        query = row.query.replace(":project", str(place.project))
        answer = world.admin.request(route.method, f"{fill(route.path, place.ids(route.path))}?{query}",
                                     json=body)
        # A wrong password counts, and eventually is one too many.
        allowed = (200, 204, 400, 403, 404, *([429] if "password" in body else []))
        assert answer.status_code in allowed, f"{route.name} {body}: {answer.text}"
        done += answer.status_code < 300
        assert not DATABASE.search(answer.text), f"{route.name} {body}: {answer.text}"
    assert done > ROUNDS / 20
