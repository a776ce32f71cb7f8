/*
 * Placeholders of imports over HTTP: an administrator says which person of the account one stands
 * for, or people themselves claim what the files attribute to their address (planwright-import(7)).
 */
#include "transfer/people/claim.h"

#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/bind.h"
#include "http/audit_log.h"
#include "model/model.h"

static const struct field placeholder_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "placeholder" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier, in the range of people's ids." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "The name in the files." },
	{ "initials", FT_STRING, F_DEFAULT, .doc = "Their initials." },
};
static const struct resource res_placeholder = { "placeholder",
	RESOURCE_FIELDS(placeholder_fields) };

static const struct field claim_body_fields[] = {
	{ "person_id", FT_INT, F_CREATE | F_REQUIRED,
		.doc = "Who it is: a person of the account." },
};
static const struct resource res_claim_body = { "placeholder", RESOURCE_FIELDS(claim_body_fields) };

static const struct field own_body_fields[] = {
	{ "person_id", FT_INT, F_CREATE, .doc = "The caller, if given." },
};
static const struct resource res_own_body = { "placeholder", RESOURCE_FIELDS(own_body_fields) };

/* The result of the statement that checks the claim: the placeholder and the person. */
static enum rc run(struct req *r, enum stmt stmt, int n, const struct db_param *params, bool enters)
{
	struct rows *rows;
	db_send(r->db, stmt, n, params);
	db_flush(r->db);
	enum rc rc = db_next(r->db, &rows);
	if (rc)
		return req_fail_db(r, rc);
	if (db_count(rows) == 0)
		return RC_UNFOUND_RESOURCE;
	if (db_is_null(rows, 0, db_column(rows, "to_id")))
		return req_fail_field(r, "person_id", "Nobody in the account has this id.");
	if (db_get_bool(rows, 0, db_column(rows, "is_shared")))
		return req_fail(r, RC_INVALID_PARAMETER,
			"They also have work in projects of another account: only the server's "
			"administrator can assign it to somebody.");
	struct claim k = { .from = db_get_int(rows, 0, db_column(rows, "id")),
		.to = db_get_int(rows, 0, db_column(rows, "to_id")),
		.from_name = db_get_text(rows, 0, db_column(rows, "name")),
		.to_name = db_get_text(rows, 0, db_column(rows, "to_name")),
		.enters = enters };
	rc = claim_run(r->db, r->arena, &k);
	if (rc)
		return req_fail_db(r, rc);
	struct audit_entry e = audit_entry_of_person(AUDIT_CLAIM, k.to);
	e.name = k.from_name;
	r->status = 204;
	return audit_log_end(r, &e);
}

static enum rc claim_for(struct req *r)
{
	struct arena *a = r->arena;
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	const struct body *person = body_get(r->body, "person_id");
	const struct db_param params[] = { db_int(a, crud_id(r)),
		db_int(a, route_id(r, ":account")), db_int(a, r->person_id),
		db_int(a, person->integer) };
	return run(r, STMT_PLACEHOLDER_OF_ACCOUNT, 4, params, true);
}

static enum rc claim_own(struct req *r)
{
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	const struct body *person = body_get(r->body, "person_id");
	if (person && person->integer != r->person_id)
		return req_fail_field(r, "person_id", "You can only claim for yourself.");
	const struct db_param params[] = { db_int(r->arena, crud_id(r)),
		db_int(r->arena, r->person_id) };
	return run(r, STMT_PLACEHOLDER_OF_MINE, 2, params, false);
}

const struct route claim_routes[] = {
	{ "GET", "/my/placeholders", NEED_PERSON, crud_list, &res_placeholder,
		.read = STMT_PLACEHOLDER_LIST, .flags = R_WHOLE | R_QUIET,
		.doc = "People of imports whose address in the files is the caller's confirmed "
		       "address." },
	{ "POST", "/my/placeholders/:id/claim", NEED_PERSON, claim_own, NULL, .body = &res_own_body,
		.flags = R_WHOLE | R_QUIET | R_UNTOLD, .example = "{}", .audit = AUDIT_TELLS(CLAIM),
		.doc = "Make the placeholder's work the caller's; this does not make the caller "
		       "a member of any project." },
	{ "POST", "/accounts/:account/placeholders/:id/claim", NEED_ACCOUNT_ADMIN, claim_for, NULL,
		.body = &res_claim_body, .flags = R_WHOLE | R_UNTOLD,
		.example = "{\"person_id\":101}", .audit = AUDIT_TELLS(CLAIM),
		.doc = "Say which person of the account a placeholder of an import was." },
	{ 0 },
};
