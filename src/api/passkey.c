/* The caller's passkeys: listing, adding and removing them (contract 1.21). */
#include "api/crud.h"
#include "api/gate.h"
#include "api/passkey.h"
#include "api/routes.h"
#include "http/bind.h"
#include "http/sign_in.h"
#include "http/audit_log.h"
#include "lib/base64url.h"
#include "lib/when.h"
#include "service/challenge.h"

enum { PASSKEYS_MAX = 20 };

static const struct field passkey_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "passkey" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "name", FT_STRING, F_DEFAULT, .doc = "The name that its person gave it." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was added." },
	{ "last_used_at", FT_TIME, F_DEFAULT, .doc = "When it last signed in; left out: not yet." },
};
static const struct resource res_passkey = { "passkey", RESOURCE_FIELDS(passkey_fields) };

static const struct field proof_fields[] = {
	{ "password", FT_STRING, F_CREATE | F_REQUIRED, .max = 1000,
		.doc = "The caller's password." },
	{ "code", FT_STRING, F_CREATE, .max = 64,
		.doc = "With a second factor: the authenticator's code, or a recovery code." },
};
static const struct resource res_proof = { "passkey_proof", RESOURCE_FIELDS(proof_fields) };

static const struct field options_fields[] = {
	{ "options", FT_JSON, F_DEFAULT,
		.doc = "What PublicKeyCredential.parseCreationOptionsFromJSON() expects in "
		       "browsers; valid for five minutes." },
};
static const struct resource res_options = { "passkey_options", RESOURCE_FIELDS(options_fields) };

static const struct field made_fields[] = {
	{ "name", FT_STRING, F_CREATE | F_REQUIRED | F_NO_BLANK, .max = 100,
		.doc = "The name that its person gives it, at most 100 characters." },
	{ "client_data", FT_STRING, F_CREATE | F_REQUIRED, .max = PASSKEY_TEXT_MAX,
		.doc = "clientDataJSON of the credential, in base64url as in its toJSON()." },
	{ "authenticator_data", FT_STRING, F_CREATE | F_REQUIRED, .max = PASSKEY_TEXT_MAX,
		.doc = "Its authenticatorData." },
	{ "public_key", FT_STRING, F_CREATE | F_REQUIRED, .max = PASSKEY_TEXT_MAX,
		.doc = "Its publicKey." },
	{ "alg", FT_INT, F_CREATE | F_REQUIRED, .min = -65535, .max = 65535,
		.doc = "Its publicKeyAlgorithm: -7, -8 or -257." },
};
static const struct resource res_made = { "passkey_made", RESOURCE_FIELDS(made_fields) };

enum rc passkey_bytes(struct req *r, const char *name, struct str *to)
{
	*to = base64url_decode(r->arena, body_string(r->body, name));
	if (to->n)
		return RC_OK;
	return req_fail_field(r, name, "%s must be base64url without padding", name);
}

/* Adding one ------------------------------------------------------------------------------ */

static void put_text(struct json *j, const char *key, struct str text)
{
	json_key(j, key);
	json_str(j, text);
}

static void put_base64(struct req *r, const char *key, struct str bytes)
{
	put_text(&r->json, key, base64url_encode(r->arena, bytes));
}

static void put_kind(struct json *j)
{
	json_object(j);
	json_put_z(j, "type", "public-key");
}

static void put_algs(struct json *j)
{
	static const int algs[] = { WEBAUTHN_ES256, WEBAUTHN_EDDSA, WEBAUTHN_RS256 };
	json_put_array(j, "pubKeyCredParams");
	for (size_t i = 0; i < sizeof algs / sizeof *algs; i++) {
		put_kind(j);
		json_put_int(j, "alg", algs[i]);
		json_object_end(j);
	}
	json_array_end(j);
}

static void put_known(struct req *r, const struct rows *rows)
{
	struct json *j = &r->json;
	json_put_array(j, "excludeCredentials");
	for (int i = 0; i < db_count(rows); i++) {
		if (db_is_null(rows, i, db_column(rows, "credential")))
			continue;
		put_kind(j);
		put_base64(r, "id", db_get_text(rows, i, db_column(rows, "credential")));
		json_object_end(j);
	}
	json_array_end(j);
}

