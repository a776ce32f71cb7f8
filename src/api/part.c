/*
 * Parts of stories other than tasks and comments: what their commands load, and their endpoints.
 */
#include "api/part.h"

#include "api/crud.h"
#include "api/routes.h"
#include "domain/blocker.h"
#include "domain/part.h"
#include "domain/review.h"
#include "model/model.h"

/* What commands load ------------------------------------------------------- */

/* Ids at an offset of the structs of wishes; null and absent ones are left out. */
static struct ids ids_at(struct arena *a, struct wishes list, size_t at)
{
	int64_t *v = arena_array(a, list.n, sizeof *v);
	struct ids ids = { v, 0 };
	for (size_t i = 0; i < list.n; i++) {
		int64_t id = *(const int64_t *)(const void *)((const char *)list.v[i]->object + at);
		if (id != NIL)
			v[ids.n++] = id;
	}
	return ids;
}

static void take_stories_named(struct load *l, const struct rows *rows)
{
	int64_t *v = arena_array(l->arena, (size_t)db_count(rows), sizeof *v);
	for (int i = 0; i < db_count(rows); i++)
		v[i] = db_get_int(rows, i, 0);
	l->scene->named_stories = (struct ids){ v, (size_t)db_count(rows) };
}

static void load_stories_named(struct command *c, struct wishes list)
{
	struct arena *a = c->r->arena;
	struct ids *named = arena_array(a, list.n, sizeof *named);
	size_t n = 0;
	for (size_t i = 0; i < list.n; i++) {
		const struct blocker *w = list.v[i]->object;
		named[i] = blocker_names(a, w->description);
		n += named[i].n;
	}
	if (n == 0)
		return;
	int64_t *v = arena_array(a, n, sizeof *v);
	struct ids all = { v, 0 };
	for (size_t i = 0; i < list.n; i++)
		for (size_t k = 0; k < named[i].n; k++)
			v[all.n++] = named[i].v[k];
	const struct db_param params[] = { c->load.project, c->load.story,
		db_ids(a, all.v, all.n) };
	load_ask_rows(&c->load, STMT_LOAD_STORIES_NAMED, 3, params, take_stories_named);
}

/*
 * Loads people, types and stories that wishes of parts name; for blockers, the people concerned.
 */
static void load_named(struct command *c, const struct resource *of, struct wishes list)
{
	struct arena *a = c->r->arena;
	if (of == &res_blocker) {
		load_stories_named(c, list);
		load_members(&c->load, ids_at(a, list, offsetof(struct blocker, person_id)),
			(struct strs){ 0 }, true, (struct ids){ 0 });
	} else if (of == &res_review) {
		struct ids types = ids_at(a, list, offsetof(struct review, review_type_id));
		const struct db_param params[] = { c->load.project, c->load.story,
			db_ids(a, types.v, types.n) };
		if (types.n)
			load_ask(&c->load, STMT_LOAD_REVIEW_TYPES, 3, params, &res_review_type,
				&c->scene.review_types);
		load_members(&c->load, ids_at(a, list, offsetof(struct review, reviewer_id)),
			(struct strs){ 0 }, false, (struct ids){ 0 });
	}
}

size_t part_load_known(struct command *c, const struct resource *of, struct wishes list,
	enum stmt stmt, struct objects *into)
{
	struct ids known = ids_at(c->r->arena, list, 0);
	const struct db_param params[] = { db_ids(c->r->arena, known.v, known.n), c->load.story };
	if (known.n)
		load_ask(&c->load, stmt, 2, params, of, into);
	return list.n - known.n;
}

void part_load(struct command *c, const struct resource *of, struct wishes list, enum stmt stmt,
	struct objects *into)
{
	if (list.n == 0)
		return;
	load_new_ids(&c->load, of, part_load_known(c, of, list, stmt, into));
	load_named(c, of, list);
}

