#include "domain/activity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"

/* Told values ------------------------------------------------------------------- */

static bool is_told(const struct field *f, const struct change *c)
{
	if (c->type == CHANGE_CREATE)
		return f->flags & (F_TOLD | F_TOLD_NEW) &&
			(f->flags & F_SIDE || !object_is_null(f, c->new));
	return c->type == CHANGE_UPDATE && f->flags & F_TOLD && !object_same(f, c->old, c->new);
}

static void put_values(struct json *j, const char *key, const struct change *c, const void *object)
{
	json_key(j, key);
	json_object(j);
	if (c->type == CHANGE_CREATE) {
		json_key(j, "id");
		json_int(j, object_id(object));
	}
	for (int i = 0; i < c->of->n_fields; i++) {
		const struct field *f = &c->of->fields[i];
		if (!is_told(f, c))
			continue;
		json_key(j, f->name);
		object_put(j, f, object);
	}
	json_object_end(j);
}

static const void *object_of(const struct change *c)
{
	return c->new ? c->new : c->old;
}

static void put_names(struct json *j, const struct change *c)
{
	for (int i = 0; i < c->of->n_fields; i++) {
		const struct field *f = &c->of->fields[i];
		if (!(f->flags & F_NAMES))
			continue;
		json_key(j, f->name);
		object_put(j, f, object_of(c));
	}
}

static void put_change(struct json *j, const struct change *c)
{
	static const char *const types[] = { "create", "update", "delete" };
	json_object(j);
	json_key(j, "kind");
	json_z(j, c->of->kind);
	json_key(j, "change_type");
	json_z(j, types[c->type]);
	json_key(j, c->of->number_key ? c->of->number_key : "id");
	json_int(j, object_id(object_of(c)));
	if (c->type == CHANGE_UPDATE)
		put_values(j, "original_values", c, c->old);
	if (c->new)
		put_values(j, "new_values", c, c->new);
	put_names(j, c);
	json_object_end(j);
}

static bool tells_something(const struct change *c)
{
	if (c->silent)
		return false;
	if (c->type != CHANGE_UPDATE)
		return true;
	for (int i = 0; i < c->of->n_fields; i++)
		if (is_told(&c->of->fields[i], c))
			return true;
	return false;
}

/* Words ------------------------------------------------------------------------- */

struct words {
	const struct scene *s;
	struct str highlight, tail;
};

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && !strcmp(text + n - m, end);
}

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* Whether a change is what an activity of that kind is named after: other objects may only have
   made room. */
static bool is_meant(const char *kind, const struct change *c)
{
	return !(ends_with(kind, "_create") && c->type != CHANGE_CREATE) &&
		!(ends_with(kind, "_delete") && c->type != CHANGE_DELETE);
}

/* The first reported change that an activity is named after; n: the length of its noun. */
static const struct change *change_of(const struct batch *b, const char *kind, size_t n)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct change *c = &b->changes[i];
		if (strlen(c->of->kind) == n && !strncmp(c->of->kind, kind, n) &&
			is_meant(kind, c) && tells_something(c))
			return c;
	}
	return NULL;
}

static bool changed(const struct change *c, const char *name)
{
	for (int i = 0; i < c->of->n_fields; i++)
		if (!strcmp(c->of->fields[i].name, name) && is_told(&c->of->fields[i], c))
			return true;
	return false;
}

/* Whether nothing but fields of these names changed; updated_at does not count. */
static bool changed_only(const struct change *c, const char *a, const char *b)
{
	bool any = false;
	for (int i = 0; i < c->of->n_fields; i++) {
		const struct field *f = &c->of->fields[i];
		if (!is_told(f, c) || !strcmp(f->name, "updated_at"))
			continue;
		if (strcmp(f->name, a) != 0 && strcmp(f->name, b) != 0)
			return false;
		any = true;
	}
	return any;
}

static struct str name_in_order(const struct scene *s, int64_t id)
{
	for (size_t i = 0; i < s->neighbours.n; i++) {
		const struct neighbour *n = s->neighbours.v[i];
		const struct place *around[] = { &n->self, &n->prev, &n->next };
		for (int k = 0; k < 3; k++)
			if (around[k]->id == id)
				return around[k]->name;
	}
	for (int i = 0; i < SECTIONS; i++) {
		const struct place *ends[] = { &s->order.first[i], &s->order.last[i],
			&s->order.done_before, &s->order.done_after };
		for (int k = 0; k < 4; k++)
			if (ends[k]->id == id)
				return ends[k]->name;
	}
	return (struct str){ 0 };
}

