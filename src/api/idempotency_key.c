#include "api/idempotency_key.h"

#include <string.h>

#include "api/gate.h"
#include "http/sign_in.h"

enum { KEY_MAX = 255, ANSWER_MAX = 1024 * 1024 };

bool idempotency_key_is_sent(const struct req *r)
{
	return r->idempotency_key.p && str_equal_z(r->method, "POST");
}

static bool is_key(struct str s)
{
	return s.n > 0 && str_is_text(s) && str_count_chars(s) <= KEY_MAX;
}

static void put_part(struct buf *b, struct str s)
{
	buf_put_int(b, (int64_t)s.n);
	buf_put_char(b, ':');
	buf_put_str(b, s);
}

static void put_params(struct buf *b, const struct uri_param *p)
{
	for (; p; p = p->next) {
		if (str_equal_z(p->name, "token"))
			continue;
		put_part(b, p->name);
		put_part(b, p->value);
	}
}

/*
 * What the credentials do not reach, said by what stays the same when the request is sent again: the first one may have
 * created a project.
 */
static void put_limits(struct buf *b, const struct req *r)
{
	if (r->named.is_limited)
		put_part(b, (struct str){ r->named.reach.value, (size_t)r->named.reach.length });
	else if (r->named.reach.value)
		buf_printf(b, "token:%lld", (long long)r->named.id);
	for (size_t i = 0; i < r->session.withheld.n; i++)
		if (r->session.withheld.v[i] < 0)
			buf_printf(b, "account:%lld", (long long)-r->session.withheld.v[i]);
}

/* The whole request without its credentials, and what these do not reach. */
static struct str digest(const struct req *r)
{
	struct buf b = { 0 };
	for (int i = 0; i < r->n_segments; i++)
		put_part(&b, r->segments[i]);
	put_params(&b, r->params);
	put_params(&b, r->old.query);
	put_part(&b, r->body_text);
	put_limits(&b, r);
	struct str found = crypt_digest(r->arena, buf_str(&b));
	buf_free(&b);
	return found;
}

static enum rc answer(struct req *r, const struct rows *rows, struct str request)
{
	int text = db_column(rows, "answer");
	if (!str_equal(db_get_text(rows, 0, db_column(rows, "request")), request))
		return req_fail(r, RC_INVALID_PARAMETER,
			"This Idempotency-Key was used with another request: use a new one for "
			"each request.");
	if (db_is_null(rows, 0, text))
		return req_fail(r, RC_INVALID_PARAMETER,
			"This request was already executed; its answer was too long to keep.");
	r->person_id = db_get_int(rows, 0, db_column(rows, "person_id"));
	r->status = (int)db_get_int(rows, 0, db_column(rows, "status"));
	r->version = db_get_int(rows, 0, db_column(rows, "version"));
	buf_put_str(r->out, db_get_text(rows, 0, text));
	return RC_OK;
}

static enum rc look_up(struct req *r, struct str request, bool *found)
{
	struct db_param key = db_text(r->arena, r->idempotency_key);
	struct rows *rows;
	gate_tell_caller(r);
	enum rc rc = sign_in_ask(r, STMT_IDEMPOTENCY_KEY_FIND, 1, &key, &rows);
	if (rc)
		return rc;
	*found = db_count(rows) > 0;
	return *found ? answer(r, rows, request) : RC_OK;
}

/* Ends the command's transaction. */
static enum rc keep(struct req *r, struct str request)
{
	struct arena *a = r->arena;
	struct str text = buf_str(r->out);
	const struct db_param params[] = { db_int(a, r->person_id), db_text(a, r->idempotency_key),
		db_bytes(request), db_int(a, r->status), db_int(a, r->version),
		text.n > ANSWER_MAX ? db_null() : db_text(a, text.p ? text : STR("")) };
	struct rows *rows;
	return sign_in_ask(r, STMT_IDEMPOTENCY_KEY_KEEP, 6, params, &rows);
}

enum rc idempotency_key_run(struct req *r, enum rc (*act)(struct req *))
{
	bool found = false;
	if (!is_key(r->idempotency_key)) {
		req_refuse(r,
			req_fail(r, RC_INVALID_PARAMETER,
				"Idempotency-Key must be a text of 1 to %d characters", KEY_MAX));
		return act(r);
	}
	/* The stored answer may have been for another token, which could do more. */
	enum rc rc = crypt_may_be_named(r->token) ? gate_pass(r) : RC_OK;
	if (rc)
		return rc;
	struct str request = digest(r);
	rc = look_up(r, request, &found);
	if (rc || found)
		return rc;
	db_hold(r->db, true);
	rc = act(r);
	db_hold(r->db, false);
	if (rc || !(rc = keep(r, request)) || strcmp(db_error(r->db)->sqlstate, "23505") != 0)
		return rc;
	/*
	 * The same request came at the same moment: this one is rolled back, the other one was
	 * executed.
	 */
	db_end(r->db);
	r->out->n = 0;
	r->error = (struct req_error){ 0 };
	rc = look_up(r, request, &found);
	return rc || found ? rc : RC_UNAVAILABLE;
}