static void load_part(struct command *c)
{
	load_named(c, c->r->route->target, (struct wishes){ &c->wish, 1 });
}

static void load_new_part(struct command *c)
{
	load_new_ids(&c->load, c->r->route->target, 1);
	load_part(c);
}

static void load_review_type_name(struct command *c)
{
	const struct review_type *w = command_wish(c);
	if (!w->name.p)
		return;
	const struct db_param params[] = { c->load.project,
		db_text(c->r->arena, review_type_name(w->name)) };
	load_ask(&c->load, STMT_LOAD_REVIEW_TYPE_NAMED, 2, params, &res_review_type,
		&c->scene.review_types);
}

static void load_new_review_type(struct command *c)
{
	load_new_ids(&c->load, &res_review_type, 1);
	load_review_type_name(c);
}

/* Endpoints ---------------------------------------------------------------- */

#define STORY "/projects/:project/stories/:story"

/* clang-format off */
#define PART_ROUTES(one, ONE, list, LIST, NOUN, NOUNS, EXAMPLE, CHANGE)				\
	{ "GET", STORY "/" #list, NEED_VIEWER, crud_list, &res_##one, .read = STMT_##ONE##_LIST, \
		.doc = NOUNS " of a story, oldest first." },					\
	{ "POST", STORY "/" #list, NEED_MEMBER, command_run, &res_##one,			\
		.read = STMT_##ONE##_GET, .activity = #one "_create", .target = &res_##one,	\
		.load = load_new_part, .decide = part_create, .example = EXAMPLE,		\
		.audit = AUDIT_UNTOLD, .doc = "Add a " NOUN "." },							\
	{ "GET", STORY "/" #list "/:id", NEED_VIEWER, crud_get, &res_##one,			\
		.read = STMT_##ONE##_GET, .doc = "One " NOUN "." },				\
	{ "PUT", STORY "/" #list "/:id", NEED_MEMBER, command_run, &res_##one,			\
		.read = STMT_##ONE##_GET, .activity = #one "_update", .target = &res_##one,	\
		.find = STMT_LOAD_##ONE, .load = load_part, .decide = part_update,		\
		.example = CHANGE, .audit = AUDIT_UNTOLD, .doc = "Change a " NOUN "." },				\
	{ "DELETE", STORY "/" #list "/:id", NEED_MEMBER, command_run, NULL,			\
		.activity = #one "_delete", .target = &res_##one, .find = STMT_LOAD_##ONE,	\
		.decide = part_delete, .audit = AUDIT_UNTOLD, .doc = "Delete a " NOUN "." },
/* clang-format on */

const struct route part_routes[] = {
	STORY_PARTS(PART_ROUTES){ "GET", "/projects/:project/review_types", NEED_VIEWER, crud_list,
		&res_review_type, .read = STMT_REVIEW_TYPE_LIST,
		.doc = "Review types of a project." },
	{ "POST", "/projects/:project/review_types", NEED_OWNER, command_run, &res_review_type,
		.read = STMT_REVIEW_TYPE_GET, .activity = "review_type_create",
		.target = &res_review_type, .load = load_new_review_type,
		.decide = review_type_create, .example = "{\"name\":\"Taste\"}",
		.audit = AUDIT_UNTOLD, .doc = "Add a review type." },
	{ "GET", "/projects/:project/review_types/:id", NEED_VIEWER, crud_get, &res_review_type,
		.read = STMT_REVIEW_TYPE_GET, .doc = "One review type." },
	{ "PUT", "/projects/:project/review_types/:id", NEED_OWNER, command_run, &res_review_type,
		.read = STMT_REVIEW_TYPE_GET, .activity = "review_type_update",
		.target = &res_review_type, .find = STMT_LOAD_REVIEW_TYPE,
		.load = load_review_type_name, .decide = review_type_update,
		.example = "{\"hidden\":true}", .audit = AUDIT_UNTOLD,
		.doc = "Rename or hide a review type." },
	{ 0 },
};
