#include "domain_people.h"

#include <math.h>

#include "api/crud.h"
#include "api/gate.h"
#include "domain/account.h"
#include "domain/iteration_override.h"
#include "domain/membership.h"
#include "domain/person.h"
#include "domain/project.h"
#include "model/model.h"
#include "planning/planning.h"
#include "store/load.h"

enum { DAY = 86400 }; /* seconds */

/* Who is where ------------------------------------------------------------------------ */

bool domain_people_are(const struct resource *of)
{
	return of == &res_project || of == &res_person || of == &res_project_membership ||
		of == &res_account || of == &res_account_membership;
}

/* In a world without memberships, people are in all projects with a role of their own, or in none. */
static int role_of(struct domain_world *w, const struct member *m, int64_t project)
{
	struct objects *all = domain_world_list(w, &res_project_membership);
	for (size_t i = 0; i < all->n; i++) {
		const struct membership *x = all->v[i];
		if (x->project_id == project && x->person_id == m->id)
			return x->role;
	}
	return m->role;
}

static struct account_membership *find_in_account(
	struct domain_world *w, int64_t account, int64_t person)
{
	struct objects *all = domain_world_list(w, &res_account_membership);
	for (size_t i = 0; i < all->n; i++) {
		struct account_membership *x = all->v[i];
		if (x->account_id == account && x->person_id == person)
			return x;
	}
	return NULL;
}

static bool administers(struct domain_world *w, int64_t account)
{
	const struct account_membership *x = find_in_account(w, account, w->me);
	return x && (x->owner || x->admin);
}

/* The path's account, or that of the scene's project; 0: neither. */
static int64_t account_of(const struct domain_play *p)
{
	int64_t account = route_id(&p->req, ":account");
	return account || !p->scene.project ? account : p->scene.project->account_id;
}

void domain_people_enter(struct domain_play *p)
{
	struct scene *s = &p->scene;
	struct objects *all = domain_world_list(p->world, &res_member);
	for (size_t i = 0; i < all->n; i++) {
		struct member *m = object_copy(s->arena, &res_member, all->v[i]);
		m->role = s->project ? role_of(p->world, m, s->project->id) : WORD_NONE;
		m->time_zone = STR("Etc/UTC");
		objects_add(s->arena, &s->members, m);
	}
	s->me = objects_find(&s->members, p->world->me);
	s->administers = !s->source && administers(p->world, account_of(p));
}

/* Whom a wish names ---------------------------------------------------------------------- */

/* Whoever has the address; NIL: nobody. */
static int64_t by_address(struct domain_world *w, struct str email)
{
	struct objects *all = domain_world_list(w, &res_person);
	for (size_t i = 0; i < all->n; i++)
		if (str_equal_nocase(((struct person *)all->v[i])->email, email))
			return object_id(all->v[i]);
	return NIL;
}

static void add_person(struct domain_play *p, int64_t id)
{
	struct scene *s = &p->scene;
	const struct member *m = objects_find(&s->members, id);
	const struct person *had = objects_find(domain_world_list(p->world, &res_person), id);
	if (!m)
		return;
	struct person *n =
		had ? object_copy(s->arena, &res_person, had) : object_new(s->arena, &res_person);
	n->id = id;
	n->name = m->name;
	n->initials = m->initials;
	n->username = m->username;
	n->receives_in_app_notifications = m->receives_in_app_notifications;
	n->in_project = m->role != WORD_NONE;
	n->in_account = find_in_account(p->world, account_of(p), id);
	objects_add(s->arena, &s->people, n);
}

static void select_named(struct domain_play *p, const struct person_ref *ref)
{
	struct scene *s = &p->scene;
	struct str *names = arena_array(s->arena, s->members.n, sizeof *names);
	add_person(p, ref->id != NIL ? ref->id : by_address(p->world, ref->email));
	for (size_t i = 0; i < s->members.n; i++)
		names[i] = ((struct member *)s->members.v[i])->username;
	s->usernames = (struct strs){ names, s->members.n };
	s->initials = person_letters(s->arena, ref->name);
}

