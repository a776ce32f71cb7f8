#include "domain_scene.h"

#include <stdlib.h>

#include "api/crud.h"
#include "domain/activity.h"
#include "domain/comment.h"
#include "domain/label.h"
#include "domain/review.h"
#include "domain/story_parts.h"
#include "model/model.h"
#include "store/load.h"

/* A cast for what only reads. */
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

/* Any text may name a label: as it is there, or as it would be. */
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

/* Order ------------------------------------------------------------------------------------ */

static struct place place_of(const struct story *s)
{
	return s ? (struct place){ s->id, s->rank, scene_section(s->current_state), s->name }
		 : (struct place){ 0 };
}

static void find_ends(struct domain_play *p, const struct objects *order)
{
	struct order *o = &p->scene.order;
	const struct story *w = p->wish && p->wish->of == &res_story ? p->wish->object : NULL;
	int64_t own = p->scene.story ? p->scene.story->id : INT64_MAX;
	int64_t at = w && w->accepted_at != NIL ? w->accepted_at : p->scene.now;
	for (size_t i = 0; i < order->n; i++) {
		struct place x = place_of(order->v[i]);
		for (int64_t section = 0; section <= x.section; section++)
			if (!o->first[section].id)
				o->first[section] = x;
		for (int64_t section = x.section; section < SECTIONS; section++)
			o->last[section] = x;
		if (x.section == SECTION_DONE && (x.rank < at || (x.rank == at && x.id < own)))
			o->done_before = x;
		else if (x.section == SECTION_DONE && !o->done_after.id)
			o->done_after = x;
	}
}

static void find_neighbours(struct domain_play *p, const struct objects *order)
{
	for (size_t i = 0; i < order->n; i++) {
		struct neighbour *n = arena_alloc(p->world->arena, sizeof *n);
		n->self = place_of(order->v[i]);
		n->prev = place_of(i > 0 ? order->v[i - 1] : NULL);
		n->next = place_of(i + 1 < order->n ? order->v[i + 1] : NULL);
		objects_add(p->world->arena, &p->scene.neighbours, n);
	}
}

static const struct story *find_story(struct domain_play *p, int64_t id)
{
	const struct story *old = objects_find(list_of(p, &res_story), id);
	if (!old)
		return NULL;
	struct story *s = object_copy(p->world->arena, &res_story, old);
	struct objects order = domain_world_order(p->world, s->project_id, NIL);
	for (size_t i = 0; i < order.n; i++) {
		if (object_id(order.v[i]) != id)
			continue;
		s->after_id = i > 0 ? object_id(order.v[i - 1]) : NIL;
		s->before_id = i + 1 < order.n ? object_id(order.v[i + 1]) : NIL;
	}
	return s;
}

static const struct epic *find_epic(struct domain_play *p, int64_t id)
{
	const struct objects *all = list_of(p, &res_epic);
	size_t i = 0;
	while (i < all->n && object_id(all->v[i]) != id)
		i++;
	if (i == all->n)
		return NULL;
	struct epic *e = object_copy(p->world->arena, &res_epic, all->v[i]);
	e->after_id = i > 0 ? object_id(all->v[i - 1]) : NIL;
	e->before_id = i + 1 < all->n ? object_id(all->v[i + 1]) : NIL;
	return e;
}

/* Lists ------------------------------------------------------------------------------------- */

static const struct field *parent_field(const struct resource *of, const char *name)
{
	int i = resource_field(of, name);
	return i < 0 || !of->fields[i].at ? NULL : &of->fields[i];
}

/* Of what hangs on a story or an epic: what hangs on those of the path. */
static bool belongs(const struct scene *s, const struct resource *of, const void *object)
{
	const struct field *story = parent_field(of, "story_id"),
			   *epic = parent_field(of, "epic_id");
	int64_t on_story = story ? *(const int64_t *)((const char *)object + story->at) : NIL;
	int64_t on_epic = epic ? *(const int64_t *)((const char *)object + epic->at) : NIL;
	if (on_story != NIL && s->story)
		return on_story == s->story->id;
	return on_epic == NIL || !s->epic || on_epic == s->epic->id;
}

