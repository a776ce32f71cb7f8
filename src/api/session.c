/* Signing in from a browser, and the resulting sessions. */
#include "http/session.h"

#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/bind.h"
#include "http/route.h"
#include "http/session_begin.h"
#include "http/sign_in.h"
#include "http/audit_log.h"
#include "model/model.h"
#include "oidc/discovery.h"

/* Fields ----------------------------------------------------------------------- */

static const struct field login_fields[] = {
	{ "login", FT_STRING, F_CREATE | F_REQUIRED, .max = 255,
		.doc = "Email address or user name." },
	{ "password", FT_STRING, F_CREATE | F_REQUIRED, .max = 1000, .doc = "The password." },
	{ "code", FT_STRING, F_CREATE, .max = 64,
		.doc = "With a second factor: the authenticator's code, or a recovery code." },
};
static const struct resource res_login = { "login", RESOURCE_FIELDS(login_fields) };

static const struct field session_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "session" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "agent", FT_STRING, F_DEFAULT, .doc = "The browser's user agent." },
	{ "current", FT_BOOL, F_DEFAULT, .doc = "Whether it is this request's session." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it started." },
	{ "used_at", FT_TIME, F_DEFAULT, .doc = "When it was last used, to within an hour." },
	{ "expires_at", FT_TIME, F_DEFAULT,
		.doc = "When it ends: 30 days after its last use, at most 90 after its start." },
};
static const struct resource res_session = { "session", RESOURCE_FIELDS(session_fields) };

static const struct field signed_out_fields[] = {
	{ "end_session_url", FT_STRING, F_DEFAULT,
		.doc = "Where the browser goes to sign out of its OpenID provider, or of what "
		       "signs people in in front of this server." },
};
static const struct resource res_signed_out = { "signed_out", RESOURCE_FIELDS(signed_out_fields) };

/* Acts -------------------------------------------------------------------------- */

static enum rc sign_in_here(struct req *r)
{
	struct sign_in found;
	bind_check(r, r->route->body, F_CREATE, NULL);
	const struct sign_in_proof proof = { .login = body_string(r->body, "login"),
		.password = body_string(r->body, "password"),
		.lets_in = true,
		.asks_code = true,
		.code = body_string(r->body, "code") };
	enum rc rc = session_may_begin(r);
	if (!rc)
		rc = sign_in(r, &proof, &found);
	if (!rc)
		rc = session_begin(r, found.person, NULL);
	if (rc)
		return rc;
	r->must_enrol = found.must_enrol;
	r->session = found.session;
	return crud_get(r);
}

static enum rc end_session(struct req *r, int64_t id, bool *ended)
{
	const struct db_param params[] = { db_int(r->arena, id), db_int(r->arena, r->person_id) };
	struct audit_entry e = audit_entry_of_person(
		id == r->session_id ? AUDIT_SIGN_OUT : AUDIT_SESSION_END, r->person_id);
	struct rows *rows;
	e.kind = "session";
	e.id = id;
	enum rc rc = audit_log_ask(r, STMT_SESSION_END, 2, params, &rows);
	*ended = !rc && db_count(rows);
	if (!rc)
		rc = audit_log_end(r, *ended ? &e : NULL);
	if (!rc && id == r->session_id)
		session_forget(r);
	r->status = 204;
	return rc;
}

/* Where the browser goes to sign out at the provider that began the session; absent: nowhere. */
static enum rc find_end_of_provider(struct req *r, struct str *url)
{
	const struct db_param id = db_int(r->arena, r->session_id);
	struct rows *rows;
	struct discovery d;
	*url = (struct str){ 0 };
	bool may_have = r->session_id && (r->conf->oidc.n || *r->conf->remote_user_sign_out);
	enum rc rc = may_have ? sign_in_ask(r, STMT_SESSION_PROVIDER, 1, &id, &rows) : RC_OK;
	if (rc || !may_have || db_count(rows) == 0)
		return rc;
	if (str_equal_z(db_text_or_empty(rows, 0, 0), SESSION_OF_WEB_SERVER) &&
		*r->conf->remote_user_sign_out)
		*url = str_of(r->conf->remote_user_sign_out);
	const struct conf_oidc *conf = conf_oidc_find(&r->conf->oidc, db_text_or_empty(rows, 0, 0));
	for (int i = 0; conf && conf->sign_out && i < db_count(rows) && !url->p; i++)
		if (str_equal_z(db_text_or_empty(rows, i, 1), conf->issuer) &&
			!discovery_read(r->arena, arena_str(r->arena, db_get_text(rows, i, 2)),
				str_of(conf->issuer), &d))
			*url = discovery_end_session(r->arena, &d, str_of(conf->client_id),
				arena_printf(r->arena, "%s/signin", r->conf->base_url));
	return RC_OK;
}

static enum rc sign_out(struct req *r)
{
	bool ended;
	struct str url;
	enum rc rc = gate_pass(r);
	if (!rc)
		rc = find_end_of_provider(r, &url);
	if (!rc)
		rc = end_session(r, r->session_id, &ended);
	if (rc || !url.p)
		return rc;
	r->status = 200;
	json_object(&r->json);
	json_key(&r->json, "end_session_url");
	json_str(&r->json, url);
	json_object_end(&r->json);
	return RC_OK;
}

static enum rc list_sessions(struct req *r)
{
	struct db_param current = db_int(r->arena, r->session_id);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_send(r->db, r->route->read, 1, &current);
	crud_flush(r);
	rc = gate_allows(r);
	return rc ? rc : crud_answer_list(r);
}

static enum rc end_one(struct req *r)
{
	bool ended;
	enum rc rc = gate_pass(r);
	if (!rc)
		rc = end_session(r, crud_id(r), &ended);
	return rc ? rc : ended ? RC_OK : RC_UNFOUND_RESOURCE;
}

const struct route session_routes[] = {
	{ "POST", "/session", NEED_NOTHING, sign_in_here, &res_me, .read = STMT_ME_GET,
		.body = &res_login, .flags = R_QUIET | R_UNTOLD | R_PASSWORD,
		.example = "{\"login\":\"ada@example.com\",\"password\":\"correct horses\"}",
		.scope = SCOPE_NONE,
		.audit = AUDIT_TELLS(SIGN_IN) | AUDIT_TELLS(SIGN_IN_REFUSED) |
			AUDIT_TELLS(RECOVERY_CODE),
		.doc = "Sign in from a browser: the answer sets a cookie, and has no API token." },
	{ "DELETE", "/session", NEED_PERSON, sign_out, &res_signed_out,
		.flags = R_QUIET | R_UNTOLD | R_ENROLS | R_OR_NOTHING, .scope = SCOPE_OWN,
		.audit = AUDIT_TELLS(SIGN_OUT), .doc = "Sign out: ends the cookie's session." },
	{ "GET", "/my/sessions", NEED_PERSON, list_sessions, &res_session,
		.read = STMT_SESSION_LIST, .flags = R_QUIET | R_LIST, .scope = SCOPE_OWN,
		.doc = "The caller's sessions, most recently used first." },
	{ "DELETE", "/my/sessions/:id", NEED_PERSON, end_one, NULL, .flags = R_QUIET | R_UNTOLD,
		.scope = SCOPE_OWN, .audit = AUDIT_TELLS(SESSION_END) | AUDIT_TELLS(SIGN_OUT),
		.doc = "End one of the caller's sessions." },
	{ 0 },
};
