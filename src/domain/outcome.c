#include "domain/outcome.h"

#include <stdarg.h>
#include <string.h>

#include "lib/log.h"

const struct member *scene_member(const struct scene *s, int64_t person)
{
	if (person == s->me->id && s->me->role != WORD_NONE)
		return s->me;
	const struct member *m = objects_find(&s->members, person);
	return m && m->role != WORD_NONE ? m : NULL;
}

enum section scene_section(int state)
{
	switch (state) {
	case STATE_ACCEPTED: return SECTION_DONE;
	case STATE_PLANNED: return SECTION_PLANNED;
	case STATE_UNSTARTED: return SECTION_BACKLOG;
	case STATE_UNSCHEDULED: return SECTION_ICEBOX;
	default: return SECTION_WORK;
	}
}

/* Changes -------------------------------------------------------------------- */

void outcome_init(struct outcome *out, const struct scene *scene, const char *activity)
{
	*out = (struct outcome){ .scene = scene };
	out->problems_end = &out->problems;
	outcome_turn(out, scene->project, activity);
}

void outcome_turn(struct outcome *out, const struct project *project, const char *activity)
{
	struct batch *b = arena_alloc(out->scene->arena, sizeof *b);
	struct batch **end = &out->batches;
	b->project = project;
	b->activity = activity;
	b->news_end = &b->news;
	while (*end)
		end = &(*end)->next;
	*end = b;
	out->batch = b;
}

static struct change *add_change(struct outcome *out)
{
	struct batch *b = out->batch;
	if ((b->n & (b->n - 1)) == 0) { /* full at powers of two */
		struct change *grown =
			arena_array(out->scene->arena, b->n ? 2 * b->n : 1, sizeof *grown);
		if (b->n)
			memcpy(grown, b->changes, b->n * sizeof *grown);
		b->changes = grown;
	}
	return &b->changes[b->n++];
}

static struct change *find_change(const struct outcome *out, const struct resource *of, int64_t id)
{
	for (size_t i = 0; i < out->batch->n; i++) {
		struct change *c = &out->batch->changes[i];
		if (c->of == of && c->new && object_id(c->new) == id)
			return c;
	}
	return NULL;
}

void *outcome_create(struct outcome *out, const struct resource *of, void *object)
{
	*add_change(out) = (struct change){ .type = CHANGE_CREATE, .of = of, .new = object };
	return object;
}

void *outcome_edit(struct outcome *out, const struct resource *of, const void *old)
{
	struct change *c = find_change(out, of, object_id(old));
	return c ? c->new : outcome_change(out, of, old);
}

void *outcome_change(struct outcome *out, const struct resource *of, const void *old)
{
	struct change *c = add_change(out);
	*c = (struct change){ .type = CHANGE_UPDATE, .of = of, .old = old };
	c->new = object_copy(out->scene->arena, of, old);
	return c->new;
}

void outcome_put(struct outcome *out, const struct resource *of, const void *old, void *new)
{
	*add_change(out) =
		(struct change){ .type = CHANGE_UPDATE, .of = of, .old = old, .new = new };
}

const void *outcome_see(const struct outcome *out, const struct resource *of, const void *old)
{
	struct change *c = find_change(out, of, object_id(old));
	return c ? c->new : old;
}

const void *outcome_made(const struct outcome *out, const struct resource *of, int64_t id)
{
	struct change *c = find_change(out, of, id);
	return c && c->type == CHANGE_CREATE ? c->new : NULL;
}

void outcome_delete(struct outcome *out, const struct resource *of, const void *old)
{
	*add_change(out) = (struct change){ .type = CHANGE_DELETE, .of = of, .old = old };
}

void outcome_silence(struct outcome *out)
{
	out->batch->changes[out->batch->n - 1].silent = true;
}

void outcome_elsewhere(struct outcome *out)
{
	out->batch->changes[out->batch->n - 1].elsewhere = true;
}

void *outcome_new(struct outcome *out, const struct resource *of)
{
	struct id_pool *pools = out->scene->pools;
	void *object = object_new(out->scene->arena, of);
	for (int i = 0; pools && i < ID_POOLS_MAX; i++)
		if (pools[i].of == of && pools[i].used < pools[i].ids.n) {
			*(int64_t *)object = pools[i].ids.v[pools[i].used++];
			return object;
		}
	log_die("a command makes more %s objects than it reserved ids for", of->kind);
}