static struct str name_of_epic(const struct scene *s, int64_t id)
{
	const struct epic *e = objects_find(&s->epics, id);
	return e ? e->name : (struct str){ 0 };
}

static void say_move(struct words *w, const char *noun, int64_t before, int64_t after)
{
	int64_t id = after == NIL ? before : after;
	struct str name = strcmp(noun, "epic") ? name_in_order(w->s, id) : name_of_epic(w->s, id);
	w->highlight = STR("moved");
	w->tail = name.p ? arena_printf(w->s->arena, "moved this %s %s '%.*s'", noun,
				   after == NIL ? "before" : "after", (int)name.n, name.p)
			 : arena_printf(w->s->arena, "moved this %s", noun);
}

static void say_story_move(struct words *w, const struct story *n)
{
	say_move(w, "story", n->before_id, n->after_id);
}

static void say_estimate(struct words *w, const struct story *n)
{
	const char *type = words_story_types[n->story_type];
	w->highlight = STR("estimated");
	if (isnan(n->estimate))
		w->tail = arena_printf(w->s->arena, "estimated this %s as unestimated", type);
	else
		w->tail = arena_printf(w->s->arena, "estimated this %s as %.15g point%s", type,
			n->estimate, n->estimate < 1 || n->estimate > 1 ? "s" : "");
}

/* A state change shows the state's verb, an estimate and a move their own, any other
   change "edited". */
static void say_story_update(struct words *w, const struct change *c)
{
	const struct story *n = c->new;
	if (changed_only(c, "estimate", "estimate")) {
		say_estimate(w, n);
	} else if (changed_only(c, "before_id", "after_id")) {
		say_story_move(w, n);
	} else {
		w->highlight = changed(c, "current_state")
			? str_of(words_story_states[n->current_state])
			: STR("edited");
		w->tail = arena_printf(w->s->arena, "%s this %s", w->highlight.p,
			words_story_types[n->story_type]);
	}
}

/* About the last task that changed: the others made room for it. */
static void say_task_update(struct words *w, const struct batch *b)
{
	const struct change *c = NULL;
	for (size_t i = 0; i < b->n; i++)
		if (b->changes[i].of == &res_task && tells_something(&b->changes[i]))
			c = &b->changes[i];
	if (!c)
		return;
	const struct task *n = c->new;
	w->highlight = changed(c, "description") ? STR("rewrote task:")
		: !changed(c, "complete")        ? STR("moved task:")
		: n->complete                    ? STR("completed task:")
						 : STR("uncompleted task:");
	w->tail = arena_printf(w->s->arena, "%s \"%.*s\"", w->highlight.p, (int)n->description.n,
		n->description.p);
}

static const char *verb_of(const char *kind)
{
	return ends_with(kind, "_create")    ? "added"
		: ends_with(kind, "_delete") ? "deleted"
		: ends_with(kind, "_move")   ? "moved"
					     : "edited";
}

static void say_text(struct words *w, const char *noun, struct str text)
{
	w->highlight = arena_printf(w->s->arena, "added %s:", noun);
	w->tail = arena_printf(
		w->s->arena, "added %s: \"%.*s\"", noun, (int)text.n, text.p ? text.p : "");
}

static void say_label(struct words *w, const char *kind, const struct label *l)
{
	bool made = !strcmp(kind, "label_create");
	if (made)
		w->highlight = STR("created");
	w->tail = arena_printf(w->s->arena, "%s %s: \"%.*s\"", w->highlight.p,
		made ? "labels" : "label", (int)l->name.n, l->name.p);
}

/* The noun of a kind, with spaces between its words; for stories, their type and how many there
   are. */
