/*
 * Signing in with OpenID Connect: to the provider and back (contract 1.19). Whatever waits for a
 * provider runs outside the workers, in a process of its own (http/stream.h).
 */
#include <string.h>

#include "api/oidc_end.h"
#include "api/oidc_flow.h"
#include "api/oidc_person.h"
#include "api/routes.h"
#include "domain/identity.h"
#include "http/session_begin.h"
#include "http/sign_in.h"
#include "lib/webauthn.h"
#include "model/resource.h"
#include "oidc/endpoint.h"

/* RETRY_SECONDS: when to try again after the provider has failed. */
enum { RETRY_SECONDS = 60, CODE_MAX = 4096 };

static struct str value_of(const struct req *r, const char *name)
{
	const struct uri_param *p = uri_find(r->params, name);
	return p ? p->value : (struct str){ 0 };
}

static const struct conf_oidc *find_provider(const struct req *r)
{
	return conf_oidc_find(&r->conf->oidc, r->segments[2]);
}

static void go_to(struct req *r, struct str address)
{
	r->is_page = true; /* not cached, and no referrer */
	r->status = 303;
	r->location = address;
}

/* The provider cannot be reached, or its answer is invalid. */
static enum rc refuse_provider(struct req *r, const struct conf_oidc *conf,
	const struct http_client *w, const char *problem)
{
	r->retry_after = RETRY_SECONDS;
	return oidc_end_refuse(r, conf, w->is_away ? OIDC_END_UNREACHED : OIDC_END_ANSWER, problem);
}

/* To the provider -------------------------------------------------------------------- */

static enum rc leave(struct req *r, const struct oidc_provider *p)
{
	struct str to = value_of(r, "to"), address;
	enum rc rc = oidc_flow_begin(r, p, to.p ? to : STR("/"), 0, &address);
	if (!rc)
		go_to(r, address);
	return rc;
}

static enum rc ask_and_leave(struct req *r, struct sink *to)
{
	static const struct oidc_answer answer = { leave, refuse_provider };
	(void)to;
	return oidc_provider_answer(r, find_provider(r), &answer);
}

static enum rc begin(struct req *r)
{
	const struct conf_oidc *conf = find_provider(r);
	struct oidc_provider p;
	bool is_fresh;
	struct str to = value_of(r, "to");
	if (!conf)
		return oidc_end_refuse(r, NULL, OIDC_END_NO_PROVIDER,
			"the settings name no such "
			"provider");
	if (to.p && !identity_is_target(to))
		return oidc_end_refuse(r, conf, OIDC_END_TARGET,
			"'to' is not a path of this "
			"server");
	if (r->refused)
		return r->refused;
	enum rc rc = oidc_provider_find(r, conf, &p, &is_fresh);
	if (rc)
		return rc;
	if (is_fresh)
		return leave(r, &p);
	r->stream = (struct req_stream){ .make = ask_and_leave, .part = LEDGER_SIGN_IN };
	return RC_OK;
}

/* And back ---------------------------------------------------------------------------- */

struct answer {
	const struct conf_oidc *conf;
	struct str code, issuer;
	struct oidc_flow flow;
};

static enum rc refuse_answer(struct req *r, const struct answer *x, const char *problem)
{
	return oidc_end_refuse(r, x->conf, OIDC_END_ANSWER, problem);
}

static enum rc refuse_person(
	struct req *r, const struct answer *x, enum identity_act act, int64_t claimer)
{
	static const enum oidc_end ends[] = {
		[IDENTITY_NOT_ALLOWED] = OIDC_END_NOT_ALLOWED,
		[IDENTITY_DISABLED] = OIDC_END_DISABLED,
		[IDENTITY_OF_ANOTHER] = OIDC_END_OF_ANOTHER,
		[IDENTITY_TAKEN] = OIDC_END_TAKEN,
		[IDENTITY_NO_ADDRESS] = OIDC_END_NO_ADDRESS,
		[IDENTITY_UNKNOWN] = OIDC_END_UNKNOWN,
		[IDENTITY_ENDED] = OIDC_END_STATE,
	};
	return oidc_end_refuse(r, x->conf, ends[act],
		claimer ? arena_printf(r->arena,
				  "person %lld gave that address to themselves, and nothing has confirmed it",
				  (long long)claimer)
				  .p
			: NULL);
}