static void select_newcomer(struct domain_play *p)
{
	const struct membership *w = p->wish->object;
	select_named(p, &PERSON_REF(w));
}

static void select_account(struct domain_play *p, int64_t id)
{
	struct account *a = objects_find(domain_world_list(p->world, &res_account), id);
	if (a)
		objects_add(p->scene.arena, &p->scene.accounts, a);
}

static void select_account_newcomer(struct domain_play *p)
{
	const struct account_membership *w = p->wish->object;
	select_account(p, account_of(p));
	select_named(p, &PERSON_REF(w));
}

/* Memberships ---------------------------------------------------------------------------- */

/* The owners of the project, and the membership of that person (NIL: none). */
static void add_memberships(struct domain_play *p, int64_t project, int64_t person)
{
	struct objects *all = domain_world_list(p->world, &res_project_membership);
	for (size_t i = 0; i < all->n; i++) {
		struct membership *m = all->v[i];
		if (m->project_id == project && (m->role == ROLE_OWNER || m->person_id == person))
			objects_add(p->scene.arena, &p->scene.memberships, m);
	}
}

static void select_owners(struct domain_play *p)
{
	add_memberships(p, p->scene.project->id, NIL);
}

/* The projects of the account that its person is in. */
static void select_leaving(struct domain_play *p)
{
	struct scene *s = &p->scene;
	struct objects all = objects_sorted(s->arena, *domain_world_list(p->world, &res_project));
	const struct member *who = objects_find(&s->members, crud_id(&p->req));
	objects_add(s->arena, &s->account_memberships, (void *)(uintptr_t)s->object);
	for (size_t i = 0; i < all.n; i++) {
		struct project *x = all.v[i];
		if (x->account_id != account_of(p) || !who ||
			role_of(p->world, who, x->id) == WORD_NONE)
			continue;
		objects_add(s->arena, &s->projects, x);
		add_memberships(p, x->id, who->id);
	}
}

/* Projects ------------------------------------------------------------------------------- */

/* The caller's memberships of accounts, or the only one that the wish names, and projects that have the name there. */
static void select_settings(struct domain_play *p)
{
	struct scene *s = &p->scene;
	const struct project *w = p->wish->object;
	struct objects accounts =
		objects_sorted(s->arena, *domain_world_list(p->world, &res_account));
	struct objects *projects = domain_world_list(p->world, &res_project);
	struct str name = w->name.p || !s->project ? w->name : s->project->name;
	s->knows_zone = s->new_accounts = true;
	if (w->account_id != NIL)
		select_account(p, w->account_id);
	for (size_t i = 0; i < accounts.n; i++) {
		int64_t id = object_id(accounts.v[i]);
		struct account_membership *m = find_in_account(p->world, id, p->world->me);
		if (m && (w->account_id == NIL || w->account_id == id))
			objects_add(s->arena, &s->account_memberships, m);
		for (size_t k = 0; k < projects->n; k++) {
			const struct project *x = projects->v[k];
			bool near = m || (s->project && s->project->account_id == id);
			if (near && x->account_id == id && str_equal_nocase(x->name, name))
				objects_add(s->arena, &s->projects, projects->v[k]);
		}
	}
}

/* Overrides of iterations ------------------------------------------------------------------ */

static struct objects overrides_of(struct domain_world *w, int64_t project)
{
	struct objects mine = { 0 },
		       all = objects_sorted(
			       w->arena, *domain_world_list(w, &res_iteration_override));
	for (size_t i = 0; i < all.n; i++)
		if (((struct iteration_override *)all.v[i])->project_id == project)
			objects_add(w->arena, &mine, all.v[i]);
	return mine;
}

static int32_t day_of(int64_t at)
{
	return (int32_t)(at / 1000000 / DAY);
}

