"""The client's planner agrees with the server on random projects."""

import json
import random
import subprocess

from browser import BUILD, TOP
from client import Client
from world import new_project, ok

PROJECTS = 200
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Santiago"]
FIELDS = "id,current_state,estimate,accepted_at"


def settings(chance):
    return {"iteration_length": chance.randint(1, 4), "initial_velocity": chance.randint(1, 20),
            "velocity_averaged_over": chance.randint(1, 4), "number_of_done_iterations_to_show": 4,
            "automatic_planning": chance.random() < 0.8, "week_start_day": chance.choice(["Monday", "Sunday", "Thursday"]),
            "time_zone": {"olson_name": chance.choice(ZONES), "kind": "time_zone"},
            "bugs_and_chores_are_estimatable": chance.random() < 0.3}


def story(chance, automatic):
    kind = chance.choices(["feature", "bug", "chore", "release"], [6, 2, 1, 1])[0]
    states = {"feature": ["unscheduled", "unstarted", "unstarted", "unstarted", "started", "finished", "delivered",
                          "rejected", "accepted"],
              "chore": ["unstarted", "started", "accepted"], "release": ["unstarted", "unscheduled"]}
    choice = states.get(kind, states["feature"])
    if not automatic and kind in ("feature", "bug"):
        choice = [*choice, "planned", "planned"]
    body = {"name": "S", "story_type": kind, "current_state": chance.choice(choice)}
    if kind == "feature":
        body["estimate"] = chance.randint(0, 3)
    if body["current_state"] == "unstarted" and chance.random() < 0.2:
        body.pop("estimate", None)
    return body


def make(client, account, chance):
    """Creates a random project; returns it as the page would load it, and the server's iterations."""
    rules = settings(chance)
    project = new_project_in(client, account, rules)
    for _ in range(chance.randint(0, 14)):
        made = client.post(f"/projects/{project}/stories?fields=id", story(chance, rules["automatic_planning"]))
        assert made.status_code in (200, 400), made.text  # 400 if the project requires estimates
    overrides = []
    for number in range(1, 5):
        if chance.random() < 0.25:
            strength = chance.choice([0, 0.5, 0.75, 1.5])
            ok(client.put(f"/projects/{project}/iteration_overrides/{number}", {"team_strength": strength}))
            overrides.append({"number": number, "weeks": 0, "strength": strength})
    frame = ok(client.get(f"/projects/{project}?fields=:default,current_velocity"))
    theirs = ok(client.get(f"/projects/{project}/iterations?scope=current_backlog&limit=100"
                           "&fields=number,start,finish,points,story_ids"))
    given = {"zone": frame["time_zone"]["olson_name"], "velocity": frame["current_velocity"],
             "rules": {name: frame[name] for name in ("iteration_length", "initial_velocity",
                                                      "velocity_averaged_over", "automatic_planning")},
             "number": theirs[0]["number"], "start": theirs[0]["start"], "overrides": overrides,
             "stories": ok(client.get(f"/projects/{project}/stories?limit=500&fields={FIELDS}"))}
    return given, theirs


def new_project_in(client, account, rules):
    return ok(client.post("/projects", {"name": f"Random {random.random()}", "account_id": account, **rules}))["id"]


def test_the_same_plan_as_the_server(stack, planner):
    client = Client(stack, planner.token)
    account = new_project(client)["account_id"]
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    made = [make(client, account, chance) for _ in range(PROJECTS)]
    work = BUILD / "web/work"
    program = BUILD / "web/plan_cli.mjs"
    (work / "plan_cli.ts").write_text((TOP / "t/web/plan_cli.ts").read_text())
    subprocess.run([work / "node_modules/.bin/esbuild", "plan_cli.ts", "--bundle", "--format=esm", "--platform=node",
                    "--log-level=warning", f"--outfile={program}"], cwd=work, check=True)
    done = subprocess.run(["node", program], input=json.dumps([given for given, _ in made]), text=True,
                          capture_output=True, check=True)
    ours = json.loads(done.stdout)
    assert sum(len(plan) for plan in ours) > PROJECTS
    for n, ((given, theirs), mine) in enumerate(zip(made, ours)):
        plain = [{k: it[k] for k in ("number", "start", "finish", "points", "story_ids")} for it in theirs]
        assert mine[:100] == plain, f"project {n} of seed {seed}: {given}"
