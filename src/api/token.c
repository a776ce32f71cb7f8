/* Named tokens: a person's own, and those that reach an account. */
#include "domain/token.h"

#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/bind.h"
#include "http/tell.h"
#include "model/model.h"
#include "model/wish.h"

static struct ids ids_of(struct arena *a, struct db_array array)
{
	int64_t *v = arena_array(a, (size_t)array.left + 1, sizeof *v);
	struct ids ids = { v, 0 };
	while (db_array_next_int(&array, &v[ids.n]))
		ids.n++;
	return ids;
}

/* The rule, by what the database knows of the wish's projects. */
static enum rc check(struct req *r, const struct token *w, struct ids *accounts)
{
	const struct body *projects = body_get(r->body, "project_ids");
	struct db_param ids = db_ids(r->arena, w->project_ids.v, w->project_ids.n);
	const char *field;
	struct rows *rows;
	db_send(r->db, STMT_TOKEN_SCENE, 1, &ids);
	db_flush(r->db);
	enum rc rc = req_next(r, &rows);
	if (rc)
		return rc;
	*accounts = ids_of(r->arena, db_array(rows, 0, db_column(rows, "account_ids")));
	const char *problem = token_problem(r->arena, w,
		projects && projects->type == BODY_ARRAY && !projects->count,
		ids_of(r->arena, db_array(rows, 0, db_column(rows, "project_ids"))),
		db_get_time(rows, 0, db_column(rows, "now")), &field);
	return problem ? req_fail_field(r, field, "%s", problem) : RC_OK;
}

static enum rc insert(struct req *r, const struct token *w, int64_t *id)
{
	struct arena *a = r->arena;
	struct str token = crypt_named_token(a);
	struct crypt_stored stored = crypt_store(r->crypt, a, r->person_id, token);
	const struct db_param params[] = { db_int(a, r->person_id), db_bytes(stored.mac),
		db_bytes(stored.sealed), db_text(a, w->name),
		db_text(a, str_of(words_token_scopes[w->scope])),
		w->project_ids.n ? db_ids(a, w->project_ids.v, w->project_ids.n) : db_null(),
		w->expires_at == NIL ? db_null() : db_time(a, w->expires_at) };
	struct rows *rows;
	db_send(r->db, STMT_TOKEN_MAKE, 7, params);
	db_flush(r->db);
	enum rc rc = req_next(r, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0)
		return RC_INVALID_AUTHENTICATION;
	*id = db_get_int(rows, 0, 0);
	return RC_OK;
}

/* For the accounts that it reaches: those of its projects, or else all of its person's. */
static struct audit_entry entry_of(
	enum audit_act act, int64_t id, struct str name, int64_t person, struct ids accounts)
{
	struct audit_entry e = audit_entry(act);
	e.kind = "token";
	e.id = id;
	e.name = name;
	e.accounts = accounts;
	e.member = accounts.n ? NIL : person;
	return e;
}

static enum rc make_token(struct req *r)
{
	struct crud_read read;
	struct ids accounts;
	int64_t id;
	bind_check(r, r->route->resource, F_CREATE, NULL);
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	const struct token *w = wish_read(r->arena, r->route->resource, r->body, F_CREATE)->object;
	if ((rc = check(r, w, &accounts)) || (rc = insert(r, w, &id)))
		return rc;
	struct audit_entry e = entry_of(AUDIT_TOKEN_CREATE, id, w->name, r->person_id, accounts);
	e.new = audit_values(r->arena, &res_token, w);
	tell_send(r, &e);
	crud_send_read(r, &read, id, 0);
	rc = tell_take(r);
	return rc ? rc : crud_take_read(r, &read);
}

/* Ends the transaction with the entry; no row: there is no such token. */
static enum rc tell_gone(struct req *r, const struct rows *rows, struct ids accounts)
{
	if (db_count(rows) == 0) {
		enum rc rc = tell_end(r, NULL);
		return rc ? rc : RC_UNFOUND_RESOURCE;
	}
	const struct audit_entry e = entry_of(AUDIT_TOKEN_DELETE, db_get_int(rows, 0, 0),
		db_get_text(rows, 0, 1), db_get_int(rows, 0, 2), accounts);
	return tell_end(r, &e);
}

static enum rc end_token(struct req *r)
{
	struct rows *rows;
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(r->arena, crud_id(r)),
		db_int(r->arena, r->person_id) };
	r->status = 204;
	if ((rc = tell_ask(r, STMT_TOKEN_END, 2, params, &rows)))
		return rc;
	struct ids accounts = { 0 };
	if (db_count(rows))
		accounts = ids_of(r->arena, db_array(rows, 0, db_column(rows, "account_ids")));
	return tell_gone(r, rows, accounts);
}

/* For the account: for the rest of its projects it stays. */
static enum rc end_for_account(struct req *r)
{
	struct rows *rows;
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(r->arena, route_id(r, ":account")),
		db_int(r->arena, crud_id(r)) };
	r->status = 204;
	if ((rc = tell_ask(r, STMT_ACCOUNT_TOKEN_END, 2, params, &rows)))
		return rc;
	int64_t account = route_id(r, ":account");
	return tell_gone(r, rows, (struct ids){ &account, 1 });
}

const struct route token_routes[] = {
	{ "GET", "/my/tokens", NEED_PERSON, crud_list, &res_token, .read = STMT_TOKEN_LIST,
		.flags = R_QUIET | R_PAGED, .limit = 100, .limit_max = 500,
		.total = STMT_TOKEN_COUNT, .scope = SCOPE_OWN,
		.doc = "The caller's named tokens, without the secrets." },
	{ "POST", "/my/tokens", NEED_PERSON, make_token, &res_token, .read = STMT_TOKEN_MADE,
		.flags = R_QUIET | R_UNTOLD, .scope = SCOPE_OWN,
		.example = "{\"name\":\"nightly report\",\"scope\":\"read\",\"project_ids\":[99]}",
		.audit = AUDIT_TELLS(TOKEN_CREATE),
		.doc = "Make a token for a program; no other answer has it." },
	{ "DELETE", "/my/tokens/:id", NEED_PERSON, end_token, NULL, .flags = R_QUIET | R_UNTOLD,
		.scope = SCOPE_OWN, .audit = AUDIT_TELLS(TOKEN_DELETE),
		.doc = "End a token of the caller's." },
	{ "GET", "/accounts/:account/tokens", NEED_ACCOUNT_ADMIN, crud_list, &res_account_token,
		.read = STMT_ACCOUNT_TOKEN_LIST, .flags = R_WHOLE | R_PAGED, .limit = 100,
		.limit_max = 500, .total = STMT_ACCOUNT_TOKEN_COUNT, .scope = SCOPE_OWN,
		.doc = "Named tokens of the account's people that reach its projects." },
	{ "DELETE", "/accounts/:account/tokens/:id", NEED_ACCOUNT_ADMIN, end_for_account, NULL,
		.flags = R_WHOLE | R_UNTOLD, .scope = SCOPE_OWN, .audit = AUDIT_TELLS(TOKEN_DELETE),
		.doc = "End a token for the account: other projects it still reaches." },
	{ 0 },
};