static void say_rest(
	struct words *w, const char *kind, size_t noun_n, const struct change *c, size_t stories)
{
	struct arena *a = w->s->arena;
	char noun[64] = { 0 };
	for (size_t i = 0; i < noun_n && i < sizeof noun - 1; i++)
		noun[i] = (char)(kind[i] == '_' ? ' ' : kind[i]);
	w->highlight = str_of(verb_of(kind));
	if (!strcmp(kind, "story_delete") && stories > 1)
		w->tail = arena_printf(a, "deleted %zu stories", stories);
	else if (!strcmp(noun, "story") && c)
		w->tail = arena_printf(a, "%s this %s", w->highlight.p,
			words_story_types[((const struct story *)object_of(c))->story_type]);
	else if (!strcmp(kind, "comment_create") && c)
		say_text(w, "comment", ((const struct comment *)c->new)->text);
	else if (!strcmp(kind, "task_create") && c)
		say_text(w, "task", ((const struct task *)c->new)->description);
	else if (!strcmp(noun, "label") && c)
		say_label(w, kind, object_of(c));
	else
		w->tail = arena_printf(a, "%s this %s", w->highlight.p, noun);
}

/* Only its time changed: it is listed because of its parts. */
static bool is_only_touched(const struct change *c)
{
	for (int i = 0; i < c->of->n_fields; i++) {
		const struct field *f = &c->of->fields[i];
		if (is_told(f, c) && strcmp(f->name, "updated_at") != 0)
			return false;
	}
	return c->type == CHANGE_UPDATE;
}

/* If all of them enter the same state, that state's verb is used. */
static void say_multi(struct words *w, const struct batch *b, const char *kind)
{
	size_t n = 0;
	const char *verb = NULL;
	for (size_t i = 0; i < b->n; i++) {
		const struct change *c = &b->changes[i];
		if (c->of != &res_story || !tells_something(c) || is_only_touched(c))
			continue;
		const char *own = !changed(c, "current_state")
			? "edited"
			: words_story_states[((const struct story *)c->new)->current_state];
		verb = n++ && strcmp(verb, own) != 0 ? "edited" : own;
	}
	verb = starts_with(kind, "story_delete")  ? "deleted"
		: starts_with(kind, "story_move") ? "moved"
		: verb                            ? verb
						  : "edited";
	w->highlight = str_of(verb);
	w->tail = n == 1 ? arena_printf(w->s->arena, "%s 1 story", verb)
			 : arena_printf(w->s->arena, "%s %zu stories", verb, n);
}

static struct words say(const struct scene *s, const struct batch *b, size_t stories)
{
	const char *kind = b->activity;
	size_t noun_n = (size_t)(strrchr(kind, '_') - kind);
	struct words w = { .s = s };
	const struct change *c = change_of(b, kind, noun_n);
	if (ends_with(kind, "_multi")) {
		say_multi(&w, b, kind);
	} else if (starts_with(kind, "story_move")) {
		c = change_of(b, "story", 5);
		w.highlight = STR("moved");
		if (!strcmp(kind, "story_move") && c)
			say_story_move(&w, c->new);
		else
			w.tail = starts_with(kind, "story_move_from")
				? STR("moved this story to another project")
				: STR("moved this story from another project");
	} else if (!strcmp(kind, "story_update") && c && c->type == CHANGE_UPDATE) {
		say_story_update(&w, c);
	} else if (!strcmp(kind, "task_update")) {
		say_task_update(&w, b);
	} else if (!strcmp(kind, "epic_update") && c && changed_only(c, "before_id", "after_id")) {
		const struct epic *e = c->new;
		say_move(&w, "epic", e->before_id, e->after_id);
	}
	if (!w.tail.p)
		say_rest(&w, kind, noun_n, c, stories);
	return w;
}

/* Subjects -------------------------------------------------------------------------- */

static void put_subject(struct json *j, const struct change *c)
{
	json_object(j);
	json_key(j, "kind");
	json_z(j, c->of->kind);
	json_key(j, "id");
	json_int(j, object_id(object_of(c)));
	for (int i = 0; i < c->of->n_fields; i++) {
		const struct field *f = &c->of->fields[i];
		if (!(f->flags & F_NAMES) || !strcmp(f->name, "story_priority"))
			continue;
		json_key(j, f->name);
		object_put(j, f, object_of(c));
	}
	/* Relative to the service's address, which answers put in front. */
	if (c->of == &res_story || c->of == &res_epic) {
		char url[64];
		snprintf(url, sizeof url, "/%s/show/%lld", c->of->kind,
			(long long)object_id(object_of(c)));
		json_key(j, "url");
		json_z(j, url);
	}
	json_object_end(j);
}

