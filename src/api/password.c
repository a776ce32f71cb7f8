/* The caller's password and token, and new passwords by a link in an email. */
#include "api/password.h"

#include "api/gate.h"
#include "api/routes.h"
#include "domain/password.h"
#include "http/bind.h"
#include "http/route.h"
#include "http/session.h"
#include "http/sign_in.h"
#include "http/audit_log.h"
#include "model/resource.h"

/* Bodies and answers ----------------------------------------------------------- */

static const struct field change_fields[] = {
	{ "old_password", FT_STRING, F_UPDATE | F_MUST, .max = 1000,
		.doc = "The current password." },
	{ "new_password", FT_STRING, F_UPDATE | F_MUST, .max = 1000,
		.doc = "The new password, of at least 8 characters." },
	{ "keep_token", FT_BOOL, F_UPDATE,
		.doc = "true: all API tokens and passkeys stay valid, including named tokens; "
		       "otherwise they end." },
};
static const struct resource res_change = { "password", RESOURCE_FIELDS(change_fields) };

static const struct field proof_fields[] = {
	{ "password", FT_STRING, F_CREATE | F_REQUIRED, .max = 1000,
		.doc = "The caller's password." },
};
static const struct resource res_proof = { "password", RESOURCE_FIELDS(proof_fields) };

static const struct field choice_fields[] = {
	{ "password", FT_STRING, F_CREATE | F_REQUIRED, .max = 1000,
		.doc = "The new password, of at least 8 characters." },
	{ "keep_token", FT_BOOL, F_CREATE,
		.doc = "true: all API tokens and passkeys stay valid, including named tokens; "
		       "otherwise they end." },
};
static const struct resource res_choice = { "password", RESOURCE_FIELDS(choice_fields) };

static const struct field address_fields[] = {
	{ "email", FT_STRING, F_CREATE | F_REQUIRED, .max = 255, .doc = "One's address." },
};
static const struct resource res_address = { "password_reset", RESOURCE_FIELDS(address_fields) };

static const struct field token_fields[] = {
	{ "api_token", FT_STRING, F_DEFAULT, .doc = "The new one." },
};
static const struct resource res_token = { "api_token", RESOURCE_FIELDS(token_fields) };

#define HTML "text/html; charset=utf-8"

/*
 * Tokens end by default: that is right for people who fear that somebody else knows their password.
 */
static struct db_param keep_token(const struct req *r)
{
	const struct body *v = body_get(r->body, "keep_token");
	return db_bool(r->arena, v && v->type == BODY_BOOL && v->boolean);
}

/* The caller's own ------------------------------------------------------------- */

/* The caller, who has given the password in addition to the token. */
static enum rc let_in(struct req *r, const char *password)
{
	struct sign_in found;
	enum rc rc = gate_pass(r);
	const struct sign_in_proof proof = { .person = r->person_id,
		.password = body_string(r->body, password) };
	return rc ? rc : sign_in(r, &proof, &found);
}

/* Saves the caller's own data; refuses if the caller was disabled meanwhile. */
static enum rc put(
	struct req *r, enum stmt stmt, int n, const struct db_param *params, enum audit_act act)
{
	const struct audit_entry e = audit_entry_of_person(act, r->person_id);
	struct rows *rows;
	enum rc rc = audit_log_ask(r, stmt, n, params, &rows);
	if (!rc)
		rc = audit_log_end(r, db_count(rows) ? &e : NULL);
	return rc ? rc : db_count(rows) ? RC_OK : RC_INVALID_AUTHENTICATION;
}

static enum rc put_password(struct req *r)
{
	bind_check(r, r->route->body, F_UPDATE, NULL);
	enum rc rc = let_in(r, "old_password");
	if (rc)
		return rc;
	struct str password = body_string(r->body, "new_password");
	const char *problem = password_problem(password);
	if (problem)
		return req_fail_field(r, "new_password", "%s", problem);
	const struct db_param params[] = { db_int(r->arena, r->person_id),
		db_text(r->arena, crypt_hash_password(r->arena, password)), keep_token(r) };
	r->status = 204;
	rc = put(r, STMT_PASSWORD_PUT, 3, params, AUDIT_PASSWORD_CHANGE);
	if (!rc)
		session_forget(r);
	return rc;
}

