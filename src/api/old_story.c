#include "api/old_story.h"

#include <string.h>

#include "http/route.h"
#include "http/sign_in.h"
#include "lib/quote.h"
#include "model/object.h"
#include "old/old_path.h"
#include "old/old_wish.h"

static struct body *ids_value(struct arena *a, const struct rows *rows, int column)
{
	struct body *list = body_new_array(a);
	const struct ids ids = object_ids(a, rows, 0, column);
	for (size_t i = 0; i < ids.n; i++)
		body_append(list, (struct str){ 0 }, body_new_int(a, ids.v[i]));
	return list;
}

/* If the story already has a person of this name in this field, keeps that person in the body. */
static bool keep_person(struct req *r, const struct rows *rows, const struct old_wish_name *name)
{
	int column = rows && db_count(rows) ? db_column(rows, name->name) : -1;
	if (column < 0 || db_is_null(rows, 0, column) ||
		!str_equal(db_get_text(rows, 0, column), name->person))
		return false;
	if (!strcmp(name->writes, "owned_by_id"))
		body_append(r->body, STR("owner_ids"),
			ids_value(r->arena, rows, db_column(rows, "owner_ids")));
	else
		body_append(r->body, str_of(name->writes),
			body_new_int(r->arena, db_get_int(rows, 0, db_column(rows, name->writes))));
	return true;
}

/* v4 names the first owner by id: the others stay. */
static void keep_owners(struct req *r, const struct rows *rows)
{
	struct body *first = body_get(r->body, "owned_by_id");
	int column = db_column(rows, "owner_ids");
	const struct ids owners = object_ids(r->arena, rows, 0, column);
	int64_t given;
	if (!first || first->type != BODY_TEXT || !str_to_int(first->text, &given) ||
		owners.n == 0 || given != owners.v[0])
		return;
	body_remove(r->body, first);
	body_append(r->body, STR("owner_ids"), ids_value(r->arena, rows, column));
}

/* For an update: looks up the story, and keeps its owners. */
static enum rc look_at_story(struct req *r, struct rows **rows)
{
	const struct db_param params[] = { db_int(r->arena, route_id(r, ":project")),
		db_int(r->arena, route_id(r, ":story")) };
	*rows = NULL;
	if (!str_equal_z(r->method, "PUT") || r->old.path->body != &old_story)
		return RC_OK;
	enum rc rc = sign_in_ask(r, STMT_OLD_STORY, 2, params, rows);
	if (!rc && db_count(*rows))
		keep_owners(r, *rows);
	return rc;
}

/* Takes the only person of that name; refuses if there are several or none. */
static void take_person(struct req *r, const struct rows *rows, const struct old_wish_name *name)
{
	int64_t id = 0;
	int n = 0;
	for (int i = 0; i < db_count(rows); i++)
		if (str_equal(db_get_text(rows, i, db_column(rows, "name")), name->person)) {
			id = db_get_int(rows, i, db_column(rows, "person_id"));
			n++;
		}
	if (n == 1)
		body_append(r->body, str_of(name->writes), body_new_int(r->arena, id));
	else
		req_refuse(r,
			req_fail_field(r, name->name,
				n ? "'%s' must be a name that only one person of the project has, unlike: %s"
				  : "'%s' must be the name of a person of the project, unlike: %s",
				name->name, quote_text(r->arena, name->person).p));
}

static enum rc find_people(struct req *r)
{
	const struct old_wish *w = r->old.wish;
	struct str names[OLD_NAMES_MAX];
	struct rows *story, *people = NULL;
	enum rc rc = look_at_story(r, &story);
	bool found[OLD_NAMES_MAX];
	int n = 0;
	for (int i = 0; !rc && i < w->n_names; i++)
		if (!(found[i] = keep_person(r, story, &w->names[i])))
			names[n++] = w->names[i].person;
	if (rc || n == 0)
		return rc;
	const struct db_param params[] = { req_token_param(r),
		db_int_or_null(r->arena, r->login_id, 0), db_int(r->arena, route_id(r, ":project")),
		db_texts(r->arena, names, (size_t)n) };
	rc = sign_in_ask(r, STMT_OLD_PEOPLE, 4, params, &people);
	for (int i = 0; !rc && i < w->n_names; i++)
		if (!found[i])
			take_person(r, people, &w->names[i]);
	return rc;
}

enum rc old_story_write(struct req *r)
{
	enum rc rc = r->refused || !r->old.wish ? RC_OK : find_people(r);
	return rc ? rc : r->old.act(r);
}
