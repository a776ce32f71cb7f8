#include <stdlib.h>
#include <string.h>

#include "lib/body.h"
#include "lib/when.h"
#include "model/object.h"
#include "programs/ctl/demo.h"

enum { HOURS_OF_DAY = 24, DAYS_OF_WEEK = 7, STATES_MAX = 4 };
static const int64_t HOUR = INT64_C(3600000000);
static const int64_t DAY = HOURS_OF_DAY * INT64_C(3600000000);

struct play {
	struct ctl *ctl;
	struct demo *demo;
	struct arena arena; /* of a request */
	struct buf body, out;
	struct json json; /* the body of the next request */
};

/* Requests ---------------------------------------------------------------------- */

static struct json *begin_body(struct play *p)
{
	buf_reset(&p->body);
	json_init(&p->json, &p->body);
	json_object(&p->json);
	return &p->json;
}

/* Makes one request as a person, at a given time. The answer lives until the next request. */
static const struct body *ask(struct play *p, int person, int64_t at, const char *method,
	struct str path, const char *query)
{
	const char *problem;
	json_object_end(&p->json);
	p->ctl->at = at;
	const struct ctl_request request = { .person = p->demo->people[person],
		.method = method,
		.path = path,
		.query = query,
		.body = buf_str(&p->body) };
	return body_parse(&p->arena, ctl_request(p->ctl, &request, &p->arena, &p->out), &problem);
}

static int64_t id_of(const struct body *object)
{
	const struct body *id = body_get(object, "id");
	return id && id->type == BODY_INT ? id->integer : 0;
}

static void put_text(struct json *j, const char *key, const char *text)
{
	if (!text)
		return;
	json_key(j, key);
	json_z(j, text);
}

/* Stories ------------------------------------------------------------------------ */

/* An event of a story: it is created (step 0), or enters a state. */
struct event {
	int64_t at;
	int nth; /* in its project, from 1 */
	int step;
	const char *state;
	const struct demo_story *story;
};

/* The states that a story goes through after its creation; returns their number. */
static int path_of(const struct demo_story *s, const char *path[STATES_MAX])
{
	static const char *const road[] = { "started", "finished", "delivered" };
	bool decided = !strcmp(s->state, "accepted") || !strcmp(s->state, "rejected");
	int n = 0;
	if (!strcmp(s->state, "unscheduled") || !strcmp(s->state, "unstarted"))
		return 0;
	if (!strcmp(s->type, "release") || !strcmp(s->state, "planned")) {
		path[n++] = s->state;
		return n;
	}
	if (!strcmp(s->type, "chore") && decided) {
		path[n++] = road[0];
		path[n++] = s->state;
		return n;
	}
	for (size_t i = 0; i < sizeof road / sizeof *road; i++) {
		path[n++] = road[i];
		if (!strcmp(s->state, road[i]))
			return n;
	}
	path[n++] = s->state;
	return n;
}

/* When a story enters the i-th of n states. */
static int64_t step_time(const struct demo *d, const struct demo_story *s, int i, int n)
{
	int64_t week = d->begin + DAYS_OF_WEEK * DAYS_OF_WEEK * DAY;
	if (s->week > 0)
		return week - s->week * DAYS_OF_WEEK * DAY + s->day * DAY +
			(10 - 5 * (n - i)) * HOUR;
	double part = (double)s->day / DAYS_OF_WEEK * ((double)i / n);
	return week + (int64_t)((double)(d->now - week) * part);
}

static int add_events(const struct demo *d, const struct demo_story *s, int nth, struct event *e)
{
	const char *path[STATES_MAX];
	int n = path_of(s, path);
	int64_t made = d->begin + (4 + 3 * nth) * HOUR;
	for (int i = 1; i <= n; i++)
		e[i] = (struct event){ step_time(d, s, i, n), nth, i, path[i - 1], s };
	if (n > 0 && e[1].at - 3 * DAY < made)
		made = e[1].at - 3 * DAY;
	e[0] = (struct event){ made, nth, 0,
		strcmp(s->state, "unscheduled") ? "unstarted" : s->state, s };
	return n + 1;
}

static int compare(const void *a, const void *b)
{
	const struct event *x = a, *y = b;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->nth != y->nth ? x->nth - y->nth : x->step - y->step;
}

struct made {
	int64_t id, tasks[DEMO_TASKS];
};

