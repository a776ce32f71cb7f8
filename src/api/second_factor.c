/* The caller's second factor: setting it up, and turning it off. */
#include "domain/second_factor.h"

#include <string.h>

#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/bind.h"
#include "http/route.h"
#include "http/sign_in.h"
#include "http/audit_log.h"
#include "lib/totp.h"
#include "model/resource.h"
#include "model/words.h"
#include "store/secret.h"

/* Bodies and answers ----------------------------------------------------------- */

static const struct field factor_fields[] = {
	{ "enabled", FT_BOOL, F_DEFAULT, .doc = "Whether signing in requires a code." },
	{ "recovery_codes_left", FT_INT, F_DEFAULT, .doc = "How many recovery codes are left." },
	{ "policy", FT_STRING, F_DEFAULT,
		.doc = "What applies to the caller: off, optional or required." },
};
static const struct resource res_factor = { "second_factor", RESOURCE_FIELDS(factor_fields) };

static const struct field begin_fields[] = {
	{ "password", FT_STRING, F_CREATE | F_REQUIRED, .max = 1000,
		.doc = "The caller's password." },
};
static const struct resource res_begin = { "second_factor_password",
	RESOURCE_FIELDS(begin_fields) };

static const struct field begun_fields[] = {
	{ "secret", FT_STRING, F_DEFAULT,
		.doc = "The secret for an authenticator app, in base32." },
	{ "uri", FT_STRING, F_DEFAULT, .doc = "The same as an otpauth URI, for a QR code." },
};
static const struct resource res_begun = { "enrolment", RESOURCE_FIELDS(begun_fields) };

static const struct field confirm_fields[] = {
	{ "code", FT_STRING, F_UPDATE | F_MUST, .max = 64,
		.doc = "The six digits that the authenticator shows." },
};
static const struct resource res_confirm = { "second_factor_code",
	RESOURCE_FIELDS(confirm_fields) };

static const struct field confirmed_fields[] = {
	{ "recovery_codes", FT_STRINGS, F_DEFAULT,
		.doc = "Ten codes, each of which replaces the authenticator's once. They are "
		       "shown only now." },
};
static const struct resource res_confirmed = { "recovery_codes",
	RESOURCE_FIELDS(confirmed_fields) };

static const struct field end_fields[] = {
	{ "password", FT_STRING, F_CREATE | F_REQUIRED, .max = 1000,
		.doc = "The caller's password." },
	{ "code", FT_STRING, F_CREATE | F_REQUIRED, .max = 64,
		.doc = "The authenticator's code, or a recovery code." },
};
static const struct resource res_end = { "second_factor_proof", RESOURCE_FIELDS(end_fields) };

static void put_text(struct req *r, const char *key, struct str text)
{
	json_key(&r->json, key);
	json_str(&r->json, text);
}

/* Setting it up ------------------------------------------------------------------ */

static struct db_param policy(const struct req *r)
{
	return db_text(r->arena, str_of(r->conf->second_factor));
}

static enum rc show(struct req *r)
{
	struct db_param param = policy(r);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_send(r->db, r->route->read, 1, &param);
	crud_flush(r);
	rc = gate_allows(r);
	return rc ? rc : crud_answer_one(r);
}

/* The name that an authenticator shows next to its codes, if the caller may set one up. */
static enum rc find_name(struct req *r, struct str *name)
{
	struct db_param param = policy(r);
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_SECOND_FACTOR_GET, 1, &param, &rows);
	if (rc)
		return rc;
	*name = arena_str(r->arena, db_text_or_empty(rows, 0, db_column(rows, "name")));
	if (db_get_bool(rows, 0, db_column(rows, "enabled")))
		return req_fail(r, RC_INVALID_PARAMETER, "%s", SIGN_IN_FACTOR_IS_ON);
	struct str word = db_get_text(rows, 0, db_column(rows, "policy"));
	if (words_find(words_second_factor, word.p, word.n) != SECOND_FACTOR_OFF)
		return RC_OK;
	req_fail(r, RC_UNAUTHORIZED_OPERATION,
		"Second factors are off on this server (setting second_factor).");
	r->error.possible_fix = STR("Ask the administrator of the server to allow them.");
	return RC_UNAUTHORIZED_OPERATION;
}

static enum rc refuse_race(struct req *r)
{
	return req_fail(r, RC_INVALID_PARAMETER,
		"Another request has just changed this second factor: check whether it is on.");
}

static enum rc store_new(struct req *r, struct str secret)
{
	const struct db_param params[] = { db_int(r->arena, r->person_id),
		db_bytes(crypt_seal(r->crypt, r->arena, r->person_id, secret)),
		db_bytes(secret_value(r->crypt, r->arena)) };
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_SECOND_FACTOR_BEGIN, 3, params, &rows);
	if (rc || db_count(rows))
		return rc;
	r->secret_is_old = true; /* perhaps; then the request is retried with the new one */
	return refuse_race(r);
}

