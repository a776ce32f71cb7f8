#include "domain_world.h"

#include <stdlib.h>
#include <string.h>

#include "domain_people.h"
#include "lib/when.h"
#include "model/model.h"
#include "model/part_kinds.h"
#include "model/tally.h"
#include "store/load.h"

enum { GAP = 1 << 20 };

#define MADE "\"created_at\": \"2024-01-01T00:00:00Z\", \"updated_at\": \"2024-01-01T00:00:00Z\""

const struct domain_kind domain_kinds[] = {
	{ "project", &res_project, 0, true,
		"{\"name\": \"Project #\", \"automatic_planning\": true, \"version\": 1,"
		" \"point_scale\": \"0,1,2,3\"}" },
	{ "person", &res_member, 0, false,
		"{\"name\": \"Person #\", \"username\": \"person#\", \"initials\": \"P#\","
		" \"role\": \"member\", \"receives_in_app_notifications\": true}" },
	{ "label", &res_label, offsetof(struct scene, labels), true,
		"{\"name\": \"label #\", \"project_id\": 1, " MADE "}" },
	{ "story", &res_story, offsetof(struct scene, stories), true,
		"{\"name\": \"Story #\", \"project_id\": 1, \"requested_by_id\": 1, " MADE "}" },
	{ "task", &res_task, offsetof(struct scene, tasks), true, "{\"description\": \"Task #\"}" },
	{ "epic", &res_epic, offsetof(struct scene, epics), true,
		"{\"name\": \"Epic #\", \"project_id\": 1, " MADE "}" },
	{ "comment", &res_comment, offsetof(struct scene, comments), true,
		"{\"text\": \"Comment #\", \"person_id\": 1}" },
	{ "blocker", &res_blocker, offsetof(struct scene, blockers), true,
		"{\"description\": \"Blocker #\", \"person_id\": 1}" },
	{ "review_type", &res_review_type, offsetof(struct scene, review_types), true,
		"{\"name\": \"Type #\", \"project_id\": 1, " MADE "}" },
	{ "review", &res_review, offsetof(struct scene, reviews), true, "{\"review_type_id\": 1}" },
	{ "pull_request", &res_pull_request, offsetof(struct scene, pull_requests), true,
		"{\"owner\": \"o\", \"repo\": \"r\", \"number\": #}" },
	{ "branch", &res_branch, offsetof(struct scene, branches), true,
		"{\"owner\": \"o\", \"repo\": \"r\", \"name\": \"b#\"}" },
	{ "cicd_event", &res_cicd_event, 0, true, "{\"name\": \"e#\"}" },
/* Kinds without a row above have their examples as defaults. */
#define PART(one, ONE, list, LIST, NOUN, NOUNS, EXAMPLE, ...)                                      \
	{ #one, &res_##one, offsetof(struct scene, list), true, EXAMPLE },
	LISTED_PARTS(PART){ "file_attachment", &res_file_attachment, offsetof(struct scene, files),
		false,
		"{\"uploader_id\": 1, \"filename\": \"f#\", \"size\": 1,"
		" \"content_type\": \"text/plain\", \"created_at\": \"2024-01-01T00:00:00Z\"}" },
	{ "google_attachment", &res_google_attachment, offsetof(struct scene, google), true,
		"{\"person_id\": 1, \"title\": \"g#\"}" },
	{ "integration", &res_integration, offsetof(struct scene, integrations), false,
		"{\"project_id\": 1}" },
	{ "address", &res_person, 0, true, "{\"email\": \"person#@example.test\"}" },
	{ "membership", &res_project_membership, 0, true,
		"{\"project_id\": 1, \"role\": \"member\", " MADE "}" },
	{ "account", &res_account, 0, true, "{\"name\": \"Account #\"}" },
	{ "account_membership", &res_account_membership, 0, true, "{\"account_id\": 1, " MADE "}" },
	{ "iteration_override", &res_iteration_override, 0, false, "{\"project_id\": 1}" },
};
const int domain_kinds_count = sizeof domain_kinds / sizeof *domain_kinds;

void domain_world_start(struct domain_world *w, struct arena *a)
{
	*w = (struct domain_world){ .arena = a, .me = 1 };
	when_parse(STR("2024-03-13T12:00:00Z"), &w->now);
}

const struct domain_kind *domain_world_kind(struct str word)
{
	for (int i = 0; i < domain_kinds_count; i++)
		if (str_equal_z(word, domain_kinds[i].word))
			return &domain_kinds[i];
	return NULL;
}

struct objects *domain_world_list(struct domain_world *w, const struct resource *of)
{
	for (int i = 0; i < domain_kinds_count; i++)
		if (domain_kinds[i].of == of)
			return &w->lists[i];
	return NULL;
}

/* From JSON ------------------------------------------------------------------------ */

static struct ids ids_of(struct arena *a, const struct body *list)
{
	struct ids ids = { 0 };
	for (const struct body *x = list->first; x; x = x->next)
		ids = ids_with(a, ids, x->integer);
	return ids;
}

/* False: the field cannot have a value of this type. */
static bool set_value(struct arena *a, const struct field *f, const struct body *v, void *object)
{
	char *to = (char *)object + f->at;
	int32_t days = 0;
	switch (f->type) {
	case FT_INT: *(int64_t *)to = v->integer; return v->type == BODY_INT;
	case FT_TIME: return v->type == BODY_TEXT && when_parse(v->text, (int64_t *)to);
	case FT_DATE: {
		bool is_date = v->type == BODY_TEXT && when_parse_date(v->text, &days);
		*(int64_t *)to = days;
		return is_date;
	}
	case FT_FLOAT:
	case FT_DECIMAL:
		*(double *)to = v->type == BODY_INT ? (double)v->integer : v->number;
		return v->type == BODY_INT || v->type == BODY_FLOAT;
	case FT_BOOL: *(bool *)to = v->boolean; return v->type == BODY_BOOL;
	case FT_WORD:
		*(int *)to = words_find(f->words, v->text.p, v->text.n);
		return v->type == BODY_TEXT && *(int *)to != WORD_NONE;
	case FT_IDS:
	case FT_REFS: *(struct ids *)to = ids_of(a, v); return v->type == BODY_ARRAY;
	default: *(struct str *)to = v->text; return v->type == BODY_TEXT;
	}
}

/* The field that an object holds under a name. */
static const struct field *field_of(const struct resource *of, struct str name)
{
	for (int i = 0; i < of->n_fields; i++) {
		const struct field *f = &of->fields[i];
		bool is_list = f->type == FT_LIST || f->type == FT_OBJECT || f->type == FT_LABELS ||
			f->type == FT_TALLY || f->type == FT_STRINGS || f->type == FT_SOME;
		if (f->at && !is_list && str_equal_z(name, f->name))
			return f;
	}
	return NULL;
}

/* Copies values to the object; unknown: names that no field has are ignored. */
static const char *fill(struct domain_world *w, const struct resource *of,
	const struct body *values, void *object, bool unknown)
{
	void *nothing = object_null(w->arena, of);
	for (const struct body *v = values->first; v; v = v->next) {
		const struct field *f = field_of(of, v->key);
		if (!f && unknown)
			continue;
		if (!f)
			return arena_printf(
				w->arena, "%s has no %.*s", of->kind, (int)v->key.n, v->key.p)
				.p;
		if (v->type == BODY_NULL)
			object_set(f, object, nothing);
		else if (!set_value(w->arena, f, v, object))
			return arena_printf(w->arena, "%s of %s cannot be that", f->name, of->kind)
				.p;
	}
	return NULL;
}

static const char *fill_defaults(struct domain_world *w, const struct resource *of,
	const char *defaults, int64_t id, void *object)
{
	struct buf b = { 0 };
	const char *problem;
	for (const char *p = defaults; *p; p++)
		if (*p == '#')
			buf_put_int(&b, id);
		else
			buf_put_char(&b, *p);
	const struct body *values =
		body_parse(w->arena, arena_str(w->arena, buf_str(&b)), &problem);
	buf_free(&b);
	return values ? fill(w, of, values, object, true) : problem;
}

const char *domain_world_add(struct domain_world *w, const struct domain_kind *kind, int64_t id,
	const struct body *values)
{
	if (!kind->of->size)
		return "no rule knows this kind";
	void *object = object_new(w->arena, kind->of);
	*(int64_t *)object = id;
	const char *fault = kind->of->depth == 2
		? fill_defaults(w, kind->of, "{\"story_id\": 1, " MADE "}", id, object)
		: NULL;
	if (!fault)
		fault = fill_defaults(w, kind->of, kind->defaults, id, object);
	if (!fault && kind->of == &res_member && id == 1)
		fault = fill_defaults(w, kind->of,
			"{\"name\": \"Ada\", \"username\": \"ada\", \"role\": \"owner\"}", id,
			object);
	if (!fault && values && body_get(values, "epic_id"))
		fault = fill_defaults(w, kind->of, "{\"story_id\": null}", id, object);
	if (!fault && values)
		fault = fill(w, kind->of, values, object, false);
	objects_add(w->arena, domain_world_list(w, kind->of), object);
	return fault;
}

/* What follows from all objects -------------------------------------------------------- */

static void add_default(struct domain_world *w, const char *word)
{
	const struct domain_kind *kind = domain_world_kind(str_of(word));
	if (!objects_find(domain_world_list(w, kind->of), 1))
		domain_world_add(w, kind, 1, NULL);
}

static void finish_ranks(struct domain_world *w)
{
	struct objects *stories = domain_world_list(w, &res_story);
	struct objects *epics = domain_world_list(w, &res_epic);
	struct objects *tasks = domain_world_list(w, &res_task);
	for (size_t i = 0; i < stories->n; i++) {
		struct story *s = stories->v[i];
		if (s->rank == NIL)
			s->rank = s->current_state == STATE_ACCEPTED ? s->accepted_at
								     : (int64_t)(i + 1) * GAP;
	}
	for (size_t i = 0; i < epics->n; i++) {
		struct epic *e = epics->v[i];
		if (e->rank == NIL)
			e->rank = (int64_t)(i + 1) * GAP;
	}
	for (size_t i = 0; i < tasks->n; i++) {
		struct task *t = tasks->v[i];
		t->position = 1;
		for (size_t k = 0; k < i; k++)
			t->position += ((struct task *)tasks->v[k])->story_id == t->story_id;
	}
}

void domain_world_tally(
	const struct domain_world *w, const struct label *l, double tally[TALLY_MAX])
{
	struct objects *stories =
		domain_world_list((struct domain_world *)(uintptr_t)w, &res_story);
	memset(tally, 0, TALLY_MAX * sizeof *tally);
	for (size_t i = 0; i < stories->n; i++) {
		const struct story *s = stories->v[i];
		if (ids_have(s->label_ids, l->id))
			tally_add(tally, s->current_state, s->estimate, 1);
	}
}

static void finish_counts(struct domain_world *w)
{
	struct objects *projects = domain_world_list(w, &res_project);
	struct objects *labels = domain_world_list(w, &res_label);
	for (size_t i = 0; i < projects->n; i++) {
		struct project *p = projects->v[i];
		int64_t *counts = arena_array(w->arena, SECTIONS, sizeof *counts);
		struct objects order = domain_world_order(w, p->id, NIL);
		for (size_t k = 0; k < order.n; k++)
			counts[scene_section(((struct story *)order.v[k])->current_state)]++;
		p->story_counts = (struct ids){ counts, SECTIONS };
	}
	for (size_t i = 0; i < labels->n; i++)
		domain_world_tally(w, labels->v[i], ((struct label *)labels->v[i])->tally);
}

void domain_world_finish(struct domain_world *w)
{
	add_default(w, "project");
	add_default(w, "person");
	finish_ranks(w);
	finish_counts(w);
}

/* Order ----------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	const struct story *x = *(void *const *)a, *y = *(void *const *)b;
	int p = (int)scene_section(x->current_state), q = (int)scene_section(y->current_state);
	if (p != q)
		return p - q;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

struct objects domain_world_order(const struct domain_world *w, int64_t project, int64_t without)
{
	struct objects *all = domain_world_list((struct domain_world *)(uintptr_t)w, &res_story);
	struct objects order = { 0 };
	for (size_t i = 0; i < all->n; i++) {
		struct story *s = all->v[i];
		if (s->project_id == project && s->id != without)
			objects_add(w->arena, &order, s);
	}
	if (order.n)
		qsort(order.v, order.n, sizeof *order.v, compare);
	return order;
}

static int compare_epics(const void *a, const void *b)
{
	const struct epic *x = *(void *const *)a, *y = *(void *const *)b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

struct objects domain_world_epics(const struct domain_world *w, int64_t project)
{
	struct objects *all = domain_world_list((struct domain_world *)(uintptr_t)w, &res_epic);
	struct objects order = { 0 };
	for (size_t i = 0; i < all->n; i++)
		if (((struct epic *)all->v[i])->project_id == project)
			objects_add(w->arena, &order, all->v[i]);
	if (order.n)
		qsort(order.v, order.n, sizeof *order.v, compare_epics);
	return order;
}

void domain_world_spread(
	struct domain_world *w, int64_t project, const struct spread *spread, int64_t without)
{
	struct objects order = domain_world_order(w, project, without);
	int64_t rank = spread->rank;
	for (size_t i = 0; i < order.n; i++) {
		struct story *s = order.v[i];
		if ((int)scene_section(s->current_state) != spread->section ||
			s->rank < spread->rank || (s->rank == spread->rank && s->id <= spread->id))
			continue;
		s->rank = rank += GAP;
	}
}

/* Saving -------------------------------------------------------------------------------------- */

static void drop(struct objects *list, int64_t id)
{
	size_t n = 0;
	for (size_t i = 0; i < list->n; i++)
		if (object_id(list->v[i]) != id)
			list->v[n++] = list->v[i];
	list->n = n;
}

void domain_world_drop_parts(struct domain_world *w, const char *name, int64_t id)
{
	for (int i = 0; i < domain_kinds_count; i++) {
		const struct resource *of = domain_kinds[i].of;
		struct objects *list = &w->lists[i];
		int at = resource_field(of, name);
		size_t n = 0;
		if (at < 0 || !of->fields[at].at)
			continue;
		for (size_t k = 0; k < list->n; k++)
			if (*(const int64_t *)object_value(&of->fields[at], list->v[k]) != id)
				list->v[n++] = list->v[k];
		list->n = n;
	}
}

static void unblock(struct domain_world *w, int64_t story)
{
	struct objects *blockers = domain_world_list(w, &res_blocker);
	for (size_t i = 0; i < blockers->n; i++) {
		struct blocker *b = blockers->v[i];
		b->blocking_story_ids = ids_without(w->arena, b->blocking_story_ids, story);
	}
}

static const struct label *label_at(struct domain_world *w, struct ids ids, size_t i)
{
	return objects_find(domain_world_list(w, &res_label), ids.v[i]);
}

static bool stands_before(const struct label *a, const struct label *b)
{
	size_t n = a->name.n < b->name.n ? a->name.n : b->name.n;
	int order = memcmp(a->name.p, b->name.p, n);
	return order < 0 || (order == 0 && a->name.n < b->name.n);
}

/* A story's labels are in order of their names, also after one is renamed. */
static void sort_labels(struct domain_world *w, int64_t label)
{
	struct objects *stories = domain_world_list(w, &res_story);
	for (size_t i = 0; i < stories->n; i++) {
		struct story *s = stories->v[i];
		if (!ids_have(s->label_ids, label))
			continue;
		s->label_ids = ids_once(w->arena, s->label_ids); /* a copy */
		int64_t *v = (int64_t *)(uintptr_t)s->label_ids.v;
		for (size_t k = 1; k < s->label_ids.n; k++)
			for (size_t n = k; n > 0 &&
				stands_before(label_at(w, s->label_ids, n),
					label_at(w, s->label_ids, n - 1));
				n--) {
				int64_t moved = v[n];
				v[n] = v[n - 1];
				v[n - 1] = moved;
			}
	}
}

/* Removes what disappears along with an object without being reported. */
static void drop_links(struct domain_world *w, const struct change *c)
{
	struct objects *stories = domain_world_list(w, &res_story);
	int64_t id = object_id(c->old);
	for (size_t i = 0; c->of == &res_label && i < stories->n; i++) {
		struct story *s = stories->v[i];
		s->label_ids = ids_without(w->arena, s->label_ids, id);
	}
	if (c->of == &res_story) {
		domain_world_drop_parts(w, "story_id", id);
		unblock(w, id);
	} else if (c->of == &res_epic) {
		domain_world_drop_parts(w, "epic_id", id);
	}
}

int64_t domain_world_new_id(struct domain_world *w, const struct resource *of)
{
	int64_t *last = &w->last_ids[domain_world_list(w, of) - w->lists];
	return *last = (*last ? *last : DOMAIN_IDS_FROM - 1) + 1;
}

/* Whether requests about that kind make these: one about projects and their people makes no parts of stories, or the other
   way round; there are not pools enough for both. */
static bool is_for(const struct domain_kind *kind, const struct resource *target)
{
	return kind->of->size && kind->is_made && domain_world_kind(str_of(kind->word)) == kind &&
		(kind->of == &res_review_type ||
			domain_people_are(kind->of) == domain_people_are(target));
}

struct id_pool *domain_world_pools(const struct domain_world *w, const struct resource *target)
{
	enum { NEW = 600 };
	struct id_pool *pools = arena_array(w->arena, ID_POOLS_MAX, sizeof *pools), *pool = pools;
	for (int i = 0; i < domain_kinds_count && pool < pools + ID_POOLS_MAX; i++) {
		if (!is_for(&domain_kinds[i], target))
			continue;
		int64_t *v = arena_array(w->arena, NEW, sizeof *v);
		int64_t last = w->last_ids[i];
		for (int k = 0; k < NEW; k++)
			v[k] = (last ? last + 1 : DOMAIN_IDS_FROM) + k;
		*pool++ = (struct id_pool){ .of = domain_kinds[i].of, .ids = { v, NEW } };
	}
	return pools;
}

static void note_id(struct domain_world *w, const struct objects *list, int64_t id)
{
	int64_t *last = &w->last_ids[list - w->lists];
	if (id > *last)
		*last = id;
}

void domain_world_save(struct domain_world *w, const struct outcome *out)
{
	for (const struct batch *b = out->batches; b; b = b->next)
		for (size_t i = 0; i < b->n; i++) {
			const struct change *c = &b->changes[i];
			struct objects *list = domain_world_list(w, c->of);
			if (!list || c->elsewhere || domain_people_put(w, c))
				continue;
			if (c->type != CHANGE_CREATE)
				drop(list, object_id(c->old));
			if (c->new)
				objects_add(w->arena, list, c->new);
			else
				drop_links(w, c);
			if (c->of == &res_label && c->type == CHANGE_UPDATE)
				sort_labels(w, object_id(c->new));
			if (c->type == CHANGE_CREATE)
				note_id(w, list, object_id(c->new));
			domain_people_follow(w, c);
		}
}

void domain_world_advance(struct domain_world *w, const struct outcome *out)
{
	struct objects *projects = domain_world_list(w, &res_project);
	for (const struct batch *b = out->batches; b; b = b->next)
		for (size_t i = 0; b->activity && b->n && b->project && i < projects->n; i++) {
			if (object_id(projects->v[i]) != b->project->id)
				continue;
			struct project *p = object_copy(w->arena, &res_project, projects->v[i]);
			int64_t *counts = arena_array(w->arena, SECTIONS, sizeof *counts);
			for (int k = 0; k < SECTIONS; k++)
				counts[k] = p->story_counts.v[k] + b->counts[k];
			p->story_counts = (struct ids){ counts, SECTIONS };
			p->version++;
			projects->v[i] = p;
		}
}