static void make_story(struct play *p, const struct event *e, int64_t project, struct made *made)
{
	const struct demo_story *s = e->story;
	struct json *j = begin_body(p);
	put_text(j, "name", s->name);
	put_text(j, "description", s->description);
	put_text(j, "story_type", s->type);
	put_text(j, "current_state", e->state);
	if (s->estimate != DEMO_NO_ESTIMATE) {
		json_key(j, "estimate");
		json_int(j, s->estimate);
	}
	if (!strcmp(s->type, "release")) {
		json_key(j, "deadline");
		json_int(j, (p->demo->begin + 80 * DAY) / 1000);
	}
	json_key(j, "labels");
	json_array(j);
	for (int i = 0; i < DEMO_LABELS && s->labels[i]; i++)
		json_z(j, s->labels[i]);
	json_array_end(j);
	json_key(j, "tasks");
	json_array(j);
	for (int i = 0; i < DEMO_TASKS && s->tasks[i]; i++) {
		json_object(j);
		put_text(j, "description", s->tasks[i]);
		json_object_end(j);
	}
	json_array_end(j);
	const struct body *answer = ask(p, s->requester, e->at, "POST",
		arena_printf(&p->ctl->arena, "/projects/%lld/stories", (long long)project),
		"fields=id,tasks(id)");
	const struct body *tasks = body_get(answer, "tasks");
	made->id = id_of(answer);
	int n = 0;
	for (const struct body *t = tasks ? tasks->first : NULL; t && n < DEMO_TASKS; t = t->next)
		made->tasks[n++] = id_of(t);
}

/* Ticks off a story's tasks before it is finished, each by a request of its own. */
static void tick_tasks(
	struct play *p, const struct event *e, int person, struct str path, const struct made *made)
{
	for (int i = 0; i < DEMO_TASKS && made->tasks[i]; i++) {
		struct json *j = begin_body(p);
		json_key(j, "complete");
		json_bool(j, true);
		ask(p, person, e->at, "PUT",
			arena_printf(&p->ctl->arena, "%.*s/tasks/%lld", (int)path.n, path.p,
				(long long)made->tasks[i]),
			"");
	}
}

static void change_story(
	struct play *p, const struct event *e, int64_t project, const struct made *made)
{
	const struct demo_story *s = e->story;
	bool decided = !strcmp(e->state, "accepted") || !strcmp(e->state, "rejected");
	int person = decided || s->owner == DEMO_NOBODY ? s->requester : s->owner;
	struct str path = arena_printf(&p->ctl->arena, "/projects/%lld/stories/%lld",
		(long long)project, (long long)made->id);
	if (!strcmp(e->state, "finished"))
		tick_tasks(p, e, person, path, made);
	struct json *j = begin_body(p);
	put_text(j, "current_state", e->state);
	json_key(j, "owner_ids");
	json_array(j);
	if (s->owner != DEMO_NOBODY)
		json_int(j, p->demo->people[s->owner]);
	json_array_end(j);
	ask(p, person, e->at, "PUT", path, "");
}

/* What there is to look at -------------------------------------------------------- */

static int64_t id_of_name(bool is_public, const struct made *made, const char *name)
{
	int nth = 0;
	for (size_t i = 0; i < demo_stories_count; i++) {
		const struct demo_story *s = &demo_stories[i];
		nth += s->is_public == is_public;
		if (s->is_public == is_public && !strcmp(s->name, name))
			return made[nth].id;
	}
	return 0;
}

/* Adds something to a story now, as the person who works on it. */
static void add_part(struct play *p, const struct demo_story *s, struct str path, const char *kind)
{
	int person = s->owner == DEMO_NOBODY ? s->requester : s->owner;
	ask(p, person, p->demo->now, "POST",
		arena_printf(&p->ctl->arena, "%.*s/%s", (int)path.n, path.p, kind), "");
}

static int64_t find_review_type(struct play *p, int64_t project, const char *name)
{
	struct rows *rows = ctl_query(p->ctl,
		"select id from review_type where project_id = $1 and name = $2", 2,
		(struct db_param[]){ db_int(&p->ctl->arena, project), ctl_param(p->ctl, name) });
	return db_count(rows) ? db_get_int(rows, 0, 0) : 0;
}

