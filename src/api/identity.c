/* The caller's accounts at OpenID providers: listing, linking and unlinking them. */
#include "domain/identity.h"

#include "api/crud.h"
#include "api/gate.h"
#include "api/oidc_flow.h"
#include "api/routes.h"
#include "http/bind.h"
#include "http/sign_in.h"
#include "http/audit_log.h"
#include "lib/log.h"
#include "model/resource.h"

static const struct field identity_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "identity" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "provider", FT_STRING, F_DEFAULT, .doc = "The provider's name in the settings." },
	{ "issuer", FT_STRING, F_DEFAULT, .doc = "The provider's own address." },
	{ "email", FT_STRING, F_DEFAULT,
		.doc = "The last email address that the provider gave; left out: none." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was linked." },
	{ "last_used_at", FT_TIME, F_DEFAULT, .doc = "When it last signed in; left out: not yet." },
};
static const struct resource res_identity = { "identity", RESOURCE_FIELDS(identity_fields) };

static const struct field link_fields[] = {
	{ "provider", FT_STRING, F_CREATE | F_REQUIRED, .max = 20,
		.doc = "The name of a provider in GET /session/options." },
};
static const struct resource res_link = { "identity_provider", RESOURCE_FIELDS(link_fields) };

static const struct field way_fields[] = {
	{ "url", FT_STRING, F_DEFAULT, .doc = "Where the browser goes next." },
};
static const struct resource res_way = { "identity_way", RESOURCE_FIELDS(way_fields) };

/* Linking ------------------------------------------------------------------------------ */

static enum rc answer_way(struct req *r, const struct oidc_provider *p)
{
	struct str url;
	enum rc rc = oidc_flow_begin(r, p, STR("/profile"), r->session_id, &url);
	if (rc)
		return rc;
	json_object(&r->json);
	json_key(&r->json, "url");
	json_str(&r->json, url);
	json_object_end(&r->json);
	return RC_OK;
}

static const struct conf_oidc *find_provider(const struct req *r)
{
	return conf_oidc_find(&r->conf->oidc, body_get(r->body, "provider")->text);
}

static enum rc refuse_provider(struct req *r, const struct conf_oidc *conf,
	const struct http_client *w, const char *problem)
{
	(void)w;
	log_warn("an account at the provider %s cannot be linked: %s", conf->name, problem);
	return req_fail(r, RC_UNAVAILABLE, "%s does not answer at the moment.", conf->label);
}

static enum rc ask_and_answer(struct req *r, struct sink *to)
{
	static const struct oidc_answer answer = { answer_way, refuse_provider };
	(void)to;
	return oidc_provider_answer(r, find_provider(r), &answer);
}

static enum rc link_one(struct req *r)
{
	struct oidc_provider p;
	bool is_fresh;
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	const struct conf_oidc *conf = find_provider(r);
	if (!conf)
		return req_fail_field(r, "provider",
			"there is no provider with that name: GET /session/options lists them");
	if (!r->session_id)
		return req_fail(r, RC_UNAUTHORIZED_OPERATION,
			"You can link an account only while signed in with a browser.");
	if ((rc = oidc_provider_find(r, conf, &p, &is_fresh)))
		return rc;
	if (is_fresh)
		return answer_way(r, &p);
	r->stream = (struct req_stream){ .make = ask_and_answer, .part = LEDGER_SIGN_IN };
	return RC_OK;
}

/* Unlinking one -------------------------------------------------------------------------- */

/* Refuses if the caller could not sign in without it; else the transaction stays open. */
static enum rc check_rest(struct req *r, int64_t id)
{
	const struct db_param me = db_int(r->arena, r->person_id);
	const struct db_param params[] = { db_int(r->arena, id),
		db_bool(r->arena, r->conf->password_sign_in) };
	struct rows *rows;
	enum rc rc = audit_log_ask(r, STMT_IDENTITY_LOCK, 1, &me, &rows);
	if (!rc)
		rc = audit_log_ask(r, STMT_IDENTITY_ALTERNATIVES, 2, params, &rows);
	if (rc)
		return rc;
	if (!db_get_bool(rows, 0, db_column(rows, "is_there")))
		return RC_UNFOUND_RESOURCE;
	if (db_get_bool(rows, 0, db_column(rows, "has_other")) ||
		db_get_bool(rows, 0, db_column(rows, "has_password")))
		return RC_OK;
	return req_fail(r, RC_INVALID_PARAMETER,
		"This is your only way to sign in: choose a password first, or link another account.");
}

static struct audit_entry unlinked(struct req *r, const struct rows *rows)
{
	struct audit_entry e = audit_entry_of_person(AUDIT_IDENTITY_UNLINK, r->person_id);
	e.old = audit_text(r->arena, "provider",
		arena_str(r->arena, db_get_text(rows, 0, db_column(rows, "provider"))));
	return e;
}

static enum rc unlink_one(struct req *r)
{
	enum rc rc = gate_pass(r);
	if (!rc)
		rc = check_rest(r, crud_id(r));
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(r->arena, crud_id(r)),
		db_int(r->arena, r->person_id), db_int(r->arena, r->session_id) };
	return audit_log_delete(r, STMT_IDENTITY_END, 3, params, unlinked);
}

const struct route identity_routes[] = {
	{ "GET", "/my/identities", NEED_PERSON, crud_list_own, &res_identity,
		.read = STMT_IDENTITY_LIST, .flags = R_QUIET | R_LIST, .scope = SCOPE_OWN,
		.doc = "The caller's accounts at OpenID providers, oldest first." },
	{ "POST", "/my/identities", NEED_PERSON, link_one, &res_way, .body = &res_link,
		.flags = R_QUIET | R_UNTOLD, .scope = SCOPE_OWN, .audit = AUDIT_UNTOLD,
		.example = "{\"provider\":\"acme\"}",
		.doc = "Start linking one: the answer has the address for the browser." },
	{ "DELETE", "/my/identities/:id", NEED_PERSON, unlink_one, NULL,
		.flags = R_QUIET | R_UNTOLD, .scope = SCOPE_OWN,
		.audit = AUDIT_TELLS(IDENTITY_UNLINK),
		.doc = "Unlink one, and end the sessions started through it." },
	{ 0 },
};