static enum rc renew_token(struct req *r)
{
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = let_in(r, "password");
	if (rc)
		return rc;
	if (r->session.withheld.n) /* the new token would reach that, too */
		return RC_ENROLMENT_REQUIRED;
	struct str token = crypt_token(r->arena);
	struct crypt_stored stored = crypt_store(r->crypt, r->arena, r->person_id, token);
	const struct db_param params[] = { db_int(r->arena, r->person_id), db_bytes(stored.mac),
		db_bytes(stored.sealed) };
	if ((rc = put(r, STMT_TOKEN_PUT, 3, params, AUDIT_API_TOKEN)))
		return rc;
	json_object(&r->json);
	json_key(&r->json, "api_token");
	json_str(&r->json, token);
	json_object_end(&r->json);
	return RC_OK;
}

/* By a link -------------------------------------------------------------------- */

static enum rc show_ask(struct req *r)
{
	password_page_ask(r);
	return r->refused;
}

/* Works the same for every address: the sender looks up the person. */
static enum rc ask_reset(struct req *r)
{
	struct rows *rows;
	bind_check(r, r->route->body, F_CREATE, NULL);
	if (r->refused)
		return r->refused;
	struct str email = body_string(r->body, "email");
	const struct db_param params[] = { db_text(r->arena, email),
		db_bytes(sign_in_digest(r, email)), db_text(r->arena, sign_in_network(r)) };
	enum rc rc = conf_has_mail(r->conf) ? sign_in_ask(r, STMT_LETTER_REQUEST, 3, params, &rows)
					    : RC_OK;
	if (rc)
		return rc;
	r->status = 204;
	if (r->at_root) {
		r->status = 200;
		password_page_say(r,
			"If somebody here has this address, a link is on its way. It is valid "
			"for 30 minutes.",
			PASSWORD_SIGN_IN);
	}
	return RC_OK;
}

static struct db_param digest(const struct req *r)
{
	return db_bytes(crypt_digest(r->arena, r->segments[1]));
}

static const char gone[] = "This link was already used, or is older than 30 minutes.";

static enum rc show_choose(struct req *r)
{
	struct db_param code = digest(r);
	struct rows *rows;
	enum rc rc = r->refused ? r->refused : sign_in_ask(r, STMT_LETTER_FIND, 1, &code, &rows);
	if (rc)
		return rc;
	if (db_count(rows)) {
		password_page_choose(r, NULL);
		return RC_OK;
	}
	r->status = 404;
	password_page_say(r, gone, PASSWORD_ASK);
	return RC_OK;
}

/* A refusal for programs, or the form again for people. */
static enum rc refuse(struct req *r, const char *problem)
{
	if (!r->at_root)
		return req_fail_field(r, "password", "%s", problem);
	r->status = 400;
	password_page_choose(r, problem);
	return RC_OK;
}

static enum rc refuse_code(struct req *r)
{
	if (!r->at_root)
		return req_fail(r, RC_UNFOUND_RESOURCE, "%s", gone);
	r->status = 404;
	password_page_say(r, gone, PASSWORD_ASK);
	return RC_OK;
}

/* By a link: what the audit log says. */
static enum rc tell_reset(struct req *r, int64_t person, struct str unlinked)
{
	struct audit_entry entries[] = { audit_entry_of_person(AUDIT_PASSWORD_RESET, person),
		audit_entry_of_person(AUDIT_IDENTITY_UNLINK, person) };
	entries[1].old = audit_text(r->arena, "provider", unlinked);
	return audit_log_end_all_as(r, person, STR("link"), entries, unlinked.n ? 2 : 1);
}

