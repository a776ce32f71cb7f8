#include "domain_scene.h"

#include <stdlib.h>

#include "domain_beside.h"
#include "domain_people.h"
#include "api/crud.h"
#include "domain/activity.h"
#include "domain/comment.h"
#include "domain/label.h"
#include "domain/review.h"
#include "domain/story_bulk.h"
#include "domain/story_parts.h"
#include "model/model.h"
#include "store/load.h"

/* For reading: the play may be const. */
static struct objects *list_of(const struct domain_play *p, const struct resource *of)
{
	return domain_world_list(p->world, of);
}

/* Texts of the request --------------------------------------------------------------- */

static void add_text(struct arena *a, struct strs *texts, struct str text)
{
	struct str *v = arena_array(a, texts->n + 1, sizeof *v);
	for (size_t i = 0; i < texts->n; i++)
		v[i] = texts->v[i];
	v[texts->n] = text;
	*texts = (struct strs){ v, texts->n + 1 };
}

static void find_texts(struct arena *a, const struct body *v, struct strs *texts)
{
	if (v->type == BODY_TEXT)
		add_text(a, texts, v->text);
	if (v->type == BODY_ARRAY || v->type == BODY_OBJECT)
		for (const struct body *x = v->first; x; x = x->next)
			find_texts(a, x, texts);
}

/* Any text may name a label: an existing one, or one that would be created. */
static void add_named_label(struct domain_play *p, struct str text)
{
	struct arena *a = p->world->arena;
	struct str name = arena_str(a, str_trim(text));
	struct label *l = object_new(a, &res_label);
	for (size_t i = 0; i < name.n; i++)
		if (name.p[i] >= 'A' && name.p[i] <= 'Z')
			((char *)(uintptr_t)name.p)[i] = (char)(name.p[i] + 'a' - 'A');
	l->project_id = p->scene.project->id;
	l->name = name;
	for (size_t i = 0; i < list_of(p, &res_label)->n; i++) {
		const struct label *known = list_of(p, &res_label)->v[i];
		if (str_equal(known->name, name) && known->project_id == l->project_id)
			l = object_copy(a, &res_label, known);
	}
	l->wished = text;
	objects_add(a, &p->scene.labels, l);
}

static void add_mentions(struct domain_play *p, struct str text)
{
	struct arena *a = p->world->arena;
	struct objects *people = list_of(p, &res_member);
	struct strs names = news_names(a, text);
	for (size_t i = 0; i < names.n; i++)
		for (size_t k = 0; k < people->n; k++) {
			const struct member *m = people->v[k];
			if (!str_equal_nocase(m->username, names.v[i]))
				continue;
			struct mention *x = arena_alloc(a, sizeof *x);
			*x = (struct mention){ m->id, names.v[i] };
			objects_add(a, &p->scene.mentions, x);
		}
}

/* Lists ------------------------------------------------------------------------------------- */

static const struct field *parent_field(const struct resource *of, const char *name)
{
	int i = resource_field(of, name);
	return i < 0 || !of->fields[i].at ? NULL : &of->fields[i];
}

/* Whether an object that belongs to a story or an epic belongs to those in the path. */
static bool belongs(const struct scene *s, const struct resource *of, const void *object)
{
	const struct field *story = parent_field(of, "story_id"),
			   *epic = parent_field(of, "epic_id");
	int64_t on_story = story ? *(const int64_t *)((const char *)object + story->at) : NIL;
	int64_t on_epic = epic ? *(const int64_t *)((const char *)object + epic->at) : NIL;
	if (on_story != NIL)
		return s->story && on_story == s->story->id;
	return on_epic == NIL || (s->epic && on_epic == s->epic->id);
}

static int compare_positions(const void *a, const void *b)
{
	const struct task *x = *(void *const *)a, *y = *(void *const *)b;
	return x->position < y->position ? -1 : x->position > y->position;
}