static enum rc begin(struct req *r)
{
	struct sign_in found;
	struct str name;
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_pass(r);
	if (!rc)
		rc = find_name(r, &name);
	if (!rc)
		rc = sign_in(r,
			&(struct sign_in_proof){ .person = r->person_id,
				.password = body_string(r->body, "password") },
			&found);
	if (rc)
		return rc;
	struct str secret = crypt_random(r->arena, TOTP_SECRET_SIZE);
	if ((rc = store_new(r, secret)))
		return rc;
	struct str base32 = totp_base32(r->arena, secret);
	json_object(&r->json);
	put_text(r, "secret", base32);
	put_text(r, "uri", totp_uri(r->arena, STR("planwright"), name, base32));
	json_object_end(&r->json);
	return RC_OK;
}

static void write_codes(struct req *r, const struct str *codes)
{
	json_object(&r->json);
	json_put_array(&r->json, "recovery_codes");
	for (int i = 0; i < SECOND_FACTOR_RECOVERY_CODES; i++)
		json_str(&r->json, second_factor_show(r->arena, codes[i]));
	json_array_end(&r->json);
	json_object_end(&r->json);
}

/* Makes new recovery codes; returns their digests, concatenated. */
static struct str make_codes(struct req *r, struct str secret, struct str *codes)
{
	char *macs = arena_alloc(r->arena, (size_t)SECOND_FACTOR_RECOVERY_CODES * CRYPT_MAC_SIZE);
	for (int i = 0; i < SECOND_FACTOR_RECOVERY_CODES; i++) {
		codes[i] = crypt_password(r->arena);
		codes[i].n = SECOND_FACTOR_RECOVERY_CHARS;
		memcpy(macs + (ptrdiff_t)i * CRYPT_MAC_SIZE,
			crypt_mac_with(r->arena, secret, codes[i]).p, CRYPT_MAC_SIZE);
	}
	return (struct str){ macs, (size_t)SECOND_FACTOR_RECOVERY_CODES * CRYPT_MAC_SIZE };
}

static enum rc confirm(struct req *r)
{
	struct sign_in_enrolment found;
	struct str codes[SECOND_FACTOR_RECOVERY_CODES];
	struct rows *rows;
	bind_check(r, r->route->body, F_UPDATE, NULL);
	enum rc rc = gate_pass(r);
	if (!rc)
		rc = sign_in_enrol(r, body_string(r->body, "code"), &found);
	if (rc)
		return rc;
	const struct db_param params[] = { db_int(r->arena, r->person_id), db_bytes(found.sealed),
		db_int(r->arena, found.step), db_bytes(make_codes(r, found.secret, codes)) };
	const struct audit_entry e = audit_entry_of_person(AUDIT_FACTOR_ON, r->person_id);
	rc = audit_log_ask(r, STMT_SECOND_FACTOR_CONFIRM, 4, params, &rows);
	if (rc || (rc = audit_log_end(r, db_count(rows) ? &e : NULL)))
		return rc;
	if (db_count(rows) == 0)
		return refuse_race(r);
	write_codes(r, codes);
	return RC_OK;
}

/* Turning it off ------------------------------------------------------------------- */

static enum rc end_own(struct req *r)
{
	struct rows *rows;
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_pass(r);
	if (!rc)
		rc = sign_in_again(r, false);
	if (rc)
		return rc;
	struct db_param person = db_int(r->arena, r->person_id);
	r->status = 204;
	const struct audit_entry e = audit_entry_of_person(AUDIT_FACTOR_OFF, r->person_id);
	rc = audit_log_ask(r, STMT_SECOND_FACTOR_END, 1, &person, &rows);
	if (!rc)
		rc = audit_log_end(r, db_count(rows) ? &e : NULL);
	return rc ? rc : db_count(rows) ? RC_OK : RC_UNFOUND_RESOURCE;
}

const struct route second_factor_routes[] = {
	{ "GET", "/my/second_factor", NEED_PERSON, show, &res_factor,
		.read = STMT_SECOND_FACTOR_GET, .flags = R_QUIET | R_ENROLS, .scope = SCOPE_OWN,
		.doc = "Whether the caller's second factor is on." },
	{ "POST", "/my/second_factor", NEED_PERSON, begin, &res_begun, .body = &res_begin,
		.flags = R_QUIET | R_UNTOLD | R_PASSWORD | R_ENROLS,
		.example = "{\"password\":\"correct horses\"}", .scope = SCOPE_OWN,
		.audit = AUDIT_TELLS(SIGN_IN_REFUSED),
		.doc = "Start setting up a second factor: codes from an authenticator app." },
	{ "PUT", "/my/second_factor", NEED_PERSON, confirm, &res_confirmed, .body = &res_confirm,
		.flags = R_QUIET | R_UNTOLD | R_ENROLS, .example = "{\"code\":\"492039\"}",
		.scope = SCOPE_OWN, .audit = AUDIT_TELLS(FACTOR_ON) | AUDIT_TELLS(SIGN_IN_REFUSED),
		.doc = "Turn it on with its first code; the answer has the recovery codes." },
	{ "DELETE", "/my/second_factor", NEED_PERSON, end_own, NULL, .body = &res_end,
		.flags = R_QUIET | R_UNTOLD | R_PASSWORD,
		.example = "{\"password\":\"correct horses\",\"code\":\"492039\"}",
		.scope = SCOPE_OWN,
		.audit = AUDIT_TELLS(FACTOR_OFF) | AUDIT_TELLS(RECOVERY_CODE) |
			AUDIT_TELLS(SIGN_IN_REFUSED),
		.doc = "Turn it off." },
	{ 0 },
};