static enum rc choose(struct req *r)
{
	struct rows *rows;
	struct db_param code = digest(r);
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = r->refused ? r->refused : sign_in_ask(r, STMT_LETTER_FIND, 1, &code, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0)
		return refuse_code(r);
	struct str password = body_string(r->body, "password");
	const char *problem = password_problem(password);
	if (problem)
		return refuse(r, problem);
	const struct db_param params[] = { code,
		db_text(r->arena, crypt_hash_password(r->arena, password)), keep_token(r) };
	if ((rc = audit_log_ask(r, STMT_LETTER_USE, 3, params, &rows)))
		return rc;
	if (db_count(rows) == 0)
		return refuse_code(r);
	int64_t person = db_get_int(rows, 0, 0);
	rc = tell_reset(r, person, arena_str(r->arena, db_text_or_empty(rows, 0, 1)));
	if (rc || (rc = sign_in_note(r, person)))
		return rc;
	r->status = r->at_root ? 200 : 204;
	if (r->at_root)
		password_page_say(r, "Your password was changed. You can now sign in with it.",
			PASSWORD_SIGN_IN);
	return RC_OK;
}

const struct route password_routes[] = {
	{ "PUT", "/me/password", NEED_PERSON, put_password, NULL, .body = &res_change,
		.flags = R_QUIET | R_UNTOLD | R_PASSWORD,
		.example =
			"{\"old_password\":\"correct horses\",\"new_password\":\"battery staples\"}",
		.scope = SCOPE_OWN,
		.audit = AUDIT_TELLS(PASSWORD_CHANGE) | AUDIT_TELLS(SIGN_IN_REFUSED),
		.doc = "Change the caller's password." },
	{ "POST", "/me/token", NEED_PERSON, renew_token, &res_token, .body = &res_proof,
		.flags = R_QUIET | R_UNTOLD | R_PASSWORD,
		.example = "{\"password\":\"correct horses\"}", .scope = SCOPE_OWN,
		.audit = AUDIT_TELLS(API_TOKEN) | AUDIT_TELLS(SIGN_IN_REFUSED),
		.doc = "Give the caller a new API token; the old one ends." },
	{ "POST", "/password_resets", NEED_NOTHING, ask_reset, NULL, .body = &res_address,
		.flags = R_QUIET | R_UNTOLD, .example = "{\"email\":\"ada@example.com\"}",
		.scope = SCOPE_NONE, .audit = AUDIT_UNTOLD,
		.doc = "Send a link to choose a password, if somebody has the address." },
	{ "POST", "/password_resets/:code", NEED_NOTHING, choose, NULL, .body = &res_choice,
		.flags = R_QUIET | R_UNTOLD | R_PASSWORD,
		.example = "{\"password\":\"correct horses\"}", .scope = SCOPE_NONE,
		.audit = AUDIT_TELLS(PASSWORD_RESET) | AUDIT_TELLS(IDENTITY_UNLINK),
		.doc = "Choose a password through a link, "
		       "once." },
	{ "GET", "/choose_password", NEED_NOTHING, show_ask, NULL, .flags = R_QUIET | R_ROOT,
		.media = HTML, .fetch = FETCH_PAGE, .scope = SCOPE_NONE,
		.doc = "A page with a form for an address." },
	{ "POST", "/choose_password", NEED_NOTHING, ask_reset, NULL, .body = &res_address,
		.flags = R_QUIET | R_UNTOLD | R_ROOT, .media = HTML, .fetch = FETCH_PAGE,
		.example = "-d 'email=ada@example.com'", .scope = SCOPE_NONE, .audit = AUDIT_UNTOLD,
		.doc = "Receives that form." },
	{ "GET", "/choose_password/:code", NEED_NOTHING, show_choose, NULL,
		.flags = R_QUIET | R_ROOT, .media = HTML, .fetch = FETCH_PAGE, .scope = SCOPE_NONE,
		.doc = "The page behind the link, with a form for the password." },
	{ "POST", "/choose_password/:code", NEED_NOTHING, choose, NULL, .body = &res_choice,
		.flags = R_QUIET | R_UNTOLD | R_PASSWORD | R_ROOT, .media = HTML,
		.fetch = FETCH_PAGE, .example = "-d 'password=correct horses'", .scope = SCOPE_NONE,
		.audit = AUDIT_TELLS(PASSWORD_RESET) | AUDIT_TELLS(IDENTITY_UNLINK),
		.doc = "Receives that form." },
	{ 0 },
};