/* Keeps those of the project. */
static void fill_types(struct domain_play *p)
{
	struct objects *types = &p->scene.review_types;
	size_t n = 0;
	for (size_t i = 0; i < types->n; i++)
		if (((struct review_type *)types->v[i])->project_id == p->scene.project->id)
			types->v[n++] = types->v[i];
	types->n = n;
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

/* The project's stories, which texts may name. */
static void fill_named_stories(struct domain_play *p)
{
	struct objects order = domain_world_order(p->world, p->scene.project->id, NIL);
	int64_t *v = arena_array(p->world->arena, order.n, sizeof *v);
	for (size_t i = 0; i < order.n; i++)
		v[i] = object_id(order.v[i]);
	if (order.n)
		qsort(v, order.n, sizeof *v, compare_ids);
	p->scene.named_stories = (struct ids){ v, order.n };
}

/* What there is in the project. */
static void fill_lists(struct domain_play *p)
{
	struct scene *s = &p->scene;
	for (int i = 0; i < domain_kinds_count; i++) {
		const struct domain_kind *kind = &domain_kinds[i];
		struct objects *all = &p->world->lists[i];
		struct objects *to = (struct objects *)((char *)s + kind->in_scene);
		for (size_t k = 0; kind->in_scene && k < all->n; k++)
			if (belongs(s, kind->of, all->v[k]))
				objects_add(p->world->arena, to, all->v[k]);
	}
	s->epics = domain_world_epics(p->world, s->project->id);
	fill_types(p);
	if (s->tasks.n)
		qsort(s->tasks.v, s->tasks.n, sizeof *s->tasks.v, compare_positions);
	fill_named_stories(p);
}

/* Selections: for rules that need only some objects of a kind ------------------------------ */

/* The blockers of other stories that wait for these, which are being accepted. */
static void add_waiting(struct domain_play *p, struct ids accepted)
{
	struct objects *all = list_of(p, &res_blocker), *stories = list_of(p, &res_story);
	for (size_t i = 0; i < all->n; i++) {
		struct blocker *b = object_copy(p->world->arena, &res_blocker, all->v[i]);
		bool names = false;
		for (size_t k = 0; k < b->blocking_story_ids.n; k++) {
			int64_t id = b->blocking_story_ids.v[k];
			const struct story *other = objects_find(stories, id);
			names = names || ids_have(accepted, id);
			if (other && !ids_have(accepted, id) &&
				other->current_state != STATE_ACCEPTED)
				b->waits = true;
		}
		if (names && !b->resolved)
			objects_add(p->world->arena, &p->scene.waiting, b);
	}
}

static void select_waiting(struct domain_play *p)
{
	const struct story *w = p->wish->object;
	if (w->current_state == STATE_ACCEPTED)
		add_waiting(p, (struct ids){ (int64_t[]){ p->scene.story->id }, 1 });
}

/* The stories with their neighbours, and the order without those that move. */
static void select_many(struct domain_play *p)
{
	const struct bulk_wish *w = p->wish->object;
	const struct story *changes = w->changes ? w->changes->object : NULL;
	struct scene *s = &p->scene;
	for (size_t i = 0; i < s->stories.n; i++)
		s->stories.v[i] =
			(void *)(uintptr_t)domain_beside_story(p, object_id(s->stories.v[i]));
	if (changes && changes->current_state == STATE_ACCEPTED)
		add_waiting(p, w->ids);
	s->order = (struct order){ 0 };
	s->neighbours = (struct objects){ 0 };
	struct ids moved = story_bulk_moved(s, p->wish);
	struct objects all = domain_world_order(p->world, s->project->id, NIL), rest = { 0 };
	for (size_t i = 0; i < all.n; i++)
		if (!ids_have(moved, object_id(all.v[i])))
			objects_add(s->arena, &rest, all.v[i]);
	domain_beside_ends(p, &rest);
	domain_beside_neighbours(p, &rest);
}

/* The epic of the path's label. */
static void select_epics(struct domain_play *p)
{
	struct objects *all = list_of(p, &res_epic);
	p->scene.epics = (struct objects){ 0 };
	for (size_t i = 0; i < all->n; i++)
		if (((struct epic *)all->v[i])->label_id == object_id(p->scene.object))
			objects_add(p->world->arena, &p->scene.epics, all->v[i]);
}

/* Review types that already have the requested name. */
static void select_types(struct domain_play *p)
{
	struct objects *all = list_of(p, &res_review_type);
	struct str name = str_trim(((const struct review_type *)p->wish->object)->name);
	p->scene.review_types = (struct objects){ 0 };
	for (size_t i = 0; i < all->n; i++)
		if (str_equal_nocase(((struct review_type *)all->v[i])->name, name))
			objects_add(p->world->arena, &p->scene.review_types, all->v[i]);
}

/* What the caller uploaded and nobody attached. */
static void select_uploads(struct domain_play *p)
{
	struct objects *all = list_of(p, &res_file_attachment);
	p->scene.files = (struct objects){ 0 };
	for (size_t i = 0; i < all->n; i++) {
		const struct file_attachment *f = all->v[i];
		if (f->uploader_id == p->scene.me->id && f->comment_id == NIL)
			objects_add(p->world->arena, &p->scene.files, all->v[i]);
	}
}

/* Of an attachment named in the path, the scene has only the id. */
static void select_file(struct domain_play *p)
{
	int64_t *id = object_new(p->world->arena, &res_file_attachment);
	*id = crud_id(&p->req);
	p->scene.files = (struct objects){ 0 };
	objects_add(p->world->arena, &p->scene.files, id);
}

static void select_google(struct domain_play *p)
{
	int64_t *id = object_new(p->world->arena, &res_google_attachment);
	*id = crud_id(&p->req);
	p->scene.google = (struct objects){ 0 };
	objects_add(p->world->arena, &p->scene.google, id);
}

/* The type of a review, and the type of the same name in the destination project. */
static void add_type(struct domain_play *p, int64_t id)
{
	struct objects *types = list_of(p, &res_review_type);
	const struct review_type *old = objects_find(types, id);
	if (!old || objects_find(&p->scene.along.types, id))
		return;
	struct type_along *t = arena_alloc(p->world->arena, sizeof *t);
	*t = (struct type_along){ id, NIL, old->name, old->hidden };
	for (size_t i = 0; i < types->n; i++) {
		const struct review_type *x = types->v[i];
		if (x->project_id == p->scene.project->id && str_equal_nocase(x->name, old->name))
			t->to = x->id;
	}
	objects_add(p->world->arena, &p->scene.along.types, t);
}

/* What goes along with a story that moves to another project, and its labels by name. */
static void take_along(struct domain_play *p)
{
	struct scene *s = &p->scene;
	struct objects *reviews = list_of(p, &res_review), *blockers = list_of(p, &res_blocker);
	for (size_t i = 0; i < reviews->n; i++) {
		const struct review *r = reviews->v[i];
		if (r->story_id != s->story->id)
			continue;
		objects_add(s->arena, &s->along.reviews, reviews->v[i]);
		add_type(p, r->review_type_id);
	}
	for (size_t i = 0; i < blockers->n; i++) {
		const struct blocker *b = blockers->v[i];
		if (b->story_id == s->story->id || ids_have(b->blocking_story_ids, s->story->id))
			objects_add(s->arena, &s->along.blockers, blockers->v[i]);
	}
	s->along.stories = s->named_stories;
	for (size_t i = 0; i < s->story->label_ids.n; i++) {
		const struct label *l =
			objects_find(list_of(p, &res_label), s->story->label_ids.v[i]);
		if (l)
			add_named_label(p, l->name);
	}
}

static void select_objects(struct domain_play *p)
{
	static const struct {
		enum rc (*decide)(struct outcome *, const struct wish *);
		void (*select)(struct domain_play *);
	} selections[] = { { story_parts_update, select_waiting }, { story_bulk, select_many },
		{ label_delete, select_epics }, { review_type_create, select_types },
		{ review_type_update, select_types }, { comment_create, select_uploads },
		{ comment_update, select_uploads }, { comment_file_remove, select_file },
		{ comment_google_remove, select_google } };
	for (size_t i = 0; i < sizeof selections / sizeof *selections; i++)
		if (selections[i].decide == p->req.route->decide)
			selections[i].select(p);
	domain_people_select(p);
}

/* The request --------------------------------------------------------------------------------- */

static bool is_elsewhere(const struct scene *s, const struct resource *of, const void *object)
{
	const struct field *f = parent_field(of, "project_id");
	int64_t project = f ? *(const int64_t *)object_value(f, object) : NIL;
	return s->project && project != NIL && project != s->project->id;
}

/* What the path's last id refers to, if the route looks it up; else the story or epic above it. */
static bool find_object(struct domain_play *p)
{
	struct req *r = &p->req;
	struct scene *s = &p->scene;
	s->object = s->story ? (const void *)s->story : s->epic;
	if (!r->route->find)
		return true;
	struct objects *list = list_of(p, r->route->target);
	bool is_above = r->route->find == STMT_LOAD_COMMENT_OF_FILE ||
		r->route->find == STMT_LOAD_COMMENT_OF_GOOGLE;
	if (domain_people_finds(r->route->target))
		return (s->object = domain_people_find(p));
	s->object = list ? objects_find(list, is_above ? crud_parent(r) : crud_id(r)) : NULL;
	if (!s->object && r->route->find == STMT_LOAD_ID) {
		int64_t *id = object_new(p->world->arena, r->route->target);
		*id = crud_id(r);
		s->object = id;
	}
	return s->object && !is_elsewhere(s, r->route->target, s->object) &&
		belongs(s, r->route->target, s->object);
}

/* The project to which a story is to move; if that is its own, it does not move. */
static void find_destination(struct domain_play *p, const struct project *home)
{
	struct scene *s = &p->scene;
	const struct story *w = p->wish->of == &res_story ? p->wish->object : NULL;
	if (!w || !home || w->project_id == NIL || w->project_id == home->id)
		return;
	s->source = home;
	s->project = objects_find(list_of(p, &res_project), w->project_id);
}

/* The path's project, story and epic. */
static bool find_place(struct domain_play *p)
{
	const struct req *r = &p->req;
	struct scene *s = &p->scene;
	int64_t project = route_id(r, ":project"), story = route_id(r, ":story"),
		epic = route_id(r, ":epic");
	s->story = story ? domain_beside_story(p, story) : NULL;
	s->epic = epic ? domain_beside_epic(p, epic) : NULL;
	if (!project && s->story)
		project = s->story->project_id;
	if (!project && s->epic)
		project = s->epic->project_id;
	const struct project *home = objects_find(list_of(p, &res_project), project);
	s->project = home;
	return (!project || home) && (!story || (s->story && s->story->project_id == home->id)) &&
		(!epic || (s->epic && s->epic->project_id == home->id));
}

static void fill_project(struct domain_play *p)
{
	struct scene *s = &p->scene;
	struct strs texts = { 0 };
	fill_lists(p);
	if (p->req.body)
		find_texts(s->arena, p->req.body, &texts);
	for (size_t i = 0; i < texts.n; i++) {
		add_named_label(p, texts.v[i]);
		add_mentions(p, texts.v[i]);
	}
	if (s->source)
		take_along(p);
	struct objects order =
		domain_world_order(p->world, s->project->id, s->story ? s->story->id : NIL);
	domain_beside_ends(p, &order);
	domain_beside_neighbours(p, &order);
}

/* Whether who acts may write where the story goes. */
static bool is_barred(const struct scene *s)
{
	return s->source &&
		(!s->project || (s->me->role != ROLE_OWNER && s->me->role != ROLE_MEMBER));
}

static enum rc set_scene(struct domain_play *p)
{
	struct scene *s = &p->scene;
	*s = (struct scene){ .arena = p->world->arena, .now = p->world->now };
	if (!find_place(p) || !find_object(p))
		return RC_UNFOUND_RESOURCE;
	find_destination(p, s->project);
	domain_people_enter(p);
	if (is_barred(s))
		return RC_UNAUTHORIZED_OPERATION;
	s->pools = domain_world_pools(p->world, p->req.route->target);
	if (s->project)
		fill_project(p);
	select_objects(p);
	return RC_OK;
}

/* The neighbours that the story had before others made room, as in command.c. */
static void keep_neighbours(struct domain_play *p, const struct story *before)
{
	struct story *now = (struct story *)(uintptr_t)p->scene.story;
	if (before && now) {
		now->before_id = before->before_id;
		now->after_id = before->after_id;
	}
}

static void decide(struct domain_play *p)
{
	const struct story *first = NULL;
	for (int i = 0; i < 3; i++) {
		if ((p->rc = set_scene(p)))
			return;
		keep_neighbours(p, first);
		outcome_init(&p->out, &p->scene, p->req.route->activity);
		p->rc = p->req.route->decide(&p->out, p->wish);
		if (p->rc || !p->out.spread.wanted)
			return;
		first = p->scene.story;
		p->room = p->out.spread;
		domain_world_spread(
			p->world, p->scene.project->id, &p->room, first ? first->id : NIL);
	}
}

static void find_segments(struct req *r, struct str path)
{
	if (path.n && path.p[0] == '/') {
		str_cut(&path, '/');
	} else {
		r->segments[r->n_segments++] = STR("projects");
		r->segments[r->n_segments++] = STR("1");
	}
	while (path.p && path.n && r->n_segments < REQ_SEGMENTS_MAX)
		r->segments[r->n_segments++] = str_cut(&path, '/');
}

const char *domain_scene_play(struct domain_world *w, struct str method, struct str path,
	struct body *body, struct domain_play *p)
{
	struct req *r = &p->req;
	*p = (struct domain_play){ .world = w };
	*r = (struct req){ .arena = w->arena, .method = method, .body = body };
	find_segments(r, path);
	if (route_find(r) || !r->route->decide)
		return "no rule decides this request";
	const struct resource *of = r->route->body ? r->route->body : r->route->target;
	if (body && of)
		p->wish = wish_read(
			w->arena, of, body, str_equal_z(method, "POST") ? F_CREATE : F_UPDATE);
	if (!p->wish)
		p->wish = wish_none(w->arena, r->route->target);
	decide(p);
	if (p->rc)
		return NULL;
	for (struct batch *b = p->out.batches; b; b = b->next) {
		p->out.batch = b;
		if (b->activity)
			news_gather(&p->out);
	}
	p->is_idle = !outcome_settle(&p->out);
	return NULL;
}
