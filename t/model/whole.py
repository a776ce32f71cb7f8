"""At the end of a history, compares everything that the server shows with everything that the model has."""

import itertools

from . import invariants, looks, order, planning, views
from .replay import CAST, Difference, same

LARGE = "limit=500"
PATHS = ("", "/stories?limit=1", "/labels", "/epics", "/activity?limit=1", "/iterations?limit=1", "/memberships",
         "/review_types", "/releases?limit=1", "/search?query=x", "/story_transitions?limit=1", "/stories.csv")


class Whole:
    def __init__(self, replay):
        self.cast, self.model, self.names = replay.cast, replay.model, replay.names
        self.server = replay.server

    def compare(self):
        for project in self.model.projects.values():
            self.compare_project(project)
        self.compare_rights()
        self.compare_own_lists()
        self.compare_notifications()
        same("invariants", invariants.broken(self.server, list(self.model.projects)), {})

    def get(self, by, address, status=200):
        answer = self.cast.send(by, "GET", address)
        if answer.status != status:
            raise Difference(f"GET {address}: {answer.status} {answer.says}, not {status}")
        return answer.body

    # --- a project ---------------------------------------------------------------

    def compare_project(self, project):
        by, at = next(iter(project.members)), f"/projects/{project.id}"
        velocity, found = planning.iterations(project)
        number = planning.current_number(project)
        same("project", views.project_of_server(self.get(by, f"{at}?fields=:default,current_velocity")),
             views.project_of_model(project, velocity, number))
        self.compare_stories(project, by, at)
        self.compare_labels(project, by, at)
        same("memberships", {b["id"]: (b["person"]["id"], b["role"]) for b in self.get(by, f"{at}/memberships")},
             {m.id: (person, m.role) for person, m in project.members.items()})
        same("activity", *views.activities(self.get(by, f"{at}/activity?{LARGE}&sort_order=asc"), project.activities))
        same("transitions", sorted((t["project_version"], t["story_id"], t["state"], t["performed_by_id"])
                                   for t in self.get(by, f"{at}/story_transitions?{LARGE}")),
             sorted(project.transitions))
        self.compare_iterations(project, by, found)
        self.compare_releases(project, by, at)
        self.compare_looks(project, at)
        self.compare_one_story(project, by, at)

    def compare_looks(self, project, at):
        """Compares some searches and lists, different ones each time, as seen by a member of the project."""
        turn = self.model.turn + project.version
        by = sorted(project.members)[turn % len(project.members)]
        names = sorted(looks.FILTERS)
        some = {names[(turn + 7 * n) % len(names)] for n in range(5)}
        for path, ids in looks.searches(project, by, self.cast.names[by], some):
            same(f"{at}{path} of {by}", [b["id"] for b in self.get(by, at + path)], ids)
        every = list(looks.lists(project, turn))
        for path, ids in (every[turn % len(every)], every[(turn + 4) % len(every)]):
            found = [b["id"] for b in self.get(by, at + path)]
            same(at + path, sorted(found) if path.startswith("/labels") else found, ids)
        version = turn % (project.version + 1)
        same(f"activity since {version}", [b["project_version"] for b in self.get(by, f"{at}/activity?since_version={version}")],
             [a.version for a in reversed(project.activities) if a.version > version][:100])

    def compare_one_story(self, project, by, at):
        """Compares a single story and its parts."""
        ids = order.whole_order(project)
        if not ids:
            return
        story = project.stories[ids[self.model.turn % len(ids)]]
        fields = ":default,before_id,after_id,follower_ids,label_ids,tasks,comments,blockers,reviews"
        same("one story", views.story_of_server(self.get(by, f"/stories/{story.id}?fields={fields}")),
             views.story_of_model(project, story))
        at = f"{at}/stories/{story.id}"
        parts = {"tasks": story.tasks, "comments": story.comments, "blockers": story.blockers, "reviews": story.reviews}
        for name, items in parts.items():
            same(f"{at}/{name}", [b["id"] for b in self.get(by, f"{at}/{name}")], [item.id for item in items])
        same(f"{at}/owners", [b["id"] for b in self.get(by, f"{at}/owners")], story.owners)
        same(f"{at}/followers", [b["id"] for b in self.get(by, f"{at}/followers")], story.followers)
        same(f"{at}/labels", sorted(b["id"] for b in self.get(by, f"{at}/labels")), sorted(story.labels))
        if not self.moved(story):
            same(f"{at}/transitions", [(b["project_version"], b["state"]) for b in self.get(by, f"{at}/transitions")],
                 [(t[0], t[2]) for t in project.transitions if t[1] == story.id])

    def moved(self, story):
        return any(t[1] == story.id for p in self.model.projects.values() if story.id not in p.stories
                   for t in p.transitions)

    def compare_stories(self, project, by, at):
        stories = [project.stories[id] for id in order.whole_order(project)]
        fields = ":default,before_id,after_id,follower_ids,label_ids,tasks,comments,blockers,reviews"
        same("stories", [views.story_of_server(s) for s in self.get(by, f"{at}/stories?{LARGE}&fields={fields}")],
             [views.story_of_model(project, s) for s in stories])
        state = ("unscheduled", "unstarted", "accepted", "started", "rejected")[project.version % 5]
        same(f"stories {state}", [b["id"] for b in self.get(by, f"{at}/stories?with_state={state}")],
             [s.id for s in stories if s.state == state])
        page = self.get(by, f"{at}/stories?offset=1&limit=2&fields=id&envelope=true")
        same("a page of stories", (page["pagination"]["total"], [b["id"] for b in page["data"]]),
             (len(stories), [s.id for s in stories][1:3]))

    def compare_labels(self, project, by, at):
        same("labels", sorted((views.label_of_server(b) for b in
                               self.get(by, f"{at}/labels?fields=:default,counts,has_epic")), key=lambda v: v["id"]),
             sorted((views.label_of_model(project, label) for label in project.labels.values()),
                    key=lambda v: v["id"]))
        epics = f"{at}/epics?fields=:default,before_id,after_id,follower_ids,comments"
        same("epics", [views.epic_of_server(b) for b in self.get(by, epics)],
             [views.epic_of_model(project, project.epics[id]) for id in project.epic_order])

    def compare_iterations(self, project, by, found):
        plan = planning.Calendar(project)
        at = f"/projects/{project.id}/iterations?fields=:default,story_ids,points,accepted_points,effective_points,velocity"
        listed = self.get(by, f"{at}&limit=100&envelope=true")
        same("iterations", [views.iteration_of_server(b) for b in listed["data"]],
             [views.iteration_of_model(plan, i) for i in found[:100]])
        same("number of iterations", listed["pagination"]["total"], len(found))
        number = planning.current_number(project)
        for scope, some in (("done", found[:number - 1]), ("current", found[number - 1:number]),
                            ("backlog", found[number:]))[project.version % 3:][:1]:
            same(f"iterations {scope}", [b["number"] for b in self.get(by, f"{at}&limit=100&scope={scope}")],
                 [i.number for i in some[:100]])

    def compare_releases(self, project, by, at):
        """A release covers the stories above it, up to the previous release."""
        ids = order.whole_order(project)
        releases = [id for id in ids if project.stories[id].type == "release"]
        same("releases", [b["id"] for b in self.get(by, f"{at}/releases?{LARGE}")], releases)
        for release in releases[:1]:
            place = ids.index(release)
            back = itertools.takewhile(lambda id: project.stories[id].type != "release", reversed(ids[:place]))
            same("stories of a release", [b["id"] for b in self.get(by, f"{at}/releases/{release}/stories")],
                 list(back)[::-1])

    # --- people ------------------------------------------------------------------

    def compare_rights(self):
        """Who sees what, including requests without a token: something different of each project every time."""
        for n, project in enumerate(self.model.projects.values()):
            path = PATHS[(n + project.version + len(project.stories)) % len(PATHS)]
            for person in (*self.cast.tokens, None):
                rank = self.model.rank(person, project)
                for at in (f"/projects/{project.id}{path}",
                           *(f"/stories/{id}" for id in list(project.stories)[:1])):
                    answer = self.cast.send(person, "GET", at)
                    same(f"{self.cast.names.get(person)}: GET {at}", (answer.status, answer.code),
                         (200, None) if rank else (403, "unauthorized_operation"))
        for id in self.model.gone_projects:
            same("a project that is gone", self.cast.send(self.cast.id("Ann"), "GET", f"/projects/{id}").status, 404)

    def compare_own_lists(self):
        mine = set(self.names.made.get("project", []))
        for person, name in self.cast.names.items():
            member = [p for p in self.model.projects.values() if person in p.members]
            same(f"projects of {name}", {b["id"] for b in self.get(person, "/projects?fields=id")} & mine,
                 {p.id for p in member})
        accounts = set(self.names.made.get("account", []))
        for id, account in self.model.accounts.items():
            owner = account.owner
            same("account memberships", {(b["person"]["id"], b["admin"], b["project_creator"])
                                         for b in self.get(owner, f"/accounts/{id}/memberships")},
                 {(person, who.admin, who.creator) for person, who in account.people.items()})
        person = self.cast.id(CAST[self.model.turn % len(CAST)])
        same("my accounts", {b["id"] for b in self.get(person, "/accounts")} & accounts,
             {id for id, account in self.model.accounts.items() if person in account.people})
        same("me", {(b["project_id"], b["role"]) for b in self.get(person, "/me")["projects"] if b["project_id"] in mine},
             {(p.id, p.members[person].role) for p in self.model.projects.values() if person in p.members})
        feed = [(b["project"]["id"], b["project_version"]) for b in self.get(person, "/my/activity?limit=500")]
        same("my activity", sorted(row for row in feed if row[0] in mine),
             sorted((p.id, a.version) for p in self.model.projects.values() if person in p.members for a in p.activities))

    def compare_notifications(self):
        mine = set(self.names.made.get("project", []))
        for person, name in self.cast.names.items():
            listed = self.get(person, "/my/notifications?notification_types=:all&limit=1000")
            told = [views.notification_of_server(b) for b in listed if b.get("project", {}).get("id") in mine]
            seen = [views.notification_of_model(n) for n in self.model.notifications if n.person == person
                    and self.model.sees(person, n)]
            same(f"notifications of {name}", sorted(told, key=str), sorted(seen, key=str))
        told = invariants.told(self.server, list(self.model.projects))
        known = [(n.person, n.by, n.kind, n.action, n.story, n.epic, n.comment) for n in self.model.notifications
                 if n.project]
        same("notifications, also those that nobody sees", sorted(told, key=str), sorted(known, key=str))
