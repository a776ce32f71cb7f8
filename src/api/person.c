/* People: what commands that name people load, and endpoints. */
#include "api/person.h"

#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/bind.h"
#include "http/list.h"
#include "http/route.h"
#include "model/model.h"

static const struct field known_person_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "known_person" },
	{ "id", FT_INT, F_HIDDEN, .doc = "Identifier of the person." },
	{ "person", FT_ONE, F_DEFAULT | F_HIDES_KEY, .child = &res_person, .key = "person_id",
		.doc = "The person." },
	{ "person_id", FT_INT, 0, .doc = "Identifier of the person." },
	{ "collaboration_factor", FT_INT, F_DEFAULT,
		.doc = "How many projects the caller shares with the person." },
};
static const struct resource res_known_person = { "known_person",
	RESOURCE_FIELDS(known_person_fields) };

static const struct field known_people_body_fields[] = {
	{ "emails", FT_STRINGS, F_CREATE | F_REQUIRED, .max = 500,
		.doc = "Addresses to look for." },
};
static const struct resource res_known_people_body = { "known_people",
	RESOURCE_FIELDS(known_people_body_fields) };

/* What commands load -------------------------------------------------------- */

/* What limits the user name and initials of a new person. */
static void load_names(struct command *c, const struct person_ref *ref)
{
	struct arena *a = c->r->arena;
	const struct db_param params[] = { db_text(a, person_base(a, ref->email)),
		db_text(a, person_letters(a, ref->name)), db_text(a, ref->email) };
	load_ask_rows(&c->load, STMT_LOAD_USERNAMES, 3, params, load_take_names);
	load_new_ids(&c->load, &res_person, 1);
}

void person_load(struct command *c, const struct person_ref *ref)
{
	struct arena *a = c->r->arena;
	int64_t account = route_id(c->r, ":account");
	c->scene.only_seen = !c->r->means.p && conf_adds_only_seen(c->r->conf);
	if (ref->id == NIL && !ref->email.p)
		return;
	const struct db_param params[] = { db_int_or_null(a, ref->id, NIL),
		ref->id == NIL ? db_text(a, ref->email) : db_null(), c->load.project,
		db_int_or_null(a, account, 0) };
	load_ask(&c->load, STMT_LOAD_PERSON, 4, params, &res_person, &c->scene.people);
	if (ref->id == NIL && ref->name.p)
		load_names(c, ref);
}

/* Endpoints ----------------------------------------------------------------- */

static enum rc list_known_people(struct req *r)
{
	struct db_param params[3];
	list_check(r);
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	bind_params(r, r->route->body, F_CREATE, params, 1);
	params[1] = db_int(r->arena, r->page.limit);
	params[2] = db_int(r->arena, list_offset(r));
	db_send(r->db, r->route->read, 3, params);
	crud_flush(r);
	rc = gate_allows(r);
	return rc ? rc : crud_answer_list(r);
}

static const struct param known_people_params[] = {
	{ "project_id", FT_INT, .flags = PARAM_REQUIRED | PARAM_PROJECT,
		.doc = "The project whose people to list." },
	{ "filter_by", FT_STRING,
		.where = "(position(lower(%s::text) in lower(p.name)) > 0"
			 " or position(lower(%s::text) in lower(p.email)) > 0"
			 " or position(lower(%s::text) in lower(p.initials)) > 0"
			 " or position(lower(%s::text) in lower(p.username)) > 0)",
		.doc = "Part of the name, address, initials or user name." },
	{ 0 },
};

const struct route person_routes[] = {
	{ "GET", "/me", NEED_PERSON, crud_get, &res_me, .read = STMT_ME_GET,
		.flags = R_BASIC | R_QUIET | R_ENROLS,
		.audit = AUDIT_TELLS(SIGN_IN) | AUDIT_TELLS(SIGN_IN_REFUSED),
		.doc = "The caller, with projects, accounts and API token." },
	{ "GET", "/my/people", NEED_PARTNER, crud_list, &res_known_person,
		.read = STMT_ACQUAINTANCES, .params = known_people_params,
		.flags = R_PAGED | R_NO_PAGE_HEADERS | R_QUIET, .limit = 1000, .limit_max = 1000,
		.example = "?project_id=99", .doc = "People of a project, other than the caller." },
	{ "POST", "/my/people", NEED_PARTNER, list_known_people, &res_known_person,
		.read = STMT_ACQUAINTANCES_BY_EMAILS, .body = &res_known_people_body,
		.params = known_people_params,
		.flags = R_PAGED | R_NO_PAGE_HEADERS | R_QUIET | R_READS, .limit = 1000,
		.limit_max = 1000, .example = "?project_id=99 {\"emails\":[\"grace@example.com\"]}",
		.scope = SCOPE_READ, .doc = "Known people with these addresses." },
	{ 0 },
};