/* The token's person is signed in, or has linked this account. */
static enum rc let_in(struct req *r, const struct answer *x, const struct id_token *token)
{
	static const char *const how[] = { [IDENTITY_SIGN_IN] = "signed in",
		[IDENTITY_LINK] = "was linked and signed in",
		[IDENTITY_NEW] = "was added and signed in" };
	struct oidc_person person;
	enum rc rc = oidc_person_find(r, x->conf, &x->flow, token, &person);
	if (rc)
		return rc;
	if (!person.id)
		return refuse_person(r, x, person.act, person.claimer);
	if (!x->flow.links)
		rc = session_begin(r, person.id, x->conf->name);
	if (rc)
		return rc == RC_INVALID_AUTHENTICATION ? refuse_person(r, x, IDENTITY_DISABLED, 0)
						       : rc;
	oidc_end_tell(r, x->conf, person.id, x->flow.links ? "linked it" : how[person.act]);
	go_to(r, arena_printf(r->arena, "%s%s", r->conf->base_url, x->flow.target.p));
	return RC_OK;
}

/* Another provider's answer must not be taken for this one's (RFC 9207). */
static bool is_mixed_up(const struct answer *x, const struct oidc_provider *p)
{
	return x->issuer.p ? !str_equal_z(x->issuer, x->conf->issuer) : p->discovery.names_issuer;
}

static const char *read_token(struct req *r, struct http_client *w, const struct answer *x,
	struct oidc_provider *p, struct str text, struct id_token *token, enum rc *rc)
{
	bool is_unknown;
	const struct id_token_wanted wanted = { .issuer = str_of(x->conf->issuer),
		.client_id = str_of(x->conf->client_id),
		.nonce = x->flow.nonce,
		.now = x->flow.now };
	const char *problem = id_token_read(r->arena, text, p->keys, &wanted, token, &is_unknown);
	if (!problem || !is_unknown)
		return problem;
	const char *renewal;
	*rc = oidc_provider_renew(r, w, p, &renewal);
	if (*rc || renewal)
		return arena_printf(r->arena, "%s; %s", problem,
			renewal ? renewal
				: "the database cannot be "
				  "reached")
			.p;
	return id_token_read(r->arena, text, p->keys, &wanted, token, &is_unknown);
}

static enum rc ask_and_let_in(struct req *r, struct sink *to)
{
	const struct answer *x = r->stream.of;
	struct oidc_provider p;
	struct id_token token;
	struct str text;
	struct http_client w;
	const char *problem;
	(void)to;
	enum rc rc = oidc_provider_load(r, &w, x->conf, &p, &problem);
	if (rc || problem)
		return rc ? rc : refuse_provider(r, x->conf, &w, problem);
	if (is_mixed_up(x, &p))
		return refuse_answer(r, x, "the answer comes from another provider");
	const struct endpoint_code code = { .client_id = str_of(x->conf->client_id),
		.client_secret = str_of(x->conf->client_secret),
		.code = x->code,
		.redirect = oidc_flow_redirect(r->arena, r->conf, x->conf),
		.verifier = x->flow.verifier };
	problem = endpoint_token(&w, &p.discovery, &code, &text);
	if (problem)
		return refuse_provider(r, x->conf, &w, problem);
	problem = read_token(r, &w, x, &p, text, &token, &rc);
	if (rc)
		return rc;
	return problem ? refuse_answer(r, x, problem) : let_in(r, x, &token);
}

/* The provider's error code, if it looks like one (RFC 6749, 4.1.2.1). */
static const char *word_of(struct req *r, struct str error)
{
	enum { LONGEST = 60 };
	for (size_t i = 0; i < error.n; i++)
		if (!((error.p[i] >= 'a' && error.p[i] <= 'z') || error.p[i] == '_'))
			return "the provider says no";
	return error.n > LONGEST
		? "the provider says no"
		: arena_printf(r->arena, "the provider says %.*s", (int)error.n, error.p).p;
}

static enum rc end(struct req *r)
{
	struct answer *x = arena_alloc(r->arena, sizeof *x);
	struct str error = value_of(r, "error");
	const char *problem;
	*x = (struct answer){
		.conf = find_provider(r), .code = value_of(r, "code"), .issuer = value_of(r, "iss")
	};
	if (!x->conf)
		return oidc_end_refuse(r, NULL, OIDC_END_NO_PROVIDER,
			"the settings name no such "
			"provider");
	enum rc rc = oidc_flow_end(r, x->conf, value_of(r, "state"), &x->flow, &problem);
	if (rc)
		return rc;
	if (problem)
		return oidc_end_refuse(r, x->conf, OIDC_END_STATE, problem);
	if (error.p)
		return oidc_end_refuse(r, x->conf, OIDC_END_DECLINED, word_of(r, error));
	if (!x->code.n || x->code.n > CODE_MAX)
		return refuse_answer(r, x, "it has no code");
	r->stream = (struct req_stream){ .make = ask_and_let_in, .of = x, .part = LEDGER_SIGN_IN };
	return RC_OK;
}

