#include "api/people.h"

#include "http/route.h"
#include "model/model.h"

/* What a new person may be called. */
static void load_names(struct command *c, const struct person_ref *ref)
{
	struct arena *a = c->r->arena;
	const struct db_param params[] = { db_text(a, person_base(a, ref->email)),
		db_text(a, person_letters(a, ref->name)), db_text(a, ref->email) };
	load_ask_rows(&c->load, STMT_LOAD_USERNAMES, 3, params, load_take_names);
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
