"""What all commands share: rights, what a refusal undoes, what a version is."""

import contextlib
import pickle

from .things import Activity, clone, forbidden, missing

RANKS = {"viewer": 1, "member": 2, "owner": 3}


class Rules:
    """The world as the model sees it. The ids of what a command creates are taken from the server's response
    (`told`), because the server chooses them; nothing else is."""

    def __init__(self):
        self.projects = {}
        self.gone_projects = set()
        self.accounts = {}
        self.people = {}  # id: user name
        self.addresses = {}  # address: id
        self.notifications = []
        self.turn = 0  # counts the commands
        self.unknown = 0
        self.told = None
        self.borrowed = {}  # (person, project): a rank from a moment ago, see crowds.py

    def meet(self, id, username):
        """Somebody who has been here all the time."""
        self.people[id] = username
        self.addresses[f"{username}@example.test"] = id

    # --- ids -----------------------------------------------------------------

    def new_id(self, *lists, known=(), matches=lambda item: True):
        """The id of something new: that of the response, or of the first item in its list `lists` that
        the model does not know and that `matches`. If the response does not have it, a unique id."""
        for item in self.told_items(*lists):
            if item["id"] not in known and matches(item):
                return item["id"]
        self.unknown -= 1
        return self.unknown

    def told_items(self, *lists):
        bodies = self.told if isinstance(self.told, list) else [self.told]
        for body in bodies:
            if not isinstance(body, dict) or "id" not in body:
                continue
            if not lists:
                yield body
            for name in lists:
                found = body.get(name, [])
                yield from found if isinstance(found, list) else [found]

    # --- rights --------------------------------------------------------------

    def rank(self, by, project):
        if (by, project.id) in self.borrowed:
            return self.borrowed[by, project.id]
        member = project.members.get(by)
        if member:
            return RANKS[member.role]
        return 0.5 if project.settings.public else 0

    def may(self, by, project_id, role):
        """The project, if the person has at least the rights of `role`."""
        project = self.projects.get(project_id)
        if not project:
            raise missing("no such project")
        if self.rank(by, project) < RANKS[role]:
            raise forbidden(f"needs {role}")
        return project

    def home_of(self, story_id):
        """The project of a story that is given without one."""
        for project in self.projects.values():
            if story_id in project.stories:
                return project.id
        raise missing("no such story")

    def sees(self, person, notification):
        project = self.projects.get(notification.project)
        return bool(project and self.rank(person, project))

    def manages_account(self, by, project):
        who = self.accounts[project.account].people.get(by)
        return bool(who and who.admin)

    # --- changes -------------------------------------------------------------

    @contextlib.contextmanager
    def undone_if_refused(self):
        """After a refusal, everything is as it was."""
        old = pickle.dumps((self.projects, self.accounts, self.people, self.addresses, self.notifications),
                           pickle.HIGHEST_PROTOCOL)
        try:
            yield
        except Exception:
            self.projects, self.accounts, self.people, self.addresses, self.notifications = pickle.loads(old)
            raise

    @contextlib.contextmanager
    def change(self, by, project, kind, highlight):
        """One version and one activity for everything that changes inside, and none if nothing does.
        The code inside may set the activity's `kind` and `highlight`."""
        old = clone(project.content())
        told = Activity(0, kind, highlight, by)
        notified = len(self.notifications)
        yield told
        if project.content() == old:
            del self.notifications[notified:]
            return
        project.version += 1
        told.version = project.version
        project.activities.append(told)