static void put_user(struct req *r, const struct rows *rows)
{
	struct json *j = &r->json;
	json_put_object(j, "user");
	put_base64(r, "id", arena_printf(r->arena, "%lld", (long long)r->person_id));
	put_text(j, "name", db_text_or_empty(rows, 0, db_column(rows, "login")));
	put_text(j, "displayName", db_text_or_empty(rows, 0, db_column(rows, "name")));
	json_object_end(j);
}

/* The authenticator must verify its user and store the passkey so that no user name has to be
   typed. */
static void put_selection(struct json *j)
{
	json_put_object(j, "authenticatorSelection");
	json_put_z(j, "residentKey", "required");
	json_put_bool(j, "requireResidentKey", true);
	json_put_z(j, "userVerification", "required");
	json_object_end(j);
	json_put_z(j, "attestation", "none");
}

static void write_options(struct req *r, const struct rows *rows)
{
	struct json *j = &r->json;
	const struct webauthn_site site = webauthn_site(str_of(r->conf->base_url));
	json_object(j);
	json_put_object(j, "options");
	json_put_object(j, "rp");
	put_text(j, "id", site.host);
	json_put_z(j, "name", "planwright");
	json_object_end(j);
	put_user(r, rows);
	put_base64(r, "challenge", challenge_make(r->crypt, r->arena, r->person_id, when_now()));
	put_algs(j);
	json_put_int(j, "timeout", CHALLENGE_SECONDS * 1000);
	put_known(r, rows);
	put_selection(j);
	json_object_end(j);
	json_object_end(j);
}

static enum rc offer(struct req *r)
{
	struct rows *rows;
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_pass(r);
	if (!rc)
		rc = sign_in_again(r, true);
	const struct db_param person = db_int(r->arena, r->person_id);
	if (!rc)
		rc = sign_in_ask(r, STMT_PASSKEY_CREDENTIALS, 1, &person, &rows);
	if (!rc)
		write_options(r, rows);
	return rc;
}

void passkey_challenge(struct req *r, int64_t person, const char *type,
	const struct webauthn_said *said, int64_t *made_us, const char **problem)
{
	const struct webauthn_site site = webauthn_site(str_of(r->conf->base_url));
	struct str challenge;
	*made_us = 0;
	if ((*problem = webauthn_challenge(r->arena, &site, type, said->client, &challenge)))
		return;
	*made_us = challenge_read(r->crypt, r->arena, person, when_now(), challenge);
	if (*made_us)
		return;
	r->secret_is_old = true; /* perhaps; then the request is retried with the new one */
	*problem = "it took too long, or the challenge is not from this server";
}

static enum rc check_made(struct req *r, struct webauthn_key *key, int64_t *made_us)
{
	const struct webauthn_site site = webauthn_site(str_of(r->conf->base_url));
	struct webauthn_said said;
	const char *problem;
	enum rc rc = passkey_bytes(r, "client_data", &said.client);
	if (!rc)
		rc = passkey_bytes(r, "authenticator_data", &said.authenticator);
	if (!rc)
		rc = passkey_bytes(r, "public_key", &key->public_key);
	if (rc)
		return rc;
	passkey_challenge(r, r->person_id, "webauthn.create", &said, made_us, &problem);
	key->alg = body_get(r->body, "alg")->integer;
	if (!problem)
		problem = webauthn_made(r->arena, &site, &said, key);
	return problem
		? req_fail(r, RC_INVALID_PARAMETER, "This passkey was not added: %s.", problem)
		: RC_OK;
}

/* The passkey that it added may be gone by now: the person remembers the challenge. */
static enum rc use_challenge(struct req *r, int64_t made_us)
{
	const struct db_param params[] = { db_int(r->arena, r->person_id),
		db_int(r->arena, made_us) };
	struct rows *rows;
	enum rc rc = audit_log_ask(r, STMT_PASSKEY_CHALLENGE_USE, 2, params, &rows);
	if (rc || db_count(rows))
		return rc;
	return req_fail(r, RC_INVALID_PARAMETER,
		"This passkey was not added: its challenge, or a later one, was used before.");
}

