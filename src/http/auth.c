#include "http/auth.h"

#include <openssl/evp.h>
#include <string.h>

#include "http/route.h"
#include "http/scope.h"
#include "http/sign_in.h"
#include "http/audit_log.h"

enum { SMALL_BODY = 16 * 1024 };

/* The credentials of "Basic <base64 of login:password>" (RFC 7617); absent: malformed. */
static struct str decode_basic(struct arena *a, struct str value)
{
	struct str rest = str_trim((struct str){ value.p + 5, value.n - 5 });
	unsigned char *out = arena_alloc(a, rest.n + 4);
	if (rest.n == 0 || rest.n % 4 || rest.n > 2048)
		return (struct str){ 0 };
	int n = EVP_DecodeBlock(out, (const unsigned char *)rest.p, (int)rest.n);
	if (n < 0)
		return (struct str){ 0 };
	n -= rest.p[rest.n - 1] == '=';
	n -= rest.p[rest.n - 2] == '=';
	struct str s = { (const char *)out, (size_t)n };
	return str_is_text(s) ? s : (struct str){ 0 };
}

static enum rc give_token(struct req *r)
{
	struct str token = crypt_token(r->arena);
	struct crypt_stored stored = crypt_store(r->crypt, r->arena, r->login_id, token);
	const struct db_param params[] = { db_int(r->arena, r->login_id), db_bytes(stored.mac),
		db_bytes(stored.sealed) };
	struct rows *rows;
	return sign_in_ask(r, STMT_PERSON_GIVE_TOKEN, 3, params, &rows);
}

/* A name and password leave no room for a code. */
static enum rc send_to_tokens(struct req *r, enum rc rc)
{
	req_fail(r, rc, "A name and password are not accepted here.");
	r->error.possible_fix = arena_printf(r->arena,
		"Programs send an API token instead: sign in with a browser, and create one at "
		"%s/profile.",
		r->conf->base_url);
	return rc;
}

static enum rc check_password(struct req *r, struct str login, struct str password)
{
	struct sign_in found;
	const struct sign_in_proof proof = {
		.login = login, .password = password, .lets_in = true, .asks_code = true
	};
	enum rc rc = sign_in(r, &proof, &found);
	if (!rc && (found.must_enrol || found.session.withheld.n))
		rc = RC_ENROLMENT_REQUIRED;
	if (rc == RC_SECOND_FACTOR_REQUIRED || rc == RC_ENROLMENT_REQUIRED)
		return send_to_tokens(r, rc);
	if (rc)
		return rc;
	r->login_id = found.person;
	const struct audit_entry e = audit_entry_of_person(AUDIT_SIGN_IN, found.person);
	rc = found.has_token ? RC_OK : give_token(r);
	return rc ? rc : audit_log_end_as(r, found.person, STR("password"), &e);
}

enum rc auth_login(struct req *r)
{
	if (r->token.p || !r->authorization.p || r->authorization.n < 6 ||
		!str_equal_nocase((struct str){ r->authorization.p, 6 }, STR("Basic ")))
		return RC_OK;
	if (!(r->route->flags & R_BASIC) || r->origin.p)
		return sign_in_refuse(r);
	struct str password = decode_basic(r->arena, r->authorization);
	if (!password.p)
		return sign_in_refuse(r);
	struct str login = str_cut(&password, ':');
	if (!password.p)
		return sign_in_refuse(r);
	return check_password(r, login, password);
}

static enum rc find_token(struct req *r)
{
	struct db_param mac = req_token_param(r);
	struct rows *rows;
	enum rc rc = sign_in_ask(r, STMT_PERSON_BY_TOKEN, 1, &mac, &rows);
	if (rc)
		return rc;
	if (db_is_null(rows, 0, db_column(rows, "person_id")))
		return RC_INVALID_AUTHENTICATION;
	scope_take_token(r, rows);
	return scope_check(r);
}

enum rc auth_before_body(struct req *r)
{
	if (str_equal_z(r->method, "GET"))
		return RC_OK;
	if (r->route->need == NEED_NOTHING)
		return r->body_text.n > SMALL_BODY ? RC_BODY_TOO_LARGE : RC_OK;
	if (!r->token.p && !r->login_id)
		req_refuse(r, RC_UNAUTHORIZED_OPERATION);
	return r->token.p && r->body_text.n > SMALL_BODY ? find_token(r) : RC_OK;
}

enum rc auth_ask(struct req *r, enum rc rc)
{
	bool is_visitor = rc == RC_UNAUTHORIZED_OPERATION && !r->token.p && !r->login_id &&
		!r->error.general_problem.p;
	if (rc != RC_UNAUTHENTICATED && !is_visitor &&
		(rc != RC_INVALID_AUTHENTICATION || r->error.general_problem.p))
		return rc;
	/* A header that was refused early had no route yet. */
	if ((!r->route && route_find(r)) || !(r->route->flags & R_RPC))
		return rc;
	r->error = (struct req_error){
		.possible_fix = arena_printf(r->arena,
			"Create a named token at %s/profile (or with POST /my/tokens), and send "
			"it as Authorization: Bearer TOKEN.",
			r->conf->base_url)
	};
	return RC_UNAUTHENTICATED;
}
