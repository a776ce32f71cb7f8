"""Projects, their settings and their people (contract 2.5, 2.6, 3.4)."""

import dataclasses
import datetime
import re

from . import planning
from .epics import Epics
from .things import Account, InAccount, Member, Notification, Override, Project, Settings, forbidden, invalid, missing

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ROLES = ("owner", "member", "viewer")


class Projects(Epics):
    # --- settings ----------------------------------------------------------------

    def name_of(self, body):
        if not (body.get("name") or "").strip():
            raise invalid("a project without a name")
        return body["name"]

    def read_settings(self, settings, body):
        for item in dataclasses.fields(settings):
            if item.name in body:
                setattr(settings, item.name, body[item.name])
        self.name_of(vars(settings))
        scale = [float(x) for x in settings.point_scale.split(",")]
        if scale != sorted(set(scale)) or scale[0] < 0 or scale[-1] > 999 or len(scale) > 12:
            raise invalid("no point scale")
        if not 1 <= settings.iteration_length <= 4:
            raise invalid("iteration_length")
        if not 1 <= settings.initial_velocity <= 999:
            raise invalid("initial_velocity")
        if not 1 <= settings.velocity_averaged_over <= 4:
            raise invalid("velocity_averaged_over")
        if settings.number_of_done_iterations_to_show < settings.velocity_averaged_over:
            raise invalid("number_of_done_iterations_to_show")
        settings.week_start_day = settings.week_start_day.capitalize()
        if settings.start_date and "start_date" not in body:
            day = datetime.date.fromisoformat(settings.start_date)
            back = (day.weekday() - DAYS.index(settings.week_start_day)) % 7
            settings.start_date = str(day - datetime.timedelta(back))
        if settings.start_date:
            day = datetime.date.fromisoformat(settings.start_date)
            if DAYS[day.weekday()] != settings.week_start_day:
                raise invalid("start_date on another weekday")

    def project_create(self, by, body):
        settings = Settings(self.name_of(body))
        account = None if "new_account_name" in body else self.open_to(by, body["account_id"])
        self.read_settings(settings, body)
        if not account:
            id = self.told["account_id"]
            account = self.accounts[id] = Account(id, by, {by: InAccount(True, True)})
        self.name_free(account, settings.name)
        project = Project(self.new_id(), account.id, settings)
        project.members[by] = Member(self.unknown_membership(), "owner")
        self.projects[project.id] = project
        return project

    def open_to(self, by, account):
        """An account in which the caller may create projects."""
        account = self.accounts.get(account)
        if not account or by not in account.people or not account.people[by].creator:
            raise forbidden("needs project_creator")
        return account

    def unknown_membership(self):
        """The owner's membership is not in the response: the replay asks for it."""
        return None

    def name_free(self, account, name, project=None):
        for other in self.projects.values():
            if other is not project and other.account == account.id and other.settings.name == name:
                raise invalid("the name is taken")

    def project_change(self, by, project, body):
        project = self.may(by, project, "owner")
        with self.change(by, project, "project_update", "edited"):
            was = dataclasses.replace(project.settings)
            self.read_settings(project.settings, body)
            self.name_free(self.accounts[project.account], project.settings.name, project)
            now = project.settings
            if (was.week_start_day, was.start_date) != (now.week_start_day, now.start_date):
                project.overrides.clear()
        return project

    def project_delete(self, by, project):
        project = self.may(by, project, "owner")
        del self.projects[project.id]
        for other in self.projects.values():
            other.transitions = [t for t in other.transitions if t[1] not in project.stories]
        self.gone_projects.add(project.id)
        self.notifications = [n for n in self.notifications if n.project != project.id]

    # --- overrides -----------------------------------------------------------------

    def override_change(self, by, project, number, body):
        project = self.may(by, project, "member")
        if not {"length", "team_strength"} & set(body):
            raise invalid("requires length or team_strength")
        with self.change(by, project, "iteration_update", "edited"):
            override = project.overrides.setdefault(number, Override())
            if "length" in body:
                length = body["length"]
                if length is not None and not 1 <= length <= 99:
                    raise invalid("length")
                override.length = None if length == project.settings.iteration_length else length
                if override.length and number > planning.current_number(project):
                    raise invalid("length of an iteration to come")
            if "team_strength" in body:
                strength = body["team_strength"]
                if strength is not None and not 0 <= strength <= 10:
                    raise invalid("team_strength")
                override.strength = None if strength == 1 else strength
            if override == Override():
                del project.overrides[number]

    # --- people --------------------------------------------------------------------

    def managed(self, by, project_id):
        """A project whose people the caller may change: as one of its owners, or as an admin of its account."""
        project = self.projects.get(project_id)
        if not project:
            raise missing("no such project")
        if self.rank(by, project) < 3 and not self.manages_account(by, project):
            raise forbidden("needs owner")
        return project

    def member_of(self, project, membership):
        for person, member in project.members.items():
            if member.id == membership:
                return person, member
        raise missing("no such membership in the project")

    def found_membership(self, by, project, membership):
        """(project, person, member). People of the project see which there are: one that is gone is said to be, to all."""
        found = self.projects.get(project)
        if found and (by in found.members or self.manages_account(by, found)):
            person, member = self.member_of(found, membership)
            return found if person == by else self.managed(by, project), person, member
        self.managed(by, project)  # refuses

    def person_named(self, body):
        """Whom a body names: by id, or by an address, which may be that of somebody new (contract 1.4)."""
        if "person_id" in body:
            if {"email", "name", "initials"} & set(body):
                raise invalid("an id, and more")
            if body["person_id"] not in self.people:
                raise missing("no such person")
            return body["person_id"]
        address = body.get("email", "").lower()
        if not re.fullmatch(r"[^@\s,]+@[^@\s,]+", address):
            raise invalid("no address")
        if address not in self.addresses:
            if not body.get("name", "").strip():
                raise invalid("somebody new without a name")
            person = self.new_id("person", known=self.people)
            self.people[person] = self.free_username(address)
            self.addresses[address] = person
        return self.addresses[address]

    def free_username(self, address):
        word = re.sub(r"[^a-z0-9_.-]", "", address.split("@")[0])
        names = [word, *(f"{word}{n}" for n in range(2, 1000))]
        return next(name for name in names if name not in self.people.values())

    def color_of(self, body, member):
        color = body.get("project_color", member.color)
        if not re.fullmatch("[0-9a-fA-F]{6}", color):
            raise invalid("no colour")
        return color.lower()

    def membership_create(self, by, project, body):
        project = self.managed(by, project)
        person = self.person_named(body)
        if person in project.members:
            raise invalid("is already a member")
        with self.change(by, project, "project_membership_create", "added"):
            project.members[person] = new = Member(self.new_id(), body.get("role", "member"))
            new.color = self.color_of(body, new)
            self.accounts[project.account].people.setdefault(person, InAccount())
            self.notify(by, project, [person], "project", "membership")
        return project.members[person]

    def keep_an_owner(self, project):
        if not any(member.role == "owner" for member in project.members.values()):
            raise invalid("the last owner")

    def membership_change(self, by, project, membership, body):
        project, person, member = self.found_membership(by, project, membership)
        if person == by and body.get("role", member.role) == member.role:
            member.color = self.color_of(body, member)  # one's own preferences are no change of the project
            return member
        self.managed(by, project.id)  # a role is not one's own to change
        with self.change(by, project, "project_membership_update", "edited"):
            member.color = self.color_of(body, member)
            member.role = body.get("role", member.role)
            self.keep_an_owner(project)
        return member

    def membership_delete(self, by, project, membership):
        project, person, member = self.found_membership(by, project, membership)
        with self.change(by, project, "project_membership_delete", "deleted"):
            del project.members[person]
            self.keep_an_owner(project)

    # --- accounts --------------------------------------------------------------------

    def managed_account(self, by, account):
        if account not in self.accounts:
            raise missing("no such account")
        account = self.accounts[account]
        if by not in account.people or not account.people[by].admin:
            raise forbidden("needs an administrator")
        return account

    def in_account(self, account, person):
        if person not in account.people:
            raise missing("not in the account")
        return account.people[person]

    def account_membership_create(self, by, account, body):
        account = self.managed_account(by, account)
        person = self.person_named(body)
        if person in account.people:
            raise invalid("Member already exists.")
        account.people[person] = InAccount(body.get("admin", False), body.get("project_creator", False))
        if person != by:
            self.notifications.append(Notification(person, by, None, "account", "membership"))

    def account_membership_change(self, by, account, person, body):
        account = self.managed_account(by, account)
        who = self.in_account(account, person)
        if person == account.owner and not (body.get("admin", True) and body.get("project_creator", True)):
            raise invalid("the owner administers the account and makes projects")
        who.admin, who.creator = body.get("admin", who.admin), body.get("project_creator", who.creator)

    def account_membership_delete(self, by, account, person):
        """People who leave the account also leave its projects."""
        found = self.accounts.get(account)
        account = found if found and by == person and by in found.people else self.managed_account(by, account)
        self.in_account(account, person)
        if person == account.owner:
            raise invalid("the owner stays")
        for project in self.projects.values():
            if project.account == account.id and person in project.members:
                with self.change(by, project, "project_membership_delete", "deleted"):
                    del project.members[person]
                    self.keep_an_owner(project)
        del account.people[person]