static enum rc insert(struct req *r, const struct webauthn_key *key, int64_t made_us, int64_t *id)
{
	struct arena *a = r->arena;
	const struct db_param params[] = { db_int(a, r->person_id), db_bytes(key->credential),
		db_bytes(key->public_key), db_int(a, key->alg), db_int(a, key->count),
		db_int(a, PASSKEYS_MAX), db_text(a, body_string(r->body, "name")),
		db_int(a, made_us) };
	struct rows *rows;
	enum rc rc = audit_log_ask(r, STMT_PASSKEY_CREATE, 8, params, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0)
		return req_fail(r, RC_INVALID_PARAMETER,
			"This passkey was not added: it exists already, or you have %d, the most "
			"that are possible.",
			PASSKEYS_MAX);
	*id = db_get_int(rows, 0, 0);
	return RC_OK;
}

static struct audit_entry entry_of(
	const struct req *r, enum audit_act act, int64_t id, struct str name)
{
	struct audit_entry e = audit_entry_of_person(act, r->person_id);
	e.kind = "passkey";
	e.id = id;
	e.name = name;
	return e;
}

static enum rc add(struct req *r)
{
	struct webauthn_key key;
	struct crud_read read;
	int64_t made_us = 0, id = 0;
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_pass(r);
	if (!rc)
		rc = check_made(r, &key, &made_us);
	if (!rc)
		rc = use_challenge(r, made_us);
	if (!rc)
		rc = insert(r, &key, made_us, &id);
	if (rc)
		return rc;
	const struct audit_entry e =
		entry_of(r, AUDIT_PASSKEY_CREATE, id, body_string(r->body, "name"));
	audit_log_send(r, &e);
	crud_send_read(r, &read, id, 0);
	rc = audit_log_take(r);
	return rc ? rc : crud_take_read(r, &read);
}

/* Removing one ----------------------------------------------------------------------------- */

static struct audit_entry ended(struct req *r, const struct rows *rows)
{
	return entry_of(
		r, AUDIT_PASSKEY_DELETE, crud_id(r), arena_str(r->arena, db_get_text(rows, 0, 0)));
}

static enum rc end_own(struct req *r)
{
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(r->arena, crud_id(r)),
		db_int(r->arena, r->person_id) };
	return audit_log_delete(r, STMT_PASSKEY_END, 2, params, ended);
}

const struct route passkey_routes[] = {
	{ "GET", "/my/passkeys", NEED_PERSON, crud_list_own, &res_passkey,
		.read = STMT_PASSKEY_LIST, .flags = R_QUIET | R_LIST, .scope = SCOPE_OWN,
		.doc = "The caller's passkeys, oldest first." },
	{ "POST", "/my/passkeys/options", NEED_PERSON, offer, &res_options, .body = &res_proof,
		.flags = R_QUIET | R_UNTOLD | R_PASSWORD,
		.example = "{\"password\":\"correct horses\"}", .scope = SCOPE_OWN,
		.audit = AUDIT_TELLS(SIGN_IN_REFUSED) | AUDIT_TELLS(RECOVERY_CODE),
		.doc = "Start adding a passkey: the answer is for the browser." },
	{ "POST", "/my/passkeys", NEED_PERSON, add, &res_passkey, .read = STMT_PASSKEY_CREATED,
		.body = &res_made, .flags = R_QUIET | R_UNTOLD,
		.example =
			"{\"name\":\"Phone\",\"client_data\":\"e30\",\"authenticator_data\":\"AAAA\",\"public_key\":\"MFkw\",\"alg\":-7}",
		.scope = SCOPE_OWN, .audit = AUDIT_TELLS(PASSKEY_CREATE),
		.doc = "Add the passkey that the browser created." },
	{ "DELETE", "/my/passkeys/:id", NEED_PERSON, end_own, NULL, .flags = R_QUIET | R_UNTOLD,
		.scope = SCOPE_OWN, .audit = AUDIT_TELLS(PASSKEY_DELETE),
		.doc = "Remove a passkey, which then no longer signs in." },
	{ 0 },
};