bool outcome_differs_but(
	const struct resource *of, const void *old, const void *new, const char *name)
{
	for (int i = 0; i < of->n_fields; i++) {
		const struct field *f = &of->fields[i];
		if (f->flags & F_STORED && strcmp(f->name, "updated_at") != 0 &&
			strcmp(f->name, name) != 0 && !object_same(f, old, new))
			return true;
	}
	return false;
}

bool outcome_differs(const struct resource *of, const void *old, const void *new)
{
	return outcome_differs_but(of, old, new, "updated_at");
}

static bool is_idle(const struct change *c)
{
	if (c->type != CHANGE_UPDATE)
		return false;
	for (int i = 0; i < c->of->n_fields; i++)
		if (c->of->fields[i].flags & F_STORED &&
			!object_same(&c->of->fields[i], c->old, c->new))
			return false;
	return true;
}

bool outcome_settle(struct outcome *out)
{
	bool left = false;
	for (struct batch *b = out->batches; b; b = b->next) {
		size_t n = 0;
		for (size_t i = 0; i < b->n; i++)
			if (!is_idle(&b->changes[i]))
				b->changes[n++] = b->changes[i];
		b->n = n;
		left = left || n > 0;
	}
	return left;
}

/* News ----------------------------------------------------------------------- */

static void add_news(struct outcome *out, const struct news *news, struct ids people)
{
	struct news *n = arena_alloc(out->scene->arena, sizeof *n);
	*n = *news;
	n->project_id = out->batch->project ? out->batch->project->id : NIL;
	n->people = people;
	n->next = NULL;
	*out->batch->news_end = n;
	out->batch->news_end = &n->next;
}

void outcome_tell_newcomer(
	struct outcome *out, const struct news *news, const struct person *person)
{
	if (person->id != out->scene->me->id && person->receives_in_app_notifications)
		add_news(out, news, ids_with(out->scene->arena, (struct ids){ 0 }, person->id));
}

void outcome_tell(struct outcome *out, const struct news *news)
{
	const struct scene *s = out->scene;
	struct ids once = ids_once(s->arena, news->people);
	int64_t *v = arena_array(s->arena, once.n, sizeof *v);
	struct ids heard = { v, 0 };
	for (size_t i = 0; i < once.n; i++) {
		const struct member *m = scene_member(s, once.v[i]);
		if (m && m->id != s->me->id && m->receives_in_app_notifications)
			v[heard.n++] = m->id;
	}
	if (heard.n)
		add_news(out, news, heard);
}

struct news *outcome_news(const struct outcome *out)
{
	struct news *all = NULL, **end = &all;
	for (struct batch *b = out->batches; b; b = b->next)
		if (b->n && b->news && (!b->project || b->activity)) {
			*end = b->news;
			end = b->news_end;
		}
	return all;
}

/* Refusals --------------------------------------------------------------------- */

static void add_problem(struct outcome *out, const char *field, struct str text)
{
	struct problem *p = arena_alloc(out->scene->arena, sizeof *p);
	p->field = str_of(field);
	p->text = text;
	*out->problems_end = p;
	out->problems_end = &p->next;
}

void outcome_problem(struct outcome *out, const char *field, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_problem(out, field, arena_vprintf(out->scene->arena, format, args));
	va_end(args);
}

void outcome_rename(struct outcome *out, const char *field, const char *sent)
{
	for (struct problem *p = out->problems; p; p = p->next)
		if (str_equal_z(p->field, field))
			p->field = str_of(sent);
}

bool outcome_is_refused(const struct outcome *out)
{
	return out->problems || out->general_problem.p || out->requirement.p;
}

enum rc outcome_refuse(struct outcome *out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	out->general_problem = arena_vprintf(out->scene->arena, format, args);
	va_end(args);
	return RC_INVALID_PARAMETER;
}

enum rc outcome_refuse_field(struct outcome *out, const char *field, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_problem(out, field, arena_vprintf(out->scene->arena, format, args));
	va_end(args);
	return RC_INVALID_PARAMETER;
}

enum rc outcome_require(struct outcome *out, const char *requirement, const char *possible_fix)
{
	out->requirement = arena_str(out->scene->arena, str_of(requirement));
	out->possible_fix = str_of(possible_fix);
	return RC_INVALID_PARAMETER;
}
