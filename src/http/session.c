#include "http/session.h"

#include <string.h>

#include "http/cookie.h"
#include "http/remote_user.h"
#include "http/route.h"
#include "http/scope.h"
#include "http/session_begin.h"
#include "http/sign_in.h"

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

/* Browsers attach the cookie by themselves: whether this request may come from one of our pages. */
static bool is_from_here(const struct req *r)
{
	return has_own_origin(r) && (!r->fetch_site.p || str_equal_z(r->fetch_site, "same-origin"));
}

enum rc session_may_begin(struct req *r)
{
	if (r->refused || is_from_here(r))
		return r->refused;
	return req_fail(
		r, RC_UNAUTHORIZED_OPERATION, "Only pages of this server can sign people in.");
}

/* Browsers send Sec-Fetch-Site only over TLS and to loopback hosts. */
static bool is_told_the_site(const struct conf *c)
{
	return cookie_is_secure(c) || !strncmp(c->base_url, "http://127.", 11) ||
		!strncmp(c->base_url, "http://localhost", 16) ||
		!strncmp(c->base_url, "http://[::1]", 12);
}

/* Whether the browser says that it fetches this as a picture, or as some other part of a page. */
static bool is_embedded(const struct req *r, bool *as_picture)
{
	static const struct str pictures = { "image/", 6 };
	struct str dest = r->fetch_dest;
	if (!dest.p) /* an older browser: for pictures, Accept begins with their types */
		return *as_picture = r->accept.n >= pictures.n &&
			!memcmp(r->accept.p, pictures.p, pictures.n);
	*as_picture = str_equal_z(dest, "image");
	return !str_equal_z(dest, "document") && !str_equal_z(dest, "empty");
}

/* What pages show as pictures or link to: no script sends these requests, so they lack the header
   X-Requested-With. */
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
		return is_from_here(r);
	if (!may_be_fetched(r) || !has_own_origin(r))
		return false;
	return r->fetch_site.p
		? str_equal_z(r->fetch_site, "same-origin") || str_equal_z(r->fetch_site, "none")
		: !is_told_the_site(r->conf);
}

static enum rc refuse(struct req *r)
{
	req_fail(r, RC_UNAUTHORIZED_OPERATION,
		"%s only in requests from pages of this server, together with the header "
		"X-Requested-With: planwright.",
		cookie_find(r, REQ_COOKIE_SESSION).n ? "A session cookie is valid"
						     : "A sign-in by the web server is valid");
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

/* The use of a session is recorded once an hour. */
static enum rc touch(struct req *r, struct str secret, int64_t seconds)
{
	struct db_param id = db_int(r->arena, r->session_id);
	struct rows *rows;
	cookie_set(r, REQ_COOKIE_SESSION, secret, seconds);
	return sign_in_ask(r, STMT_SESSION_TOUCH, 1, &id, &rows);
}

/* Without a session: if the web server has authenticated somebody, one begins. */
static enum rc go_on_without(struct req *r)
{
	return r->remote_user.n ? remote_user_pass(r) : end_here(r);
}

static enum rc look_up(struct req *r, struct str secret)
{
	struct rows *rows;
	if (secret.n != SESSION_SECRET_CHARS)
		return go_on_without(r);
	const struct db_param params[] = { db_bytes(crypt_mac(r->crypt, r->arena, secret)),
		db_text(r->arena, r->remote_user) };
	enum rc rc = sign_in_ask(r, STMT_SESSION_FIND, 2, params, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0 || db_get_bool(rows, 0, db_column(rows, "is_another")))
		return go_on_without(r);
	r->session_id = db_get_int(rows, 0, db_column(rows, "id"));
	r->login_id = db_get_int(rows, 0, db_column(rows, "person_id"));
	r->must_enrol = !db_get_bool(rows, 0, db_column(rows, "has_factor")) &&
		(conf_requires_factor(r->conf) ||
			db_get_bool(rows, 0, db_column(rows, "is_required")));
	if (r->must_enrol && !(r->route->flags & R_ENROLS))
		return RC_ENROLMENT_REQUIRED;
	r->session = scope_of_session(r->arena, rows);
	if (!db_get_bool(rows, 0, db_column(rows, "is_old")))
		return RC_OK;
	return touch(r, secret, db_get_int(rows, 0, db_column(rows, "seconds")));
}

struct str session_credential(const struct req *r)
{
	if (r->token.p)
		return r->token;
	struct str secret = cookie_find(r, REQ_COOKIE_SESSION);
	return secret.n == SESSION_SECRET_CHARS ? secret : (struct str){ 0 };
}

enum rc session_find(struct req *r)
{
	struct str secret = cookie_find(r, REQ_COOKIE_SESSION);
	if ((!secret.n && !r->remote_user.n) || r->login_id || r->route->need == NEED_NOTHING)
		return RC_OK;
	if (r->token.p && !secret.n)
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
