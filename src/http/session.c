#include "http/session.h"

#include <string.h>

#include "http/cookie.h"
#include "http/route.h"
#include "http/sign_in.h"
#include "http/tell.h"

enum { SECRET_CHARS = 2 * CRYPT_TOKEN_CHARS, IDLE_SECONDS = 30 * 86400, AGENT_MAX = 200 };

void session_forget(struct req *r)
{
	if (cookie_find(r, REQ_COOKIE_SESSION).n)
		cookie_set(r, REQ_COOKIE_SESSION, STR(""), 0);
}

/* Whether it counts ------------------------------------------------------------- */

static bool has_own_origin(const struct req *r)
{
	return !r->origin.p || str_equal_z(r->origin, r->conf->base_url);
}

bool session_is_from_here(const struct req *r)
{
	return has_own_origin(r) && (!r->fetch_site.p || str_equal_z(r->fetch_site, "same-origin"));
}

/* Browsers tell the site to TLS and to this host only. */
static bool is_told_the_site(const struct conf *c)
{
	return cookie_is_secure(c) || !strncmp(c->base_url, "http://127.", 11) ||
		!strncmp(c->base_url, "http://localhost", 16) ||
		!strncmp(c->base_url, "http://[::1]", 12);
}

/* Whether the browser says that it fetches it as a picture, or as some other part of a page. */
static bool is_embedded(const struct req *r, bool *as_picture)
{
	static const struct str pictures = { "image/", 6 };
	struct str dest = r->fetch_dest;
	if (!dest.p) /* Older ones; they ask for pictures by their types. */
		return *as_picture = r->accept.n >= pictures.n &&
			!memcmp(r->accept.p, pictures.p, pictures.n);
	*as_picture = str_equal_z(dest, "image");
	return !str_equal_z(dest, "document") && !str_equal_z(dest, "empty");
}

/* What pages show as pictures and link to: no script sends it, so no header of theirs is there. */
static bool may_be_fetched(const struct req *r)
{
	bool as_picture;
	if (!str_equal_z(r->method, "GET") || r->route->fetch < FETCH_PAGE)
		return false;
	return !is_embedded(r, &as_picture) || (as_picture && r->route->fetch == FETCH_PICTURE);
}

static bool counts(const struct req *r)
{
	if (str_equal_z(r->requested_with, "planwright"))
		return session_is_from_here(r);
	if (!may_be_fetched(r) || !has_own_origin(r))
		return false;
	return r->fetch_site.p
		? str_equal_z(r->fetch_site, "same-origin") || str_equal_z(r->fetch_site, "none")
		: !is_told_the_site(r->conf);
}

static enum rc refuse(struct req *r)
{
	req_fail(r, RC_UNAUTHORIZED_OPERATION,
		"A session cookie is valid only for pages of this server, together with the header X-Requested-With: planwright.");
	r->error.possible_fix = STR("Programs send an API token, not a cookie.");
	return RC_UNAUTHORIZED_OPERATION;
}

/* The session -------------------------------------------------------------------- */

static enum rc end_here(struct req *r)
{
	session_forget(r);
	req_fail(r, RC_INVALID_AUTHENTICATION, "The session has ended.");
	r->error.possible_fix = STR("Sign in again.");
	return RC_INVALID_AUTHENTICATION;
}

/* Its use is noted once an hour. */
static enum rc touch(struct req *r, struct str secret, int64_t seconds)
{
	struct db_param id = db_int(r->arena, r->session_id);
	struct rows *rows;
	cookie_set(r, REQ_COOKIE_SESSION, secret, seconds);
	return sign_in_ask(r, STMT_SESSION_TOUCH, 1, &id, &rows);
}

static enum rc look_up(struct req *r, struct str secret)
{
	struct rows *rows;
	if (secret.n != SECRET_CHARS)
		return end_here(r);
	struct db_param mac = db_bytes(crypt_mac(r->crypt, r->arena, secret));
	enum rc rc = sign_in_ask(r, STMT_SESSION_FIND, 1, &mac, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0)
		return end_here(r);
	r->session_id = db_get_int(rows, 0, db_column(rows, "id"));
	r->login_id = db_get_int(rows, 0, db_column(rows, "person_id"));
	r->must_enrol = !db_get_bool(rows, 0, db_column(rows, "has_factor")) &&
		(conf_requires_factor(r->conf) ||
			db_get_bool(rows, 0, db_column(rows, "is_required")));
	if (r->must_enrol && !(r->route->flags & R_ENROLS))
		return RC_ENROLMENT_REQUIRED;
	if (!db_get_bool(rows, 0, db_column(rows, "is_old")))
		return RC_OK;
	return touch(r, secret, db_get_int(rows, 0, db_column(rows, "seconds")));
}

struct str session_credential(const struct req *r)
{
	if (r->token.p)
		return r->token;
	struct str secret = cookie_find(r, REQ_COOKIE_SESSION);
	return secret.n == SECRET_CHARS ? secret : (struct str){ 0 };
}

enum rc session_find(struct req *r)
{
	struct str secret = cookie_find(r, REQ_COOKIE_SESSION);
	if (!secret.n || r->login_id || r->route->need == NEED_NOTHING)
		return RC_OK;
	if (r->token.p)
		return req_fail(r, RC_INVALID_PARAMETER,
			"the request contains both a session cookie and a token: send only one of them");
	if (!counts(r))
		return refuse(r);
	if (uri_find(r->params, "_method"))
		return req_fail(
			r, RC_INVALID_PARAMETER, "'_method' is not allowed with a session cookie");
	return look_up(r, secret);
}

/* What the browser calls itself, so that people recognize it. */
static struct db_param agent_of(struct req *r)
{
	struct str s = r->agent;
	if (!s.p || !str_is_text(s))
		return db_text(r->arena, STR(""));
	if (s.n > AGENT_MAX)
		for (s.n = AGENT_MAX; s.n && (s.p[s.n] & 0xc0) == 0x80; s.n--)
			;
	return db_text(r->arena, s);
}

static struct str means_of(struct req *r, const char *provider)
{
	return provider ? arena_printf(r->arena, "provider:%s", provider) : STR("password");
}

enum rc session_begin(struct req *r, int64_t person, const char *provider)
{
	struct str one = crypt_token(r->arena), two = crypt_token(r->arena);
	struct str secret =
		arena_printf(r->arena, "%.*s%.*s", (int)one.n, one.p, (int)two.n, two.p);
	const struct db_param params[] = { db_bytes(crypt_mac(r->crypt, r->arena, secret)),
		db_int(r->arena, person), agent_of(r), db_text(r->arena, str_of(provider)),
		db_int(r->arena, r->conf->session_max_hours) };
	struct audit_entry e = audit_entry_of_person(AUDIT_SIGN_IN, person);
	struct rows *rows;
	enum rc rc = tell_ask(r, STMT_SESSION_BEGIN, 5, params, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0)
		return sign_in_refuse(r);
	e.kind = "session";
	e.id = r->session_id = db_get_int(rows, 0, 0);
	if ((rc = tell_end_as(r, person, means_of(r, provider), &e)))
		return rc;
	r->login_id = person;
	int64_t most = r->conf->session_max_hours * 3600;
	cookie_set(r, REQ_COOKIE_SESSION, secret, most < IDLE_SECONDS ? most : IDLE_SECONDS);
	return RC_OK;
}