static void fill_lists(struct domain_play *p)
{
	for (int i = 0; i < domain_kinds_count; i++) {
		const struct domain_kind *kind = &domain_kinds[i];
		struct objects *all = &p->world->lists[i];
		struct objects *to = (struct objects *)((char *)&p->scene + kind->in_scene);
		for (size_t k = 0; kind->in_scene && k < all->n; k++)
			if (belongs(&p->scene, kind->of, all->v[k]))
				objects_add(p->world->arena, to, all->v[k]);
	}
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

/* Stories of the project that texts may name. */
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

static void fill_pools(struct domain_play *p)
{
	enum { NEW = 600, FIRST = 101 };
	struct id_pool *pool = arena_array(p->world->arena, ID_POOLS_MAX, sizeof *pool);
	p->scene.pools = pool;
	for (int i = 0; i < domain_kinds_count; i++) {
		if (!domain_kinds[i].of->size || !domain_kinds[i].is_made ||
			domain_world_kind(str_of(domain_kinds[i].word)) != &domain_kinds[i] ||
			pool == p->scene.pools + ID_POOLS_MAX)
			continue;
		int64_t *v = arena_array(p->world->arena, NEW, sizeof *v);
		for (int k = 0; k < NEW; k++)
			v[k] = FIRST + k;
		*pool++ = (struct id_pool){ .of = domain_kinds[i].of, .ids = { v, NEW } };
	}
}

/* Selections: where a rule asks for some objects of a kind, not for all ------------------- */

/* Blockers of other stories that wait for the path's, when it gets accepted. */
static void select_waiting(struct domain_play *p)
{
	const struct story *w = p->wish->object, *s = p->scene.story;
	struct objects *all = list_of(p, &res_blocker), *stories = list_of(p, &res_story);
	for (size_t i = 0; i < all->n; i++) {
		struct blocker *b = all->v[i];
		if (w->current_state != STATE_ACCEPTED || b->resolved ||
			!ids_have(b->blocking_story_ids, s->id))
			continue;
		b = object_copy(p->world->arena, &res_blocker, b);
		for (size_t k = 0; k < b->blocking_story_ids.n; k++) {
			int64_t id = b->blocking_story_ids.v[k];
			const struct story *other = objects_find(stories, id);
			if (other && id != s->id && other->current_state != STATE_ACCEPTED)
				b->waits = true;
		}
		objects_add(p->world->arena, &p->scene.waiting, b);
	}
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

/* Review types that have the name that is wished. */
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

/* Of attachments that a path names there is the id. */
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

/* The type of a review, and that of its name where the story comes to. */
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

/* What hangs on a story that moves to another project, and its labels by name. */
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
	} selections[] = { { story_parts_update, select_waiting }, { label_delete, select_epics },
		{ review_type_create, select_types }, { review_type_update, select_types },
		{ comment_create, select_uploads }, { comment_update, select_uploads },
		{ comment_file_remove, select_file }, { comment_google_remove, select_google } };
	for (size_t i = 0; i < sizeof selections / sizeof *selections; i++)
		if (selections[i].decide == p->req.route->decide)
			selections[i].select(p);
}

/* The request --------------------------------------------------------------------------------- */

/* What the path's last id names, when the route looks for it; else what stands above. */
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
	s->object = list ? objects_find(list, is_above ? crud_parent(r) : crud_id(r)) : NULL;
	if (!s->object && r->route->find == STMT_LOAD_ID) {
		int64_t *id = object_new(p->world->arena, r->route->target);
		*id = crud_id(r);
		s->object = id;
	}
	return s->object && belongs(s, r->route->target, s->object);
}

/* Where a story is to move to; a move to where it is is none. */
static void find_destination(struct domain_play *p, const struct project *home)
{
	struct scene *s = &p->scene;
	const struct story *w = p->wish->of == &res_story ? p->wish->object : NULL;
	if (!w || w->project_id == NIL || w->project_id == home->id)
		return;
	s->source = home;
	s->project = objects_find(list_of(p, &res_project), w->project_id);
}

static bool set_scene(struct domain_play *p)
{
	struct domain_world *w = p->world;
	struct req *r = &p->req;
	struct scene *s = &p->scene;
	int64_t project = route_id(r, ":project"), story = route_id(r, ":story"),
		epic = route_id(r, ":epic");
	const struct project *home;
	struct strs texts = { 0 };
	*s = (struct scene){ .arena = w->arena, .now = w->now };
	s->me = objects_find(list_of(p, &res_member), w->me);
	s->story = story ? find_story(p, story) : NULL;
	s->epic = epic ? find_epic(p, epic) : NULL;
	if (!project && s->story)
		project = s->story->project_id;
	home = objects_find(list_of(p, &res_project), project ? project : 1);
	s->project = home;
	if ((story && (!s->story || s->story->project_id != home->id)) ||
		(epic && (!s->epic || s->epic->project_id != home->id)) || !find_object(p))
		return false;
	find_destination(p, home);
	fill_lists(p);
	fill_named_stories(p);
	fill_pools(p);
	if (r->body)
		find_texts(w->arena, r->body, &texts);
	for (size_t i = 0; i < texts.n; i++) {
		add_named_label(p, texts.v[i]);
		add_mentions(p, texts.v[i]);
	}
	if (s->source)
		take_along(p);
	struct objects order = domain_world_order(w, s->project->id, story ? story : NIL);
	find_ends(p, &order);
	find_neighbours(p, &order);
	select_objects(p);
	return true;
}

/* What others told of it before they made room, as in command.c. */
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
		if (!set_scene(p)) {
			p->rc = RC_UNFOUND_RESOURCE;
			return;
		}
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
