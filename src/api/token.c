/* Named tokens: a person's own, and those that reach an account. */
#include "domain/token.h"

#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/bind.h"
#include "http/audit_log.h"
#include "model/model.h"
#include "model/object.h"
#include "model/wish.h"

/* Applies the rule to what the database knows of the wish's projects. */
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
	*accounts = object_ids(r->arena, rows, 0, db_column(rows, "account_ids"));
	const char *problem = token_problem(r->arena, w,
		projects && projects->type == BODY_ARRAY && !projects->count,
		object_ids(r->arena, rows, 0, db_column(rows, "project_ids")),
		db_get_time(rows, 0, db_column(rows, "now")), &field);
	return problem ? req_fail_field(r, field, "%s", problem) : RC_OK;
}

/* A token for all projects does not reach accounts withheld from the session that creates it. */
static struct db_param accounts_withheld(struct req *r, const struct token *w)
{
	int64_t *accounts = arena_array(r->arena, r->session.withheld.n + 1, sizeof *accounts);
	size_t n = 0;
	for (size_t i = 0; i < r->session.withheld.n && !w->project_ids.n; i++)
		if (r->session.withheld.v[i] < 0)
			accounts[n++] = -r->session.withheld.v[i];
	return db_ids(r->arena, accounts, n);
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
		w->expires_at == NIL ? db_null() : db_time(a, w->expires_at),
		accounts_withheld(r, w) };
	struct rows *rows;
	db_send(r->db, STMT_TOKEN_CREATE, 8, params);
	db_flush(r->db);
	enum rc rc = req_next(r, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0)
		return RC_INVALID_AUTHENTICATION;
	*id = db_get_int(rows, 0, 0);
	return RC_OK;
}

/* An entry for all accounts that the token reaches: those of its projects, or all of its
   person's. */
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
	audit_log_send(r, &e);
	crud_send_read(r, &read, id, 0);
	rc = audit_log_take(r);
	return rc ? rc : crud_take_read(r, &read);
}

static struct audit_entry ended_for(const struct rows *rows, struct ids accounts)
{
	return entry_of(AUDIT_TOKEN_DELETE, db_get_int(rows, 0, 0), db_get_text(rows, 0, 1),
		db_get_int(rows, 0, 2), accounts);
}

static struct audit_entry ended(struct req *r, const struct rows *rows)
{
	return ended_for(rows, object_ids(r->arena, rows, 0, db_column(rows, "account_ids")));
}

static enum rc end_token(struct req *r)
{
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(r->arena, crud_id(r)),
		db_int(r->arena, r->person_id) };
	return audit_log_delete(r, STMT_TOKEN_END, 2, params, ended);
}

static struct audit_entry ended_for_account(struct req *r, const struct rows *rows)
{
	int64_t *account = arena_array(r->arena, 1, sizeof *account);
	*account = route_id(r, ":account");
	return ended_for(rows, (struct ids){ account, 1 });
}

/* Ends the token for this account only: it still reaches its other projects. */
static enum rc end_for_account(struct req *r)
{
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(r->arena, route_id(r, ":account")),
		db_int(r->arena, crud_id(r)) };
	return audit_log_delete(r, STMT_ACCOUNT_TOKEN_END, 2, params, ended_for_account);
}

const struct route token_routes[] = {
	{ "GET", "/my/tokens", NEED_PERSON, crud_list, &res_token, .read = STMT_TOKEN_LIST,
		.flags = R_QUIET | R_PAGED, .limit = 100, .limit_max = 500,
		.total = STMT_TOKEN_COUNT, .scope = SCOPE_OWN,
		.doc = "The caller's named tokens, without the secrets." },
	{ "POST", "/my/tokens", NEED_PERSON, make_token, &res_token, .read = STMT_TOKEN_CREATED,
		.flags = R_QUIET | R_UNTOLD, .scope = SCOPE_OWN,
		.example = "{\"name\":\"nightly report\",\"scope\":\"read\",\"project_ids\":[99]}",
		.audit = AUDIT_TELLS(TOKEN_CREATE),
		.doc = "Create a token for a program; only this answer contains it." },
	{ "DELETE", "/my/tokens/:id", NEED_PERSON, end_token, NULL, .flags = R_QUIET | R_UNTOLD,
		.scope = SCOPE_OWN, .audit = AUDIT_TELLS(TOKEN_DELETE),
		.doc = "End one of the caller's tokens." },
	{ "GET", "/accounts/:account/tokens", NEED_ACCOUNT_ADMIN, crud_list, &res_account_token,
		.read = STMT_ACCOUNT_TOKEN_LIST, .flags = R_WHOLE | R_PAGED, .limit = 100,
		.limit_max = 500, .total = STMT_ACCOUNT_TOKEN_COUNT, .scope = SCOPE_OWN,
		.doc = "Named tokens of the account's people that reach its projects." },
	{ "DELETE", "/accounts/:account/tokens/:id", NEED_ACCOUNT_ADMIN, end_for_account, NULL,
		.flags = R_WHOLE | R_UNTOLD, .scope = SCOPE_OWN, .audit = AUDIT_TELLS(TOKEN_DELETE),
		.doc = "End a token for the account; it still reaches other projects." },
	{ 0 },
};
