#include "api/people.h"

#include "http/route.h"
#include "model/model.h"

static struct str kept(struct load *l, const struct rows *rows, int row, int column)
{
	return db_is_null(rows, row, column) ? (struct str){ 0 }
					     : arena_str(l->arena, db_get_text(rows, row, column));
}

static void take_names(struct load *l, const struct rows *rows)
{
	int n = db_count(rows), username = db_column(rows, "username");
	struct str *v = arena_array(l->arena, (size_t)n, sizeof *v);
	l->scene->usernames = (struct strs){ v, 0 };
	for (int i = 0; i < n; i++)
		if (!db_is_null(rows, i, username))
			v[l->scene->usernames.n++] = kept(l, rows, i, username);
	if (n > 0)
		l->scene->initials = kept(l, rows, 0, db_column(rows, "initials"));
}

/* What a new person may be called. */
static void load_names(struct command *c, const struct person_ref *ref)
{
	struct arena *a = c->r->arena;
	const struct db_param params[] = { db_text(a, person_base(a, ref->email)),
		db_text(a, person_letters(a, ref->name)), db_text(a, ref->email) };
	load_ask_rows(&c->load, STMT_LOAD_USERNAMES, 3, params, take_names);
	load_new_ids(&c->load, &res_person, 1);
}

void people_load(struct command *c, const struct person_ref *ref)
{
	struct arena *a = c->r->arena;
	int64_t account = route_id(c->r, ":account");
	c->scene.only_seen = str_equal_z(str_of(c->r->conf->add_people_by_id), "seen");
	if (ref->id == NIL && !ref->email.p)
		return;
	const struct db_param params[] = { c->load.mac, c->load.login,
		ref->id == NIL ? db_null() : db_int(a, ref->id),
		ref->id == NIL ? db_text(a, ref->email) : db_null(), c->load.project,
		account ? db_int(a, account) : db_null() };
	load_ask(&c->load, STMT_LOAD_PERSON, 6, params, &res_person, &c->scene.people);
	if (ref->id == NIL && ref->name.p)
		load_names(c, ref);
}