static void add_parts(struct play *p, const struct demo_story *s, int64_t project, int nth,
	const struct made *made)
{
	struct arena *a = &p->ctl->arena;
	struct str path = arena_printf(
		a, "/projects/%lld/stories/%lld", (long long)project, (long long)made[nth].id);
	if (s->blocker) {
		put_text(begin_body(p), "description",
			arena_printf(a, "Waits for #%lld",
				(long long)id_of_name(s->is_public, made, s->blocker))
				.p);
		add_part(p, s, path, "blockers");
	}
	if (s->review) {
		int64_t type = find_review_type(p, project, s->review);
		struct json *j = begin_body(p);
		json_key(j, "review_type_id");
		json_int(j, type);
		json_key(j, "reviewer_id");
		json_int(j, p->demo->people[DEMO_OWNER]);
		add_part(p, s, path, "reviews");
	}
	if (s->mention) {
		const struct str *who = &p->demo->usernames[DEMO_OWNER];
		put_text(begin_body(p), "text",
			arena_printf(a, "@%.*s %s", (int)who->n, who->p, s->mention).p);
		add_part(p, s, path, "comments");
	}
}

static void make_epics(struct play *p, int64_t project)
{
	for (size_t i = 0; i < demo_epics_count; i++) {
		const struct demo_epic *e = &demo_epics[i];
		struct json *j = begin_body(p);
		put_text(j, "name", e->name);
		put_text(j, "description", e->description);
		json_key(j, "label");
		json_object(j);
		put_text(j, "name", e->label);
		json_object_end(j);
		ask(p, DEMO_OWNER, p->demo->begin + 3 * HOUR, "POST",
			arena_printf(&p->ctl->arena, "/projects/%lld/epics", (long long)project),
			"");
	}
}

/* Plays everything that happens in one project. */
static void play_stories(struct play *p, bool is_public, int64_t project)
{
	struct arena *a = &p->ctl->arena;
	struct event *events =
		arena_array(a, demo_stories_count * (STATES_MAX + 1), sizeof *events);
	struct made *made = arena_array(a, demo_stories_count + 1, sizeof *made);
	size_t n = 0;
	int nth = 0;
	for (size_t i = 0; i < demo_stories_count; i++)
		if (demo_stories[i].is_public == is_public)
			n += (size_t)add_events(p->demo, &demo_stories[i], ++nth, events + n);
	memset(made, 0, (demo_stories_count + 1) * sizeof *made);
	qsort(events, n, sizeof *events, compare);
	for (size_t i = 0; i < n; i++) {
		const struct event *e = &events[i];
		if (e->step == 0)
			make_story(p, e, project, &made[e->nth]);
		else
			change_story(p, e, project, &made[e->nth]);
	}
	nth = 0;
	for (size_t i = 0; i < demo_stories_count; i++)
		if (demo_stories[i].is_public == is_public)
			add_parts(p, &demo_stories[i], project, ++nth, made);
}

/* Projects ----------------------------------------------------------------------- */

static int64_t make_project(
	struct play *p, const char *name, const char *description, bool is_public)
{
	const struct demo *d = p->demo;
	struct buf day = { 0 };
	struct json *j = begin_body(p);
	json_key(j, "account_id");
	json_int(j, d->account);
	put_text(j, "name", name);
	put_text(j, "description", description);
	json_key(j, "public");
	json_bool(j, is_public);
	json_key(j, "automatic_planning");
	json_bool(j, !is_public);
	when_put_date(&day, (int32_t)(d->begin / DAY));
	json_key(j, "start_date");
	json_str(j, buf_str(&day));
	int64_t id = id_of(ask(p, DEMO_OWNER, d->begin + HOUR, "POST", STR("/projects"), ""));
	buf_free(&day);
	return id;
}

static void add_member(struct play *p, int64_t project, int person, const char *role)
{
	struct json *j = begin_body(p);
	json_key(j, "person_id");
	json_int(j, p->demo->people[person]);
	put_text(j, "role", role);
	ask(p, DEMO_OWNER, p->demo->begin + 2 * HOUR, "POST",
		arena_printf(&p->ctl->arena, "/projects/%lld/memberships", (long long)project), "");
}

void demo_play(struct ctl *c, struct demo *d)
{
	struct play p = { .ctl = c, .demo = d };
	d->project = make_project(
		&p, DEMO_PROJECT, "Neighbours lend each other ladders and drills.", false);
	add_member(&p, d->project, DEMO_MEMBER, "member");
	add_member(&p, d->project, DEMO_VIEWER, "viewer");
	make_epics(&p, d->project);
	play_stories(&p, false, d->project);
	d->public_project = make_project(&p, DEMO_PUBLIC_PROJECT,
		"What the town sees of the tool library. Planned by hand.", true);
	play_stories(&p, true, d->public_project);
	arena_free(&p.arena);
	buf_free(&p.body);
	buf_free(&p.out);
}