/* Under its current name. */
static void put_project(struct json *j, const struct batch *b)
{
	const struct change *c = change_of(b, "project", 7);
	const struct project *p = c && c->new ? c->new : b->project;
	json_object(j);
	json_key(j, "kind");
	json_z(j, "project");
	json_key(j, "id");
	json_int(j, p->id);
	json_key(j, "name");
	json_str(j, p->name);
	json_object_end(j);
}

/* Ids of a kind among the reported changes, each once. */
static struct ids ids_of(struct arena *a, const struct batch *b, const struct resource *of)
{
	int64_t *v = arena_array(a, b->n, sizeof *v);
	struct ids ids = { v, 0 };
	for (size_t i = 0; i < b->n; i++) {
		int64_t id = object_id(object_of(&b->changes[i]));
		if (b->changes[i].of == of && tells_something(&b->changes[i]) && !ids_have(ids, id))
			v[ids.n++] = id;
	}
	return ids;
}

/*
 * What an activity is about: the labels or epics of its kind, otherwise the stories, otherwise
 * the epics; otherwise the project. A change of a story is only about that story, not about those
 * that it no longer blocks.
 */
static struct str subjects(const struct batch *b, struct arena *a, struct ids stories)
{
	const struct resource *of = starts_with(b->activity, "label") ? &res_label
		: starts_with(b->activity, "epic") || stories.n == 0  ? &res_epic
								      : &res_story;
	bool alone = !strcmp(b->activity, "story_update") || !strcmp(b->activity, "story_move");
	bool is_multi = ends_with(b->activity, "_multi");
	struct ids done = { 0 };
	struct buf buf = { 0 };
	struct json j;
	json_init(&j, &buf);
	json_array(&j);
	for (size_t i = 0; i < b->n && !(alone && done.n); i++) {
		const struct change *c = &b->changes[i];
		int64_t id = object_id(object_of(c));
		if (c->of != of || !tells_something(c) || ids_have(done, id) ||
			(is_multi && is_only_touched(c)))
			continue;
		done = ids_with(a, done, id);
		put_subject(&j, c);
	}
	if (!done.n)
		put_project(&j, b);
	json_array_end(&j);
	struct str text = arena_str(a, buf_str(&buf));
	buf_free(&buf);
	return text;
}

static struct str changes(const struct batch *b, struct arena *a)
{
	struct buf buf = { 0 };
	struct json j;
	json_init(&j, &buf);
	json_array(&j);
	for (size_t i = 0; i < b->n; i++)
		if (tells_something(&b->changes[i]))
			put_change(&j, &b->changes[i]);
	json_array_end(&j);
	struct str text = arena_str(a, buf_str(&buf));
	buf_free(&buf);
	return text;
}

/* After the sentence, which clients expect to begin with the name. */
static struct str name_agent(const struct scene *s, struct str message)
{
	if (!s->agent_token.p)
		return message;
	if (s->agent_token.n == 0)
		return arena_printf(s->arena, "%.*s (by the API token)", (int)message.n, message.p);
	return arena_printf(s->arena, "%.*s (by the token \"%.*s\")", (int)message.n, message.p,
		(int)s->agent_token.n, s->agent_token.p);
}

void activity_make(const struct scene *s, const struct batch *b, struct activity *a)
{
	a->story_ids = ids_of(s->arena, b, &res_story);
	a->epic_ids = ids_of(s->arena, b, &res_epic);
	struct words w = say(s, b, a->story_ids.n);
	const char *kind = b->activity;
	if (str_equal_z(w.highlight, "moved") && ends_with(kind, "_update"))
		kind = starts_with(kind, "epic") ? "epic_move" : "story_move";
	a->kind = arena_printf(s->arena, "%s_activity", kind);
	a->highlight = w.highlight;
	a->message = name_agent(s,
		arena_printf(s->arena, "%.*s %.*s", (int)s->me->name.n, s->me->name.p,
			(int)w.tail.n, w.tail.p));
	a->changes = changes(b, s->arena);
	a->primary_resources = subjects(b, s->arena, a->story_ids);
	a->has_secondary = !starts_with(kind, "label") && !starts_with(kind, "story_delete");
}