/* The world is in UTC. */
static int32_t first_day(struct domain_play *p, int32_t today)
{
	const struct project *x = p->scene.project;
	struct objects *stories = domain_world_list(p->world, &res_story);
	int32_t start = (int32_t)x->start_date, accepted = INT32_MAX;
	for (size_t i = 0; i < stories->n; i++) {
		const struct story *s = stories->v[i];
		if (s->project_id == x->id && s->current_state == STATE_ACCEPTED &&
			day_of(s->accepted_at) < accepted)
			accepted = day_of(s->accepted_at);
	}
	return planning_find_first_day(x->week_start_day, x->start_date == NIL ? NULL : &start,
		accepted == INT32_MAX ? NULL : &accepted,
		x->created_at == NIL ? today : day_of(x->created_at));
}

static void select_current_iteration(struct domain_play *p)
{
	const struct project *x = p->scene.project;
	struct objects all = overrides_of(p->world, x->id);
	struct planning_override *v = arena_array(p->scene.arena, all.n, sizeof *v);
	int32_t today = day_of(p->scene.now);
	struct planning_calendar days;
	for (size_t i = 0; i < all.n; i++) {
		const struct iteration_override *o = all.v[i];
		v[i] = (struct planning_override){ (int)o->id,
			o->length == NIL ? 0 : (int)o->length,
			isnan(o->team_strength) ? -1 : o->team_strength };
	}
	const struct planning_project plan = { .iteration_length = (int)x->iteration_length,
		.first_day = first_day(p, today),
		.overrides = v,
		.overrides_n = all.n };
	planning_make_day_calendar(p->scene.arena, &plan, today, &days);
	p->scene.current_iteration = days.current;
}

/* What is overridden, if anything. */
static const void *find_override(struct domain_play *p)
{
	struct objects all = overrides_of(p->world, p->scene.project->id);
	struct iteration_override *o = objects_find(&all, crud_id(&p->req));
	if (o)
		return o;
	o = object_null(p->scene.arena, &res_iteration_override);
	o->id = crud_id(&p->req);
	o->project_id = p->scene.project->id;
	return o;
}

bool domain_people_finds(const struct resource *of)
{
	return of == &res_iteration_override || of == &res_account_membership;
}

const void *domain_people_find(struct domain_play *p)
{
	return p->req.route->target == &res_iteration_override
		? find_override(p)
		: find_in_account(p->world, account_of(p), crud_id(&p->req));
}

void domain_people_select(struct domain_play *p)
{
	static const struct {
		enum rc (*decide)(struct outcome *, const struct wish *);
		void (*select)(struct domain_play *);
	} selections[] = { { membership_create, select_newcomer },
		{ membership_update, select_owners }, { membership_delete, select_owners },
		{ account_member_add, select_account_newcomer },
		{ account_member_remove, select_leaving }, { project_create, select_settings },
		{ project_update, select_settings },
		{ iteration_override_update, select_current_iteration } };
	for (size_t i = 0; i < sizeof selections / sizeof *selections; i++)
		if (selections[i].decide == p->req.route->decide)
			selections[i].select(p);
}

/* Saving --------------------------------------------------------------------------------------- */

static void drop_overrides(struct domain_world *w, int64_t project, int64_t number)
{
	struct objects *list = domain_world_list(w, &res_iteration_override);
	size_t n = 0;
	for (size_t i = 0; i < list->n; i++) {
		const struct iteration_override *o = list->v[i];
		if (o->project_id != project || (number != NIL && o->id != number))
			list->v[n++] = list->v[i];
	}
	list->n = n;
}

bool domain_people_put(struct domain_world *w, const struct change *c)
{
	struct iteration_override *o = c->new;
	if (c->of != &res_iteration_override)
		return false;
	drop_overrides(w, o->project_id, o->id);
	if (o->length != NIL || !isnan(o->team_strength))
		objects_add(w->arena, domain_world_list(w, c->of), o);
	return true;
}