/* The list of providers -------------------------------------------------------------------- */

static const struct field provider_fields[] = {
	{ "name", FT_STRING, F_DEFAULT, .doc = "Its name, as in /session/oidc/NAME." },
	{ "label", FT_STRING, F_DEFAULT, .doc = "The text of its button." },
};
static const struct resource res_provider = { "sign_in_provider",
	RESOURCE_FIELDS(provider_fields) };

static const struct field options_fields[] = {
	{ "password", FT_BOOL, F_DEFAULT, .doc = "Whether people can sign in with a password." },
	{ "passkey", FT_BOOL, F_DEFAULT,
		.doc = "Whether people can sign in with passkeys, which browsers support only if "
		       "base_url is https or localhost, and its host is not a number; "
		       "left out: no." },
	{ "remote_user", FT_BOOL, F_DEFAULT,
		.doc = "Whether the web server in front signs people in, at /session/remote_user; left out: no." },
	{ "providers", FT_MANY, F_DEFAULT, .child = &res_provider,
		.doc = "OpenID providers through which people can sign in." },
};
static const struct resource res_options = { "sign_in_options", RESOURCE_FIELDS(options_fields) };

static bool has(const struct selection *s, const char *field)
{
	return select_has(s, resource_field(s->resource, field));
}

static void put_provider(struct json *j, const struct selection *s, const struct conf_oidc *p)
{
	json_object(j);
	if (has(s, "name"))
		json_put_z(j, "name", p->name);
	if (has(s, "label"))
		json_put_z(j, "label", p->label);
	json_object_end(j);
}

static enum rc show_options(struct req *r)
{
	struct json *j = &r->json;
	const struct selection *s = r->selection;
	if (r->refused)
		return r->refused;
	json_object(j);
	if (has(s, "password"))
		json_put_bool(j, "password", r->conf->password_sign_in);
	if (has(s, "passkey") && r->conf->password_sign_in &&
		webauthn_may(webauthn_site(str_of(r->conf->base_url))))
		json_put_bool(j, "passkey", true);
	if (has(s, "remote_user") && r->conf->trust_remote_user)
		json_put_bool(j, "remote_user", true);
	if (has(s, "providers")) {
		json_put_array(j, "providers");
		for (size_t i = 0; i < r->conf->oidc.n; i++)
			put_provider(j, s->child[resource_field(&res_options, "providers")],
				&r->conf->oidc.of[i]);
		json_array_end(j);
	}
	json_object_end(j);
	return RC_OK;
}

static const struct param begin_params[] = {
	{ "to", FT_STRING,
		.doc = "A path of this server, to which the browser goes afterwards; "
		       "/ if it is left out." },
	{ 0 },
};

static const struct param end_params[] = {
	{ "state", FT_STRING, .doc = "The state of the sign-in." },
	{ "code", FT_STRING, .doc = "The code to exchange for an ID token." },
	{ "iss", FT_STRING, .doc = "The provider's issuer, if it names one." },
	{ "error", FT_STRING, .doc = "Why the provider gave no code, in its words." },
	{ 0 },
};

#define HTML "text/html; charset=utf-8"

const struct route oidc_routes[] = {
	{ "GET", "/session/options", NEED_NOTHING, show_options, &res_options,
		.flags = R_QUIET | R_READS | R_ALONE, .scope = SCOPE_NONE,
		.doc = "The ways to sign in from a browser." },
	{ "GET", "/session/oidc/:provider", NEED_NOTHING, begin, NULL, .params = begin_params,
		.flags = R_QUIET | R_ROOT | R_REDIRECTS, .media = HTML, .fetch = FETCH_PAGE,
		.scope = SCOPE_NONE, .audit = AUDIT_TELLS(SIGN_IN_REFUSED),
		.doc = "Sign in through an OpenID provider: redirects there, or shows a page "
		       "with the reason why not." },
	{ "GET", "/session/oidc/:provider/callback", NEED_NOTHING, end, NULL, .params = end_params,
		.flags = R_QUIET | R_ROOT | R_REDIRECTS, .media = HTML, .fetch = FETCH_PAGE,
		.scope = SCOPE_NONE,
		.audit = AUDIT_TELLS(SIGN_IN) | AUDIT_TELLS(SIGN_IN_REFUSED) |
			AUDIT_TELLS(IDENTITY_LINK) | AUDIT_TELLS(PERSON_CREATE) |
			AUDIT_TELLS(MEMBERSHIP_CREATE) | AUDIT_TELLS(ADDRESS_CHANGE) |
			AUDIT_TELLS(ROLE_CHANGE),
		.doc = "Where it returns to: sets the session's cookie, or shows a page with the "
		       "reason why not." },
	{ 0 },
};
