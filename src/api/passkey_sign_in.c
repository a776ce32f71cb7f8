/* Signing in with a passkey (contract 1.21). */
#include "api/crud.h"
#include "api/passkey.h"
#include "api/routes.h"
#include "http/session.h"
#include "http/bind.h"
#include "http/session_begin.h"
#include "http/sign_in.h"
#include "http/audit_log.h"
#include "lib/base64url.h"
#include "lib/log.h"
#include "lib/when.h"
#include "model/model.h"
#include "service/challenge.h"

static const struct field options_fields[] = {
	{ "options", FT_JSON, F_DEFAULT,
		.doc = "What PublicKeyCredential.parseRequestOptionsFromJSON() expects in "
		       "browsers; valid for five minutes." },
};
static const struct resource res_options = { "passkey_request", RESOURCE_FIELDS(options_fields) };

static const struct field shown_fields[] = {
	{ "credential", FT_STRING, F_CREATE | F_REQUIRED, .max = PASSKEY_TEXT_MAX,
		.doc = "rawId of the credential, in base64url as in its toJSON()." },
	{ "client_data", FT_STRING, F_CREATE | F_REQUIRED, .max = PASSKEY_TEXT_MAX,
		.doc = "Its clientDataJSON." },
	{ "authenticator_data", FT_STRING, F_CREATE | F_REQUIRED, .max = PASSKEY_TEXT_MAX,
		.doc = "Its authenticatorData." },
	{ "signature", FT_STRING, F_CREATE | F_REQUIRED, .max = PASSKEY_TEXT_MAX,
		.doc = "Its signature." },
};
static const struct resource res_shown = { "passkey_shown", RESOURCE_FIELDS(shown_fields) };

static enum rc offer(struct req *r)
{
	struct json *j = &r->json;
	struct str challenge = challenge_make(r->crypt, r->arena, 0, when_now());
	if (r->refused)
		return r->refused;
	json_object(j);
	json_put_object(j, "options");
	json_key(j, "challenge");
	json_str(j, base64url_encode(r->arena, challenge));
	json_put_int(j, "timeout", CHALLENGE_SECONDS * 1000);
	json_key(j, "rpId");
	json_str(j, webauthn_site(str_of(r->conf->base_url)).host);
	json_put_z(j, "userVerification", "required");
	json_object_end(j);
	json_object_end(j);
	return RC_OK;
}

/* What is stored about the passkey, and what was sent. */
struct attempt {
	struct webauthn_said said;
	struct str signature;
	struct webauthn_key key;
	int64_t id, person; /* 0: nobody has this passkey */
	bool keeps_password;
	int64_t made_us; /* when the challenge was made */
};

static enum rc read_body(struct req *r, struct attempt *t)
{
	enum rc rc = passkey_bytes(r, "credential", &t->key.credential);
	if (!rc)
		rc = passkey_bytes(r, "client_data", &t->said.client);
	if (!rc)
		rc = passkey_bytes(r, "authenticator_data", &t->said.authenticator);
	return rc ? rc : passkey_bytes(r, "signature", &t->signature);
}

static enum rc load(struct req *r, struct attempt *t)
{
	struct db_param credential = db_bytes(t->key.credential);
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_PASSKEY_FIND, 1, &credential, &rows);
	if (rc || db_count(rows) == 0)
		return rc;
	t->id = db_get_int(rows, 0, db_column(rows, "id"));
	t->person = db_get_int(rows, 0, db_column(rows, "person_id"));
	t->keeps_password = db_get_bool(rows, 0, db_column(rows, "keeps_password"));
	t->key.public_key =
		arena_str(r->arena, db_get_text(rows, 0, db_column(rows, "public_key")));
	t->key.alg = db_get_int(rows, 0, db_column(rows, "alg"));
	t->key.count = db_get_int(rows, 0, db_column(rows, "count"));
	return RC_OK;
}

static enum rc refuse(struct req *r, const struct attempt *t, const char *why)
{
	const struct audit_log_refusal x = { .person = t->person,
		.nobody = t->person ? (struct str){ 0 } : STR("nobody"),
		.means = STR("passkey"),
		.reason = str_of(why) };
	enum rc rc = audit_log_refused(r, &x);
	if (rc)
		return rc;
	log_warn("a sign-in was refused: from %s, by a passkey: %s",
		r->address.n ? arena_str(r->arena, r->address).p : "-", why);
	r->sign_in_refused = true;
	r->error = (struct req_error){
		.possible_fix = arena_printf(r->arena,
			"This passkey does not sign in: %s. Try again, or sign in another way.",
			why)
	};
	return RC_INVALID_AUTHENTICATION;
}

static const char *check(struct req *r, struct attempt *t)
{
	const struct webauthn_site site = webauthn_site(str_of(r->conf->base_url));
	const char *problem;
	passkey_challenge(r, 0, "webauthn.get", &t->said, &t->made_us, &problem);
	if (problem)
		return problem;
	if (!t->id)
		return "nobody here has it";
	return webauthn_has(r->arena, &site, &t->said, t->signature, &t->key);
}

/* Of two requests with the same challenge, or with challenges out of order, one is refused. */
static enum rc use(struct req *r, const struct attempt *t)
{
	const struct db_param params[] = { db_int(r->arena, t->id), db_int(r->arena, t->key.count),
		db_int(r->arena, t->made_us) };
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_PASSKEY_USE, 3, params, &rows);
	if (rc || db_count(rows))
		return rc;
	return refuse(r, t, "what it signed was used before");
}

static enum rc sign_in_here(struct req *r)
{
	struct attempt t = { 0 };
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = session_may_begin(r);
	if (!rc)
		rc = read_body(r, &t);
	if (!rc)
		rc = load(r, &t);
	if (rc)
		return rc;
	const char *problem = check(r, &t);
	if (problem)
		return refuse(r, &t, problem);
	if (!r->conf->password_sign_in && !t.keeps_password)
		return refuse(r, &t, "passkeys replace passwords, which are off here");
	if ((rc = use(r, &t)) || (rc = sign_in_note(r, t.person)) ||
		(rc = session_begin(r, t.person, SESSION_OF_PASSKEY)))
		return rc;
	return crud_get(r);
}

const struct route passkey_sign_in_routes[] = {
	{ "GET", "/session/passkey", NEED_NOTHING, offer, &res_options,
		.flags = R_QUIET | R_READS | R_ALONE, .scope = SCOPE_NONE,
		.doc = "Start signing in with a passkey: the answer is for the browser." },
	{ "POST", "/session/passkey", NEED_NOTHING, sign_in_here, &res_me, .read = STMT_ME_GET,
		.body = &res_shown, .flags = R_QUIET | R_UNTOLD,
		.example =
			"{\"credential\":\"AAAA\",\"client_data\":\"e30\",\"authenticator_data\":\"AAAA\",\"signature\":\"AAAA\"}",
		.scope = SCOPE_NONE, .audit = AUDIT_TELLS(SIGN_IN) | AUDIT_TELLS(SIGN_IN_REFUSED),
		.doc = "Sign in with a passkey: the answer sets a cookie, like that of POST "
		       "/session." },
	{ 0 },
};