/* A project's people are people of its account. */
static void enter_account(struct domain_world *w, const struct membership *m)
{
	const struct project *x = objects_find(domain_world_list(w, &res_project), m->project_id);
	if (!x || x->account_id == NIL || find_in_account(w, x->account_id, m->person_id))
		return;
	struct account_membership *n = object_new(w->arena, &res_account_membership);
	n->id = domain_world_new_id(w, &res_account_membership);
	n->account_id = x->account_id;
	n->person_id = m->person_id;
	n->created_at = n->updated_at = w->now;
	objects_add(w->arena, domain_world_list(w, &res_account_membership), n);
}

static void follow_account(struct domain_world *w, int64_t project)
{
	struct objects *all = domain_world_list(w, &res_project_membership);
	for (size_t i = 0; i < all->n; i++)
		if (((struct membership *)all->v[i])->project_id == project)
			enter_account(w, all->v[i]);
}

/* A new person is in no project yet. */
static void add_member(struct domain_world *w, const struct person *from)
{
	struct member *m = object_null(w->arena, &res_member);
	m->id = from->id;
	m->name = from->name;
	m->initials = from->initials;
	m->username = from->username;
	m->receives_in_app_notifications = from->receives_in_app_notifications;
	objects_add(w->arena, domain_world_list(w, &res_member), m);
}

static void drop_project(struct domain_world *w, int64_t id)
{
	struct objects stories = domain_world_order(w, id, NIL);
	struct objects epics = domain_world_epics(w, id);
	for (size_t i = 0; i < stories.n; i++)
		domain_world_drop_parts(w, "story_id", object_id(stories.v[i]));
	for (size_t i = 0; i < epics.n; i++)
		domain_world_drop_parts(w, "epic_id", object_id(epics.v[i]));
	domain_world_drop_parts(w, "project_id", id);
}

static void follow_project(struct domain_world *w, const struct change *c)
{
	const struct project *old = c->old;
	struct project *n = c->new;
	if (!n) {
		drop_project(w, old->id);
	} else if (!old) {
		n->version = 1;
		n->story_counts =
			(struct ids){ arena_array(w->arena, SECTIONS, sizeof(int64_t)), SECTIONS };
	} else {
		if (old->week_start_day != n->week_start_day || old->start_date != n->start_date)
			drop_overrides(w, n->id, NIL);
		follow_account(w, n->id);
	}
}

void domain_people_follow(struct domain_world *w, const struct change *c)
{
	if (c->of == &res_project)
		follow_project(w, c);
	else if (c->of == &res_person && c->type == CHANGE_CREATE)
		add_member(w, c->new);
	else if (c->of == &res_project_membership && c->type == CHANGE_CREATE)
		enter_account(w, c->new);
}

/* Rights ----------------------------------------------------------------------------------------- */

/* The path's project; null: it names none that is there. */
static const struct project *place_of(struct domain_world *w, const struct req *r)
{
	int64_t project = route_id(r, ":project"), story = route_id(r, ":story");
	if (!project && story) {
		const struct story *s = objects_find(domain_world_list(w, &res_story), story);
		project = s ? s->project_id : 0;
	}
	return project ? objects_find(domain_world_list(w, &res_project), project) : NULL;
}

enum rc domain_people_may(struct domain_world *w, struct req *r)
{
	struct caller c = { .has_token = true, .person_id = w->me, .role = WORD_NONE };
	const struct member *me = objects_find(domain_world_list(w, &res_member), w->me);
	const struct project *x = place_of(w, r);
	int64_t account = x ? x->account_id : route_id(r, ":account");
	const struct account_membership *m = find_in_account(w, account, w->me);
	if (x) {
		c.place_id = x->id;
		c.role = role_of(w, me, x->id);
		c.is_public = x->public;
	} else if (objects_find(domain_world_list(w, &res_account), account)) {
		c.place_id = account;
		c.belongs = m;
		c.owns = m && m->owner;
		c.is_self = crud_id(r) == w->me;
	}
	c.administers = administers(w, account);
	return gate_may(r, r->route->need, &c);
}
